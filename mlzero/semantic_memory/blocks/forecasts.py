"""Forecasts from what series did a season ago, and the table from which a model learns one step at a time.

Series are rows of a matrix (items × times), all on one grid of equal steps that ends at the same column; NaN where
there is no value. A moment is a column of it; the steps ahead are the columns after an origin.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd


def levels(values: np.ndarray, width: int) -> np.ndarray:
    """Mean of the last `width` values up to each moment, of those that are there; NaN before the first."""
    known = np.isfinite(values)
    total = np.cumsum(np.pad(np.where(known, values, 0.0), ((0, 0), (width, 0))), axis=1)
    count = np.cumsum(np.pad(known.astype(float), ((0, 0), (width, 0))), axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return (total[:, width:] - total[:, :-width]) / (count[:, width:] - count[:, :-width])


def taken(values: np.ndarray, items: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Values at (item, time) pairs; NaN outside the matrix."""
    inside = (times >= 0) & (times < values.shape[1])
    return np.where(inside, values[items, np.clip(times, 0, values.shape[1] - 1)], np.nan)


def filled(values: np.ndarray) -> np.ndarray:
    """Gaps between the first and the last value of each series closed with straight lines, the end with the last value."""
    frame = pd.DataFrame(values.T)
    return frame.interpolate(limit_area="inside").ffill().to_numpy().T


def seasonal_forecasts(values: np.ndarray, horizon: int, seasons: Sequence[int]) -> dict[str, np.ndarray]:
    """Simple forecasts of the next `horizon` steps (items × steps), by name.

    The last value; for each season the value one season (and two) ago, as it is and brought to today's level, in
    full and half way. Where a series is too short for a forecast, the last value stands in.
    """
    items, length = values.shape
    item = np.repeat(np.arange(items), horizon)
    step = np.tile(np.arange(1, horizon + 1), items)
    last = taken(values, item, np.full(len(item), length - 1))
    positive = np.nanmin(values, axis=1) > 0 if items else np.zeros(0, bool)
    found = {"last value": last}
    for season in seasons:
        width = min(season, max(3, horizon))
        level = levels(values, width)
        now = taken(level, item, np.full(len(item), length - 1))
        rounds = -(-step // season)
        for back in (0, 1):
            then = length - 1 + step - season * (rounds + back)
            once = taken(values, item, then)
            shift = season * (rounds + back)
            before = taken(level, item, length - 1 - shift)
            with np.errstate(invalid="ignore", divide="ignore"):
                ratio = np.where(positive[item], np.clip(now / before, 0.3, 3.0), np.nan)
            for share, word in ((0.0, "as it was"), (0.5, "half way to today's level"), (1.0, "at today's level")):
                moved = np.where(np.isfinite(ratio), once * ratio**share, once + share * (now - before))
                name = f"{season} steps ago{', twice' if back else ''}, {word}"
                found[name] = np.where(np.isfinite(moved), moved, np.where(np.isfinite(once), once, np.nan))
    fallback = last
    for season in seasons:
        once = found[f"{season} steps ago, as it was"]
        fallback = np.where(np.isfinite(once), once, fallback)
    return {name: np.where(np.isfinite(v), v, fallback).reshape(items, horizon) for name, v in found.items()}


def backtests(values: np.ndarray, horizon: int, seasons: Sequence[int], most: int = 4) -> list[int]:
    """Where earlier forecasts could have begun: columns to cut the matrix at, the latest first; at least one."""
    length = values.shape[1]
    needed = max([2 * horizon, *(season + horizon // 2 for season in seasons[:1]), 8])
    cuts = [length - horizon * n for n in range(1, most + 1) if length - horizon * n >= needed]
    return cuts or [max(length - horizon, length // 2, 1)]


def forecast_error(metric: str, truth: np.ndarray, predicted: np.ndarray, scale: np.ndarray | float = 1.0) -> float:
    """The error over all known values: wape, smape, mape, rmsle, rmse, mse, mase (by `scale`), else mae."""
    known = np.isfinite(truth) & np.isfinite(predicted)
    real, said = truth[known], predicted[known]
    off, tiny = np.abs(real - said), np.finfo(float).tiny
    if not len(real):
        return np.inf
    if metric == "smape":
        return float(np.mean(2 * off / np.maximum(np.abs(real) + np.abs(said), tiny)))
    if metric == "mape":
        return float(np.mean(off / np.maximum(np.abs(real), 1e-9)))
    if metric == "rmsle":
        return float(np.sqrt(np.mean((np.log1p(np.maximum(real, 0)) - np.log1p(np.maximum(said, 0))) ** 2)))
    if metric in ("rmse", "mse"):
        return float(np.sqrt(np.mean(off**2)))
    if metric == "mase":
        return float(np.mean(off / np.broadcast_to(scale, truth.shape)[known]))
    return float(np.mean(off))


def blend_weights(
    forecasts: dict[str, np.ndarray], truth: np.ndarray, metric: str, scale: np.ndarray | float = 1.0
) -> dict[str, float]:
    """How much each forecast counts, by how well it did on earlier windows.

    Forecasts are added one by one, each time the one that helps most (Caruana et al., 2004). With few values to
    judge by, half of the weight is shared by error instead, as a choice would be luck.
    """
    errors = {name: forecast_error(metric, truth, said, scale) for name, said in forecasts.items()}
    mixed, best, counts = np.zeros_like(truth), np.inf, dict.fromkeys(forecasts, 0)
    for taken_so_far in range(20):
        tried = {
            name: forecast_error(metric, truth, (mixed * taken_so_far + said) / (taken_so_far + 1), scale)
            for name, said in forecasts.items()
        }
        chosen = min(tried, key=lambda name: tried[name])
        if tried[chosen] >= best * (1 - 1e-4):
            break
        best = tried[chosen]
        mixed = (mixed * taken_so_far + forecasts[chosen]) / (taken_so_far + 1)
        counts[chosen] += 1
    chosen_share = {name: count / max(sum(counts.values()), 1) for name, count in counts.items()}
    if np.isfinite(truth).sum() >= 500:
        return {name: share for name, share in chosen_share.items() if share > 0}
    good = sorted(errors, key=lambda name: errors[name])[: max(3, len(errors) // 2)]
    inverse = {name: 1 / max(errors[name], 1e-12) ** 2 if name in good else 0.0 for name in errors}
    total = sum(inverse.values())
    return {
        name: 0.5 * chosen_share[name] + 0.5 * inverse[name] / total for name in errors if inverse[name] or counts[name]
    }
