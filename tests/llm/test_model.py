"""The real client libraries against a scripted server: what goes well, and everything that may not."""

from __future__ import annotations

import json
import os
import socket
import time

import pytest
from pydantic import BaseModel, SecretStr

from mlzero import events
from mlzero.errors import UserError
from mlzero.llm import providers, resolve
from mlzero.llm.connection import Caps, Connection, keep_key, key_of, save
from mlzero.llm.faults import ModelFailed
from mlzero.llm.model import check
from tests.llm.helpers import KEY, OWNER, PROVIDERS, connect, model_of
from tests.llm.loopback import Endless, Loopback, Refuse, Rubbish, Say

pytest.importorskip("pydantic_ai")

everywhere = pytest.mark.parametrize("provider", PROVIDERS)


class Opinion(BaseModel):
    verdict: str
    share: float


@everywhere
def test_an_answer_streams_and_is_counted(provider, tmp_path):
    said, pieces = [], []
    with Loopback(["Grüße, " * 20]) as server:
        model = model_of(connect(server, provider), say=said.append, folder=tmp_path / "llm")
        text = model.ask("test", "Hello?", on_text=pieces.append)
    assert text == ("Grüße, " * 20).strip() and len(pieces) > 1
    assert "Hello?" in server.asked[0] and "<data>" in server.asked[0]
    usage = model.meter.usage
    assert (usage.calls, usage.failed, usage.tokens) == (1, 0, 120)
    call = said[0]
    assert isinstance(call, events.ModelCall) and call.ok and call.output_tokens == 20 and call.seconds > 0
    seen = json.loads((tmp_path / call.path).read_text())
    assert "Hello?" in seen["question"] and seen["answer"].startswith("Grüße")


