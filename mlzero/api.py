"""The Python interface: inspect, solve, load_predictor."""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlzero import config
from mlzero.errors import NoSolution, UserError
from mlzero.events import Event
from mlzero.perception import child
from mlzero.perception.archives import readable
from mlzero.perception.profile import Profile
from mlzero.perception.sources import lay_in
from mlzero.perception.task import Task
from mlzero.runs import RunDirectory, RunRecord, RunSettings, new_run_id
from mlzero.runs import settings as run_settings

if TYPE_CHECKING:
    import pandas as pd

    from mlzero.predictor.loading import Predictor


@dataclass(frozen=True)
class Inspection:
    """What an upload holds and what is wanted of it."""

    profile: Profile
    task: Task

    def to_json(self) -> dict[str, Any]:
        return {"profile": self.profile.model_dump(mode="json"), "task": self.task.model_dump(mode="json")}


@dataclass(frozen=True)
class Run:
    """A run that has ended; everything is in `path`."""

    path: Path

    @property
    def record(self) -> RunRecord:
        """`run.json` as it stands now."""
        return RunDirectory(self.path).record()

    @property
    def score(self) -> float | None:
        """Of the best attempt, on rows the model never saw."""
        return self.record.score

    @property
    def predictor_path(self) -> Path | None:
        """`predictor.zip`; None when the run left none that works."""
        name = self.record.files.get("predictor")
        return self.path / name if name else None

    @property
    def predictor(self) -> Predictor:
        """The predictor, loaded. Raises UserError when the run has none."""
        if self.predictor_path is None:
            raise UserError("This run has no predictor.", "Read run.json to see why, and run again.")
        return load_predictor(self.predictor_path)

    @property
    def predictions(self) -> pd.DataFrame | None:
        """The predictions for the rows that came with the upload, as written (texts stay texts, decimal commas commas).

        None when there are none, or when they are pictures: these are in the folder `predictions` of `path`.
        """
        from mlzero.predictor.standalone import answers

        record = self.record
        if record.task is None or "predictions" not in record.files:
            return None
        output = record.task["output"]["value"]
        kind = "json" if output["format"] == "coco" else output["format"]
        if kind in answers.PICTURES:
            return None
        return answers.read_table(self.path / record.files["predictions"], kind, output.get("dialect"))


def inspect(data: str | Path, goal: str = "", overrides: Mapping[str, str] | None = None) -> Inspection:
    """Understand an upload without training.

    Parameters
    ----------
    data
        A folder, a file, an archive or an `s3://` prefix.
    goal
        What is wanted, in plain words of any language.
    overrides
        Corrections, such as ``{"target": "price", "metric": "mae"}``.

    Raises
    ------
    UserError
        When there is nothing to learn from or an override names something that is not there.
    """
    with tempfile.TemporaryDirectory(prefix="mlzero-") as folder:
        directory = RunDirectory.create(Path(folder) / "inspect")
        notes = lay_in(data, directory.data)
        profile, task = child.perceive(directory.path, readable(goal), dict(overrides or {}))
        profile.notes = [*notes, *profile.notes]
        return Inspection(profile, task)


def solve(
    data: str | Path,
    goal: str,
    *,
    out: str | Path | None = None,
    time_limit: float = 120.0,
    max_attempts: int = 8,
    llm: str = "auto",
    hints: Sequence[str] = (),
    overrides: Mapping[str, str] | None = None,
    on_event: Callable[[Event], None] | None = None,
) -> Run:
    """Train a predictor for `goal` from `data` and wait for it.

    Parameters
    ----------
    out
        An empty or new folder for the run; a new one under `config.home()` by default.
    time_limit
        Seconds for the whole run.
    on_event
        Called with every event as it is written, from another thread.

    Raises
    ------
    UserError
        Bad input, with what to do about it.
    NoSolution
        When no attempt passed the checks.
    """
    directory = open_run(
        data,
        goal,
        out=out,
        settings=run_settings(
            time_limit=time_limit,
            max_attempts=max_attempts,
            llm=llm,
            overrides=dict(overrides or {}),
            hints=list(hints),
        ),
    )
    return finish_run(directory, on_event)


def open_run(data: str | Path, goal: str, *, out: str | Path | None, settings: RunSettings) -> RunDirectory:
    """Lay the data into a new run directory, ready to be worked."""
    path = Path(out) if out is not None else config.home() / "runs" / new_run_id()
    try:
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise UserError(f"The output folder {path} is not empty.", "Give a new or an empty folder.")
        created = not path.exists()
        directory = RunDirectory.create(path)
    except OSError as error:
        raise UserError(
            f"The output folder {path} cannot be written: {error.strerror}.", "Choose another folder."
        ) from error
    try:
        directory.note(*lay_in(data, directory.data))
    except (UserError, KeyboardInterrupt):
        shutil.rmtree(directory.path) if created else _empty(directory.path)
        raise
    directory.update(goal=readable(goal), settings=settings, state="queued")
    for hint in settings.hints:
        directory.add_hint(hint)
    return directory


def finish_run(directory: RunDirectory, on_event: Callable[[Event], None] | None = None) -> Run:
    """Work a run to its end; raises as `solve` does."""
    from mlzero import engine

    ended = threading.Event()
    follower = threading.Thread(target=_follow, args=(directory, on_event, ended), daemon=True) if on_event else None
    if follower:
        follower.start()
    try:
        record = engine.run(directory)
    finally:
        ended.set()
        if follower:
            follower.join()
    if record.state == "failed" or not record.files:
        error = UserError if record.state == "failed" and record.task is None else NoSolution
        raise error(record.message)
    return Run(directory.path)


def load_predictor(path: str | Path) -> Predictor:
    """A predictor from `predictor.zip` or its unpacked folder; raises UserError."""
    from mlzero.predictor.loading import load_predictor as load

    return load(Path(path))


def _follow(directory: RunDirectory, on_event: Callable[[Event], None], ended: threading.Event) -> None:
    offset = 0
    while True:
        last_look = ended.wait(0.2)
        found, offset = directory.events.follow(offset)
        for event in found:
            on_event(event)
        if last_look:
            return


def _empty(folder: Path) -> None:
    for entry in folder.iterdir():
        shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
