"""What is told of a program that was killed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mlzero.iterative_coding import guard as guard_module
from mlzero.iterative_coding.endings import failure_of
from mlzero.iterative_coding.guard import Guard, Limits
from mlzero.iterative_coding.sandbox import Job


@pytest.mark.parametrize("status", [-9, 137])
@pytest.mark.parametrize(("memory_ran_out", "kind"), [(True, "memory"), (False, "killed")])
def test_a_kill_is_told_as_want_of_memory_only_where_something_speaks_for_it(
    status: int, memory_ran_out: bool, kind: str
) -> None:
    failure = failure_of("fit", status, {}, memory_ran_out)
    assert failure is not None and failure.kind == kind


@pytest.fixture
def guard(tmp_path: Path) -> Guard:
    ended = subprocess.Popen([sys.executable, "-c", ""], start_new_session=True)
    ended.wait()
    return Guard(Job(ended, None), [tmp_path], Limits(memory_mb=1000, disk_mb=1000))


@pytest.mark.parametrize(("peak_mb", "seen_mb", "near"), [(100, 0, False), (900, 0, True), (100, 900, True)])
def test_a_peak_near_the_limit_speaks_for_memory(guard: Guard, peak_mb: float, seen_mb: float, near: bool) -> None:
    guard.peak_mb = peak_mb
    assert guard.memory_ran_out(seen_mb) is near


def test_what_the_kernel_ended_speaks_for_memory(guard: Guard, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not guard.memory_ran_out()
    before = guard_module.ended_for_memory()
    monkeypatch.setattr(guard_module, "ended_for_memory", lambda: before + 1)
    assert guard.memory_ran_out()
