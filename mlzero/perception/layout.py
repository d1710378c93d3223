"""Where in a grid of cells the table stands: title rows, header, units, notes at the end."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from statistics import median

from mlzero.semantic_memory.blocks.headers import with_groups

Grid = Sequence[Sequence[object]]

_NUMBER = re.compile(
    r"[-+−(]?\s?[$€£¥₹]?\s?[-+]?(\d[\d.,'’   ]*|\.\d+)([eE][-+]?\d+)?\s?(%|[$€£¥₹]|DM|EUR|USD|CHF|kr)?\)?"
)
_DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([ T]\d{1,2}:\d{2}.*)?|\d{1,2}:\d{2}(:\d{2})?")
_TOTALS = {
    "total", "totals", "grand total", "sum", "summe", "gesamt", "insgesamt", "totaux", "somme", "suma", "totale",
    "totaal", "итого", "всего", "合计", "总计", "合計", "소계", "합계",
}  # fmt: skip


_UNIT = 15  # letters of the longest unit


@dataclass
class Layout:
    """Row numbers count the grid's rows from zero."""

    header: int | None  # row of the column names
    first: int  # first data row
    footer: int  # non-blank rows at the end that are no data
    names: list[str]  # as written; the row of groups above them helps where names alone repeat or are missing
    repeated: bool = False  # the header comes again among the rows
    units: bool = False  # a row of units stands under the header
    notes: list[str] = field(default_factory=list)


def filled(cell: object) -> bool:
    return cell is not None and cell != "" and not (isinstance(cell, str) and not cell.strip())


def is_value(cell: object) -> bool:
    """Whether a cell is a number, a date or a truth value rather than words."""
    if isinstance(cell, (bool, int, float, datetime, date, time)):
        return True
    text = str(cell).strip()
    return bool(_NUMBER.fullmatch(text) or _DATE.fullmatch(text))


def find(head: Grid, tail: Grid | None = None, width: int | None = None) -> Layout:
    """The layout of a table.

    Parameters
    ----------
    head
        The first rows, blank ones included; cells are text or typed values.
    tail
        The last rows when `head` is not the whole table.
    width
        Columns of the table, where the separators tell it.
    """
    tail = head if tail is None else tail
    counts = [sum(map(filled, row)) for row in head]
    width = width or _width(head, counts)
    start = _body_start(head, counts, width)
    header = start if _is_header(head, start, width) else None
    first = start if header is None else start + 1
    layout = Layout(header, first, 0, [])
    if header is not None:
        groups = header - 1
        after = next((i for i in range(first, len(head)) if counts[i]), None)
        under = _words_over_numbers(head, after, width) if after is not None else []
        if after is not None and under and _are_groups(head[header], head[after], width):
            groups, start = header, after
            layout.header, layout.first = after, after + 1
        elif after is not None and sum(len(word) <= _UNIT for word in under) >= 0.5 * len(under) > 0:
            layout.first, layout.units = after + 1, True
            layout.notes.append("The row of units under the header was left out.")
        names = _texts(head[layout.header or 0], width)
        layout.names = with_groups(names, _texts(head[groups], width)) if groups >= 0 else names
        layout.repeated = any(_same(names, row) for row in head[layout.first :])
        if layout.names != names:
            start = groups
            layout.notes.append("Two rows together name the columns.")
        if layout.repeated:
            layout.notes.append("Rows that repeat the header were left out.")
    if start:
        above = sum(1 for count in counts[:start] if count)
        if above:
            layout.notes.append(
                f"{above} title row{'s' if above > 1 else ''} above the table {'were' if above > 1 else 'was'} left out."
            )
    layout.footer = _footer(tail, head[layout.first :], width)
    if layout.footer:
        several = layout.footer > 1
        layout.notes.append(
            f"{layout.footer} row{'s' if several else ''} of notes or totals at the end {'were' if several else 'was'} left out."
        )
    return layout


def _padded(row: Sequence[object], width: int) -> list[object]:
    return [*row, *[""] * (width - len(row))]


def _last(row: Sequence[object]) -> int:
    """Cells up to the last filled one."""
    return max((i + 1 for i, cell in enumerate(row) if filled(cell)), default=0)


def _width(head: Grid, counts: list[int]) -> int:
    """Columns of the table: as far as rows commonly reach."""
    reach = Counter(_last(row) for row, count in zip(head, counts, strict=True) if count)
    if not reach:
        return 0
    total = sum(reach.values())
    return max((width for width, count in reach.items() if count >= max(1, 0.02 * total)), default=max(reach))


def _body_start(head: Grid, counts: list[int], width: int) -> int:
    """The first row that is as wide as the table, in names or in values."""
    usual = median([count for count in counts if count] or [0])
    for i, count in enumerate(counts):
        if count == 0:
            continue
        if width <= 1:
            return i
        wide = count >= max(2, 0.6 * min(width, max(usual, 2)))
        if not wide:
            continue
        below = next((j for j in range(i + 1, len(counts)) if counts[j]), None)
        if below is None:
            return i
        if (
            counts[below] > 1.3 * count
            and counts[below] > count + 1
            and not any(is_value(c) for c in head[i] if filled(c))
            and i < 15
        ):
            continue  # a row of groups, or a title with several cells
        return i
    return 0


