"""Sentences with a tag a word: files of words and tags, lists in JSON, tables with a word a row."""

from __future__ import annotations

import logging
import re
from collections import Counter
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from mlzero.errors import UserError
from mlzero.perception import goal as goals
from mlzero.perception import override
from mlzero.perception.answers import SAMPLE_FILE, asked_file
from mlzero.perception.columns import Hints, describe
from mlzero.perception.goal import Brief
from mlzero.perception.metric_words import named_in
from mlzero.perception.override import BY_USER, Overrides
from mlzero.perception.paths import ending_of
from mlzero.perception.profile import ColumnProfile, FileProfile, Profile, ReadPlan, TableProfile
from mlzero.perception.task import (
    FeaturePlan,
    FileRole,
    Inferred,
    Modality,
    OutputPlan,
    ProblemType,
    Role,
    RowSource,
    SplitPlan,
    Task,
)
from mlzero.perception.wording import fold, quote_list

if TYPE_CHECKING:
    import pandas as pd

log = logging.getLogger(__name__)

MAKER = "read_sentences"
TOKENS, TAGS = "tokens", "tags"
_LINES = (".conll", ".iob", ".iob2", ".bio", ".bioes", ".txt", ".tsv", ".csv", ".tags", ".ner", ".dat", "")
_TABLES = (".json", ".jsonl", ".ndjson", ".parquet", ".csv", ".tsv", ".txt", ".xlsx")
_ASKED = re.compile(r"(^|[\W_])(test|eval|predict|new|unlabel+ed|blind|score)", re.I)
_SPANS = re.compile(r"\[\s*(?:\[\s*\d+\s*,\s*\d+\s*,|\{[^}]*[\"'](?:start|begin)\w*[\"']\s*:)", re.I)
_FEWEST = 10  # sentences to learn from


class Entities:
    """See `Specialist`."""

    def tables(self, data_dir: Path, profile: Profile) -> list[TableProfile]:
        files = [f for f in profile.files if f.problem is None or ending_of(f.path) in (".json", ".jsonl")]
        tagged = [
            table for file in files if _may_be_tagged(file, profile, data_dir) and (table := _made(data_dir, file))
        ]
        tagged = [table for table in tagged if table.column(TAGS)]
        if not tagged:
            return []
        known = {table.path for table in tagged}
        plain = [
            table for file in files
            if file.path not in known and _may_be_asked(file, profile) and (table := _made(data_dir, file))
        ]  # fmt: skip
        made = {table.path for table in [*tagged, *plain]}
        profile.tables[:] = [table for table in profile.tables if table.path not in made]
        profile.documents[:] = [document for document in profile.documents if document.path not in made]
        for file in profile.files:
            if file.path in made:
                file.kind, file.problem = "table", None
        return [*tagged, *plain]

    def task(self, data_dir: Path, profile: Profile, brief: Brief, given: Overrides) -> Task | None:
        tables = [table for table in profile.tables if table.read.maker == MAKER]
        if not tables or given.targets not in (None, [TAGS]) or given.problem_type not in (None, "ner"):
            return None
        train, test = _roles(tables, brief)
        if not train:
            raise UserError("No file has tags to learn from.", "Add sentences whose words have tags.")
        if sum(table.rows for table in train) < _FEWEST:
            raise UserError(
                f"Only {sum(table.rows for table in train)} sentences have tags.", "Add more sentences with tags."
            )
        labels = _labels(data_dir, train)
        kinds = sorted({tag[2:] if tag[1:2] in ("-", "_") else tag for tag in labels} - {"O"})
        if not kinds:
            raise UserError("No word of the tagged sentences belongs to an entity.", "Add sentences with entities.")
        identifier = _id(test or train, given)
        sources = " and ".join(f"{table.rows:,} sentences of {_name(table)}" for table in train)
        return Task(
            goal=brief.goal,
            modality=Inferred[Modality](value="text", confidence=0.97, evidence="The data is sentences."),
            problem_type=Inferred[ProblemType](
                value="ner", confidence=0.97,
                evidence=f"Every word of {sources} has a tag, for entities of {len(kinds)} kinds: {quote_list(kinds, 8)}.",
            ),
            target=Inferred[str | list[str] | None](
                value=TAGS, confidence=0.97, evidence="The tags tell which words name something, and what."
            ),
            metric=_metric(brief, given),
            id=identifier,
            files=Inferred[list[FileRole]](
                value=_files(profile, train, test), confidence=0.9, evidence=_files_evidence(train, test)
            ),
            split=_split(sum(table.rows for table in train), given),
            output=_output(profile, brief, identifier.value),
            labels=labels,
            train=[RowSource(table=table.key) for table in train],
            test=[RowSource(table=table.key) for table in test],
            features=_features(train[0], test, identifier.value),
            overridden=given.fields,
        )  # fmt: skip


