"""What the Python interface says to data, goals and folders that cannot be."""

from pathlib import Path

import pandas as pd
import pytest

import mlzero
from mlzero.api import finish_run, open_run
from mlzero.errors import NoSolution, UserError
from mlzero.perception.task import OutputPlan
from mlzero.predictor.standalone import answers
from mlzero.runs import RunDirectory, RunSettings
from tests.tasks import plain_task

ROWS = "size,price\n" + "".join(f"{i},{3 * i}\n" for i in range(20))


@pytest.mark.parametrize("data", ["", "nowhere", "a\0b", "x" * 5000])
def test_data_that_is_not_there(data: str) -> None:
    with pytest.raises(UserError, match="nothing at"):
        mlzero.inspect(data)


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(ROWS)
    with pytest.raises(UserError, match="cannot be written"):
        open_run(tmp_path / "a.csv", "predict price", out=tmp_path / "a.csv" / "out", settings=RunSettings())


def test_the_results_may_lie_in_the_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.csv").write_text(ROWS)
    monkeypatch.chdir(tmp_path)
    directory = open_run(".", "predict price \udcff", out="mlzero_result", settings=RunSettings())
    assert [path.name for path in directory.data.iterdir()] == ["a.csv"]
    assert directory.record().goal == "predict price ÿ"


@pytest.mark.parametrize(
    ("variable", "said"),
    [("MLZERO_SANDBOX", "no sandbox called"), ("MLZERO_MEMORY_MB", "MLZERO_MEMORY_MB is no number")],
)
def test_a_variable_that_says_nothing_useful_ends_a_run_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, said: str
) -> None:
    (tmp_path / "a.csv").write_text(ROWS)
    monkeypatch.setenv(variable, "fortress")
    with pytest.raises(UserError, match=said):
        mlzero.solve(tmp_path / "a.csv", "predict price", out=tmp_path / "out")
    assert '"failed"' in (tmp_path / "out" / "run.json").read_text()


def test_stop_before_the_data_is_understood(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(ROWS)
    directory = open_run(tmp_path / "a.csv", "predict price", out=tmp_path / "out", settings=RunSettings())
    directory.ask_to_stop()
    with pytest.raises(NoSolution, match="Stopped"):
        finish_run(directory)
    assert directory.record().state == "stopped" and not (directory.path / "work").exists()


@pytest.mark.parametrize("kind", answers.TABLES)
def test_predictions_are_read_in_the_format_that_was_asked_for(tmp_path: Path, kind: str) -> None:
    run = RunDirectory.create(tmp_path / "run")
    answers.write_table(pd.DataFrame({"id": ["007", "008"], "y": ["no", "NA"]}), kind, run.path / "answers.dat")
    task = plain_task(output=OutputPlan(format=kind))
    run.update(task=task.model_dump(mode="json"), files={"predictions": "answers.dat"})
    predictions = mlzero.Run(run.path).predictions
    assert predictions is not None and predictions.to_dict("list") == {"id": ["007", "008"], "y": ["no", "NA"]}
