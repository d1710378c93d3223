"""Columns of other tables."""

from __future__ import annotations

import numpy as np
import pandas as pd

from mlzero.semantic_memory.blocks.relations import aggregated, joined, key_text


def test_keys_are_the_same_however_they_are_stored() -> None:
    frame = pd.DataFrame({"a": [1.0, np.nan, 3.0], "b": ["x", "y", None]})
    assert key_text(frame, ["a"]).tolist() == ["1", None, "3"]
    assert key_text(frame, ["a", "b"]).tolist() == ["1\x1fx", None, None]
    assert key_text(frame, ["absent"]).tolist() == [None] * 3


def test_joined_takes_one_row_a_key() -> None:
    rows = pd.DataFrame({"shop": ["1", "2", "9", None]}, index=[10, 20, 30, 40])
    table = pd.DataFrame({"shop": [2, 1, 1], "size": [5.0, 7.0, 8.0]})
    found = joined(rows, table, ["shop"], ["shop"], ["size"], "shops ")
    assert list(found.index) == [10, 20, 30, 40]
    assert found["shops size"].tolist()[:2] == [7.0, 5.0] and found["shops size"].isna().tolist()[2:] == [True, True]


def test_joined_as_of_takes_the_latest_that_is_not_later() -> None:
    days = pd.to_datetime(["2024-01-05", "2024-01-01", "2024-03-01"])
    rows = pd.DataFrame({"coin": ["eur", "eur", "usd"], "day": days})
    rates = pd.DataFrame(
        {
            "coin": ["eur", "eur", "usd"],
            "since": pd.to_datetime(["2024-01-04", "2024-01-02", "2024-02-01"]),
            "rate": [2.0, 1.0, 3.0],
        }
    )
    found = joined(rows, rates, ["coin"], ["coin"], ["rate"], left_time="day", right_time="since")
    assert found["rate"].tolist()[::2] == [2.0, 3.0] and np.isnan(found["rate"][1])


def test_aggregated_sums_up_and_counts() -> None:
    rows = pd.DataFrame({"id": [1, 2, 3]}, index=[7, 8, 9])
    many = pd.DataFrame(
        {
            "owner": [1, 1, 2, None],
            "paid": [5.0, 2.0, 1.0, 9.0],
            "way": ["card", "cash", "card", "card"],
            "year": [2022, 2020, 2021, 2021],
        }
    )
    found = aggregated(
        rows, many, ["id"], ["owner"], "p ", numbers=["paid"], categories={"way": ["card"]}, right_time="year"
    )
    assert found["p count"].tolist() == [2, 1, 0] and found["p paid sum"].tolist() == [7, 1, 0]
    assert found["p paid last"].tolist()[:2] == [5, 1] and np.isnan(found["p paid mean"][9])
    assert found["p way = card"].tolist() == [1, 1, 0] and found["p way different"].tolist() == [2, 1, 0]
    assert found["p way most"].tolist()[:2] == ["card", "card"]
