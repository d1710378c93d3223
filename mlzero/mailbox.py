"""What the user says while a run works: stop and hints, answered at once, taken by the next attempt."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass

from mlzero import events
from mlzero.errors import UserError
from mlzero.perception import child, hints, override
from mlzero.perception.profile import Profile
from mlzero.perception.task import Preferences, Task
from mlzero.runs import RunDirectory

log = logging.getLogger(__name__)

POLL = 0.3  # seconds


@dataclass(frozen=True)
class Taken:
    """Hints that the next attempt takes in."""

    entries: tuple[tuple[str, str, str], ...] = ()  # id, text, answer
    changes_task: bool = False
    new_goalposts: bool = False  # target, metric or rows changed: earlier scores do not compare
    guidance: str = ""  # what a language model that writes code shall follow

    @property
    def text(self) -> str:
        return " / ".join(text for _, text, _ in self.entries)


class Mailbox:
    """Watches the run directory for a stop and for hints; a context manager.

    `task` is always the task as corrected so far.
    """

    def __init__(
        self,
        directory: RunDirectory,
        profile: Profile,
        task: Task,
        stop: threading.Event,
        say: Callable[[events.Event], object],
        interpret: Callable[[str, Task, Profile], hints.Reading] = hints.interpret,
    ) -> None:
        self.task = task
        self._interpret = interpret
        self._guidance: list[str] = []
        self._directory, self._profile, self._stop, self._say = directory, profile, stop, say
        self._draft = task  # with the hints that no attempt has taken yet
        self._overrides = dict(directory.record().settings.overrides)
        self._entries: list[tuple[str, str, str]] = []
        # what an earlier process answered and no attempt took is read again
        self._seen = {e.id for e in directory.events.read() if isinstance(e, events.Hint) and e.attempt is not None}
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._watch, name=f"mailbox-{directory.id[:6]}", daemon=True)

    def __enter__(self) -> Mailbox:
        self._read_hints()  # those given before the start belong to the first attempt
        self._thread.start()
        return self

    def __exit__(self, problem: type[BaseException] | None, *_: object) -> None:
        self._closed.set()
        self._thread.join(10)
        if problem is None:
            self.too_late(Taken(tuple(self._entries)))

    def take(self) -> Taken:
        """All hints since the last call; `task` includes them from now on."""
        with self._lock:
            before, after = self.task, self._draft
            entries, self._entries = tuple(self._entries), []
            guidance, self._guidance = " / ".join(self._guidance), []
            self.task = after
            if before == after:
                return Taken(entries, guidance=guidance)
            settings = self._directory.record().settings
            longer = after.preferences.more_time and not before.preferences.more_time
            self._directory.update(
                settings=settings.model_copy(
                    update={
                        "overrides": self._overrides,
                        "time_limit": settings.time_limit * (2 if longer else 1),
                    }
                )
            )
            return Taken(entries, True, _goalposts(before) != _goalposts(after), guidance)

    def taken(self, hint: Taken, attempt: int) -> None:
        """Tell the reader which attempt takes the hints in."""
        for id_, text, answer in hint.entries:
            self._say(events.Hint(id=id_, text=text, answer=answer, attempt=attempt))

    def too_late(self, hint: Taken) -> None:
        """Tell the reader that no attempt is left for the hints."""
        for id_, text, answer in hint.entries:
            self._say(
                events.Hint(
                    id=id_,
                    text=text,
                    answer=f"{answer} But no time or attempt is left in this run; give the hint to a new run.",
                )
            )

    def _watch(self) -> None:
        while not self._closed.wait(POLL):
            if self._directory.stop_file.exists():
                self._stop.set()
            self._read_hints()

    def _read_hints(self) -> None:
        for entry in self._directory.hints():
            if entry["id"] in self._seen:
                continue
            self._seen.add(entry["id"])
            self._say(events.Hint(id=entry["id"], text=entry["text"]))
            try:
                answer = self._understand(entry["text"])
            except Exception:  # a hint must never end the run
                log.exception("reading a hint of run %s", self._directory.id)
                answer = "This hint could not be read; the log has the details. Try other words."
            self._say(events.Hint(id=entry["id"], text=entry["text"], answer=answer))
            with self._lock:
                self._entries.append((entry["id"], entry["text"], answer))

    def _understand(self, text: str) -> str:
        """Work the hint into the draft task; the sentence that says how it was understood."""
        reading = self._interpret(text, self._draft, self._profile)
        draft, overrides = self._draft, self._overrides
        if reading.overrides:
            try:
                overrides = override.merged(overrides, reading.overrides, self._profile)
                _, draft = child.perceive(self._directory.path, draft.goal, overrides)
            except UserError as error:
                return f"That does not work: {error.message} {error.fix}".strip()
            draft = draft.model_copy(update={"preferences": self._draft.preferences})
        if reading.preferences is not None:
            draft = draft.model_copy(update={"preferences": _merged(draft.preferences, reading.preferences)})
        with self._lock:
            self._draft, self._overrides = draft, overrides
            if reading.guidance:
                self._guidance.append(reading.guidance)
        return reading.answer


def _merged(old: Preferences, new: Preferences) -> Preferences:
    """The newer word wins; what it does not mention stays."""
    changed = {name: getattr(new, name) for name in new.model_fields_set}
    return old.model_copy(update=changed)


def _goalposts(task: Task) -> object:
    return (
        task.targets,
        task.problem_type.value,
        task.metric.value,
        task.split.value,
        task.labels,
        task.train,
        task.drop_duplicates,
        task.positive_label.value,
    )
