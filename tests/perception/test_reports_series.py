"""What users of such tools reported about time series: each fault with the right value.

Frequencies that are not found, and counted steps that become dates of 1970: the step is found or asked, gaps are
counted and told, dates and counts stay what they are. Series too short for the horizon: the least length is said and
a shorter horizon offered; short series among longer ones are named, and are forecast still. Covariates that are missing
or stand in another order later: they are asked for, and found by series and time rather than by place.

Not here: the form that asks for them on the Predict page (tests/ui), and predicting in a process of its own
(tests/predictor).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mlzero.errors import UserError
from mlzero.iterative_coding.contract import Evaluation, Machine
from mlzero.perception.scan import profile
from mlzero.perception.series_rows import history_of
from mlzero.perception.task import SeriesPlan, Task
from mlzero.perception.understand import infer_task
from mlzero.predictor.packaging import contract_of
from mlzero.predictor.standalone.inputs import InputProblem, check_columns
from mlzero.semantic_memory import blocks
from mlzero.semantic_memory.recall import recall
from tests.rendered import module_of

WAVE = (100 + 30 * np.sin(np.arange(400) / 6) + np.random.default_rng(0).normal(0, 2, 400)).round(2)


def understood(folder: Path, goal: str, frame: pd.DataFrame, **given: str) -> Task:
    frame.to_csv(folder / "history.csv", index=False)
    return infer_task(profile(folder), folder, goal, given)


def plan_of(task: Task) -> SeriesPlan:
    assert task.problem_type.value == "forecasting" and task.series is not None
    return task.series


def future(folder: Path, task: Task) -> pd.DataFrame:
    plan, history = plan_of(task), history_of(task, profile(folder), folder)
    rows: pd.DataFrame = blocks.function("future_rows")(
        history, plan.item, plan.time, plan.horizon, plan.frequency, plan.start
    )
    return rows


@pytest.mark.parametrize(
    ("pandas_frequency", "frequency"),
    [("MS", "MS"), ("ME", "ME"), ("D", "D"), ("W-MON", "7D"), ("h", "h"), ("QS", "QS")],
)
def test_frequency_is_found_though_steps_are_missing(tmp_path: Path, pandas_frequency: str, frequency: str) -> None:
    times = pd.date_range("1958-01-31", periods=120, freq=pandas_frequency)
    frame = pd.DataFrame({"when": times.astype(str), "level": WAVE[:120]}).drop(index=[17, 18, 60])
    task = understood(tmp_path, "Forecast level", frame)
    assert plan_of(task).frequency == frequency
    assert any("3 of 120 steps have no value; the gaps are closed with straight lines." in note for note in task.notes)
    ahead = future(tmp_path, task)["when"]
    assert ahead.iloc[0] == pd.date_range(times[-1], periods=2, freq=pandas_frequency)[1], "true dates, not of 1970"


def test_whole_series_have_no_gaps(tmp_path: Path) -> None:
    frame = pd.DataFrame({"when": pd.date_range("2020-01-01", periods=90).astype(str), "level": WAVE[:90]})
    assert not any("no value" in note for note in understood(tmp_path, "Forecast level", frame).notes)


def test_counted_steps_stay_counts(tmp_path: Path) -> None:
    frame = pd.DataFrame({"step": range(1, 61), "level": WAVE[:60]})
    task = understood(tmp_path, "Forecast the next 5 steps of level", frame)
    assert plan_of(task).frequency == "" and future(tmp_path, task)["step"].tolist()[:2] == [61, 62]


def irregular() -> pd.DataFrame:
    """Readings at any time of any day, several a week."""
    dice = np.random.default_rng(3)
    minutes = np.sort(dice.choice(180 * 1440, 300, replace=False))
    times = pd.Timestamp("2022-03-01") + pd.to_timedelta(minutes, "min")
    return pd.DataFrame({"read_at": times.astype(str), "level": WAVE[:300]})


def test_irregular_moments_are_put_on_steps_and_asked_about(tmp_path: Path) -> None:
    task = understood(tmp_path, "Forecast level", irregular())
    (question,) = [q for q in task.questions if q.field == "frequency"]
    assert question.options == ["daily", "weekly"] and question.default == "daily" and plan_of(task).frequency == "D"
    weekly = understood(tmp_path, "Forecast level", irregular(), frequency="weekly")
    assert plan_of(weekly).frequency == "7D" and "frequency" not in {q.field for q in weekly.questions}
    ahead = future(tmp_path, weekly)["read_at"]
    assert set(ahead.diff().dropna()) == {pd.Timedelta(days=7)}


def test_irregular_moments_of_other_goals_are_no_series(tmp_path: Path) -> None:
    assert (
        understood(tmp_path, "Predict level", irregular().assign(use=WAVE[50:350])).problem_type.value == "regression"
    )


def months(count: int) -> pd.DataFrame:
    return pd.DataFrame(
        {"month": pd.date_range("2022-01-01", periods=count, freq="MS").astype(str), "sold": WAVE[:count]}
    )


def test_a_horizon_too_long_for_the_series_is_asked_about(tmp_path: Path) -> None:
    task = understood(tmp_path, "Forecast sold for the next 24 months", months(30))
    (question,) = [q for q in task.questions if q.field == "horizon"]
    assert question.default == "24" and question.options == ["24", "10"]
    assert any("48 values or more" in note for note in task.notes), "the least length is said"
    shorter = understood(tmp_path, "Forecast sold for the next 24 months", months(30), horizon="10")
    assert plan_of(shorter).horizon == 10 and not shorter.questions and len(future(tmp_path, shorter)) == 10


def test_enough_history_asks_nothing(tmp_path: Path) -> None:
    assert not understood(tmp_path, "Forecast sold for the next 12 months", months(96)).questions


@pytest.mark.parametrize("given", [{}, {"problem_type": "forecasting", "target": "sold"}])
def test_series_all_too_short_are_refused_with_the_least_length(tmp_path: Path, given: dict[str, str]) -> None:
    with pytest.raises(UserError, match="longest series has 6 values, and 8 are the least") as error:
        understood(tmp_path, "Forecast sold", months(6), **given)
    assert "Add older rows" in error.value.fix


def test_short_series_among_longer_ones_are_named(tmp_path: Path) -> None:
    whole = [months(60).assign(shop=f"S{n}") for n in range(4)]
    frame = pd.concat([*whole, months(60).tail(3).assign(shop="new")])
    task = understood(tmp_path, "Forecast sold", frame)
    assert any(note.startswith('1 of 5 series ("new") have fewer than 8 values') for note in task.notes)
    assert plan_of(task).series == 5, "they are forecast still"


@pytest.mark.parametrize(
    ("given", "says"),
    [({"horizon": "none"}, "no number of steps"), ({"horizon": "0"}, "no number of steps"), ({"frequency": "wekly"}, 'Did you mean "weekly"')],
)  # fmt: skip
def test_corrections_of_steps_are_checked(tmp_path: Path, given: dict[str, str], says: str) -> None:
    with pytest.raises(UserError, match=says):
        understood(tmp_path, "Forecast sold", months(60), **given)


@pytest.fixture
def promoted(tmp_path: Path) -> tuple[Path, Task]:
    """Weekly sales of shops that are promoted at times; the promotions of the weeks to come are known."""
    dice = np.random.default_rng(1)
    weeks = pd.date_range("2021-01-04", periods=128, freq="7D").astype(str)
    frame = pd.DataFrame([(shop, week) for shop in ("A", "B", "C") for week in weeks], columns=["shop", "week"])
    frame["promoted"] = dice.integers(0, 2, len(frame))
    frame["sold"] = (np.tile(WAVE[:128], 3) * (1 + 0.4 * frame["promoted"])).round(1)
    later = frame["week"].isin(weeks[-8:])
    frame[later].drop(columns="sold").to_csv(tmp_path / "coming.csv", index=False)
    return tmp_path, understood(tmp_path, "Forecast sold for coming.csv", frame[~later])


def test_the_rows_to_predict_fix_the_horizon(promoted: tuple[Path, Task]) -> None:
    folder, task = promoted
    assert plan_of(task).horizon == 8
    with pytest.raises(UserError, match="asks for 8 steps ahead"):
        infer_task(profile(folder), folder, task.goal, {"horizon": "4"})


def test_covariates_that_are_missing_later_are_told(promoted: tuple[Path, Task]) -> None:
    folder, task = promoted
    assert plan_of(task).known == ["promoted"]
    contract = contract_of(task, profile(folder), Evaluation(1, "wape", False), {})
    coming = pd.read_csv(folder / "coming.csv")
    assert not check_columns(coming, contract)
    (warning,) = check_columns(coming.drop(columns="promoted"), contract)
    assert "promoted" in warning and "less certain" in warning
    with pytest.raises(InputProblem, match='"week" is missing'):
        check_columns(coming.drop(columns="week"), contract)


def test_covariates_are_found_by_series_and_time_in_any_order(promoted: tuple[Path, Task], tmp_path: Path) -> None:
    folder, task = promoted
    found = profile(folder)
    recipe = recall(task, found).recipes[0]
    source = recipe.render(task, found, recipe.ladder(task, found, Machine(2, 8.0), 120)[0])
    module = module_of(source, tmp_path)
    history, rows = module.load_train(folder), module.load_test(folder)
    shuffled = rows.sample(frac=1, random_state=0)
    both = [module.series_of(history, each)["known"]["promoted"] for each in (rows, shuffled)]
    np.testing.assert_array_equal(*both)
    real = pd.read_csv(folder / "coming.csv").query("shop == 'B'")["promoted"].to_numpy()
    np.testing.assert_array_equal(both[0][1, -8:], real)
