"""One table a class: the name of the file is the answer, where the goal asks for no other."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mlzero.iterative_coding.contract import Machine
from mlzero.perception.kinds.file_classes import labels_of
from mlzero.perception.scan import profile
from mlzero.perception.task import Task
from mlzero.perception.understand import infer_task
from mlzero.semantic_memory.recall import recall
from tests.rendered import module_of


def animals(seed: int, rows: int = 40) -> pd.DataFrame:
    dice = np.random.default_rng(seed)
    return pd.DataFrame(
        {"length": dice.normal(50 + 9 * seed, 5, rows).round(1), "weight": dice.gamma(3, 2, rows).round(2)}
    )


def write(folder: Path, *names: str) -> None:
    for seed, name in enumerate(names):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        animals(seed).to_csv(path, index=False)


def understood(folder: Path, goal: str, **given: str) -> Task:
    return infer_task(profile(folder), folder, goal, given)


@pytest.mark.parametrize(
    "names",
    [("cats.csv", "dogs.csv"), ("data_cats_2020.csv", "data_dogs_2020.csv"), ("cats/rows.csv", "dogs/rows.csv"), ("known/cats.csv", "known/dogs.csv")],
)  # fmt: skip
@pytest.mark.parametrize("goal", ["Which animal is it?", "Tell cats from dogs", "这是什么动物?"])
def test_the_name_of_the_file_is_the_answer(tmp_path: Path, names: tuple[str, ...], goal: str) -> None:
    write(tmp_path, *names)
    animals(1, 9).to_csv(tmp_path / "new.csv", index=False)
    task = understood(tmp_path, goal)
    assert (task.target.value, task.problem_type.value) == ("label", "binary")
    assert sorted(task.labels) == ["cats", "dogs"] and [s.table for s in task.test] == ["new.csv"]
    assert {source.table: source.told for source in task.train} == {
        names[0]: {"label": "cats"}, names[1]: {"label": "dogs"}
    }  # fmt: skip
    assert '"cats"' in task.target.evidence and [f.name for f in task.used_features] == ["length", "weight"]


def test_sheets_of_a_workbook(tmp_path: Path) -> None:
    with pd.ExcelWriter(tmp_path / "animals.xlsx") as book:
        for seed, name in enumerate(("Cats", "Dogs", "Cows")):
            animals(seed).to_excel(book, sheet_name=name, index=False)
    task = understood(tmp_path, "What kind of animal?")
    assert task.problem_type.value == "multiclass" and set(task.labels) == {"Cats", "Dogs", "Cows"}


def test_a_column_that_the_goal_names_is_the_target(tmp_path: Path) -> None:
    write(tmp_path, "north.csv", "south.csv")
    task = understood(tmp_path, "Predict the weight")
    assert task.target.value == "weight" and [source.told for source in task.train] == [{}, {}]
    assert next(f for f in task.features if f.name == "label").drop


def test_a_column_that_the_rows_to_predict_lack_is_the_target(tmp_path: Path) -> None:
    write(tmp_path, "north.csv", "south.csv")
    animals(1, 9).drop(columns="weight").to_csv(tmp_path / "new.csv", index=False)
    assert understood(tmp_path, "fill in what is missing in new.csv").target.value == "weight"


def test_it_can_be_chosen(tmp_path: Path) -> None:
    write(tmp_path, "north.csv", "south.csv")
    assert sorted(understood(tmp_path, "Predict the weight", target="label").labels) == ["north", "south"]


@pytest.mark.parametrize(
    ("keys", "labels"),
    [
        (["cats.csv", "dogs.csv"], ["cats", "dogs"]),
        (["a.xlsx#good ones", "a.xlsx#bad ones"], ["good", "bad"]),
        (["train.csv", "valid.csv"], None),
        (["sales_2019.csv", "sales_2020.csv"], None),
        (["part_a.csv", "part_b.csv"], None),
        (["january.csv", "february.csv"], None),
        (["猫.csv", "狗.csv"], ["猫", "狗"]),
        (["cats.csv", "Cats.tsv"], None),
    ],
)
def test_names_that_are_classes(keys: list[str], labels: list[str] | None) -> None:
    assert labels_of(keys) == labels


def test_the_solution_reads_all_files_with_their_label(tmp_path: Path) -> None:
    data = tmp_path / "data"
    write(data, "cats.csv", "dogs.csv")
    found = profile(data)
    task = infer_task(found, data, "Which animal is it?")
    recipe = recall(task, found).recipes[0]
    source = recipe.render(task, found, recipe.ladder(task, found, Machine(2, 8.0), 60)[0])
    module = module_of(source, tmp_path)
    assert module.load_train(data)["label"].value_counts().to_dict() == {"cats": 40, "dogs": 40}
    assert "label" not in module.load_new(data / "cats.csv", tmp_path)
