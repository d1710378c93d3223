"""Series in files of their own form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pandas as pd

STEPS = {
    "sec": "s",
    "min": "min",
    "hou": "h",
    "day": "D",
    "dai": "D",
    "wee": "D",
    "mon": "MS",
    "qua": "QS",
    "yea": "YS",
    "ann": "YS",
}  # by the first letters of a unit
OWN_COLUMNS = ("timestamp", "step", "value")


def read_tsf(
    path: str | Path,
    *,
    names: Sequence[str] | None = None,
    drop_columns: Sequence[str] = (),
    missing_markers: Sequence[str] = (),
    nrows: int | None = None,
) -> pd.DataFrame:
    """One row a series and moment of a file of the Monash repository (Godahewa et al. 2021): its attributes, moment, value.

    Parameters
    ----------
    names
        Of the columns, in place of the file's own. Without a frequency that is known, moments are counted from 0.
    drop_columns, missing_markers
        Columns that are left out, and texts beside `?` that stand for no value.
    nrows
        Rows at most.

    Lines that end before their values, such as the last one of a file that was cut, are left out.

    Raises
    ------
    ValueError
        When the file has no series.
    """
    with open(path, encoding="utf-8", errors="replace") as file:
        attributes, step = tsf_header(file)
        lines = (line.strip() for line in file)
        whole = (line for line in lines if not line.startswith("#") and line.count(":") >= len(attributes))
        rows = list(islice(whole, nrows))
    if not rows or not attributes:
        raise ValueError(f"{Path(path).name} holds no series: after @data comes one line a series.")
    frequency = tsf_step(step)
    dates = [name for name, kind in attributes if kind == "date"]
    starts = dates if frequency else []
    parts: list[pd.DataFrame] = []
    length = 0
    for line in rows:
        *told, values = line.split(":")
        cells = dict(zip([name for name, _ in attributes], told, strict=False))
        texts = pd.Series(values.rstrip(", ").split(","), dtype=object).str.strip()
        found = pd.to_numeric(texts.mask(texts.isin(["?", "", *missing_markers])), errors="coerce")
        moments: Any = tsf_moments(cells[starts[0]], len(found), frequency) if starts else range(len(found))
        own = {
            f"{name}_" if name in OWN_COLUMNS else name: text.strip()
            for name, text in cells.items()
            if name not in dates
        }
        parts.append(pd.DataFrame({**own, "timestamp" if starts else "step": moments, "value": found}))
        length += len(found)
        if nrows is not None and length >= nrows:
            break
    frame = pd.concat(parts, ignore_index=True)[:nrows]
    if names:
        frame.columns = pd.Index(names)
    return frame.drop(columns=list(drop_columns))


def tsf_header(lines: Iterable[str]) -> tuple[list[tuple[str, str]], str]:
    """Names and types of a series' attributes, and the frequency or an empty text; `lines` are read up to `@data`."""
    attributes: list[tuple[str, str]] = []
    step = ""
    for line in lines:
        word, *rest = line.split() or [""]
        if word.lower() == "@data":
            break
        if word.lower() == "@attribute" and rest:
            *name, kind = rest
            attributes.append((" ".join(name), kind.lower()))
        elif word.lower() == "@frequency":
            step = " ".join(rest).lower()
    return attributes, step


def tsf_step(told: str) -> str:
    """The step of pandas for the frequency of such a file: `10_minutes`, `half_hourly`, `weekly`; empty when unknown."""
    if told == "half_hourly":
        return "30min"
    found = re.fullmatch(r"(?:([1-9]\d*)_?)?([a-z]{3})[a-z]*", told)
    if found is None or found[2] not in STEPS:
        return ""
    number = int(found[1] or 1) * (7 if found[2] == "wee" else 1)
    return f"{number}{STEPS[found[2]]}"


def tsf_moments(start: str, count: int, frequency: str) -> pd.DatetimeIndex:
    """Moments of a series; none where its start cannot be read or its end is past what pandas knows, the year 2262."""
    clock = re.sub(r"[ _](\d+)-(\d+)-(\d+)$", r" \1:\2:\3", start.strip())
    try:
        first = pd.Timestamp(clock or "none")
        if frequency[-2:] in ("MS", "QS", "YS"):  # a period has its first day's name
            first = first.to_period(frequency[-2]).start_time
        return pd.date_range(first, periods=count, freq=frequency)
    except ValueError:
        return pd.DatetimeIndex([pd.NaT] * count)
