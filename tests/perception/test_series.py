"""Uploads of time series: which are forecasts, how far ahead, in which layout."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import mlzero
from mlzero.perception import series_words
from mlzero.perception.scan import profile
from mlzero.perception.series_rows import history_of
from mlzero.perception.task import SeriesPlan, Task
from mlzero.perception.understand import infer_task
from tests.away import predict_away

AHEAD = 8


def weekly(folder: Path, weeks: int = 120, items: int = 5) -> pd.DataFrame:
    """Sales of some kiosks by week, higher in summer and with offers; the next weeks with their offers."""
    dice = np.random.default_rng(5)
    days = pd.date_range("2021-01-04", periods=weeks + AHEAD, freq="7D")
    rows = []
    for number in range(items):
        offer = dice.random(len(days)) < 0.2
        season = 1 + 0.4 * np.sin(2 * np.pi * np.arange(len(days)) / 52)
        sold = (100 + 60 * number) * season * (1 + 0.5 * offer) * dice.lognormal(0, 0.03, len(days))
        rows.append(
            pd.DataFrame(
                {
                    "kiosk": f"K{number}",
                    "week": days.strftime("%d.%m.%Y"),
                    "offer": offer.astype(int),
                    "sold": sold.round(1),
                }
            )
        )
    every = pd.concat(rows, ignore_index=True)
    later = every["week"].isin(days[weeks:].strftime("%d.%m.%Y"))
    folder.mkdir(parents=True, exist_ok=True)
    every[~later].to_csv(folder / "history.csv", index=False, sep=";")
    every[later].drop(columns="sold").to_csv(folder / "coming.csv", index=False, sep=";")
    return every[later].reset_index(drop=True)


def wide(folder: Path, template: bool = True) -> pd.DataFrame:
    """Daily series of different length, one a row, left-aligned; the template asks for a week."""
    dice = np.random.default_rng(2)
    table = pd.DataFrame(index=range(6), columns=["name", *(f"V{n}" for n in range(1, 71))], dtype=object)
    for row in range(6):
        length = int(dice.integers(50, 71))
        table.loc[row, "name"] = f"S{row}"
        table.iloc[row, 1 : length + 1] = (50 * (row + 1) + 10 * np.tile([0, 1, 2, 3, 2, 1, 0], 11)[:length]).round(2)
    folder.mkdir(parents=True, exist_ok=True)
    table.to_csv(folder / "series.csv", index=False)
    if template:
        pd.DataFrame({"id": table["name"], **{f"H{n}": None for n in range(1, 8)}}).to_csv(
            folder / "template.csv", index=False
        )
    return table


def matrix(folder: Path) -> pd.DataFrame:
    """Years down, months across, a total, the last year open."""
    months = ["Jan", "Feb", "Mär", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez"]
    values = (1000 + 10 * np.arange(96) + 200 * (np.arange(96) % 12 == 11)).reshape(8, 12)
    table = pd.DataFrame([[f"{v:,}" for v in line] for line in values], columns=months)
    table.loc[8] = ["?"] * 6 + [""] * 6
    table.insert(0, "Jahr", range(2010, 2019))
    table["Summe"] = [f"{v:,}" for v in values.sum(axis=1)] + [""]
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "umsatz.csv").open("w") as file:
        file.write("Umsatz in Tausend\n\n")
        table.to_csv(file, index=False, sep="\t")
    return table


def task_of(folder: Path, goal: str, **overrides: str) -> Task:
    return infer_task(profile(folder), folder, goal, overrides)


def plan_of(task: Task) -> SeriesPlan:
    assert task.problem_type.value == "forecasting" and task.series is not None
    return task.series


def test_rows_after_the_history_of_the_same_series_are_forecast(tmp_path: Path) -> None:
    weekly(tmp_path)
    task = task_of(tmp_path, "How much will every kiosk sell?")
    plan = plan_of(task)
    assert (plan.item, plan.time, plan.frequency, plan.horizon) == (["kiosk"], "week", "7D", AHEAD)
    assert plan.known == ["offer"] and plan.seasons == [52] and plan.series == 5
    assert task.metric.value == "wape" and task.output.value.columns == ["kiosk", "week", "sold"]
    assert task.split.value.kind == "last_horizon" and task.output.value.dates == {"week": "%d.%m.%Y"}


def test_a_second_table_adds_what_is_known_of_the_future(tmp_path: Path) -> None:
    weekly(tmp_path)
    both = pd.concat([pd.read_csv(tmp_path / name, sep=";") for name in ("history.csv", "coming.csv")])
    weather = both[["week"]].drop_duplicates()
    weather.assign(warmth=np.arange(len(weather)) % 17).to_csv(tmp_path / "weather.csv", index=False)
    assert plan_of(task_of(tmp_path, "Forecast sold")).known == ["offer", "weather warmth"]


@pytest.mark.parametrize(
    ("goal", "horizon"),
    [
        ("Forecast the next 6 weeks of sold", 6),
        ("Prognose für die nächsten zwei Monate: sold", 9),
        ("预测未来 4 周 sold", 4),
    ],
)
def test_the_goal_tells_how_far_ahead(tmp_path: Path, goal: str, horizon: int) -> None:
    weekly(tmp_path)
    (tmp_path / "coming.csv").unlink()
    plan = plan_of(task_of(tmp_path, goal))
    assert plan.horizon == horizon and plan.known == []


def test_one_series_a_row_with_a_template(tmp_path: Path) -> None:
    table = wide(tmp_path)
    task = task_of(tmp_path, "Continue the daily series and fill the template. sMAPE counts.")
    plan = plan_of(task)
    assert (plan.layout, plan.item, plan.horizon, plan.seasons) == ("wide", ["id"], 7, [7])
    assert task.metric.value == "smape" and task.output.value.columns == ["id", *(f"H{n}" for n in range(1, 8))]
    history = history_of(task, profile(tmp_path), tmp_path)
    assert len(history) == table.iloc[:, 1:].notna().sum().sum() and history["step"].min() == 1


def test_years_and_months(tmp_path: Path) -> None:
    matrix(tmp_path)
    task = task_of(tmp_path, "Wie hoch ist der Umsatz in den Monaten mit Fragezeichen?")
    plan = plan_of(task)
    assert (plan.layout, plan.horizon, plan.frequency, plan.start) == ("matrix", 6, "MS", "2010-01-01")
    assert "Summe" not in plan.values and task.metric.value == "mape"


def test_later_rows_of_other_things_are_no_forecast(tmp_path: Path) -> None:
    dice = np.random.default_rng(0)
    days = pd.date_range("2024-01-01", periods=400, freq="7h").strftime("%Y-%m-%d")
    trips = pd.DataFrame(
        {
            "day": days,
            "plane": dice.integers(1, 300, 400),
            "miles": dice.integers(100, 3000, 400),
            "fuel": dice.normal(9, 1, 400).round(2),
        }
    )
    trips[:300].to_csv(tmp_path / "train.csv", index=False)
    trips[300:].drop(columns="fuel").to_csv(tmp_path / "test.csv", index=False)
    assert task_of(tmp_path, "Predict fuel").problem_type.value == "regression"


@pytest.mark.parametrize(
    ("text", "ahead"),
    [
        ("the next 48 hours", (48, "h")),
        ("for three months", (3, "MS")),
        ("próximos 14 días", (14, "D")),
        ("nächste Woche", (1, "7D")),
    ],
)
def test_how_far_ahead_a_goal_looks(text: str, ahead: tuple[int, str]) -> None:
    assert series_words.ahead(text) == ahead


@pytest.mark.slow
def test_weekly_series_from_the_folder_to_the_zip(tmp_path: Path) -> None:
    truth = weekly(tmp_path / "kiosks")
    run = mlzero.solve(tmp_path / "kiosks", "Forecast sold", out=tmp_path / "out", time_limit=120, max_attempts=2)
    predicted = pd.read_csv(tmp_path / "out" / "predictions.csv", sep=";")
    assert list(predicted.columns) == ["kiosk", "week", "sold"] and len(predicted) == len(truth)
    assert (predicted["sold"] - truth["sold"]).abs().sum() < 0.25 * truth["sold"].sum()
    assert run.predictor_path is not None
    again = pd.read_csv(
        predict_away(run.predictor_path, tmp_path / "kiosks" / "coming.csv", tmp_path / "again.csv"), sep=";"
    )
    np.testing.assert_allclose(again["sold"], predicted["sold"], rtol=1e-4)
    later = tmp_path / "kiosks" / "history.csv"  # a history: the weeks after its end
    assert len(mlzero.load_predictor(run.predictor_path).predict(later)) == len(truth)


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["wide", "matrix"])
def test_other_layouts_from_the_folder_to_the_zip(tmp_path: Path, layout: str) -> None:
    if layout == "wide":
        wide(tmp_path / "data")
        run = mlzero.solve(
            tmp_path / "data",
            "Continue the daily series and fill the template.",
            out=tmp_path / "out",
            time_limit=100,
            max_attempts=1,
        )
        predicted = pd.read_csv(tmp_path / "out" / "predictions.csv")
        assert predicted.shape == (6, 8) and predicted.notna().all().all()
        later = tmp_path / "data" / "series.csv"
    else:
        matrix(tmp_path / "data")
        run = mlzero.solve(
            tmp_path / "data",
            "Umsatz der Monate mit Fragezeichen",
            out=tmp_path / "out",
            time_limit=100,
            max_attempts=1,
        )
        predicted = pd.read_csv(tmp_path / "out" / "predictions.csv")
        assert predicted.iloc[:, 0].tolist() == [f"2018-0{n}-01" for n in range(1, 7)]
        later = tmp_path / "data" / "umsatz.csv"
    assert run.predictor_path is not None
    assert len(pd.read_csv(predict_away(run.predictor_path, later, tmp_path / "again.csv"))) == len(predicted)


@pytest.mark.parametrize(("name", "goal"), [("day", "Forecast the next 7 days"), ("step", "Forecast the next 7 steps")])
def test_a_column_that_counts_moments_is_not_what_a_forecast_is_of(tmp_path, name, goal):
    rows = pd.DataFrame(
        {"shop": ["a"] * 60 + ["b"] * 60, name: [*range(60)] * 2, "sold": [10 + n % 7 for n in range(120)]}
    )
    rows.to_csv(tmp_path / "sales.csv", index=False)
    task = infer_task(profile(tmp_path), tmp_path, goal)
    assert (task.problem_type.value, task.targets, task.series.time) == ("forecasting", ["sold"], name)


def test_a_forecast_of_the_column_of_moments_is_none(tmp_path):
    rows = pd.DataFrame({"day": range(90), "sold": [10 + n % 7 for n in range(90)]})
    rows.to_csv(tmp_path / "sales.csv", index=False)
    task = infer_task(profile(tmp_path), tmp_path, "Forecast the next 7 days", {"target": "day"})
    assert task.series is None or task.series.time != "day"
