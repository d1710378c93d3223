"""Every kind of data from the folder to a predictor that works where MLZero is not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

import mlzero
from mlzero.iterative_coding import metrics
from mlzero.predictor.proof import first_difference
from mlzero.runs import RunRecord
from tests.away import predict_away
from tests.uploads import Wanted, files, rows

pytestmark = pytest.mark.slow

GAINED = 0.3  # of what lies between the naive guess and no mistake at all


@pytest.mark.parametrize("maker", [*rows.MAKERS, *files.MAKERS], ids=lambda maker: maker.__name__)
def test_from_the_folder_to_a_predictor_elsewhere(tmp_path: Path, maker: Callable[[Path], Wanted]) -> None:
    data = tmp_path / "data"
    data.mkdir()
    wanted = maker(data)
    run = mlzero.solve(
        data, wanted.goal, out=tmp_path / "run", time_limit=wanted.seconds, max_attempts=wanted.attempts, llm="none",
        hints=wanted.hints,
    )  # fmt: skip
    record = run.record
    assert (
        record.state == "done"
        and record.task is not None
        and record.task["problem_type"]["value"] == wanted.problem_type
    )
    assert gain(record) > GAINED, (record.metric, record.score, record.baseline)
    assert run.predictor_path is not None, record.message
    told = record.task["output"]["value"]["format"]
    out = predict_away(
        run.predictor_path, data / wanted.later, tmp_path / ("out" if told in ("masks", "images") else "out.csv")
    )
    given = run.path / record.files["predictions"] if "predictions" in record.files else None
    assert (given is not None) is wanted.asked or wanted.problem_type == "forecasting"
    if out.is_dir():
        first, second = ({p.name: p.read_bytes() for p in place.iterdir()} for place in (out, run.path / "predictions"))
        assert first == second
    elif wanted.asked:
        assert first_difference(pd.read_csv(out), pd.read_csv(given)) == ""
    else:
        assert len(pd.read_csv(out)) > 0


def gain(record: RunRecord) -> float:
    """How much of the way from the naive guess to a perfect score was made."""
    assert record.score is not None and record.baseline is not None and record.metric is not None
    perfect = 1.0 if metrics.get(record.metric).higher_is_better else 0.0
    return (record.score - record.baseline) / (perfect - record.baseline)
