"""Answers in a table of their own: they are put beside the rows, by a key or row by row."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mlzero.iterative_coding.contract import Machine
from mlzero.perception.profile import Profile
from mlzero.perception.scan import profile
from mlzero.perception.tables import load_table
from mlzero.perception.task import Task
from mlzero.perception.understand import infer_task
from mlzero.semantic_memory.recall import recall
from tests.rendered import module_of

COUNT = 100


@pytest.fixture
def rows() -> pd.DataFrame:
    dice = np.random.default_rng(0)
    size = dice.normal(5, 2, COUNT).round(3)
    return pd.DataFrame({
        "nr": [f"s{n}" for n in dice.permutation(COUNT)], "size": size, "shape": dice.choice(["round", "flat"], COUNT),
        "ripe": np.where(size > 5, "yes", "no"),
    })  # fmt: skip


def understood(
    root: Path, files: dict[str, pd.DataFrame], goal: str = "Predict which are ripe"
) -> tuple[Profile, Task]:
    for name, frame in files.items():
        frame.to_csv(root / name, index=False, sep=";" if name.startswith("X") else ",")
    found = profile(root)
    return found, infer_task(found, root, goal)


def assert_right(root: Path, found: Profile, task: Task, key: str, rows: pd.DataFrame) -> None:
    """The table holds the rows with their answers."""
    table = found.table(key)
    assert table is not None
    assert (task.target.value, [source.table for source in task.train]) == ("ripe", [key])
    loaded = load_table(root, table)
    assert loaded["ripe"].where(loaded["ripe"].notna(), None).tolist() == rows["ripe"].tolist()


def test_row_by_row(tmp_path: Path, rows: pd.DataFrame) -> None:
    train, test = rows[:70].drop(columns="nr"), rows[70:].drop(columns="nr")
    files = {
        "X_train.csv": train.drop(columns="ripe"),
        "X_test.csv": test.drop(columns="ripe"),
        "y_train.csv": train[["ripe"]],
    }
    found, task = understood(tmp_path, files)
    assert_right(tmp_path, found, task, "X_train.csv", train)
    assert [source.table for source in task.test] == ["X_test.csv"]
    assert {role.path: role.role for role in task.files.value} == {
        "X_train.csv": "train", "X_test.csv": "test", "y_train.csv": "train",
    }  # fmt: skip
    assert [table.notes for table in found.tables if table.key == "X_train.csv"] == [
        ["The answers are those of y_train.csv, row by row."]
    ]


def test_sets_of_the_same_size_are_told_apart_by_their_names(tmp_path: Path, rows: pd.DataFrame) -> None:
    parts = {"train": rows[:50], "val": rows[50:].reset_index(drop=True)}
    files = {f"X_{name}.csv": part.drop(columns=["nr", "ripe"]) for name, part in parts.items()}
    files |= {f"y_{name}.csv": part[["ripe"]] for name, part in parts.items()}
    found, _ = understood(tmp_path, files)
    for name, part in parts.items():
        table = found.table(f"X_{name}.csv")
        assert table is not None
        assert load_table(tmp_path, table)["ripe"].tolist() == part["ripe"].tolist()


@pytest.mark.parametrize("name", ["labels.csv", "ripeness.csv"])
def test_by_a_key_in_any_order(tmp_path: Path, rows: pd.DataFrame, name: str) -> None:
    mixed = rows.sample(frac=1, random_state=1)
    found, task = understood(tmp_path, {"fruit.csv": rows.drop(columns="ripe"), name: mixed[["nr", "ripe"]]})
    assert_right(tmp_path, found, task, "fruit.csv", rows)
    assert task.id.value == "nr" and not task.joins


def test_rows_without_an_answer_are_to_predict(tmp_path: Path, rows: pd.DataFrame) -> None:
    known = rows[:80].sample(frac=1, random_state=1)[["nr", "ripe"]]
    found, task = understood(tmp_path, {"fruit.csv": rows.drop(columns="ripe"), "labels.csv": known})
    assert_right(tmp_path, found, task, "fruit.csv", rows.assign(ripe=[*rows["ripe"][:80], *[None] * 20]))
    assert [(source.table, source.rows) for source in task.test] == [("fruit.csv", "unlabelled")]


def test_sheets_of_one_workbook(tmp_path: Path, rows: pd.DataFrame) -> None:
    with pd.ExcelWriter(tmp_path / "fruit.xlsx") as book:
        rows.drop(columns=["nr", "ripe"]).to_excel(book, sheet_name="features", index=False)
        rows[["ripe"]].to_excel(book, sheet_name="target", index=False)
    found, task = understood(tmp_path, {})
    assert_right(tmp_path, found, task, "fruit.xlsx#features", rows)


def test_tables_of_other_things_stay_apart(tmp_path: Path, rows: pd.DataFrame) -> None:
    other = pd.DataFrame({"day": pd.date_range("2024-01-01", periods=COUNT), "rain": np.arange(COUNT) % 7})
    found, _ = understood(tmp_path, {"fruit.csv": rows, "weather.csv": other})
    assert {table.key for table in found.tables} == {"fruit.csv", "weather.csv"}


def test_the_solution_reads_them_and_later_rows(tmp_path: Path, rows: pd.DataFrame) -> None:
    data = tmp_path / "data"
    data.mkdir()
    found, task = understood(data, {"X.csv": rows.drop(columns="ripe"), "labels.csv": rows[["nr", "ripe"]]})
    recipe = recall(task, found).recipes[0]
    source = recipe.render(task, found, recipe.ladder(task, found, Machine(2, 8.0), 60.0)[0])
    solution = module_of(source, tmp_path)
    assert solution.load_train(data)["ripe"].tolist() == rows["ripe"].tolist()
    rows[["shape", "size"]].head(3).to_csv(tmp_path / "later.csv", index=False)
    assert solution.load_new(tmp_path / "later.csv", tmp_path)["size"].tolist() == rows["size"].head(3).tolist()
