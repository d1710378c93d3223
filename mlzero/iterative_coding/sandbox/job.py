"""A started program and everything it starts, as one thing that can be measured and ended."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

TAG = "MLZERO_JOB"  # environment variable that marks every process of a job


class Job:
    """Handle of a program in a sandbox.

    Parameters
    ----------
    process
        The outermost process, leader of its own session.
    tag
        Value of `TAG` in the environment of the program; None when killing the outermost process is enough
        because all others live in its process namespace.
    scratch
        A folder to remove at the end.
    """

    def __init__(self, process: subprocess.Popen[bytes], tag: str | None, scratch: Path | None = None) -> None:
        self.process = process
        self._tag = tag
        self.scratch = scratch

    @property
    def pid(self) -> int:
        return self.process.pid

    def poll(self) -> int | None:
        """Exit status, negative for a signal, or None while it runs."""
        return self.process.poll()

    def wait(self, timeout: float | None = None) -> int:
        """Exit status; raises subprocess.TimeoutExpired after `timeout` seconds."""
        return self.process.wait(timeout)

    def kill(self) -> None:
        """End every process of the job, daemons included. Safe to call twice."""
        seen: set[psutil.Process] = set()
        for _ in range(100):
            seen |= set(self._members())
            if self.process.poll() is None:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(self.pid, signal.SIGKILL)
            for member in seen:
                with contextlib.suppress(psutil.Error):
                    member.kill()  # psutil does not mistake a later process with the same number for it
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(0.5)
            if self.process.poll() is not None and not any(map(_alive, seen | set(self._members()))):
                break
            time.sleep(0.02)
        if self.scratch is not None:
            shutil.rmtree(self.scratch, ignore_errors=True)

    def usage(self) -> tuple[float, int]:
        """Memory in MB (shared pages counted once) and number of processes, now."""
        total, count = 0.0, 0
        for member in [*self._tree()]:
            with contextlib.suppress(psutil.Error, OSError):
                total += _memory(member)
                count += 1
        return total / 2**20, count

    def __enter__(self) -> Job:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def _tree(self) -> Iterator[psutil.Process]:
        with contextlib.suppress(psutil.Error):
            root = psutil.Process(self.pid)
            yield root
            yield from root.children(recursive=True)

    def _members(self) -> Iterator[psutil.Process]:
        """The processes below the outermost one, and those that left the tree but carry the tag."""
        known = set()
        for member in self._tree():
            if member.pid != self.pid:
                known.add(member.pid)
                yield member
        if self._tag is None:
            return
        for member in psutil.process_iter():
            if member.pid in known or member.pid in (self.pid, os.getpid()):
                continue
            with contextlib.suppress(psutil.Error, OSError):
                if member.environ().get(TAG) == self._tag:
                    yield member


def _alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def _memory(process: psutil.Process) -> float:
    """Bytes of one process: its proportional share where the system tells, else what is resident."""
    try:
        with open(f"/proc/{process.pid}/smaps_rollup", "rb") as file:
            for line in file:
                if line.startswith(b"Pss:"):
                    return int(line.split()[1]) * 1024.0
    except OSError:
        pass
    return float(process.memory_info().rss)
