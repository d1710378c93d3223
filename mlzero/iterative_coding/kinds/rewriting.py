"""A text for a text, measured letter by letter or as a whole."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mlzero.iterative_coding import evaluators
from mlzero.iterative_coding.kinds import Case, Measure

if TYPE_CHECKING:
    import pandas as pd

    from mlzero.perception.task import Task

EXAMPLES = 20


class Rewriting(Measure):
    """See `Measure`."""

    def score(self, metric: str, case: Case) -> float:
        real, said = _texts(case.truth, case.task), _texts(case.predicted.loc[case.truth.index], case.task)
        return float(np.mean(_each(metric, real, said)))

    def naive(self, metric: str, case: Case) -> tuple[float, str]:
        copied = case.rows[case.task.used_features[0].name].fillna("").astype(str).tolist()
        return float(np.mean(_each(metric, _texts(case.truth, case.task), copied))), "copies the text as it is"

    def evaluate(self, case: Case, folder: Path) -> None:
        real, said = _texts(case.truth, case.task), _texts(case.predicted.loc[case.truth.index], case.task)
        off = 1 - np.array(_each("chrf", real, said))
        worst = [int(i) for i in np.argsort(-off, kind="stable")[:EXAMPLES] if off[i] > 0]
        examples = [evaluators.missed(case.rows, i, real[i], said[i], off[i]) for i in worst]
        evaluators.write(folder, "worst_examples", {"examples": examples})


def chrf(real: str, said: str) -> float:
    """Overlap of pieces of one to six letters, recall counting twice (Popovic 2015), 0 to 1; blanks do not count."""
    real, said = "".join(real.split()), "".join(said.split())
    if real == said:
        return 1.0
    values = []
    for length in range(1, 7):
        a, b = (Counter(text[i : i + length] for i in range(len(text) - length + 1)) for text in (real, said))
        if not a or not b:
            break
        shared = (a & b).total()
        precision, recall = shared / b.total(), shared / a.total()
        values.append(5 * precision * recall / (4 * precision + recall) if shared else 0.0)
    return float(np.mean(values)) if values else 0.0


def _each(metric: str, real: list[str], said: list[str]) -> list[float]:
    if metric == "chrf":
        return [chrf(a, b) for a, b in zip(real, said, strict=True)]
    return [float(a.strip() == b.strip()) for a, b in zip(real, said, strict=True)]


def _texts(frame: pd.DataFrame, task: Task) -> list[str]:
    return frame[task.targets[0]].fillna("").astype(str).tolist()


MEASURE = Rewriting()
