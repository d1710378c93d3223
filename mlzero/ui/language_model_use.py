"""The language model on the Run page: what it was asked, what it cost, and questions to it."""

from __future__ import annotations

import json
import logging
import queue
import threading

import streamlit as st

from mlzero import events
from mlzero.errors import UserError
from mlzero.llm import resolve
from mlzero.llm.connection import Caps, Connection
from mlzero.llm.faults import ModelFailed
from mlzero.runs import Perception, RunDirectory, RunRecord
from mlzero.ui import texts
from mlzero.ui.story import Story

log = logging.getLogger(__name__)

PURPOSES = {
    "review": "Second look at the task", "improve": "An idea for the next attempt", "repair": "A failed attempt, mended",
    "hint": "Reading a hint", "question": "A question of yours",
}  # fmt: skip


def draw(run: RunDirectory, so_far: Story) -> None:
    """Calls of the run with tokens and cost, and what the model saw in each."""
    calls = so_far.calls
    if not calls:
        return
    tokens = sum(call.input_tokens + call.output_tokens for call in calls)
    known = [call.dollars for call in calls if call.dollars is not None]
    cost = f", about ${sum(known):.3f}" if known else ""
    with st.container(border=True, key="model_use", gap="xsmall"):
        st.markdown("**Language model**")
        st.text(f"{calls[-1].model}: {texts.several(len(calls), 'call')}, {tokens:,} tokens{cost}")
        with st.expander("What the model saw", key="model_saw", icon=":material/visibility:"):
            shown = st.selectbox("Call", range(len(calls)), format_func=lambda i: _label(i, calls[i]), key="model_call")
            call = calls[shown or 0]
            path = run.path / call.path
            if call.path and path.exists():
                seen = json.loads(path.read_text(encoding="utf-8"))
                st.code(f"{seen['instructions']}\n\n{seen['question']}", language=None, height=300, wrap_lines=True)
                st.code(seen["answer"] or seen["failure"], language=None, height=200, wrap_lines=True)


def _label(index: int, call: events.ModelCall) -> str:
    purpose = PURPOSES.get(call.purpose.removesuffix(" again"), call.purpose)
    return f"{index + 1}. {purpose}{'' if call.ok else ' (failed)'}, {texts.duration(call.seconds)}"


def _reasons(run: RunDirectory, record: RunRecord, known: Perception, row: int) -> str:
    """What the predictor tells about a row of the table that was to be predicted; empty when it tells nothing."""
    table = known.profile.table(known.task.test[0].table) if known.task and known.profile and known.task.test else None
    if table is None or "predictor" not in record.files:
        return ""
    from mlzero.predictor.loading import reasons_for
    from mlzero.predictor.standalone.reasons import told

    try:
        return told(reasons_for(run.path / record.files["predictor"], run.data / table.path, row, timeout=120))
    except UserError as error:
        return str(error)


@st.fragment
def questions(run: RunDirectory, record: RunRecord, owner: str) -> None:
    """A question about the run, answered from its own facts."""
    try:
        connection = resolve(record.settings.llm, owner)
    except UserError:
        return
    if connection is None:
        return
    said: list[tuple[str, str]] = st.session_state.setdefault(f"talk_{run.id}", [])
    with st.container(border=True, key="chat"):
        st.markdown("**Ask about this run**")
        for asked, answered in said[-4:]:
            st.text(f"“{asked}”")
            st.text(answered)
        with st.form("chat_form", clear_on_submit=True, border=False):
            question = st.text_input(
                "Your question", key="chat_text", placeholder="Which columns matter?", max_chars=1000
            )
            sent = st.form_submit_button("Ask", icon=":material/chat:")
        if not sent or not question or not question.strip():
            return
        place, answered = st.empty(), ""
        pieces = _asked(run, record, connection, owner, question, list(said))
        while (piece := pieces.get()) is not None:
            if isinstance(piece, ModelFailed):
                place.error(texts.escape(str(piece)), icon=":material/error:")
                return
            answered += piece
            place.text(answered)
        said.append((question, answered))


def _asked(
    run: RunDirectory, record: RunRecord, connection: Connection, owner: str, question: str, said: list[tuple[str, str]]
) -> queue.Queue[str | ModelFailed | None]:
    """Put a question in a thread; the answer comes in pieces, and None at its end, or a failure and nothing more."""
    from mlzero.llm import chat
    from mlzero.llm.meter import Meter
    from mlzero.llm.model import LanguageModel

    meter = Meter(Caps(calls=1, tokens=connection.caps.tokens))
    tell = run.events.append if record.finished else None  # while it works, the run itself writes its events
    model = LanguageModel(connection, owner, meter, tell, run.path / "llm")
    known = run.perception()
    pieces: queue.Queue[str | ModelFailed | None] = queue.Queue()

    def work() -> None:
        try:
            row = chat.row_asked(question)
            chat.answer(
                model, question, record=record.model_dump(mode="json"), task=known.task, profile=known.profile,
                evaluation=run.attempt(record.best) / "evaluation" if record.best else None, earlier=said, on_text=pieces.put,
                reasons=_reasons(run, record, known, row) if row else "",
            )  # fmt: skip
            pieces.put(None)
        except ModelFailed as failure:
            pieces.put(failure)
        except Exception:  # the page waits for a word from here
            log.exception("question about run %s", run.id)
            pieces.put(ModelFailed("The question could not be put.", "The server's log has the details."))

    threading.Thread(target=work, name="chat", daemon=True).start()
    return pieces
