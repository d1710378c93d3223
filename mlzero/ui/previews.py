"""The first rows of a table on disk, cheap enough for a page: nothing is parsed beyond them."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from mlzero.iterative_coding.evaluators import rounded

ROWS = 10
JSON_LIMIT = 5_000_000  # bytes; larger JSON documents are not opened for a preview

_Reader = Callable[[Path, int], list[dict[str, Any]]]


@dataclass(frozen=True)
class Preview:
    """Rows as records of texts, long numbers rounded, and a sentence on how many are shown."""

    rows: list[dict[str, Any]]
    note: str


def head(path: Path, count: int = ROWS, separator: str = ",") -> Preview | None:
    """The first `count` rows of a csv, tsv, json or jsonl file; None for other or unreadable files.

    Parameters
    ----------
    separator
        Of a csv file.
    """
    delimited: _Reader = partial(_delimited, separator="\t" if path.suffix.lower() == ".tsv" else separator)
    readers: dict[str, _Reader] = {
        ".csv": delimited,
        ".tsv": delimited,
        ".txt": delimited,
        ".jsonl": _lines,
        ".json": _document,
    }
    reader = readers.get(path.suffix.lower())
    if reader is None or not path.is_file():
        return None
    try:
        rows = reader(path, count + 1)
    except (UnicodeDecodeError, csv.Error, ValueError):
        return None
    shown = [{str(k): rounded(_cell(v)) for k, v in row.items()} for row in rows[:count]]
    return Preview(
        shown, f"The first {count} rows; the file has more." if len(rows) > count else f"All rows: {len(shown)}."
    )


def separator_of(output: dict[str, Any]) -> str:
    """What parts the columns of a csv file of answers, by a `OutputPlan` as JSON-able data."""
    return str((output.get("dialect") or {}).get("separator", ","))


def _delimited(path: Path, count: int, separator: str) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(islice(csv.DictReader(file, delimiter=separator), count))


def _lines(path: Path, count: int) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        return [_record(json.loads(line)) for line in islice(file, count) if line.strip()]


def _document(path: Path, count: int) -> list[dict[str, Any]]:
    if path.stat().st_size > JSON_LIMIT:
        return []
    content = json.loads(path.read_text(encoding="utf-8"))
    entries = content if isinstance(content, list) else [content]
    return [_record(entry) for entry in entries[:count]]


def _record(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {"value": value}


def _cell(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)
