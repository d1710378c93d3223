"""The attempts of a run: idea, code, what it printed, what went wrong, what was checked."""

from __future__ import annotations

import streamlit as st

from mlzero.iterative_coding.contract import STAGES
from mlzero.runs import ENDED, RunRecord
from mlzero.ui import texts
from mlzero.ui.story import AttemptStory, Story

LOG_HEIGHT = 320  # pixels


def draw(so_far: Story, record: RunRecord) -> None:
    """All attempts in order, and the tail of what the newest prints.

    The order never changes while a run lives, so that what somebody has opened stays open.
    """
    if not so_far.attempts:
        return
    st.subheader("Attempts", anchor=False)
    for attempt in sorted(so_far.attempts.values(), key=lambda a: a.number):
        _attempt(attempt, best=attempt.number == record.best)
    latest = so_far.attempts.get(so_far.latest or 0)
    if latest is not None and latest.log and record.state not in ENDED:  # afterwards it stands with the attempt
        _printed(latest)


def _printed(attempt: AttemptStory) -> None:
    box = st.expander("What the training prints", key="printed", icon=":material/terminal:", on_change="rerun")
    if not box.open:
        return
    with box:
        st.text(f"Attempt {attempt.number}, the last lines.")
        with st.container(height=LOG_HEIGHT, autoscroll=True, key="log"):
            st.code("\n".join(attempt.log), language=None)


def _attempt(attempt: AttemptStory, *, best: bool) -> None:
    box = st.expander(
        _label(attempt, best), key=f"attempt_{attempt.number}", icon=_icon(attempt, best), on_change="rerun"
    )
    if not box.open:
        return
    with box:
        st.text(attempt.idea)
        steps = [
            f"{STAGES.get(s.name, s.name)} {texts.duration(s.seconds) if s.seconds is not None else '…'}"
            for s in attempt.steps
        ]
        st.text(", ".join(steps))
        with st.container():
            _fault(attempt)
        code, log, files, checks = st.tabs(["Code", "Log", "Files", "Checks"], key=f"attempt_{attempt.number}_parts")
        with code:
            st.code(
                attempt.code or "The code is being written.",
                language="python",
                height=420 if attempt.code else "content",
            )
        with log:
            nothing = "Nothing was printed." if attempt.verdict else "Nothing printed yet."
            st.code("\n".join(attempt.log) or nothing, language=None)
        with files:
            listing = "\n".join(f"{path}  {texts.size(count)}" for path, count in attempt.artefacts)
            st.code(listing or ("No files." if attempt.verdict else "No files yet."), language=None)
        with checks:
            _checks(attempt)


def _label(attempt: AttemptStory, best: bool) -> str:
    title = texts.escape(f"Attempt {attempt.number}: {attempt.title}" if attempt.title else f"Attempt {attempt.number}")
    verdict = attempt.verdict
    if verdict is None:
        return f"{title} — at work"
    if not verdict.valid or verdict.score is None:
        return f"{title} — did not work"
    return f"{title} — {texts.number(verdict.score)}" + (" (best)" if best else "")


def _icon(attempt: AttemptStory, best: bool) -> str:
    if attempt.verdict is None:
        return ":material/sync:"
    if best:
        return ":material/star:"
    return ":material/check:" if attempt.verdict.valid else ":material/close:"


def _fault(attempt: AttemptStory) -> None:
    fault = attempt.fault
    if fault is None:
        return
    with st.container(border=True, key=f"fault_{attempt.number}"):
        st.badge("What went wrong", icon=":material/error:", color="red")
        st.text(fault.cause)
        if fault.fix:
            st.text(f"Next: {fault.fix}")
        if fault.trace:
            with st.expander("Technical details", key=f"trace_{attempt.number}"):
                st.code(fault.trace, language=None)


def _checks(attempt: AttemptStory) -> None:
    if attempt.verdict is None:
        st.text("The checks come when the attempt has ended.")
        return
    if not attempt.verdict.checks:
        st.text("There was nothing to check.")
    for check in attempt.verdict.checks:
        icon = ":green[:material/check:]" if check.get("passed") else ":red[:material/close:]"
        told = _check_text(str(check.get("name", "")), str(check.get("detail", "")))
        st.markdown(f"{icon}  {texts.escape(told)}")


def _check_text(name: str, detail: str) -> str:
    """`holdout: no gaps`, `Nothing is missing.` -> `Rows kept aside – Nothing is missing.`"""
    part, _, what = name.partition(": ")
    where = {"holdout": "Rows kept aside", "test": "New rows"}.get(part) if what else None
    return f"{where or name} – {detail}" if detail else name
