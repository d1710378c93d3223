"""One reader a format. A new format is one module here with a `Reader`, and one block that reads its rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from mlzero.perception.profile import ReadPlan


class NotATable(Exception):
    """The file has no rows and columns; it may still be a document. The text says why, in one sentence."""


@dataclass
class Found:
    """A table found in a file, before its columns are looked at."""

    plan: ReadPlan
    names: list[str]  # final, in file order
    written: list[str]  # as they stand in the file; empty when there is no header
    notes: list[str] = field(default_factory=list)


class Reader(Protocol):
    """Finds the tables of a file and says how to read them again."""

    formats: tuple[str, ...]  # values of ReadPlan.format it is responsible for
    extensions: tuple[str, ...]  # lower case, with the dot
    block: str  # name of the function in mlzero.semantic_memory.blocks that reads the rows

    def find(self, path: Path, encoding: str | None = None) -> list[Found]:
        """Every table of the file; raises NotATable, or the library's error when the file is broken.

        Parameters
        ----------
        encoding
            Of a text whose encoding is known; formats that tell theirs pass it over.
        """

    def arguments(self, plan: ReadPlan) -> dict[str, Any]:
        """Keywords of the block for this plan."""


@cache
def readers() -> list[Reader]:
    from mlzero.perception.readers import (
        arff,
        columnar,
        databases,
        delimited,
        excel,
        json_rows,
        markup,
        series_files,
        statistical,
    )

    return [
        excel.Excel(), columnar.Columnar(), json_rows.Json(), arff.Arff(), statistical.Statistical(), databases.Sqlite(),
        markup.Html(), markup.Xml(), series_files.Tsf(), delimited.Delimited(),
    ]  # fmt: skip


def reader_of(plan: ReadPlan) -> Reader:
    """The reader responsible for a plan."""
    return next(reader for reader in readers() if plan.format in reader.formats)


def reader_for(path: Path) -> Reader | None:
    """The reader for a file's name, seeing through endings such as `.gz`."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    while suffixes and suffixes[-1] in (".gz", ".bz2", ".xz", ".zst"):
        suffixes.pop()
    ending = suffixes[-1] if suffixes else ""
    return next((reader for reader in readers() if ending in reader.extensions), None)
