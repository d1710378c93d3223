"""Series as the Monash repository keeps them: one line a series, its attributes before its values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mlzero.perception import names
from mlzero.perception.profile import ReadPlan
from mlzero.perception.readers import Found, NotATable
from mlzero.perception.readers.columnar import chosen


class Tsf:
    formats: tuple[str, ...] = ("tsf",)
    extensions: tuple[str, ...] = (".tsf",)
    block = "read_tsf"

    def find(self, path: Path, encoding: str | None = None) -> list[Found]:
        from mlzero.semantic_memory.blocks.series_files import read_tsf

        try:
            written = list(read_tsf(path, nrows=5).columns)
        except ValueError as error:
            raise NotATable(str(error)) from error
        final, notes = names.settle(written, len(written))
        plan = ReadPlan(format="tsf", names=None if final == written else final)
        return [Found(plan, final, written, notes)]

    def arguments(self, plan: ReadPlan) -> dict[str, Any]:
        return chosen(plan)
