"""Files of one kind, one a year or a part, of which one names its columns in another way: `filiale` for `shop`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mlzero.perception.profile import ColumnProfile, TableProfile
from mlzero.perception.wording import quote_list

_LEAST = 3  # columns whose kinds can tell that two tables hold the same
_SAME_NAMES = 0.5  # share of common names from which tables call their columns alike


def odd_ones(tables: Sequence[TableProfile]) -> list[TableProfile]:
    """Tables that alone call their columns otherwise, where at least two others agree."""
    found = []
    for table in tables:
        others = [other for other in tables if same_but_named(table, other)]
        if any(set(_own(a)) == set(_own(b)) for a in others for b in others if a is not b):
            found.append(table)
    return [table for table in found if not any(set(_own(table)) == set(_own(o)) for o in tables if o is not table)]


def same_but_named(a: TableProfile, b: TableProfile) -> bool:
    """Whether the names of two files differ in numbers only, and they have columns of the same kinds under other names."""
    if a.key == b.key or _pattern(a) != _pattern(b):
        return False
    first, second = _own(a), _own(b)
    return (
        len(first) == len(second) >= _LEAST
        and len(set(first) & set(second)) < _SAME_NAMES * len(first)
        and [c.holds for c in first.values()] == [c.holds for c in second.values()]
    )


def note(main: TableProfile, others: Sequence[TableProfile]) -> str:
    """What to say of files that are not used because they call their columns otherwise."""
    paths = quote_list([table.key for table in others], 3)
    one, several = ("is", "it has", "it holds", "it"), ("are", "they have", "they hold", "them")
    verb, has, holds, it = one if len(others) == 1 else several
    theirs, ours = list(_own(others[0])), list(_own(main))
    pairs = [f'"{a}" (as "{b}")' for a, b in zip(theirs, ours, strict=True) if a != b]
    shown = ", ".join(pairs[:4]) + (f" and {len(pairs) - 4} more" if len(pairs) > 4 else "")
    return (
        f"{paths} {verb} not used: {has} as many columns of the same kinds as {main.key}, but under other names. "
        f"If {holds} the same, rename {shown} and upload {it} again."
    )


def _pattern(table: TableProfile) -> str:
    return re.sub(r"\d+", "#", table.key)


def _own(table: TableProfile) -> dict[str, ColumnProfile]:
    return {column.name: column for column in table.columns if column.told is None}
