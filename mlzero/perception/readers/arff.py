"""ARFF, as Weka and OpenML write it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mlzero.perception import names, sniff
from mlzero.perception.profile import ReadPlan
from mlzero.perception.readers import Found
from mlzero.perception.readers.columnar import chosen


class Arff:
    formats: tuple[str, ...] = ("arff",)
    extensions: tuple[str, ...] = (".arff",)
    block = "read_arff"

    def find(self, path: Path, encoding: str | None = None) -> list[Found]:
        from mlzero.semantic_memory.blocks.tables import read_arff

        _, encoding, _ = sniff.read_head(path, encoding=encoding)
        written = list(read_arff(path, encoding=encoding, nrows=5).columns)
        final, notes = names.settle(written, len(written))
        plan = ReadPlan(format="arff", encoding=encoding, names=None if final == written else final)
        return [Found(plan, final, written, notes)]

    def arguments(self, plan: ReadPlan) -> dict[str, Any]:
        given = chosen(plan)
        if plan.encoding != "utf-8":
            given["encoding"] = plan.encoding
        if plan.text_columns:
            given["text_columns"] = plan.text_columns
        return given
