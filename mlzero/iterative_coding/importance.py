"""Which columns matter: how much worse the score gets when a column is shuffled (permutation importance, Breiman 2001)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mlzero.iterative_coding import metrics

if TYPE_CHECKING:
    import pandas as pd

    from mlzero.perception.task import Task

MOST_COLUMNS = 40
MOST_ROWS = 400  # of the holdout
MOST_CELLS = 12_000  # rows predicted in all, for each costs time
SEED = 7


@dataclass(frozen=True)
class Shuffled:
    """The holdout again and again, each time with one column shuffled, stacked into one frame to predict."""

    columns: list[str]
    positions: np.ndarray  # of the rows used, in the holdout
    rows: pd.DataFrame


def shuffled(rows: pd.DataFrame, task: Task) -> Shuffled | None:
    """The frame to predict, or None when there is nothing to compare."""
    import pandas as pd

    if task.problem_type.value not in (*metrics.SINGLE, *metrics.NUMBERS, *metrics.MULTILABEL):
        return None
    columns = [feature.name for feature in task.used_features if feature.name in rows]
    if not 2 <= len(columns) <= MOST_COLUMNS or len(rows) < 20:
        return None
    dice = np.random.default_rng(SEED)
    size = min(len(rows), MOST_ROWS, MOST_CELLS // len(columns))
    positions = np.sort(dice.permutation(len(rows))[:size])
    sample = rows.iloc[positions].reset_index(drop=True)
    blocks = [sample.assign(**{name: sample[name].to_numpy()[dice.permutation(size)]}) for name in columns]
    return Shuffled(columns, positions, pd.concat(blocks, ignore_index=True))


def importance(
    asked: Shuffled, task: Task, truth: pd.DataFrame, predicted: pd.DataFrame, answers: pd.DataFrame
) -> list[dict[str, float | str]]:
    """Columns with the loss in score, the one that matters most first.

    Parameters
    ----------
    truth, predicted
        Targets and predictions of the holdout.
    answers
        Predictions for `asked.rows`, in their order.
    """
    metric = metrics.get(task.metric.value)
    truth = truth.iloc[asked.positions]
    whole = metrics.score(metric.name, task, truth, predicted.iloc[asked.positions])
    size = len(truth)
    found: list[dict[str, float | str]] = []
    for place, name in enumerate(asked.columns):
        without = metrics.score(metric.name, task, truth, answers.iloc[place * size : (place + 1) * size])
        loss = (whole - without) if metric.higher_is_better else (without - whole)
        if np.isfinite(loss):
            found.append({"column": name, "loss": float(loss)})
    return sorted(found, key=lambda entry: -float(entry["loss"]))
