"""Tells when a step of a run begins and ends, and keeps how long it took."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from mlzero import events


class Stopwatch:
    """Several steps may go on at the same time.

    Parameters
    ----------
    say
        Where the events go.
    seconds
        By step, from where an earlier process left the run.
    """

    def __init__(self, say: Callable[[events.Event], object], seconds: dict[str, float]) -> None:
        self.seconds = dict(seconds)
        self._say = say
        self._lock = threading.Lock()

    @contextmanager
    def stage(self, name: str, detail: str) -> Iterator[None]:
        """Tell the reader that a step begins and ends, and add its seconds to those of its name."""
        begun = time.monotonic()
        self._say(events.Stage(stage=name, state="started", detail=detail))
        try:
            yield
        except BaseException:
            self._say(events.Stage(stage=name, state="failed", detail=detail, seconds=time.monotonic() - begun))
            raise
        finally:
            with self._lock:
                self.seconds[name] = round(self.seconds.get(name, 0.0) + time.monotonic() - begun, 2)
        self._say(events.Stage(stage=name, state="finished", detail=detail, seconds=time.monotonic() - begun))
