"""The mean of several attempts, and when it is worth handing over."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from mlzero.iterative_coding import blend
from mlzero.iterative_coding.contract import Attempt, Evaluation, Variant
from mlzero.iterative_coding.fork_server import modules_of
from mlzero.iterative_coding.holdout import Holdout
from mlzero.iterative_coding.loading import Loading
from mlzero.iterative_coding.stages import continues
from mlzero.perception.task import Task
from mlzero.predictor.requirements import used_packages
from mlzero.semantic_memory.blocks import function
from mlzero.semantic_memory.recipes.blend import members, render
from tests.tasks import plain_task

ROWS = 400
mean_answers = function("mean_answers")


class Measured:
    """A run whose attempts answered the holdout in a given way."""

    def __init__(self, folder: Path, task: Task, rows: pd.DataFrame) -> None:
        self.folder, self.task, self.rows = folder, task, rows
        self.attempts: list[Attempt] = []
        self.holdout = Holdout(folder / "split")
        self.holdout.take_or_make(rows, task)

    @property
    def truth(self) -> pd.Series:
        return self.holdout.truth[self.task.targets[0]]

    def add(self, answers: pd.DataFrame, score: float, *, fit: float = 5.0, more: str | None = None) -> None:
        number = len(self.attempts) + 1
        loading = Loading(self.folder / "work" / f"{number:03d}")
        loading.train.parent.mkdir(parents=True)
        (self.rows.assign(**{more: 1}) if more else self.rows).to_parquet(loading.train)
        answers.to_parquet(loading.answers)
        better = self.task.metric.value == "accuracy"
        evaluation = Evaluation(number, self.task.metric.value, better, score=score, seconds={"fit": fit})
        variant = Variant("r", f"v{number}", "", "", fit_seconds=10)
        self.attempts.append(Attempt(number, variant, evaluation=evaluation))

    def find(self, seconds: float = 60.0) -> blend.Blend | None:
        return blend.find(self.attempts, self.task, self.folder, self.folder, seconds)


@pytest.fixture
def numbers(tmp_path: Path) -> Measured:
    dice = np.random.default_rng(1)
    task = plain_task(problem_type="regression", metric="rmse")
    rows = pd.DataFrame({"x": dice.normal(size=ROWS), "y": dice.normal(size=ROWS)})
    return Measured(tmp_path, task, rows)


def off(run: Measured, sigma: float, seed: int) -> pd.DataFrame:
    return pd.DataFrame({"y": run.truth + np.random.default_rng(seed).normal(0, sigma, len(run.truth))})


def classes(run: Measured, strength: float, seed: int) -> pd.DataFrame:
    """Probabilities that lean to the truth, and the more probable label."""
    yes = np.where(run.truth == "yes", strength, -strength) + np.random.default_rng(seed).normal(size=len(run.truth))
    share = 1 / (1 + np.exp(-yes))
    labels = np.where(share > 0.5, "yes", "no")
    frame = {"y": labels, "probability_no": 1 - share, "probability_yes": share}
    return pd.DataFrame(frame, index=run.truth.index)


def test_errors_that_differ_are_averaged_away(numbers: Measured) -> None:
    numbers.add(off(numbers, 1.0, 2), 1.0)
    numbers.add(off(numbers, 1.02, 3), 1.02)
    numbers.add(off(numbers, 1.04, 4), 1.04)
    found = numbers.find()
    assert found is not None
    assert [attempt.number for attempt in found.attempts] == [1, 2, 3]
    assert found.score == pytest.approx(1.0 / np.sqrt(3), abs=0.1)
    attempt = found.attempt(4)
    assert attempt.variant.title == "Mean of attempts 1, 2 and 3" and attempt.parent == 1
    assert attempt.evaluation is not None and attempt.evaluation.seconds == {"fit": 15.0}


@pytest.mark.parametrize("kind", ["float32", "int64"])
def test_numbers_of_any_type_are_averaged(numbers: Measured, kind: str) -> None:
    for seed in (2, 3, 4):
        numbers.add((off(numbers, 30.0, seed)).astype(kind), 30 + seed / 100)
    assert numbers.find() is not None


def test_the_same_error_twice_is_no_gain(numbers: Measured) -> None:
    numbers.add(off(numbers, 1.0, 2), 1.0)
    numbers.add(off(numbers, 1.0, 2) + 1e-4, 1.0001)
    assert numbers.find() is None


def test_a_poor_attempt_does_not_pull_the_best_down(numbers: Measured) -> None:
    numbers.add(off(numbers, 0.1, 2), 0.1)
    numbers.add(off(numbers, 2.0, 3), 2.0)
    assert numbers.find() is None


def test_only_what_can_be_fitted_again_in_time_takes_part(numbers: Measured) -> None:
    numbers.add(off(numbers, 1.0, 2), 1.0, fit=20)
    numbers.add(off(numbers, 1.02, 3), 1.02, fit=50)
    numbers.add(off(numbers, 1.04, 4), 1.04, fit=20)
    found = numbers.find(45)
    assert found is not None and [attempt.number for attempt in found.attempts] == [1, 3]
    assert numbers.find(30) is None


def test_attempts_that_read_other_columns_do_not_mix(numbers: Measured) -> None:
    numbers.add(off(numbers, 1.0, 2), 1.0)
    numbers.add(off(numbers, 1.0, 3), 1.01, more="made")
    assert numbers.find() is None


def test_attempts_that_answer_other_columns_do_not_mix(numbers: Measured) -> None:
    numbers.add(off(numbers, 1.0, 2).assign(low=0.0), 1.0)
    numbers.add(off(numbers, 1.0, 3), 1.01)
    assert numbers.find() is None


@pytest.mark.parametrize("without", [(0,), (1,), (0, 1)])
def test_whole_labels_without_probabilities_do_not_mix(tmp_path: Path, without: tuple[int, ...]) -> None:
    dice = np.random.default_rng(5)
    rows = pd.DataFrame({"x": dice.normal(size=4 * ROWS), "y": dice.integers(0, 2, 4 * ROWS)})
    run = Measured(tmp_path, plain_task(), rows)
    for seed in (0, 1):
        share = np.clip(
            0.5 + (run.truth - 0.5) * 0.2 + np.random.default_rng(seed).normal(0, 0.2, len(run.truth)), 0, 1
        )
        answers = pd.DataFrame({"y": (share > 0.5).astype(float), "probability_0": 1 - share, "probability_1": share})
        run.add(answers[["y"]] if seed in without else answers, 0.7 - 0.01 * seed)
    assert run.find() is None


def test_a_mean_is_of_rows_whatever_their_order() -> None:
    mean = mean_answers([pd.DataFrame({"y": [1.0, 2.0]}), pd.DataFrame({"y": [4.0, 3.0]}, index=[1, 0])], "y")
    assert mean["y"].tolist() == [2.0, 3.0]


def test_labels_follow_the_mean_probabilities(tmp_path: Path) -> None:
    dice = np.random.default_rng(5)
    rows = pd.DataFrame({"x": dice.normal(size=4 * ROWS), "y": dice.choice(["no", "yes"], 4 * ROWS)})
    run = Measured(tmp_path, plain_task(), rows)
    for seed in (1, 2, 3):
        answers = classes(run, 0.8, seed)
        run.add(answers, float((answers["y"] == run.truth).mean()))
    found = run.find()
    assert found is not None
    said = found.case.predicted
    assert ((said["probability_yes"] > 0.5) == (said["y"] == "yes")).all()
    best = max(a.evaluation.score or 0 for a in run.attempts if a.evaluation)
    assert found.score > best


def test_labels_that_were_moved_by_weights_are_left_alone(tmp_path: Path) -> None:
    rows = pd.DataFrame({"x": range(ROWS), "y": ["no", "yes"] * (ROWS // 2)})
    run = Measured(tmp_path, plain_task(), rows)
    for seed in (1, 2):
        answers = classes(run, 1.0, seed)
        answers["y"] = np.where(answers["probability_yes"] > 0.3, "yes", "no")
        run.add(answers, 0.7)
    assert run.find() is None


def test_a_mean_of_whole_labels_keeps_their_form() -> None:
    frame = pd.DataFrame({"y": [1, 0], "probability_0": [0.2, 0.6], "probability_1": [0.8, 0.4]})
    other = pd.DataFrame({"y": [0, 1], "probability_0": [0.9, 0.3], "probability_1": [0.1, 0.7]})
    mean = mean_answers([frame, other], "y")
    assert mean["y"].tolist() == [0, 1] and mean["y"].dtype == frame["y"].dtype


@pytest.mark.parametrize(
    ("labels", "kind", "wanted"),
    [
        ((False, True), "bool", [False, False]),
        ((False, True), "boolean", [False, False]),
        (("a", "b"), "category", ["a", "a"]),
        ((3, 7), "Int64", [3, 3]),
        (("01", "1"), "string", ["01", "01"]),
    ],
)
def test_a_mean_of_labels_may_be_one_that_the_first_answer_never_gave(labels: tuple, kind: str, wanted: list) -> None:
    first, second = (f"probability_{label}" for label in labels)
    one = pd.DataFrame({"y": pd.Series([labels[1]] * 2, dtype=kind), first: 0.4, second: 0.6})
    other = pd.DataFrame({"y": pd.Series([labels[1]] * 2, dtype=kind), first: 0.9, second: 0.1})
    assert mean_answers([one, other], "y")["y"].tolist() == wanted


MEMBER = '''
"""It's a "solution" with a \\\\d pattern and \'\'\'quotes\'\'\'."""
from pathlib import Path
import pandas as pd
import scipy.stats

