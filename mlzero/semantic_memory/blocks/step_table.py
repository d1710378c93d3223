"""The table from which one model learns to forecast all series: one row a series, origin and step ahead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from mlzero.semantic_memory.blocks.forecasts import levels, taken


def step_table(
    values: np.ndarray,
    item: np.ndarray,
    origin: np.ndarray,
    step: np.ndarray,
    seasons: Sequence[int],
    horizon: int,
    positive: bool,
    known: Mapping[str, np.ndarray] | None = None,
    calendar: Mapping[str, np.ndarray] | None = None,
) -> pd.DataFrame:
    """What was known at an origin about the value some steps later.

    Parameters
    ----------
    values
        Items × times, without gaps inside.
    item, origin, step
        One entry a row of the result: the series, the last moment that is known, steps ahead from 1.
    seasons
        Lengths of seasons in steps, the longest last.
    positive
        Whether values are compared by their ratio (as a logarithm), which needs values above 0.
    known, calendar
        Matrices items × (times and steps ahead) of what is known beforehand. Of `known`, the values a season before
        and beside count as well.

    Returns
    -------
    DataFrame
        Column `reference` is the value one season before (or the last value); `scale` what differences are
        measured in; the other columns are inputs, values in proportion to the reference where they are positive.
    """
    season = seasons[-1] if len(seasons) else 1
    moment = origin + step
    rounds = -(-step // season)

    def before(times: np.ndarray) -> np.ndarray:
        return np.where(times <= origin, taken(values, item, times), np.nan)

    last = before(origin)
    reference = before(moment - season * rounds) if len(seasons) else last
    for shorter in [*reversed(seasons[:-1])]:
        reference = np.where(np.isfinite(reference), reference, before(moment - shorter * -(-step // shorter)))
    reference = np.where(np.isfinite(reference), reference, last)
    widths = sorted({1, 4, min(8, max(season, 8)), max(1, min(season, horizon)), max(season, 12)})
    level = {width: levels(values, width) for width in widths}
    usual = taken(level[widths[-1]], item, origin)
    scale = np.maximum(np.abs(usual), 1e-9)

    def compared(found: np.ndarray, to: np.ndarray | None = None) -> np.ndarray:
        base = reference if to is None else to
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.log(found / base) if positive else (found - base) / scale

    inputs: dict[str, np.ndarray] = {"step": step.astype(float), "size": np.log(scale)}
    for width in widths:
        now = taken(level[width], item, origin)
        inputs[f"level_{width}"] = compared(now)
        if len(seasons):
            inputs[f"growth_{width}"] = compared(now, taken(level[width], item, origin - season * rounds))
            inputs[f"growth_now_{width}"] = compared(now, taken(level[width], item, origin - season))
    if len(seasons):
        for shift in (-2, -1, 1, 2):
            inputs[f"beside_{shift}"] = compared(before(moment - season * rounds + shift))
        inputs["season_twice"] = compared(before(moment - season * (rounds + 1)))
    for shorter in seasons[:-1]:
        back: np.ndarray = shorter * -(-step // shorter)
        inputs[f"season_{shorter}"] = compared(before(moment - back))
        inputs[f"season_{shorter}_twice"] = compared(before(moment - back - shorter))
        inputs[f"phase_{shorter}"] = (moment % shorter).astype(float)
    if season > 1 and calendar is None:
        inputs[f"phase_{season}"] = (moment % season).astype(float)
    for shift in (1, 2, 3):
        inputs[f"last_{shift}"] = compared(before(origin - shift), last)
    for name, matrix in (known or {}).items():
        inputs[f"known_{name}"] = taken(matrix, item, moment)
        if len(seasons):
            inputs[f"known_{name}_season"] = taken(matrix, item, moment - season * rounds)
            for shift in (-1, 1):
                inputs[f"known_{name}_{shift}"] = taken(matrix, item, moment + shift)
                inputs[f"known_{name}_season_{shift}"] = taken(matrix, item, moment - season * rounds + shift)
    for name, matrix in (calendar or {}).items():
        inputs[f"calendar_{name}"] = taken(matrix, item, moment)
    return pd.DataFrame({"reference": reference, "scale": scale, **inputs})


def relation(truth: np.ndarray, table: pd.DataFrame, positive: bool) -> np.ndarray:
    """What the model learns: the value in proportion to its reference (as a logarithm), or the difference by its scale."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.log(truth / table["reference"]) if positive else (truth - table["reference"]) / table["scale"]


def from_relation(learnt: np.ndarray, table: pd.DataFrame, positive: bool) -> np.ndarray:
    """The value again."""
    reference, scale = table["reference"].to_numpy(), table["scale"].to_numpy()
    return reference * np.exp(np.clip(learnt, -3, 3)) if positive else reference + learnt * scale


def learning_rows(
    values: np.ndarray, horizon: int, first: int, last: int, most: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Item, origin and step of rows to learn from: origins from `first` on, targets up to `last`, `most` at the most."""
    count = min(last - first, max(10, 3_000_000 // (len(values) * horizon)))
    origins = np.unique(np.linspace(first, last - 1, max(count, 1)).astype(int))
    item = np.tile(np.repeat(np.arange(len(values)), horizon), len(origins))
    origin = np.repeat(origins, len(values) * horizon)
    step = np.tile(np.arange(1, horizon + 1), len(values) * len(origins))
    usable = np.flatnonzero(
        (origin + step <= last)
        & np.isfinite(taken(values, item, origin + step))
        & np.isfinite(taken(values, item, origin))
    )
    if len(usable) > most:
        usable = np.sort(np.random.default_rng(0).choice(usable, most, replace=False))
    return item[usable], origin[usable], step[usable]


def calendar_parts(times: pd.Series, frequency: str) -> dict[str, np.ndarray]:
    """Numbers that say where in the year, week and day each time lies, as far as the frequency makes them differ."""
    from dateutil.easter import easter

    date = pd.DatetimeIndex(times)
    found = {"month": date.month.to_numpy(float)}
    if frequency in ("MS", "ME"):
        begin = date.to_numpy().astype("datetime64[M]")
        found["working_days"] = np.busday_count(
            begin.astype("datetime64[D]"), (begin + 1).astype("datetime64[D]")
        ).astype(float)
    if frequency not in ("YS", "QS"):
        feast = pd.to_datetime([str(easter(int(year))) for year in date.year])
        found["from_easter"] = np.clip((date - feast).days.to_numpy(float), -60, 60)
    if frequency not in ("YS", "QS", "MS", "ME"):
        found["day_of_year"] = date.dayofyear.to_numpy(float)
        found["day"] = date.day.to_numpy(float)
    if frequency not in ("YS", "QS", "MS", "ME", "7D"):
        found["weekday"] = date.dayofweek.to_numpy(float)
    if frequency and frequency[-1] in "hns":
        found["hour"] = date.hour.to_numpy(float) + date.minute.to_numpy(float) / 60
    return found