def _is_header(head: Grid, start: int, width: int) -> bool:
    """Whether row `start` names the columns."""
    row = _padded(head[start], width)
    names = [str(cell).strip() for cell in row if filled(cell)]
    if not names or width == 0:
        return False
    below = [
        _padded(other, width)
        for other in head[start + 1 : start + 400]
        if any(map(filled, other)) and other != head[start]
    ]
    values = [cell for cell in row if filled(cell) and is_value(cell)]
    if values and not (_is_sequence(values) and len(names) - len(values) >= 1 and below):
        return False
    if not below:
        return not values
    if any(len(name) > 120 for name in names):
        return False
    differs = repeats = columns = 0
    for i, name in enumerate(row):
        cells = [other[i] for other in below if filled(other[i])]
        if not filled(name) or not cells:
            continue
        columns += 1
        numeric = sum(map(is_value, cells)) >= 0.7 * len(cells)
        if numeric and not is_value(name):
            differs += 1
        texts = Counter(str(cell).strip() for cell in cells)
        if texts[str(name).strip()] > 0 and not numeric and texts[str(name).strip()] >= 0.02 * len(cells):
            repeats += 1
    if differs:
        return repeats <= differs
    if repeats or len(set(names)) < len(names):
        return False
    if len(values) == len(names):
        return False
    return _looks_named(names, below, width)


def _looks_named(names: list[str], below: list[list[object]], width: int) -> bool:
    """Of a table of words only: whether the first row reads like names and not like one more row."""
    empty = sum(not any(filled(row[i]) for row in below) for i in range(width))
    if empty > width / 2:
        return True
    short = sum(len(name) <= 40 and len(name.split()) <= 5 for name in names) >= 0.9 * len(names)
    if not short:
        return False
    if any(
        re.fullmatch(r"[^\W\d]\w*([_.]\w+)+|[^\W\d]\w{0,30}", name) is None and len(name.split()) > 3 for name in names
    ):
        return False
    lengths = [[len(str(row[i])) for row in below if filled(row[i])] for i in range(width)]
    longer = sum(
        1 for i, column in enumerate(lengths) if column and i < len(names) and median(column) > 2.5 * len(names[i])
    )
    shape = [_shape(str(row[i])) for row in below for i in range(width) if filled(row[i])]
    own = [_shape(name) for name in names]
    unlike = not set(own) & {s for s, n in Counter(shape).items() if n >= 0.2 * len(shape) / max(1, width)}
    repeated_below = sum(1 for i in range(width) if len({str(row[i]) for row in below}) <= max(1, len(below) // 2))
    return bool(longer or unlike or repeated_below or len(below) < 5)


def _shape(text: str) -> str:
    return re.sub(r"(.)\1+", r"\1", re.sub(r"\d", "0", re.sub(r"[^\W\d_]", "a", re.sub(r"[A-Z]", "A", text))))


def _is_sequence(values: Sequence[object]) -> bool:
    """Whether header cells count up (years, pixel numbers) or are dates in order, as in wide tables."""
    texts = [str(value).strip() for value in values]
    if len(set(texts)) < len(texts) or len(texts) < 3:
        return False
    if all(re.fullmatch(r"\d+(\.0)?", text) for text in texts):
        numbers = [int(float(text)) for text in texts]
        steps = {b - a for a, b in itertools.pairwise(numbers)}
        return len(steps) == 1 and steps.pop() in (1, -1, 5, 10)
    return all(isinstance(value, (date, datetime)) or _DATE.fullmatch(str(value).strip()) for value in values)


def _words_over_numbers(head: Grid, row: int, width: int) -> list[str]:
    """Words of a row under the header, units or more names, over at least half of the columns of numbers; else nothing."""
    cells = _padded(head[row], width)
    below = [_padded(other, width) for other in head[row + 1 : row + 100] if any(map(filled, other))]
    if len(below) < 2 or any(filled(cell) and is_value(cell) for cell in cells):
        return []
    numeric = [
        i for i in range(width)
        if (column := [other[i] for other in below if filled(other[i])]) and sum(map(is_value, column)) >= 0.9 * len(column)
    ]  # fmt: skip
    markers = {"?", "-", "--", "na", "n/a", "nan", "null", "none", "."}
    words = [str(cells[i]).strip() for i in numeric if filled(cells[i])]
    words = [word for word in words if word.lower() not in markers]
    return words if len(words) >= 0.5 * len(numeric) else []


def _are_groups(upper: Sequence[object], lower: Sequence[object], width: int) -> bool:
    """Whether a row of words stands over several columns each, so that the row under it names those."""
    above, names = _texts(upper, width), _texts(lower, width)
    spanned = [i for i in range(1, width) if names[i] and (not above[i] or above[i] == above[i - 1])]
    named = all(group or name for group, name in zip(above, names, strict=False))
    return bool(spanned) and named and not any(re.match(r"[\[(]", name) for name in names)


def _texts(row: Sequence[object], width: int) -> list[str]:
    return [str(cell).strip() if filled(cell) else "" for cell in _padded(row, width)]


def _same(names: list[str], row: Sequence[object]) -> bool:
    """Whether a row repeats the header."""
    cells = [str(cell).strip() for cell in _padded(row, len(names))]
    equal = sum(bool(name) and name == cell for name, cell in zip(names, cells, strict=False))
    return len(names) >= 2 and equal >= max(2, (len(names) + 1) // 2)


def _footer(tail: Grid, body: Grid, width: int) -> int:
    """Rows at the end that hold a note or a total."""
    usual = median([sum(map(filled, row)) for row in body if any(map(filled, row))] or [0])
    if width < 3 or usual < 3:
        return 0
    rows = [row for row in tail if any(map(filled, row))]
    count = 0
    for row in reversed(rows[-12:]):
        cells = [cell for cell in row if filled(cell)]
        words = str(cells[0]).strip()
        note = len(cells) <= max(1, 0.15 * usual) and filled(row[0]) and not is_value(cells[0])
        total = words.lower().strip(" :.") in _TOTALS and all(map(is_value, cells[1:]))
        if not (note or total):
            break
        count += 1
    return count if count < len(rows) else 0
