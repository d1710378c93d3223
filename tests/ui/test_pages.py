"""The pages of runs, History and Settings, without a browser; runs are folders on disk."""

from __future__ import annotations

import time

import pytest

from mlzero import events
from mlzero.registry import Registry
from mlzero.ui import texts
from mlzero.ui.identity import LOCAL
from tests.ui.pages import ended, open_page, said

# -- run


@pytest.mark.parametrize(
    ("state", "word", "resumable"),
    [
        ("done", "Done", False),
        ("stopped", "Stopped", True),
        ("failed", "Failed", True),
        ("interrupted", "Stopped", True),
    ],
)
def test_a_run_that_has_ended(registry: Registry, state: str, word: str, resumable: bool) -> None:
    run = ended(registry, state, score=0.91, baseline=0.5, message="" if state == "done" else "The reason.")
    at = open_page("run", run=run.id)
    text = said(at)
    assert word in text and not any(w in text for w in {"Queued", "Running", "Done", "Stopped", "Failed"} - {word})
    assert [(m.label, m.value) for m in at.metric][:2] == [("Score", "0.91"), ("Naive guess", "0.5")]
    assert ("The reason." in text) == (state != "done")
    assert ("interrupted" in text) == (state == "interrupted")
    assert any(b.key == "resume" for b in at.button) == resumable


def test_resume_queues_the_run_again(registry: Registry) -> None:
    run = ended(registry, "interrupted")
    open_page("run", run=run.id).button(key="resume").click().run()
    assert run.record().state in ("queued", "running")


def test_a_second_tab_that_resumes_too_sees_how_it_stands(registry: Registry) -> None:
    run = ended(registry, "interrupted")
    tabs = [open_page("run", run=run.id) for _ in range(2)]
    for at in tabs:
        at.button(key="resume").click().run()
        assert not at.exception
    assert "Running" in said(tabs[1]) or "Queued" in said(tabs[1])


def test_a_run_deleted_in_another_tab_is_gone(registry: Registry) -> None:
    run = ended(registry, "interrupted")
    at = open_page("run", run=run.id)
    registry.delete(run.id)
    at.button(key="resume").click().run()
    assert not at.exception and "There is no such run here." in said(at)


def test_a_damaged_run_is_told_and_history_lists_the_others(registry: Registry) -> None:
    damaged = ended(registry, goal="Damaged goal")
    ended(registry, goal="Whole goal")
    (damaged.path / "run.json").write_text('{"id": "')
    text = said(open_page("run", run=damaged.id))
    assert "cannot be read" in text and "run.json is damaged" in text
    assert "Train a predictor" in said(open_page("new_run", draft=damaged.id))
    at = open_page("history")
    text = said(at)
    assert "Whole goal" in text and "Damaged goal" not in text and "run.json is damaged" in text
    at.button(key=f"really_delete_{damaged.id}").click().run()
    assert not damaged.path.exists() and "damaged" not in said(at)


def test_hint_and_stop_reach_a_live_run(registry: Registry) -> None:
    run = registry.draft(LOCAL)
    registry.submit(run.id, goal="Predict", settings=run.record().settings)
    at = open_page("run", run=run.id)
    at.text_input(key="hint_text").set_value("ignore the column no")
    next(b for b in at.button if b.label == "Send hint").click().run()
    assert [h["text"] for h in run.hints()] == ["ignore the column no"]
    at.button(key="stop").click().run()
    deadline = time.monotonic() + 10
    while run.record().state != "stopped" and time.monotonic() < deadline:
        time.sleep(0.02)
    at.run()
    assert "Stopped" in said(at) and not any(b.key == "stop" for b in at.button)


def test_what_the_training_prints_is_folded_away(registry: Registry) -> None:
    run = registry.draft(LOCAL)
    registry.submit(run.id, goal="Predict", settings=run.record().settings)
    run.events.append(events.AttemptStarted(attempt=1, title="Quick"))
    run.events.append(events.Log(attempt=1, lines=["Fitting model: LightGBM"]))
    at = open_page("run", run=run.id)
    assert "What the training prints" in [e.label for e in at.expander]
    assert "Fitting model: LightGBM" not in [c.value for c in at.code]
    at.session_state["printed"] = True
    at.run()
    assert "Fitting model: LightGBM" in [c.value for c in at.code]


