"""The History page: one's own runs."""

from __future__ import annotations

import streamlit as st

from mlzero.registry import registry
from mlzero.runs import RunRecord
from mlzero.ui import texts
from mlzero.ui.identity import Visitor, visitor
from mlzero.ui.shell import invite, page

PER_PAGE = 15


def draw() -> None:
    """The whole page."""
    who = visitor()
    st.title("History", anchor=False)
    records, unreadable = registry().list(who.owner), registry().unreadable(who.owner)
    if not records and not unreadable:
        invite("Nothing has been started yet.")
        return
    pages = max(1, -(-len(records) // PER_PAGE))
    number = min(pages, max(1, st.session_state.get("history_page", 1)))
    for record in records[(number - 1) * PER_PAGE : number * PER_PAGE]:
        _row(record, who)
    if number == pages:
        for run_id, why in unreadable.items():
            _damaged(run_id, why, who)
    if pages > 1:
        st.pagination(pages, key="history_page")


def _row(record: RunRecord, who: Visitor) -> None:
    word = texts.STATES[record.state]
    with st.container(border=True, key=f"run_{record.id}"):
        what, score, actions = st.columns([6, 3, 2], vertical_alignment="center")
        with what:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.badge(word, icon=texts.STATE_ICONS[word], color=texts.STATE_COLOURS[word])
                st.text(f"Started {texts.moment(record.begun, st.context.timezone)}", width="content")
            st.text(record.goal if len(record.goal) < 200 else f"{record.goal[:200]}…")
        with score:
            if record.score is not None:
                st.text(f"{record.metric_text or record.metric}: {texts.number(record.score)}")
                if record.baseline is not None:
                    st.text(f"Naive guess: {texts.number(record.baseline)}")
            elif record.message:
                st.text(record.message[:160])
        with actions:
            st.page_link(page("run"), label="Open", icon=":material/open_in_new:", query_params={"run": record.id})
            _delete(record.id, who)


def _damaged(run_id: str, why: str, who: Visitor) -> None:
    with st.container(border=True, key=f"run_{run_id}"):
        what, actions = st.columns([9, 2], vertical_alignment="center")
        with what:
            st.badge("Damaged", icon=":material/error:", color="red")
            st.text(why)
        with actions:
            _delete(run_id, who)


def _delete(run_id: str, who: Visitor) -> None:
    with st.popover("Delete", icon=":material/delete:", type="tertiary", key=f"delete_{run_id}"):
        st.write("The run, its data and its predictor are removed for good.")
        st.button(
            "Delete this run",
            key=f"really_delete_{run_id}",
            type="primary",
            on_click=_really_delete,
            args=(run_id, who.owner),
        )


def _really_delete(run_id: str, owner: str) -> None:
    if registry().get(run_id, owner) is not None:
        registry().delete(run_id)
