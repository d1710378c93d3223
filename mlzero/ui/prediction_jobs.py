"""Predictions for new rows, made in a thread that waits for the predictor's own process.

Each job is a folder under `predictions/` of the home folder: `job.json`, `data/` with what was
given, and the finished file. A page only reads it.
"""

from __future__ import annotations

import csv
import logging
import secrets
import shutil
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from mlzero import config
from mlzero.errors import UserError
from mlzero.files import write_atomically
from mlzero.perception.profile import Strict
from mlzero.runs import RunDirectory, new_run_id

log = logging.getLogger(__name__)

TIMEOUT = 900.0  # seconds for one job
KEEP = 24 * 3600.0  # seconds a job's folder is kept
AT_ONCE = 1  # jobs at work at the same time; the others wait

_slots = threading.BoundedSemaphore(AT_ONCE)
_process = secrets.token_hex(8)  # tells jobs of this server from those of an earlier one


class Why(Strict):
    """Why one row got its answer."""

    row: int  # counted from 1
    state: Literal["working", "done", "failed"] = "working"
    message: str = ""
    found: dict[str, Any] = Field(default_factory=dict)  # as `standalone.reasons.reasons` tells it


class Job(Strict):
    """`job.json`."""

    id: str
    owner: str
    run: str = ""  # whose predictor is used
    by_hand: bool = False  # whether its data is one row that was typed
    state: Literal["new", "working", "done", "failed"] = "new"
    message: str = ""
    file: str | None = None  # of the predictions, in the job's folder
    rows: int = 0
    warnings: list[str] = Field(default_factory=list)
    created: float
    server: str = _process
    why: Why | None = None

    @property
    def lost(self) -> bool:
        """Whether it was at work when its server ended."""
        return self.server != _process and (self.state == "working" or bool(self.why and self.why.state == "working"))


def folder() -> Path:
    """Where jobs are kept."""
    return config.home() / "predictions"


def new_job(owner: str, *, by_hand: bool = False) -> tuple[str, Path]:
    """Id and folder of a new job that waits for its data, `by_hand`: one row that was typed."""
    _forget_old()
    job = Job(id=new_run_id(), owner=owner, by_hand=by_hand, created=time.time())
    path = folder() / job.id
    (path / "data").mkdir(parents=True)
    _write(job)
    return job.id, path


def get(job_id: str, owner: str) -> Job | None:
    """The job, when it is there and belongs to `owner`."""
    if not job_id.isalnum():
        return None
    try:
        job = Job.model_validate_json((folder() / job_id / "job.json").read_bytes())
    except FileNotFoundError:
        return None
    if job.owner != owner:
        return None
    if job.lost:
        if job.state == "working":
            job.state, job.message = "failed", "The program was closed while this was working. Give the data again."
        job.why = None
    return job


def give_row(owner: str, row: dict[str, Any]) -> str:
    """A job whose data is one row, typed into a form; returns its id."""
    job_id, path = new_job(owner, by_hand=True)
    with (path / "data" / "row.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(row))
        writer.writeheader()
        writer.writerow(row)
    return job_id


def start(job_id: str, owner: str, run: RunDirectory, predictor: Path) -> None:
    """Begin to predict the job's data with the predictor of a run; returns at once."""
    job = get(job_id, owner)
    if job is None or job.state != "new":
        return
    job.state, job.run = "working", run.id

    def work(place: Path) -> None:
        from mlzero.predictor.loading import predict_file, usual_name

        report = predict_file(predictor, _given(place / "data"), place / usual_name(predictor), timeout=TIMEOUT)
        job.rows, job.warnings = report.rows, list(report.warnings)
        job.file = Path(report.path).relative_to(place).as_posix()

    _begin(job, job, work, "The predictions could not be made.")


def output(job: Job) -> Path | None:
    """The file of predictions, once there is one."""
    return folder() / job.id / job.file if job.file else None


def explain(job: Job, row: int, predictor: Path) -> None:
    """Begin to find out why a row of a finished job got its answer; returns at once."""
    why = job.why = Why(row=row)
    job.server = _process

    def work(place: Path) -> None:
        from mlzero.predictor.loading import reasons_for

        why.found = reasons_for(predictor, _given(place / "data"), row, timeout=TIMEOUT)

    _begin(job, why, work, "That could not be found out.")


def _begin(job: Job, asked: Job | Why, work: Callable[[Path], None], broken: str) -> None:
    """Do work in the folder of a job when its turn comes; how it ends stands in `asked`, a sentence where it breaks."""
    _write(job)

    def turn() -> None:
        place = folder() / job.id
        with _slots:
            try:
                work(place)
                asked.state = "done"
            except UserError as error:
                asked.state, asked.message = "failed", str(error)
            except Exception:
                log.exception("prediction job %s", job.id)
                asked.state, asked.message = "failed", f"{broken} The server's log has the details."
        if place.exists():
            _write(job)

    threading.Thread(target=turn, name=f"predict-{job.id[:6]}", daemon=True).start()


def _given(data: Path) -> Path:
    """The one file that was given, or the folder. Raises UserError when they are gone."""
    entries = list(data.iterdir()) if data.is_dir() else []
    if not entries:
        raise UserError("The data that was given is gone.", "Give it again.")
    return entries[0] if len(entries) == 1 and entries[0].is_file() else data


def _write(job: Job) -> None:
    write_atomically(folder() / job.id / "job.json", job.model_dump_json(indent=1))


def _forget_old() -> None:
    for path in folder().glob("*/job.json"):
        with suppress(FileNotFoundError):  # somebody else forgets it, too
            if path.stat().st_mtime < time.time() - KEEP:
                shutil.rmtree(path.parent, ignore_errors=True)
