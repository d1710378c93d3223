"""Whether predictions fit the rows they are for: a check a sentence, a failed one makes the attempt invalid."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from mlzero.iterative_coding import labels as label_tools
from mlzero.iterative_coding import metrics
from mlzero.iterative_coding.contract import Check
from mlzero.perception.task import CLASSES

if TYPE_CHECKING:
    import pandas as pd

    from mlzero.perception.task import Task

ROUNDING = 0.02  # by which the probabilities of a row may miss one


def contract_checks(
    predicted: pd.DataFrame, rows: pd.DataFrame, task: Task, known: list[str], where: str
) -> list[Check]:
    """Whether there is a prediction a row, and whether its values are such as the target can have.

    Parameters
    ----------
    predicted
        What `predict` returned.
    rows
        The rows it was given.
    known
        Class labels that occur in the labelled rows, as text; empty for numbers.
    where
        "holdout" or "test", for the sentences.
    """
    checks = shape_checks(predicted, rows, task, where)
    if all(c.passed for c in checks):
        checks += _values(predicted, task, known, where)
    return checks


def shape_checks(predicted: pd.DataFrame, rows: pd.DataFrame, task: Task, where: str) -> list[Check]:
    """Whether there is one prediction a row, under the row's index, with a column a target."""
    return list(_shape(predicted, rows, task, where))


def gaps_check(predicted: pd.DataFrame, task: Task, where: str) -> Check:
    """Whether every target is filled in every row."""
    empty = int(predicted[task.targets].isna().any(axis=1).sum())
    told = f"{empty:,} predictions are missing." if empty else "No prediction is missing."
    return Check(f"{where}: no gaps", empty == 0, told)


def _shape(predicted: pd.DataFrame, rows: pd.DataFrame, task: Task, where: str) -> Iterator[Check]:
    yield Check(
        f"{where}: row count",
        len(predicted) == len(rows),
        f"{len(predicted):,} predictions for {len(rows):,} rows.",
    )
    unknown = rows.index.difference(predicted.index)
    right = len(unknown) == 0 and predicted.index.is_unique
    yield Check(
        f"{where}: row index", right,
        "Every row has its prediction." if right else f"{max(len(unknown), 1):,} {where} rows have no prediction of their own: "
        "predict must return the index of the rows it was given.",
    )  # fmt: skip
    missing = [t for t in task.targets if t not in predicted.columns]
    yield Check(
        f"{where}: columns", not missing,
        f"The predictions lack the column {missing[0]!r}." if missing else "Every target has its column.",
    )  # fmt: skip


def _values(predicted: pd.DataFrame, task: Task, known: list[str], where: str) -> Iterator[Check]:
    gaps = gaps_check(predicted, task, where)
    yield gaps
    if not gaps.passed:
        return
    values = predicted[task.targets]
    if task.problem_type.value in CLASSES:
        yield from _label_domain(predicted, task, known, where)
        return
    for target in task.targets if task.problem_type.value != "multilabel" else []:
        finite = _finite(values[target])
        if finite is not None:
            odd = int((~finite).sum())
            yield Check(f"{where}: finite", odd == 0, f"{odd:,} predictions of {target!r} are not finite numbers." if odd else "All predictions are finite numbers.")  # fmt: skip


def _finite(column: pd.Series) -> np.ndarray | None:
    """Which values are finite numbers; None for a column that holds labels."""
    try:
        return np.isfinite(column.to_numpy(dtype=float, na_value=np.nan))
    except (ValueError, TypeError):
        return None


def _label_domain(predicted: pd.DataFrame, task: Task, known: list[str], where: str) -> Iterator[Check]:
    target = task.targets[0]
    said = {t for t in set(label_tools.texts(predicted[target])) if t is not None}
    foreign = sorted(said - set(known))
    yield Check(
        f"{where}: labels", not foreign,
        f"{foreign[0]!r} is predicted but is no label of {target!r}." if foreign else "Only labels that occur in the data are predicted.",
    )  # fmt: skip
    chances = label_tools.probabilities(predicted, known)
    if chances is None:
        needed = metrics.get(task.metric.value).needs == "probability" or task.output.value.value == "probability"
        yield Check(
            f"{where}: probabilities",
            not needed,
            "There are no probabilities." + (" They are needed here." if needed else ""),
        )
        return
    sums = chances.sum(axis=1)
    good = bool(np.isfinite(chances).all() and chances.min() >= -1e-6 and chances.max() <= 1 + 1e-6)
    yield Check(f"{where}: probabilities", good, "All probabilities lie between 0 and 1." if good else "Some probabilities are missing or not between 0 and 1.")  # fmt: skip
    if good:
        off = float(np.abs(sums - 1).max())
        exact = off < ROUNDING
        told = "every row add up to one." if exact else f"some rows add up to one only within {off:.2g}."
        yield Check(f"{where}: probabilities add up", exact, f"The probabilities of {told}", fatal=False)