def test_attempts_show_code_error_and_checks(registry: Registry) -> None:
    run = ended(registry, best=2)
    for event in (
        events.State(state="running"),
        events.AttemptStarted(attempt=1, title="Quick *one*"),
        events.Code(attempt=1, source="print('solution')"),
        events.Fault(attempt=1, signature="s", cause="Out of memory.", fix="Smaller.", trace="Traceback ..."),
        events.Verdict(
            attempt=1,
            valid=False,
            checks=[
                {"name": "it ran", "passed": False, "detail": "ended early"},
                {"name": "holdout: no gaps", "passed": True, "detail": "No *prediction* is missing."},
            ],
        ),
    ):
        run.events.append(event)
    at = open_page("run", run=run.id)
    assert "print('solution')" not in [c.value for c in at.code]  # nothing of a closed attempt is sent
    at.session_state["attempt_1"] = True
    at.run()
    assert {"print('solution')", "Traceback ..."} <= {c.value for c in at.code}
    assert all(s in said(at) for s in ("Out of memory.", "Next: Smaller.", "it ran – ended early"))
    assert "Rows kept aside – No *prediction* is missing." in said(at)
    assert any(e.label == r"Attempt 1\: Quick \*one\* — did not work" for e in at.expander)


@pytest.mark.parametrize("asked", ["nothing", "../../etc"])
def test_an_unknown_run_and_somebody_elses_look_the_same(registry: Registry, asked: str) -> None:
    theirs = registry.draft("somebody else")
    theirs.update(state="done", goal="secret goal")
    pages = [said(open_page("run", run=run_id)) for run_id in (asked, theirs.id)]
    assert pages[0] == pages[1] and "secret" not in pages[1]


def test_the_newest_run_opens_when_none_is_named(registry: Registry) -> None:
    assert "Nothing has been started yet." in said(open_page("run"))
    ended(registry, goal="Old goal")
    ended(registry, goal="New goal", created=time.time() + 5)
    text = said(open_page("run"))
    assert "New goal" in text and "Old goal" not in text


def test_the_score_is_told_with_what_its_metric_means(registry: Registry) -> None:
    told = ended(registry, score=1.5, metric="mae", metric_text="mean absolute error", score_text="On 9 rows: 1.5.", higher_is_better=False)  # fmt: skip
    text = said(open_page("run", run=told.id))
    assert "On 9 rows: 1.5. How far off the predictions are on average. Lower is better." in text
    later = ended(registry, score=1.5, metric="of a newer version", metric_text="wonder")
    assert "Judged by wonder. Higher is better." in said(open_page("run", run=later.id))


# -- history, settings


def test_history_lists_and_deletes_own_runs(registry: Registry) -> None:
    assert "Nothing has been started yet." in said(open_page("history"))
    run = ended(registry, score=0.9, baseline=0.4, metric="accuracy")
    other = registry.draft("somebody else")
    other.update(state="done", goal="secret goal")
    at = open_page("history")
    assert "accuracy: 0.9" in said(at) and "secret" not in said(at)
    when = f"Started {texts.moment(run.record().started, None)}"
    assert when in said(at) and f"{when}, took 1 min" in said(open_page("run", run=run.id))
    at.button(key=f"really_delete_{run.id}").click().run()
    assert not run.path.exists() and other.path.exists()


def test_settings_say_what_is_in_force(registry: Registry) -> None:
    ended(registry)
    registry.draft(LOCAL)
    at = open_page("settings")
    text = said(at)
    assert (
        "Generated code runs" in text and "Your 2 runs use" in text and "writes the solutions by its own rules" in text
    )
    at.button(key="clean_drafts").click().run()
    assert len(registry.list(LOCAL, drafts=True)) == 1
