"""What is wanted: every inference with its confidence, its evidence and what else it could be."""

from __future__ import annotations

from typing import Any, Generic, Literal, TypeVar

from pydantic import Field

from mlzero.perception.profile import ColumnKind, MaskFormat, Strict

T = TypeVar("T")

ProblemType = Literal[
    "binary",
    "multiclass",
    "regression",
    "multilabel",
    "multitarget",
    "text_similarity",
    "retrieval",
    "ner",
    "segmentation",
    "detection",
    "image_to_image",
    "forecasting",
    "sequence_to_sequence",
]
ANSWERS: dict[str, str] = {  # what each problem type gives, in plain words
    "binary": "yes or no (two classes)",
    "multiclass": "one of several classes",
    "regression": "a number",
    "multilabel": "several yes-or-no labels at once",
    "multitarget": "several targets at once",
    "text_similarity": "how alike two texts are",
    "retrieval": "the documents that fit best",
    "ner": "names and terms in a text",
    "segmentation": "areas in an image",
    "detection": "objects in an image",
    "image_to_image": "an image from an image",
    "forecasting": "the future of a series",
    "sequence_to_sequence": "a text from a text",
}
CLASSES = frozenset({"binary", "multiclass"})  # problem types whose answer is one label
NUMBERS = frozenset({"regression", "multitarget", "text_similarity"})  # problem types whose answers are numbers
Modality = Literal["tabular", "text", "image", "audio", "document", "time_series", "multimodal"]
TableFormat = Literal["csv", "tsv", "json", "jsonl", "parquet", "xlsx"]
Role = Literal["train", "test", "sample_submission", "description", "lookup", "media", "ignored"]


class Inferred(Strict, Generic[T]):
    """A value with the reasons for it."""

    value: T
    confidence: float = 1.0  # 0 to 1
    evidence: str = ""  # one sentence a colleague would say
    alternatives: list[T] = Field(default_factory=list)


class RowSource(Strict):
    """Rows of one table."""

    table: str  # TableProfile.key
    rows: Literal["all", "labelled", "unlabelled"] = "all"
    told: dict[str, str] = Field(default_factory=dict)  # columns whose one value the name of the file tells


class FileRole(Strict):
    """What a table or another file of the upload is for."""

    path: str  # TableProfile.key for tables, the relative path for other files
    role: Role


class FeaturePlan(Strict):
    """What becomes of one input column."""

    name: str
    treat_as: ColumnKind
    drop: str | None = None  # the reason, when the column is not used


class SplitPlan(Strict):
    """How the rows that no attempt may see are chosen."""

    kind: Literal["stratified", "random", "group", "time", "last_horizon"] = "random"
    column: str | None = None  # group or time column
    fraction: float = 0.2


class SeriesPlan(Strict):
    """What is forecast: columns of the long table, one row an item and moment, and how the upload holds it."""

    item: list[str] = Field(default_factory=list)  # columns that name a series; empty when there is one series
    time: str = ""
    frequency: str = ""  # MS, QS, YS, B, or a fixed step such as h, D, 7D; empty when steps are merely counted
    start: str = ""  # the moment that steps are counted from, ISO 8601
    seasons: list[int] = Field(default_factory=list)  # lengths in steps, the longest last
    horizon: int = 1  # steps ahead
    series: int = 1  # how many there are
    known: list[str] = Field(default_factory=list)  # covariates that are known for the steps ahead
    # wide: one row a series; matrix: a row a year and a column a month, or the other way round
    layout: Literal["long", "wide", "matrix"] = "long"
    label: str | None = None  # of wide and matrix: the column that names the rows
    values: list[str] = Field(default_factory=list)  # the columns with the values
    moments: list[str] = Field(default_factory=list)  # of wide: the moment of each as ISO date; empty when counted
    parts: list[int] = Field(default_factory=list)  # of matrix: the month each column (or row) begins with
    years_down: bool = True  # of matrix: a row a year
    template: str | None = None  # TableProfile.key of the table with one line a series to fill in


