"""Which row of a table names its columns, and which of the known columns the names mean."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

TEXT_TITLES = re.compile(
    r"(text|message|sentence|tweet|review|comment|kommentar|nachricht|content|body|satz|texto|mensaje|texte)s?", re.I
)


def header_row(rows: Sequence[Sequence[object]], known: Sequence[str]) -> tuple[int, int]:
    """The row that names most of the known columns, and how many; (0, 0) when no row names a third of its cells."""
    wanted = {plain_name(name) for name in known}
    counts = [len({*map(plain_name, titles_of(rows, row, known))} & wanted) for row in range(len(rows))]
    if not counts:
        return 0, 0
    best = max(range(len(rows)), key=lambda i: counts[i])
    filled = sum(bool(str(cell).strip()) for cell in rows[best])
    return (best, counts[best]) if 3 * counts[best] >= min(filled, len(wanted)) and counts[best] else (0, 0)


def titles_of(rows: Sequence[Sequence[object]], row: int, known: Sequence[str]) -> list[str]:
    """What a row calls the columns, with groups that stand in the row above where that gives more of the known names."""
    names = [str(cell).strip() for cell in rows[row]]
    if not row:
        return names
    above = [str(cell).strip() for cell in [*rows[row - 1], *[""] * len(names)][: len(names)]]
    wanted = {plain_name(name) for name in known}
    return max(names, with_groups(names, above), key=lambda titles: len({*map(plain_name, titles)} & wanted))


def with_groups(names: Sequence[str], above: Sequence[str]) -> list[str]:
    """Names that repeat told apart by the groups in the row above them, and names that are missing taken from there."""
    joined, group = [], ""
    times, spans = Counter(names), Counter(above)
    for own, name in zip(above, names, strict=True):
        group = own or group
        repeats = times[name] > 1 or (own and spans[own] > 1)
        joined.append(own if not name else f"{group} {name}".strip() if repeats else name)
    return joined if len({group for group in above if group}) > 1 else list(names)


def has_titles(rows: Sequence[Sequence[object]]) -> bool:
    """Whether the first row names columns: short words, none of which stands below, above numbers or sentences."""
    cells = [[str(cell).strip() for cell in row] for row in rows if any(str(cell).strip() for cell in row)]
    if len(cells) < 2 or len({*cells[0]}) < len(cells[0]):
        return False
    if len(cells[0]) == 1:
        return bool(TEXT_TITLES.fullmatch(cells[0][0]))
    short = all(re.search(r"[^\W\d]", cell) and len(cell) <= 40 and len(cell.split()) <= 3 for cell in cells[0])
    below = [[row[i] for row in cells[1:] if i < len(row)] for i in range(len(cells[0]))]
    told = [
        bool(column)
        and (
            all(re.fullmatch(r"[-+\d.,]+", cell) for cell in column)
            or sum(len(cell.split()) for cell in column) >= 4 * len(column)
        )
        for column in below
    ]
    return short and any(told) and not any(cells[0][i] in column for i, column in enumerate(below))


def unique_names(titles: Sequence[str]) -> list[str]:
    """Names for all columns: those without a title are counted, repeated ones get a number behind, as in training."""
    found: list[str] = []
    for position, title in enumerate(titles, 1):
        title = " ".join(title.split()) or f"col_{position}"
        name, number = title, 2
        while name in found or (name != title and name in titles):
            name, number = f"{title}_{number}", number + 1
        found.append(name)
    return found


def table_width(rows: Sequence[Sequence[object]]) -> int:
    """Cells of most rows."""
    widths = [len(row) for row in rows if any(str(cell).strip() for cell in row)]
    return max(set(widths), key=widths.count) if widths else 0


def plain_name(name: object) -> str:
    """A column name without case, blanks and punctuation."""
    return re.sub(r"[\W_]+", "", str(name)).casefold() or str(name).strip()


def same_names(given: Sequence[str], known: Sequence[str]) -> dict[str, str]:
    """Which of the given names stands for which known one, where the spelling differs but only one fits."""
    fits: dict[str, list[str]] = {}
    for name in known:
        fits.setdefault(plain_name(name), []).append(name)
    taken = set(given) & set(known)
    found: dict[str, str] = {}
    for name in given:
        match = fits.get(plain_name(name), [])
        if name not in taken and len(match) == 1 and match[0] not in taken:
            found[name] = match[0]
            taken.add(match[0])
    return found
