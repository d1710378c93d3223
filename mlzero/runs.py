"""The run directory: everything a run is, on disk, readable without any server.

::

    run.json        state, goal, task, settings, attempts, best, score; rewritten atomically
    events.jsonl    the typed log
    hints.jsonl     hints as typed, one JSON object a line (anyone may append)
    stop            exists when the user asked to stop
    data/           the upload as unpacked
    perception/     scanned.json, profile.json, task.json or error.json
    journal.json    the attempts with all that was measured of them
    attempts/001/   solution.py, stdout.log, result.json, model/, evaluation/
    best            a link to the best attempt
    final/          the best solution fitted on all labelled rows
"""

from __future__ import annotations

import json
import logging
import secrets
import time
import uuid
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import psutil
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mlzero import processes
from mlzero.budget import Budget
from mlzero.episodic_memory.journal import Journal
from mlzero.errors import UserError
from mlzero.events import EventLog, Note
from mlzero.files import write_atomically
from mlzero.perception.profile import Profile, Strict
from mlzero.perception.task import Task

log = logging.getLogger(__name__)

RunState = Literal["draft", "queued", "running", "done", "stopped", "failed", "interrupted"]
SHORTEST, LONGEST = 10.0, 30 * 86400.0  # seconds a run may be given
ENDED: frozenset[str] = frozenset({"done", "stopped", "failed", "interrupted"})


class RunSettings(Strict):
    """What the user chose before the start."""

    time_limit: float = Field(120.0, ge=SHORTEST, le=LONGEST)  # seconds for the whole run
    max_attempts: int = Field(8, ge=1)
    llm: str = "auto"
    overrides: dict[str, str] = Field(default_factory=dict)  # corrections of the task
    hints: list[str] = Field(default_factory=list)  # given before the start


def settings(**chosen: Any) -> RunSettings:
    """Settings out of what somebody chose; raises UserError that names the one that does not fit."""
    try:
        return RunSettings(**chosen)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0])
        raise UserError(f"{name} cannot be {chosen[name]!r}: {first['msg']}.", "Choose another value.") from error


class RunRecord(BaseModel):
    """`run.json`. Keys of newer versions are kept out of the way, not refused."""

    model_config = ConfigDict(extra="ignore")

    id: str
    owner: str = ""
    state: RunState = "draft"
    message: str = ""  # why it failed or was stopped; empty otherwise
    goal: str = ""
    settings: RunSettings = Field(default_factory=RunSettings)
    created: float = 0.0  # seconds since 1970
    started: float | None = None
    finished: float | None = None
    spent: float = 0.0  # seconds of the budget used
    pid: int | None = None  # process that runs it
    pid_started: float | None = None
    sandbox: str = ""  # one sentence
    task: dict[str, Any] | None = None
    problem_type: str | None = None
    target: str | list[str] | None = None
    attempts: list[dict[str, Any]] = Field(default_factory=list)
    best: int | None = None
    metric: str | None = None
    metric_text: str = ""
    higher_is_better: bool = True
    score: float | None = None  # of the best attempt, on rows the model never saw
    baseline: float | None = None  # the naive guess on the same rows
    baseline_text: str = ""
    score_text: str = ""  # score and naive guess in one plain sentence
    timings: dict[str, float] = Field(default_factory=dict)  # seconds by stage
    llm_usage: dict[str, Any] = Field(default_factory=dict)
    files: dict[str, str] = Field(default_factory=dict)  # what can be taken away: name -> path in the run folder

    @property
    def begun(self) -> float:
        """Seconds since 1970: when it was started, or made when it was not."""
        return self.started or self.created

    @property
    def time_left(self) -> float | None:
        """Seconds left of the time limit while running, else None."""
        if self.state != "running" or self.started is None:
            return None
        return max(0.0, self.settings.time_limit - self.spent - (time.time() - self.started))

    @property
    def abandoned(self) -> bool:
        """Whether the process that ran it is gone."""
        if self.state != "running" or self.pid is None:
            return False
        return not processes.is_running(self.pid, self.pid_started)


@dataclass(frozen=True)
class Perception:
    """What is known of the upload so far."""

    state: Literal["none", "working", "ready", "failed"]
    profile: Profile | None = None
    task: Task | None = None
    error: str = ""


