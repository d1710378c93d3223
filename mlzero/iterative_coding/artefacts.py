"""Notice the files an attempt leaves, as they appear."""

from __future__ import annotations

import logging
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver

DEPTH = 2  # levels below the folder that are told; a model's many inner files are not news
LIMIT = 200  # files told for one folder
LATE = "queue_events() called when the thread is inactive"


@contextmanager
def watch(folder: Path, on_new: Callable[[Path], None]) -> Iterator[None]:
    """Call `on_new` once for every file that appears under `folder` while the block runs.

    Files already there are not told. A file written under a passing name is told under its last
    one. Hidden files and files more than two levels down are left out, and after 200 files nothing
    more is told. Calls come from other threads, never two at a time; all of them have ended when
    the block is left. Where the system gives no notice of finished files (other than Linux, network
    folders, exhausted watches), files are told when the block ends.
    """
    teller = _Teller(folder.resolve(), on_new)
    observer = _start(teller)
    try:
        yield
    finally:
        if observer:
            observer.stop()
            observer.join(5)
        teller.sweep()


def _start(teller: _Teller) -> BaseObserver | None:
    # watchdog reports each inner folder of a model that is made and removed quickly as watched twice: harmless
    warnings.filterwarnings("ignore", message="Callback with id", category=RuntimeWarning)
    logging.getLogger("watchdog.observers.inotify").addFilter(_worth_telling)
    observer: BaseObserver = Observer()
    try:
        observer.schedule(teller, str(teller.folder), recursive=True)
        observer.start()
    except OSError:  # no watches left
        return None
    return observer


def _worth_telling(record: logging.LogRecord) -> bool:
    """Not that a file changed while the watch was being ended: watchdog calls that an error, and the sweep tells the file."""
    return LATE not in record.getMessage()


class _Teller(FileSystemEventHandler):
    def __init__(self, folder: Path, on_new: Callable[[Path], None]) -> None:
        self.folder = folder
        self._on_new = on_new
        self._lock = threading.Lock()
        self._told: set[Path] = set(self._files())

    def on_closed(self, event: FileSystemEvent) -> None:
        self._tell(event.src_path)

    def on_moved(self, event: FileSystemEvent) -> None:
        self._tell(event.dest_path)

    def sweep(self) -> None:
        """Tell what no notice came for."""
        for path in self._files():
            self._tell(path)

    def _files(self) -> Iterator[Path]:
        for pattern in ("*", "*/*"):
            yield from (path for path in sorted(self.folder.glob(pattern)) if path.is_file())

    def _tell(self, where: str | bytes | Path) -> None:
        path = Path(where.decode() if isinstance(where, bytes) else where)
        with self._lock:
            if path in self._told or len(self._told) >= LIMIT or not self._is_news(path):
                return
            self._told.add(path)
            self._on_new(path)

    def _is_news(self, path: Path) -> bool:
        try:
            parts = path.relative_to(self.folder).parts
        except ValueError:
            return False
        return len(parts) <= DEPTH and not any(part.startswith(".") for part in parts) and path.is_file()
