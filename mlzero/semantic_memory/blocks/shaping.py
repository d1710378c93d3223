"""Bring the columns of a table into the form the models take."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd


def shaped(rows: pd.DataFrame, kinds: Mapping[str, str]) -> pd.DataFrame:
    """The input columns only, each as its kind, under names that no library trips over.

    Parameters
    ----------
    kinds
        By column: `number`, `category`, `text`, `date` or `boolean`. A column that `rows` does not have
        becomes an empty one.

    Columns are renamed to `c0`, `c1`, ... because brackets, quotes and the like in names break some
    libraries; the order of `kinds` is the order of the numbers.
    """
    columns: dict[str, pd.Series] = {}
    for number, (name, kind) in enumerate(kinds.items()):
        values = rows[name] if name in rows else pd.Series(float("nan"), index=rows.index)
        if kind == "number":
            values = pd.to_numeric(values, errors="coerce").astype("float64")
        elif kind == "date":
            values = pd.to_datetime(values, errors="coerce")
        else:
            whole = pd.api.types.is_float_dtype(values) and (values.dropna() % 1 == 0).all()
            values = (values.astype("Int64") if whole else values).astype("string").astype(object)
            values = values.where(values.notna(), None)
        columns[f"c{number}"] = values
    return pd.DataFrame(columns, index=rows.index)


def date_parts(table: pd.DataFrame) -> pd.DataFrame:
    """Weekday, day of the year and hour beside every date; the library itself takes year, month and day."""
    for name in table.columns[table.dtypes == "datetime64[ns]"]:
        dates = table[name].dt
        table[f"{name}_day_of_year"] = dates.dayofyear
        if dates.hour.fillna(0).any():
            table[f"{name}_hour"] = dates.hour + dates.minute / 60
    return table


def label_text(values: pd.Series) -> pd.Series:
    """Class labels as text; whole numbers without a decimal point."""
    if pd.api.types.is_float_dtype(values) and (values.dropna() % 1 == 0).all():
        values = values.astype("Int64")
    return values.astype("string").astype(object)