def _may_be_tagged(file: FileProfile, profile: Profile, data_dir: Path) -> bool:
    """Whether a file shows tags at first sight."""
    from mlzero.semantic_memory.blocks.sentences import are_tags, decoded, word_list
    from mlzero.semantic_memory.blocks.spans import span_columns

    if file.kind in ("image", "audio"):
        return False
    ending = ending_of(file.path)
    tables = [table for table in profile.tables if table.path == file.path]
    if ending in _TABLES and any(
        span_columns(table.names) or any(map(_holds_spans, table.columns)) for table in tables
    ):
        return True
    for column in (column for table in tables for column in table.columns):
        shown = [text for text, _ in column.top] or column.examples
        if are_tags(shown) or are_tags([tag for text in shown for tag in word_list(text)]):
            return ending in _LINES or ending in _TABLES
    if file.kind not in ("text", "document", "other") or ending not in _LINES:
        return False
    lines = [line for line in decoded(data_dir / file.path, 100_000).splitlines()[:-1] if line.strip()]
    cells = [re.split(r"[\s,;|]+", line.strip()) for line in lines if not line.startswith(("#", "-DOCSTART-"))]
    narrow = sum(1 < len(row) <= 6 for row in cells)
    return bool(cells) and narrow >= 0.95 * len(cells) and are_tags([row[-1] for row in cells], plain=ending != ".txt")


def _holds_spans(column: ColumnProfile) -> bool:
    """Whether cells begin as lists of places do; what a profile shows of them may be cut."""
    shown = [text for text, _ in column.top] or column.examples
    return any(map(_SPANS.match, shown))


def _may_be_asked(file: FileProfile, profile: Profile) -> bool:
    """Whether a file without tags may hold sentences to predict."""
    path = PurePosixPath(file.path)
    if SAMPLE_FILE.search(path.name):
        return False
    if any(table.path == file.path for table in profile.tables):
        return path.suffix.lower() in _TABLES
    return path.suffix.lower() in _LINES and (file.kind == "text" or bool(_ASKED.search(path.name)))


def _made(data_dir: Path, file: FileProfile) -> TableProfile | None:
    """The table of the sentences of a file; None when it holds none."""
    from mlzero.semantic_memory.blocks.sentences import read_sentences, sentence_form

    try:
        form, names = sentence_form(data_dir / file.path)
        options: dict[str, Any] = {"form": form, **names}
        frame = read_sentences(data_dir / file.path, **options)
    except Exception as error:  # whatever a reader says of a file that is something else
        log.info("no sentences in %s", file.path, exc_info=error)
        return None
    if frame.empty:
        return None
    hints = Hints()
    columns = [describe(str(name), str(name), frame[name], hints) for name in frame]
    for column in columns:
        if column.name in (TOKENS, TAGS):
            column.kind = "tokens" if column.name == TOKENS else "tags"
            column.number = column.date = None
            column.top = [] if column.name == TOKENS else _tag_counts(frame[TAGS])
    return TableProfile(
        key=file.path,
        path=file.path,
        read=ReadPlan(format="made", maker=MAKER, options=options),
        rows=len(frame),
        columns=columns,
        duplicate_rows=int(frame.duplicated().sum()),
        notes=["One row a sentence."],
    )


def _tag_counts(tags: pd.Series) -> list[tuple[str, int]]:
    return Counter(tag for text in tags for tag in str(text).split(" ")).most_common(60)


def _roles(tables: list[TableProfile], brief: Brief) -> tuple[list[TableProfile], list[TableProfile]]:
    """Tables to learn from and tables to predict."""
    tagged = [table for table in tables if (c := table.column(TAGS)) and any(tag != "O" for tag, _ in c.top)]
    test = [table for table in tables if table not in tagged]
    if not test and len(tagged) > 1:
        test = [table for table in tagged if _ASKED.search(PurePosixPath(table.path).name)]
        test = test if len(test) < len(tagged) else []
    if len(test) > 1:
        named = [t for t in test if fold(PurePosixPath(t.path).name) in fold(brief.said)]
        named = named or [t for t in test if _ASKED.search(PurePosixPath(t.path).name)]
        test = named[:1] or test[:1]
    return [table for table in tagged if table not in test], test


