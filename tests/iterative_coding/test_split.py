"""The one split of a run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mlzero.iterative_coding import split
from mlzero.iterative_coding.holdout import Holdout
from mlzero.perception.task import SplitPlan, Task
from tests.tasks import plain_task


def make_task(plan: SplitPlan, target: object = "y", problem_type: str = "multiclass") -> Task:
    return plain_task(split=plan, target=target, problem_type=problem_type)


def test_every_class_is_on_both_sides() -> None:
    frame = pd.DataFrame({"y": ["a"] * 900 + ["b"] * 90 + ["c"] * 3 + ["d"] * 2 + ["e"]})
    made = split.make(frame, make_task(SplitPlan(kind="stratified")))
    held, kept = frame["y"].iloc[made.holdout].value_counts(), frame["y"].drop(index=made.holdout).value_counts()
    assert set(held.index) == {"a", "b", "c", "d"} and set(kept.index) == {"a", "b", "c", "d", "e"}
    assert held["a"] == pytest.approx(180, abs=1) and held["b"] == pytest.approx(18, abs=1)


@pytest.mark.parametrize("kind", ["random", "stratified", "group", "time"])
@pytest.mark.parametrize("rows", [2, 5, 40, 1000])
def test_sizes_and_repeatability(kind: str, rows: int) -> None:
    frame = pd.DataFrame(
        {"y": np.arange(rows) % 2, "g": np.arange(rows) // 2, "t": np.arange(rows)}, index=np.arange(rows) * 3
    )
    plan = SplitPlan(kind=kind, column={"group": "g", "time": "t"}.get(kind))  # type: ignore[arg-type]
    first, second = (split.make(frame, make_task(plan)) for _ in range(2))
    assert (first.holdout == second.holdout).all()
    assert 1 <= len(first.holdout) < rows
    assert len(first.holdout) == pytest.approx(0.2 * rows, abs=2)


def test_the_holdout_is_bounded() -> None:
    frame = pd.DataFrame({"y": np.arange(150_000) % 3})
    for kind in ("random", "stratified"):
        assert len(split.make(frame, make_task(SplitPlan(kind=kind))).holdout) == pytest.approx(20_000, abs=3)  # type: ignore[arg-type]


def test_groups_stay_whole() -> None:
    dice = np.random.default_rng(0)
    frame = pd.DataFrame({"y": 1, "g": dice.integers(0, 40, 500).astype(float)})
    frame.loc[:30, "g"] = np.nan
    made = split.make(frame, make_task(SplitPlan(kind="group", column="g")))
    held = frame.iloc[made.holdout]["g"].dropna()
    assert not set(held) & set(frame.drop(index=made.holdout)["g"].dropna())
    assert 60 <= len(made.holdout) <= 140


@pytest.mark.parametrize(
    "column",
    [pd.date_range("2020-01-01", periods=100).astype(str), pd.date_range("2020-01-01", periods=100), range(100)],
)
def test_the_latest_rows_are_held_out(column: object) -> None:
    frame = pd.DataFrame({"y": 1.0, "t": column}).sample(frac=1, random_state=0)
    made = split.make(frame, make_task(SplitPlan(kind="time", column="t"), problem_type="regression"))
    held = frame.iloc[made.holdout]
    assert len(held) == 20 and held["t"].min() > frame.drop(index=held.index)["t"].max()


def test_rows_of_one_moment_stay_together() -> None:
    frame = pd.DataFrame({"y": 1.0, "t": np.repeat(range(20), 7)})
    held = frame.iloc[split.make(frame, make_task(SplitPlan(kind="time", column="t"))).holdout]
    assert len(held) == 28 and held["t"].min() == 16


@pytest.mark.parametrize(
    ("plan", "frame"),
    [
        (SplitPlan(kind="group", column="gone"), pd.DataFrame({"y": range(50)})),
        (SplitPlan(kind="group", column="g"), pd.DataFrame({"y": range(50), "g": 1})),
        (SplitPlan(kind="time", column="t"), pd.DataFrame({"y": range(50), "t": "never"})),
        (SplitPlan(kind="time", column="t"), pd.DataFrame({"y": range(50), "t": 5})),
    ],
)
def test_a_plan_that_cannot_be_followed_is_told(plan: SplitPlan, frame: pd.DataFrame) -> None:
    made = split.make(frame, make_task(plan))
    assert made.kind == "random" and plan.column and plan.column in made.note and len(made.holdout) == 10


def test_rows_without_a_target_are_not_held_out() -> None:
    frame = pd.DataFrame({"a": [1.0, np.nan] * 50, "b": [1.0] * 100})
    made = split.make(frame, make_task(SplitPlan(), ["a", "b"], "multitarget"))
    assert len(made.holdout) == 10 and (made.holdout % 2 == 0).all()


@pytest.mark.parametrize(
    "index",
    [np.arange(100), [f"r{i}" for i in range(100)], pd.MultiIndex.from_product([range(10), list("abcdefghij")])],
)
def test_kept_on_disk(tmp_path: Path, index: object) -> None:
    frame = pd.DataFrame({"y": np.arange(100) % 2, "x": 0.5}, index=index)
    task = make_task(SplitPlan(kind="stratified"))
    first, second = Holdout(tmp_path / "split"), Holdout(tmp_path / "split")
    assert first.take_or_make(frame, task) is None
    assert (
        second.take_or_make(frame.sample(frac=1, random_state=1).assign(y=lambda d: d["y"].astype(float)), task) is None
    )
    assert first.truth.index.equals(second.truth.index)
    assert "left out 1 of the 20" in (second.take_or_make(frame.drop(index=[first.truth.index[0]]), task) or "")
    assert "changed the target of 20" in (second.take_or_make(frame.assign(y=5), task) or "")
