"""Data dictionaries: tables that name and explain the columns of others."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mlzero.perception.scan import profile
from mlzero.perception.understand import infer_task

NAMES = ["age", "work", "gain", "income"]


@pytest.fixture
def people() -> pd.DataFrame:
    dice = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "age": dice.integers(18, 80, 90),
            "work": dice.choice(["private", "state", "self"], 90),
            "gain": dice.integers(0, 9999, 90),
            "income": dice.choice(["high", "low"], 90),
        }
    )


def _glossary(title: str = "Column", meaning: str = "Description") -> pd.DataFrame:
    return pd.DataFrame({title: NAMES, meaning: ["in years", "kind of work", "of capital", "what to predict; by F1"]})


@pytest.mark.parametrize(
    ("title", "meaning"),
    [("Column", "Description"), ("variable_name", "type"), ("Spalte", "Bedeutung"), ("name", "definition")],
)
def test_columns_without_names_are_called_as_in_the_table_beside(
    tmp_path: Path, people: pd.DataFrame, title: str, meaning: str
) -> None:
    people.to_csv(tmp_path / "train.csv", index=False, header=False)
    people.drop(columns="income").to_csv(tmp_path / "test.csv", index=False, header=False)
    _glossary(title, meaning).to_csv(tmp_path / "columns.csv", index=False)
    found = profile(tmp_path)
    assert {table.key: table.names for table in found.tables} == {"test.csv": NAMES[:3], "train.csv": NAMES}
    task = infer_task(found, tmp_path, "Predict the income")
    assert task.target.value == "income"
    assert [role.role for role in task.files.value if role.path == "columns.csv"] == ["description"]


def test_a_sheet_that_explains_another_is_no_data(tmp_path: Path, people: pd.DataFrame) -> None:
    with pd.ExcelWriter(tmp_path / "book.xlsx") as book:
        people.to_excel(book, sheet_name="Data", index=False)
        _glossary().to_excel(book, sheet_name="Dictionary", index=False)
    found = profile(tmp_path)
    assert [table.key for table in found.tables] == ["book.xlsx#Data"]
    assert [document.text.splitlines()[0] for document in found.documents] == ["age: in years"]
    task = infer_task(found, tmp_path, "What do they earn?")
    assert (task.target.value, task.metric.value) == ("income", "f1")


def test_a_table_of_people_explains_nothing(tmp_path: Path, people: pd.DataFrame) -> None:
    people.to_csv(tmp_path / "a.csv", index=False)
    pd.DataFrame({"name": ["Ann", "Bob", "Cy", "age"], "notes": list("wxyz")}).to_csv(tmp_path / "b.csv", index=False)
    found = profile(tmp_path)
    assert [table.key for table in found.tables] == ["a.csv", "b.csv"]
    assert not found.documents
