"""From probabilities to labels, for metrics that do not reward the most likely label."""

from __future__ import annotations

import numpy as np


def class_score(truth: np.ndarray, chosen: np.ndarray, classes: int, metric: str) -> float:
    """A metric of labels given as positions; for `f1` the last class counts, for `quadratic_kappa` their order."""
    counts = np.zeros((classes, classes))
    np.add.at(counts, (truth, chosen), 1)
    hits, true, said = np.diag(counts), counts.sum(axis=1), counts.sum(axis=0)
    chance = np.outer(true, said) / counts.sum()
    seen = true > 0
    if metric == "balanced_accuracy":
        return float((hits[seen] / true[seen]).mean())
    if metric == "mcc":
        spread = (counts.sum() ** 2 - true @ true) * (counts.sum() ** 2 - said @ said)
        return float((hits.sum() * counts.sum() - true @ said) / max(np.sqrt(spread), 1e-9))
    if metric == "quadratic_kappa":
        distance = (np.arange(classes)[:, None] - np.arange(classes)) ** 2
        return float(1 - (distance * counts).sum() / max((distance * chance).sum(), 1e-9))
    f1 = 2 * hits / np.maximum(true + said, 1)
    if metric == "f1":
        return float(f1[-1])
    return float(np.average(f1[seen], weights=true[seen] if metric == "f1_weighted" else None))


def tuned_weights(probabilities: np.ndarray, truth: np.ndarray, metric: str) -> np.ndarray:
    """Weights a class whose product with the probabilities makes the best labels for the metric.

    Parameters
    ----------
    probabilities
        Rows x classes, of rows the models were not fitted on. For `f1` the last class is the one that counts.
    truth
        Positions of the true classes.
    metric
        `balanced_accuracy`, `f1`, `f1_macro`, `f1_weighted`, `mcc` or `quadratic_kappa`.

    One strength for all classes is chosen first (0 keeps the probabilities, 1 undoes the class
    frequencies), then each class is moved alone; a move must pay clearly, since the rows are few.
    """
    classes = probabilities.shape[1]
    frequency = np.bincount(truth, minlength=classes) / len(truth)

    def value(weights: np.ndarray) -> float:
        return class_score(truth, (probabilities * weights).argmax(axis=1), classes, metric)

    strengths = [np.maximum(frequency, 1e-6) ** -s for s in np.linspace(0, 1.2, 25)]
    values = np.array([value(weights) for weights in strengths])
    smooth = np.convolve(np.pad(values, 1, mode="edge"), np.ones(3) / 3, mode="valid")
    best = strengths[int(smooth.argmax())]
    for position in range(classes if classes > 2 else 0):
        for factor in (0.7, 0.85, 1.2, 1.4):
            moved = best.copy()
            moved[position] *= factor
            if value(moved) > value(best) + 0.002:
                best = moved
    return best / best.sum()


def tuned_threshold(probabilities: np.ndarray, truth: np.ndarray, average: str) -> float:
    """The probability from which a label is set, so that F1 over rows x labels is highest.

    Parameters
    ----------
    probabilities, truth
        Rows x labels; truth is 0 or 1.
    average
        `micro` counts all cells together, `macro` takes the mean over labels.
    """

    def f1(threshold: float) -> float:
        said = probabilities >= threshold
        hits, wrong = (said & (truth == 1)).sum(axis=0), (said != (truth == 1)).sum(axis=0)
        if average == "micro":
            hits, wrong = hits.sum(), wrong.sum()
        return float(np.mean(2 * hits / np.maximum(2 * hits + wrong, 1)))

    candidates = np.linspace(0.1, 0.7, 61)
    values = np.array([f1(threshold) for threshold in candidates])
    smooth = np.convolve(np.pad(values, 2, mode="edge"), np.ones(5) / 5, mode="valid")
    return float(candidates[int(smooth.argmax())])
