"""A run's events, folded into what the run page shows."""

from __future__ import annotations

import functools
import threading
from collections import deque
from dataclasses import dataclass, field

from mlzero import events
from mlzero.runs import RunDirectory

TAIL = 200  # log lines kept of an attempt


@dataclass
class Step:
    """A stage of the run or of an attempt."""

    name: str
    state: str  # started, finished, failed
    detail: str = ""
    seconds: float | None = None
    begun: float = 0.0


@dataclass
class AttemptStory:
    """What is known of one attempt."""

    number: int
    title: str = ""
    idea: str = ""
    code: str = ""
    steps: list[Step] = field(default_factory=list)
    log: deque[str] = field(default_factory=lambda: deque(maxlen=TAIL))
    artefacts: list[tuple[str, int]] = field(default_factory=list)  # path, bytes
    fault: events.Fault | None = None
    verdict: events.Verdict | None = None


@dataclass
class Story:
    """Everything so far, in reading order."""

    steps: list[Step] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    attempts: dict[int, AttemptStory] = field(default_factory=dict)
    bests: list[tuple[float, events.Best]] = field(default_factory=list)  # seconds since the start
    scores: list[tuple[float, int, float]] = field(default_factory=list)  # seconds, attempt, score of valid attempts
    hints: dict[str, events.Hint] = field(default_factory=dict)
    calls: list[events.ModelCall] = field(default_factory=list)
    begun: float | None = None
    last: float = 0.0  # time of the newest event
    offset: int = 0
    latest: int | None = None  # attempt that told something last

    def take(self, event: events.Event) -> None:
        """Fold one more event in."""
        self.last = event.time
        match event:
            case events.State(state="running") if self.begun is None:
                self.begun = event.time
            case events.Stage():
                _step(self.steps, event.stage, event.state, event.detail, event.seconds, event.time)
            case events.Note():
                self.notes.append(event.text)
            case events.Hint():
                self.hints[event.id] = event
            case events.ModelCall():
                self.calls.append(event)
            case events.Best():
                self.bests.append((self._since(event), event))
            case events.AttemptStarted():
                self.attempts[event.attempt] = AttemptStory(event.attempt, event.title, event.idea)
                self.latest = event.attempt
            case (
                events.Code()
                | events.AttemptStage()
                | events.Log()
                | events.Artefact()
                | events.Fault()
                | events.Verdict()
            ):
                self._attempt(event)

    def _attempt(
        self,
        event: events.Code | events.AttemptStage | events.Log | events.Artefact | events.Fault | events.Verdict,
    ) -> None:
        attempt = self.attempts.setdefault(event.attempt, AttemptStory(event.attempt))
        self.latest = event.attempt
        match event:
            case events.Code():
                attempt.code = event.source
            case events.AttemptStage():
                _step(attempt.steps, event.stage, event.state, "", event.seconds, event.time)
            case events.Log():
                attempt.log.extend(event.lines)
            case events.Artefact():
                attempt.artefacts = [a for a in attempt.artefacts if a[0] != event.path] + [(event.path, event.bytes)]
            case events.Fault():
                attempt.fault = event
            case events.Verdict():
                attempt.verdict = event
                if not event.valid and (tried := next((s for s in reversed(self.steps) if s.name == "attempt"), None)):
                    tried.state = "failed"
                if event.valid and event.score is not None:
                    self.scores.append((self._since(event), event.attempt, event.score))

    def _since(self, event: events.Event) -> float:
        return event.time - self.begun if self.begun is not None else 0.0


def _step(steps: list[Step], name: str, state: str, detail: str, seconds: float | None, when: float) -> None:
    for step in reversed(steps):
        if step.name == name and step.state == "started":
            if state == "started":
                break
            step.state, step.seconds = state, seconds if seconds is not None else when - step.begun
            step.detail = detail or step.detail
            return
    steps.append(Step(name, state, detail, seconds, when))


_LOCK = threading.Lock()


@functools.lru_cache(maxsize=64)
def _kept(run_folder: str) -> Story:
    return Story()


def story(run: RunDirectory) -> Story:
    """The story of a run up to now; each event is read once, for all tabs together."""
    with _LOCK:
        kept = _kept(str(run.path))
        found, kept.offset = run.events.follow(kept.offset)
        for event in found:
            kept.take(event)
        return kept
