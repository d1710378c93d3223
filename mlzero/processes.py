"""Which process something belongs to, told so that a later process with the same number is not taken for it."""

from __future__ import annotations

import os
from functools import cache

import psutil

CLOSE = 1.0  # seconds two readings of a process's start may differ


@cache
def _started(pid: int) -> float:
    return psutil.Process(pid).create_time()


def mark() -> str:
    """This process, as text."""
    pid = os.getpid()
    return f"{pid} {_started(pid)}"


def alive(marked: str) -> bool:
    """Whether the process of a mark still runs; False for text that is no mark."""
    try:
        pid, started = marked.split()
        return is_running(int(pid), float(started))
    except ValueError:
        return False


def is_running(pid: int, started: float | None) -> bool:
    """Whether process `pid` runs and, where known, began at `started` (seconds since 1970)."""
    try:
        return started is None or abs(psutil.Process(pid).create_time() - started) <= CLOSE
    except psutil.NoSuchProcess:
        return False
