"""Settings and Run page with a language model on loopback."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from mlzero import events
from mlzero.llm import connection as connections
from mlzero.llm.connection import Connection
from mlzero.registry import Registry
from mlzero.ui.identity import LOCAL
from tests.llm.loopback import Loopback, Refuse
from tests.ui.pages import open_page

pytest.importorskip("pydantic_ai")

KEY = "sk-typed-in-5531"


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch):
    for name in (*connections.SECRET_VARIABLES, *connections.ADDRESSES.values(), "MLZERO_LLM"):
        monkeypatch.delenv(name, raising=False)
    yield
    connections._TYPED_IN.clear()


def test_a_model_is_chosen_tried_and_kept_without_its_key(registry: Registry, home: Path) -> None:
    with Loopback(["ready", Refuse(403)]) as server:
        connections.save(LOCAL, Connection(provider="openai", model="small", base_url=server.base_url("openai")))
        at = open_page("settings")
        at.text_input(key="llm_key_openai").set_value(KEY)
        next(b for b in at.button if b.label == "Use this key").click().run()
        at.button(key="llm_list").click().run()
        at.button(key="llm_test").click().run()
        assert "answered in" in at.success[0].value and KEY in str(server.headers)
        at.button(key="llm_test").click().run()
        assert "refused the credentials" in at.error[0].value.replace("\\", "")
        at.number_input(key="llm_calls").set_value(7).run()
        at.button(key="llm_save").click().run()
    kept = connections.saved(LOCAL)
    assert kept is not None and (kept.model, kept.caps.calls) == ("small", 7)
    assert all(KEY.encode() not in p.read_bytes() for p in home.rglob("*") if p.is_file())
    at.selectbox(key="llm_provider").set_value("none").run()
    at.button(key="llm_disconnect").click().run()
    assert connections.saved(LOCAL) is None


def test_the_run_page_shows_calls_and_answers_questions(registry: Registry, home: Path) -> None:
    run = registry.draft(LOCAL)
    run.update(state="done", goal="Predict left", started=time.time() - 60, finished=time.time(), target="left")
    run.events.append(events.ModelCall(purpose="improve", model="small", ok=True, input_tokens=1000, output_tokens=234))
    with Loopback(["The column minutes matters most."]) as server:
        connections.save(LOCAL, Connection(provider="openai", model="small", base_url=server.base_url("openai")))
        at = open_page("run", run=run.id)
        assert any("1 call, 1,234 tokens" in t.value for t in at.text)
        at.text_input(key="chat_text").set_value("Which columns matter?")
        next(b for b in at.button if b.label == "Ask").click().run()
    assert any("minutes matters most" in t.value for t in at.text)
    assert "Which columns matter?" in server.asked[0] and "Predict left" in server.asked[0]


def test_a_question_about_a_row_is_answered_from_what_the_predictor_tells(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    from mlzero.ui import language_model_use

    run = registry.draft(LOCAL)
    run.update(state="done", goal="Predict left", started=time.time() - 60, finished=time.time(), target="left")
    monkeypatch.setattr(
        language_model_use, "_reasons", lambda run, record, known, row: f"age of row {row} raises it by 0.3."
    )
    with Loopback(["Because of the age."]) as server:
        connections.save(LOCAL, Connection(provider="openai", model="small", base_url=server.base_url("openai")))
        at = open_page("run", run=run.id)
        at.text_input(key="chat_text").set_value("Why is row 17 risky?")
        next(b for b in at.button if b.label == "Ask").click().run()
    assert any("Because of the age." in t.value for t in at.text)
    assert "age of row 17 raises it by 0.3." in server.asked[0]


@pytest.mark.parametrize(
    ("question", "row"),
    [("Why is row 17 risky?", 17), ("Warum Zeile Nr. 3?", 3), ("¿Por qué la fila 8?", 8), ("第 12 行为什么", 12),
     ("Which 3 columns matter?", None), ("arrow 5", None)],
)  # fmt: skip
def test_finds_the_row_a_question_names(question: str, row: int | None) -> None:
    from mlzero.llm.chat import row_asked

    assert row_asked(question) == row
