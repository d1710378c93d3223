"""Tables of one upload read alike: what one shows clearly settles what another leaves open."""

from __future__ import annotations

from collections import Counter

from mlzero.perception.columns import adopt_order
from mlzero.perception.profile import ColumnProfile, TableProfile


def settle(tables: list[TableProfile]) -> None:
    """Make columns of the same name agree on day and month, number marks and whether digits are text."""
    _settle_days(tables)
    by_name: dict[str, list[tuple[TableProfile, ColumnProfile]]] = {}
    for table in tables:
        for column in table.columns:
            by_name.setdefault(column.name, []).append((table, column))
    for places in by_name.values():
        if len(places) > 1:
            _settle_digits(places)
            _settle_marks([column for _, column in places])


def _settle_days(tables: list[TableProfile]) -> None:
    """Ambiguous dates follow a column that is certain: of the same name, else of the same table; else each other."""
    certain = [
        (table.key, column.name, column.date.day_first)
        for table in tables
        for column in table.columns
        if column.date and not column.date.ambiguous and "%d" in column.date.pattern and "%m" in column.date.pattern
    ]
    for table in tables:
        for column in table.columns:
            if column.date and column.date.ambiguous:
                same_name = [order for _, name, order in certain if name == column.name]
                beside = [order for key, _, order in certain if key == table.key]
                known = same_name or beside
                if known and len(set(known)) == 1:
                    adopt_order(column, day_first=known[0])
    open_ones = [(c, c.date.day_first) for t in tables for c in t.columns if c.date and c.date.ambiguous]
    for column, _ in open_ones:
        usual = Counter(day_first for _, day_first in open_ones).most_common(1)[0][0]
        adopt_order(column, day_first=usual, settled=False)


def _settle_digits(places: list[tuple[TableProfile, ColumnProfile]]) -> None:
    """A code with leading zeros in one table is text in all, so that they can be joined and compared."""
    if not any(column.leading_zeros for _, column in places):
        return
    for table, column in places:
        whole = (
            column.integer and column.number is None and column.kind in ("number", "identifier", "boolean", "constant")
        )
        if whole and table.read.format in ("delimited", "arff") and column.missing < table.rows:
            column.kind = "identifier" if column.unique == table.rows and table.rows > 1 else "category"
            column.integer, column.minimum, column.maximum, column.mean, column.skew = False, None, None, None, None
            table.read.text_columns = [name for name in table.names if name in {*table.read.text_columns, column.name}]


def _settle_marks(columns: list[ColumnProfile]) -> None:
    """Number texts that could be read both ways follow the same column elsewhere."""
    clear = Counter(
        (column.number.decimal, column.number.thousands)
        for column in columns
        if column.number and column.number.thousands and not _open(column)
    )
    if not clear:
        return
    (decimal, thousands), _ = clear.most_common(1)[0]
    for column in columns:
        if column.number and _open(column):
            column.number.decimal, column.number.thousands = decimal, thousands
            column.notes = [note for note in column.notes if "as the decimal mark" not in note]


def _open(column: ColumnProfile) -> bool:
    return any("as the decimal mark" in note for note in column.notes)
