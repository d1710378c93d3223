"""Metrics of numbers."""

from __future__ import annotations

import numpy as np

from mlzero.iterative_coding.metrics.arrays import ranks, ratio
from mlzero.iterative_coding.metrics.registry import NUMBERS, PIXELS, Answers, metric


@metric(
    "rmse",
    "RMSE",
    "Typical error in the unit of the target; large errors count more.",
    "number",
    NUMBERS | PIXELS,
    lower=True,
)
def rmse(a: Answers) -> float:
    return float(np.sqrt(mse(a)))


@metric("mse", "MSE", "Mean squared error.", "number", NUMBERS, lower=True)
def mse(a: Answers) -> float:
    return float(np.mean((a.truth - a.predicted) ** 2))


@metric("rmsle", "RMSLE", "Typical relative error.", "number", NUMBERS, lower=True)
def rmsle(a: Answers) -> float:
    real, said = (np.log1p(np.maximum(v, 0)) for v in (a.truth, a.predicted))
    return float(np.sqrt(np.mean((real - said) ** 2)))


@metric(
    "mae", "mean absolute error", "How far off the predictions are on average.", "number", NUMBERS | PIXELS, lower=True
)
def mae(a: Answers) -> float:
    return float(np.mean(np.abs(a.truth - a.predicted)))


@metric("medae", "median absolute error", "How far off the middle prediction is.", "number", NUMBERS, lower=True)
def medae(a: Answers) -> float:
    return float(np.median(np.abs(a.truth - a.predicted)))


@metric("mape", "mean percentage error", "How far off in proportion to the truth.", "number", NUMBERS, lower=True)
def mape(a: Answers) -> float:
    return float(np.mean(np.abs(a.truth - a.predicted) / np.maximum(np.abs(a.truth), np.finfo(float).eps)))


@metric(
    "wape",
    "weighted percentage error",
    "All errors together in proportion to all of the truth.",
    "number",
    NUMBERS,
    lower=True,
)
def wape(a: Answers) -> float:
    return float(np.abs(a.truth - a.predicted).sum() / max(np.abs(a.truth).sum(), np.finfo(float).eps))


@metric(
    "smape",
    "symmetric percentage error",
    "Error in proportion to truth and prediction, from 0 to 2.",
    "number",
    NUMBERS,
    lower=True,
)
def smape(a: Answers) -> float:
    below = (np.abs(a.truth) + np.abs(a.predicted)) / 2
    return float(np.mean(ratio(np.abs(a.truth - a.predicted), below)))


@metric(
    "mase",
    "scaled error",
    "Error in proportion to the steps of the series.",
    "number",
    frozenset({"forecasting"}),
    lower=True,
)
def mase(a: Answers) -> float:
    """Of one series in the order of time; the measure of forecasts takes the series apart."""
    moved = np.abs(np.diff(a.truth))
    return mae(a) / float(moved.mean()) if len(moved) and moved.mean() > 0 else float("nan")


@metric("r2", "R²", "Share of the variation that is explained.", "number", NUMBERS)
def r2(a: Answers) -> float:
    spread = np.sum((a.truth - a.truth.mean()) ** 2)
    return float(1 - np.sum((a.truth - a.predicted) ** 2) / spread) if spread else 0.0


@metric("pearson", "Pearson correlation", "How well predictions follow the truth on a line.", "number", NUMBERS)
def pearson(a: Answers) -> float:
    return _correlation(a.truth, a.predicted)


@metric("spearman", "rank correlation", "How well predictions follow the order of the truth.", "number", NUMBERS)
def spearman(a: Answers) -> float:
    return _correlation(ranks(a.truth), ranks(a.predicted))


def _correlation(first: np.ndarray, second: np.ndarray) -> float:
    """Zero when one of them does not vary."""
    if np.ptp(first) == 0 or np.ptp(second) == 0:
        return 0.0
    return float(np.corrcoef(first, second)[0, 1])
