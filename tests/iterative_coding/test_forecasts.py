"""What a measured forecast leaves to look at."""

from __future__ import annotations

import json
from pathlib import Path

from mlzero.iterative_coding.kinds import Case
from mlzero.iterative_coding.kinds.forecasting import MEASURE
from mlzero.perception.task import Inferred, SeriesPlan, Task


def test_history_truth_and_forecast_of_each_series(tmp_path: Path) -> None:
    import pandas as pd

    plan = SeriesPlan(time="day", item=["shop"], horizon=2, frequency="D", start="2024-01-01", seasons=[7])
    days = pd.date_range("2024-01-01", periods=12)
    table = pd.concat([pd.DataFrame({"shop": s, "day": days, "sold": range(12)}) for s in "ab"], ignore_index=True)
    held = table["day"] >= days[10]
    rows = table[held].drop(columns="sold")
    truth = table.loc[held, ["sold"]].astype(float)
    truth.iloc[0] = None
    task = Task.model_construct(target=Inferred(value="sold"), series=plan)
    MEASURE.evaluate(Case(task, tmp_path, table[~held], rows, truth, truth.fillna(9.0) + 1), tmp_path)
    first, second = json.loads((tmp_path / "forecast.json").read_text())["series"]
    assert first["name"] == "shop a" and second["name"] == "shop b"
    assert first["history"] == {
        "time": [f"2024-01-{d:02}" for d in range(3, 11)],
        "value": list(map(float, range(2, 10))),
    }
    assert first["time"] == ["2024-01-11", "2024-01-12"]
    assert first["true"] == [None, 11.0] and first["predicted"] == [10.0, 12.0]
    assert json.loads((tmp_path / "steps.json").read_text()) == {"step": [1, 2], "error": [1.0, 1.0]}
