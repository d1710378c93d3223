"""A metric of predictions against the truth: per target, or of all targets together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mlzero.errors import UserError
from mlzero.iterative_coding import labels as label_tools
from mlzero.iterative_coding.metrics.registry import SINGLE, TOGETHER, Answers, Metric, get

if TYPE_CHECKING:
    import pandas as pd

    from mlzero.perception.task import Task


def score(name: str, task: Task, truth: pd.DataFrame, predicted: pd.DataFrame) -> float:
    """The metric of predictions against the truth.

    Parameters
    ----------
    name
        The metric.
    task
        Names targets, labels and problem type.
    truth, predicted
        One row a row in the same order; predictions as `predict` of the solution contract returns them.

    Raises UserError when the metric cannot be computed from what there is.
    """
    metric = get(name)
    return mean_of(metric, [answers(task, metric, truth, predicted, group) for group in groups(task, metric)])


def mean_of(metric: Metric, parts: list[Answers]) -> float:
    """The mean over parts for which the metric is defined (a target with one class only has no ROC AUC)."""
    values = [value for value in map(metric.function, parts) if np.isfinite(value)]
    return float(np.mean(values)) if values else float("nan")


def groups(task: Task, metric: Metric) -> list[list[str]]:
    """The targets that are measured together."""
    together = task.problem_type.value == "multilabel" and metric.name in TOGETHER
    return [task.targets] if together else [[target] for target in task.targets]


def answers(task: Task, metric: Metric, truth: pd.DataFrame, predicted: pd.DataFrame, group: list[str]) -> Answers:
    """Truth and predictions of a group of targets, ready for the metric's function."""
    positive = task.positive_label.value
    if task.problem_type.value == "multilabel":
        real = np.column_stack([label_tools.is_yes(truth[t], positive) for t in group]).astype(int)
        said = np.column_stack([label_tools.is_yes(predicted[t], positive) for t in group]).astype(int)
        columns = [f"{label_tools.PREFIX}{t}" for t in group]
        chances = predicted[columns].to_numpy(float) if all(c in predicted for c in columns) else None
        if len(group) > 1:
            return Answers(real, said, chances, tuple(group))
        both = None if chances is None else np.column_stack([1 - chances[:, 0], chances[:, 0]])
        return Answers(real[:, 0], said[:, 0], _needed(metric, both), ("0", "1"), 1)
    (target,) = group
    if metric.needs == "number" or (task.problem_type.value not in SINGLE and _numeric(truth[target])):
        return Answers(_floats(truth[target]), _floats(predicted[target]))
    labels = label_tools.domain(task.labels if len(task.targets) == 1 else [], truth[target])
    chances = label_tools.probabilities(predicted, labels) if len(task.targets) == 1 else None
    place = labels.index(label_tools.positive_of(labels, positive)) if len(labels) == 2 else None
    return Answers(
        label_tools.codes(truth[target], labels), label_tools.codes(predicted[target], labels),
        _needed(metric, chances), tuple(labels), place, tuple(task.order.value),
    )  # fmt: skip


def _needed(metric: Metric, chances: np.ndarray | None) -> np.ndarray | None:
    if chances is None and metric.needs == "probability":
        raise UserError(f"{metric.text} needs probabilities, and the predictions hold none.", "Choose another metric.")
    return chances


def _numeric(column: pd.Series) -> bool:
    import pandas as pd

    return pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)


def _floats(column: pd.Series) -> np.ndarray:
    import pandas as pd

    try:
        return pd.to_numeric(column).to_numpy(dtype=float, na_value=np.nan)
    except (ValueError, TypeError) as error:
        raise UserError(
            f'"{column.name}" does not hold numbers, which the metric needs.', "Choose another metric."
        ) from error
