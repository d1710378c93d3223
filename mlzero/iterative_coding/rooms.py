"""Training sandboxes, the next one started ahead of its need."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from mlzero.iterative_coding.fork_server import ALWAYS, IMPORTED_LATER, ForkServer
from mlzero.iterative_coding.guard import Limits
from mlzero.iterative_coding.media import Media
from mlzero.iterative_coding.sandbox import Sandbox
from mlzero.semantic_memory import hub

USUAL = (*ALWAYS, "autogluon.tabular", *IMPORTED_LATER["autogluon.tabular"])  # what most solutions import


class Rooms:
    """Gives every attempt of a run a sandbox of its own; a context manager.

    Parameters
    ----------
    run_dir
        The folder of the run. Sandboxes work in `work/rooms/` and may read `work/media/`.
    limits
        Memory and disk of one sandbox; what the machine can spare by default.
    """

    def __init__(self, sandbox: Sandbox, run_dir: Path, limits: Limits | None = None) -> None:
        self.limits = limits or Limits.of_machine(run_dir)
        self.sandbox = sandbox
        self._folder = run_dir.resolve() / "work" / "rooms"
        self._media = Media.folder_of(run_dir.resolve())
        self._numbers = itertools.count(1)
        self._waiting: ForkServer | None = None
        self._kept: tuple[str, ForkServer] | None = None  # with the text of its solution
        self._lock = threading.RLock()  # attempts may run beside each other

    def __enter__(self) -> Rooms:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def prepare(self, modules: Sequence[str] = USUAL) -> None:
        """Start the next sandbox now, so that its libraries are there when it is taken."""
        with self._lock:
            if self._waiting is None:
                self._waiting = self._start()
                self._waiting.preload(modules)

    def take(self) -> ForkServer:
        """The sandbox that waits, or a new one; it belongs to the caller, who ends it or gives it back."""
        with self._lock:
            self._forget()
            waiting, self._waiting = self._waiting, None
        if waiting is not None and waiting.job.poll() is not None:  # it has not survived
            waiting.__exit__()
            waiting = None
        return waiting or self._start()

    def give_back(self, server: ForkServer, source: str) -> None:
        """Keep the sandbox of a solution that was measured until the next is taken: its libraries serve the last fit, too."""
        with self._lock:
            self._forget()
            self._kept = (source, server)

    def take_again(self, source: str) -> ForkServer:
        """The sandbox in which this very solution was measured, emptied; else as `take`."""
        if self._kept is None or self._kept[0] != source or self._kept[1].job.poll() is not None:
            return self.take()
        (_, server), self._kept = self._kept, None
        server.clear()
        return server

    def close(self) -> None:
        """End those that wait."""
        self._forget()
        if self._waiting is not None:
            self._waiting.__exit__()
            self._waiting = None

    def _forget(self) -> None:
        if self._kept is not None:
            self._kept[1].__exit__()
            self._kept = None

    def _start(self) -> ForkServer:
        readable = [self._media]
        self._media.mkdir(parents=True, exist_ok=True)
        with suppress(OSError):  # where no cache can be made, nothing is fetched
            hub.cache().mkdir(parents=True, exist_ok=True)
            readable.append(hub.cache())
        return ForkServer(self.sandbox, self._folder / str(next(self._numbers)), self.limits, readable)
