"""What only the user can tell about reading: the encoding of a text, the order of day and month, what files are rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from mlzero.errors import UserError
from mlzero.perception import encodings, override, scan
from mlzero.perception import goal as goals
from mlzero.perception.columns import adopt_order
from mlzero.perception.kinds.number_rows import decided, wish_of
from mlzero.perception.override import DATES, ENCODING, closest
from mlzero.perception.profile import ColumnProfile, Profile, TableProfile
from mlzero.perception.task import Question, Task
from mlzero.perception.wording import fold, quote_list

DAY_FIRST, MONTH_FIRST = "day first", "month first"
_ABOUT_FILES = ("row_files", "problem_type", "horizon", "frequency")  # corrections that tell what a file is
_SURE = 0.9  # confidence from which an encoding is not asked about


def decoded(found: Profile, data_dir: Path, given: Mapping[str, str]) -> Profile:
    """The scan of an upload, made again where the user set other encodings.

    Parameters
    ----------
    given
        Corrections; of interest are `encoding:FILE`, and `encoding` for every text that does not tell its encoding.

    Raises
    ------
    UserError
        When there is no such file or encoding, or the file cannot be read in it.
    """
    wanted: dict[str, str] = {}
    for key, value in given.items():
        name, _, path = key.partition(":")
        if name == ENCODING:
            encoding = value.partition(":")[0].strip().lower()
            if not encodings.is_text_encoding(encoding):
                raise UserError(
                    f'"{value}" is no encoding of texts.', "Set one such as utf-8, cp1252, cp1250 or gb18030."
                )
            wanted |= dict.fromkeys([_text_file(found, path)] if path else _unsure_files(found), encoding)
    if wanted == found.encodings:
        return found
    again = scan.profile(data_dir, wanted, found.by_folder.as_tables if found.by_folder else None)
    for path, encoding in wanted.items():
        if not any(table.path == path for table in again.tables):
            raise UserError(f"{path} is no table when it is read as {encoding}.", "Choose another encoding.")
    return again


def settled(found: Profile, data_dir: Path, goal: str, given: Mapping[str, str]) -> Profile:
    """The scan, made again where files of numbers in folders are read as what they are not by the goal.

    Parameters
    ----------
    given
        Corrections; of interest are `row_files`, with "none" for tables whose rows are the cases, and those that are about
        columns of the files or their steps.
    """
    if found.by_folder is None:
        return found
    corrections = override.read({key: given[key] for key in _ABOUT_FILES if key in given}, found)
    corrections.targets = [name.strip(" \"'") for name in given.get("target", "").split(",")]
    folders = decided(found.by_folder, goals.read(goal, found).said, wish_of(found.by_folder, corrections))
    same = folders.as_tables == found.by_folder.as_tables
    again = found if same else scan.profile(data_dir, found.encodings, folders.as_tables)
    return again.model_copy(update={"by_folder": folders})


def dated(found: Profile, given: Mapping[str, str]) -> Profile:
    """The profile with dates read day first or month first as the user set it: `dates`, or `dates:COLUMN` for one.

    Raises
    ------
    UserError
        When there is no such column of dates, or it can only be read the other way.
    """
    orders = {key.partition(":")[2]: _order(value) for key, value in given.items() if key.partition(":")[0] == DATES}
    if not orders:
        return found
    found = found.model_copy(deep=True)
    columns = [column for table in found.tables for column in table.columns if column.date]
    names = list(dict.fromkeys(column.name for column in columns))
    unknown = [name for name in orders if name and name not in names]
    if unknown:
        shown = f"The columns of dates are: {quote_list(names, 30)}." if names else "Remove the correction."
        raise UserError(f'There is no column of dates called "{unknown[0]}".{closest(unknown[0], names)}', shown)
    if "" in orders and not any(map(_is_open, columns)):
        raise UserError("In no column of dates can day and month be exchanged.", "Remove the correction.")
    for column in columns:
        if column.name in orders:
            _adopt(column, orders[column.name])
        elif "" in orders and _is_open(column):
            _adopt(column, orders[""])
    return found


def ask(task: Task, profile: Profile, answered: Iterable[str]) -> None:
    """Add questions, and notes on what is assumed, about the reading of tables that a task uses.

    Parameters
    ----------
    answered
        Keys of the user's corrections.
    """
    keys = {source.table for source in (*task.train, *task.test)} | {plan.table for plan in task.joins}
    tables = [table for table in profile.tables if table.key in keys]
    said = set(answered)
    left_out = {feature.name for feature in task.features if feature.drop}
    questions = [*_about_dates(tables, left_out), *(q for table in tables if (q := _about_encoding(table)))]
    for question in {question.field: question for question in questions}.values():
        if question.field not in said and question.field.partition(":")[0] not in said:
            task.questions.append(question)
            task.notes.append(f"Assumed until you say otherwise: {question.text} {question.default}.")


def _about_dates(tables: list[TableProfile], left_out: set[str]) -> list[Question]:
    """At most one question, for all columns in use whose dates can be read both ways."""
    every = {column.name: column for table in tables for column in table.columns if _is_open(column)}
    found = {name: column for name, column in every.items() if name not in left_out}
    if not found:
        return []
    first = next(iter(found.values()))
    assert first.date is not None
    shown = next((text for text in first.examples if _tells(text)), first.examples[0] if first.examples else "")
    others = f" (and in {quote_list(list(found)[1:], 2)})" if len(found) > 1 else ""
    return [
        Question(
            field=DATES, text=f'Does a date such as {shown} in "{first.name}"{others} begin with the day or the month?',
            options=[DAY_FIRST, MONTH_FIRST], default=DAY_FIRST if first.date.day_first else MONTH_FIRST,
        )
    ]  # fmt: skip


def _about_encoding(table: TableProfile) -> Question | None:
    guess = table.encoding
    if guess is None or guess.confidence >= _SURE or len(guess.readings) < 2:
        return None
    options = [f"{name}: {words}" for name, words in guess.readings.items()]
    return Question(
        field=f"{ENCODING}:{table.path}", text=f"How should the letters of {table.path} read?", options=options,
        default=options[0],
    )  # fmt: skip


def _tells(text: str) -> bool:
    """Whether exchanging day and month makes another date: 03/04 does, 04/04 does not."""
    parts = text.replace("-", "/").replace(".", "/").split("/")
    return len(parts) > 2 and parts[0].strip().lstrip("0") != parts[1].lstrip("0")


def _is_open(column: ColumnProfile) -> bool:
    return column.date is not None and column.date.ambiguous


def _order(value: str) -> bool:
    """Whether an answer puts the day first."""
    said = fold(value).replace("_", " ").replace("-", " ")
    if said in (DAY_FIRST, "day", "dmy"):
        return True
    if said in (MONTH_FIRST, "month", "mdy"):
        return False
    raise UserError(f'"{value}" is no order of day and month.', f'Set "{DAY_FIRST}" or "{MONTH_FIRST}".')


def _adopt(column: ColumnProfile, day_first: bool) -> None:
    assert column.date is not None
    if column.date.ambiguous:
        adopt_order(column, day_first=day_first)
    elif column.date.day_first != day_first:
        order = DAY_FIRST if day_first else MONTH_FIRST
        raise UserError(
            f'"{column.name}" cannot be read {order}: its dates can be read in one way only.', "Remove the correction."
        )


def _text_file(found: Profile, path: str) -> str:
    """The file of a text table that is meant: by its path, or by its name when only one is called so."""
    paths = list(dict.fromkeys(table.path for table in found.tables if table.read.format in scan.ENCODED))
    fitting = [p for p in paths if p == path] or [p for p in paths if p.rpartition("/")[2] == path.strip()]
    if len(fitting) != 1:
        raise UserError(
            f'There is no text table "{path}".{closest(path, paths)}', f"The text tables are: {quote_list(paths, 30)}."
        )
    return fitting[0]


def _unsure_files(found: Profile) -> list[str]:
    """Text tables whose encoding was guessed, or all when none was."""
    texts = [table for table in found.tables if table.read.format in scan.ENCODED]
    paths = list(dict.fromkeys(t.path for t in texts if t.encoding)) or list(dict.fromkeys(t.path for t in texts))
    if not paths:
        raise UserError("There is no text table whose encoding could be set.", "Remove the correction.")
    return paths
