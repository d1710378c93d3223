"""Which process something belongs to, told so that a later process with the same number is not taken for it."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
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


def end_with_parent(last: Callable[[], None] = lambda: None) -> None:
    """End this process, after doing `last`, as soon as its standard input is closed: a pipe that its parent holds."""

    def watch() -> None:
        os.read(0, 1)
        try:
            last()
        finally:
            os._exit(1)

    threading.Thread(target=watch, name="parent", daemon=True).start()
