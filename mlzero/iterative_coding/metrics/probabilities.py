"""Metrics of probabilities."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from mlzero.iterative_coding.metrics.arrays import ranks
from mlzero.iterative_coding.metrics.registry import MULTILABEL, SINGLE, SMALL, Answers, metric


def area(real: np.ndarray, chance: np.ndarray) -> float:
    """Area under the ROC curve by ranks, ties counting half; nan when only one class occurs."""
    yes = int(real.sum())
    no = len(real) - yes
    if not yes or not no:
        return float("nan")
    return float((ranks(chance)[real].sum() - yes * (yes + 1) / 2) / (yes * no))


def _chances(a: Answers) -> np.ndarray:
    assert a.probability is not None
    return a.probability


def _over_labels(a: Answers, one: Callable[[np.ndarray, np.ndarray], float]) -> float:
    """Two labels: for the one that counts as yes. More: the mean of each against the rest."""
    chances = _chances(a)
    if a.positive is not None:
        return one(a.truth == a.positive, chances[:, a.positive])
    values = [one(a.truth == c, chances[:, c]) for c in range(len(a.labels)) if np.any(a.truth == c)]
    values = [v for v in values if np.isfinite(v)]
    return float(np.mean(values)) if values else float("nan")


@metric(
    "roc_auc",
    "ROC AUC",
    "Chance that a yes row gets a higher probability than a no row.",
    "probability",
    SINGLE | MULTILABEL,
)
def roc_auc(a: Answers) -> float:
    return _over_labels(a, area)


@metric(
    "roc_auc_ovr",
    "ROC AUC (each against the rest)",
    "ROC AUC of each class against all others, averaged.",
    "probability",
    SINGLE,
)
def roc_auc_ovr(a: Answers) -> float:
    return _over_labels(a, area)


@metric("roc_auc_ovo", "ROC AUC (pairs)", "ROC AUC of each pair of classes, averaged.", "probability", SINGLE)
def roc_auc_ovo(a: Answers) -> float:
    chances, values = _chances(a), []
    present = np.unique(a.truth)
    for i, first in enumerate(present):
        for second in present[i + 1 :]:
            rows = (a.truth == first) | (a.truth == second)
            truth = a.truth[rows]
            values += [area(truth == c, chances[rows, c]) for c in (first, second)]
    return float(np.mean(values)) if values else float("nan")


def _precision_area(real: np.ndarray, chance: np.ndarray) -> float:
    """Mean precision over the real yes rows, from the highest probability down."""
    if not real.any():
        return float("nan")
    order = np.argsort(-chance, kind="stable")
    hits = np.cumsum(real[order])
    last = np.append(np.diff(chance[order]) != 0, True)  # only where the probability changes
    found = hits[last]
    share = found / (np.flatnonzero(last) + 1)
    return float(np.sum(np.diff(found, prepend=0) * share) / real.sum())


@metric(
    "average_precision",
    "average precision",
    "Precision averaged over all thresholds.",
    "probability",
    SINGLE | MULTILABEL,
)
def average_precision(a: Answers) -> float:
    return _over_labels(a, _precision_area)


@metric(
    "log_loss",
    "log loss",
    "How surprised the probabilities are by the truth.",
    "probability",
    SINGLE | MULTILABEL,
    lower=True,
)
def log_loss(a: Answers) -> float:
    chances = np.clip(_chances(a), SMALL, 1 - SMALL)
    chances = chances / chances.sum(axis=1, keepdims=True)
    return float(-np.mean(np.log(chances[np.arange(len(chances)), a.truth])))


@metric(
    "brier",
    "Brier score",
    "Mean squared distance of the probability of yes from the truth.",
    "probability",
    SINGLE | MULTILABEL,
    lower=True,
)
def brier(a: Answers) -> float:
    chances = _chances(a)
    if a.positive is not None:
        return float(np.mean((chances[:, a.positive] - (a.truth == a.positive)) ** 2))
    return float(np.mean(np.sum((chances - np.eye(len(a.labels))[a.truth]) ** 2, axis=1)))
