"""Cells into numbers and dates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from mlzero.semantic_memory.blocks.columns import convert_columns, to_date, to_number


@pytest.mark.parametrize(
    ("cells", "how", "numbers"),
    [
        (
            ["1.049,00 DM", "250,00 DM", None],
            {"decimal": ",", "thousands": ".", "affixes": ["DM"]},
            [1049, 250, np.nan],
        ),
        (["$1,200", " $ 99.5 "], {"thousands": ","}, [1200, 99.5]),
        (["(3.5)", "-2", "7-", "− 4"], {}, [-3.5, -2, -7, -4]),
        (["12%", "unknown", "3 of 4", "5", "6", "7"], {}, [12, np.nan, np.nan, 5, 6, 7]),
        (["1e3", ".5", "2."], {}, [1000, 0.5, 2]),
        (
            ["1049.5", "250.25"],
            {"decimal": ",", "thousands": "."},
            [1049.5, 250.25],
        ),  # written in another way than before
        (["1,5", "2,25"], {}, [1.5, 2.25]),
        ([None, None], {}, [np.nan, np.nan]),
    ],
)
def test_to_number(cells: list[Any], how: dict[str, Any], numbers: list[float]) -> None:
    found = to_number(pd.Series(cells, dtype=object), **how)
    assert found.dtype.kind == "f"
    np.testing.assert_array_equal(found.to_numpy(), numbers)


def test_numbers_stay_as_they_are() -> None:
    assert to_number(pd.Series([1, 2]), decimal=",").dtype == "int64"


@pytest.mark.parametrize(
    ("cells", "how", "dates"),
    [
        (["03/02/2021", "31/01/2021"], {"pattern": "%d/%m/%Y", "day_first": True}, ["2021-02-03", "2021-01-31"]),
        (["2021-02-03", None], {"pattern": "%d/%m/%Y", "day_first": True}, ["2021-02-03", None]),
        (["Aug-84", "Nov-50"], {"pattern": "%b-%y"}, ["1984-08-01", "1950-11-01"]),
        (["2021-02-03T10:00:00+02:00"], {}, ["2021-02-03 08:00"]),
        ([20210203, 20210131], {"pattern": "%Y%m%d"}, ["2021-02-03", "2021-01-31"]),
        ([20210203.0, np.nan], {"pattern": "%Y%m%d"}, ["2021-02-03", None]),
        (["soon", "2021-02-03"], {}, [None, "2021-02-03"]),
        ([None], {}, [None]),
    ],
)
def test_to_date(cells: list[Any], how: dict[str, Any], dates: list[str | None]) -> None:
    found = to_date(pd.Series(cells), **how)
    pd.testing.assert_series_equal(found, pd.Series([pd.Timestamp(d) for d in dates], dtype="datetime64[ns]"))


def test_convert_columns_leaves_its_input_alone() -> None:
    frame = pd.DataFrame({"a": ["1,5", "-"], "b": [1980, 9999], "c": ["x", "y"]})
    done = convert_columns(frame, numbers={"a": {"decimal": ","}, "absent": {}}, markers={"a": ["-"], "b": ["9999"]})
    assert done["a"].tolist()[0] == 1.5 and done["b"].isna().tolist() == [False, True]
    assert frame["a"].tolist() == ["1,5", "-"] and list(done["c"]) == ["x", "y"]
