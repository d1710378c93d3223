"""Turn text columns into numbers and dates. Every function stands alone, ready to be pasted into a script."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd


def to_number(values: pd.Series, *, decimal: str = ".", thousands: str = "", affixes: Sequence[str] = ()) -> pd.Series:
    """Numbers out of cells such as `1.049,00 DM`, `$1,200` or `(3.5)`.

    Currency signs and units around the number are ignored, those in `affixes` and any other; a cell with
    digits left over is no number and becomes NaN. When most cells do not fit, the column was written with
    other marks and is read again with those. Numeric columns come back unchanged.
    """
    if pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values):
        return values
    seen = values.dropna().unique()
    best: dict[object, float] = {}
    for point, group in dict.fromkeys([(decimal, thousands), (".", ""), (".", ","), (",", "."), (",", " ")]):
        found = {cell: one_number(cell, point, group, affixes) for cell in seen}
        fits = sum(number == number for number in found.values())
        if not best or fits > sum(number == number for number in best.values()):
            best = found
        if 2 * fits >= len(seen):
            break
    return pd.to_numeric(values.map(best))


def one_number(cell: object, decimal: str, thousands: str, affixes: Sequence[str]) -> float:
    """The number in one cell, NaN when there is none or more than one."""
    if isinstance(cell, (int, float, np.number)):
        return float(cell)
    text = str(cell).strip()
    for affix in affixes:
        text = text.replace(affix, " ")
    point, group = re.escape(decimal), re.escape(thousands)
    whole = rf"(?:\d{{1,3}}(?:{group}\d{{2,3}})*{group}\d{{3}}(?!\d)|\d+)" if thousands else r"\d+"
    found = re.search(rf"[-+−]?\s?(?:{whole}(?:{point}\d*)?|{point}\d+)(?:[eE][-+]?\d+)?", text)
    if found is None:
        return np.nan
    before, after = text[: found.start()].strip(), text[found.end() :].strip()
    if re.search(r"\d", before + after):
        return np.nan
    digits = found.group().replace("−", "-").replace(" ", "")
    if thousands:
        digits = digits.replace(thousands, "")
    value = float(digits.replace(decimal, "."))
    negative = before.endswith(("(", "-", "−")) or after == "-"
    return -abs(value) if negative else value


def to_date(values: pd.Series, *, pattern: str = "ISO8601", day_first: bool = False) -> pd.Series:
    """Dates of one column, all read by the same `pattern` (strptime codes, `ISO8601` or `mixed`).

    Cells that do not fit become NaT. When most cells do not fit, the column was written in another way and is
    read again as ISO 8601, then loosely. Time zones are turned into UTC. Two-digit years that would lie
    more than twenty years ahead belong to the century before.
    """
    if pd.api.types.is_datetime64_any_dtype(values):
        return values.dt.tz_convert("UTC").dt.tz_localize(None) if values.dt.tz is not None else values
    seen = values.dropna().unique()
    text = pd.Series(seen, dtype="string").str.strip().str.replace(r"\.0$", "", regex=True)
    dates = pd.Series(pd.NaT, index=text.index, dtype="datetime64[ns]")
    for attempt in dict.fromkeys([pattern, "ISO8601", "mixed"]):
        dates = pd.to_datetime(text, format=attempt, dayfirst=day_first, errors="coerce", utc=True).dt.tz_localize(None)
        if attempt == pattern and "%y" in pattern:
            ahead = dates > pd.Timestamp.now() + pd.DateOffset(years=20)
            dates = dates.where(~ahead, dates - pd.DateOffset(years=100))
        if 2 * dates.notna().sum() >= len(seen):
            break
    return values.map(dates.set_axis(seen)).astype("datetime64[ns]")


def without_markers(values: pd.Series, markers: Sequence[str]) -> pd.Series:
    """The column with cells that stand for "no value", such as `?` or `9999`, turned into NaN."""
    if pd.api.types.is_numeric_dtype(values):
        numbers = pd.to_numeric(pd.Series(list(markers), dtype=object), errors="coerce").dropna()
        return values.mask(values.isin(numbers))
    return values.mask(values.isin(list(markers)))


def one_spelling(values: pd.Series, labels: Sequence[str]) -> pd.Series:
    """The column with cells that differ from one of the labels only in capitals or blanks turned into that label."""
    known = {letters_of(label): label for label in labels}
    texts = [cell for cell in values.dropna().unique() if isinstance(cell, str)]
    other = {text: known[letters_of(text)] for text in texts if letters_of(text) in known}
    return values.map(lambda cell: other.get(cell, cell))


def letters_of(text: str) -> str:
    """A text without regard to capitals and to blanks around it."""
    return " ".join(text.split()).casefold()


def convert_columns(
    frame: pd.DataFrame,
    *,
    numbers: Mapping[str, Mapping[str, object]] | None = None,
    dates: Mapping[str, Mapping[str, object]] | None = None,
    markers: Mapping[str, Sequence[str]] | None = None,
    labels: Mapping[str, Sequence[str]] | None = None,
) -> pd.DataFrame:
    """Columns turned into what they hold.

    Parameters
    ----------
    numbers, dates
        By column, the keywords for `to_number` and `to_date`.
    markers
        By column, texts or numbers that mean "no value".
    labels
        By column, labels that stand there in other capitals or with blanks around, too.

    Columns that the frame does not have are passed over.
    """
    frame = frame.copy(deep=False)
    for name, texts in (markers or {}).items():
        if name in frame:
            frame[name] = without_markers(frame[name], texts)
    for name, how in (numbers or {}).items():
        if name in frame:
            frame[name] = to_number(frame[name], **how)  # type: ignore[arg-type]
    for name, how in (dates or {}).items():
        if name in frame:
            frame[name] = to_date(frame[name], **how)  # type: ignore[arg-type]
    for name, spelled in (labels or {}).items():
        if name in frame:
            frame[name] = one_spelling(frame[name], spelled)
    return frame
