"""Bounds on what a sandboxed program may use, watched from outside."""

from __future__ import annotations

import os
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from mlzero.errors import UserError
from mlzero.files import size_of
from mlzero.iterative_coding.contract import FailureKind
from mlzero.iterative_coding.sandbox import Job

CONTAINER_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
VARIABLE = "MLZERO_MEMORY_MB"  # the most memory one sandbox may use, for machines that are shared
PROCESSES = 1000  # of one sandbox; bagging through worker pools stays far below
LOOK = 0.4  # seconds between two looks at memory
LOOK_DISK = 2.0
NEAR = 0.7  # part of the memory allowed beyond which the system may well have ended a program for its memory


@dataclass(frozen=True)
class Limits:
    """What one sandbox may use."""

    memory_mb: int
    disk_mb: int

    @classmethod
    def of_machine(cls, folder: Path, shared_by: int = 1) -> Limits:
        """Nine tenths of the free memory (or of the container's share), and of the free disk, at most 20 GB.

        The memory is split evenly among the `shared_by` sandboxes that may be at work at the same time. `$MLZERO_MEMORY_MB`
        lowers it; raises UserError when that is no number.
        """
        try:
            most = float(os.environ.get(VARIABLE) or "inf")
        except ValueError as error:
            raise UserError(f"{VARIABLE} is no number.", "Give megabytes, such as 4000.") from error
        memory = float(psutil.virtual_memory().available)
        for name in CONTAINER_LIMITS:
            try:
                memory = min(memory, float(Path(name).read_text(encoding="ascii")))
            except (OSError, ValueError):
                continue  # no such limit here, or "max"
        disk = shutil.disk_usage(folder).free
        memory_mb = min(0.9 * memory / 2**20 / shared_by, most)
        return cls(memory_mb=int(memory_mb), disk_mb=int(min(0.9 * disk / 2**20, 20_000)))


class Guard:
    """Looks at a job now and then and says when it uses too much.

    Attributes
    ----------
    peak_mb
        Largest memory seen so far, all processes of the job together.
    """

    def __init__(self, job: Job, folders: list[Path], limits: Limits) -> None:
        self._job, self._folders, self._limits = job, folders, limits
        self._next_look = self._next_disk = 0.0
        self._ended_before = ended_for_memory()
        self.peak_mb = 0.0

    def look(self) -> tuple[FailureKind, str] | None:
        """The bound that is broken, as kind of failure and sentence; None while all is well. Cheap to call often."""
        now = time.monotonic()
        if now < self._next_look:
            return None
        self._next_look = now + LOOK
        memory, processes = self._job.usage()
        self.peak_mb = max(self.peak_mb, memory)
        if memory > self._limits.memory_mb:
            return "memory", f"It used {memory:,.0f} MB of memory; {self._limits.memory_mb:,} MB are allowed."
        if processes > PROCESSES:
            return "killed", f"It started {processes} processes; {PROCESSES} are allowed."
        if now < self._next_disk:
            return None
        begun = time.monotonic()
        used = size_of([*self._folders, *([self._job.scratch] if self._job.scratch else [])]) / 2**20
        self._next_disk = now + max(LOOK_DISK, 20 * (time.monotonic() - begun))
        if used > self._limits.disk_mb:
            return "disk", f"It wrote {used:,.0f} MB to disk; {self._limits.disk_mb:,} MB are allowed."
        return None

    def memory_ran_out(self, peak_mb: float = 0.0) -> bool:
        """Whether the system may have ended the job for its memory, `peak_mb` being what else is known of its peak."""
        near = max(self.peak_mb, peak_mb) >= NEAR * self._limits.memory_mb
        return near or ended_for_memory() > self._ended_before


def ended_for_memory() -> int:
    """Processes that the kernel has ended for want of memory since it started; 0 where it does not tell."""
    try:
        lines = Path("/proc/vmstat").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("oom_kill ")), 0)