@everywhere
@pytest.mark.parametrize(
    ("reply", "words", "lasting"),
    [
        (Refuse(403), "refused the credentials", True),
        (Refuse(404), "no model called small", True),
        (Refuse(429), "slow down", False),
        (Refuse(500), "trouble of its own", False),
        (Refuse(400, too_long=True), "too long", False),
        (Say("half of an ans", ending="cut"), "", False),
        (Say("half of an ans", ending="never"), "", False),
        (Say("half of an ans", ending="length"), "too long and was cut off", False),
        (Say(""), "", False),
        (Rubbish(), "", False),
        (Endless(), "did not come to an end", False),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_fault_is_told_in_plain_words(provider, reply, words, lasting):
    with Loopback([reply]) as server:
        model = model_of(connect(server, provider))
        with pytest.raises(ModelFailed) as caught:
            model.ask("test", "Hello?", most_tokens=200, seconds=6)
    assert words in str(caught.value) and "Traceback" not in str(caught.value) and "Error" not in str(caught.value)
    assert caught.value.lasting == lasting
    assert model.meter.usage.failed == 1
    if isinstance(reply, Refuse):
        assert len(server.asked) == (3 if reply.status in (429, 500) else 1)


@everywhere
def test_a_slow_model_is_left_behind(provider):
    with Loopback([Say("too late", wait=30)]) as server:
        began = time.monotonic()
        with pytest.raises(ModelFailed, match="did not answer within"):
            model_of(connect(server, provider)).ask("test", "Hello?", seconds=1.5)
        assert time.monotonic() - began < 8


@everywhere
def test_a_closed_door_is_told(provider):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{unused.getsockname()[1]}"
    with Loopback(["x"]) as server:
        connection = connect(server, provider, base_url=address)
    with pytest.raises(ModelFailed, match="cannot be reached"):
        model_of(connection).ask("test", "Hello?", seconds=4)


@everywhere
def test_throttled_once_is_asked_again(provider):
    with Loopback([Refuse(429), "fine"]) as server:
        assert model_of(connect(server, provider)).ask("test", "Hello?") == "fine"
    assert len(server.asked) == 2


@everywhere
def test_the_models_of_the_account_are_listed(provider):
    with Loopback() as server:
        found = providers.list_models(connect(server, provider, base_url=server.base_url(provider)), OWNER)
    assert found == (["eu.maker.large-v1", "maker.small-v1"] if provider == "bedrock" else ["small"])


@everywhere
def test_the_connection_test_says_what_it_found(provider):
    with Loopback(["ready"]) as server:
        assert "answered in" in check(connect(server, provider), OWNER)
    with Loopback([Refuse(403)]) as server, pytest.raises(ModelFailed, match="Check the key"):
        check(connect(server, provider), OWNER)


@pytest.mark.parametrize("first", ["no JSON at all", '{"verdict": 3}', '{"verdict": "good", "share": "many"}'])
def test_a_record_of_another_form_is_sent_back_once(first):
    good = 'Sure!\n```json\n{"verdict": "good", "share": 0.5}\n```'
    with Loopback([first, good]) as server:
        opinion = model_of(connect(server, "openai")).ask_for(Opinion, "test", "What do you think?")
    assert opinion == Opinion(verdict="good", share=0.5)
    assert "did not fit" in server.asked[1]
    with Loopback([first, first]) as server, pytest.raises(ModelFailed, match="form asked for"):
        model_of(connect(server, "openai")).ask_for(Opinion, "test", "What do you think?")


@pytest.mark.parametrize(
    ("caps", "words"),
    [(Caps(calls=1), "1 calls"), (Caps(tokens=150), "150 tokens"), (Caps(calls=0), "0 calls")],
)
def test_caps_hold(caps, words):
    with Loopback(["fine"]) as server:
        model = model_of(connect(server, "openai"), caps)
        with pytest.raises(ModelFailed, match=words):
            for _ in range(2):
                model.ask("test", "Hello?")
    assert len(server.asked) <= 1


def test_money_is_counted_where_the_price_is_known():
    with Loopback(["fine"]) as server:
        model = model_of(
            connect(server, "bedrock", model="eu.anthropic.claude-sonnet-4-5-20250929-v1:0"), Caps(dollars=0.0001)
        )
        model.ask("test", "Hello?")
        assert model.meter.usage.dollars and model.meter.usage.dollars > 0.0001
        with pytest.raises(ModelFailed, match=r"\$0\.00"):
            model.ask("test", "Hello?")


def test_a_model_that_keeps_failing_is_given_up():
    with Loopback([Rubbish()]) as server:
        model = model_of(connect(server, "openai"))
        for _ in range(4):
            with pytest.raises(ModelFailed):
                model.ask("test", "Hello?")
        assert model.deaf and model.meter.usage.calls == 2


def test_keys_reach_the_provider_and_nothing_else(tmp_path):
    """A server that repeats the key in its error does not get it into events or files."""
    said = []
    with Loopback([f"your key is {KEY}"]) as server:
        model = model_of(connect(server, "openai"), say=said.append, folder=tmp_path / "llm")
        model.ask("test", "Hello?")
    assert any(KEY in str(headers) for headers in server.headers)
    assert server.asked and all(KEY not in text for text in server.asked)
    kept = "".join(p.read_text() for p in tmp_path.rglob("*.json"))
    assert KEY not in kept and "[key]" in kept and KEY not in str(said)
    assert KEY not in model.connection.model_dump_json() and KEY not in repr(model.connection)


def test_the_key_of_the_machine_goes_to_no_address_of_a_visitor(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert key_of(Connection(provider="openai"), OWNER) == KEY
    assert key_of(Connection(provider="openai", base_url="http://elsewhere"), OWNER) == ""


def authorizations(server):
    return {headers.get("Authorization", "") for headers in server.headers}


def test_a_bearer_key_of_bedrock_arrives_and_stays_in_this_process(certificate):
    with Loopback(["fine"], certificate=certificate) as server:
        connection = connect(server, "bedrock")
        keep_key(OWNER, "bedrock", SecretStr(KEY))
        assert model_of(connection).ask("test", "Hello?") == "fine"
        assert "maker.small-v1" in providers.list_models(connection, OWNER)
    assert authorizations(server) == {f"Bearer {KEY}"}
    assert all(KEY not in text for text in server.asked) and KEY not in "".join(os.environ.values())


def test_the_bearer_key_of_the_machine_is_used_where_the_machine_points(monkeypatch, certificate):
    monkeypatch.setenv("AWS_BEARER_TOKEN_BEDROCK", KEY)
    with Loopback(["fine"], certificate=certificate) as server:
        monkeypatch.setenv("AWS_ENDPOINT_URL_BEDROCK_RUNTIME", server.base_url("bedrock"))
        connection = connect(server, "bedrock", base_url="")
        keep_key(OWNER, "bedrock", None)
        assert model_of(connection).ask("test", "Hello?") == "fine"
    assert authorizations(server) == {f"Bearer {KEY}"}


@pytest.mark.parametrize("own", [True, False], ids=["with a pair of keys", "without a key"])
def test_the_bearer_key_of_the_machine_goes_to_no_address_of_a_visitor(monkeypatch, certificate, own):
    monkeypatch.setenv("AWS_BEARER_TOKEN_BEDROCK", "bearer-of-the-machine")
    with Loopback(["fine"], certificate=certificate) as server:
        connection = connect(server, "bedrock")
        if own:
            assert model_of(connection).ask("test", "Hello?") == "fine"
        else:
            keep_key(OWNER, "bedrock", None)
            with pytest.raises(ModelFailed, match="credentials"):
                model_of(connection).ask("test", "Hello?", seconds=10)
    assert not any("bearer-of-the-machine" in found for found in authorizations(server))


# -- choosing


def test_auto_is_what_was_chosen_else_nothing(monkeypatch):
    assert resolve("none", OWNER) is None and resolve("auto", OWNER) is None
    chosen = Connection(provider="bedrock", model="eu.maker.large-v1")
    save(OWNER, chosen)
    assert resolve("auto", OWNER) == chosen and resolve("auto", "another") is None
    assert resolve("none", OWNER) is None
    save(OWNER, None)
    monkeypatch.setenv("MLZERO_LLM", "bedrock:maker.small-v1")
    assert resolve("auto", OWNER).model == "maker.small-v1"


@pytest.mark.parametrize("choice", ["gpt", "openai", "openai:", "nobody:model", "openai:gpt-4o", "anthropic:claude"])
def test_what_cannot_be_used_is_said_at_once(choice):
    with pytest.raises(UserError, match=r"cannot be used"):
        resolve(choice, OWNER)


def test_a_server_of_ones_own_needs_no_key(monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:8099/v1")
    assert resolve("openai:local", "").address.endswith("8099/v1")
    keep_key("", "openai", None)
