"""How tables hold time series: long, one row a series, or a matrix of years and months; the grid they stand on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from mlzero.perception import goal as goals
from mlzero.perception import series_words
from mlzero.perception.profile import ColumnProfile, TableProfile

if TYPE_CHECKING:
    import pandas as pd

_STEPS = 8  # values a series has at least, on average
_ALIKE = 0.3  # correlation of values with earlier ones, from where they are a series
_REGULAR = 0.8  # share of steps that fit the frequency
_NUMBERED = re.compile(r"(.*?)(\d+)$")
_DATED = re.compile(r"\d{4}([-/.]\d{1,2}){0,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}|[a-z]{3,9}[ \-_.']*\d{2,4}", re.I)


@dataclass
class Wide:
    """A table with one row a series."""

    label: str | None  # the column that names the series
    values: list[str]
    moments: list[str]  # ISO dates, empty when the columns are numbered
    open: list[str]  # columns at the end without any value: what is to be forecast


@dataclass
class Matrix:
    """A table of years and months."""

    label: str
    values: list[str]
    parts: list[int]
    years_down: bool
    frequency: str


def wide_of(table: TableProfile, least: int = _STEPS) -> Wide | None:
    """How a table is one of series in rows, or None: many columns of numbers that are numbered or dated one by one."""
    numeric = [c for c in table.columns if c.kind in ("number", "boolean", "constant", "empty") or _counts(c)]
    dated = [(c.name, moment) for c in numeric if (moment := _moment(c.source_name or c.name))]
    numbered = _run([c.name for c in numeric])
    if len(dated) >= max(least, 0.8 * len(numeric)) and len({m for _, m in dated}) == len(dated):
        dated.sort(key=lambda pair: pair[1])
        names, moments = [n for n, _ in dated], [m for _, m in dated]
    elif len(numbered) >= max(least, 0.8 * len(numeric)):
        names, moments = numbered, []
    else:
        return None
    others = [c for c in table.columns if c.name not in names]
    if len(names) < 0.6 * len(table.columns):
        return None
    labels = [c for c in others if c.unique == table.rows] or others
    empty = {c.name for c in table.columns if c.kind == "empty"}
    open_ones: list[str] = []
    for name in reversed(names):
        if name not in empty:
            break
        open_ones.insert(0, name)
    kept = len(names) - len(open_ones)
    return Wide(labels[0].name if labels else None, names[:kept], moments[:kept], open_ones)


def _counts(column: ColumnProfile) -> bool:
    return column.kind == "identifier" and isinstance(column.minimum, float)


def _run(names: list[str]) -> list[str]:
    """The longest run of names with one beginning and numbers that rise."""
    groups: dict[str, list[tuple[int, str]]] = {}
    for name in names:
        if found := _NUMBERED.fullmatch(name):
            groups.setdefault(found.group(1), []).append((int(found.group(2)), name))
    longest = max(groups.values(), key=len, default=[])
    numbers = [number for number, _ in sorted(longest)]
    close = len(numbers) > 1 and numbers[-1] - numbers[0] < 1.2 * len(numbers)
    return [name for _, name in sorted(longest)] if close else []


def _moment(name: str) -> str | None:
    """The date that a column name says, ISO 8601."""
    import pandas as pd

    text = name.strip().removesuffix(" 00:00:00")
    if re.fullmatch(r"(19|20)\d{2}", text):
        return f"{text}-01-01"
    if not _DATED.fullmatch(text):
        return None
    moment = pd.to_datetime(text.replace("_", " "), errors="coerce", dayfirst=not re.match(r"\d{4}", text))
    return None if pd.isna(moment) else str(moment.date())


def matrix_of(table: TableProfile) -> Matrix | None:
    """How a table is one of years and months (or quarters), or None."""
    for how, frequency, least, width in ((series_words.month_of, "MS", 10, 1), (series_words.quarter_of, "QS", 4, 3)):
        parts = [(c.name, (part - 1) * width + 1) for c in table.columns if (part := how(c.source_name or c.name))]
        years = [c for c in table.columns if _years(c) and c.name not in dict(parts)]
        if least <= len(parts) <= 12 and len({p for _, p in parts}) == len(parts) and years:
            return Matrix(years[0].name, [n for n, _ in parts], [p for _, p in parts], True, frequency)
    return None


def _years(column: ColumnProfile) -> bool:
    return (
        column.integer and column.unique >= 2 and isinstance(column.minimum, float) and isinstance(column.maximum, float)
        and column.minimum >= 1800 and column.maximum <= 2100 and column.maximum - column.minimum < 2 * column.unique + 2
    )  # fmt: skip


def item_columns(
    table: TableProfile,
    frame: pd.DataFrame,
    time: str,
    target: str,
    among: list[str] | None,
    said: str,
    least: int = _STEPS,
) -> list[str] | None:
    """The fewest columns that name the series, so that each has one row a moment; None when there are none.

    Parameters
    ----------
    among
        Columns that the rows to predict have, too; None when there are no such rows.
    least
        Rows a series has on average, so that what differs in nearly every row names none.
    """
    usable = []
    for column in table.columns:
        name = column.name
        if (
            name in (time, target)
            or column.kind in ("text", "empty", "constant", "date")
            or (among is not None and name not in among)
        ):
            continue
        if (column.kind == "number" and not column.integer) or column.unique > len(frame) / 4 or column.unique < 2:
            continue
        mentioned = goals.mention(name, said)
        number = column.kind == "number" and not goals.named_as_id(name)
        usable.append((2 * bool(mentioned and mentioned.quality >= 0.7) + goals.named_as_id(name) + (not number), name))
    names = [name for _, name in sorted(usable, key=lambda pair: -pair[0])][:8]
    for size in range(4):
        for chosen in combinations(names, size):
            groups = frame.groupby(list(chosen), dropna=False).ngroups if chosen else 1
            if len(frame) >= least * groups and frame.duplicated([*chosen, time]).mean() <= 0.01:
                return list(chosen)
    return None


def frequency_of(times: pd.Series) -> tuple[str, float] | None:
    """The frequency of moments (see `SeriesPlan`) and the share of their distances that are whole steps of it."""
    import numpy as np
    import pandas as pd

    if pd.api.types.is_numeric_dtype(times):
        different = np.unique(times.dropna().to_numpy(float))
        gaps = np.diff(different)
        return ("", float((gaps == 1).mean())) if len(gaps) and (gaps == np.round(gaps)).all() else None
    moments = pd.DatetimeIndex(times.dropna().unique()).sort_values()
    if len(moments) < 4:
        return None
    gaps = np.diff(moments.to_numpy()) / np.timedelta64(1, "s")
    typical = float(np.median(gaps))
    days = typical / 86_400
    for name, low, high in (("MS", 28, 31), ("QS", 90, 92), ("YS", 365, 366)):
        if low <= days <= high:
            ends = name == "MS" and bool((moments.day >= 28).all())
            return "ME" if ends else name, float((gaps >= 0.9 * low * 86_400).mean())
    if days == 1 and (moments.dayofweek < 5).all() and len(moments) > 7:
        return "B", 1.0
    if typical <= 0 or typical != round(typical):
        return None
    whole = float(np.isclose(gaps % typical, 0).mean())
    if days >= 1 and days == round(days):
        return ("D" if days == 1 else f"{int(days)}D"), whole
    if typical % 3600 == 0:
        hours = int(typical // 3600)
        return ("h" if hours == 1 else f"{hours}h"), whole
    return (f"{int(typical // 60)}min" if typical % 60 == 0 else f"{int(typical)}s"), whole


def regular(found: tuple[str, float] | None) -> bool:
    """Whether nearly all moments stand on the grid that `frequency_of` found."""
    return found is not None and found[1] >= _REGULAR


def goes_on(history: pd.DataFrame, items: list[str], time: str, target: str) -> bool:
    """Whether values resemble those before them in the same series, as a row that merely has a date does not.

    The correlation with the value before, or a week, a year of weeks or of months before, of series brought to one level.
    """
    import numpy as np

    ordered = history.sort_values(time, kind="stable")
    values = ordered[target].astype(float)
    if items:
        groups = ordered.groupby(items, dropna=False, sort=False)[target]
        values = (values - groups.transform("mean")) / (groups.transform("std") + 1e-12)
        moved = values.groupby([ordered[name] for name in items], dropna=False, sort=False)
    for back in (1, 7, 12, 24, 52):
        before = moved.shift(back) if items else values.shift(back)
        both = (before.notna() & values.notna()).to_numpy()
        if both.sum() >= 20 and np.std(values[both]) > 0 and np.corrcoef(values[both], before[both])[0, 1] >= _ALIKE:
            return True
    return False
