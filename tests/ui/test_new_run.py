"""The page that starts a run, without a browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest

from mlzero.perception.profile import ColumnProfile, EncodingGuess, FileProfile, Profile, ReadPlan, TableProfile
from mlzero.perception.task import FeaturePlan, FileRole, Inferred, OutputPlan, Question, RowSource, SplitPlan, Task
from mlzero.registry import Registry
from mlzero.runs import RunDirectory
from mlzero.ui.identity import LOCAL
from tests.ui.pages import open_page, said


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


def test_spellings_of_labels_are_shown_and_can_be_kept_apart(
    draft: RunDirectory, registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Inferred[Literal["one", "apart"] | None](
        value="one", evidence="Only capitals differ.", alternatives=["apart"]
    )

    def understand(goal: str, given: dict[str, str]) -> tuple[Profile, Task]:
        value = found.model_copy(update={"value": given.get("spelling", "one")})
        return profile_of(draft.data), task_of(goal).model_copy(update={"spelling": value})

    read_by(understand, draft, registry, monkeypatch)
    at = open_page(draft=draft.id)
    at.text_area(key="goal").set_value("Which grade?").run()
    assert at.selectbox(key="set_spelling").value == "one" and "Only capitals differ." in said(at)
    at.selectbox(key="set_spelling").set_value("apart").run()
    at.button(key="start").click().run()
    assert draft.record().settings.overrides == {"spelling": "apart"}


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
    assert at.selectbox(key="set_target").options == ["left", "plan", "no"]


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


def test_a_correction_reaches_the_run(draft: RunDirectory) -> None:
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


def test_a_start_that_was_interrupted_still_leads_to_the_run(draft: RunDirectory) -> None:
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


def test_start_says_when_the_data_was_deleted_meanwhile(
    draft: RunDirectory, registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = open_page("new_run", draft=draft.id)
    at.text_area(key="goal").set_value("Predict left").run()
    submit = registry.submit

    def too_late(run_id: str, **given: object) -> None:
        registry.delete(run_id)
        submit(run_id, **given)

    monkeypatch.setattr(registry, "submit", too_late)
    at.button(key="start").click().run()
    assert not at.exception and "The data was deleted in another window." in said(at)
