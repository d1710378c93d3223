"""Bring columns of other tables to the rows: looked up by key, or summed up over many rows a key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd


def joined(
    rows: pd.DataFrame,
    table: pd.DataFrame,
    left_on: Sequence[str],
    right_on: Sequence[str],
    columns: Sequence[str],
    prefix: str = "",
    *,
    left_time: str | None = None,
    right_time: str | None = None,
) -> pd.DataFrame:
    """The rows with `columns` of the one row of `table` that has the same key; empty where there is none.

    Parameters
    ----------
    left_on, right_on
        The key in `rows` and in `table`. `1` and `1.0` are the same key, numbers and their texts too.
    prefix
        Goes before the names of the new columns.
    left_time, right_time
        Of several rows a key, take the latest that is not later than the row's own time. Without them, the first.

    The index and the order of `rows` stay.
    """
    keys, others = key_text(rows, left_on), key_text(table, right_on)
    found = table[list(columns)].add_prefix(prefix)
    if left_time is None or right_time is None:
        found = found.set_axis(others)[~others.isna().to_numpy()]
        found = found[~found.index.duplicated()]
        added = found.reindex(keys).set_axis(rows.index)
    else:
        asked = pd.DataFrame({"key": keys.to_numpy(), "time": moments(rows[left_time]), "row": np.arange(len(rows))})
        known = found.assign(key=others.to_numpy(), time=moments(table[right_time]))
        asked, known = asked.dropna().sort_values("time"), known.dropna(subset=["key", "time"]).sort_values("time")
        latest = pd.merge_asof(asked, known, on="time", by="key").set_index("row")
        added = latest[list(found.columns)].reindex(np.arange(len(rows))).set_axis(rows.index)
    return pd.concat([rows.drop(columns=list(added.columns), errors="ignore"), added], axis=1)


def aggregated(
    rows: pd.DataFrame,
    table: pd.DataFrame,
    left_on: Sequence[str],
    right_on: Sequence[str],
    prefix: str = "",
    *,
    numbers: Sequence[str] = (),
    categories: Mapping[str, Sequence[str]] | None = None,
    dates: Sequence[str] = (),
    left_time: str | None = None,
    right_time: str | None = None,
) -> pd.DataFrame:
    """The rows with what the rows of `table` with the same key come to: how many, their sums, usual values, last ones.

    Parameters
    ----------
    left_on, right_on, prefix
        As in `joined`.
    numbers
        Columns that are summed up: sum, mean, min, max and, when there is a time, the last value.
    categories
        By column, the values that are counted one by one; also the number of different values and the most frequent.
    dates
        Columns of which the first and the last are kept.
    left_time, right_time
        Rows of `table` later than the row's own time do not count. With `right_time` alone it gives the order.

    A row without any rows in `table` has counts and sums of 0 and is empty otherwise. Index and order of `rows` stay.
    """
    many = table.assign(_key=key_text(table, right_on).to_numpy()).dropna(subset=["_key"])
    many["_time"] = moments(many[right_time]) if right_time else 0
    asked = pd.DataFrame({"_key": key_text(rows, left_on).to_numpy(), "_row": np.arange(len(rows))})
    if left_time and right_time:
        asked["_until"] = moments(rows[left_time])
        many = many.merge(asked, on="_key")
        many = many[many["_time"] <= many["_until"]]
        group = "_row"
    else:
        group = "_key"
    many = many.sort_values("_time", kind="stable")
    groups = many.groupby(group, sort=False)
    found: dict[str, pd.Series] = {f"{prefix}count": groups.size().astype("float64")}
    for name in numbers:
        values = pd.to_numeric(many[name], errors="coerce").groupby(many[group], sort=False)
        for how in ("sum", "mean", "min", "max", *(["last"] if right_time else [])):
            found[f"{prefix}{name} {how}"] = values.agg(how).astype("float64")
    for name, shown in (categories or {}).items():
        texts = key_text(many, [name])
        by_key = texts.groupby(many[group], sort=False)
        found[f"{prefix}{name} different"] = by_key.nunique().astype("float64")
        sizes = pd.DataFrame({"group": many[group], "text": texts}).dropna().value_counts(sort=False)
        most = sizes.reset_index(name="n").sort_values(["n", "text"], ascending=[False, True]).drop_duplicates("group")
        found[f"{prefix}{name} most"] = most.set_index("group")["text"]
        for value in shown:
            count = (texts == value).groupby(many[group], sort=False).sum()
            found[f"{prefix}{name} = {value}"] = count.astype("float64")
    for name in dates:
        times = pd.to_datetime(many[name], errors="coerce").groupby(many[group], sort=False)
        found[f"{prefix}{name} first"], found[f"{prefix}{name} last"] = times.min(), times.max()
    added = pd.DataFrame(found).reindex(asked[group]).set_axis(rows.index)
    amounts = [n for n in added if n == f"{prefix}count" or n.endswith((" sum", " different")) or " = " in n]
    added[amounts] = added[amounts].fillna(0.0)
    return pd.concat([rows.drop(columns=list(added.columns), errors="ignore"), added], axis=1)


def key_text(table: pd.DataFrame, columns: Sequence[str]) -> pd.Series:
    """The key of every row as one text; none where a part is missing."""
    parts = []
    for name in columns:
        places, values = pd.factorize(table[name] if name in table else pd.Series(np.nan, index=table.index))
        texts = np.array([*map(one_key, values), None], dtype=object)  # the last for "no value", place -1
        parts.append(pd.Series(texts[places], index=table.index, dtype=object))
    key = parts[0]
    for part in parts[1:]:
        key = (key + "\x1f" + part).where(key.notna() & part.notna(), None)
    return key


def one_key(value: object) -> str:
    """A value as text, whole numbers without a point, dates without a time of midnight."""
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    text = str(value).strip()
    return text.removesuffix(" 00:00:00").removesuffix(".0")


def moments(values: pd.Series) -> np.ndarray:
    """Times as numbers that sort; years and other numbers stay what they are; NaN where there is none."""
    if pd.api.types.is_numeric_dtype(values):
        return values.to_numpy(dtype=float, na_value=np.nan)
    times = pd.to_datetime(values, errors="coerce")
    return np.where(times.isna(), np.nan, times.astype("int64").astype(float))
