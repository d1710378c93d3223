"""Page logic, without a browser; runs are folders on disk."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from mlzero import events
from mlzero.perception.profile import ColumnProfile, EncodingGuess, FileProfile, Profile, ReadPlan, TableProfile
from mlzero.perception.task import FeaturePlan, FileRole, Inferred, OutputPlan, Question, RowSource, SplitPlan, Task
from mlzero.registry import Registry
from mlzero.runs import RunDirectory
from mlzero.ui import texts
from mlzero.ui.identity import LOCAL

APP = str(Path(__file__).resolve().parents[2] / "app.py")


def open_page(page: str | None = None, **query: str) -> AppTest:
    at = AppTest.from_file(APP, default_timeout=20)
    for name, value in query.items():
        at.query_params[name] = value
    if page:
        at.switch_page(f"pages/{page}.py")
    at.run()
    assert not at.exception, at.exception
    return at


def said(at: AppTest) -> str:
    """Everything the page says, as one text."""
    parts = [*at.title, *at.subheader, *at.text, *at.markdown, *at.info, *at.warning, *at.error]
    return "\n".join(str(p.value) for p in parts).replace("\\", "")


def task_of(goal: str) -> Task:
    return Task(
        goal=goal, modality=Inferred(value="tabular"), problem_type=Inferred(value="binary", evidence="Two values."),
        target=Inferred(value="left", confidence=0.7, evidence="The goal names it.", alternatives=["plan"]),
        metric=Inferred(value="roc_auc", alternatives=["f1"]), id=Inferred(value=None),
        files=Inferred(value=[FileRole(path="train.csv", role="train")]), split=Inferred(value=SplitPlan()),
        output=Inferred(value=OutputPlan()), train=[RowSource(table="train.csv")],
        features=[FeaturePlan(name="plan", treat_as="category"), FeaturePlan(name="no", treat_as="identifier", drop="names rows")],
        questions=[Question(field="positive_label", text="Which answer matters most?", options=["yes", "no"], default="yes")],
    )  # fmt: skip


def profile_of(root: Path) -> Profile:
    columns = [
        ColumnProfile(name=n, source_name=n, kind="category", examples=["a", "b"]) for n in ("no", "plan", "left")
    ]
    table = TableProfile(key="train.csv", path="train.csv", read=ReadPlan(format="delimited"), rows=12, columns=columns)
    return Profile(root=str(root), files=[FileProfile(path="train.csv", kind="table", bytes=40)], tables=[table])


@pytest.fixture
def draft(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> RunDirectory:
    """A draft with data, and a reader of it that answers at once."""
    run = registry.draft(LOCAL)
    (run.data / "train.csv").write_text("no,plan,left\n1,a,yes\n2,b,no\n")

    def understand(goal: str, overrides: dict[str, str]) -> tuple[Profile, Task]:
        task = task_of(goal)
        for field, value in overrides.items():
            if field in ("target", "metric", "problem_type"):
                setattr(task, field, Inferred(value=value))
        return profile_of(run.data), task

    read_by(understand, run, registry, monkeypatch)
    return run


def read_by(
    understand: Callable[[str, dict[str, str]], tuple[Profile, Task]],
    run: RunDirectory,
    registry: Registry,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Have the upload of a draft understood at once, by a function of the goal and the corrections."""

    def perceive(_: str, goal: str, overrides: dict[str, str] | None = None) -> None:
        profile, task = understand(goal, overrides or {})
        folder = run.path / "perception"
        folder.mkdir(exist_ok=True)
        (folder / "profile.json").write_text(profile.model_dump_json())
        (folder / "task.json").write_text(task.model_dump_json())

    monkeypatch.setattr(registry, "perceive", perceive)


def ended(registry: Registry, state: str = "done", **changes: object) -> RunDirectory:
    run = registry.draft(LOCAL)
    facts = {"goal": "Predict left", "started": time.time() - 60, "finished": time.time(), "target": "left"} | changes
    run.update(state=state, **facts)
    return run


# -- new run


@pytest.mark.parametrize(
    ("goal", "data", "word"),
    [("", False, "Choose your data first"), ("x", False, "Choose your data first"), ("", True, "Say in the box")],
)
def test_start_says_what_is_missing(draft: RunDirectory, goal: str, data: bool, word: str) -> None:
    at = open_page(draft=draft.id) if data else open_page()
    at.text_area(key="goal").set_value(goal)
    at.button(key="start").click().run()
    assert word in said(at)
    assert draft.record().state == "draft"


