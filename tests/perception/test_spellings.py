"""Labels that differ only in capitals or blanks: one label where they are the same word, apart where they are codes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mlzero.errors import UserError
from mlzero.iterative_coding.contract import Machine
from mlzero.perception.scan import profile
from mlzero.perception.task import Task
from mlzero.perception.understand import infer_task
from mlzero.semantic_memory.blocks.columns import one_spelling
from mlzero.semantic_memory.recall import recall
from tests.rendered import module_of

ROWS = 300
DICE = np.random.default_rng(0)


def rows(answers: dict[str, int], first: int = 0) -> pd.DataFrame:
    cells = np.repeat(list(answers), list(answers.values()))[:ROWS].astype(object)
    cells = np.resize(cells, ROWS)
    DICE.shuffle(cells)
    return pd.DataFrame({"no": range(first, first + ROWS), "size": DICE.normal(size=ROWS).round(3), "answer": cells})


def understood(root: Path, answers: dict[str, int], sample: str = "", **overrides: str) -> Task:
    rows(answers).to_csv(root / "train.csv", index=False)
    if sample:
        rows(answers).drop(columns="answer").to_csv(root / "test.csv", index=False)
        (root / "sample_submission.csv").write_text(sample)
    return infer_task(profile(root), root, "Predict answer", overrides)


@pytest.mark.parametrize(
    ("answers", "kind", "labels"),
    [
        ({"Yes": 100, "yes ": 20, "YES": 30, "No": 90, "no": 60}, "binary", ["No", "Yes"]),
        ({"Good": 50, "good": 90, "Bad": 80, "Fair": 80}, "multiclass", ["Bad", "Fair", "good"]),
        ({"good ": 90, "good": 60, "bad": 150}, "binary", ["bad", "good"]),
        ({"y": 80, "Y": 70, "N": 100, "n": 50}, "binary", ["N", "y"]),  # yes and no
        ({"m": 150, "m ": 50, "f": 100}, "binary", ["f", "m"]),
        ({"m": 190, "M": 2, "f": 108}, "binary", ["f", "m"]),  # a slip
        ({"m": 100, "M": 100, "f": 100}, "multiclass", ["M", "f", "m"]),
        ({"Co": 100, "CO": 80, "Fe": 120}, "multiclass", ["CO", "Co", "Fe"]),
        ({"new york": 100, "New  York": 40, "Boston": 160}, "binary", ["Boston", "new york"]),
        ({"red": 150, "blue ": 150}, "binary", ["blue ", "red"]),
    ],
)
def test_words_are_one_label_and_codes_are_not(
    answers: dict[str, int], kind: str, labels: list[str], tmp_path: Path
) -> None:
    task = understood(tmp_path, answers)
    assert (task.problem_type.value, sorted(task.labels)) == (kind, labels)


def test_what_is_one_label_is_told(tmp_path: Path) -> None:
    task = understood(tmp_path, {"Yes": 100, "yes ": 20, "No": 90, "no": 60})
    told = 'In "answer", "yes " counts as "Yes", "no" as "No": only capitals or blanks differ.'
    assert task.notes[0] == task.spelling.evidence == told and sorted(task.spelled) == ["No", "Yes"]
    assert task.spelling.value == "one" and task.spelling.alternatives == ["apart"]


def test_codes_that_are_kept_apart_are_told(tmp_path: Path) -> None:
    task = understood(tmp_path, {"m": 100, "M": 100, "f": 100})
    assert task.spelling.value == "apart" and '"M" and "m"' in task.notes[0] and not task.spelled


def test_the_user_has_the_last_word(tmp_path: Path) -> None:
    answers = {"m": 100, "M": 100, "f": 100}
    assert sorted(understood(tmp_path, answers, spelling="one").labels) == ["f", "m"]
    task = understood(tmp_path, {"Good": 100, "good": 100, "bad": 100}, spelling="apart")
    assert sorted(task.labels) == ["Good", "bad", "good"] and "spelling" in task.overridden
    with pytest.raises(UserError, match="Choose one of: one, apart"):
        understood(tmp_path, answers, spelling="maybe")


@pytest.mark.parametrize(
    ("sample", "labels"),
    [
        ("no,answer\n1,Good\n2,bad\n", ["Good", "bad"]),  # rarer, but as it is asked for
        ("no,answer\n1,Good\n2,good\n3,bad\n", ["Good", "bad", "good"]),
    ],
)
def test_the_sample_of_the_answer_decides(sample: str, labels: list[str], tmp_path: Path) -> None:
    assert sorted(understood(tmp_path, {"Good": 80, "good": 120, "bad": 100}, sample).labels) == labels


def test_cells_that_list_labels_are_left_alone(tmp_path: Path) -> None:
    answers = {"Drama": 60, "drama": 40, "comedy|Drama": 80, "comedy": 60, "crime|comedy": 60}
    task = understood(tmp_path, answers)
    assert task.label_set is not None and not task.spelled and task.spelling.value is None


def test_spellings_of_another_table_count(tmp_path: Path) -> None:
    rows({"good": 200, "bad": 100}).to_csv(tmp_path / "train_2023.csv", index=False)
    rows({"GOOD": 100, "Bad": 200}, first=ROWS).to_csv(tmp_path / "train_2024.csv", index=False)
    task = infer_task(profile(tmp_path), tmp_path, "Predict answer")
    assert len(task.train) == 2 and sorted(task.labels) == ["Bad", "good"]


def test_the_solution_reads_one_label(tmp_path: Path) -> None:
    task = understood(tmp_path, {"Yes": 100, "yes ": 20, "YES": 30, "No": 90, "no": 60})
    found = profile(tmp_path)
    recipe = recall(task, found).recipes[0]
    module = module_of(recipe.render(task, found, recipe.ladder(task, found, Machine(2, 8.0), 60)[0]), tmp_path)
    assert module.load_train(tmp_path)["answer"].value_counts().to_dict() == {"Yes": 150, "No": 150}


def test_cells_that_are_no_texts_stay() -> None:
    cells = pd.Series(["Yes", " yes", None, 1, True, "no"], dtype=object)
    assert one_spelling(cells, ["yes"]).tolist() == ["yes", "yes", None, 1, True, "no"]
