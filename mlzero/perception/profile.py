"""What was found in the upload: one record a file, a table and a column."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

ColumnKind = Literal[
    "number", "category", "text", "date", "boolean", "identifier", "constant", "empty",
    "image", "audio", "document",  # the path of a file
    "mask",  # the path of a label image: the pixel value is the class
    "boxes",  # JSON text: [{"label": "cat", "box": [left, top, width, height]}, …], pixels of the original image
    "tokens", "tags",  # words of a sentence, and a BIO tag for each, both separated by single blanks
]  # fmt: skip
FILES = frozenset({"image", "audio", "document", "mask"})  # kinds whose cells are paths
FileKind = Literal["table", "image", "audio", "document", "text", "numbers", "archive", "other"]


class Strict(BaseModel):
    """A record that refuses keys it does not know."""

    model_config = ConfigDict(extra="forbid")


class NumberFormat(Strict):
    """How text cells such as `1.049,00 DM` become numbers."""

    decimal: str = "."
    thousands: str = ""
    affixes: list[str] = Field(default_factory=list)  # texts around the number: "DM", "$", "%"


class DateFormat(Strict):
    """One format for the whole column, never guessed cell by cell."""

    pattern: str  # strptime pattern, or "ISO8601", or "mixed"
    day_first: bool = False
    ambiguous: bool = False  # day and month cannot be told apart in any cell
    swapped: list[str] = Field(default_factory=list)  # when ambiguous: first and last date, day and month exchanged


class MediaFormat(Strict):
    """How a column of paths comes from the cells of the column `source_name`, which name files.

    Cells may hold foreign folders: the file's name decides. The columns of made tables come from their maker.
    """

    folder: str = ""  # relative to the data folder; empty: the data folder itself
    suffix: str = ""  # what the cells leave out, such as ".jpg"
    absent: int = 0  # cells whose file is not there or cannot be read
    unreadable: list[str] = Field(default_factory=list)  # files that cannot be read, relative to the data folder


class MaskFormat(Strict):
    """What the values of label images mean."""

    values: list[int] = Field(default_factory=list)  # the classes, as they stand in the files, ascending
    names: list[str] = Field(default_factory=list)  # what they are called, in the same order, when that is known
    ignored: list[int] = Field(default_factory=list)  # pixels that count neither for learning nor for the score
    colours: dict[str, int] = Field(default_factory=dict)  # "r,g,b" -> value, for label images in colour


class EncodingGuess(Strict):
    """The encoding of a text that does not tell it, found by its letters."""

    confidence: float  # 0 to 1
    readings: dict[str, str]  # by encoding, the one used first: words of the text as they read in it


class ReadPlan(Strict):
    """Everything a reader needs to read a table again and get the same rows.

    Most tables are files. Others are made: rows that stand for the files of a folder, the sentences of a
    corpus, the cells of a matrix. These have format "made", a folder or file as path, and name the block
    that makes the rows with its keywords.

    Row numbers count data rows after the header, from zero; they are the index of the frame that
    `mlzero.perception.tables.load_table` and the generated `load_train` return.
    """

    format: str  # "delimited", "excel", "parquet", "feather", "json", "jsonl", "arff", "made", ...
    maker: str = ""  # of a made table: the block called as maker(path, **options)
    options: dict[str, Any] = Field(default_factory=dict)
    compression: str | None = None
    encoding: str = "utf-8"
    separator: str = ","
    quote: str | None = '"'
    sheet: str | None = None
    skip_rows: int = 0  # physical lines (or sheet rows) above the header, or above the data if there is none
    has_header: bool = True
    names: list[str] | None = None  # final column names, in file order, when the file's own cannot be used as they are
    drop_columns: list[str] = Field(default_factory=list)  # wholly empty columns dropped after naming
    footer_rows: int = 0  # non-data rows at the end
    drop_blank_rows: bool = True
    drop_repeated_headers: bool = False
    missing_markers: list[str] = Field(default_factory=list)  # cell texts that mean "no value", beyond the empty cell
    text_columns: list[str] = Field(default_factory=list)  # look like numbers to a parser, must stay text


class ColumnProfile(Strict):
    """One column as read: its name, what it holds and how it must be converted."""

    name: str  # unique within the table; the only name used from here on
    source_name: str  # as written in the file
    kind: ColumnKind
    missing: int = 0
    unique: int = 0
    examples: list[str] = Field(default_factory=list)
    top: list[tuple[str, int]] = Field(default_factory=list)  # most frequent values as text, with counts
    missing_markers: list[str] = Field(default_factory=list)  # markers of this column only, such as 9999
    number: NumberFormat | None = None  # set when text cells must be converted to numbers
    strange: list[str] = Field(default_factory=list)  # of few numbers: cells that are none and count as missing
    date: DateFormat | None = None
    media: MediaFormat | None = None  # set when cells must be turned into paths
    mask: MaskFormat | None = None
    told: str | None = None  # the one value of every row, which the name of the file tells; not in the file
    integer: bool = False
    parts: int = 0  # numbers that a cell of a category holds in one pattern, such as 2 of `120/80`
    leading_zeros: bool = False  # digits that must stay text
    minimum: float | str | None = None
    maximum: float | str | None = None
    mean: float | None = None
    skew: float | None = None
    mean_words: float | None = None  # of text cells
    notes: list[str] = Field(default_factory=list)

    @property
    def holds(self) -> Literal["date", "number", "text"]:
        """What the cells are, however many different ones there are: a `kind` tells classes and names apart, too."""
        return "date" if self.kind == "date" else "number" if isinstance(self.minimum, float) else "text"


class TableProfile(Strict):
    """One table: a file, or one sheet of a workbook."""

    key: str  # "train.csv", or "book.xlsx#Sheet 1"
    path: str  # relative to the data folder, with forward slashes; "." for the data folder itself
    read: ReadPlan
    rows: int
    columns: list[ColumnProfile]
    duplicate_rows: int = 0
    encoding: EncodingGuess | None = None  # None where the file tells its encoding
    notes: list[str] = Field(default_factory=list)  # what was repaired, in plain words

    def column(self, name: str) -> ColumnProfile | None:
        return next((c for c in self.columns if c.name == name), None)

    @property
    def names(self) -> list[str]:
        return [c.name for c in self.columns]


class FileProfile(Strict):
    """One file of the upload."""

    path: str
    kind: FileKind
    bytes: int
    problem: str | None = None  # one sentence when the file could not be read


class DocumentProfile(Strict):
    """A file that people read: description, data dictionary, assignment."""

    path: str
    text: str  # at most the first 20,000 characters


class FolderFiles(Strict):
    """Files of numbers alike in folders side by side, each of which may be a class, or with classes in their names."""

    labels: list[str]  # names of the folders, or what differs in the names of files
    pattern: str = ""  # of the names of files, where these tell: a regular expression with the group `label`
    ending: str  # of the files
    columns: list[str]  # of each file
    measured: bool  # whether the files look like curves or points rather than like tables of cases
    as_tables: bool = False  # whether they are read as tables all the same
    confidence: float = 1.0  # in that or the other
    evidence: str = ""


class Profile(Strict):
    """The whole upload."""

    root: str
    files: list[FileProfile]
    tables: list[TableProfile] = Field(default_factory=list)
    documents: list[DocumentProfile] = Field(default_factory=list)
    encodings: dict[str, str] = Field(default_factory=dict)  # by path of a text file, as the user set them
    by_folder: FolderFiles | None = None  # files that are a row each, or could be
    notes: list[str] = Field(default_factory=list)
    seconds: float = 0.0

    def table(self, key: str) -> TableProfile | None:
        return next((t for t in self.tables if t.key == key), None)

    @property
    def problems(self) -> list[FileProfile]:
        return [f for f in self.files if f.problem]

    @property
    def unread(self) -> list[str]:
        """What cannot be read and why, a line a reason."""
        paths: dict[str, list[str]] = {}
        for file in self.problems:
            paths.setdefault(file.problem or "", []).append(file.path)
        return [
            f"{found[0]}{f' and {len(found) - 1:,} more' if len(found) > 1 else ''}: {problem}"
            for problem, found in paths.items()
        ]
