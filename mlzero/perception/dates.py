"""Which one format the dates of a text column have."""

from __future__ import annotations

import itertools
import re
import warnings
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlzero.perception.profile import DateFormat

if TYPE_CHECKING:
    import numpy as np

_TIMES = [
    "",
    " %H:%M",
    " %H:%M:%S",
    " %H:%M:%S.%f",
    " %I:%M %p",
    " %I:%M:%S %p",
    "T%H:%M",
    "T%H:%M:%S",
    ", %H:%M",
    ", %H:%M:%S",
]
_DAYS_FIRST = ["%d/%m/%Y", "%d-%m-%Y", "%d.%m.%Y", "%d/%m/%y", "%d-%m-%y", "%d.%m.%y", "%d %m %Y"]
_MONTHS_FIRST = ["%m/%d/%Y", "%m-%d-%Y", "%m.%d.%Y", "%m/%d/%y", "%m-%d-%y", "%m.%d.%y", "%m %d %Y"]
_YEARS_FIRST = ["%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%Y%m%d", "%Y-%m", "%Y/%m", "%Y年%m月%d日", "%Y年%m月"]
_NAMED = [
    "%d-%b-%Y", "%d-%b-%y", "%d %b %Y", "%d %B %Y", "%d. %B %Y", "%b %d, %Y", "%B %d, %Y", "%b %d %Y", "%B %d %Y", "%a %b %d %Y",
    "%a, %d %b %Y", "%A, %d %B %Y", "%A, %B %d, %Y", "%b-%y", "%b-%Y", "%b %Y", "%B %Y", "%y-%b", "%Y-%b", "%d/%b/%Y", "%d%b%Y",
    "%m/%Y", "%m-%Y", "%m.%Y",
]  # fmt: skip
_ENOUGH = 0.95
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?\s?(Z|[-+]\d{2}:?\d{2})?)?")
_DATE_LIKE = re.compile(r"\d.*[-/.:年 ]|[A-Za-zÀ-ÿ]{3,}[-/., ]+\d|\d{8}")


@dataclass(frozen=True)
class Dates:
    """A reading of a column as dates."""

    format: DateFormat
    fits: frozenset[str]


def find(counts: Counter[str]) -> Dates | None:
    """The format nearly all cells share, or None.

    A column whose cells all read both day first and month first is marked ambiguous; the reading in which
    the dates lie closer to a regular rhythm is proposed.
    """
    texts = list(counts)
    total = sum(counts.values())
    if not texts:
        return None
    iso = frozenset(text for text in texts if _ISO.fullmatch(text.strip()))
    if sum(counts[text] for text in iso) >= _ENOUGH * total:
        days = [t for t in texts[:2000] if t in iso]
        return (
            Dates(DateFormat(pattern="ISO8601"), iso) if len(_parsed(days, "ISO8601")) >= _ENOUGH * len(days) else None
        )
    found = {}
    probe = _spread(texts, 60)
    for pattern in _candidates(probe):
        if len(_parsed(probe, pattern)) < _ENOUGH * len(probe):
            continue
        fits = frozenset(_parsed(texts, pattern))
        if sum(counts[text] for text in fits) >= _ENOUGH * total:
            found[pattern] = fits
    if not found:
        return _mixed(texts, counts, total)
    best = max(found, key=lambda pattern: sum(counts[text] for text in found[pattern]))
    most = len(found[best])
    other = swapped(best)
    two_way = best != other and len(found.get(other, ())) == most and "%d" in best
    if two_way:
        best = _preferred(best, other, texts)
    ambiguous = two_way and "." not in best
    day_first = "%d" in best and "%m" in best and best.index("%d") < best.index("%m") and not best.startswith("%Y")
    return Dates(DateFormat(pattern=best, day_first=day_first, ambiguous=ambiguous), found[best])


def swapped(pattern: str) -> str:
    """The pattern with day and month exchanged."""
    return pattern.replace("%d", "\0").replace("%m", "%d").replace("\0", "%m")


