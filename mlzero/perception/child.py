"""Perception in a process of its own, so that reading a large upload never blocks a page.

``python -m mlzero.perception.child RUN_FOLDER`` reads ``perception/request.json`` and leaves
``profile.json`` and ``task.json``, or ``error.json`` with one sentence and what to do.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from mlzero.errors import UserError
from mlzero.perception.profile import Profile
from mlzero.perception.task import Task


def perceive(run_folder: Path, goal: str, overrides: dict[str, str]) -> tuple[Profile, Task]:
    """Understand `run_folder/data` in a child process and wait for it.

    The profile is kept between calls: a corrected goal or override only infers the task again.

    Raises
    ------
    UserError
        When the upload holds nothing that can be learnt from.
    """
    process = start(run_folder, goal, overrides)
    _, trace = process.communicate()
    return collect(run_folder, process.returncode, trace.decode("utf-8", "replace"))


def start(run_folder: Path, goal: str, overrides: dict[str, str]) -> subprocess.Popen[bytes]:
    """Begin to understand; `perception/working` exists until the child ends."""
    folder = run_folder / "perception"
    folder.mkdir(exist_ok=True)
    for stale in ("task.json", "error.json"):
        (folder / stale).unlink(missing_ok=True)
    (folder / "request.json").write_text(json.dumps({"goal": goal, "overrides": overrides}), encoding="utf-8")
    (folder / "working").touch()
    argv = [sys.executable, "-m", "mlzero.perception.child", str(run_folder)]
    return subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def collect(run_folder: Path, returncode: int, trace: str) -> tuple[Profile, Task]:
    """What the ended child left; raises its UserError, or RuntimeError with its traceback."""
    folder = run_folder / "perception"
    (folder / "working").unlink(missing_ok=True)
    if (folder / "error.json").exists():
        error = json.loads((folder / "error.json").read_text(encoding="utf-8"))
        raise UserError(error["message"], error["fix"])
    if returncode != 0 or not (folder / "task.json").exists():
        message = "The data could not be read to the end."
        fix = "Remove unusual files from the folder and try again; details are in perception/trace.txt of the run."
        (folder / "trace.txt").write_text(trace, encoding="utf-8")
        (folder / "error.json").write_text(json.dumps({"message": message, "fix": fix}), encoding="utf-8")
        raise RuntimeError(f"perception ended with code {returncode}\n{trace}")
    profile = Profile.model_validate_json((folder / "profile.json").read_bytes())
    return profile, Task.model_validate_json((folder / "task.json").read_bytes())


def main(run_folder: Path) -> int:
    from mlzero.perception.scan import profile as profile_folder
    from mlzero.perception.understand import infer_task

    folder = run_folder / "perception"
    request = json.loads((folder / "request.json").read_text(encoding="utf-8"))
    try:
        if (folder / "profile.json").exists():
            profile = Profile.model_validate_json((folder / "profile.json").read_bytes())
        else:
            profile = profile_folder(run_folder / "data")
            profile.save(folder / "profile.json")
        task = infer_task(profile, run_folder / "data", request["goal"], request["overrides"])
    except UserError as error:
        (folder / "error.json").write_text(json.dumps({"message": error.message, "fix": error.fix}), encoding="utf-8")
        return 2
    (folder / "task.json").write_text(task.model_dump_json(indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
