"""Metrics against scikit-learn's on random answers, and the naive guesses."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics as sk
from scipy import stats

from mlzero.errors import UserError
from mlzero.iterative_coding import baseline, metrics
from mlzero.iterative_coding.metrics import Answers
from mlzero.perception.task import ProblemType, Task
from tests.tasks import plain_task

DICE = np.random.default_rng(3)
ROWS = 400


def classes(count: int) -> Answers:
    truth = DICE.choice(count, ROWS, p=np.arange(1, count + 1) / np.arange(1, count + 1).sum())
    chances = DICE.dirichlet(np.ones(count), ROWS).round(2) + 0.01 + 0.3 * np.eye(count)[truth]
    chances /= chances.sum(axis=1, keepdims=True)
    return Answers(truth, chances.argmax(1), chances, tuple(str(i) for i in range(count)), 1 if count == 2 else None)


def numbers() -> Answers:
    truth = DICE.gamma(2, 10, ROWS).round(1) + 0.5
    return Answers(truth, truth + DICE.normal(size=ROWS) * 3)


TWO, FOUR, NUMBERS = classes(2), classes(4), numbers()
SEVERAL = Answers(DICE.integers(0, 2, (ROWS, 5)), DICE.integers(0, 2, (ROWS, 5)))


@pytest.mark.parametrize(
    ("name", "answers", "reference"),
    [
        ("accuracy", FOUR, lambda a: sk.accuracy_score(a.truth, a.predicted)),
        ("balanced_accuracy", FOUR, lambda a: sk.balanced_accuracy_score(a.truth, a.predicted)),
        ("f1", TWO, lambda a: sk.f1_score(a.truth, a.predicted)),
        ("f1", FOUR, lambda a: sk.f1_score(a.truth, a.predicted, average="macro")),
        ("precision", TWO, lambda a: sk.precision_score(a.truth, a.predicted)),
        ("recall", TWO, lambda a: sk.recall_score(a.truth, a.predicted)),
        ("f1_macro", TWO, lambda a: sk.f1_score(a.truth, a.predicted, average="macro")),
        ("f1_macro", FOUR, lambda a: sk.f1_score(a.truth, a.predicted, average="macro")),
        ("f1_micro", FOUR, lambda a: sk.f1_score(a.truth, a.predicted, average="micro")),
        ("f1_weighted", FOUR, lambda a: sk.f1_score(a.truth, a.predicted, average="weighted")),
        ("mcc", TWO, lambda a: sk.matthews_corrcoef(a.truth, a.predicted)),
        ("mcc", FOUR, lambda a: sk.matthews_corrcoef(a.truth, a.predicted)),
        ("quadratic_kappa", FOUR, lambda a: sk.cohen_kappa_score(a.truth, a.predicted, weights="quadratic")),
        ("roc_auc", TWO, lambda a: sk.roc_auc_score(a.truth, a.probability[:, 1])),
        ("roc_auc", FOUR, lambda a: sk.roc_auc_score(a.truth, a.probability, multi_class="ovr")),
        ("roc_auc_ovr", FOUR, lambda a: sk.roc_auc_score(a.truth, a.probability, multi_class="ovr")),
        ("roc_auc_ovo", FOUR, lambda a: sk.roc_auc_score(a.truth, a.probability, multi_class="ovo")),
        ("average_precision", TWO, lambda a: sk.average_precision_score(a.truth, a.probability[:, 1])),
        ("log_loss", FOUR, lambda a: sk.log_loss(a.truth, a.probability)),
        ("brier", TWO, lambda a: sk.brier_score_loss(a.truth, a.probability[:, 1])),
        ("rmse", NUMBERS, lambda a: np.sqrt(sk.mean_squared_error(a.truth, a.predicted))),
        ("mse", NUMBERS, lambda a: sk.mean_squared_error(a.truth, a.predicted)),
        ("rmsle", NUMBERS, lambda a: np.sqrt(sk.mean_squared_log_error(a.truth, a.predicted.clip(0)))),
        ("mae", NUMBERS, lambda a: sk.mean_absolute_error(a.truth, a.predicted)),
        ("medae", NUMBERS, lambda a: sk.median_absolute_error(a.truth, a.predicted)),
        ("mape", NUMBERS, lambda a: sk.mean_absolute_percentage_error(a.truth, a.predicted)),
        ("r2", NUMBERS, lambda a: sk.r2_score(a.truth, a.predicted)),
        ("pearson", NUMBERS, lambda a: stats.pearsonr(a.truth, a.predicted)[0]),
        ("spearman", NUMBERS, lambda a: stats.spearmanr(a.truth, a.predicted)[0]),
        ("hamming", SEVERAL, lambda a: sk.hamming_loss(a.truth, a.predicted)),
        ("accuracy", SEVERAL, lambda a: sk.accuracy_score(a.truth, a.predicted)),
        ("f1_micro", SEVERAL, lambda a: sk.f1_score(a.truth, a.predicted, average="micro")),
        ("f1_macro", SEVERAL, lambda a: sk.f1_score(a.truth, a.predicted, average="macro")),
        ("f1_weighted", SEVERAL, lambda a: sk.f1_score(a.truth, a.predicted, average="weighted")),
        ("f1_samples", SEVERAL, lambda a: sk.f1_score(a.truth, a.predicted, average="samples", zero_division=0)),
    ],
)
def test_same_as_scikit_learn(name: str, answers: Answers, reference: Callable[[Answers], float]) -> None:
    assert metrics.get(name).function(answers) == pytest.approx(reference(answers), abs=1e-9)


def test_a_class_that_does_not_occur_is_left_out() -> None:
    few = Answers(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]), np.array([[0.8, 0.1, 0.1], [0.4, 0.5, 0.1], [0.2, 0.7, 0.1], [0.1, 0.8, 0.1]]), ("a", "b", "c"))  # fmt: skip
    assert metrics.get("roc_auc").function(few) == 1.0
    assert metrics.get("balanced_accuracy").function(few) == 0.75


def make_task(
    problem_type: str, target: object, metric: str, labels: list[str] | None = None, positive: str | None = None
) -> Task:
    return plain_task(
        problem_type=problem_type, target=target, metric=metric, labels=labels or [], positive_label=positive
    )


@pytest.mark.parametrize(
    ("truth", "predicted"),
    [
        ([1, 0, 1, 0], ["1", "0", "1", "1"]),
        ([1.0, 0.0, 1.0, 0.0], [1, 0, 1, 1]),
        (["1.0", "0.0", "1.0", "0.0"], [1, 0, 1, 1]),
        ([True, False, True, False], ["True", "False", "True", "True"]),
        (["Yes", "No", "Yes", "No"], pd.Categorical(["Yes", "No", "Yes", "Yes"])),
    ],
)
def test_labels_compare_as_text(truth: list[object], predicted: list[object]) -> None:
    task = make_task("binary", "y", "accuracy")
    assert metrics.score("accuracy", task, pd.DataFrame({"y": truth}), pd.DataFrame({"y": predicted})) == 0.75


def test_probability_columns_are_found_by_label() -> None:
    truth = pd.DataFrame({"y": [1.0, 0.0, 1.0, 0.0]})
    predicted = pd.DataFrame(
        {"y": [1, 0, 1, 0], "probability_0": [0.1, 0.9, 0.2, 0.8], "probability_1": [0.9, 0.1, 0.8, 0.2]}
    )
    task = make_task("binary", "y", "roc_auc", ["0", "1"])
    assert metrics.score("roc_auc", task, truth, predicted) == 1.0
    with pytest.raises(UserError, match="needs probabilities"):
        metrics.score("roc_auc", task, truth, predicted[["y"]])


def test_several_targets() -> None:
    truth = pd.DataFrame({"a": ["TRUE", "FALSE", "TRUE"], "b": ["FALSE", "FALSE", "TRUE"]})
    said = pd.DataFrame(
        {"a": [1, 0, 1], "b": [0, 1, 1], "probability_a": [0.9, 0.1, 0.8], "probability_b": [0.2, 0.6, 0.7]}
    )
    task = make_task("multilabel", ["a", "b"], "f1_micro")
    assert metrics.score("f1_micro", task, truth, said) == pytest.approx(6 / 7)
    assert metrics.score("hamming", task, truth, said) == pytest.approx(1 / 6)
    assert metrics.score("roc_auc", task, truth, said) == 1.0
    numbers = pd.DataFrame({"a": [1.0, 2.0], "b": [10.0, 20.0]})
    assert metrics.score("mae", make_task("multitarget", ["a", "b"], "mae"), numbers, numbers + 1) == 1.0


@pytest.mark.parametrize(
    ("alias", "name"),
    [("AUC", "roc_auc"), ("qwk", "quadratic_kappa"), ("Log Loss", "log_loss"), ("f1-macro", "f1_macro")],
)
def test_aliases(alias: str, name: str) -> None:
    assert metrics.get(alias).name == name


def test_unknown_metric_is_a_users_error() -> None:
    with pytest.raises(UserError, match="no metric called"):
        metrics.get("beauty")


@pytest.mark.parametrize("problem", get_args(ProblemType))
def test_every_metric_says_what_it_is(problem: str) -> None:
    assert metrics.names(problem)
    for name in metrics.names(problem):
        metric = metrics.get(name)
        assert metric.text and metric.sentence.endswith(".")


SKEWED = pd.DataFrame({"y": ["No"] * 80 + ["Yes"] * 20})
PRICES = pd.DataFrame({"y": [1.0] * 60 + [1000.0] * 40})
TAGS = pd.DataFrame({"a": [1] * 90 + [0] * 10, "b": [1] * 10 + [0] * 90})


@pytest.mark.parametrize(
    ("task", "frame", "value", "words"),
    [
        (make_task("binary", "y", "accuracy", ["No", "Yes"], "Yes"), SKEWED, 0.8, 'always says "No"'),
        (make_task("binary", "y", "f1", ["No", "Yes"], "Yes"), SKEWED, 1 / 3, 'always says "Yes"'),
        (make_task("binary", "y", "roc_auc", ["No", "Yes"], "Yes"), SKEWED, 0.5, "shares of the classes"),
        (make_task("binary", "y", "average_precision", ["No", "Yes"], "Yes"), SKEWED, 0.2, "shares of the classes"),
        (make_task("binary", "y", "log_loss", ["No", "Yes"], "Yes"), SKEWED, 0.5004, "shares of the classes"),
        (make_task("regression", "y", "rmse"), PRICES, 489.4, "the mean"),
        (make_task("regression", "y", "mae"), PRICES, 399.6, "always says 1, the median"),
        (make_task("regression", "y", "rmsle"), PRICES, 3.0444, "the geometric mean"),
        (make_task("regression", "y", "r2"), PRICES, 0.0, "the mean"),
        (make_task("regression", "y", "spearman"), PRICES, 0.0, ""),
        (make_task("multilabel", ["a", "b"], "f1_micro"), TAGS, 0.9, 'always says "a"'),
        (make_task("multilabel", ["a", "b"], "hamming"), TAGS, 0.1, 'always says "a"'),
        (make_task("multilabel", ["a", "b"], "roc_auc"), TAGS, 0.5, "shares"),
        (make_task("multitarget", ["a", "b"], "mae"), TAGS, 0.1, "best constant"),
    ],
)
def test_naive_guess(task: Task, frame: pd.DataFrame, value: float, words: str) -> None:
    score, text = baseline.naive(task.metric.value, task, frame, frame)
    assert score == pytest.approx(value, rel=1e-3, abs=1e-6)
    assert words in text
