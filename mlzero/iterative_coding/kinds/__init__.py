"""How each kind of problem is measured. To add one, write a module with a `Measure` and list it here."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from mlzero.iterative_coding.contract import Check
    from mlzero.perception.task import Task


class Measure(Protocol):
    """Everything the harness does on its own side for a problem type.

    Frames are as the contract has them; cells of file columns are paths relative to `data_dir`, the upload.
    Predicted masks and images are PNG bytes.
    """

    def split(self, frame: pd.DataFrame, task: Task) -> np.ndarray | None:
        """Positions of the holdout rows, or None for the task's SplitPlan."""

    def check(
        self, predicted: pd.DataFrame, rows: pd.DataFrame, task: Task, known: list[str], where: str
    ) -> list[Check]:
        """Whether predictions fit the rows."""

    def score(
        self, metric: str, task: Task, data_dir: Path, rows: pd.DataFrame, truth: pd.DataFrame, predicted: pd.DataFrame
    ) -> float:
        """The metric on the holdout."""

    def naive(
        self, metric: str, task: Task, data_dir: Path, train: pd.DataFrame, rows: pd.DataFrame, truth: pd.DataFrame
    ) -> tuple[float, str]:
        """Score of the naive guess on the holdout, and the guess in words, learnt from `train` (with targets)."""

    def evaluate(
        self,
        task: Task,
        data_dir: Path,
        train: pd.DataFrame,
        rows: pd.DataFrame,
        truth: pd.DataFrame,
        predicted: pd.DataFrame,
        folder: Path,
    ) -> None:
        """Write data files for the page and the report about the scored attempt into `folder`.

        `train` holds the rows it learnt from, with targets; `rows`, `truth` and `predicted` are the holdout.
        """


_MODULES: dict[str, str] = {  # problem type -> module here, with an object MEASURE
    "segmentation": "segmentation",
    "detection": "detection",
    "image_to_image": "restoration",
    "ner": "entities",
    "retrieval": "ranking",
    "forecasting": "forecasting",
    "sequence_to_sequence": "rewriting",
}
_DEFAULT = "tables"


def measure_of(problem_type: str) -> Measure:
    """The measure for a problem type."""
    module: Any = importlib.import_module(f"{__name__}.{_MODULES.get(problem_type, _DEFAULT)}")
    measure: Measure = module.MEASURE
    return measure
