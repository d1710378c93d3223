"""Uploads of several tables: which join the rows, how, and which columns they add."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import mlzero
from mlzero.perception.relational import load_joined
from mlzero.perception.scan import profile
from mlzero.perception.tables import load_table
from mlzero.perception.task import JoinPlan, Task
from mlzero.perception.understand import infer_task
from tests.away import predict_away

GOAL = "Predict which customers in customers_new.csv will cancel (column cancelled), use the other tables."


def shop(folder: Path, customers: int = 240, later: int = 60) -> dict[str, pd.DataFrame]:
    """Customers, their orders, what is in the orders, the articles. Who buys little of what is cheap cancels."""
    dice = np.random.default_rng(3)
    folder.mkdir(parents=True, exist_ok=True)
    count = customers + later
    ids = [f"K{n:05d}" for n in dice.permutation(count)]
    keen = dice.random(count)
    articles = pd.DataFrame({
        "article_id": range(1, 31), "price": dice.uniform(1, 90, 30).round(2), "group": dice.choice(["food", "toys", "books"], 30),
    })  # fmt: skip
    orders, items = [], []
    for customer, eager in zip(ids, keen, strict=True):
        for _ in range(dice.poisson(1 + 6 * eager)):
            number = len(orders) + 1
            day = pd.Timestamp("2023-01-01") + pd.Timedelta(days=int(dice.integers(0, 360)))
            orders.append({"order_no": number, "customer_id": customer, "ordered": day.strftime("%d.%m.%Y")})
            for _ in range(dice.integers(1, 4)):
                items.append(
                    {"order_no": number, "article_id": int(dice.integers(1, 31)), "pieces": int(dice.integers(1, 5))}
                )
    people = pd.DataFrame({
        "customer_id": ids, "city": dice.choice(["Graz", "Linz", "Wels"], count),
        "cancelled": np.where(keen + dice.normal(0, 0.1, count) < 0.4, "yes", "no"),
    })  # fmt: skip
    tables = {
        "customers": people[:customers], "customers_new": people[customers:].drop(columns="cancelled"),
        "orders": pd.DataFrame(orders), "order_items": pd.DataFrame(items), "articles": articles,
    }  # fmt: skip
    for name, table in tables.items():
        table.to_csv(folder / f"{name}.csv", index=False)
    return tables


def task_of(folder: Path, goal: str = GOAL) -> Task:
    return infer_task(profile(folder), folder, goal)


def by_table(task: Task) -> dict[str, JoinPlan]:
    return {plan.table: plan for plan in task.joins}


def test_a_shop_is_joined_through_all_its_tables(tmp_path: Path) -> None:
    tables = shop(tmp_path)
    task = task_of(tmp_path)
    assert task.targets == ["cancelled"] and [s.table for s in task.train] == ["customers.csv"]
    assert [s.table for s in task.test] == ["customers_new.csv"]
    plans = by_table(task)
    assert (plans["orders.csv"].how, plans["orders.csv"].onto, plans["orders.csv"].left_on) == (
        "many",
        "",
        ["customer_id"],
    )
    assert (plans["order_items.csv"].how, plans["order_items.csv"].onto) == ("many", "orders.csv")
    assert (plans["articles.csv"].how, plans["articles.csv"].onto) == ("one", "order_items.csv")
    names = [feature.name for feature in task.used_features]
    assert "orders count" in names and any("price" in name for name in names)

    found = profile(tmp_path)
    table = found.table("customers.csv")
    assert table is not None
    rows = load_joined(load_table(tmp_path, table), task, found, tmp_path)
    counts = tables["orders"].groupby("customer_id").size().reindex(rows["customer_id"]).fillna(0)
    assert (rows["orders count"].to_numpy() == counts.to_numpy()).all()


def test_a_table_that_knows_only_rows_with_an_answer_is_left_out(tmp_path: Path) -> None:
    tables = shop(tmp_path)
    left = tables["customers"].loc[tables["customers"]["cancelled"] == "yes", ["customer_id"]]
    left.assign(reason=np.resize(["price", "service", "moved"], len(left))).to_csv(
        tmp_path / "exit_interviews.csv", index=False
    )
    task = task_of(tmp_path)
    assert "exit_interviews.csv" not in by_table(task)
    assert any("exit_interviews.csv was left out" in note for note in task.notes)


def test_columns_and_values_that_speak_of_the_answer_are_left_out(tmp_path: Path) -> None:
    tables = shop(tmp_path)
    everyone = pd.concat([tables["customers"], tables["customers_new"]])["customer_id"]
    letters = pd.DataFrame(
        {
            "customer_id": np.repeat(everyone, 2),
            "cancelled_on_paper": 1,
            "kind": ["thanks", "cancelled"] * len(everyone),
        }
    )
    letters["cancelled_on_paper"] = np.arange(len(letters)) % 7
    letters.to_csv(tmp_path / "letters.csv", index=False)
    plan = by_table(task_of(tmp_path))["letters.csv"]
    assert plan.numbers == [] and plan.categories == {"kind": ["thanks"]}


def readings(folder: Path, **tables: Any) -> Task:
    for name, table in tables.items():
        table.to_csv(folder / f"{name}.csv", index=False)
    return task_of(folder, "Predict the amount of each sale")


@pytest.mark.parametrize("named", ["shop", "shop_id"])
def test_two_columns_can_be_the_key(tmp_path: Path, named: str) -> None:
    days = pd.date_range("2024-01-01", periods=30).strftime("%Y-%m-%d")
    dice = np.random.default_rng(0)
    grid = pd.DataFrame([(s, d) for s in ("A", "B", "C") for d in days], columns=[named, "day"])
    sales = grid.assign(pieces=dice.integers(1, 9, 90), amount=dice.normal(100, 9, 90).round(2)).sample(
        80, random_state=1
    )
    weather = grid.assign(rain=dice.gamma(1, 2, 90).round(1))
    (plan,) = readings(tmp_path, sales=sales, weather=weather).joins
    assert plan.how == "one" and sorted(plan.left_on) == sorted([named, "day"]) and plan.columns == ["rain"]


@pytest.mark.parametrize("every", [1, 5])  # a rate each day stands beside its day, fewer hold until the next one
def test_a_rate_holds_until_the_next(tmp_path: Path, every: int) -> None:
    dice = np.random.default_rng(2)
    days = pd.date_range("2024-01-01", periods=200)
    grid = [(unit, day) for unit in ("CHF", "USD") for day in days[::every]]
    rates = pd.DataFrame(grid, columns=["currency", "day"]).assign(rate=dice.uniform(1, 9, len(grid)).round(2))
    sales = pd.DataFrame({"currency": dice.choice(["CHF", "USD"], 300), "day": dice.choice(days, 300), "pieces": dice.integers(1, 9, 300)})  # fmt: skip
    asked = pd.merge_asof(sales.sort_values("day"), rates.sort_values("day"), on="day", by="currency")
    sales = asked.assign(amount=20 * asked["rate"] + asked["pieces"]).drop(columns="rate")
    task = readings(tmp_path, sales=sales, rates=rates)
    (plan,) = task.joins
    assert (plan.how, plan.left_time) == (("one", None) if every == 1 else ("as_of", "day"))
    found = profile(tmp_path)
    table = found.table("sales.csv")
    assert table is not None
    joined = load_joined(load_table(tmp_path, table), task, found, tmp_path)
    np.testing.assert_allclose(joined["rates rate"], asked["rate"])


def test_only_what_was_known_by_then_counts(tmp_path: Path) -> None:
    dice = np.random.default_rng(1)
    days = pd.to_datetime("2024-01-01") + pd.to_timedelta(dice.integers(0, 300, 200), "D")
    sales = pd.DataFrame(
        {
            "buyer_id": dice.choice([f"b{n}" for n in range(40)], 200),
            "day": days,
            "amount": dice.normal(50, 5, 200).round(2),
        }
    )
    visits = pd.DataFrame({
        "buyer_id": dice.choice([f"b{n}" for n in range(40)], 900), "minutes": dice.integers(1, 60, 900),
        "page": dice.choice(["a", "b"], 900), "device": dice.choice(["x", "y"], 900), "clicks": dice.integers(0, 9, 900),
        "seen": pd.to_datetime("2024-01-01") + pd.to_timedelta(dice.integers(0, 300, 900), "D"),
    })  # fmt: skip
    task = readings(tmp_path, sales=sales, visits=visits)
    (plan,) = task.joins
    assert (plan.how, plan.left_time, plan.right_time) == ("many", "day", "seen")
    found = profile(tmp_path)
    table = found.table("sales.csv")
    assert table is not None
    rows = load_joined(load_table(tmp_path, table), task, found, tmp_path)
    buyer, day = rows.loc[5, ["buyer_id", "day"]]
    assert rows.loc[5, "visits count"] == ((visits["buyer_id"] == buyer) & (visits["seen"] <= day)).sum()


def test_a_table_that_adds_nothing_to_its_key_is_not_joined(tmp_path: Path) -> None:
    dice = np.random.default_rng(0)
    rows = pd.DataFrame(
        {"code": [f"c{n}" for n in range(80)], "size": dice.integers(1, 9, 80), "good": dice.integers(0, 2, 80)}
    )
    rows.to_csv(tmp_path / "things.csv", index=False)
    pd.DataFrame({"code": [f"c{n}" for n in range(95)]}).assign(state="listed", place="here", year=2020).to_csv(
        tmp_path / "catalogue.csv", index=False
    )
    task = infer_task(profile(tmp_path), tmp_path, "Predict good")
    assert not task.joins
    assert task.notes == ['Not used, because nothing joins them to the rows: "catalogue.csv".']


def test_tables_without_a_key_are_named_as_not_used(tmp_path: Path) -> None:
    shop(tmp_path)
    pd.DataFrame({"colour": ["red", "blue"], "hex": ["f00", "00f"]}).to_csv(tmp_path / "palette.csv", index=False)
    task = task_of(tmp_path)
    assert any("nothing joins them" in note and "palette.csv" in note for note in task.notes)


@pytest.mark.slow
def test_a_shop_from_the_folder_to_the_zip(tmp_path: Path) -> None:
    tables = shop(tmp_path / "shop")
    run = mlzero.solve(tmp_path / "shop", GOAL, out=tmp_path / "out", time_limit=60, max_attempts=1)
    assert run.score is not None and run.score > 0.65
    predicted = pd.read_csv(tmp_path / "out" / "predictions.csv")
    assert len(predicted) == len(tables["customers_new"])
    tables["customers_new"].head(9).to_csv(tmp_path / "later.csv", index=False)
    away = predict_away(tmp_path / "out" / "predictor.zip", tmp_path / "later.csv", tmp_path / "again.csv")
    again = pd.read_csv(away)
    pd.testing.assert_frame_equal(again, predicted.head(9), check_dtype=False)
