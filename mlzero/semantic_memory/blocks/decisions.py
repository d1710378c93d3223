"""From probabilities to labels, for metrics that do not reward the most likely label."""

from __future__ import annotations

import numpy as np


def class_scores(truth: np.ndarray, chosen: np.ndarray, classes: int) -> dict[str, float]:
    """Accuracy, macro F1 and balanced accuracy of labels given as positions."""
    counts = np.zeros((classes, classes))
    np.add.at(counts, (truth, chosen), 1)
    hits, true, said = np.diag(counts), counts.sum(axis=1), counts.sum(axis=0)
    seen = true > 0
    f1 = 2 * hits / np.maximum(true + said, 1)
    return {
        "accuracy": hits.sum() / max(true.sum(), 1),
        "f1_macro": f1[seen].mean(),
        "balanced_accuracy": (hits[seen] / true[seen]).mean(),
        "f1": f1[-1],
    }


def tuned_weights(probabilities: np.ndarray, truth: np.ndarray, metric: str) -> np.ndarray:
    """Weights a class whose product with the probabilities makes the best labels for the metric.

    Parameters
    ----------
    probabilities
        Rows x classes, of rows the models were not fitted on. For `f1` the last class is the one that counts.
    truth
        Positions of the true classes.
    metric
        A key of `class_scores`.

    One strength for all classes is chosen first (0 keeps the probabilities, 1 undoes the class
    frequencies), then each class is moved alone; a move must pay clearly, since the rows are few.
    """
    classes = probabilities.shape[1]
    frequency = np.bincount(truth, minlength=classes) / len(truth)

    def value(weights: np.ndarray) -> float:
        return class_scores(truth, (probabilities * weights).argmax(axis=1), classes)[metric]

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
