"""Time series from the tables people keep them in, on one grid of equal steps."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd

from mlzero.semantic_memory.blocks.relations import key_text


def long_of_wide(
    table: pd.DataFrame, item: str | None, values: Sequence[str], *, name: str, time: str, target: str, days: Sequence[str] = ()
) -> pd.DataFrame:  # fmt: skip
    """One row a series and moment from one row a series; cells without a value are left out.

    Parameters
    ----------
    item
        The column that names the series; None numbers them from 1.
    values
        The columns with the values, earliest first.
    name, time, target
        What the columns of the result are called.
    days
        The moment of each of `values` as an ISO date; empty: the values are counted from 1, from the first that is
        there, so that series of different length may begin or end anywhere.
    """
    names = table[item] if item else pd.Series(range(1, len(table) + 1), index=table.index)
    cells = table[list(values)].apply(pd.to_numeric, errors="coerce").to_numpy(float)
    rows, places = np.nonzero(np.isfinite(cells))
    if len(days):
        moments = pd.to_datetime(list(days)).to_numpy()[places]
    else:
        first = np.isfinite(cells).argmax(axis=1) if cells.shape[1] else np.zeros(len(cells), dtype=int)
        moments = places - first[rows] + 1
    found = {name: names.to_numpy()[rows], time: moments, target: cells[rows, places]}
    return pd.DataFrame(found, index=rows * len(values) + places)


def long_of_matrix(
    table: pd.DataFrame, rows: str, columns: Sequence[str], *, parts: Sequence[int], time: str, target: str, years_down: bool = True
) -> pd.DataFrame:  # fmt: skip
    """One row a month (or quarter) from a table of years and months; cells without a value are left out.

    Parameters
    ----------
    rows
        The column with the years, or with the months when the years stand side by side.
    columns
        The columns with the values.
    parts
        The month that each of `columns`, or each row, begins with.
    """
    cells = table[list(columns)].apply(pd.to_numeric, errors="coerce").to_numpy(float)
    down, across = np.nonzero(np.isfinite(cells))
    if years_down:
        years = pd.to_numeric(table[rows], errors="coerce").to_numpy(float)
        year, month = years[down], np.asarray(parts)[across]
    else:
        years = np.array([float(re.sub(r"\D", "", str(name))) for name in columns])
        year, month = years[across], np.asarray(parts)[down]
    dates = pd.to_datetime({"year": year.astype(int), "month": month, "day": 1})
    found = pd.DataFrame({time: dates.to_numpy(), target: cells[down, across]}, index=down * len(columns) + across)
    return found.sort_values(time)


def steps_of(times: pd.Series, frequency: str, start: str) -> np.ndarray:
    """The number of steps from `start` to each time, as floats; NaN where there is no time.

    Parameters
    ----------
    frequency
        `MS`, `ME`, `QS`, `YS` (months are counted, whatever the day), `B` (working days), a fixed step such as `h`,
        `15min`, `D` or `7D`; empty: times are numbers that count steps already.
    """
    if not frequency:
        return pd.to_numeric(times, errors="coerce").to_numpy(float)
    moments, first = pd.to_datetime(times), pd.Timestamp(start)
    months = {"MS": 1, "ME": 1, "QS": 3, "YS": 12}.get(frequency)
    if months:
        passed = (moments.dt.year - first.year) * 12 + moments.dt.month - first.month
        return np.floor(passed.to_numpy(float) / months)
    if frequency == "B":
        known = moments.fillna(first).dt.normalize().to_numpy().astype("datetime64[D]")
        counted = np.busday_count(np.datetime64(first.date()), known).astype(float)
        return np.where(moments.isna(), np.nan, counted)
    return np.round(((moments - first) / one_step(frequency)).to_numpy(float))


def times_of(steps: np.ndarray, frequency: str, start: str) -> pd.Series:
    """The times that many steps after `start`; the steps themselves when they are only counted."""
    if not frequency:
        return pd.Series(steps)
    first, whole = pd.Timestamp(start), np.asarray(steps).astype(int)
    months = {"MS": 1, "ME": 1, "QS": 3, "YS": 12}.get(frequency)
    if months:
        ends = pd.offsets.MonthEnd(0) if frequency == "ME" else pd.Timedelta(0)
        return pd.Series([first + pd.DateOffset(months=months * n) + ends for n in whole.tolist()])
    if frequency == "B":
        days = np.busday_offset(np.datetime64(first.date()), whole, roll="forward")
        return pd.Series(pd.to_datetime(days))
    return pd.Series(first + whole * one_step(frequency))


def one_step(frequency: str) -> pd.Timedelta:
    """The length of a fixed step: `7D`, `h`, `15min`."""
    return pd.Timedelta(frequency if frequency[0].isdigit() else f"1{frequency}")


def item_names(rows: pd.DataFrame, item: Sequence[str]) -> pd.Series:
    """The name of each row's series as text; all the same when there is one series."""
    return key_text(rows, item).fillna("") if item else pd.Series("", index=rows.index)


def future_rows(
    history: pd.DataFrame, item: Sequence[str], time: str, horizon: int, frequency: str, start: str
) -> pd.DataFrame:
    """One row for each of the next `horizon` steps after the end of every series."""
    work = history[[*item, time]].assign(
        _step=steps_of(history[time], frequency, start), _name=item_names(history, item)
    )
    last = work.sort_values("_step", kind="stable").groupby("_name", sort=False).tail(1).sort_index()
    rows = last.loc[last.index.repeat(horizon), list(item)].reset_index(drop=True)
    steps = np.repeat(last["_step"].to_numpy(), horizon) + np.tile(np.arange(1, horizon + 1), len(last))
    moments = times_of(steps, frequency, start)
    rows[time] = moments.astype("int64") if not frequency else moments
    return rows


def on_grid(
    names: pd.Series,
    steps: np.ndarray,
    cells: pd.Series,
    items: Sequence[str],
    ends: np.ndarray,
    length: int,
    ahead: int = 0,
) -> np.ndarray:
    """A matrix items × (length + ahead) in which every series ends at column `length - 1`; the mean of rows that meet.

    Parameters
    ----------
    items, ends
        The series, and the step each ends at.
    """
    place = {name: number for number, name in enumerate(items)}
    row = names.map(place).to_numpy(float)
    matrix, count = np.zeros((len(items), length + ahead)), np.zeros((len(items), length + ahead))
    values = pd.to_numeric(cells, errors="coerce").to_numpy(float)
    inside = np.isfinite(row) & np.isfinite(steps) & np.isfinite(values)
    row, values = row[inside].astype(int), values[inside]
    column = (steps[inside] - ends[row] + length - 1).astype(int)
    kept = (column >= 0) & (column < length + ahead)
    np.add.at(matrix, (row[kept], column[kept]), values[kept])
    np.add.at(count, (row[kept], column[kept]), 1)
    with np.errstate(invalid="ignore"):
        return np.where(count > 0, matrix / count, np.nan)
