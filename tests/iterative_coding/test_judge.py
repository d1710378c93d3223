"""What the judge finds, and the data for the page."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mlzero.iterative_coding import evaluators
from mlzero.iterative_coding.checks import contract_checks
from mlzero.iterative_coding.contract import Check, Evaluation
from mlzero.iterative_coding.judge import giveaway, judge, reading_checks
from mlzero.perception.task import Task
from mlzero.predictor import findings
from tests.tasks import plain_task

DICE = np.random.default_rng(1)


def make_task(
    problem_type: str = "binary", target: object = "y", metric: str = "roc_auc", id_: str | None = "id"
) -> Task:
    return plain_task(problem_type=problem_type, target=target, metric=metric, id=id_)


def found(
    score: float,
    baseline: float,
    metric: str = "roc_auc",
    higher: bool = True,
    tmp: Path = Path("none"),
    **frames: pd.DataFrame,
) -> dict[str, Check]:
    truth = pd.DataFrame({"y": ["a", "b"] * 50})
    rows = pd.DataFrame({"id": range(100), "x": DICE.normal(size=100)})
    evaluation = Evaluation(1, metric, higher, score=score, baseline=baseline, baseline_text="always says so")
    values = {"holdout": rows, "truth": truth, "test": rows} | frames
    return {c.name: c for c in judge(evaluation, make_task(metric=metric), model_dir=tmp, **values)}


@pytest.mark.parametrize(
    ("score", "baseline", "metric", "higher", "passed", "fatal"),
    [
        (0.8, 0.5, "roc_auc", True, True, False),
        (0.49, 0.5, "roc_auc", True, False, False),
        (0.1, 0.5, "roc_auc", True, False, True),
        (3.0, 5.0, "rmse", False, True, False),
        (6.0, 5.0, "rmse", False, False, False),
        (600.0, 5.0, "rmse", False, False, True),
    ],
)
def test_against_the_naive_guess(
    score: float, baseline: float, metric: str, higher: bool, passed: bool, fatal: bool
) -> None:
    check = found(score, baseline, metric, higher)["better than naive"]
    assert (check.passed, check.fatal) == (passed, fatal)
    assert "always says so" in check.detail


def test_ids_that_repeat_are_told() -> None:
    check = found(0.8, 0.5, test=pd.DataFrame({"id": [1, 1, 2]}))["ids are unique"]
    assert not check.passed and not check.fatal and "1 test rows" in check.detail


def test_a_perfect_score_is_looked_into() -> None:
    suspicious = pd.DataFrame({"x": DICE.normal(size=100), "outcome code": [7, 3] * 50})
    assert "outcome code" in found(1.0, 0.5, holdout=suspicious)["too good to be true"].detail
    assert found(1.0, 0.5)["too good to be true"].passed
    assert "too good to be true" not in found(0.9, 0.5, holdout=suspicious)


@pytest.mark.parametrize(
    ("column", "target", "gives"),
    [
        (["a", "b"] * 50, ["no", "yes"] * 50, True),
        ([1.5, -2.0] * 50 + DICE.random(100) * 0.1, [0, 1] * 50, True),
        (DICE.normal(size=100), ["no", "yes"] * 50, False),
        (np.arange(100) * 2.0 + 1, np.arange(100) * 1.0, True),
        (DICE.normal(size=100), np.arange(100) * 1.0, False),
        ([f"row {i}" for i in range(100)], ["no", "yes"] * 50, False),
        ([1] * 100, ["no"] * 90 + ["yes"] * 10, False),
    ],
)
def test_giveaway(column: object, target: object, gives: bool) -> None:
    try:
        values = np.asarray(column)
    except ValueError:
        values = column
    rows = pd.DataFrame({"c": values[:100]})
    assert (giveaway(rows, pd.Series(target)) == "c") is gives


def test_own_validation_far_above(tmp_path: Path) -> None:
    (tmp_path / "validation.json").write_text('{"score": 0.95}')
    check = found(0.7, 0.5, tmp=tmp_path)["validation agrees"]
    assert not check.passed and not check.fatal and "0.95" in check.detail


ROWS = pd.DataFrame({"x": [1.0, 2.0, 3.0]}, index=[10, 20, 30])


@pytest.mark.parametrize(
    ("problem_type", "target", "predicted", "broken"),
    [
        ("regression", "y", {"y": [1.0, 2.0, 3.0]}, None),
        ("regression", "y", {"y": [1.0, np.inf, 3.0]}, "finite"),
        ("regression", "y", {"y": [1.0, np.nan, 3.0]}, "no gaps"),
        ("multitarget", ["y", "z"], {"y": [1.0, 2.0, 3.0]}, "columns"),
        ("multitarget", ["y", "z"], {"y": [1.0, 2.0, 3.0], "z": ["a", "b", "c"]}, None),
        ("multilabel", ["y", "z"], {"y": [1, 0, 1], "z": [True, False, True]}, None),
        ("multiclass", "y", {"y": ["1", "2.0", "1"]}, None),
        ("multiclass", "y", {"y": [1, 5, 1]}, "labels"),
    ],
)
def test_contract(problem_type: str, target: object, predicted: dict[str, list[object]], broken: str | None) -> None:
    frame = pd.DataFrame(predicted, index=[30, 20, 10])
    checks = contract_checks(
        frame,
        ROWS,
        make_task(problem_type, target, "accuracy" if problem_type == "multiclass" else "mae"),
        ["1", "2"],
        "test",
    )
    failed = [c.name for c in checks if not c.passed]
    assert failed == ([f"test: {broken}"] if broken else [])


def pictures(tmp_path: Path, task: Task, truth: dict[str, object], predicted: dict[str, object]) -> dict[str, dict]:
    frame = pd.DataFrame(truth)
    rows = pd.DataFrame({"x": DICE.normal(size=len(frame)), "text": "long " * 200})
    names = evaluators.write_all(tmp_path / "evaluation", task, rows, frame, pd.DataFrame(predicted))
    return {name: json.loads((tmp_path / "evaluation" / f"{name}.json").read_text()) for name in names}


def test_pictures_of_two_classes(tmp_path: Path) -> None:
    truth = ["Yes", "No", "Yes", "No", "No"] * 200
    chance = np.where(np.array(truth) == "Yes", 0.7, 0.3) + DICE.normal(size=1000) * 0.2
    said = np.where(chance > 0.5, "Yes", "No")
    found = pictures(
        tmp_path, make_task(), {"y": truth}, {"y": said, "probability_Yes": chance, "probability_No": 1 - chance}
    )
    assert set(found) == {"confusion_matrix", "curves", "worst_examples"}
    assert np.sum(found["confusion_matrix"]["matrix"]) == 1000
    assert found["curves"]["positive"] == "Yes"
    assert (
        found["curves"]["roc"][0] == [0, 0]
        and found["curves"]["roc"][-1] == [1, 1]
        and len(found["curves"]["roc"]) <= 300
    )
    worst = found["worst_examples"]["examples"]
    assert len(worst) == 20 and worst[0]["off"] >= worst[-1]["off"] and len(worst[0]["values"]["text"]) == 200


def test_misses_hold_the_risk_where_one_was_asked_for(tmp_path: Path) -> None:
    task = make_task()
    task.output.value.value = "probability"
    chances = {"probability_Yes": [0.2, 0.9, 0.6], "probability_No": [0.8, 0.1, 0.4]}
    found = pictures(tmp_path, task, {"y": ["Yes", "Yes", "No"]}, {"y": ["No", "Yes", "Yes"], **chances})
    worst = found["worst_examples"]
    assert worst["chance_of"] == "Yes" and [e["chance"] for e in worst["examples"]] == [0.2, 0.6]
    assert findings.worst(tmp_path / "evaluation", ["x"])["rows"][0][1] == "No (probability of Yes: 0.20)"


def test_misses_show_days_as_days() -> None:
    rows = pd.DataFrame({"day": pd.to_datetime(["2024-03-01"]), "hour": pd.to_datetime(["2024-03-01 05:00"])})
    assert evaluators.missed(rows, 0, "a", "b", 1.0)["values"] == {"day": "2024-03-01", "hour": "2024-03-01 05:00:00"}


def test_pictures_of_many_classes(tmp_path: Path) -> None:
    labels = [f"class {i}" for i in DICE.integers(0, 80, 2000)]
    found = pictures(tmp_path, make_task("multiclass"), {"y": labels}, {"y": labels})
    assert len(found["confusion_matrix"]["labels"]) == 30 and found["confusion_matrix"]["labels"][-1] == "other"
    assert np.sum(found["confusion_matrix"]["matrix"]) == 2000 and found["worst_examples"]["examples"] == []


def test_pictures_of_numbers_and_of_several_labels(tmp_path: Path) -> None:
    truth = DICE.normal(size=500)
    found = pictures(tmp_path, make_task("regression", metric="mae"), {"y": truth}, {"y": truth + 1})
    assert len(found["predicted_against_true"]["targets"]["y"]["true"]) == 300 and "worst_examples" in found
    several = pictures(
        tmp_path, make_task("multilabel", ["a", "b"]), {"a": [1, 0], "b": ["TRUE", "FALSE"]}, {"a": [1, 1], "b": [0, 0]}
    )
    assert several["label_scores"]["labels"][0] == {"name": "a", "real": 1, "said": 2, "right": 1}


@pytest.mark.parametrize(
    ("changes", "fine"),
    [({}, True), ({"copy": lambda f: f["y"]}, False), ({"a": lambda f: f["y"] * 2 + 1}, False)],
    ids=["as it was", "a new column", "the answer in an old column"],
)
def test_changed_reading_may_not_carry_the_answers(changes: dict, fine: bool) -> None:
    frame = pd.DataFrame({"a": DICE.normal(size=100), "b": DICE.normal(size=100), "y": DICE.integers(0, 2, 100)})
    checks = list(reading_checks(frame.assign(**changes), ["y"], {"a", "b", "y"}))
    assert all(check.passed for check in checks) == fine
