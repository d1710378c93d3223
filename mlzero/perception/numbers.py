"""Which way the numbers of a text column are written: decimal mark, thousands mark, currency and units."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlzero.perception.profile import ColumnProfile, NumberFormat
from mlzero.perception.task import WrittenNumber

if TYPE_CHECKING:
    import numpy as np

_SPACES = "   "
_CORE = re.compile(rf"[-+−]?(?:\d[\d.,'’{_SPACES} ]*\d|\d)[.,]?(?:[eE][-+]?\d+)?|[-+−]?[.,]\d+(?:[eE][-+]?\d+)?")
_PLAIN = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
_BOTH_WAYS = re.compile(r"[-+]?[1-9]\d{0,2}\.\d{3}")
_BOTH_WAYS_OR_BELOW_1000 = re.compile(r"[-+]?(?:[1-9]\d{0,2}\.\d{3}|\d{1,3})")
_BEFORE = re.compile(
    r"[-+−(]?\s?(?:[$€£¥₹₽₩₺₴฿~≈<>≤≥#]|R\$|US\$|A\$|C\$|HK\$|NT\$|Rs\.?|RM|kr\.?|zł|Kč|Fr\.?|CHF|USD|EUR|GBP|JPY|CNY|RMB|INR|DM|AUD|CAD)?\s?[-+−(]?",
    re.IGNORECASE,
)
_CERTAIN = 10  # distinct cells with three digits after their only comma: thousands
_CODES = re.compile(r"\d{1,4}(st|nd|rd|th|er|e|º|ª)", re.IGNORECASE)


@dataclass(frozen=True)
class Numbers:
    """A reading of a column as numbers."""

    format: NumberFormat
    fits: frozenset[str]  # cells that are numbers under it
    ambiguous: bool = False  # `1.234` may be 1234 or 1.234
    plain: bool = False  # every parser reads the cells that fit


def plain_values(counts: Counter[str]) -> np.ndarray | None:
    """The distinct cells as numbers when every parser reads all of them, else None."""
    import numpy as np
    import pandas as pd

    try:
        values = pd.to_numeric(pd.Series(list(counts), dtype=object)).to_numpy(dtype=float)
    except (ValueError, TypeError):
        return None
    return values if np.isfinite(values).all() else None


def value_of(text: str, how: NumberFormat) -> float | None:
    """One cell as a number, None when it is none."""
    import pandas as pd

    from mlzero.semantic_memory.blocks.columns import to_number

    value = to_number(pd.Series([text], dtype=object), **how.model_dump()).iloc[0]
    return None if pd.isna(value) else float(value)


def written(example: str, shown: ColumnProfile, known: ColumnProfile | None) -> WrittenNumber:
    """How to write numbers as one cell of a column does.

    Parameters
    ----------
    example
        The cell.
    shown
        Its column.
    known
        A column with true values, whose places after the decimal mark count as well.
    """
    text = example.strip()
    found = _CORE.search(text)
    assert found is not None and shown.number is not None
    core = found.group().strip()
    start = text.index(core)
    before, after = text[:start].rstrip("-+−"), text[start + len(core) :]
    places = [_places(cell, column.number) for column in (shown, known) if column for cell, _ in column.top]
    return WrittenNumber(
        before=before, after=after, decimal=shown.number.decimal, thousands=shown.number.thousands, places=max(places, default=0)
    )  # fmt: skip


def _places(text: str, how: NumberFormat | None) -> int:
    """Digits after the decimal mark of a cell."""
    found = re.search(rf"{re.escape(how.decimal if how else '.')}(\d+)", text)
    return len(found[1]) if found else 0


def find(
    counts: Counter[str], comma_decimal: bool | None = None, plain_numbers: np.ndarray | None = None
) -> Numbers | None:
    """How the cells of a column are numbers, or None when hardly any is.

    Parameters
    ----------
    counts
        Distinct cells with how often they occur, missing ones left out.
    comma_decimal
        What other columns of the table use, for cells that could be read both ways.
    plain_numbers
        The cells' `plain_values`.
    """
    if plain_numbers is not None:
        fits = frozenset(counts)
        cells = [text.strip() for text in counts]
        ambiguous = any(map(_BOTH_WAYS.fullmatch, cells)) and all(map(_BOTH_WAYS_OR_BELOW_1000.fullmatch, cells))
        if ambiguous and comma_decimal:
            return Numbers(NumberFormat(decimal=",", thousands="."), fits, ambiguous=True)
        return Numbers(NumberFormat(), fits, ambiguous=ambiguous, plain=True)
    plain = frozenset(text for text in counts if _PLAIN.fullmatch(text.strip()))
    parts = {text: split for text in counts if (split := _split(text)) is not None}
    if not parts:
        return None
    befores = Counter({b: 0 for b, _, _ in parts.values()})
    afters: Counter[str] = Counter()
    for text, (before, _, after) in parts.items():
        befores[before] += counts[text]
        afters[after] += counts[text]
    kept = {a for a, n in afters.items() if not a or n >= 0.02 * sum(afters.values())}
    words = {a for a in kept if a and re.search(r"[^\W\d_]", a)}
    if len(words) > 2:
        return None
    parts = {text: split for text, split in parts.items() if split[2] in kept}
    cores = [core for _, core, _ in parts.values()]
    decimal, thousands, ambiguous = _marks(cores, comma_decimal)
    shape = re.compile(_pattern(decimal, thousands))
    fits = frozenset(text for text, (_, core, _) in parts.items() if shape.fullmatch(core))
    affixes = sorted({b.strip("-+−( ") for b in befores} | {a.strip(") -") for a in kept} - {""}, key=len, reverse=True)
    found = NumberFormat(decimal=decimal, thousands=thousands, affixes=[a for a in affixes if a])
    return Numbers(found, fits, ambiguous=ambiguous, plain=fits == plain)


def _split(text: str) -> tuple[str, str, str] | None:
    """Text before the number, the number, the text after it; None for codes and words."""
    text = text.strip()
    found = _CORE.search(text)
    if found is None or not _BEFORE.fullmatch(text[: found.start()]):
        return None
    core, after = found.group().strip(), text[found.end() :].strip()
    if re.search(r"\d", after.replace("m2", "").replace("m3", "")) or len(after) > 14 or len(after.split()) > 2:
        return None
    if _CODES.fullmatch(text) or (re.match(r"[-/:]", after) and after != "-"):
        return None
    return text[: found.start()].strip(), core, after


def _pattern(decimal: str, thousands: str) -> str:
    d, t = re.escape(decimal), re.escape(thousands)
    grouped = rf"\d{{1,3}}(?:{t}\d{{2,3}})*{t}\d{{3}}|" if thousands else ""
    return rf"[-+−]?(?:(?:{grouped}\d+)(?:{d}\d*)?|{d}\d+)(?:[eE][-+]?\d+)?"


def _marks(cores: list[str], comma_decimal: bool | None) -> tuple[str, str, bool]:
    """Decimal mark, thousands mark, and whether both readings are possible."""
    votes: Counter[str] = Counter()
    grouping: Counter[str] = Counter()
    undecided: Counter[str] = Counter()
    for core in cores:
        for mark in "'’" + _SPACES + " ":
            if re.search(rf"\d{re.escape(mark)}\d{{3}}(?!\d)", core):
                grouping[mark] += 1
        comma, dot = core.rfind(","), core.rfind(".")
        if comma >= 0 and dot >= 0:
            votes["," if comma > dot else "."] += 1
            grouping["." if comma > dot else ","] += 1
            continue
        mark = "," if comma >= 0 else "." if dot >= 0 else ""
        if not mark:
            continue
        if core.count(mark) > 1:
            grouping[mark] += 1
        elif re.fullmatch(rf"[-+−]?[1-9]\d{{0,2}}{re.escape(mark)}\d{{3}}", core):
            undecided[mark] += 1
        else:
            votes[mark] += 1
    decimal = max(votes, key=lambda mark: votes[mark]) if votes else ""
    thousands = max((m for m in grouping if m != decimal), key=lambda mark: grouping[mark], default="")
    ambiguous = False
    if undecided:
        mark = max(undecided, key=lambda m: undecided[m])
        if mark in (decimal, thousands):
            pass
        elif decimal or (thousands and thousands != mark):
            if not thousands:
                thousands = mark
            elif not decimal:
                decimal = mark
        elif comma_decimal is not None and (mark == "." or undecided[mark] < _CERTAIN):
            decimal, thousands = (",", ".") if comma_decimal else (".", ",")
            ambiguous = True
        else:
            ambiguous = mark == "." or undecided[mark] < _CERTAIN
            decimal, thousands = ".", "," if mark == "," else ""
    if not decimal:
        decimal = "," if thousands == "." else "."
    return decimal, thousands, ambiguous
