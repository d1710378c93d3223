"""Reading an upload in a process of its own."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from mlzero.errors import Stopped, UserError
from mlzero.perception import child
from mlzero.runs import RunDirectory

READS = """
import sys, time
from pathlib import Path
from mlzero.perception import child
child.perceive(Path(sys.argv[1]), "Predict y", {})
"""


@pytest.fixture
def run(tmp_path: Path) -> RunDirectory:
    run = RunDirectory.create(tmp_path / "run")
    (run.data / "a.csv").write_text("x,y\n" + "".join(f"{i / 7:.3f},{'ab'[i % 3 > 0]}\n" for i in range(80)))
    return run


def test_stop_ends_the_reading_and_it_can_be_taken_up_again(run: RunDirectory) -> None:
    begun = time.monotonic()
    with pytest.raises(Stopped):
        child.perceive(run.path, "Predict y", {}, lambda: time.monotonic() > begun + 0.5)
    assert time.monotonic() < begun + 3
    assert not [p for p in psutil.Process().children() if p.status() != psutil.STATUS_ZOMBIE]
    assert not (run.perception_dir / "working").exists()
    _, task = child.perceive(run.path, "Predict y", {})
    assert task.target.value == "y"


def test_stop_does_not_wait_for_another_reading(run: RunDirectory) -> None:
    from filelock import FileLock

    with FileLock(run.perception_dir / "lock"), pytest.raises(Stopped):
        child.perceive(run.path, "Predict y", {}, lambda: True)


def test_the_reading_ends_with_the_program_that_wants_it(run: RunDirectory) -> None:
    reader = subprocess.Popen([sys.executable, "-c", READS, str(run.path)])
    until = time.monotonic() + 20
    while not (found := psutil.Process(reader.pid).children()) and time.monotonic() < until:
        time.sleep(0.02)
    reader.kill()
    reader.wait()
    _, left = psutil.wait_procs(found, 5)
    assert found and not left
    _, task = child.perceive(run.path, "Predict y", {})
    assert task.target.value == "y"


@pytest.mark.parametrize("name", ["task.json", "profile.json", "scanned.json", "error.json"])
def test_what_was_damaged_since_is_read_again(run: RunDirectory, name: str) -> None:
    child.perceive(run.path, "Predict y", {})
    (run.perception_dir / name).write_bytes(b"\xff{")
    if name == "scanned.json":
        (run.perception_dir / "task.json").unlink()
    elif name != "error.json":
        assert run.perception().state == "none"
    _, task = child.perceive(run.path, "Predict y", {})
    assert task.target.value == "y" and run.perception().state == "ready"


def test_a_reading_that_was_killed_is_tried_again(run: RunDirectory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child.subprocess, "Popen", Killed)
    with pytest.raises(UserError, match="could not be read to the end"):
        child.perceive(run.path, "Predict y", {})
    monkeypatch.undo()
    _, task = child.perceive(run.path, "Predict y", {})
    assert task.target.value == "y"


class Killed(subprocess.Popen[bytes]):
    """A process that is killed at once."""

    def __init__(self, *_: object, **options: object) -> None:
        super().__init__(["sleep", "60"], **options)  # type: ignore[call-overload]
        self.kill()
