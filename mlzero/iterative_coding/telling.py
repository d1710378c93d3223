"""What the harness tells about one attempt, as events."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from mlzero import events


class Telling:
    """See `contract.Emit`.

    Parameters
    ----------
    attempt, folder
        Number and folder of the attempt.
    say
        Where the events go.
    """

    def __init__(self, attempt: int, folder: Path, say: Callable[[events.Event], object]) -> None:
        self._attempt, self._folder, self._say = attempt, folder, say

    def stage(self, stage: str, state: Any, seconds: float | None = None, memory_mb: float | None = None) -> None:
        event = events.AttemptStage(attempt=self._attempt, stage=stage, state=state, seconds=seconds, memory_mb=memory_mb)  # fmt: skip
        self._say(event)

    def log(self, lines: list[str]) -> None:
        self._say(events.Log(attempt=self._attempt, lines=lines))

    def artefact(self, path: Path) -> None:
        try:
            size = path.stat().st_size
        except FileNotFoundError:
            return  # it was a passing one
        name = path.relative_to(self._folder).as_posix()
        self._say(events.Artefact(attempt=self._attempt, path=name, bytes=size))
