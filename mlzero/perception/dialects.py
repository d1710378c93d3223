"""How a CSV file of answers is written: as the sample of the answer is, as the goal asks, or as the user's own tables."""

from __future__ import annotations

import re
from collections import Counter

from mlzero.perception.profile import Profile, TableProfile
from mlzero.perception.task import Dialect, Task

NAMES = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars"}
_FILE = r"(?:csv|file|table|datei|tabelle)"
_ASKED = {
    ",": re.compile(r"\bcomma[- ]separated|separated (?:by|with) commas?\b|\bkomma-?getrennt|\bdurch kommas? getrennt", re.I),
    ";": re.compile(
        rf"{_FILE}\b[^.;]{{0,40}}\b(?:semicolons?|semikolons?|strichpunkte?n?)\b|"
        rf"\b(?:semicolon|semikolon)[- ]?(?:separated|delimited|getrennte?[nrs]?)\s+{_FILE}\b", re.I,
    ),
}  # fmt: skip
_MARKS = {
    ".": re.compile(r"\bdecimal points?\b|\bdezimalpunkt", re.I),
    ",": re.compile(r"\bdecimal commas?\b|\bdezimalkomma|\bcoma decimal\b|\bvirgule décimale\b", re.I),
}
_DOTTED = re.compile(r"%[de]\.%[mb]\.%[yY]")  # days of countries that write decimal commas


def settle(task: Task, profile: Profile) -> None:
    """Set the dialect of the answers, and say so, where it is not that of plain commas and decimal points."""
    plan = task.output.value
    if plan.format != "csv":
        return
    rows = [table for source in [*task.train, *task.test] if (table := profile.table(source.table))]
    sample = profile.table(plan.sample) if plan.sample else None
    asked = _asked(task.goal, plan.columns) if task.label_set is None else ("", "")  # whose marks part labels, too
    if sample is not None:
        found, like = _of_sample(sample, rows), "like the sample"
    elif any(asked):
        found, like = _of_goal(asked, rows), "as the goal asks"
    else:
        found, like = (
            of_tables(rows),
            "like your files" if len({table.path for table in rows}) > 1 else "like your file",
        )
    if found is None:
        return
    marks = " and decimal commas" if found.decimal == "," else ""
    how = f"written {like}: {NAMES[found.separator]}{marks}."
    evidence = f"{task.output.evidence.rstrip('.')}; {how}"
    task.output = task.output.model_copy(
        update={"value": plan.model_copy(update={"dialect": found}), "evidence": evidence}
    )
    task.notes.append(f"Predictions are {how}")


def of_tables(tables: list[TableProfile]) -> Dialect | None:
    """The dialect of the tables to learn from and to predict; None unless all are written with semicolons."""
    if not tables or not all(_separator(table) == ";" for table in tables):
        return None
    return Dialect(separator=";", decimal=_decimal(tables) or ".", mark=_marked(tables))


def _of_sample(sample: TableProfile, rows: list[TableProfile]) -> Dialect | None:
    """The dialect of the sample of the answer, its decimal mark that of the rows where it shows none."""
    separator = _separator(sample)
    if separator not in NAMES:
        return None
    if separator == ",":
        return Dialect(mark=True) if sample.read.encoding == "utf-8-sig" else None
    decimal = _decimal([sample]) or _decimal(rows) or "."
    return Dialect(separator=separator, decimal=decimal, mark=_marked([sample]))


def _of_goal(asked: tuple[str, str], rows: list[TableProfile]) -> Dialect | None:
    """The dialect in the words of the goal; what it leaves open is as in the rows."""
    own = of_tables(rows) or Dialect()
    separator = asked[0] or (";" if asked[1] == "," else own.separator)
    decimal = asked[1] or (own.decimal if separator == own.separator else ".")
    if separator == "," and decimal == ".":
        return None
    return Dialect(separator=separator, decimal=decimal, mark=own.mark)


def _asked(goal: str, columns: list[str]) -> tuple[str, str]:
    """Separator and decimal mark that a goal asks for, in words or by a header such as `id;price`; empty where it does not."""
    for mark in NAMES:
        if len(columns) > 1 and re.search(rf"(?<!\w){re.escape(mark.join(columns[:2]))}(?!\w)", goal, re.I):
            return mark, _named(_MARKS, goal)
    return _named(_ASKED, goal), _named(_MARKS, goal)


def _named(words: dict[str, re.Pattern[str]], goal: str) -> str:
    found = [mark for mark, pattern in words.items() if pattern.search(goal)]
    return found[0] if len(found) == 1 else ""


def _separator(table: TableProfile) -> str:
    """Of a text table; empty for other formats."""
    return table.read.separator if table.read.format == "delimited" else ""


def _decimal(tables: list[TableProfile]) -> str:
    """The decimal mark of most columns that show one, or that of countries where days are written with dots."""
    marks: Counter[str] = Counter()
    for column in (column for table in tables for column in table.columns):
        if column.number is not None and column.number.decimal == ",":
            marks[","] += 1
        elif isinstance(column.minimum, float) and not column.integer:
            marks["."] += 1
    if not marks:
        dotted = any(c.date and _DOTTED.match(c.date.pattern) for table in tables for c in table.columns)
        return "," if dotted else ""
    return marks.most_common(1)[0][0]


def _marked(tables: list[TableProfile]) -> bool:
    """Whether the file begins with a byte order mark: as the tables do, or where they are in an encoding before Unicode."""
    return any(table.read.encoding != "utf-8" for table in tables)