class JoinPlan(Strict):
    """How another table adds columns to the rows, or to a table that is joined later."""

    table: str  # TableProfile.key
    onto: str = ""  # TableProfile.key of the table that gets the columns; empty: the rows
    left_on: list[str]  # columns of the rows
    right_on: list[str]  # columns of the table, in the same order
    how: Literal["one", "many", "as_of"] = (
        "one"  # at most one row each; many, summed up; the latest not later than the row
    )
    left_time: str | None = None  # for as_of, and for many: only what had happened by then
    right_time: str | None = None
    prefix: str = ""  # of the added columns
    columns: list[str] = Field(default_factory=list)  # of one and as_of: what is added
    numbers: list[str] = Field(default_factory=list)  # of many: what is summed up
    categories: dict[str, list[str]] = Field(default_factory=dict)  # of many: column -> values that are counted
    dates: list[str] = Field(default_factory=list)  # of many: first and last


class RetrievalPlan(Strict):
    """Ranking documents for queries."""

    corpus: str  # TableProfile.key of the documents
    document_id: str
    document_text: list[str]
    query_id: str
    query_text: list[str]
    judgments: str  # TableProfile.key of what tells which documents are relevant
    judged_query: str
    judged_document: str
    grade: str | None = None  # how relevant, 0 for not at all; without it every listed document is
    depth: int = 10  # documents wanted a query


class WrittenNumber(Strict):
    """How a sample of the answer writes numbers: `12,5 %` has the decimal mark `,`, one place and ` %` after it."""

    before: str = ""
    after: str = ""
    decimal: str = "."
    thousands: str = ""
    places: int = 0  # after the decimal mark

    def text(self, value: float) -> str:
        """A number as such a text."""
        marks = str.maketrans({",": self.thousands, ".": self.decimal})
        return self.before + f"{value:,.{self.places}f}".translate(marks) + self.after


class LabelSet(Strict):
    """How the cells of a target hold several labels: `drama|comedy`, `["a", "b"]`. Each label is a target then."""

    column: str
    labels: list[str]  # the most frequent first
    sets: int = 0  # different sets of several labels
    empty: bool = False  # some cells hold no label
    separator: str = ","  # with the blanks beside it
    opening: str = ""
    closing: str = ""
    quote: str = ""


class Dialect(Strict):
    """How a text table is written; numbers have no more digits than count."""

    separator: str = ","
    decimal: str = "."
    mark: bool = False  # begins with a byte order mark, by which Excel knows UTF-8


class JoinedId(Strict):
    """The name of a row, joined of several of its columns."""

    parts: list[str]
    separator: str = "_"


class PixelRows(Strict):
    """Pictures as a table with one line a pixel, named `picture_row_column`, its brightness from 0 to 1."""

    first: int = 1  # number of the first row and column
    down: bool = True  # lines go down the columns of a picture, not along its rows


class OutputPlan(Strict):
    """The file the user asked for."""

    file_name: str = "predictions.csv"
    # "masks" and "images" are folders of PNG files named like the pictures; "coco" is a list of detections
    format: Literal["csv", "tsv", "json", "jsonl", "parquet", "xlsx", "masks", "images", "coco"] = "csv"
    # wide: one line a series, one column a step ahead; long: one line a document, in the order of their ranks
    layout: Literal["rows", "wide", "long"] = "rows"
    columns: list[str] = Field(default_factory=list)  # id column(s) first, then the targets, as they must be named
    value: Literal["label", "probability", "number"] = "label"
    sample: str | None = None  # TableProfile.key of the sample submission
    # column -> pattern of its dates as for strftime, where `%7f` stands for seven digits of a second; ISO 8601 otherwise
    dates: dict[str, str] = Field(default_factory=dict)
    label_set: LabelSet | None = None  # labels that hold stand in one cell
    numbers: dict[str, WrittenNumber] = Field(default_factory=dict)  # column -> its numbers as texts; plain otherwise
    joined_id: JoinedId | None = None  # what stands in the first column, where no column of the rows has it
    pixels: PixelRows | None = None  # of images: a table in place of a folder, as a sample of the answer asks
    dialect: Dialect | None = None  # of csv; None for commas and decimal points with all digits


