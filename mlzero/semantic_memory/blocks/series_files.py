"""Series in files of their own form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pandas as pd

STEPS = {
    "yearly": "YS", "quarterly": "QS", "monthly": "MS", "weekly": "7D", "daily": "D", "hourly": "h", "half_hourly": "30min",
    "minutely": "min", "secondly": "s",
}  # fmt: skip


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
        Of the columns, in place of the file's own.
    drop_columns, missing_markers
        Columns that are left out, and texts beside `?` that stand for no value.
    nrows
        Rows at most.

    Raises
    ------
    ValueError
        When the file has no series.
    """
    attributes: list[tuple[str, str]] = []
    step = ""
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in map(str.strip, file):
            word, _, rest = line.partition(" ")
            if word.lower() == "@attribute":
                name, _, kind = rest.strip().rpartition(" ")
                attributes.append((name.strip(), kind.lower()))
            elif word.lower() == "@frequency":
                step = rest.strip().lower()
            elif word.lower() == "@data":
                break
        rows = [line.strip() for line in islice(file, nrows) if line.strip() and not line.startswith("#")]
    if not rows or not attributes:
        raise ValueError(f"{Path(path).name} holds no series: after @data comes one line a series.")
    number, _, unit = step.partition("_")
    frequency = f"{number}{unit.rstrip('s')[:3].replace('sec', 's').replace('hou', 'h').replace('day', 'D')}" if number.isdecimal() else STEPS.get(step, "")  # fmt: skip
    starts = [name for name, kind in attributes if kind == "date"]
    parts: list[pd.DataFrame] = []
    length = 0
    for line in rows:
        *told, values = line.split(":")
        cells = dict(zip([name for name, _ in attributes], told, strict=False))
        texts = pd.Series(values.split(","), dtype=object).str.strip()
        found = pd.to_numeric(texts.mask(texts.isin(["?", "", *missing_markers])), errors="coerce")
        moments: Any = range(len(found))
        if starts and frequency:
            clock = re.sub(r"[ _](\d+)-(\d+)-(\d+)$", r" \1:\2:\3", cells[starts[0]].strip())
            moments = pd.date_range(pd.Timestamp(clock), periods=len(found), freq=frequency)
        own = {name: value.strip() for name, value in cells.items() if name not in starts}
        parts.append(pd.DataFrame({**own, "timestamp" if starts else "step": moments, "value": found}))
        length += len(found)
        if nrows is not None and length >= nrows:
            break
    frame = pd.concat(parts, ignore_index=True)[:nrows]
    if names:
        frame.columns = pd.Index(names)
    return frame.drop(columns=list(drop_columns))
