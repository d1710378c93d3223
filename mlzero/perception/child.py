"""Perception in a process of its own, so that reading a large upload never blocks a page.

``python -m mlzero.perception.child RUN_FOLDER`` reads ``perception/request.json`` and leaves
``scanned.json``, ``profile.json`` and ``task.json``, or ``error.json`` with one sentence and what to do.
"""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from mlzero import processes
from mlzero.errors import Stopped, UserError
from mlzero.files import write_atomically
from mlzero.perception.profile import Profile
from mlzero.perception.task import Task

LOOK = 0.2  # seconds between two questions whether to stop
STOPPED = "Stopped while the data was read."


def perceive(
    run_folder: Path, goal: str, overrides: dict[str, str], stopped: Callable[[], bool] = lambda: False
) -> tuple[Profile, Task]:
    """Understand `run_folder/data` in a child process and wait for it; `stopped` is asked meanwhile whether to end it.

    What was found stays in the folder: the same question is answered from there, and a corrected goal
    or override only infers the task again. Callers of several threads and processes take turns.

    Raises
    ------
    UserError
        When the upload holds nothing that can be learnt from.
    Stopped
        When `stopped` said so.
    """
    folder = run_folder / "perception"
    folder.mkdir(exist_ok=True)
    request = json.dumps({"goal": goal, "overrides": overrides}, ensure_ascii=False, sort_keys=True)
    with _turn(folder, stopped):
        if not _answered(folder, request):
            _ask(run_folder, request, stopped)
        (folder / "working").unlink(missing_ok=True)
        return _answer(folder)


@contextmanager
def _turn(folder: Path, stopped: Callable[[], bool]) -> Iterator[None]:
    """Alone with the folder, once nobody else reads; raises Stopped."""
    from filelock import FileLock, Timeout

    lock = FileLock(folder / "lock")
    while not lock.is_locked:
        if stopped():
            raise Stopped(STOPPED)
        with suppress(Timeout):
            lock.acquire(timeout=LOOK)
    try:
        yield
    finally:
        lock.release()


def _answered(folder: Path, request: str) -> bool:
    asked = folder / "request.json"
    if not asked.exists() or asked.read_bytes() != request.encode():
        return False
    try:
        _answer(folder)
    except (FileNotFoundError, ValueError):  # there is none, or it is damaged
        return False
    except UserError:
        return True
    return True


def _ask(run_folder: Path, request: str, stopped: Callable[[], bool]) -> None:
    """Run the child; it leaves task.json or error.json. Raises Stopped."""
    folder = run_folder / "perception"
    (folder / "working").write_text(processes.mark(), encoding="utf-8")
    for stale in ("task.json", "error.json"):
        (folder / stale).unlink(missing_ok=True)
    (folder / "request.json").write_text(request, encoding="utf-8")
    argv = [sys.executable, "-m", "mlzero.perception.child", str(run_folder)]
    trace = folder / "trace.txt"
    with trace.open("wb") as stderr:
        process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=stderr)
    with process:
        try:
            while process.poll() is None and not stopped():
                with suppress(subprocess.TimeoutExpired):
                    process.wait(LOOK)
        finally:
            cut = process.poll() is None
            process.kill()
    if cut:
        (folder / "request.json").unlink()
        (folder / "working").unlink(missing_ok=True)
        raise Stopped(STOPPED)
    if not (folder / "task.json").exists() and not (folder / "error.json").exists():
        if process.returncode < 0:  # by a signal; the next reading may get through
            (folder / "request.json").unlink()
        message = "The data could not be read to the end."
        fix = "Remove unusual files from the folder and try again; the details are in perception/trace.txt of the run."
        (folder / "error.json").write_text(json.dumps({"message": message, "fix": fix}), encoding="utf-8")
    elif not trace.stat().st_size:
        trace.unlink()


def _answer(folder: Path) -> tuple[Profile, Task]:
    if (folder / "error.json").exists():
        error = json.loads((folder / "error.json").read_text(encoding="utf-8"))
        raise UserError(error["message"], error["fix"])
    profile = Profile.model_validate_json((folder / "profile.json").read_bytes())
    return profile, Task.model_validate_json((folder / "task.json").read_bytes())


def main(run_folder: Path) -> int:
    from mlzero.perception import examples
    from mlzero.perception.understand import infer_task

    folder = run_folder / "perception"
    request = json.loads((folder / "request.json").read_text(encoding="utf-8"))
    try:
        profile = _profile(folder, run_folder / "data", request["goal"], request["overrides"])
        task = infer_task(profile, run_folder / "data", request["goal"], request["overrides"])
    except UserError as error:
        write_atomically(folder / "error.json", json.dumps({"message": error.message, "fix": error.fix}))
        return 2
    try:
        examples.write(folder, run_folder / "data", profile, task)
    except Exception:  # something to look at, nothing that the run needs
        logging.getLogger(__name__).warning("no examples", exc_info=True)
    write_atomically(folder / "task.json", task.model_dump_json(indent=1))
    return 0


def _profile(folder: Path, data_dir: Path, goal: str, given: dict[str, str]) -> Profile:
    """The upload, scanned once, as the goal and the user say that it is to be read; left in the folder."""
    from mlzero.perception import rereading, scan

    kept = folder / "scanned.json"
    try:
        found = Profile.model_validate_json(kept.read_bytes())
    except (FileNotFoundError, ValueError):  # never looked at, or damaged since
        found = scan.profile(data_dir)
    found = rereading.settled(rereading.decoded(found, data_dir, given), data_dir, goal, given)
    write_atomically(kept, found.model_dump_json(indent=1))
    profile = rereading.dated(found, given)
    write_atomically(folder / "profile.json", profile.model_dump_json(indent=1))
    return profile


if __name__ == "__main__":
    processes.end_with_parent()
    sys.exit(main(Path(sys.argv[1])))
