"""The Run page: one run, live, from whatever tab looks at it."""

from __future__ import annotations

from contextlib import suppress

import streamlit as st

from mlzero.errors import UserError
from mlzero.iterative_coding import metrics
from mlzero.registry import registry
from mlzero.runs import ENDED, RunDirectory, RunRecord
from mlzero.ui import attempts_view, figures, language_model_use, new_run, results_view, texts
from mlzero.ui.identity import Visitor, visitor
from mlzero.ui.shell import invite, page
from mlzero.ui.story import Story, story

TICK = 1.0  # seconds between two looks at a live run


def draw() -> None:
    """The whole page."""
    new_run.forget_started()
    who = visitor()
    run = _asked_for(who)
    record = run.record()
    live = record.state not in ENDED
    tick = TICK if live else None

    @st.fragment(run_every=tick)
    def head() -> None:
        now = _now(run)
        if live and now.state in ENDED:
            st.rerun()  # one full run of the page switches every timer off and brings the results
        _head(run, now, story(run))

    @st.fragment(run_every=tick)
    def progress() -> None:
        _progress(_now(run), story(run))

    @st.fragment(run_every=tick)
    def attempts() -> None:
        attempts_view.draw(story(run), _now(run))

    head()
    if not live:
        _ended(run, record, who)
    left, right = st.columns([2, 1], gap="large")
    with right:
        _controls(run, record)

        @st.fragment(run_every=tick)
        def answers() -> None:
            _hints(story(run))
            _task(_now(run))
            language_model_use.draw(run, story(run))

        answers()
        language_model_use.questions(run, record, who.owner)
    with left:
        progress()
        attempts()


def _asked_for(who: Visitor) -> RunDirectory:
    """The run in the address, else the newest one; a sentence when there is none."""
    asked = st.query_params.get("run")
    if asked is None:
        mine = registry().list(who.owner)
        if not mine:
            st.title("Run", anchor=False)
            invite("Nothing has been started yet.")
            st.stop()
        asked = st.query_params["run"] = mine[0].id
    found = registry().get(asked, who.owner)
    if found is None:
        st.title("Run", anchor=False)
        st.info(
            "There is no such run here. It may have been deleted, or it belongs to another browser.",
            icon=":material/info:",
        )
        st.page_link(page("history"), label="See all your runs", icon=":material/history:")
        st.stop()
    try:
        state = found.record().state
    except UserError as error:
        st.title("Run", anchor=False)
        st.error(texts.escape(str(error)), icon=":material/error:")
        st.page_link(page("history"), label="See all your runs", icon=":material/history:")
        st.stop()
    if state == "draft":
        st.switch_page(page("new_run"), query_params={"draft": asked})
    return found


def _now(run: RunDirectory) -> RunRecord:
    """The record; when another tab has deleted the run, the page begins anew and says that it is gone."""
    try:
        return run.record()
    except (FileNotFoundError, UserError):
        st.rerun()


# -- head


def _head(run: RunDirectory, record: RunRecord, so_far: Story) -> None:
    word = texts.STATES[record.state]
    with st.container(horizontal=True, vertical_alignment="center", key="state"):
        st.badge(word, icon=texts.STATE_ICONS[word], color=texts.STATE_COLOURS[word])
        st.text(_clock(run, record), width="content")
    with st.container(key="run_goal"):
        st.text(record.goal)
    if record.time_left is not None:
        limit = record.settings.time_limit
        st.progress(min(1.0, max(0.0, 1 - record.time_left / limit)))
    with st.container(key="scores"):
        first, second, third, fourth = st.columns(4)
    first.metric("Score", texts.number(record.score), border=True)
    second.metric("Naive guess", texts.number(record.baseline), border=True)
    third.metric("Attempts", str(len(so_far.attempts) or len(record.attempts)), border=True)
    fourth.metric("Best attempt", str(record.best) if record.best is not None else "–", border=True)
    if judged := _judged(record):
        st.text(judged)


def _judged(record: RunRecord) -> str:
    """The score in a sentence, what its metric means, and which way is better."""
    if not record.metric_text:
        return record.score_text
    try:
        meaning = metrics.get(record.metric or "").sentence
    except UserError:  # of a newer version
        meaning = ""
    better = "Higher is better." if record.higher_is_better else "Lower is better."
    said = record.score_text or f"Judged by {record.metric_text}."
    return " ".join(filter(None, (said, meaning, better)))


