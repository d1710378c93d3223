"""One table a year, called by it: `sales_2019.csv` beside `sales_2020.csv`, or a folder each. The year is a column."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from mlzero.perception import renamed, vocabulary
from mlzero.perception.goal import Brief, called
from mlzero.perception.override import Overrides
from mlzero.perception.profile import ColumnProfile, Profile, TableProfile
from mlzero.perception.task import Task

NAME = "year"
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_LACKING = 3  # columns that the rows to predict may lack


class FileYears:
    """See `Specialist`."""

    def tables(self, data_dir: Path, profile: Profile) -> list[TableProfile]:
        """None: the tables that are there get a column more."""
        alike: dict[str, list[TableProfile]] = {}
        for table in profile.tables:
            if (
                table.rows
                and table.read.format != "made"
                and len(_YEAR.findall(table.key)) == 1
                and not _tells_time(table)
            ):
                alike.setdefault(_YEAR.sub("#", table.key), []).append(table)
        for group in alike.values():
            odd = {table.key for table in renamed.odd_ones(group)}
            tables = [table for table in group if table.key not in odd]
            filled = [{column.name for column in table.columns if column.kind != "empty"} for table in tables]
            every = set.union(*filled)
            if len(tables) > 1 and all(len(every - names) <= _LACKING and len(names) > 1 for names in filled):
                whole = [table for table, names in zip(tables, filled, strict=True) if names == every]
                _tell(whole)
                for table in tables:
                    if table not in whole:
                        _tell([table])
        return []

    def task(self, data_dir: Path, profile: Profile, brief: Brief, given: Overrides) -> Task | None:
        """None: the task is one of tables."""
        return None


def _tells_time(table: TableProfile) -> bool:
    """Whether a column holds dates or years already."""
    years = vocabulary.table(vocabulary.YEAR)
    return any(column.kind == "date" or called(column.name, years) for column in table.columns)


def _tell(tables: list[TableProfile]) -> None:
    """Add the column to each of the tables; it is profiled as it will be when they are put together."""
    years = [_YEAR.findall(table.key)[0] for table in tables]
    counts = Counter(dict(zip(years, (table.rows for table in tables), strict=True)))
    for table, year in zip(tables, years, strict=True):
        table.columns.append(
            ColumnProfile(
                name=NAME, source_name="", kind="number", integer=True, unique=len(counts), examples=years[:5],
                top=counts.most_common(20), minimum=float(min(years)), maximum=float(max(years)), told=year,
            )
        )  # fmt: skip
        table.notes.append(f'The name of the file tells the year ({year}), which is its column "{NAME}".')
