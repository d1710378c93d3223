"""Grades in words: their order, what it is told by, and who may set it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mlzero.errors import UserError
from mlzero.iterative_coding import metrics
from mlzero.iterative_coding.labels import in_order
from mlzero.perception import hints
from mlzero.perception.profile import Profile
from mlzero.perception.scan import profile
from mlzero.perception.task import Task
from mlzero.perception.understand import infer_task
from tests.perception.test_class_labels import solution

GOAL = "Predict the state, judged by quadratic weighted kappa"
MINERALS = ["talc", "gypsum", "quartz"]  # by their hardness, which no scale knows


def understood(
    root: Path, labels: list[str], goal: str = GOAL, overrides: dict[str, str] | None = None
) -> tuple[Profile, Task]:
    dice = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"size": dice.normal(size=120).round(3), "state": [labels[i % len(labels)] for i in range(120)]}
    )
    frame.to_csv(root / "rows.csv", index=False)
    found = profile(root)
    return found, infer_task(found, root, goal, overrides)


@pytest.mark.parametrize(
    "labels",
    [
        ["Poor", "Fair", "Good", "Very good", "Excellent"],
        ["low", "medium", "high"],
        ["low risk", "medium risk", "high risk"],
        ["none", "mild", "moderate", "severe"],
        ["Never", "Rarely", "Sometimes", "Often", "Always"],
        ["Strongly disagree", "Disagree", "Neither agree nor disagree", "Agree", "Strongly agree"],
        ["very_dissatisfied", "dissatisfied", "neutral", "satisfied", "very_satisfied"],
        ["S", "M", "L", "XL"],
        ["Stage I", "Stage II", "Stage III", "Stage IV", "Stage V"],
        ["mangelhaft", "ausreichend", "befriedigend", "gut", "sehr gut"],
        ["nie", "selten", "manchmal", "häufig", "immer"],
        ["niedrig", "mittel", "hoch"],
        ["trifft nicht zu", "trifft eher nicht zu", "trifft eher zu", "trifft zu"],
        ["jamais", "rarement", "parfois", "souvent", "toujours"],
        ["faible", "moyen", "élevé"],
        ["Pas du tout d’accord", "Pas d’accord", "D’accord", "Tout à fait d’accord"],
        ["nunca", "a veces", "a menudo", "siempre"],
        ["muy malo", "malo", "regular", "bueno", "muy bueno"],
        ["bajo", "medio", "alto"],
        ["差", "中", "好"],
        ["低", "中", "高"],
    ],
)
def test_words_of_one_scale_have_its_order(labels: list[str]) -> None:
    assert in_order(sorted(labels)) == labels and in_order(labels[::-1]) == labels


@pytest.mark.parametrize("labels", [["low", "medium", "blue"], ["fair", "average", "good"], ["gut", "often", "haut"]])
def test_words_that_no_scale_knows_as_different_grades_have_none(labels: list[str]) -> None:
    assert in_order(labels) == sorted(labels)


def test_far_misses_cost_more_by_the_scale(tmp_path: Path) -> None:
    found, task = understood(tmp_path, ["good", "poor", "fair"])
    assert task.order.value == ["poor", "fair", "good"] and task.order.confidence > 0.9 and not task.questions
    assert "known scale" in task.order.evidence
    assert 'LABELS = ["poor", "fair", "good"]' in solution(tmp_path, found, task)
    truth = pd.DataFrame({"state": ["poor", "fair", "good"] * 4})
    near = truth.replace("poor", "fair")
    far = truth.replace("poor", "good")
    assert metrics.score("quadratic_kappa", task, truth, near) > metrics.score("quadratic_kappa", task, truth, far)


def test_an_order_that_nothing_tells_is_a_question(tmp_path: Path) -> None:
    found, task = understood(tmp_path, MINERALS)
    assert task.order.value == sorted(MINERALS) and task.order.confidence < 0.5
    assert "do not tell it" in task.order.evidence
    (question,) = [q for q in task.questions if q.field == "order"]
    assert question.default == "gypsum < quartz < talc"

    task = infer_task(found, tmp_path, GOAL, {"order": "talc < gypsum < quartz"})
    assert task.order.value == MINERALS and task.order.evidence == "Set by you." and not task.questions
    assert 'LABELS = ["talc", "gypsum", "quartz"]' in solution(tmp_path, found, task)
    truth = pd.DataFrame({"state": MINERALS * 4})
    near, far = truth.replace("talc", "gypsum"), truth.replace("talc", "quartz")
    assert metrics.score("quadratic_kappa", task, truth, near) > metrics.score("quadratic_kappa", task, truth, far)


def test_the_goal_may_list_them(tmp_path: Path) -> None:
    _, task = understood(tmp_path, MINERALS, f"{GOAL}. It goes from talc, gypsum to quartz.")
    assert task.order.value == MINERALS and not task.questions
    assert task.order.evidence == "The goal names them in this order."
    assert task.order.alternatives == [sorted(MINERALS)]


def test_a_hint_may_tell_it(tmp_path: Path) -> None:
    found, task = understood(tmp_path, MINERALS)
    read = hints.interpret("The order is talc, gypsum and quartz", task, found)
    assert read.overrides == {"order": "talc < gypsum < quartz"} and not read.needs_model
    assert infer_task(found, tmp_path, GOAL, read.overrides).order.value == MINERALS


@pytest.mark.parametrize(
    ("order", "word"),
    [("talc < quartz", "leaves out"), ("talc, talc, gypsum, quartz", "twice"), ("talc < gold", "gold")],
)
def test_an_order_must_name_every_label_once(tmp_path: Path, order: str, word: str) -> None:
    with pytest.raises(UserError, match=word):
        understood(tmp_path, MINERALS, overrides={"order": order})


def test_other_metrics_need_no_order(tmp_path: Path) -> None:
    _, task = understood(tmp_path, MINERALS, "Predict the state, judged by accuracy")
    assert task.order.value == [] and not task.questions


@pytest.mark.parametrize("labels", [["甲", "乙", "丙"], ["meh", "ok", "top"], ["1/2", "1/4", "3/4"]])
def test_short_words_are_no_codes_and_are_asked_for(tmp_path: Path, labels: list[str]) -> None:
    _, task = understood(tmp_path, labels)
    assert [q.field for q in task.questions] == ["order"]


@pytest.mark.parametrize("labels", [["A", "B+", "C"], ["A2", "B1", "C1"], ["T1a", "T1b", "T2a"], ["A", "AA", "BBB"]])
def test_codes_are_in_the_order_of_the_alphabet(tmp_path: Path, labels: list[str]) -> None:
    _, task = understood(tmp_path, labels)
    assert task.order.value == labels and not task.questions
