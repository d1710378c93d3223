"""What programs print, into the attempt's log file and, in batches, to the viewer."""

from __future__ import annotations

import os
import re
import select
import threading
import time
from collections.abc import Callable
from pathlib import Path

EVERY = 0.4  # seconds between batches
LINES_A_BATCH = 200  # the rest of a flood is counted, not shown
LINES_IN_ALL = 5000
LONGEST_LINE = 1000  # characters
LARGEST_FILE = 20_000_000  # bytes
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07]*\x07|[\x00-\x08\x0b\x0c\x0e-\x1f]")


class Output:
    """A pipe whose reader writes a file and shows lines. `fd` is the end that programs write to."""

    def __init__(self) -> None:
        self._read, self.fd = os.pipe()
        self._done = threading.Event()
        self._shown = 0
        self._thread: threading.Thread | None = None

    def start(self, path: Path, show: Callable[[list[str]], None]) -> None:
        """Append what was and will be written to `path`, and call `show` with lists of lines."""
        self._path, self._show = path, show
        self._thread = threading.Thread(target=self._pump, name="output", daemon=True)
        self._thread.start()

    def pause(self) -> None:
        """Read what is there and let go of the file; everything is in it then. `start` goes on with another."""
        self._done.set()
        if self._thread:
            self._thread.join(5)
        self._done.clear()

    def close(self) -> None:
        """Read what is left and end; everything is in the file then."""
        os.close(self.fd)
        self.pause()
        os.close(self._read)

    def _pump(self) -> None:
        rest, batch, written, last = b"", list[str](), 0, time.monotonic()
        with self._path.open("ab") as file:
            while True:
                ready, _, _ = select.select([self._read], [], [], 0.1)
                chunk = os.read(self._read, 65536) if ready else None
                if chunk:
                    if written < LARGEST_FILE:
                        written += file.write(chunk)
                        file.flush()
                    *lines, rest = (rest + chunk).split(b"\n")
                    batch += [_shown(line) for line in lines]
                    rest = rest[-65536:]
                over = chunk == b"" or (not ready and self._done.is_set())
                if over and rest:
                    batch.append(_shown(rest))
                if batch and (over or time.monotonic() - last >= EVERY):
                    self._send(batch)
                    batch, last = [], time.monotonic()
                if over:
                    return

    def _send(self, batch: list[str]) -> None:
        left = LINES_IN_ALL - self._shown
        if left <= 0:
            return
        kept = batch[: min(LINES_A_BATCH, left)]
        self._shown += len(kept)
        if len(kept) < len(batch):
            kept = [*kept, f"… {len(batch) - len(kept)} more lines are in the log file"]
        self._show(kept)


def tail(log: Path, characters: int = 20_000) -> str:
    """The end of a log file, about as long as that; empty where there is no file."""
    if not log.exists():
        return ""
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - characters))
        return file.read().decode("utf-8", "replace")


def _shown(line: bytes) -> str:
    """A line as a terminal would leave it: progress bars keep their last state, colours go."""
    text = line.decode("utf-8", "replace").rstrip("\r").rpartition("\r")[2]
    return ESCAPES.sub("", text)[:LONGEST_LINE]