CONTINUES = True


def load_train(data_dir): return pd.DataFrame({"x": [1.0, 2.0], "y": [FACTOR, FACTOR]})
def load_test(data_dir): return None
def load_new(path, model_dir): return pd.read_csv(path)
def fit(train, model_dir, time_limit): (Path(model_dir) / "limit.txt").write_text(f"{time_limit:.1f}")
def predict(rows, model_dir): return pd.DataFrame({"y": FACTOR * rows["x"]}, index=rows.index)
'''


def test_the_solution_of_a_blend_holds_and_calls_its_members(tmp_path: Path) -> None:
    sources = {f"attempt_{n}": MEMBER.replace("FACTOR", str(factor)) for n, factor in ((2, 1.0), (5, 3.0))}
    task = plain_task(problem_type="regression", metric="rmse")
    text = render(task, sources, {"attempt_2": 0.25, "attempt_5": 0.75}, ["scipy"])
    assert members(text) == sources and members(MEMBER) == {}
    assert modules_of(text)[-1] == "scipy"
    assert "scipy" in used_packages(text, tmp_path)
    assert continues(sources["attempt_2"]) and not continues(text)
    space: dict[str, Any] = {}
    exec(compile(text, "solution.py", "exec"), space)
    space["fit"](space["load_train"](tmp_path), tmp_path, 8.0)
    assert (tmp_path / "attempt_2" / "limit.txt").read_text() == "2.0"
    said = space["predict"](pd.DataFrame({"x": [1.0, 2.0]}, index=[7, 9]), tmp_path)
    assert said["y"].to_dict() == {7: 2.0, 9: 4.0}


@pytest.mark.parametrize("end", ["'", "''", "'''", "''''", "\\'", "\n"])
def test_a_member_may_end_in_any_way(end: str) -> None:
    source = f"{MEMBER.replace('FACTOR', '1.0')}# {end}"
    assert members(render(plain_task(), {"attempt_1": source}, {"attempt_1": 1.0}, [])) == {"attempt_1": source}