class RunDirectory:
    """A run on disk. Any process may read; only the one that runs it writes `run.json`."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()

    @classmethod
    def create(cls, path: Path, *, owner: str = "") -> RunDirectory:
        """A new run in state `draft` at `path`, which may exist but must hold no other run."""
        path.mkdir(parents=True, exist_ok=True)
        directory = cls(path)
        directory.data.mkdir(exist_ok=True)
        directory.write(RunRecord(id=path.name, owner=owner, created=time.time()))
        return directory

    @property
    def id(self) -> str:
        return self.path.name

    @property
    def data(self) -> Path:
        return self.path / "data"

    @property
    def final(self) -> Path:
        """Where the last fit on all rows leaves its solution, model and predictions."""
        return self.path / "final"

    @property
    def perception_dir(self) -> Path:
        return self.path / "perception"

    @cached_property
    def events(self) -> EventLog:
        """One object a run and process, as only one may write."""
        return EventLog(self.path / "events.jsonl")

    # -- run.json

    def record(self) -> RunRecord:
        """The record as it stands on disk; an abandoned run reads as interrupted.

        Raises
        ------
        FileNotFoundError
            When there is none: the run was deleted.
        UserError
            When it cannot be read.
        """
        path = self.path / "run.json"
        try:
            record = RunRecord.model_validate_json(path.read_bytes())
        except FileNotFoundError:
            raise
        except (OSError, ValidationError) as error:
            raise _damaged(path, error) from error
        if record.abandoned:
            record.state, record.message = "interrupted", "The program was closed while this run was working."
        return record

    def write(self, record: RunRecord) -> None:
        write_atomically(self.path / "run.json", record.model_dump_json(indent=1))

    def update(self, **changes: Any) -> RunRecord:
        """Change fields of the record; raises pydantic.ValidationError for a value that does not fit."""
        record = RunRecord.model_validate(self.record().model_dump() | changes)
        self.write(record)
        return record

    def claim(self) -> RunRecord:
        """Mark this process as the one that runs it."""
        me = psutil.Process()
        return self.update(
            state="running", message="", started=time.time(), finished=None, pid=me.pid, pid_started=me.create_time()
        )

    def kept(self, name: str, record: RunRecord) -> Path | None:
        """Where a file to take away lies, by its name in `files`; None when the run left none or it is gone."""
        path = self.path / record.files.get(name, "")
        return path if path.is_file() else None

    # -- attempts

    def journal(self) -> Journal:
        """The attempts so far; empty before the first. Raises UserError when what is kept cannot be read."""
        path = self.path / "journal.json"
        try:
            return Journal.from_json(json.loads(path.read_bytes())) if path.exists() else Journal()
        except (ValueError, TypeError, KeyError) as error:
            raise _damaged(path, error) from error

    def keep_journal(self, journal: Journal) -> None:
        write_atomically(self.path / "journal.json", json.dumps(journal.to_json(), ensure_ascii=False, indent=1))

    def attempt(self, number: int) -> Path:
        """The folder of an attempt."""
        return self.path / "attempts" / f"{number:03d}"

    def point_to_best(self, number: int) -> None:
        """`best` leads to the folder of this attempt from now on."""
        link = self.path / "best"
        link.unlink(missing_ok=True)
        link.symlink_to(self.attempt(number).relative_to(self.path))

    # -- what people tell a run while it works

    @property
    def stop_file(self) -> Path:
        return self.path / "stop"

    def ask_to_stop(self) -> None:
        """Have the run end soon; it keeps the best it has."""
        self.stop_file.touch()

    def add_hint(self, text: str) -> str:
        """Leave a hint for the next attempt; returns its id."""
        entry = {"id": uuid.uuid4().hex[:12], "text": text.strip(), "time": time.time()}
        with (self.path / "hints.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry, ensure_ascii=False) + "\n")
        return str(entry["id"])

    def hints(self) -> list[dict[str, Any]]:
        """Hints so far, oldest first: id, text, time. One that is still being written is not among them."""
        path = self.path / "hints.jsonl"
        found: list[dict[str, Any]] = []
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines() if path.exists() else ():
            with suppress(ValueError):
                found.append(json.loads(line))
        return found

    def note(self, *texts: str) -> None:
        """Sentences for the reader of the run."""
        for text in texts:
            self.events.append(Note(text=text))

    # -- what was understood

    def perception(self) -> Perception:
        """How far the reading of the upload is, and what came of it."""
        folder = self.perception_dir
        if not folder.exists():
            return Perception("none")
        if (folder / "working").exists():
            return Perception("working")
        if (folder / "error.json").exists():
            error = json.loads((folder / "error.json").read_text(encoding="utf-8"))
            profile = self._profile()
            return Perception("failed", profile=profile, error=f"{error['message']} {error['fix']}".strip())
        if not (folder / "task.json").exists():
            return Perception("none")
        try:
            task = Task.model_validate_json((folder / "task.json").read_bytes())
            return Perception("ready", profile=self._profile(), task=task)
        except ValidationError as error:
            log.warning("%s is damaged, so the upload is read again: %s", folder, error)
            return Perception("none")

    def _profile(self) -> Profile | None:
        path = self.perception_dir / "profile.json"
        return Profile.model_validate_json(path.read_bytes()) if path.exists() else None

    def budget(self) -> Budget:
        """The clock of the run, which begins now; what earlier processes spent is spent."""
        record = self.record()
        return Budget(record.settings.time_limit, spent_before=record.spent)


def _damaged(path: Path, error: Exception) -> UserError:
    log.info("%s cannot be read: %s", path, error)
    told = f"{path} may not be read" if isinstance(error, PermissionError) else f"{path} is damaged"
    return UserError(
        f"What is known of this run cannot be read: {told}.", "Bring the file back, or start the run anew."
    )


def record_in(folder: Path) -> RunRecord | None:
    """The record of the run in a folder; None, and a line in the log, when there is none that can be read."""
    try:
        return RunDirectory(folder).record()
    except (OSError, UserError) as error:
        log.warning("The run in %s cannot be read: %s", folder, error)
        return None


def new_run_id() -> str:
    """An id nobody can guess."""
    return secrets.token_urlsafe(16).replace("-", "x").replace("_", "y")
