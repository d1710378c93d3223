"""The typed log of a run: the only thing a viewer reads.

One JSON object a line in `events.jsonl`, numbered without gaps. A torn last line (a crash while
writing) is dropped on the next open and a damaged one left out, so the file is always readable.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from mlzero.perception.profile import Strict

log = logging.getLogger(__name__)

VERSION = 1


class Base(Strict):
    v: int = VERSION
    seq: int = 0
    time: float = 0.0  # seconds since 1970


class State(Base):
    """The run changed state."""

    type: Literal["state"] = "state"
    state: str
    message: str = ""


class Stage(Base):
    """A step of the run (perceive, recall, attempt, refit, package) began or ended."""

    type: Literal["stage"] = "stage"
    stage: str
    state: Literal["started", "finished", "failed"]
    detail: str = ""
    seconds: float | None = None


class Note(Base):
    """A sentence for the reader."""

    type: Literal["note"] = "note"
    text: str
    caveat: bool = False  # belongs to what a reader of the result must know


class Understood(Base):
    """The task, as understood or corrected."""

    type: Literal["understood"] = "understood"
    task: dict[str, Any]


class AttemptStarted(Base):
    type: Literal["attempt_started"] = "attempt_started"
    attempt: int
    title: str
    idea: str = ""
    parent: int | None = None
    fit_seconds: float = 0.0


class Code(Base):
    """The solution an attempt runs."""

    type: Literal["code"] = "code"
    attempt: int
    source: str


class AttemptStage(Base):
    """Load, fit, predict or score of one attempt."""

    type: Literal["attempt_stage"] = "attempt_stage"
    attempt: int
    stage: str
    state: Literal["started", "finished", "failed"]
    seconds: float | None = None
    memory_mb: float | None = None


class Log(Base):
    """Lines an attempt printed, batched."""

    type: Literal["log"] = "log"
    attempt: int
    lines: list[str]


class Artefact(Base):
    """A file an attempt left."""

    type: Literal["artefact"] = "artefact"
    attempt: int
    path: str  # relative to the attempt folder
    bytes: int


class Fault(Base):
    """An attempt failed, and what was read from it."""

    type: Literal["fault"] = "fault"
    attempt: int
    signature: str
    cause: str  # plain words
    fix: str  # what is tried next, plain words
    trace: str = ""


class Verdict(Base):
    """The judge's decision on an attempt."""

    type: Literal["verdict"] = "verdict"
    attempt: int
    valid: bool
    score: float | None = None
    checks: list[dict[str, Any]] = Field(default_factory=list)  # {"name", "passed", "detail"}


class Best(Base):
    """A new best attempt."""

    type: Literal["best"] = "best"
    attempt: int
    metric: str
    score: float
    baseline: float | None = None
    higher_is_better: bool = True


class Hint(Base):
    """A hint was received, and later understood."""

    type: Literal["hint"] = "hint"
    id: str
    text: str
    answer: str = ""  # empty until it was taken
    attempt: int | None = None  # the attempt that takes it


class ModelCall(Base):
    """A language model was asked."""

    type: Literal["model_call"] = "model_call"
    purpose: str  # "review", "improve"
    model: str
    ok: bool
    seconds: float = 0.0
    input_tokens: int = 0
    output_tokens: int = 0
    dollars: float | None = None  # estimated; None: the price is not known
    problem: str = ""  # why there is no answer, plain words
    path: str = ""  # question and answer, relative to the run folder


class Result(Base):
    """Files ready to take away, relative to the run folder."""

    type: Literal["result"] = "result"
    files: dict[str, str]


Event = Annotated[
    State
    | Stage
    | Note
    | Understood
    | AttemptStarted
    | Code
    | AttemptStage
    | Log
    | Artefact
    | Fault
    | Verdict
    | Best
    | Hint
    | ModelCall
    | Result,
    Field(discriminator="type"),
]
_ADAPTER: TypeAdapter[Event] = TypeAdapter(Event)


def parse(line: str | bytes) -> Event:
    """One line of `events.jsonl` as a typed event; raises pydantic.ValidationError."""
    return _ADAPTER.validate_json(line)


class EventLog:
    """Append to and read from `events.jsonl`; safe for several threads of one writing process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._seq: int | None = None

    def append(self, event: Event) -> Event:
        """Number, stamp and write the event; it is on disk when this returns."""
        with self._lock:
            if self._seq is None:
                self._seq = self._recover()
            self._seq += 1
            stamped = event.model_copy(update={"seq": self._seq, "time": time.time()})
            line = stamped.model_dump_json(exclude_none=True) + "\n"
            with self.path.open("ab") as file:
                file.write(line.encode("utf-8", "replace"))
            return stamped

    def read(self, after: int = 0) -> list[Event]:
        """Events with a sequence number above `after`, oldest first."""
        return [event for event, _ in self._scan(0) if event.seq > after]

    def follow(self, offset: int = 0) -> tuple[list[Event], int]:
        """Events from byte `offset` on, and the offset to ask for next."""
        found = self._scan(offset)
        return [event for event, _ in found], (found[-1][1] if found else offset)

    def _scan(self, offset: int) -> list[tuple[Event, int]]:
        if not self.path.exists():
            return []
        found: list[tuple[Event, int]] = []
        with self.path.open("rb") as file:
            file.seek(offset)
            for line in file:
                offset += len(line)
                if not line.endswith(b"\n"):
                    break  # still being written
                try:
                    found.append((parse(line), offset))
                except ValidationError:
                    log.warning("A line of %s is damaged and left out; the next begins at byte %d.", self.path, offset)
        return found

    def _recover(self) -> int:
        """The last number written in a whole line; cuts a torn last line off."""
        if not self.path.exists():
            return 0
        size = self.path.stat().st_size
        with self.path.open("rb") as file:
            file.seek(max(0, size - 4_000_000))
            tail = file.read()
        if not tail:
            return 0
        whole, _, torn = tail.rpartition(b"\n")
        if torn:
            os.truncate(self.path, size - len(torn))
        for line in reversed(whole.split(b"\n")):
            with suppress(ValidationError):
                return parse(line).seq
        return 0
