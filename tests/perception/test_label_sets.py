"""Cells that hold several labels: recognised, learnt label by label, and written as in the data."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from mlzero.errors import UserError
from mlzero.iterative_coding.contract import Machine
from mlzero.perception.columns import describe
from mlzero.perception.label_sets import find
from mlzero.perception.profile import Profile
from mlzero.perception.scan import profile
from mlzero.perception.task import Task
from mlzero.perception.understand import infer_task
from mlzero.predictor.sample import sample_rows
from mlzero.predictor.standalone.answers import format_predictions
from mlzero.semantic_memory.blocks.label_sets import label_columns
from mlzero.semantic_memory.recall import recall
from tests.rendered import module_of

ROWS = 160
DICE = np.random.default_rng(3)
HELD = [
    sorted({str(label) for label in DICE.choice(["drama", "comedy", "crime", "war"], DICE.integers(1, 4))})
    for _ in range(ROWS)
]


def films(cells: list[str], rows: int = ROWS) -> pd.DataFrame:
    return pd.DataFrame({
        "film": [f"F{i}" for i in range(rows)], "minutes": DICE.integers(60, 200, rows),
        "funny": [("comedy" in held) + 0.1 * i % 1 for i, held in enumerate(HELD[:rows])], "genres": cells,
    })  # fmt: skip


def understood(root: Path, frame: pd.DataFrame, goal: str, **overrides: str) -> tuple[Profile, Task]:
    frame.to_csv(root / "a.csv", index=False, sep="\t")
    found = profile(root)
    return found, infer_task(found, root, goal, overrides)


@pytest.mark.parametrize(
    ("write", "goal"),
    [
        ("|".join, "predict the genres"),
        ("; ".join, "Welche genres hat der Film?"),
        (", ".join, "predecir genres"),
        ("、".join, "预测genres"),
        (json.dumps, "predict genres"),
        (lambda held: str([*held]), "prédire genres"),
        (lambda held: "/".join(held), "predict genres"),
    ],
)
def test_sets_of_labels_are_recognised_and_written_back(tmp_path: Path, write, goal: str) -> None:
    _, task = understood(tmp_path, films([write(held) for held in HELD]), goal)
    assert (task.target.value, task.problem_type.value, task.metric.value) == ("genres", "multilabel", "f1_micro")
    assert sorted(task.targets) == ["comedy", "crime", "drama", "war"] and task.questions == []
    assert "genres" not in {f.name for f in task.features} and task.output.value.columns == ["film", "genres"]
    said = label_columns(films([write(held) for held in HELD]), "genres", task.label_set.separator, task.targets)
    table = format_predictions(said, said, task.output.value.model_dump(), task.facts())
    back = label_columns(table, "genres", task.label_set.separator, task.targets)
    assert back[task.targets].equals(said[task.targets])
    single = next(i for i, held in enumerate(HELD) if len(held) == 1)
    assert table["genres"][single] == write(HELD[single])


@pytest.mark.parametrize(
    "cells",
    [
        [f"{town}, {land}" for town, land in [("Paris", "France"), ("Lyon", "France"), ("Rome", "Italy"), ("Bari", "Italy")]] * 40,
        ["black/white" if i % 2 else "colour" for i in range(ROWS)],
        [f"{brand}|{kind}" for brand in ("A1", "B2", "C3", "D4") for kind in ("shoe", "hat")] * 20,
        [f"The film number {i}, which is long, and dull" for i in range(ROWS)],
    ],
)  # fmt: skip
def test_labels_of_several_words_are_one_label(cells: list[str]) -> None:
    column = pd.Series(cells, dtype=object)
    assert find(describe("genres", "genres", column), column, []) is None


def test_few_sets_are_asked_about_and_can_be_corrected(tmp_path: Path) -> None:
    frame = films(["red", "blue", "red;blue", "blue"] * 40)
    _, task = understood(tmp_path, frame, "predict genres")
    assert task.label_set is not None
    (question,) = [q for q in task.questions if q.field == "problem_type"]
    assert question.default == "multilabel" and '"red;blue"' in question.text
    _, task = understood(tmp_path, frame, "predict genres", problem_type="multiclass")
    assert task.label_set is None and sorted(task.labels) == ["blue", "red", "red;blue"]


def test_a_sample_with_a_column_a_label_is_followed(tmp_path: Path) -> None:
    frame = films(["|".join(held) for held in HELD])
    sample = frame[["film"]].assign(drama=0, comedy=0, crime=0, war=0)
    sample.to_csv(tmp_path / "sample_submission.csv", index=False)
    frame.drop(columns="genres").to_csv(tmp_path / "test.csv", index=False)
    _, task = understood(tmp_path, frame, "predict genres", target="genres")
    assert task.output.value.columns == ["film", "drama", "comedy", "crime", "war"] and task.label_set is not None
    said = pd.DataFrame({label: [1, 0] for label in task.targets})
    table = format_predictions(frame.head(2), said, task.output.value.model_dump(), task.facts())
    assert table["war"].tolist() == [1, 0]


def test_solutions_read_a_column_a_label(tmp_path: Path) -> None:
    frame = films(["|".join(held) for held in HELD])
    frame.loc[:9, "genres"] = None
    found, task = understood(tmp_path, frame, "predict genres")
    assert task.test[0].rows == "unlabelled"
    recipe = recall(task, found).recipes[0]
    for variant in recipe.ladder(task, found, Machine(2, 8.0), 60):
        source = recipe.render(task, found, variant)
        solution = module_of(source, tmp_path)
        assert "every known row has a label" in source
    train, test = solution.load_train(tmp_path), solution.load_test(tmp_path)
    assert len(train) == ROWS - 10 and len(test) == 10 and "genres" not in {*train, *test}
    assert train["war"].tolist() == [float("war" in held) for held in HELD[10:]]


def test_pictures_with_a_list_of_labels(tmp_path: Path) -> None:
    for i in range(40):
        Image.new("RGB", (12, 12), (i, 0, 0)).save(tmp_path / f"{i:03}.png")
    labels = ["cat|dog", "cat", "dog", "dog|bird", "bird|cat"] * 8
    pd.DataFrame({"image": range(40), "tags": labels}).to_csv(tmp_path / "labels.csv", index=False)
    found = profile(tmp_path)
    task = infer_task(found, tmp_path, "predict the tags of each image")
    assert (
        task.problem_type.value == "multilabel"
        and task.modality.value == "image"
        and sorted(task.targets) == ["bird", "cat", "dog"]
    )
    recipe = recall(task, found).recipes[0]
    train = module_of(
        recipe.render(task, found, recipe.ladder(task, found, Machine(2, 8.0), 60)[0]), tmp_path
    ).load_train(tmp_path)
    assert train["bird"].sum() == 16 and train[task.used_features[0].name].notna().all()


@pytest.mark.slow
def test_every_row_gets_a_label(tmp_path: Path) -> None:
    found, task = understood(tmp_path, films(["|".join(held) for held in HELD]), "predict genres")
    recipe = recall(task, found).recipes[0]
    solution = module_of(recipe.render(task, found, recipe.ladder(task, found, Machine(2, 8.0), 60)[0]), tmp_path)
    train = solution.load_train(tmp_path)
    (tmp_path / "model").mkdir()
    solution.fit(train, tmp_path / "model", 40.0)
    said = solution.predict(train, tmp_path / "model")
    assert said[task.targets].any(axis=1).all()
    cells = format_predictions(train, said, task.output.value.model_dump(), task.facts())["genres"]
    assert all({*cell.split("|")} <= {*task.targets} for cell in cells)


def test_no_label_is_forced_where_cells_hold_none(tmp_path: Path) -> None:
    held = [[] if i % 9 == 0 else labels for i, labels in enumerate(HELD)]
    found, task = understood(tmp_path, films([json.dumps(labels) for labels in held]), "predict genres")
    assert task.label_set is not None and task.label_set.empty
    recipe = recall(task, found).recipes[0]
    for variant in recipe.ladder(task, found, Machine(2, 8.0), 60):
        assert "every known row has a label" not in recipe.render(task, found, variant)
    said = pd.DataFrame([dict.fromkeys(task.targets, 0)])
    assert format_predictions(said, said, task.output.value.model_dump(), task.facts())["genres"].tolist() == ["[]"]


def test_signs_that_belong_to_a_label_stay() -> None:
    wanted = {"drama": '12" single', "comedy": "kids' stuff", "crime": "a (b)", "war": "rock & roll"}
    column = pd.Series(["; ".join(wanted[label] for label in held) + ";" for held in HELD], dtype=object)
    found = find(describe("genres", "genres", column), column, [])
    assert found is not None and set(found.labels) == set(wanted.values())
    assert (found.separator, found.opening, found.closing, found.quote) == ("; ", "", "", "")


def test_a_label_called_as_a_column_is_named(tmp_path: Path) -> None:
    frame = films(["|".join(held) for held in HELD]).assign(drama=range(ROWS))
    with pytest.raises(UserError, match='label "drama" in cells of "genres"'):
        understood(tmp_path, frame, "predict genres")
    _, task = understood(tmp_path, frame, "predict genres", problem_type="multiclass")
    assert task.problem_type.value == "multiclass"


def test_lists_in_parquet(tmp_path: Path) -> None:
    films([""] * ROWS).assign(genres=HELD).to_parquet(tmp_path / "a.parquet")
    task = infer_task(profile(tmp_path), tmp_path, "predict genres")
    assert task.problem_type.value == "multilabel" and set(task.targets) == {"drama", "comedy", "crime", "war"}


def test_rows_without_labels_are_the_sample_that_a_predictor_is_tried_with(tmp_path: Path) -> None:
    cells = ["" if i % 40 == 0 else "|".join(held) for i, held in enumerate(HELD)]
    found, task = understood(tmp_path, films(cells), "predict genres")
    assert task.test[0].rows == "unlabelled"
    for rows in sample_rows(task, found, tmp_path):
        assert rows["film"].tolist() == [f"F{i}" for i in range(0, ROWS, 40)]


def test_a_table_whose_cells_all_hold_two_labels_keeps_its_header(tmp_path: Path) -> None:
    films(["drama|war"] * ROWS).to_csv(tmp_path / "a.csv", index=False)
    assert profile(tmp_path).tables[0].names == ["film", "minutes", "funny", "genres"]