def _labels(data_dir: Path, train: list[TableProfile]) -> list[str]:
    from mlzero.perception.tables import load_table

    counts = Counter[str]()
    for table in train:
        counts.update(tag for text in load_table(data_dir, table)[TAGS] for tag in str(text).split(" "))
    return [tag for tag, _ in counts.most_common()]


def _metric(brief: Brief, given: Overrides) -> Inferred[str]:
    if chosen := override.metric_of(given, "ner"):
        return chosen
    for asked in named_in(brief.said):
        value = "token_accuracy" if asked.metric in ("accuracy", "token_accuracy") else "entity_f1"
        return Inferred[str](
            value=value, confidence=0.9, evidence=f'The goal asks for it: "{asked.words}".',
            alternatives=["entity_f1" if value != "entity_f1" else "token_accuracy"],
        )  # fmt: skip
    return Inferred[str](
        value="entity_f1", confidence=0.85, evidence="Entities are usually judged by F1 over whole entities.",
        alternatives=["token_accuracy"],
    )  # fmt: skip


def _id(tables: list[TableProfile], given: Overrides) -> Inferred[str | None]:
    table = tables[0]
    if given.id_set:
        return Inferred[str | None](value=given.id, evidence=BY_USER)
    unique = [c for c in table.columns if c.name not in (TOKENS, TAGS) and c.unique == table.rows and not c.missing]
    named = [c.name for c in unique if goals.named_as_id(c.name)] + [c.name for c in unique if c.kind != "text"]
    if not named:
        return Inferred[str | None](value=None, confidence=0.8, evidence="No column names the sentences.")
    return Inferred[str | None](
        value=named[0], confidence=0.95, evidence=f'"{named[0]}" is different for every sentence.'
    )


def _split(rows: int, given: Overrides) -> Inferred[SplitPlan]:
    plan = SplitPlan(kind="random", fraction=0.3 if rows < 500 else 0.25 if rows < 1000 else 0.2)
    if given.split and given.split.kind in ("random", "stratified"):
        return Inferred[SplitPlan](value=plan.model_copy(update={"fraction": given.split.fraction}), evidence=BY_USER)
    return Inferred[SplitPlan](value=plan, confidence=0.85, evidence="Whole sentences by chance.")


def _output(profile: Profile, brief: Brief, identifier: str | None) -> Inferred[OutputPlan]:
    name, ending = asked_file(profile, brief)
    plan = OutputPlan(file_name=name, format=ending)
    samples = [t for t in profile.tables if SAMPLE_FILE.search(PurePosixPath(t.path).name) and len(t.columns) >= 2]
    if samples:
        plan.sample, plan.columns = samples[0].key, samples[0].names[:2]
        return Inferred[OutputPlan](value=plan, confidence=0.95, evidence=f"Columns as in {samples[0].key}.")
    asked = goals.asked_names(brief.said)
    if len(asked) == 2:
        plan.columns = asked
        return Inferred[OutputPlan](value=plan, confidence=0.9, evidence="Columns as the goal asks for.")
    plan.columns = [identifier or "id", TAGS]
    return Inferred[OutputPlan](
        value=plan, confidence=0.8, evidence="One line a sentence; the tags of its words stand with blanks between."
    )


def _features(table: TableProfile, test: list[TableProfile], identifier: str | None) -> list[FeaturePlan]:
    others = dict.fromkeys(c.name for t in [table, *test] for c in t.columns if c.name not in (TOKENS, TAGS))
    reason = "It names the sentence." if identifier else ""
    return [
        FeaturePlan(name=TOKENS, treat_as="tokens"),
        *(
            FeaturePlan(name=n, treat_as="text", drop=reason if n == identifier else "Only the words are used.")
            for n in others
        ),
    ]


def _files(profile: Profile, train: list[TableProfile], test: list[TableProfile]) -> list[FileRole]:
    def role(table: TableProfile) -> Role:
        return "train" if table in train else "test" if table in test else "ignored"

    found = [FileRole(path=table.key, role=role(table)) for table in profile.tables]
    with_tables = {table.path for table in profile.tables}
    described = {document.path for document in profile.documents}
    return found + [
        FileRole(path=file.path, role="description" if file.path in described else "ignored")
        for file in profile.files
        if file.path not in with_tables
    ]


def _files_evidence(train: list[TableProfile], test: list[TableProfile]) -> str:
    learnt = quote_list([_name(table) for table in train], 4)
    return f"The sentences of {learnt} have tags" + (f"; those of {_name(test[0])} are to be tagged." if test else ".")


def _name(table: TableProfile) -> str:
    return PurePosixPath(table.path).name
