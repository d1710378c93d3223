from __future__ import annotations

from pathlib import Path

from mlzero import events
from mlzero.runs import RunDirectory
from mlzero.ui import figures
from mlzero.ui.story import TAIL, Story, story


def fold(*told: events.Event) -> Story:
    found = Story()
    for second, event in enumerate(told):
        found.take(event.model_copy(update={"time": 100.0 + second}))
    return found


def test_an_attempt_is_told_from_idea_to_verdict() -> None:
    found = fold(
        events.State(state="running"),
        events.AttemptStarted(attempt=1, title="Quick", idea="first"),
        events.Code(attempt=1, source="x = 1"),
        events.AttemptStage(attempt=1, stage="fit", state="started"),
        events.Log(attempt=1, lines=["a", "b"]),
        events.AttemptStage(attempt=1, stage="fit", state="finished", seconds=2.5),
        events.Artefact(attempt=1, path="p.csv", bytes=1),
        events.Artefact(attempt=1, path="p.csv", bytes=9),
        events.Fault(attempt=1, signature="s", cause="c", fix="f"),
        events.Verdict(attempt=1, valid=True, score=0.9),
        events.Best(attempt=1, metric="accuracy", score=0.9, baseline=0.5),
    )
    attempt = found.attempts[1]
    assert (attempt.title, attempt.code, list(attempt.log), attempt.artefacts) == (
        "Quick",
        "x = 1",
        ["a", "b"],
        [("p.csv", 9)],
    )
    assert [(s.name, s.state, s.seconds) for s in attempt.steps] == [("fit", "finished", 2.5)]
    assert attempt.verdict is not None and attempt.fault is not None
    assert found.scores == [(9.0, 1, 0.9)] and found.bests[0][0] == 10.0


def test_a_stage_that_comes_again_is_a_new_step() -> None:
    found = fold(
        events.Stage(stage="attempt", state="started", detail="Attempt 1"),
        events.Stage(stage="attempt", state="failed", detail="Attempt 1", seconds=1),
        events.Stage(stage="attempt", state="started", detail="Attempt 2"),
    )
    assert [(s.detail, s.state) for s in found.steps] == [("Attempt 1", "failed"), ("Attempt 2", "started")]


def test_an_attempt_that_did_not_work_is_no_finished_step() -> None:
    found = fold(
        events.Stage(stage="attempt", state="started", detail="Attempt 1"),
        events.Stage(stage="attempt", state="finished", detail="Attempt 1", seconds=1),
        events.Verdict(attempt=1, valid=False),
    )
    assert [s.state for s in found.steps] == ["failed"]


def test_a_hint_shows_its_latest_answer_once() -> None:
    found = fold(
        events.Hint(id="h", text="t"),
        events.Hint(id="h", text="t", answer="ok"),
        events.Hint(id="h", text="t", answer="ok", attempt=2),
    )
    assert [(h.answer, h.attempt) for h in found.hints.values()] == [("ok", 2)]


def test_only_the_tail_of_a_log_is_kept() -> None:
    found = fold(*(events.Log(attempt=1, lines=[str(n)]) for n in range(TAIL + 50)))
    assert len(found.attempts[1].log) == TAIL and found.attempts[1].log[-1] == str(TAIL + 49)


def test_events_are_read_once_and_followed(tmp_path: Path) -> None:
    run = RunDirectory.create(tmp_path / "run")
    run.events.append(events.Note(text="one"))
    assert story(run).notes == ["one"]
    offset = story(run).offset
    run.events.append(events.Note(text="two"))
    assert story(run).notes == ["one", "two"] and story(run).offset > offset


def test_the_progress_chart_shows_best_and_naive_guess() -> None:
    found = fold(
        events.State(state="running"),
        events.Verdict(attempt=1, valid=True, score=3.0),
        events.Best(attempt=1, metric="rmse", score=3.0, baseline=9.0, higher_is_better=False),
        events.Verdict(attempt=2, valid=True, score=2.0),
        events.Best(attempt=2, metric="rmse", score=2.0, baseline=9.0, higher_is_better=False),
        events.Note(text="later"),
    )
    chart = figures.progress(found, "root mean squared error", False)
    assert chart is not None
    best, attempts, naive = chart.data
    assert (list(best.x), list(best.y)) == ([2.0, 4.0, 5.0], [3.0, 2.0, 2.0])
    assert list(attempts.y) == [3.0, 2.0] and list(naive.y) == [9.0, 9.0]
    assert "lower is better" in chart.layout.yaxis.title.text.replace("<br>", " ")


def test_no_chart_before_there_is_a_score() -> None:
    assert figures.progress(Story(), "accuracy", True) is None
