"""Classes and numbers: one answer a row, in a column a target."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mlzero.iterative_coding import baseline, evaluators, metrics
from mlzero.iterative_coding.kinds import Case, Measure

if TYPE_CHECKING:
    pass


class Tables(Measure):
    """See `Measure`."""

    def score(self, metric: str, case: Case) -> float:
        return metrics.score(metric, case.task, case.truth, case.predicted)

    def naive(self, metric: str, case: Case) -> tuple[float, str]:
        return baseline.naive(metric, case.task, case.train[case.task.targets], case.truth)

    def evaluate(self, case: Case, folder: Path) -> None:
        evaluators.write_all(folder, case.task, case.rows, case.truth, case.predicted)


MEASURE = Tables()