def plausible(counts: Counter[str], values: np.ndarray | None) -> bool:
    """A quick look that spares most columns the parsing; `values` are the cells as plain numbers, if they are."""
    if values is not None:
        return (
            bool((values >= 19000101).all() and (values <= 21001231).all() and (values % 1 == 0).all())
            and len(values) > 1
        )
    texts = [text for text in itertools.islice(counts, 50) if any(map(str.isdigit, text))]
    likely = sum(bool(_DATE_LIKE.search(text)) and len(text.strip()) <= 40 for text in texts)
    return bool(texts) and likely >= 0.9 * len(texts)


def _spread(texts: list[str], count: int) -> list[str]:
    step = max(1, len(texts) // count)
    return texts[::step][:count]


def _candidates(probe: list[str]) -> list[str]:
    """Patterns with the right marks, with every ending for the time of day that fits the probe."""
    example = probe[0].strip()
    compact = all(re.fullmatch(r"(19|20)\d{6}", text.strip()) for text in probe)
    days = [*_DAYS_FIRST, *_MONTHS_FIRST, *_YEARS_FIRST, *_NAMED]
    if re.fullmatch(r"\d+(\.\d+)?", example):
        return ["%Y%m%d"] if compact else []
    clock = any(":" in text for text in probe)
    marks = [time for time in _TIMES if bool(time) == clock]
    return [day + time for day in days for time in marks if _same_marks(day + time, example)]


def _same_marks(pattern: str, example: str) -> bool:
    """Whether the separating signs agree in order."""
    plain = re.sub(r"%[a-zA-Z]", "", pattern)
    return re.sub(r"\s+", "", plain) == re.sub(r"[\s\w]", "", example) or "年" in pattern or "T" in pattern


def _parsed(texts: list[str], pattern: str) -> list[str]:
    """The texts that are dates of a sensible year under the pattern."""
    import pandas as pd

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        dates = pd.to_datetime(pd.Series(texts, dtype=object).str.strip(), format=pattern, errors="coerce", utc=True)
    good = dates.dt.year.between(1700, 2200).to_numpy()
    return [text for text, fine in zip(texts, good, strict=True) if fine]


def _preferred(one: str, other: str, texts: list[str]) -> str:
    """Of a pattern and its day/month swap, the one whose dates come at more regular steps."""
    import pandas as pd

    def roughness(pattern: str) -> float:
        dates = (
            pd.to_datetime(pd.Series(texts).str.strip(), format=pattern, errors="coerce")
            .dropna()
            .drop_duplicates()
            .sort_values()
        )
        steps = dates.diff().dt.days.iloc[1:]
        return float(steps.std() / (steps.mean() or 1)) if len(steps) > 3 else 0.0

    day_first, month_first = (one, other) if one.index("%d") < one.index("%m") else (other, one)
    if "." in one:
        return day_first
    smooth_day, smooth_month = roughness(day_first), roughness(month_first)
    if abs(smooth_day - smooth_month) > 0.2:
        return day_first if smooth_day < smooth_month else month_first
    return month_first if "/" in one else day_first


def _mixed(texts: list[str], counts: Counter[str], total: int) -> Dates | None:
    """A column in several date formats, when each cell for itself is clearly a date."""
    probe = _spread(texts, 200)
    if sum(bool(re.search(r"\d{4}|\d{2}[-/.]\d{2}", t)) and len(t) <= 30 for t in probe) < 0.95 * len(probe):
        return None
    if all(re.fullmatch(r"[\d.,\s]+", t) for t in probe) or len(_parsed(probe, "mixed")) < 0.98 * len(probe):
        return None
    fits = frozenset(_parsed(texts, "mixed"))
    if sum(counts[text] for text in fits) < 0.98 * total:
        return None
    found = [m for t in texts if (m := re.match(r"(\d{1,2})([-/.])(\d{1,2})[-/.]\d{2,4}", t.strip()))]
    told = [m for m in found if int(m[1]) > 12 or int(m[3]) > 12]
    dotted = bool(found) and all(m[2] == "." for m in found)  # as only those write dates who put the day first
    day_first = any(int(m[1]) > 12 for m in told) or (dotted and not told)
    ambiguous = bool(found) and not told and not dotted
    return Dates(DateFormat(pattern="mixed", day_first=day_first, ambiguous=ambiguous), fits)
