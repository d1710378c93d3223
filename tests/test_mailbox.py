"""What the user says while a run works: answered at once, taken by the next attempt."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from mlzero import events
from mlzero.mailbox import Mailbox
from mlzero.perception.hints import Reading
from mlzero.perception.profile import Profile
from mlzero.perception.task import Preferences, Task
from mlzero.runs import RunDirectory
from tests.tasks import plain_task


def interpret(text: str, task: Task, profile: Profile) -> Reading:
    """Understands three hints."""
    if text == "break":
        raise RuntimeError("bug")
    if text == "take your time":
        return Reading("I will take twice the time.", {}, Preferences(more_time=True))
    return Reading("I will tell the code.", {}, None, guidance=text)


@pytest.fixture
def run(tmp_path: Path) -> RunDirectory:
    return RunDirectory.create(tmp_path / "run")


def mailbox(run: RunDirectory, stop: threading.Event | None = None) -> Mailbox:
    profile = Profile(root=str(run.data), files=[], tables=[])
    return Mailbox(run, profile, plain_task(), stop or threading.Event(), run.events.append, interpret)


def answers(run: RunDirectory) -> list[tuple[str, int | None]]:
    return [(e.answer, e.attempt) for e in run.events.read() if isinstance(e, events.Hint) and e.answer]


def wait_for(run: RunDirectory, count: int) -> None:
    deadline = time.monotonic() + 5
    while len(answers(run)) < count:
        assert time.monotonic() < deadline, "not answered"
        time.sleep(0.02)


def test_hints_from_before_and_during_the_run_reach_the_next_attempt(run: RunDirectory) -> None:
    run.add_hint("scale it")
    with mailbox(run) as box:
        hint = box.take()
        assert (hint.text, hint.guidance, hint.changes_task) == ("scale it", "scale it", False)
        box.taken(hint, 1)
        run.add_hint("take your time")
        wait_for(run, 3)
        hint = box.take()
        assert hint.changes_task and not hint.new_goalposts and box.task.preferences.more_time
        assert run.record().settings.time_limit == 240
        assert not box.take().entries
        box.too_late(hint)
    assert answers(run)[:2] == [("I will tell the code.", None), ("I will tell the code.", 1)]
    assert "give the hint to a new run" in answers(run)[-1][0]


def test_a_hint_that_breaks_the_reading_is_answered_and_ends_nothing(run: RunDirectory) -> None:
    run.add_hint("break")
    stop = threading.Event()
    with mailbox(run, stop) as box:
        assert "could not be read" in answers(run)[0][0]
        run.add_hint("break")
        wait_for(run, 2)
        run.ask_to_stop()
        assert stop.wait(5)
        assert not box.take().changes_task


def test_a_run_that_goes_on_takes_what_no_attempt_has_taken(run: RunDirectory) -> None:
    run.add_hint("scale it")
    with mailbox(run) as box:
        box.taken(box.take(), 1)
        run.add_hint("log it")
        wait_for(run, 3)
    with mailbox(run) as box:
        assert box.take().text == "log it"
