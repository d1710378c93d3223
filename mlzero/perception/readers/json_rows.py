"""JSON and JSON lines: a list of records, columns of values, or lists of records under names."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mlzero.perception import names, sniff
from mlzero.perception.profile import ReadPlan
from mlzero.perception.readers import Found, NotATable
from mlzero.perception.readers.columnar import chosen

_DEEPEST = 3  # objects within objects that are looked through


class Json:
    formats: tuple[str, ...] = ("json", "jsonl")
    extensions: tuple[str, ...] = (".json", ".jsonl", ".ndjson", ".geojson")
    block = "read_json_rows"

    def find(self, path: Path, encoding: str | None = None) -> list[Found]:
        with sniff.open_bytes(path) as file:
            data = file.read()
        encoding = encoding or sniff.encoding_of(data, True)
        text = data.decode(encoding).lstrip("\ufeff").strip()
        kind = "json"
        try:
            content = json.loads(text)
        except json.JSONDecodeError:
            content = [json.loads(line) for line in text.splitlines() if line.strip()]
            kind = "jsonl"
        keys = _keys(content)
        if not keys:
            raise NotATable("The file holds no list of records.")
        return [self._found(path, kind, encoding, key) for key in keys]

    def _found(self, path: Path, kind: str, encoding: str, key: str | None) -> Found:
        from mlzero.semantic_memory.blocks.tables import read_json_rows

        plan = ReadPlan(format=kind, encoding=encoding, sheet=key)
        written = list(read_json_rows(path, **self.arguments(plan)).columns)
        final, notes = names.settle(written, len(written))
        return Found(plan.model_copy(update={"names": None if final == written else final}), final, written, notes)

    def arguments(self, plan: ReadPlan) -> dict[str, Any]:
        given = chosen(plan)
        if plan.sheet is not None:
            given["key"] = plan.sheet
        if plan.encoding != "utf-8":
            given["encoding"] = plan.encoding
        return given


def _keys(content: object) -> list[str | None]:
    """Where tables stand in the content; None is the whole content."""
    from mlzero.semantic_memory.blocks.tables import rows_by_name

    if isinstance(content, list):
        return [None] if content and all(isinstance(row, (dict, list)) for row in content[:1000]) else []
    if not isinstance(content, dict):
        return []
    if rows_by_name(content):
        return [None]
    columns = [value for value in content.values() if isinstance(value, (list, dict))]
    plain = [
        column for column in columns if not any(isinstance(cell, (dict, list)) for cell in list(_cells(column))[:50])
    ]
    if columns and len(plain) == len(content) and len({len(column) for column in columns}) == 1 and len(columns[0]) > 1:
        return [None]
    return list(_below(content, ""))


def _below(content: dict[str, Any], path: str) -> Iterator[str]:
    """Paths of the lists of records in an object, names with dots between."""
    from mlzero.semantic_memory.blocks.tables import rows_by_name

    for key, value in content.items():
        if isinstance(value, list) and value and all(isinstance(row, dict) for row in value[:50]):
            yield f"{path}{key}"
        elif isinstance(value, dict) and path.count(".") < _DEEPEST:
            yield from [f"{path}{key}"] if rows_by_name(value) else _below(value, f"{path}{key}.")


def _cells(column: list[Any] | dict[str, Any]) -> list[Any]:
    return list(column.values()) if isinstance(column, dict) else column
