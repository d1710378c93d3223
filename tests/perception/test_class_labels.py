"""Labels that hold numbers, such as `2 stars`: understood, and answered as they are written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mlzero.iterative_coding.contract import Machine
from mlzero.iterative_coding.labels import in_order
from mlzero.perception.problem import labels_of
from mlzero.perception.profile import Profile
from mlzero.perception.scan import profile
from mlzero.perception.task import Task
from mlzero.perception.understand import infer_task
from mlzero.predictor.standalone.answers import format_predictions
from mlzero.semantic_memory.recall import recall
from tests.rendered import module_of

ROWS = 200
DICE = np.random.default_rng(0)
SIZE = DICE.normal(size=ROWS).round(3)
GRADE = np.clip(np.round(SIZE + 3), 1, 5).astype(int)


def rows(answer: list[str] | None = None, first: int = 1) -> pd.DataFrame:
    frame = pd.DataFrame({"no": range(first, first + ROWS), "size": SIZE, "town": ["Graz", "Linz"] * (ROWS // 2)})
    return frame if answer is None else frame.assign(answer=answer)


def understood(root: Path, goal: str, **files: pd.DataFrame) -> tuple[Profile, Task]:
    for name, frame in files.items():
        frame.to_csv(root / f"{name}.csv", index=False)
    found = profile(root)
    return found, infer_task(found, root, goal)


def solution(root: Path, found: Profile, task: Task) -> str:
    recipe = recall(task, found).recipes[0]
    return recipe.render(task, found, recipe.ladder(task, found, Machine(2, 8.0), 60)[0])


@pytest.mark.parametrize(
    ("written", "kind", "labels"),
    [
        ([f"{n} star{'s' if n > 1 else ''}" for n in GRADE], "multiclass", ["1 star", "2 stars", "3 stars", "4 stars", "5 stars"]),
        ([f"{10 * n} %" for n in GRADE], "multiclass", ["10 %", "20 %", "30 %", "40 %", "50 %"]),
        ([f"Grade {n}" for n in GRADE], "multiclass", [f"Grade {n}" for n in range(1, 6)]),
        ([f"{n},0" for n in GRADE], "multiclass", [f"{n},0" for n in range(1, 6)]),
        (["100 €" if n > 3 else "0 €" for n in GRADE], "binary", ["0 €", "100 €"]),
        ([f"{n}" for n in GRADE], "multiclass", ["1", "2", "3", "4", "5"]),
        ([f"{n}{'%' if i % 2 else ' %'}" for i, n in enumerate(GRADE)], "multiclass", ["1", "2", "3", "4", "5"]),  # two spellings
    ],
)  # fmt: skip
def test_labels_stay_as_they_are_written(tmp_path: Path, written: list[str], kind: str, labels: list[str]) -> None:
    found, task = understood(tmp_path, "Predict answer", a=rows(written))
    assert task.problem_type.value == kind and sorted(task.labels) == labels
    told = "The answers are written as there:" in task.problem_type.evidence
    assert told == (task.as_written == ["answer"]) == (labels[0] not in ("1", "Grade 1"))
    train = module_of(solution(tmp_path, found, task), tmp_path).load_train(tmp_path)
    assert sorted(labels_of(train["answer"])) == labels


@pytest.mark.parametrize(
    ("most", "fewer", "answers"),
    [("{} %", "{}%", ["1 %", "5 %"]), ("{}kg", "{} kg", ["1kg", "5kg"]), ("€{}", "€ {}", ["€1", "€5"])],
)
def test_two_spellings_are_answered_as_most_cells_are_written(
    tmp_path: Path, most: str, fewer: str, answers: list[str]
) -> None:
    written = [(fewer if i % 3 == 0 else most).format(n) for i, n in enumerate(GRADE)]
    _, task = understood(tmp_path, "Predict answer", train=rows(written), test=rows(first=1000))
    assert sorted(task.labels) == ["1", "2", "3", "4", "5"]
    assert 'written as most cells of "answer" are: "' in task.output.evidence
    said = pd.DataFrame({"answer": ["1", "5"]}, dtype=object)
    table = format_predictions(rows(first=1000).head(2), said, task.output.value.model_dump(), task.facts())
    assert table["answer"].tolist() == answers


def test_two_spellings_that_differ_in_words_are_answered_as_numbers(tmp_path: Path) -> None:
    written = [f"{n}{' ' * (i % 2)}star{'s' if n > 1 else ''}" for i, n in enumerate(GRADE)]
    _, task = understood(tmp_path, "Predict answer", a=rows(written))
    assert task.output.value.numbers == {} and sorted(task.labels) == ["1", "2", "3", "4", "5"]


def test_cells_that_are_no_numbers_are_no_labels(tmp_path: Path) -> None:
    written = ["on request"] * 3 + [f"{n} stars" for n in GRADE[3:]]
    found, task = understood(tmp_path, "Predict answer", a=rows(written))
    assert "on request" not in task.labels and len(task.labels) == 5
    assert len(module_of(solution(tmp_path, found, task), tmp_path).load_train(tmp_path)) == ROWS - 3


def test_a_correction_to_numbers_reads_numbers(tmp_path: Path) -> None:
    rows([f"{n} stars" for n in GRADE]).to_csv(tmp_path / "a.csv", index=False)
    found = profile(tmp_path)
    task = infer_task(found, tmp_path, "Predict answer", {"problem_type": "regression"})
    assert task.labels == [] and task.as_written == []
    train = module_of(solution(tmp_path, found, task), tmp_path).load_train(tmp_path)
    assert train["answer"].tolist() == GRADE.tolist()


@pytest.mark.parametrize(
    ("labels", "order"),
    [
        (["10 %", "5 %", "0 %"], ["0 %", "5 %", "10 %"]),
        (["Grade 10", "Grade 9"], ["Grade 9", "Grade 10"]),
        (["3", "1", "other"], ["1", "3", "other"]),
        (["B1", "A2", "A1"], ["A1", "A2", "B1"]),
        (["-1", "1,5", "0"], ["-1", "0", "1,5"]),
    ],
)
def test_grades_have_an_order(labels: list[str], order: list[str]) -> None:
    assert in_order(labels) == order


def test_grades_are_judged_and_weighed_by_their_number(tmp_path: Path) -> None:
    found, task = understood(
        tmp_path, "Predict answer, quadratic weighted kappa", a=rows([f"{5 * n} %" for n in GRADE])
    )
    assert task.metric.value == "quadratic_kappa"
    assert 'LABELS = ["5 %", "10 %", "15 %", "20 %", "25 %"]' in solution(tmp_path, found, task)


@pytest.mark.parametrize(
    ("shown", "unit", "written"),
    [
        ("0 %", "%", ["12.3 %", "-4.0 %", "1040.0 %"]),
        ("0.00", "%", [12.34, -4.0, 1040.0]),
        (None, "%", [12.34, -4.0, 1040.0]),
        ("$1,000.00", "$", ["$12.34", "$-4.00", "$1,040.00"]),
    ],
)
def test_numbers_are_written_as_the_sample_shows_them(
    tmp_path: Path, shown: str | None, unit: str, written: list
) -> None:
    share = [f"{value:.1f} %" if unit == "%" else f"${value:,.2f}" for value in 400 * SIZE + 2000]
    files = {"train": rows(share), "test": rows(first=1000)}
    if shown:
        files["sample_submission"] = rows(first=1000)[["no"]].assign(answer=shown)
    _, task = understood(tmp_path, "Predict answer", **files)
    assert task.problem_type.value == "regression"
    output = task.output.value
    said = pd.DataFrame({"answer": [12.34, -4.0, 1040.0]})
    table = format_predictions(rows(first=1000).head(3), said, output.model_dump(), task.facts())
    assert table["answer"].tolist() == written
    told = (
        f'written as in sample_submission.csv: "{shown}"' if output.numbers else f'in the unit of the data ("{unit}")'
    )
    assert told in task.output.evidence


def test_a_sample_with_other_names_shows_how_each_number_is_written(tmp_path: Path) -> None:
    train = rows([f"{value:.1f} %" for value in 400 * SIZE + 2000]).assign(mass=(SIZE * 7).round(2))
    sample = rows(first=1000)[["no"]].assign(predicted_answer="0,0 %", predicted_mass="0 kg")
    _, task = understood(
        tmp_path, "Predict answer and mass", train=train, test=rows(first=1000), sample_submission=sample
    )
    assert task.targets == ["answer", "mass"]
    assert {name: form.after for name, form in task.output.value.numbers.items()} == {
        "predicted_answer": " %", "predicted_mass": " kg",
    }  # fmt: skip


@pytest.mark.slow
def test_answers_come_back_as_written(tmp_path: Path) -> None:
    found, task = understood(tmp_path, "Predict answer", a=rows([f"{n} stars" for n in GRADE]))
    module = module_of(solution(tmp_path, found, task), tmp_path)
    train = module.load_train(tmp_path)
    (tmp_path / "model").mkdir()
    module.fit(train, tmp_path / "model", 30.0)
    said = module.predict(train, tmp_path / "model")
    assert (said["answer"] == train["answer"]).mean() > 0.8
    assert {f"probability_{label}" for label in task.labels} <= set(said)


@pytest.mark.parametrize("other", ["part", "sample"])
def test_labels_are_numbers_where_another_table_writes_them_so(tmp_path: Path, other: str) -> None:
    rows = pd.DataFrame({"size": np.linspace(0, 9, 90), "rating": ["1 star", "2 stars", "2 stars"] * 30})
    rows.to_csv(tmp_path / "rows.csv", index=False)
    if other == "part":
        rows.assign(rating=[1, 2, 2] * 30).to_csv(tmp_path / "more.csv", index=False)
    else:
        rows[["size"]].to_csv(tmp_path / "test.csv", index=False)
        pd.DataFrame({"id": range(90), "rating": 2}).to_csv(tmp_path / "sample_submission.csv", index=False)
    task = infer_task(profile(tmp_path), tmp_path, "classify the rating")
    assert task.labels == ["2", "1"] and task.as_written == []
