"""Names for tables of texts without a header: those of a table beside, else what the columns hold."""

from __future__ import annotations

import re

from mlzero.perception.profile import ColumnProfile, TableProfile

_MOST = 6  # columns of a table whose content says what it is
_GIVEN = re.compile(r"col_\d+")  # a name that stands for none
_CONTENT = {"text": "text", "category": "label", "boolean": "label", "number": "score", "identifier": "id"}


def name_columns(tables: list[TableProfile]) -> None:
    """Give columns of texts without a header names, so that a later table with names can be matched."""
    named = [table for table in tables if not _bare(table)]
    for table in tables:
        texts = [column for column in table.columns if column.kind == "text"]
        if not _bare(table) or not texts or len(table.columns) > _MOST:
            continue
        beside = next((found for other in named if len(found := _texts_of(other)) == len(texts)), [])
        new = dict(zip([column.name for column in texts], [column.name for column in beside], strict=False))
        rest = [column for column in table.columns if column.name not in new]
        new |= _by_content(rest, taken={*new.values(), *(n for other in named if beside for n in other.names)})
        _rename(table, new)
        table.notes = [note for note in table.notes if "no header row" not in note]
        table.notes.append(
            "The file has no header row; its texts are called as in the table beside it."
            if beside
            else "The file has no header row; its columns are called by what they hold."
        )


def _bare(table: TableProfile) -> bool:
    return not table.read.has_header and all(_GIVEN.fullmatch(name) for name in table.names)


def _texts_of(table: TableProfile) -> list[ColumnProfile]:
    """The texts of a table that is about as narrow."""
    return [c for c in table.columns if c.kind == "text"] if len(table.columns) <= _MOST else []


def _by_content(columns: list[ColumnProfile], taken: set[str]) -> dict[str, str]:
    """`text`, `label`, `score` and `id`, numbered when there are several."""
    found: dict[str, str] = {}
    for column in columns:
        word = _CONTENT.get(column.kind)
        alike = [c.name for c in columns if _CONTENT.get(c.kind) == word]
        name = f"{word}_{alike.index(column.name) + 1}" if len(alike) > 1 else word
        if word and name and name not in taken:
            found[column.name] = name
    return found


def _rename(table: TableProfile, new: dict[str, str]) -> None:
    plan = table.read
    plan.names = [new.get(name, name) for name in plan.names or table.names]
    plan.text_columns = [new.get(name, name) for name in plan.text_columns]
    for column in table.columns:
        column.name = new.get(column.name, column.name)
