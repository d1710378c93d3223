"""The language model on the Settings page: choose it, give it a key, try it, bound what it may spend."""

from __future__ import annotations

import streamlit as st
from pydantic import SecretStr, ValidationError

from mlzero.errors import UserError
from mlzero.llm import connection as connections
from mlzero.llm.connection import PROVIDERS, AwsKeys, Caps, Connection
from mlzero.llm.faults import ModelFailed
from mlzero.ui import texts

NONE = "none"
KEY_NAMES = {"bedrock": "Bedrock API key", "openai": "API key", "anthropic": "API key"}


def draw(owner: str) -> None:
    """The whole card."""
    with st.container(border=True, key="language_model"):
        st.subheader("Language model", anchor=False)
        saved = connections.saved(owner)
        st.text(
            f"{saved.title} helps your runs: it sees names and summaries of your data, never whole rows with their answers; of a "
            "row that you ask about, its cells and what they are worth."
            if saved
            else "None is connected. MLZero writes the solutions by its own rules; nothing leaves this machine."
        )
        choices = [NONE, *PROVIDERS]
        provider = st.selectbox(
            "Provider",
            choices,
            index=choices.index(saved.provider) if saved else 0,
            format_func=lambda name: PROVIDERS.get(name, "None"),
            key="llm_provider",
        )
        if provider is None or provider == NONE:
            if saved and st.button("Disconnect", key="llm_disconnect"):
                connections.save(owner, None)
                st.rerun()
            return
        connection = _form(owner, provider, saved if saved and saved.provider == provider else None)
        if connection is not None:
            _buttons(owner, connection)


def _form(owner: str, provider: str, saved: Connection | None) -> Connection | None:
    """The fields; None and a sentence when they do not fit."""
    now = saved or Connection(provider=provider)  # type: ignore[arg-type]
    found = st.session_state.get(f"llm_models_{provider}", [])
    options = list(dict.fromkeys([*([now.model] if now.model else []), *found]))
    model = st.selectbox(
        "Model",
        options,
        index=0 if options else None,
        accept_new_options=True,
        placeholder="Type a name, or list the models first",
        key=f"llm_model_{provider}",
    )
    fields: dict[str, object] = {"provider": provider, "model": model or ""}
    if provider == "bedrock":
        left, right = st.columns(2)
        fields["region"] = left.text_input("Region", now.region, placeholder="as AWS is configured", key="llm_region")
        fields["profile"] = right.text_input("AWS profile", now.profile, placeholder="none", key="llm_profile")
    fields["base_url"] = st.text_input(
        "Address", now.base_url, placeholder="the provider's own", key=f"llm_address_{provider}",
        help="For Ollama, vLLM, llama.cpp, Azure and other compatible servers, such as http://127.0.0.1:11434/v1.",
    )  # fmt: skip
    _key(owner, provider)
    first, second, third, fourth = st.columns(4)
    caps = {
        "calls": first.number_input("Calls a run", 0, 10_000, now.caps.calls, key="llm_calls"),
        "tokens": second.number_input("Tokens a run", 0, 100_000_000, now.caps.tokens, step=10_000, key="llm_tokens"),
        "dollars": third.number_input("Dollars a run", 0.0, 10_000.0, now.caps.dollars, step=0.5, key="llm_dollars"),
    }
    fields["timeout"] = fourth.number_input("Seconds a call", 1.0, 1800.0, now.timeout, step=10.0, key="llm_timeout")
    try:
        return Connection(**fields, caps=Caps(**caps))  # type: ignore[arg-type]
    except ValidationError as error:
        st.error(f"This does not fit: {texts.escape(error.errors()[0]['msg'])}", icon=":material/error:")
        return None


def _key(owner: str, provider: str) -> None:
    """Keys go from the field to the memory of this process; the field is emptied at once."""
    with st.form(f"llm_key_form_{provider}", clear_on_submit=True, border=False):
        st.caption(_where_keys_come_from(owner, provider))
        key = st.text_input(KEY_NAMES[provider], type="password", key=f"llm_key_{provider}", autocomplete="off")
        access = secret = ""
        if provider == "bedrock":
            left, right = st.columns(2)
            access = left.text_input("or AWS access key", key="llm_access", autocomplete="off") or ""
            secret = right.text_input("and its secret key", type="password", key="llm_secret", autocomplete="off") or ""
        given = st.form_submit_button("Use this key", icon=":material/key:")
    if given and access and secret:
        connections.keep_key(owner, provider, AwsKeys(access_key=access.strip(), secret_key=SecretStr(secret.strip())))
    elif given:
        connections.keep_key(owner, provider, SecretStr(key.strip()) if key and key.strip() else None)
    if given:
        st.toast("The key is kept until the server ends." if key or secret else "The key is forgotten.")


def _where_keys_come_from(owner: str, provider: str) -> str:
    if connections.has_key(owner, provider):
        return (
            "Your key is in the memory of this server until it ends; it is written nowhere. An empty field forgets it."
        )
    machine = "the AWS configuration" if provider == "bedrock" else connections.KEYS[provider]
    return f"A key that you enter stays in the memory of this server and is written nowhere. Without one, {machine} of this machine is used."


def _buttons(owner: str, connection: Connection) -> None:
    with st.container(horizontal=True):
        save = st.button("Save", key="llm_save", type="primary", disabled=not connection.model)
        test = st.button("Test connection", key="llm_test", icon=":material/bolt:", disabled=not connection.model)
        listing = st.button("List models", key="llm_list", icon=":material/list:")
    if save:
        connections.save(owner, connection)
        st.rerun()
    if test:
        from mlzero.llm.model import check

        with st.spinner("Asking one short question…"):
            try:
                st.success(texts.escape(check(connection, owner)), icon=":material/check:")
            except ModelFailed as failure:
                st.error(texts.escape(str(failure)), icon=":material/error:")
    if listing:
        from mlzero.llm.providers import list_models

        try:
            with st.spinner("Asking for the models…"):
                st.session_state[f"llm_models_{connection.provider}"] = list_models(connection, owner)
        except UserError as error:
            st.error(texts.escape(str(error)), icon=":material/error:")
        else:
            st.rerun()
