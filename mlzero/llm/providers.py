"""The clients of the providers, built on pydantic-ai; one function a provider to add another."""

from __future__ import annotations

import importlib
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from mlzero.errors import UserError
from mlzero.llm.connection import PROVIDERS, Connection, aws_keys, key_of
from mlzero.llm.faults import explain

if TYPE_CHECKING:
    from pydantic_ai.models import Model

CONNECT = 10.0  # seconds until a connection must stand
LOCAL_KEY = "none"  # servers of one's own want none, clients want some


def build(connection: Connection, owner: str) -> Model:
    """A client for one call; repeats are the caller's business.

    Raises
    ------
    UserError
        When the client library is missing or the credentials cannot be read.
    """
    builders = {"bedrock": _bedrock, "openai": _openai, "anthropic": _anthropic}
    try:
        return builders[connection.provider](connection, owner)
    except ImportError as error:
        raise UserError(
            f"{PROVIDERS[connection.provider]} needs the package {error.name}, which is not installed.",
            "Install MLZero with Python 3.11 or later and all of requirements.txt.",
        ) from error


def load(connection: Connection) -> None:
    """Import the client library, which takes seconds, outside of any deadline."""
    with suppress(ImportError):  # said by `build`
        importlib.import_module("pydantic_ai.direct")
        importlib.import_module(f"pydantic_ai.models.{connection.provider}")


def _bedrock(connection: Connection, owner: str) -> Model:
    from pydantic_ai.models.bedrock import BedrockConverseModel
    from pydantic_ai.providers.bedrock import BedrockProvider

    return BedrockConverseModel(
        connection.model, provider=BedrockProvider(bedrock_client=_aws(connection, owner, "bedrock-runtime"))
    )


def _aws(connection: Connection, owner: str, service: str) -> Any:
    """A boto3 client with the owner's keys, the profile, or whatever the machine has."""
    import boto3
    from botocore.config import Config
    from botocore.exceptions import BotoCoreError
    from botocore.tokens import FrozenAuthToken

    settings: dict[str, Any] = {
        "read_timeout": connection.timeout,
        "connect_timeout": CONNECT,
        "retries": {"total_max_attempts": 1},
    }
    keys, bearer = aws_keys(owner), key_of(connection, owner)
    try:
        session = boto3.Session(
            aws_access_key_id=keys.access_key if keys else None,
            aws_secret_access_key=keys.secret_key.get_secret_value() if keys else None,
            aws_session_token=(keys.session_token.get_secret_value() or None) if keys else None,
            region_name=connection.region or None,
            profile_name=connection.profile or None,
        )
        token = FrozenAuthToken(bearer) if bearer and not keys and not connection.profile else None
        # botocore alone would send the token of the machine's variable, whatever the address
        session._session.get_auth_token = lambda **_: token
        settings["signature_version"] = "bearer" if token else "v4"
        return session.client(service, config=Config(**settings), endpoint_url=connection.base_url or None)
    except BotoCoreError as error:
        raise UserError(
            f"Amazon Bedrock cannot be used: {str(error).rstrip('.')}.", "Correct region, profile or keys in Settings."
        ) from error


def _openai(connection: Connection, owner: str) -> Model:
    from openai import AsyncOpenAI
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    client = AsyncOpenAI(
        base_url=connection.address or None, api_key=key_of(connection, owner) or LOCAL_KEY, max_retries=0
    )
    return OpenAIChatModel(connection.model, provider=OpenAIProvider(openai_client=client))


def _anthropic(connection: Connection, owner: str) -> Model:
    from anthropic import AsyncAnthropic
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    client = AsyncAnthropic(
        base_url=connection.address or None, api_key=key_of(connection, owner) or LOCAL_KEY, max_retries=0
    )
    return AnthropicModel(connection.model, provider=AnthropicProvider(anthropic_client=client))


def list_models(connection: Connection, owner: str) -> list[str]:
    """Models that the account may call, as the provider names them.

    Raises
    ------
    UserError
        When the provider does not answer, in plain words.
    """
    try:
        return sorted(set(_listed(connection, owner)))
    except UserError:
        raise
    except Exception as error:  # three client libraries, each with its own family of errors
        cause, fix = explain(error, connection)
        raise UserError(cause, fix) from error


def _listed(connection: Connection, owner: str) -> list[str]:
    if connection.provider == "bedrock":
        client = _aws(connection, owner, "bedrock")
        models = client.list_foundation_models(byOutputModality="TEXT")["modelSummaries"]
        direct = [m["modelId"] for m in models if "ON_DEMAND" in m.get("inferenceTypesSupported", [])]
        pages = client.get_paginator("list_inference_profiles").paginate()
        return direct + [p["inferenceProfileId"] for page in pages for p in page["inferenceProfileSummaries"]]
    key, address = key_of(connection, owner) or LOCAL_KEY, connection.address or None
    if connection.provider == "openai":
        from openai import OpenAI

        return [m.id for m in OpenAI(base_url=address, api_key=key, max_retries=0, timeout=CONNECT).models.list()]
    from anthropic import Anthropic

    return [m.id for m in Anthropic(base_url=address, api_key=key, max_retries=0, timeout=CONNECT).models.list()]
