"""Bring the columns of a table into the form the models take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

CELL_NUMBER = r"(?:(?:^|(?<=[/:×*]))-)?\d+(?:\.\d+)?"  # one of several in a cell; a hyphen after a number is no sign


def shaped(rows: pd.DataFrame, kinds: Mapping[str, str]) -> pd.DataFrame:
    """The input columns only, each as its kind, under names that no library trips over.

    Parameters
    ----------
    kinds
        By column: `number`, `clock` (730 is half past seven), `category`, `text`, `date`, `boolean` or
        `2 numbers` (120/80 becomes two columns). A column that `rows` does not have becomes an empty one.

    Columns are renamed to `c0`, `c1`, ... because brackets, quotes and the like in names break some
    libraries; the order of `kinds` is the order of the numbers.
    """
    columns: dict[str, pd.Series] = {}
    for number, (name, kind) in enumerate(kinds.items()):
        values = rows[name] if name in rows else pd.Series(float("nan"), index=rows.index)
        if kind.endswith(" numbers"):
            for place, part in enumerate(cell_numbers(values, int(kind.split()[0])), 1):
                columns[f"c{number}_{place}"] = part
            continue
        if kind in ("number", "clock"):
            values = pd.to_numeric(values, errors="coerce").astype("float64")
            if kind == "clock":
                values = values // 100 * 60 + values % 100  # minutes since midnight
        elif kind == "date":
            values = pd.to_datetime(values, errors="coerce")
        else:
            values = plain_text(values)
        columns[f"c{number}"] = values
    return pd.DataFrame(columns, index=rows.index)


def cell_numbers(values: pd.Series, count: int) -> list[pd.Series]:
    """The first, second ... number of cells such as `120/80`; empty where a cell has fewer, or one too large for a float."""
    found = values.astype("string").str.strip().str.findall(CELL_NUMBER)
    columns = []
    for place in range(count):
        texts = found.str[place].map(float, na_action="ignore")  # digits of any script, as Python reads them
        columns.append(pd.to_numeric(texts).astype("float64").replace(float("inf"), float("nan")))
    return columns


def plain_text(values: pd.Series) -> pd.Series:
    """The values as text, `1` and `1.0` the same; no value stays none."""
    if pd.api.types.is_float_dtype(values):
        texts = values.map("{:.12g}".format, na_action="ignore").astype(object)
    else:
        texts = values.astype("string").astype(object)
    return texts.where(texts.notna(), None)


def date_parts(table: pd.DataFrame, parts: Sequence[str]) -> pd.DataFrame:
    """Every date replaced by its parts, and by the days that passed since the date before it in the row.

    Parameters
    ----------
    parts
        Of `elapsed` (days since 2000), `year`, `month`, `day`, `weekday`, `day_of_year` and `hour`.
    """
    dates = [name for name in table.columns if pd.api.types.is_datetime64_any_dtype(table[name])]
    columns: dict[str, pd.Series] = {}
    for name, before in zip(dates, [None, *dates], strict=False):
        date = table[name].dt
        days = (table[name] - pd.Timestamp(2000, 1, 1)).dt.total_seconds() / 86_400
        found = {
            "elapsed": days,
            "year": date.year,
            "month": date.month,
            "day": date.day,
            "weekday": date.dayofweek,
            "day_of_year": date.dayofyear,
            "hour": date.hour + date.minute / 60,
        }
        columns |= {f"{name}_{part}": found[part].astype("float64") for part in parts}
        if before is not None:
            columns[f"{name}_since_{before}"] = (table[name] - table[before]).dt.total_seconds() / 86_400
    return table.drop(columns=dates).assign(**columns)
