"""Series on a grid, simple forecasts, and the table that a model learns from."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from mlzero.semantic_memory.blocks import forecasts, series, step_table


@pytest.mark.parametrize("frequency", ["MS", "ME", "QS", "YS", "B", "D", "7D", "h", "15min"])
def test_steps_and_times_are_the_inverse_of_each_other(frequency: str) -> None:
    start = "2024-01-31" if frequency == "ME" else "2024-01-01"
    times = series.times_of(np.arange(30), frequency, start)
    assert series.steps_of(times, frequency, start).tolist() == list(range(30))


def test_future_rows_follow_the_end_of_each_series() -> None:
    history = pd.DataFrame(
        {"shop": ["a", "a", "b"], "day": pd.to_datetime(["2024-01-01", "2024-01-03", "2024-01-02"]), "y": 1.0}
    )
    rows = series.future_rows(history, ["shop"], "day", 2, "D", "2024-01-01")
    assert rows["day"].dt.day.tolist() == [4, 5, 3, 4] and rows["shop"].tolist() == ["a", "a", "b", "b"]


def test_the_grid_ends_where_each_series_ends() -> None:
    names = pd.Series(["a", "a", "b", "a"])
    grid = series.on_grid(names, np.array([0.0, 2, 1, 2]), pd.Series([1.0, 3, 9, 5]), ["a", "b"], np.array([2.0, 1]), 3)
    np.testing.assert_array_equal(grid, [[1, np.nan, 4], [np.nan, np.nan, 9]])


def test_a_season_ago_is_right_for_a_series_that_repeats_itself() -> None:
    values = np.tile(np.arange(1.0, 8), 6)[None]
    found = forecasts.seasonal_forecasts(values, 9, [7])
    assert found["7 steps ago, as it was"][0].tolist() == [1, 2, 3, 4, 5, 6, 7, 1, 2]
    assert all(np.isfinite(forecast).all() for forecast in found.values())


def test_the_better_forecast_counts_more() -> None:
    truth = np.random.default_rng(0).normal(100, 5, (40, 20))
    weights = forecasts.blend_weights({"near": truth + 1, "far": truth + 50}, truth, "mae")
    assert weights == {"near": 1.0}


def test_nothing_after_the_origin_is_used() -> None:
    values = np.random.default_rng(1).uniform(1, 2, (3, 60))
    item, origin, step = step_table.learning_rows(values, 5, 15, 50, 500)
    assert (origin + step <= 50).all()
    changed = values.copy()
    changed[:, 40:] = 99.0
    early = origin < 40
    tables = [
        step_table.step_table(v, item[early], origin[early], step[early], [7], 5, True) for v in (values, changed)
    ]
    pd.testing.assert_frame_equal(*tables)


def test_values_come_back_from_what_is_learnt() -> None:
    table = pd.DataFrame({"reference": [2.0, 5.0], "scale": [1.0, 4.0]})
    for positive in (True, False):
        learnt = step_table.relation(np.array([3.0, 4.0]), table, positive)
        np.testing.assert_allclose(step_table.from_relation(np.asarray(learnt), table, positive), [3.0, 4.0])


def test_a_table_of_names_only_holds_no_history() -> None:
    names = pd.DataFrame({"id": ["a", "b"]})
    assert series.long_of_wide(names, "id", [], name="id", time="step", target="value").empty
