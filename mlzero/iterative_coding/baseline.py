"""The naive guess: the best that someone could do who saw only the target column."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from mlzero.iterative_coding import metrics
from mlzero.iterative_coding.metrics import Answers, Metric
from mlzero.iterative_coding.outcome import spoken

if TYPE_CHECKING:
    import pandas as pd

    from mlzero.perception.task import Task

CONSTANTS: dict[str, Callable[[np.ndarray], float]] = {
    "the mean": lambda v: float(np.mean(v)),
    "the median": lambda v: float(np.median(v)),
    "the geometric mean": lambda v: float(np.expm1(np.mean(np.log1p(np.maximum(v, 0))))),
    "a low value": lambda v: float(np.quantile(v, 0.1)),
    "a lowish value": lambda v: float(np.quantile(v, 0.25)),
}
MOST_LABELS = 30  # constant guesses tried, the most frequent labels first
MOST_ROWS = 20_000  # rows on which constant guesses are compared


def naive(name: str, task: Task, train: pd.DataFrame, holdout: pd.DataFrame) -> tuple[float, str]:
    """Score of the naive guess on the holdout, and the guess in words.

    Parameters
    ----------
    name
        The metric.
    train, holdout
        The targets of the training and of the holdout rows. The guess is chosen on the training rows.
    """
    metric = metrics.get(name)
    parts, words = [], []
    for group in metrics.groups(task, metric):
        # the truth stands in for predictions here: only its shape and labels are used
        known = metrics.answers(task, _as_label(metric), train.iloc[:MOST_ROWS], train.iloc[:MOST_ROWS], group)
        asked = metrics.answers(task, _as_label(metric), holdout, holdout, group)
        guess = _several if known.truth.ndim == 2 else _numbers if not known.labels else _classes
        part, text = guess(metric, known, asked)
        parts.append(part)
        words.append(text)
    text = words[0] if len(set(words)) == 1 else "for each target the best constant guess"
    return metrics.mean_of(metric, parts), text


def _as_label(metric: Metric) -> Metric:
    """The metric as far as reading the truth is concerned: probabilities are not asked for."""
    return metric if metric.needs == "number" else replace(metric, needs="label")


def _classes(metric: Metric, known: Answers, asked: Answers) -> tuple[Answers, str]:
    labels = list(dict.fromkeys([*known.labels, *asked.labels]))
    shares = np.array([np.mean(_in(known, labels) == i) for i in range(len(labels))])
    if metric.needs == "probability":
        return _constant(asked, labels, int(shares.argmax()), shares), "always gives the shares of the classes"
    order = np.argsort(-shares, kind="stable")[:MOST_LABELS]
    best = max(order, key=lambda i: _value(metric, _constant(known, labels, int(i), shares)))
    return _constant(asked, labels, int(best), shares), f'always says "{labels[best]}"'


def _in(a: Answers, labels: list[str]) -> np.ndarray:
    """The truth as positions in another list of labels."""
    places = np.array([*(labels.index(label) for label in a.labels), -1])
    return places[a.truth]


def _constant(a: Answers, labels: list[str], place: int, shares: np.ndarray) -> Answers:
    rows = len(a.truth)
    positive = labels.index(a.labels[a.positive]) if a.positive is not None and len(labels) == 2 else None
    said = np.full(rows, place)
    return Answers(_in(a, labels), said, np.tile(shares, (rows, 1)), tuple(labels), positive, a.grades)


def _numbers(metric: Metric, known: Answers, asked: Answers) -> tuple[Answers, str]:
    values = {word: constant(known.truth) for word, constant in CONSTANTS.items()}
    best = max(values, key=lambda w: _value(metric, Answers(known.truth, np.full(len(known.truth), values[w]))))
    return Answers(asked.truth, np.full(len(asked.truth), values[best])), f"always says {spoken(values[best])}, {best}"


def _several(metric: Metric, known: Answers, asked: Answers) -> tuple[Answers, str]:
    """Several labels a row: the same answer for every row, chosen by how often each label occurs."""
    shares = known.truth.mean(axis=0)
    thresholds = {*np.round(shares, 6), 0.5}

    def always(a: Answers, threshold: float) -> Answers:
        said = np.tile((shares >= threshold).astype(int), (len(a.truth), 1))
        return Answers(a.truth, said, np.tile(shares, (len(a.truth), 1)), a.labels)

    best = max(sorted(thresholds), key=lambda t: _value(metric, always(known, t)))
    chosen = [label for label, share in zip(known.labels, shares, strict=True) if share >= best]
    if not chosen or len(chosen) > 3:
        return always(asked, best), f"always gives the same {len(chosen)} labels" if chosen else "never gives a label"
    return always(asked, best), "always says " + ", ".join(f'"{label}"' for label in chosen)


def _value(metric: Metric, a: Answers) -> float:
    """The metric turned so that more is better; undefined counts as worst."""
    value = metric.function(a)
    return -np.inf if not np.isfinite(value) else value if metric.higher_is_better else -value
