"""Classes and numbers: one answer a row, in a column a target."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mlzero.iterative_coding import baseline, evaluators, metrics
from mlzero.iterative_coding.checks import contract_checks
from mlzero.iterative_coding.contract import Check

if TYPE_CHECKING:
    import pandas as pd

    from mlzero.perception.task import Task


class Tables:
    """See `Measure`."""

    def split(self, frame: pd.DataFrame, task: Task) -> None:
        return None

    def check(
        self, predicted: pd.DataFrame, rows: pd.DataFrame, task: Task, known: list[str], where: str
    ) -> list[Check]:
        return contract_checks(predicted, rows, task, known, where)

    def score(
        self, metric: str, task: Task, data_dir: Path, rows: pd.DataFrame, truth: pd.DataFrame, predicted: pd.DataFrame
    ) -> float:
        return metrics.score(metric, task, truth, predicted)

    def naive(
        self, metric: str, task: Task, data_dir: Path, train: pd.DataFrame, rows: pd.DataFrame, truth: pd.DataFrame
    ) -> tuple[float, str]:
        return baseline.naive(metric, task, train[task.targets], truth)

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
        evaluators.write_all(folder, task, rows, truth, predicted)


MEASURE = Tables()
