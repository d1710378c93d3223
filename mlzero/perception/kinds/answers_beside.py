"""Answers in a table of their own, such as `y_train.csv` beside `X_train.csv`: the rows get them."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path, PurePosixPath

from mlzero.perception import vocabulary
from mlzero.perception.goal import Brief
from mlzero.perception.kinds.folders import says
from mlzero.perception.override import Overrides
from mlzero.perception.profile import Profile, ReadPlan, TableProfile
from mlzero.perception.readers import reader_of
from mlzero.perception.roles import label_of
from mlzero.perception.task import Task
from mlzero.perception.wording import words_of
from mlzero.semantic_memory.blocks.answers import rows_with_answers

MAKER = "rows_with_answers"
_FORMATS = ("delimited", "excel")
_MOST = 3  # columns of answers
_NO_ANSWER = ("constant", "empty", "identifier")


class AnswersBeside:
    """See `Specialist`."""

    def tables(self, data_dir: Path, profile: Profile) -> list[TableProfile]:
        made, used = [], set[str]()
        tables = [table for table in profile.tables if table.read.format in _FORMATS]
        tables = [table for table in tables if not _says(table, vocabulary.SAMPLE_NAMES)]
        narrow = [table for table in tables if len(table.columns) <= _MOST + 2]
        for answers in sorted(narrow, key=lambda t: (not _says(t, vocabulary.ANSWER_FILES), len(t.columns))):
            fitting = [rows for rows in tables if not used & {rows.key, answers.key} and _belong(answers, rows)]
            for rows in sorted(fitting, key=lambda table: -len(_words(table) & _words(answers))):
                if joined := _joined(data_dir, rows, answers):
                    made.append(joined)
                    used |= {rows.key, answers.key}
                    break
        profile.tables[:] = [table for table in profile.tables if table.key not in used]
        return made

    def task(self, data_dir: Path, profile: Profile, brief: Brief, given: Overrides) -> Task | None:
        """None: once there are tables, the task is one of tables."""
        return None


def _name(table: TableProfile) -> str:
    return table.key.partition("#")[2] or PurePosixPath(table.path).stem


def _says(table: TableProfile, words: str) -> bool:
    return _name_says(_name(table), words)


@lru_cache(maxsize=4096)
def _name_says(name: str, words: str) -> bool:
    return says(name, words)


def _words(table: TableProfile) -> set[str]:
    return set(words_of(_name(table).replace("_", " ")))


def _answers_in(answers: TableProfile, rows: TableProfile) -> list[str]:
    return [c.name for c in answers.columns if c.name not in rows.names and c.kind not in _NO_ANSWER]


def _belong(answers: TableProfile, rows: TableProfile) -> bool:
    """Whether one table may hold the answers of the other: little besides a key, and names that agree.

    It has as many rows; answers by their name and with a key may be fewer, and the other rows are open.
    """
    if answers is rows or answers.rows > rows.rows or len(answers.columns) > len(rows.columns):
        return False
    shared = [column for column in answers.columns if column.name in rows.names]
    if len(shared) > 1 or (answers.rows < rows.rows and not shared):
        return False
    named = _says(answers, vocabulary.ANSWER_FILES) and not _says(rows, vocabulary.ANSWER_FILES)
    test = {_says(table, vocabulary.TEST_NAMES) for table in (answers, rows)}
    if len(test) > 1 or not 1 <= len(_answers_in(answers, rows)) <= _MOST:
        return False
    if answers.rows < rows.rows and not named:
        return False
    if not shared:
        return named
    key = rows.column(shared[0].name)
    assert key is not None
    return key.unique == rows.rows and shared[0].unique == answers.rows and key.kind not in ("text", "date")


def _joined(data_dir: Path, rows: TableProfile, answers: TableProfile) -> TableProfile | None:
    """The rows with their answers; None when some answers have no row."""
    columns = _answers_in(answers, rows)
    key = next((column.name for column in answers.columns if column.name in rows.names), "")
    beside = Path(os.path.relpath(data_dir / answers.path, (data_dir / rows.path).parent)).as_posix()
    written = reader_of(rows.read).arguments(rows.read)
    options = {
        "answers": beside,
        "wanted": columns,
        "on": key,
        "how": reader_of(answers.read).arguments(answers.read),
    } | written
    frame = rows_with_answers(data_dir / rows.path, **options)
    own = [column for column in answers.columns if column.name in columns]
    if any(frame[c.name].notna().sum() != answers.rows - c.missing for c in own if not c.missing_markers):
        return None
    open_rows = rows.rows - answers.rows
    own = [column.model_copy(update={"missing": column.missing + open_rows}) for column in own]
    how = f'by "{key}"' if key else "row by row"
    return rows.model_copy(
        update={
            "read": ReadPlan(format="made", maker=MAKER, options=options), "columns": [*rows.columns, *own],
            "notes": [*rows.notes, *answers.notes, f"The answers are those of {label_of(answers)}, {how}."],
        }
    )  # fmt: skip
