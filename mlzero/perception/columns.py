"""What one column holds: numbers, dates, words, identifiers; how its cells are written and which mean nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mlzero.perception import compound, dates, missing, numbers
from mlzero.perception import goal as goals
from mlzero.perception.profile import ColumnKind, ColumnProfile, DateFormat

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

YES_OR_NO = [
    {"true", "false"}, {"yes", "no"}, {"y", "n"}, {"t", "f"}, {"ja", "nein"}, {"j", "n"}, {"oui", "non"}, {"o", "n"}, {"sí", "no"},
    {"si", "no"}, {"s", "n"}, {"sim", "não"}, {"да", "нет"}, {"是", "否"}, {"はい", "いいえ"}, {"wahr", "falsch"}, {"on", "off"},
    {"vrai", "faux"}, {"verdadero", "falso"}, {"0", "1"},
]  # fmt: skip
_ID_NAME = re.compile(
    r"(^|[_\W])(id|ids|uuid|guid|key|code|nr|no|number|num|index|idx|编号|序号)$|Id$|ID$|^(id|ID)[_A-Z]|^unnamed|nummer$|编号|_id\b",
)
_NEARLY_ALL = 0.98  # share of cells, words for "no value" aside, that must be numbers
_ENOUGH = 0.9  # the same when all others hold one and the same text
_MOST = 0.7  # the same when the numbers are so many different ones that they are amounts
_AMOUNTS = 20
_FEW = 100  # different numbers that may be classes


@dataclass
class Hints:
    """What the other columns of the table say."""

    comma_decimal: bool | None = None
    unsure: set[str] = field(default_factory=set)  # columns whose numbers can be read both ways


def describe(name: str, source_name: str, cells: pd.Series, hints: Hints | None = None) -> ColumnProfile:
    """Profile one column.

    Parameters
    ----------
    cells
        Text as read from the file, or typed values; no value as NaN.
    """
    import pandas as pd

    if pd.api.types.is_numeric_dtype(cells):
        return _describe_numbers(ColumnProfile(name=name, source_name=source_name, kind="number"), cells, len(cells))
    if pd.api.types.is_datetime64_any_dtype(cells):
        return _describe_dates(ColumnProfile(name=name, source_name=source_name, kind="date"), cells)
    return _describe_text(ColumnProfile(name=name, source_name=source_name, kind="text"), cells, hints or Hints())


def _describe_text(column: ColumnProfile, cells: pd.Series, hints: Hints) -> ColumnProfile:
    tally = cells.value_counts()
    counts: Counter[str] = Counter(dict(zip(map(str, tally.index), tally.to_numpy().tolist(), strict=True)))
    column.missing_markers = missing.signs_in(counts)
    for marker in column.missing_markers:
        del counts[marker]
    total = sum(counts.values())
    _tell(column, counts, len(cells) - total)
    if not counts:
        column.kind = "empty"
        return column
    column.leading_zeros = _leading_zeros(counts, total)
    values = numbers.plain_values(counts)
    if dates.plausible(counts, values) and (dated := _find_dates(column, counts)):
        return _as_dates(column, counts, dated)
    if not (column.leading_zeros or _code_like(counts, total)):
        found = numbers.find(counts, hints.comma_decimal, values)
        if found and _accept(column, counts, found):
            if found.ambiguous:
                hints.unsure.add(column.name)
            return _as_numbers(column, counts, found, values, len(cells))
    _as_words(column, counts)
    return column


def _leading_zeros(counts: Counter[str], total: int) -> bool:
    """Whether digits start with zeros that a number would lose."""
    zeros = [text for text in counts if text[:1] == "0" and text[1:2].isdigit() and text.strip().isdigit()]
    return (
        bool(zeros) and sum(counts[text] for text in zeros) > 0.001 * total and any(text.strip("0 ") for text in zeros)
    )


def _code_like(counts: Counter[str], total: int) -> bool:
    """Whether digits are account or telephone numbers: too long for a number, or with a plus in front."""
    if any(len(text) > 15 and re.fullmatch(r"\s*[-+]?\d{16,}\s*", text) for text in counts):
        return True
    return sum(n for text, n in counts.items() if text[:1] == "+") > 0.5 * total


def _find_dates(column: ColumnProfile, counts: Counter[str]) -> dates.Dates | None:
    """Dates, words for "no value" among them set aside."""
    if found := dates.find(counts):
        return found
    rest = missing.words_in(Counter({text: n for text, n in counts.items() if not any(map(str.isdigit, text))}))
    found = dates.find(Counter({text: n for text, n in counts.items() if text not in rest})) if rest else None
    if found:
        _drop_words(column, counts, rest)
    return found


def _drop_words(column: ColumnProfile, counts: Counter[str], words: list[str]) -> None:
    for word in words:
        column.missing += counts.pop(word)
        column.missing_markers.append(word)
    _tell(column, counts, column.missing)


def _tell(column: ColumnProfile, counts: Counter[str], missing_count: int) -> None:
    """Counts and examples that every kind of column has."""
    column.missing, column.unique = missing_count, len(counts)
    column.top = [(text[:200], n) for text, n in counts.most_common(20)]
    column.examples = _examples(list(counts))


def _examples(texts: Sequence[str]) -> list[str]:
    """Up to five of the texts, from the first to the last."""
    return [text[:200] for text in texts[:: max(1, len(texts) // 5)][:5]]


def _accept(column: ColumnProfile, counts: Counter[str], found: numbers.Numbers) -> bool:
    """Whether so many cells are numbers that the column is numeric; the others are noted and count as missing."""
    if len(found.fits) == len(counts):
        return True
    rest = Counter({text: n for text, n in counts.items() if text not in found.fits})
    words = missing.words_in(rest)
    bare = sum(counts.values()) - sum(rest[word] for word in words)
    strange = {text: n for text, n in rest.items() if text not in words}
    allowed = _ENOUGH if len(strange) <= 1 else _NEARLY_ALL
    if len(strange) == 1 and len(found.fits) >= _AMOUNTS:  # "on request" among prices
        allowed = _MOST
    if len(found.fits) < 3 or sum(strange.values()) > (1 - allowed) * bare:
        return False
    unread = {text: n for text, n in strange.items() if numbers.value_of(text, found.format) is None}
    if unread:
        shown = ", ".join(repr(text[:30]) for text in list(unread)[:3])
        count = sum(unread.values())
        column.notes.append(
            f"{count} cell{'s are no numbers' if count > 1 else ' is no number'} ({shown}) and count as missing."
        )
        column.missing += count
        column.number = found.format  # no parser takes these cells for numbers by itself
        column.strange = list(unread) if len(found.fits) <= _FEW else []
        for text in unread:
            del counts[text]
    _drop_words(column, counts, words)
    return True


def _as_numbers(
    column: ColumnProfile, counts: Counter[str], found: numbers.Numbers, values: np.ndarray | None, rows: int
) -> ColumnProfile:
    """Fill in a column of number texts; `values` are the distinct ones in order, where every parser reads them."""
    import numpy as np
    import pandas as pd

    from mlzero.semantic_memory.blocks.columns import to_number

    if values is None or not found.plain or len(values) != len(counts):
        values = to_number(pd.Series(list(counts), dtype=object), **found.format.model_dump()).to_numpy()
    column.kind = "number"
    if not found.plain:
        column.number = found.format
    if found.ambiguous:
        marked = next((text for text in counts if not text.strip(" +-").isdigit()), next(iter(counts)))
        column.notes.append(f"Numbers such as {marked!r} are read with {found.format.decimal!r} as the decimal mark.")
    repeated = pd.Series(np.repeat(values, list(counts.values())))
    return _describe_numbers(column, repeated, rows)


def _describe_numbers(column: ColumnProfile, values: pd.Series, rows: int) -> ColumnProfile:
    """Fill in a numeric column; `values` may leave missing ones out."""
    filled = values.dropna()
    if filled.empty:
        column.kind, column.missing = "empty", rows
        return column
    sentinels = missing.sentinels_in(filled)
    if sentinels:
        column.missing_markers = [*column.missing_markers, *sentinels]
        column.notes.append(f"{', '.join(sentinels)} stands far from all other numbers and counts as missing.")
        filled = filled[~filled.isin([float(number) for number in sentinels])]
    column.missing = rows - len(filled)
    column.unique = int(filled.nunique())
    column.integer = bool((filled % 1 == 0).all()) and float(filled.abs().max()) < 2**53
    column.minimum, column.maximum = float(filled.min()), float(filled.max())
    column.mean = float(filled.mean())
    skew = float(filled.astype(float).skew()) if column.unique > 2 else 0.0  # type: ignore[arg-type]
    column.skew = skew if skew == skew and abs(skew) != float("inf") else None
    if not column.top:
        shown = filled.astype("int64") if column.integer else filled
        column.top = [(str(value), int(n)) for value, n in shown.value_counts().head(20).items()]
        column.examples = [str(value) for value in shown.iloc[:: max(1, len(shown) // 5)].head(5)]
    column.kind = _number_kind(column, filled)
    return column


def _number_kind(column: ColumnProfile, filled: pd.Series) -> ColumnKind:
    if column.unique == 1 and column.missing == 0:
        return "constant"
    if column.integer and set(filled.unique()) == {0, 1}:
        return "boolean"
    distinct = column.unique == len(filled) and column.missing == 0
    if column.integer and distinct and len(filled) >= 10:
        years = column.minimum >= 1800 and column.maximum <= 2100 and len(filled) < 300  # type: ignore[operator]
        sequence = column.maximum - column.minimum + 1 <= 1.02 * len(filled)  # type: ignore[operator]
        if not years and (sequence or _ID_NAME.search(column.name)):
            return "identifier"
    return "number"


def _as_dates(column: ColumnProfile, counts: Counter[str], dated: dates.Dates) -> ColumnProfile:
    import pandas as pd

    from mlzero.semantic_memory.blocks.columns import to_date

    column.kind, column.date = "date", dated.format
    strange = sum(n for text, n in counts.items() if text not in dated.fits)
    if strange:
        column.missing += strange
        column.notes.append(f"{strange} cells are no dates and count as missing.")
    texts = pd.Series(sorted(dated.fits), dtype=object)

    def extremes(pattern: str, day_first: bool) -> list[str]:
        values = to_date(texts, pattern=pattern, day_first=day_first)
        return [_moment(values.min()), _moment(values.max())]

    column.minimum, column.maximum = extremes(dated.format.pattern, dated.format.day_first)
    if dated.format.ambiguous:
        column.date.swapped = extremes(dates.swapped(dated.format.pattern), not dated.format.day_first)
    return column


def _describe_dates(column: ColumnProfile, cells: pd.Series) -> ColumnProfile:
    filled = cells.dropna()
    column.missing, column.unique = len(cells) - len(filled), int(filled.nunique())
    if filled.empty:
        column.kind = "empty"
        return column
    column.date = DateFormat(pattern="ISO8601")
    column.minimum, column.maximum = _moment(filled.min()), _moment(filled.max())
    column.top = [(_moment(moment), int(n)) for moment, n in filled.value_counts().head(20).items()]
    column.examples = [_moment(moment) for moment in filled.iloc[:: max(1, len(filled) // 5)].head(5)]
    return column


def _moment(moment: object) -> str:
    """A date as ISO text, without a time of day at midnight."""
    return str(moment).removesuffix(" 00:00:00")


def _as_words(column: ColumnProfile, counts: Counter[str]) -> None:
    """Tell categories, identifiers and free text apart."""
    if "NA" in counts and not missing.is_na_code(counts) and len(counts) > 1:
        column.missing_markers.append("NA")
        column.missing += counts.pop("NA")
        _tell(column, counts, column.missing)
    total = sum(counts.values())
    words = sum(len(text.split()) * n for text, n in counts.items()) / total
    column.mean_words = round(words, 2)
    lowered = {text.strip().lower() for text in counts}
    distinct = len(counts) / total
    spaced = sum(n for text, n in counts.items() if re.search(r"\s", text.strip())) / total
    names_rows = _ID_NAME.search(column.name) or goals.named_as_id(column.name)
    column.parts = 0 if names_rows else compound.numbers_in(counts)
    if column.parts:
        column.kind = "category"
        column.examples = _examples(compound.with_numbers(counts, column.parts))
    elif len(lowered) == 1 and column.missing == 0:
        column.kind = "constant"
    elif len(lowered) == 2 and any(lowered == pair for pair in YES_OR_NO):
        column.kind = "boolean"
    elif distinct > 0.95 and total >= 10 and spaced < 0.1 and not _wordy(counts):
        column.kind = "identifier"
    elif (
        (words >= 4 and distinct > 0.3)
        or (words >= 2 and distinct > 0.7 and total >= 20)
        or (words >= 8 and len(counts) > 20)
        or (distinct > 0.95 and total >= 50 and _wordy(counts))
    ):
        column.kind = "text"
    else:
        column.kind = "category"


def _wordy(counts: Counter[str]) -> bool:
    """Whether cells without blanks are sentences all the same (Chinese, Japanese, Thai) or long."""
    probe = list(counts)[:500]
    scripts = sum(bool(re.search(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]{6,}", text)) for text in probe)
    return scripts > 0.5 * len(probe)


def adopt_order(column: ColumnProfile, *, day_first: bool, settled: bool = True) -> None:
    """Read an ambiguous column of dates day first, or month first; `settled`: it is ambiguous no longer."""
    found = column.date
    assert found is not None
    if found.day_first != day_first:
        now = [str(column.minimum), str(column.maximum)]
        column.minimum, column.maximum = found.swapped
        found = DateFormat(pattern=dates.swapped(found.pattern), day_first=day_first, ambiguous=True, swapped=now)
    column.date = DateFormat(pattern=found.pattern, day_first=day_first) if settled else found
