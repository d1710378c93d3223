"""Column names: unique, never empty, told as they stand in the file wherever possible."""

from __future__ import annotations

from collections.abc import Sequence


def settle(written: Sequence[str], width: int) -> tuple[list[str], list[str]]:
    """Unique names for `width` columns and notes on what was changed.

    Empty names become `col_<position>`, repeated ones get a number behind.
    """
    names: list[str] = []
    notes: list[str] = []
    repeated: list[str] = []
    seen: set[str] = set(written)
    for position in range(width):
        name = " ".join(written[position].split()) if position < len(written) else ""
        name = name or f"col_{position + 1}"
        if name in names:
            repeated.append(name)
            number = 2
            while f"{name}_{number}" in seen or f"{name}_{number}" in names:
                number += 1
            name = f"{name}_{number}"
        names.append(name)
    if repeated:
        notes.append(f"Repeated column names got a number behind: {', '.join(dict.fromkeys(repeated))}.")
    return names, notes


def numbered(width: int) -> list[str]:
    """Names for a table without a header."""
    return [f"col_{position + 1}" for position in range(width)]
