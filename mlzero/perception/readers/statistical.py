"""SPSS, Stata and SAS."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mlzero.perception import names
from mlzero.perception.profile import ReadPlan
from mlzero.perception.readers import Found, NotATable
from mlzero.perception.readers.columnar import chosen


class Statistical:
    formats: tuple[str, ...] = ("statistical",)
    extensions: tuple[str, ...] = (".sav", ".zsav", ".por", ".dta", ".sas7bdat", ".xpt")
    block = "read_statistical"

    def find(self, path: Path, encoding: str | None = None) -> list[Found]:
        from mlzero.semantic_memory.blocks.statistical import read_statistical

        written, labels = _about(path)
        if not written:
            raise NotATable("The file holds no columns.")
        frame = read_statistical(path)
        labelled = [name for name, known in labels.items() if set(frame[name].dropna().unique()) <= set(known)]
        final, notes = names.settle(written, len(written))
        plan = ReadPlan(
            format="statistical",
            names=None if final == written else final,
            options={"labelled": labelled} if labelled else {},
        )
        if labelled:
            notes.append(f"Codes of {len(labelled)} columns were replaced by the labels that the file has for them.")
        return [Found(plan, final, written, notes)]

    def arguments(self, plan: ReadPlan) -> dict[str, Any]:
        return {**chosen(plan), **plan.options}


def _about(path: Path) -> tuple[list[str], dict[str, dict[Any, str]]]:
    """Column names, and by column what its codes mean."""
    import pyreadstat

    readers: dict[str, Any] = {".dta": pyreadstat.read_dta, ".sas7bdat": pyreadstat.read_sas7bdat, ".xpt": pyreadstat.read_xport, ".por": pyreadstat.read_por}  # fmt: skip
    _, about = readers.get(path.suffix.lower(), pyreadstat.read_sav)(str(path), metadataonly=True)
    return [str(name).strip() for name in about.column_names], about.variable_value_labels
