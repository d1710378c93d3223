"""A run on a terminal: a live line while it works, plain lines when nobody watches."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.status import Status
from rich.table import Table
from rich.text import Text

from mlzero import events
from mlzero.iterative_coding.contract import STAGES
from mlzero.perception.task import ANSWERS
from mlzero.runs import RunDirectory

if TYPE_CHECKING:
    from mlzero.api import Inspection


class Progress:
    """Draws events as they come; a context manager and the `on_event` of a run."""

    def __init__(self, console: Console, time_limit: float, *, quiet: bool = False) -> None:
        self.console = console
        self.time_limit = time_limit
        self.quiet = quiet
        self._begun = time.monotonic()
        self._status = Status("Starting", console=console) if console.is_terminal and not quiet else None

    def __enter__(self) -> Progress:
        if self._status:
            self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._status:
            self._status.stop()

    def __call__(self, event: events.Event) -> None:
        if self.quiet:
            return
        line = sentence(event)
        if line:
            self.console.print(Text(f"{self._clock()}  {line}"))
        if self._status and (doing := self._doing(event)):
            left = max(0.0, self.time_limit - (time.monotonic() - self._begun))
            self._status.update(Text(f"{doing} - about {left:.0f} s left"))

    def summary(self, directory: RunDirectory) -> None:
        """Score and files of a run that has ended."""
        record = directory.record()
        if self.quiet:
            return
        if record.score_text:
            self.console.print(Text(f"\n{record.score_text}"), style="bold")
        for name, path in record.files.items():
            self.console.print(Text(f"  {name:12} {directory.path / path}"))

    def _clock(self) -> str:
        return f"{time.monotonic() - self._begun:6.1f}s"

    @staticmethod
    def _doing(event: events.Event) -> str:
        if isinstance(event, events.Stage) and event.state == "started":
            return event.detail
        if isinstance(event, events.AttemptStage) and event.state == "started":
            return f"Attempt {event.attempt}: {STAGES.get(event.stage, event.stage)}"
        return ""


def sentence(event: events.Event) -> str:
    """An event as one plain line, or nothing when it is not worth one."""
    from mlzero.iterative_coding.outcome import spoken

    match event:
        case events.Stage(state="started", detail=detail):
            return detail
        case events.Note(text=text):
            return f"  {text}"
        case events.Understood(task=task):
            return f"  {understood(task)}"
        case events.Fault(cause=cause, fix=fix):
            return f"  It failed: {cause} {fix}"
        case events.Verdict(valid=True, score=float(score)):
            return f"  Valid, score {spoken(score)}"
        case events.Verdict(checks=checks):
            broken = [c["detail"] for c in checks if c.get("fatal") and not c["passed"]]
            return f"  Not valid. {' '.join(broken)}".rstrip()
        case events.Best(metric=metric, score=score, baseline=baseline):
            naive = "" if baseline is None else f", naive guess {spoken(baseline)}"
            return f"  Best so far: {metric} {spoken(score)}{naive}"
        case events.ModelCall(purpose=purpose, ok=True, seconds=seconds, input_tokens=asked, output_tokens=said):
            return f"  Language model ({purpose}): {asked + said:,} tokens in {seconds:.0f} s"
        case events.ModelCall(purpose=purpose, problem=problem):
            return f"  Language model ({purpose}): {problem}"
        case events.Hint(answer=answer, attempt=None) if answer:
            return f"  Hint: {answer}"
        case events.State(state=state, message=message) if message:
            return f"{state.capitalize()}. {message}"
    return ""


def understood(task: dict[str, Any]) -> str:
    """The task in one line."""
    target = task["target"]["value"]
    targets = target if isinstance(target, str) else ", ".join(target or [])
    answer = ANSWERS[task["problem_type"]["value"]]
    return f"Understood: predict {targets}, {answer}, judged by {task['metric']['value']}"


def describe(console: Console, found: Inspection) -> None:
    """An inspection for people."""
    from mlzero.perception.grades import written

    files = Table("file", "role", "rows", title="What was found")
    roles = {entry.path: entry.role for entry in found.task.files.value}
    for table in found.profile.tables:
        files.add_row(Text(table.key), roles.get(table.key, ""), f"{table.rows:,}")
    for document in found.profile.documents:
        files.add_row(Text(document.path), roles.get(document.path, "description"), "")
    for told in found.profile.unread:
        files.add_row(Text(told), "not read", "")
    console.print(files)
    facts = Table("what", "value", "how sure", "why", title="What was understood")
    for name in ("problem_type", "target", "metric", "spelling", "order", "id", "split"):
        inferred = getattr(found.task, name)
        value = inferred.value
        if name in ("spelling", "order") and not value:
            continue
        if name == "order":
            value = written(value)
        elif name == "split":
            value = value.kind
        facts.add_row(name, Text(str(value)), f"{inferred.confidence:.0%}", Text(inferred.evidence))
    console.print(facts)
    for note in (*found.profile.notes, *found.task.notes):
        console.print(Text(note))
    for question in found.task.questions:
        console.print(Text(f"{question.text} (assumed: {question.default})"), style="bold")
