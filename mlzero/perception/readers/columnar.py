"""Parquet, Feather and ORC."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mlzero.perception import names
from mlzero.perception.profile import ReadPlan
from mlzero.perception.readers import Found

_FEATHER = (".feather", ".arrow", ".ipc")


class Columnar:
    formats: tuple[str, ...] = ("parquet", "feather", "orc")
    extensions: tuple[str, ...] = (".parquet", ".pq", ".orc", *_FEATHER)
    block = "read_columnar"

    def find(self, path: Path, encoding: str | None = None) -> list[Found]:
        from mlzero.semantic_memory.blocks.tables import read_columnar

        frame = read_columnar(path)
        written = list(frame.columns)
        final, notes = names.settle(written, len(written))
        ending = path.suffix.lower()
        kind = "feather" if ending in _FEATHER else "orc" if ending == ".orc" else "parquet"
        return [Found(ReadPlan(format=kind, names=None if final == written else final), final, written, notes)]

    def arguments(self, plan: ReadPlan) -> dict[str, Any]:
        return chosen(plan)


def chosen(plan: ReadPlan) -> dict[str, Any]:
    """Keywords that every block of typed cells knows, where they differ from the default."""
    given = plan.model_dump(include={"names", "drop_columns", "missing_markers"})
    return {key: value for key, value in given.items() if value}
