"""Connections of a test person to the scripted server."""

from __future__ import annotations

from pydantic import SecretStr

from mlzero.llm import connection as connections
from mlzero.llm.connection import AwsKeys, Caps, Connection
from mlzero.llm.meter import Meter
from mlzero.llm.model import LanguageModel
from tests.llm.loopback import Loopback

KEY = "sk-planted-9f3b1c77aa"
OWNER = "someone"
PROVIDERS = ("bedrock", "openai", "anthropic")


def connect(server: Loopback, provider: str, **changes) -> Connection:
    """A connection to the server with the planted key."""
    key = AwsKeys(access_key="AKIAEXAMPLE", secret_key=SecretStr(KEY)) if provider == "bedrock" else SecretStr(KEY)
    connections.keep_key(OWNER, provider, key)
    fields = {"provider": provider, "model": "small", "region": "eu-central-1", "base_url": server.base_url(provider), "timeout": 20}  # fmt: skip
    return Connection(**fields | changes)


def model_of(connection: Connection, caps: Caps | None = None, **options) -> LanguageModel:
    return LanguageModel(connection, OWNER, Meter(caps or Caps()), **options)
