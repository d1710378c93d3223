"""Cells that stand for "no value": texts such as `?` or `n/a`, and numbers such as -999."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

# Meaningless as a value in any column.
SIGNS = {
    "?", "??", "???", "-", "--", "---", "–", "—", "·", ".", "..", "...", "…", "*", "/", "#", "n/a", "#n/a", "#na", "n.a.", "n. a.",
    "<na>", "nan", "null", "(null)", "\\n", "nil", "#value!", "#ref!", "#div/0!", "#null!", "#name?", "#num!", "k.a.", "k. a.",
    "n.d.", "s/d", "n/d", "(missing)", "missing", "(blank)", "keine angabe", "not available", "not applicable", "no data",
}  # fmt: skip
MINUS = {"-", "--", "---", "–", "—"}
# Meaningless among numbers and dates, but words or codes elsewhere.
WORDS = {
    "na", "nd", "none", "no", "unknown", "unbekannt", "undefined", "inf", "-inf", "x", "xx", "tbd", "unk", "desconocido", "inconnu",
    "not known", "not specified", "others", "other", "void", "empty", "false", "未知", "无", "不明", "нет",
}  # fmt: skip


def signs_in(counts: Counter[str]) -> list[str]:
    """Cells that mean "no value" whatever the column holds, unless it is a scale of signs: `-` and `+`, `*` and `**`."""
    gaps = SIGNS - _scale(counts)
    found = [text for text in counts if text.strip().lower() in gaps or not text.strip()]
    return (
        found
        if len(found) < len(counts) or set(found) <= {"?", "-", "n/a", "N/A", "NULL", "null", "NaN", "nan"}
        else []
    )


def _scale(counts: Counter[str]) -> set[str]:
    """Signs that are values in this column, as they belong to others in it: minus to plus, one star to two, point to comma."""
    texts = {text.strip() for text in counts}
    if {",", "!", ";", ":", "(", ")"} & texts and "." in texts:
        return {text for text in SIGNS if not re.search(r"\w", text)}  # marks of sentences
    signs = MINUS if any(set(text) == {"+"} for text in texts) else set()
    return signs | {"*"} if "**" in texts else signs


def words_in(rest: Counter[str]) -> list[str]:
    """Of the few cells that are no number or date in such a column: those that mean "no value"."""
    return [text for text in rest if text.strip().lower() in SIGNS | WORDS]


def is_na_code(counts: Counter[str]) -> bool:
    """Whether `NA` is the gap in a column of words rather than one of its codes (as Namibia among countries)."""
    short = sum(bool(re.fullmatch(r"[A-Z]{2}", text)) for text in counts if text not in ("NA", "None"))
    return short >= 0.6 * max(1, len(counts) - 1)


def sentinels_in(values: pd.Series) -> list[str]:
    """Numbers that were written for "no value": they repeat and lie far outside of all others.

    Parameters
    ----------
    values
        The numbers of one column, NaN left out.
    """
    counts = values.value_counts()
    if len(counts) < 5:
        return []
    found = []
    candidates = {
        -1.0,
        -9.0,
        -99.0,
        -999.0,
        -9999.0,
        -99999.0,
        99.0,
        999.0,
        9999.0,
        99999.0,
        999999.0,
        -999.25,
        -99.9,
        999.9,
        -888.0,
    }
    for number in candidates & set(map(float, counts.index)):
        others = values[values != number]
        if len(others) == 0 or counts[number] < max(2, 0.0005 * len(values)):
            continue
        low, high = float(others.min()), float(others.max())
        middle, spread = float(others.median()), float(others.quantile(0.95) - others.quantile(0.05))
        if low <= number <= high:
            continue
        gap = number - high if number > high else low - number
        if number == -1.0:
            apart = low > 10 and gap > 0.5 * spread
        elif number < 0:
            apart = (low >= 0 and gap > 0.5 * (high - low or 1)) or gap > 2 * (high - low or 1)
        else:
            apart = (gap > 2 * max(high - low, spread) and gap > abs(high) * 0.5) or (
                gap > 20 * max(spread, 1) and number > 2 * abs(middle)
            )
        if apart:
            found.append(f"{number:g}" if abs(number) < 1e6 else str(int(number)))
    return sorted(found)
