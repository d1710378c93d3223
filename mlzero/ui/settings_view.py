"""The Settings page: what is in force, what is stored, what was learnt."""

from __future__ import annotations

import shutil
import time

import streamlit as st

from mlzero import config
from mlzero.files import size_of
from mlzero.registry import registry
from mlzero.runs import ENDED
from mlzero.ui import language_model_settings, texts
from mlzero.ui.identity import Visitor, visitor

SHOWN = 50  # lessons listed
OLD = 30 * 24 * 3600.0  # seconds


def draw() -> None:
    """The whole page."""
    who = visitor()
    st.title("Settings", anchor=False)
    language_model_settings.draw(who.owner)
    _sandbox()
    _storage(who)
    _lessons(who)


def _sandbox() -> None:
    from mlzero.iterative_coding import sandbox

    with st.container(border=True, key="sandbox"):
        st.subheader("Where generated code runs", anchor=False)
        st.text(sandbox.describe())
        machine = config.machine()
        st.text(f"This machine: {texts.several(machine.cores, 'core')}, {machine.memory_gb:.0f} GB of memory.")


def _storage(who: Visitor) -> None:
    with st.container(border=True, key="storage"):
        st.subheader("Storage", anchor=False)
        records = registry().list(who.owner, drafts=True)
        sizes = {r.id: size_of([registry().runs / r.id]) for r in records}
        free = shutil.disk_usage(config.home()).free
        st.text(
            f"Your {texts.several(len(records), 'run')} {'uses' if len(records) == 1 else 'use'} {texts.size(sum(sizes.values()))}; {texts.size(free)} are free."
        )
        old = [r.id for r in records if r.state in ENDED and r.created < time.time() - OLD]
        unstarted = [r.id for r in records if r.state == "draft"]
        with st.container(horizontal=True):
            for label, ids, key in (
                ("Delete data that was never started", unstarted, "clean_drafts"),
                ("Delete runs older than 30 days", old, "clean_old"),
            ):
                st.button(
                    f"{label} ({len(ids)}, {texts.size(sum(sizes[i] for i in ids))})",
                    key=key,
                    disabled=not ids,
                    on_click=_delete,
                    args=(ids, who.owner),
                )
        st.text("Single runs are deleted on the History page.")


def _delete(ids: list[str], owner: str) -> None:
    for run_id in ids:
        if registry().get(run_id, owner) is not None:
            registry().delete(run_id)


def _lessons(who: Visitor) -> None:
    from mlzero.episodic_memory.lessons import Lessons

    lessons = Lessons.open(who.owner)
    with st.container(border=True, key="lessons"):
        st.subheader("Lessons of earlier runs", anchor=False)
        count = lessons.count()
        st.text(
            f"{texts.several(count, 'lesson')} on what worked and what failed; no rows of your data are in them."
            if count
            else "Nothing has been learnt yet."
        )
        if learnt := lessons.remedies()[:SHOWN]:
            with st.expander("What mended faults", key="remedies", icon=":material/healing:"):
                for lesson in learnt:
                    st.text(f"{lesson.cause} → {lesson.title}")
                    st.caption(f"{texts.moment(lesson.time, st.context.timezone)}, run {texts.escape(lesson.run[:8])}")
        if st.button("Forget all lessons", key="clear_lessons", disabled=not count):
            lessons.clear()
            st.rerun()
