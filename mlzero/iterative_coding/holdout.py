"""The holdout of a run on disk: made once, then the same rows for every attempt."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mlzero.iterative_coding import labels as label_tools
from mlzero.iterative_coding import split

if TYPE_CHECKING:
    import pandas as pd

    from mlzero.perception.task import Task


class Holdout:
    """Row numbers and true targets of the rows no attempt may see.

    Attributes
    ----------
    truth
        Targets of the holdout rows, indexed by row number; set by `take_or_make`.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.truth: pd.DataFrame
        self.note = ""  # a sentence when the split could not be made as planned

    @property
    def exists(self) -> bool:
        return (self._folder / "split.json").exists()

    def take_or_make(self, frame: pd.DataFrame, task: Task) -> str | None:
        """Read the split, or make it from this frame.

        Returns
        -------
        A sentence when the frame lacks rows of the holdout or changed their targets, else None.
        """
        if not self.exists:
            self._make(frame, task)
            return None
        import pandas as pd

        description = json.loads((self._folder / "split.json").read_text(encoding="utf-8"))
        self.truth, self.note = pd.read_parquet(self._folder / "truth.parquet"), description["note"]
        missing = self.truth.index.difference(frame.index)
        if len(missing):
            return f"load_train left out {len(missing):,} of the {len(self.truth):,} rows that are kept for the score."
        there = frame.loc[self.truth.index]
        changed = np.zeros(len(there), dtype=bool)
        for target in self.truth.columns:
            changed |= ~_same(self.truth[target], there[target])
        if changed.any():
            return f"load_train changed the target of {int(changed.sum()):,} of the {len(self.truth):,} rows that are kept for the score."
        return None

    def _make(self, frame: pd.DataFrame, task: Task) -> None:
        chosen = split.make(frame, task)
        self.truth = frame.iloc[chosen.holdout][task.targets].copy()
        self.note = chosen.note
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(parents=True)
        self.truth.to_parquet(self._folder / "truth.parquet")
        description = {
            "kind": chosen.kind, "note": chosen.note, "seed": split.SEED, "rows": len(frame), "holdout_rows": len(self.truth),
            "holdout": self.truth.index.tolist(),
        }  # fmt: skip
        (self._folder / "split.json").write_text(json.dumps(description, default=str), encoding="utf-8")


def _same(first: pd.Series, second: pd.Series) -> np.ndarray:
    """Row by row: the same label, or numbers that differ by no more than rounding."""
    import pandas as pd

    if pd.api.types.is_numeric_dtype(first) and pd.api.types.is_numeric_dtype(second):
        a, b = (column.to_numpy(dtype=float, na_value=np.nan) for column in (first, second))
        return np.isclose(a, b, rtol=1e-9, atol=1e-12, equal_nan=True)
    return label_tools.texts(first) == label_tools.texts(second)