def test_the_order_of_grades_is_shown_and_can_be_set(
    draft: RunDirectory, registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = Inferred[list[str]](value=["poor", "fair", "good"], confidence=0.95, evidence="One scale.")

    def understand(goal: str, _: dict[str, str]) -> tuple[Profile, Task]:
        return profile_of(draft.data), task_of(goal).model_copy(update={"order": order})

    read_by(understand, draft, registry, monkeypatch)
    at = open_page(draft=draft.id)
    at.text_area(key="goal").set_value("How good?").run()
    assert at.text_input(key="set_order").value == "poor < fair < good" and "One scale." in said(at)
    at.text_input(key="set_order").set_value("fair < poor < good").run()
    at.button(key="start").click().run()
    assert draft.record().settings.overrides == {"order": "fair < poor < good"}


def test_columns_from_files_of_the_rows_are_counted_and_listed_as_one_thing(
    draft: RunDirectory, registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"curve": {"column": "no", "place": "curves/{}.csv"}}

    def understand(goal: str, _: dict[str, str]) -> tuple[Profile, Task]:
        profile, task = profile_of(draft.data), task_of(goal)
        (table,) = profile.tables
        table.read = ReadPlan(format="made", maker="number_files", options={"files": files})
        table.columns.append(ColumnProfile(name="curve: mean", source_name="curve", kind="number"))
        task.features.append(FeaturePlan(name="curve: mean", treat_as="number"))
        return profile, task

    read_by(understand, draft, registry, monkeypatch)
    at = open_page(draft=draft.id)
    assert "Columns (1 used)" in [e.label for e in at.expander]
    (columns,) = [frame.value for frame in at.dataframe if "Use" in frame.value]
    assert list(columns["Column"]) == ["plan", "no"]


def test_the_card_shows_what_was_understood(draft: RunDirectory) -> None:
    at = open_page(draft=draft.id)
    at.text_area(key="goal").set_value("Who will leave?").run()
    assert not at.exception
    assert at.selectbox(key="set_target").value == "left"
    assert at.selectbox(key="set_metric").value == "roc_auc"
    assert at.selectbox(key="set_id").value == "none"
    assert "Predict left from 1 column of train.csv (12 rows)" in said(at)
    assert "The goal names it. (fairly sure)" in said(at)
    assert at.radio(key="ask_positive_label").value == "yes"


def test_how_dates_and_letters_are_read_is_corrected_on_the_card(
    draft: RunDirectory, registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[dict[str, str]] = []

    def understand(goal: str, overrides: dict[str, str]) -> tuple[Profile, Task]:
        read.append(dict(overrides))
        known, task = profile_of(draft.data), task_of(goal)
        guess = EncodingGuess(confidence=0.95, readings={"cp1252": "Dvoøák", "cp1250": "Dvořák"})
        known.tables[0].encoding = guess
        order = Question(
            field="dates", text="Day or month?", options=["day first", "month first"], default="month first"
        )
        task.questions = [order] if "dates" not in read[-1] else []
        return known, task

    read_by(understand, draft, registry, monkeypatch)
    at = open_page(draft=draft.id)
    at.text_area(key="goal").set_value("Who will leave?").run()
    assert at.radio(key="ask_dates").value == "month first"
    at.radio(key="ask_dates").set_value("day first").run()
    assert read[-1] == {"dates": "day first"} and not at.exception
    letters = at.selectbox(key="set_encoding:train.csv")
    assert letters.value == "cp1252: Dvoøák"
    letters.set_value("cp1250: Dvořák").run()
    assert not at.exception
    assert read[-1] == {"dates": "day first", "encoding:train.csv": "cp1250: Dvořák"}


def test_a_correction_reaches_the_run(draft: RunDirectory, registry: Registry) -> None:
    at = open_page(draft=draft.id)
    at.text_area(key="goal").set_value("Who will leave?").run()
    at.selectbox(key="set_target").set_value("plan").run()
    assert at.selectbox(key="set_target").value == "plan" and "Set by you." in said(at)
    at.radio(key="ask_positive_label").set_value("no").run()
    at.button(key="start").click().run()
    assert not at.exception
    record = draft.record()
    assert record.state in ("queued", "running") and record.goal == "Who will leave?"
    assert record.settings.overrides == {"target": "plan", "positive_label": "no"} and record.settings.time_limit == 120


def test_a_new_target_voids_corrections_about_the_old_one(draft: RunDirectory) -> None:
    at = open_page(draft=draft.id)
    at.selectbox(key="set_metric").set_value("f1").run()
    at.selectbox(key="set_id").set_value("no").run()
    at.selectbox(key="set_target").set_value("plan").run()
    assert draft.record().settings.overrides == {"id": "no", "target": "plan"}


def test_corrections_can_be_undone(draft: RunDirectory) -> None:
    at = open_page(draft=draft.id)
    at.selectbox(key="set_target").set_value("plan").run()
    at.button(key="undo_corrections").click().run()
    assert at.selectbox(key="set_target").value == "left"


def test_start_works_without_touching_the_card(draft: RunDirectory) -> None:
    at = open_page(draft=draft.id)
    at.text_area(key="goal").set_value("Who will leave?")
    at.button(key="start").click().run()
    assert not at.exception and draft.record().state in ("queued", "running")


def test_a_start_that_was_interrupted_still_leads_to_the_run(draft: RunDirectory, registry: Registry) -> None:
    at = open_page(draft=draft.id)
    at.text_area(key="goal").set_value("Who will leave?").run()
    draft.update(state="queued")  # as a start does; then another event of the page begins it anew
    at.run()
    assert not at.exception and "Queued" in said(at)
    at.switch_page("pages/new_run.py").run()
    assert at.text_area(key="goal").value == ""


def test_a_draft_removed_in_another_window_is_missed_without_a_fault(draft: RunDirectory, registry: Registry) -> None:
    at, other = open_page(draft=draft.id), open_page(draft=draft.id)
    at.text_area(key="goal").set_value("Who will leave?").run()
    other.button(key="remove_data").click().run()
    assert not other.exception and registry.get(draft.id, LOCAL) is None
    at.button(key="start").click().run()
    assert not at.exception and "Choose your data first." in said(at)


def test_a_draft_started_in_another_window_leads_to_its_run(draft: RunDirectory) -> None:
    at, other = open_page(draft=draft.id), open_page(draft=draft.id)
    other.text_area(key="goal").set_value("Who will leave?").run()
    other.button(key="start").click().run()
    at.text_area(key="goal").set_value("Another").run()
    assert not at.exception and draft.record().goal == "Who will leave?"


@pytest.mark.parametrize("widget", ["remove_data", "set_metric"])
def test_what_is_clicked_on_a_started_draft_leaves_the_run_alone(draft: RunDirectory, widget: str) -> None:
    at = open_page(draft=draft.id)
    at.text_area(key="goal").set_value("Who will leave?").run()
    draft.update(state="queued")
    if widget == "remove_data":
        at.button(key=widget).click().run()
    else:
        at.selectbox(key=widget).set_value("f1").run()
    assert not at.exception and (draft.path / "data" / "train.csv").exists()
    assert draft.record().settings.overrides == {}


def test_a_reload_finds_the_draft_again(draft: RunDirectory) -> None:
    at = open_page(draft=draft.id)
    at.text_area(key="goal").set_value("Who will leave?").run()
    at.selectbox(key="set_metric").set_value("f1").run()
    again = open_page(draft=draft.id)
    assert again.text_area(key="goal").value == "Who will leave?"
    assert again.selectbox(key="set_metric").value == "f1"


def test_data_that_cannot_be_used_is_told(
    draft: RunDirectory, registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    def perceive(run_id: str, goal: str, overrides: dict[str, str] | None = None) -> None:
        (draft.path / "perception").mkdir(exist_ok=True)
        (draft.path / "perception" / "error.json").write_text('{"message": "There is no table.", "fix": "Add one."}')

    monkeypatch.setattr(registry, "perceive", perceive)
    at = open_page(draft=draft.id)
    assert "There is no table. Add one." in said(at)


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


# -- predict, history, settings


def test_predict_lists_own_predictors_only(registry: Registry) -> None:
    assert "There is no predictor yet." in said(open_page("predict"))
    theirs = registry.draft("somebody else")
    theirs.update(state="done", files={"predictor": "predictor.zip"})
    assert "There is no predictor yet." in said(open_page("predict"))


def test_the_form_for_one_row_follows_the_contract(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    from mlzero.ui import prediction_jobs

    run = ended(registry, files={"predictor": "predictor.zip"})
    predictor_with(
        run.path / "predictor.zip", [{"name": "plan", "choices": ["a", "b"]}, {"name": "age", "typical": "40"}]
    )
    begun: list[str] = []
    monkeypatch.setattr(prediction_jobs, "start", lambda job_id, *_: begun.append(job_id))
    at = open_page("predict")
    at.text_input(key=f"cell_{run.id}_age").set_value("33")
    at.selectbox(key=f"cell_{run.id}_plan").set_value("b")
    next(b for b in at.button if b.label == "Predict this row").click().run()
    assert not at.exception
    assert (prediction_jobs.folder() / begun[0] / "data" / "row.csv").read_text() == "plan,age\nb,33\n"


def test_a_cell_that_is_no_number_is_told_and_not_predicted(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mlzero.ui import prediction_jobs

    run = ended(registry, files={"predictor": "predictor.zip"})
    columns: list[dict[str, object]] = [
        {"name": "age_now", "kind": "number", "typical": "38"},
        {"name": "born", "kind": "date"},
    ]
    predictor_with(run.path / "predictor.zip", columns)
    begun: list[str] = []
    monkeypatch.setattr(prediction_jobs, "start", lambda job_id, *_: begun.append(job_id))
    at = open_page("predict")
    age, born = (at.text_input(key=f"cell_{run.id}_{name}") for name in ("age_now", "born"))
    assert (age.label, born.label) == ("age_now", "born")  # no escapes for those who hear the page
    age.set_value("young")
    born.set_value("long ago")
    next(b for b in at.button if b.label == "Predict this row").click().run()
    assert not begun and not at.exception
    assert "age_now: 'young' is no number. Write one, such as 38, or leave the field empty." in said(at)
    assert "born: 'long ago' is no date." in said(at)
    at.text_input(key=f"cell_{run.id}_age_now").set_value("£1,200.50")
    at.text_input(key=f"cell_{run.id}_born").set_value("3.4.1999")
    next(b for b in at.button if b.label == "Predict this row").click().run()
    assert len(begun) == 1


def predicted(run: RunDirectory, answers: list[str]) -> str:
    """The id of a job whose rows got these answers from the run's predictor."""
    from mlzero.ui import prediction_jobs

    job_id, folder = prediction_jobs.new_job(LOCAL)
    lines = [f"{number},{answer}\n" for number, answer in enumerate(answers, 1)]
    (folder / "predictions.csv").write_text("".join(["id,left\n", *lines]))
    job = prediction_jobs.get(job_id, LOCAL)
    assert job is not None
    done = job.model_copy(update={"state": "done", "run": run.id, "rows": len(answers), "file": "predictions.csv"})
    (folder / "job.json").write_text(done.model_dump_json())
    return job_id


def test_a_predicted_row_can_be_explained(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    from mlzero.ui import prediction_jobs

    run = ended(registry, files={"predictor": "predictor.zip"})
    predictor_with(
        run.path / "predictor.zip", [{"name": "age", "kind": "number", "typical": "40"}], {"problem_type": "binary"}
    )
    job_id = predicted(run, ["yes", "no"])

    def explain(job: prediction_jobs.Job, row: int, _: Path) -> None:
        cell = {"column": "<b>age", "value": "70", "usual": "40", "effect": 0.25}
        found = {"row": row, "answer": "no", "probability": 0.8, "risk": False, "cells": [cell]}
        job.why = prediction_jobs.Why(row=row, state="done", found=found)

    monkeypatch.setattr(prediction_jobs, "explain", explain)
    at = open_page("predict", predictor=run.id, job=job_id)
    assert "Why this answer?" in said(at)
    at.number_input(key="why_row").set_value(2)
    next(b for b in at.button if b.label == "Explain").click().run()
    assert not at.exception
    assert "The answer for row 2 is no (probability 0.80)." in said(at)


def test_predictors_of_pictures_take_files_and_offer_no_reasons(registry: Registry) -> None:
    run = ended(registry, files={"predictor": "predictor.zip"})
    predictor_with(run.path / "predictor.zip", [{"name": "photo", "kind": "image"}], {"problem_type": "binary"})
    at = open_page("predict", predictor=run.id, job=predicted(run, ["yes"]))
    assert "1 row predicted" in said(at) and "Why this answer?" not in said(at)
    assert "cannot be typed" in said(at) and "Give new files" in said(at) and not at.text_input


@pytest.mark.parametrize("content", [None, b"", b"no zip"])
def test_a_predictor_that_is_gone_or_damaged_harms_no_page(registry: Registry, content: bytes | None) -> None:
    run = ended(registry, files={"predictor": "predictor.zip"})
    if content is not None:
        (run.path / "predictor.zip").write_bytes(content)
    at = open_page("predict", predictor=run.id)
    assert not at.exception
    assert ("There is no predictor yet." in said(at)) == (content is None)
    text = said(open_page("run", run=run.id))
    assert ("No longer in the folder of the run: predictor." in text) == (content is None)


def test_the_score_is_told_with_what_its_metric_means(registry: Registry) -> None:
    told = ended(registry, score=1.5, metric="mae", metric_text="mean absolute error", score_text="On 9 rows: 1.5.", higher_is_better=False)  # fmt: skip
    text = said(open_page("run", run=told.id))
    assert "On 9 rows: 1.5. How far off the predictions are on average. Lower is better." in text
    later = ended(registry, score=1.5, metric="of a newer version", metric_text="wonder")
    assert "Judged by wonder. Higher is better." in said(open_page("run", run=later.id))


def predictor_with(path: Path, columns: list[dict[str, object]], facts: dict[str, str] | None = None) -> None:
    import json
    import zipfile

    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("contract.json", json.dumps({"columns": columns, "facts": facts or {}}))


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