class Question(Strict):
    """One short question for the user, asked only when two readings are close."""

    field: str  # a field of Task: "target", "metric", ...
    text: str
    options: list[str]
    default: str


class Preferences(Strict):
    """What the user asked for along the way; recipes respect it."""

    # AutoGluon model keys: GBM, CAT, XGB, RF, XT, NN_TORCH, FASTAI, LR, KNN
    use_models: list[str] = Field(default_factory=list)
    avoid_models: list[str] = Field(default_factory=list)
    balance_classes: bool | None = None
    sample_rows: int | None = None
    more_time: bool = False
    turned: bool = False  # pictures show the same whichever side is up
    foreground: bool = False  # what lies around the thing in a picture does not count
    seasons: list[int] = Field(default_factory=list)  # of series, in steps
    language: str = ""  # of texts, in English: "German", "several languages"


class Task(Strict):
    """The task a run works on."""

    goal: str
    modality: Inferred[Modality]
    problem_type: Inferred[ProblemType]
    target: Inferred[str | list[str] | None]  # a list for multilabel and multitarget
    metric: Inferred[str]
    id: Inferred[str | None]  # identifies the rows of the predictions
    files: Inferred[list[FileRole]]
    split: Inferred[SplitPlan]
    output: Inferred[OutputPlan]
    labels: list[str] = Field(default_factory=list)  # class labels as text, in order of frequency
    label_set: LabelSet | None = None  # of multilabel: the one column that lists the labels
    as_written: list[str] = Field(default_factory=list)  # targets whose labels hold numbers and stay text: "2 stars"
    # whether labels that differ in capitals or blanks only are one label; None where there are none
    spelling: Inferred[Literal["one", "apart"] | None] = Field(
        default_factory=lambda: Inferred[Literal["one", "apart"] | None](value=None)
    )
    spelled: list[str] = Field(
        default_factory=list
    )  # labels, as they are answered, that stand there in other spellings too
    order: Inferred[list[str]] = Field(  # labels that are grades, the lowest first, where the metric looks at it
        default_factory=lambda: Inferred[list[str]](value=[])
    )
    # files of numbers that belong to the rows, or are rows, and are learnt from
    row_files: Inferred[str | None] = Field(default_factory=lambda: Inferred[str | None](value=None))
    positive_label: Inferred[str | None] = Field(default_factory=lambda: Inferred[str | None](value=None))
    train: list[RowSource] = Field(default_factory=list)
    test: list[RowSource] = Field(default_factory=list)  # rows to predict that came with the upload
    features: list[FeaturePlan] = Field(default_factory=list)
    series: SeriesPlan | None = None
    joins: list[JoinPlan] = Field(default_factory=list)
    retrieval: RetrievalPlan | None = None
    mask: MaskFormat | None = None  # of the target, for segmentation
    drop_duplicates: bool = False
    questions: list[Question] = Field(default_factory=list)
    notes: list[str] = Field(default_factory=list)  # leaks excluded, rows without a label, and the like
    preferences: Preferences = Field(default_factory=Preferences)
    overridden: list[str] = Field(default_factory=list)  # fields the user set

    @property
    def targets(self) -> list[str]:
        if self.label_set is not None:
            return list(self.label_set.labels)
        value = self.target.value
        return [] if value is None else [value] if isinstance(value, str) else list(value)

    @property
    def answer_columns(self) -> list[str]:
        """The columns of the upload that hold the targets."""
        return self.targets if self.label_set is None else [self.label_set.column]

    @property
    def used_features(self) -> list[FeaturePlan]:
        return [f for f in self.features if f.drop is None]

    @property
    def rows_are_files(self) -> bool:
        """Whether a row is a file of numbers of a folder, not a line of a table."""
        return self.row_files.value is not None and self.train[0].table.endswith(("/", "."))

    def facts(self) -> dict[str, Any]:
        """What it takes to write predictions down in the asked form, as JSON-able data."""
        return {
            "targets": self.targets, "id": self.id.value, "labels": self.labels,
            "positive_label": self.positive_label.value, "problem_type": self.problem_type.value,
        }  # fmt: skip
