"""How each kind of problem is measured. To add one, write a module with a `Measure` and list it here."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from mlzero.iterative_coding.checks import contract_checks
from mlzero.iterative_coding.contract import Check

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from mlzero.perception.task import Task


@dataclass(frozen=True)
class Case:
    """What there is to measure. Frames are as the contract has them; cells of file columns are paths in `data_dir`."""

    task: Task
    data_dir: Path  # the upload
    train: pd.DataFrame  # the rows it learnt from, with targets
    rows: pd.DataFrame  # the holdout without its targets
    truth: pd.DataFrame  # the targets of the holdout
    predicted: pd.DataFrame  # for the holdout, in the order of `rows`; masks and images are PNG bytes

    @property
    def target(self) -> str:
        """The first target, for problem types that have one."""
        return self.task.targets[0]


class Measure(Protocol):
    """Everything the harness does on its own side for a problem type. To be inherited from."""

    def split(self, frame: pd.DataFrame, task: Task) -> np.ndarray | None:
        """Positions of the holdout rows in a frame with targets, or None for the task's SplitPlan."""
        return None

    def check(
        self, predicted: pd.DataFrame, rows: pd.DataFrame, task: Task, known: list[str], where: str
    ) -> list[Check]:
        """Whether predictions fit the rows; `known` and `where` as in `contract_checks`."""
        return contract_checks(predicted, rows, task, known, where)

    def score(self, metric: str, case: Case) -> float:
        """The metric on the holdout."""
        ...

    def naive(self, metric: str, case: Case) -> tuple[float, str]:
        """Score of the naive guess on the holdout, and the guess in words, learnt from the training rows."""
        ...

    def evaluate(self, case: Case, folder: Path) -> None:
        """Write data files for the page and the report about the scored attempt into `folder`."""
        ...


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