def _clock(run: RunDirectory, record: RunRecord) -> str:
    if record.state == "queued":
        place = registry().position(run.id)
        return f"Number {place} in line; it starts by itself." if place else "It starts in a moment."
    if record.time_left is not None:
        if record.time_left <= 0:
            return "The time is used up; the closing work is under way."
        return f"{texts.duration(record.time_left)} left of {texts.duration(record.settings.time_limit)}"
    if record.started and record.finished:
        took = texts.duration(record.finished - record.started)
        return f"Started {texts.moment(record.begun, st.context.timezone)}, took {took}"
    return ""


def _ended(run: RunDirectory, record: RunRecord, who: Visitor) -> None:
    if record.message:
        box = st.error if record.state == "failed" else st.warning
        with st.container(key="message"):
            box(texts.escape(record.message), icon=":material/info:")
    if record.state == "interrupted":
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text("The run was interrupted. Everything up to then is kept.", width="content")
    if record.state in ("interrupted", "stopped", "failed"):
        st.button("Resume", key="resume", icon=":material/play_arrow:", on_click=_resume, args=(run.id,))
    results_view.draw(run, record, who)


def _resume(run_id: str) -> None:
    with suppress(UserError, FileNotFoundError):  # another tab was quicker; the page shows how it stands
        registry().resume(run_id)


# -- what happens


def _progress(record: RunRecord, so_far: Story) -> None:
    st.subheader("Progress", anchor=False)
    chart = figures.progress(so_far, record.metric_text or record.metric or "", record.higher_is_better)
    if chart is not None:
        figures.show(chart, "progress_chart", "Best score over time against the naive guess")
    with st.container(key="stages", gap="xxsmall"):
        for step in so_far.steps[-12:]:
            icon = {"started": ":material/sync:", "finished": ":material/check:", "failed": ":material/close:"}[
                step.state
            ]
            seconds = f" ({texts.duration(step.seconds)})" if step.seconds is not None else ""
            st.markdown(f"{icon}  {texts.escape((step.detail or step.name) + seconds)}")
    if so_far.notes:
        with st.expander(f"Notes ({len(so_far.notes)})", key="notes", icon=":material/sticky_note_2:"):
            for note in so_far.notes[-60:]:
                st.text(note)


# -- what the person says


@st.fragment
def _controls(run: RunDirectory, record: RunRecord) -> None:
    """Hint and stop; never redrawn by a timer, so that a half-written hint stays."""
    if record.state in ENDED or _now(run).state in ENDED:
        return
    with st.container(border=True, key="hint"), st.form("hint_form", clear_on_submit=True, border=False):
        text = st.text_input(
            "A hint for the next attempt",
            key="hint_text",
            placeholder="ignore the column …",
        )
        if st.form_submit_button("Send hint", icon=":material/send:") and text.strip():
            registry().hint(run.id, text)
            st.toast("Hint received. The next attempt takes it.", icon=":material/check:")
    if st.button("Stop and keep the best", key="stop", icon=":material/stop_circle:", width="stretch"):
        registry().stop(run.id)
        st.toast("Stopping. The best predictor so far is kept.", icon=":material/stop_circle:")


def _hints(so_far: Story) -> None:
    for hint in list(so_far.hints.values())[-8:]:
        with st.container(border=True, gap="xsmall"):
            st.text(f"“{hint.text}”")
            st.text(hint.answer or "Received; being read.")
            if hint.attempt is not None:
                st.badge(f"Taken by attempt {hint.attempt}", color="green", icon=":material/check:")


def _task(record: RunRecord) -> None:
    """What the run works on."""
    if record.task is None:
        return
    with st.container(border=True, key="run_task", gap="xsmall"):
        st.markdown("**What was understood**")
        for label, value in (
            ("To predict", texts.listed(record.target)),
            ("Kind of answer", texts.PROBLEMS.get(record.problem_type or "", record.problem_type or "–")),
            ("Judged by", record.metric_text or record.metric or "–"),
            ("Time", texts.duration(record.settings.time_limit)),
        ):
            st.text(f"{label}: {value}")
        if record.sandbox:
            st.text(record.sandbox)
