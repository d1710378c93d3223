"""Forecasts of a series by itself: exponential smoothing, Theta and, where there is time, ARIMA; their mean."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd


def own_forecasts(
    values: np.ndarray, horizon: int, season: int, positive: bool, *, arima: bool, months: np.ndarray | None = None
) -> np.ndarray:
    """For each series the mean of models that were fitted to it alone (items × horizon); NaN where none fits.

    A plain mean of different models was the hardest to beat in the M4 competition (Makridakis et al., 2020).

    Parameters
    ----------
    season
        Length of the season in steps, 1 for none.
    positive
        Whether values are taken as logarithms, so that seasons grow with the level.
    arima
        Whether to spend the seconds for a seasonal ARIMA as well.
    months
        Items × (times and horizon): the first day of each month as `datetime64[D]`; effects of weekdays and of
        Easter are then taken out before and put back after.
    """
    found = np.full((len(values), horizon), np.nan)
    for number, row in enumerate(values):
        begin = int(np.isfinite(row).argmax())
        known = np.log(row[begin:]) if positive else row[begin:]
        effects = None if months is None else month_effects(months[number, begin:])
        if np.isfinite(known).all() and len(known) >= 8:
            said = own_forecast(known, horizon, season, arima=arima, effects=effects)
            found[number] = np.exp(said) if positive else said
    return found


def own_forecast(
    known: np.ndarray, horizon: int, season: int, *, arima: bool, effects: np.ndarray | None = None
) -> np.ndarray:
    """The mean forecast of one series without gaps; `effects` are regressors of its times and of the steps ahead."""
    from statsmodels.tsa.forecasting.theta import ThetaModel
    from statsmodels.tsa.holtwinters import ExponentialSmoothing
    from statsmodels.tsa.statespace.sarimax import SARIMAX

    season = season if len(known) >= 2 * season + 4 else 1
    ahead = np.zeros(horizon)
    if effects is not None and len(known) >= 5 * season:
        twice = np.diff(known[season:] - known[:-season])
        moved = np.diff(effects[season : len(known)] - effects[: len(known) - season], axis=0)
        share = np.linalg.lstsq(moved, twice, rcond=None)[0]
        known, ahead = known - effects[: len(known)] @ share, effects[len(known) : len(known) + horizon] @ share
    seasonal = {"seasonal": "add", "seasonal_periods": season} if season > 1 else {}
    series = pd.Series(known)

    def smoothing() -> np.ndarray:
        return np.asarray(
            ExponentialSmoothing(known, trend="add", damped_trend=True, **seasonal).fit().forecast(horizon)
        )

    def theta() -> np.ndarray:
        model = ThetaModel(series, period=season, deseasonalize=season > 1, method="additive")
        return model.fit().forecast(horizon).to_numpy()

    def regression() -> np.ndarray:
        order = (0, 1, 1, season) if season > 1 else (0, 0, 0, 0)
        return np.asarray(SARIMAX(known, order=(2, 1, 1), seasonal_order=order).fit(disp=0).forecast(horizon))

    parts = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for model in (smoothing, theta, *([regression] if arima else [])):
            try:
                said = model()
            except (ValueError, np.linalg.LinAlgError, IndexError):  # too short or constant for this one
                continue
            if np.isfinite(said).all() and np.abs(said - known[-1]).max() <= 5 * (np.ptp(known) + 1e-9):
                parts.append(said)
    return np.mean(parts, axis=0) + ahead if parts else np.full(horizon, np.nan)


def month_effects(months: np.ndarray) -> np.ndarray:
    """How many more of each weekday than Sundays a month has, and how much of the week before Easter lies in it."""
    from dateutil.easter import easter

    begin = months.astype("datetime64[M]")
    first, after = begin.astype("datetime64[D]"), (begin + 1).astype("datetime64[D]")
    days = [np.busday_count(first, after, weekmask=[int(d == day) for d in range(7)]) for day in range(7)]
    feasts = np.array(
        [easter(int(year)) for year in begin.astype("datetime64[Y]").astype(int) + 1970], dtype="datetime64[D]"
    )
    before = feasts[:, None] - np.arange(1, 9)
    share = ((before >= first[:, None]) & (before < after[:, None])).mean(axis=1)
    return np.column_stack([*(day - days[6] for day in days[:6]), share]).astype(float)
