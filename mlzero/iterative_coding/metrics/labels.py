"""Metrics of labels."""

from __future__ import annotations

import numpy as np

from mlzero.iterative_coding.labels import in_order
from mlzero.iterative_coding.metrics.arrays import ratio
from mlzero.iterative_coding.metrics.registry import MULTILABEL, NUMBERS, SINGLE, Answers, metric


@metric("accuracy", "accuracy", "Share of rows that are right.", "label", SINGLE | MULTILABEL, together=True)
def accuracy(a: Answers) -> float:
    right = a.truth == a.predicted
    return float(np.mean(right.all(axis=1) if right.ndim == 2 else right))


@metric(
    "balanced_accuracy", "balanced accuracy", "Share of right rows, every class counting the same.", "label", SINGLE
)
def balanced_accuracy(a: Answers) -> float:
    return float(np.mean([np.mean(a.predicted[a.truth == c] == c) for c in np.unique(a.truth)]))


def _counts(a: Answers, places: list[int] | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """True positives, rows said, rows real: one number a label."""
    if a.truth.ndim == 2:
        return (a.truth & a.predicted).sum(0), a.predicted.sum(0), a.truth.sum(0)
    present = places or sorted(set(np.unique(a.truth)) | (set(np.unique(a.predicted)) - {-1}))
    hit = np.array([np.sum((a.truth == c) & (a.predicted == c)) for c in present])
    said = np.array([np.sum(a.predicted == c) for c in present])
    real = np.array([np.sum(a.truth == c) for c in present])
    return hit, said, real


def _yes(a: Answers) -> list[int] | None:
    """The label that a two-class metric looks at; None: all of them."""
    return [a.positive] if a.positive is not None else None


@metric("f1", "F1", "Balance of precision and recall for the rows that count as yes.", "label", SINGLE | MULTILABEL)
def f1(a: Answers) -> float:
    hit, said, real = _counts(a, _yes(a))
    return float(np.mean(ratio(2.0 * hit, said + real)))


@metric(
    "f1_macro",
    "macro F1",
    "F1 averaged over the classes, each counting the same.",
    "label",
    SINGLE | MULTILABEL,
    together=True,
)
def f1_macro(a: Answers) -> float:
    hit, said, real = _counts(a)
    return float(np.mean(ratio(2.0 * hit, said + real)))


@metric(
    "f1_micro",
    "micro F1",
    "F1 over all labels of all rows taken together.",
    "label",
    SINGLE | MULTILABEL,
    together=True,
)
def f1_micro(a: Answers) -> float:
    if a.truth.ndim == 1:
        return accuracy(a)
    hit, said, real = _counts(a)
    return float(ratio(2.0 * hit.sum(keepdims=True), (said + real).sum(keepdims=True))[0])


@metric(
    "f1_weighted",
    "weighted F1",
    "F1 averaged over the classes by how often they occur.",
    "label",
    SINGLE | MULTILABEL,
    together=True,
)
def f1_weighted(a: Answers) -> float:
    hit, said, real = _counts(a)
    return float(np.average(ratio(2.0 * hit, said + real), weights=real)) if real.sum() else 0.0


@metric("f1_samples", "F1 per row", "F1 of the labels of each row, averaged.", "label", MULTILABEL, together=True)
def f1_samples(a: Answers) -> float:
    return float(np.mean(ratio(2.0 * (a.truth & a.predicted).sum(1), a.truth.sum(1) + a.predicted.sum(1))))


@metric("precision", "precision", "Share of the rows said to be yes that really are.", "label", SINGLE | MULTILABEL)
def precision(a: Answers) -> float:
    hit, said, _ = _counts(a, _yes(a))
    return float(np.mean(ratio(1.0 * hit, said)))


@metric("recall", "recall", "Share of the real yes rows that were found.", "label", SINGLE | MULTILABEL)
def recall(a: Answers) -> float:
    hit, _, real = _counts(a, _yes(a))
    return float(np.mean(ratio(1.0 * hit, real)))


@metric("mcc", "Matthews correlation", "Agreement beyond chance, from -1 to 1.", "label", SINGLE)
def mcc(a: Answers) -> float:
    table = _confusion(a)
    right, total = np.trace(table), table.sum()
    said, real = table.sum(0), table.sum(1)
    above = right * total - said @ real
    below = np.sqrt(total**2 - said @ said) * np.sqrt(total**2 - real @ real)
    return float(above / below) if below else 0.0


@metric(
    "quadratic_kappa", "quadratic kappa", "Agreement of graded labels; far misses cost more.", "label", SINGLE | NUMBERS
)
def quadratic_kappa(a: Answers) -> float:
    if not a.labels:  # numbers: rounded to the grades that occur
        low, high = int(a.truth.min()), int(a.truth.max())
        truth = a.truth.round().astype(int) - low
        predicted = np.clip(a.predicted.round(), low, high).astype(int) - low
        table = np.zeros((high - low + 1,) * 2)
        np.add.at(table, (truth, predicted), 1)
    else:
        order = [a.labels.index(label) for label in in_order(a.labels, a.grades)]
        table = _confusion(a)[np.ix_(order, order)]
    n = len(table)
    weights = (np.arange(n)[:, None] - np.arange(n)) ** 2.0
    chance = np.outer(table.sum(1), table.sum(0)) / max(table.sum(), 1)
    below = (weights * chance).sum()
    return float(1 - (weights * table).sum() / below) if below else 0.0


def _confusion(a: Answers) -> np.ndarray:
    """Rows: real label; columns: predicted label. Rows without a known prediction are left out."""
    table = np.zeros((len(a.labels),) * 2)
    known = a.predicted >= 0
    np.add.at(table, (a.truth[known], a.predicted[known]), 1)
    return table


@metric(
    "hamming",
    "wrong labels",
    "Share of all labels of all rows that are wrong.",
    "label",
    MULTILABEL,
    lower=True,
    together=True,
)
def hamming(a: Answers) -> float:
    return float(np.mean(a.truth != a.predicted))
