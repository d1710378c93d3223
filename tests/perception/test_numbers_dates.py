"""Formats of numbers and dates, decided over the whole column."""

from __future__ import annotations

from collections import Counter

import pandas as pd
import pytest

from mlzero.perception import dates, missing, numbers
from mlzero.perception.columns import describe


def number(cells: list[str], comma: bool | None = None) -> numbers.Numbers | None:
    counts = Counter(cells)
    return numbers.find(counts, comma, numbers.plain_values(counts))


@pytest.mark.parametrize(
    ("cells", "decimal", "thousands"),
    [
        (["1", "2.5", "-3e4"], ".", ""),
        (["1.049,00 DM", "250,00 DM"], ",", "."),
        (["$1,200.50", "$99.00"], ".", ","),
        (["£8,000", "£13,400", "£950"], ".", ","),
        (["1,5", "2,25"], ",", ""),
        (["0,125", "1,250"], ",", ""),
        (["1 234,5", "12 000,0", "7,5"], ",", " "),
        (["1'234.50", "99.90"], ".", "'"),
        (["1,26,000", "38,852", "9,100"], ".", ","),
        (["1.234.567", "2.345"], ",", "."),
        (["12%", "7.5%"], ".", ""),
        (["36 months", "60 months"], ".", ""),
        (["(1,200)", "300"], ".", ","),
    ],
)
def test_number_marks(cells: list[str], decimal: str, thousands: str) -> None:
    found = number(cells)
    assert found is not None
    assert (found.format.decimal, found.format.thousands) == (decimal, thousands)
    assert found.fits == set(cells)


@pytest.mark.parametrize(
    "cells",
    [
        ["A-10", "A-11", "A-12"],
        ["1Fam", "2Story", "3Duplex"],
        ["10:30", "11:45"],
        ["1st", "2nd"],
        ["12 von 15", "3 von 9"],
    ],
)
def test_codes_are_no_numbers(cells: list[str]) -> None:
    found = number(cells)
    assert found is None or not found.fits


def test_a_point_before_three_digits_follows_the_other_columns() -> None:
    cells = ["1.234", "2.345"]
    assert number(cells).ambiguous
    assert number(cells, comma=True).format.thousands == "."
    assert number(cells, comma=False).format.decimal == "."


@pytest.mark.parametrize(
    ("cells", "pattern", "day_first", "ambiguous"),
    [
        (["2024-01-31", "2023-12-01"], "ISO8601", False, False),
        (["2024-01-31 10:00:00", "2023-12-01 09:30:15.5"], "ISO8601", False, False),
        (["31/01/2024", "01/02/2024"], "%d/%m/%Y", True, False),
        (["01/31/2024", "02/01/2024"], "%m/%d/%Y", False, False),
        (["01.02.2024", "03.04.2024"], "%d.%m.%Y", True, False),
        (["01/02/2024", "01/03/2024"], "%m/%d/%Y", False, True),
        ([f"{day:02d}-{month:02d}-2024" for month in (1, 2, 3) for day in (1, 8)], "%d-%m-%Y", True, True),
        (["05-02-2010", "12-02-2010", "19-02-2010"], "%d-%m-%Y", True, False),
        (["20240131", "20231201"], "%Y%m%d", False, False),
        (["Aug-84", "Feb-73"], "%b-%y", False, False),
        (["3 March 2021", "14 May 2020"], "%d %B %Y", False, False),
        (["31/01/24 14:05", "01/02/24 09:00"], "%d/%m/%y %H:%M", True, False),
        (["1/31/2024 2:05 PM", "2/1/2024 9:00 AM"], "%m/%d/%Y %I:%M %p", False, False),
        (["2024年1月31日", "2023年12月1日"], "%Y年%m月%d日", False, False),
    ],
)
def test_one_date_format(cells: list[str], pattern: str, day_first: bool, ambiguous: bool) -> None:
    found = dates.find(Counter(cells))
    assert found is not None
    assert (found.format.pattern, found.format.ambiguous) == (pattern, ambiguous)
    assert found.format.day_first == day_first


@pytest.mark.parametrize(
    "cells",
    [
        ["1999", "2004"],
        ["1.5", "2.5"],
        ["red", "blue"],
        ["12", "7"],
        ["2-3", "4-5"],
        ["a 1", "b 2"],
        ["30/70", "50/50"],
    ],
)
def test_no_dates(cells: list[str]) -> None:
    counts = Counter(cells)
    assert not dates.plausible(counts, numbers.plain_values(counts)) or dates.find(counts) is None


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ([1950, 1960, 1984, 1999, 2013, 9999, 9999], ["9999"]),
        ([3, 4, 5, 6, 7, -999, -999], ["-999"]),
        ([20, 30, 41, 52, 63, 99, 99], []),
        ([100, 5000, 9999, 20000, 31000, 9999], []),
        ([0, 1, 2, 3, 4, -1, -1], []),
        ([-5.5, -1, -1, 0.5, 3, 4], []),
    ],
)
def test_numbers_for_no_value(values: list[float], found: list[str]) -> None:
    assert missing.sentinels_in(pd.Series(values, dtype=float)) == found


@pytest.mark.parametrize(
    ("cells", "kind", "markers"),
    [
        (["1", "2", "none", "3", "4", "5"] * 5, "number", ["none"]),
        (["small", "none", "large"] * 5, "category", []),
        (["DE", "FR", "NA", "IT", "US"] * 4, "category", []),
        (["gut", "NA", "schlecht"] * 5, "category", ["NA"]),
        (["Good", "?", "Bad"] * 5, "category", ["?"]),
        (["x", "-", "y", ""] * 5, "category", ["-"]),
        (["True", "False"] * 5, "boolean", []),
        (["ja", "nein"] * 5, "boolean", []),
        (["0", "1"] * 5, "boolean", []),
        (["same"] * 9, "constant", []),
        (["001", "017", "120"] * 5, "category", []),
        ([f"AB-{i}" for i in range(30)], "identifier", []),
        ([f"{i}" for i in range(1, 30)], "identifier", []),
        ([f"{1990 + i}" for i in range(30)], "number", []),
        ([f"{4111111111111111 + i * 7}" for i in range(30)], "identifier", []),
        ([f"this is sentence number {i} of many" for i in range(30)], "text", []),
        ([f"很长的中文句子没有空格{i}" for i in range(60)], "text", []),
    ],
)
def test_kinds(cells: list[str], kind: str, markers: list[str]) -> None:
    column = describe("c", "c", pd.Series([cell or None for cell in cells], dtype=object))
    assert (column.kind, column.missing_markers) == (kind, markers)


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        (["+", "-", "?"], ["?"]),
        (["+", "++", "--", ""], [""]),
        (["*", "**", "n/a"], ["n/a"]),
        (["*", "a"], ["*"]),
        (["-", "1.5", "2"], ["-"]),
    ],
)
def test_signs_of_a_scale_are_values(cells: list[str], found: list[str]) -> None:
    assert missing.signs_in(Counter(cells)) == found


@pytest.mark.parametrize(("comma", "read"), [(True, [135.0, 1138.0, 18295.0]), (False, [135.0, 1.138, 18.295])])
def test_numbers_with_and_without_thousands_are_read_as_the_other_columns(comma: bool, read: list[float]) -> None:
    cells = Counter(["135", "1.138", "18.295"])
    found = numbers.find(cells, comma, numbers.plain_values(cells))
    assert found is not None and found.ambiguous
    assert [numbers.value_of(cell, found.format) for cell in cells] == read
