from __future__ import annotations

import sys
import time
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from mlzero.errors import UserError
from mlzero.runs import RunDirectory
from mlzero.ui import prediction_jobs as jobs


@pytest.fixture
def predictor(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """A predictor that answers what the test wants, instead of minutes of training."""
    wanted: dict[str, object] = {}

    def predict_file(predictor: Path, new_data: Path, out: Path, *, timeout: float) -> SimpleNamespace:
        wanted["given"] = new_data
        if isinstance(wanted.get("raise"), Exception):
            raise wanted["raise"]  # type: ignore[misc]
        out.write_text("id,y\n1,a\n")
        return SimpleNamespace(path=out, rows=1, warnings=["A note."])

    module = ModuleType("mlzero.predictor.loading")
    module.predict_file = predict_file  # type: ignore[attr-defined]
    module.reasons_for = lambda predictor, new_data, row, *, timeout: {"row": row, "given": new_data.name}  # type: ignore[attr-defined]
    module.usual_name = lambda predictor: "predictions.csv"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "mlzero.predictor.loading", module)
    return wanted


def finished(job_id: str) -> jobs.Job:
    deadline = time.monotonic() + 10
    while (job := jobs.get(job_id, "ann")) and job.state == "working" and time.monotonic() < deadline:
        time.sleep(0.02)
    assert job is not None
    return job


def run_at(home: Path) -> RunDirectory:
    return RunDirectory.create(home / "runs" / "r", owner="ann")


def test_a_job_goes_from_a_row_to_a_file(home: Path, predictor: dict[str, object]) -> None:
    job_id = jobs.give_row("ann", {"a": "x, y", "b": ""})
    jobs.start(job_id, "ann", run_at(home), home / "p.zip")
    job = finished(job_id)
    assert (job.state, job.rows, job.warnings) == ("done", 1, ["A note."])
    output = jobs.output(job)
    assert output is not None and output.read_text() == "id,y\n1,a\n"
    given = predictor["given"]
    assert isinstance(given, Path) and given.read_text() == 'a,b\n"x, y",\n'


def test_several_files_are_given_as_a_folder(home: Path, predictor: dict[str, object]) -> None:
    job_id, folder = jobs.new_job("ann")
    for name in ("a.csv", "b.csv"):
        (folder / "data" / name).write_text("x\n1\n")
    jobs.start(job_id, "ann", run_at(home), home / "p.zip")
    finished(job_id)
    assert predictor["given"] == folder / "data"


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (UserError("The column age is missing.", "Add it."), "The column age is missing. Add it."),
        (ValueError("x"), "could not be made"),
    ],
)
def test_what_goes_wrong_is_told(home: Path, predictor: dict[str, object], error: Exception, message: str) -> None:
    predictor["raise"] = error
    job_id = jobs.give_row("ann", {"a": "1"})
    jobs.start(job_id, "ann", run_at(home), home / "p.zip")
    job = finished(job_id)
    assert job.state == "failed" and message in job.message


def test_jobs_belong_to_their_owner(home: Path) -> None:
    job_id, _ = jobs.new_job("ann")
    assert jobs.get(job_id, "ann") is not None
    assert jobs.get(job_id, "bob") is None
    assert jobs.get("../" + job_id, "ann") is None and jobs.get("", "ann") is None


def test_a_job_of_an_earlier_server_is_not_waited_for(home: Path) -> None:
    job_id, folder = jobs.new_job("ann")
    job = jobs.get(job_id, "ann")
    assert job is not None
    job.state, job.server = "working", "another"
    (folder / "job.json").write_text(job.model_dump_json())
    again = jobs.get(job_id, "ann")
    assert again is not None and again.state == "failed" and "closed" in again.message


def test_a_row_of_a_finished_job_is_explained(home: Path, predictor: dict[str, object]) -> None:
    job_id = jobs.give_row("ann", {"a": "1"})
    jobs.start(job_id, "ann", run_at(home), home / "p.zip")
    jobs.explain(finished(job_id), 1, home / "p.zip")
    deadline = time.monotonic() + 10
    while (job := jobs.get(job_id, "ann")) and job.why and job.why.state == "working" and time.monotonic() < deadline:
        time.sleep(0.02)
    assert job is not None and job.state == "done"
    assert job.why is not None and job.why.found == {"row": 1, "given": "row.csv"}


def test_data_that_is_gone_is_told(home: Path, predictor: dict[str, object]) -> None:
    job_id, folder = jobs.new_job("ann")
    (folder / "data").rmdir()
    jobs.start(job_id, "ann", run_at(home), home / "p.zip")
    assert finished(job_id).message == "The data that was given is gone. Give it again."
