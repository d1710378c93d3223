"""Which model a person uses, within which bounds, and the keys to it.

What is no secret lies under `config.home()`, a file a person. Keys that are typed in stay in the memory of this
process and nowhere else; those of the machine come from each provider's own variables and files.
"""

from __future__ import annotations

import hashlib
import os
import re
import threading
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError

from mlzero import config
from mlzero.files import write_atomically
from mlzero.perception.profile import Strict

Provider = Literal["bedrock", "openai", "anthropic"]
PROVIDERS: dict[str, str] = {
    "bedrock": "Amazon Bedrock",
    "openai": "OpenAI or a compatible server",
    "anthropic": "Anthropic",
}
KEYS = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY", "bedrock": "AWS_BEARER_TOKEN_BEDROCK"}
SECRET_VARIABLES = (*KEYS.values(), "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN")
ADDRESSES = {
    "openai": "OPENAI_BASE_URL",
    "anthropic": "ANTHROPIC_BASE_URL",
    "bedrock": "AWS_ENDPOINT_URL_BEDROCK_RUNTIME",
}
SMALL = 9.0  # billions of parameters


class Caps(Strict):
    """What one run may spend on a model."""

    calls: int = Field(40, ge=0)
    tokens: int = Field(200_000, ge=0)  # in and out together
    dollars: float = Field(2.0, ge=0)  # counted where the price of the model is known


class Connection(Strict):
    """A model and how to reach it; holds no secret."""

    provider: Provider
    model: str = ""
    region: str = ""  # Bedrock; empty: as AWS is configured
    profile: str = ""  # Bedrock: a profile of the AWS configuration
    base_url: str = ""  # empty: the provider's own, or what its variable says
    timeout: float = Field(90.0, ge=1, le=1800)  # seconds one call may take
    caps: Caps = Field(default_factory=Caps)

    @property
    def address(self) -> str:
        """Where the model is called: as given here, else by the provider's variable; empty for the provider's own."""
        return self.base_url or os.environ.get(ADDRESSES[self.provider], "")

    @property
    def here(self) -> bool:
        """Whether the model runs on this machine, on the cores that train."""
        return urlsplit(self.address).hostname in ("localhost", "127.0.0.1", "::1")

    @property
    def small(self) -> bool:
        """Whether the name tells of so few parameters (`qwen2.5-coder-1.5b`) that writing code is too much to ask."""
        sizes = re.findall(r"(?<![\w.])(\d+(?:\.\d+)?)b\b", self.model.lower())
        return bool(sizes) and max(map(float, sizes)) < SMALL

    @property
    def title(self) -> str:
        """Model and provider, for people."""
        return f"{self.model} ({PROVIDERS[self.provider]})"


class AwsKeys(Strict):
    """A pair of AWS keys."""

    access_key: str
    secret_key: SecretStr
    session_token: SecretStr = SecretStr("")


_TYPED_IN: dict[tuple[str, str], SecretStr | AwsKeys] = {}  # by owner and provider
_LOCK = threading.Lock()


def saved(owner: str) -> Connection | None:
    """What the owner chose in Settings."""
    path = _file(owner)
    try:
        return Connection.model_validate_json(path.read_bytes()) if path.exists() else None
    except ValidationError:
        return None  # written by another version


def save(owner: str, connection: Connection | None) -> None:
    """Keep the choice; None forgets it."""
    path = _file(owner)
    if connection is None:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, connection.model_dump_json(indent=1))


def keep_key(owner: str, provider: str, key: SecretStr | AwsKeys | None) -> None:
    """Hold a key in the memory of this process; None forgets it."""
    with _LOCK:
        if key is None:
            _TYPED_IN.pop((owner, provider), None)
        else:
            _TYPED_IN[owner, provider] = key


def has_key(owner: str, provider: str) -> bool:
    """Whether the owner typed in a key."""
    return (owner, provider) in _TYPED_IN


def aws_keys(owner: str) -> AwsKeys | None:
    """The pair of AWS keys that the owner typed in."""
    found = _TYPED_IN.get((owner, "bedrock"))
    return found if isinstance(found, AwsKeys) else None


def key_of(connection: Connection, owner: str) -> str:
    """The key to a provider: typed in by the owner, else the machine's; empty when there is none.

    A key of the machine goes only to the address that the machine's own variables name: else any visitor could
    have it sent to a server of their choice.
    """
    found = _TYPED_IN.get((owner, connection.provider))
    if isinstance(found, SecretStr):
        return found.get_secret_value()
    return os.environ.get(KEYS[connection.provider], "") if not connection.base_url else ""


def secrets(owner: str) -> list[str]:
    """Every secret that a call could touch, for taking it out of texts."""
    found = [os.environ.get(name, "") for name in SECRET_VARIABLES]
    for (whose, _), key in list(_TYPED_IN.items()):
        if whose == owner and isinstance(key, AwsKeys):
            found += [key.secret_key.get_secret_value(), key.session_token.get_secret_value()]
        elif whose == owner and isinstance(key, SecretStr):
            found.append(key.get_secret_value())
    return [text for text in found if len(text) >= 6]


def redacted(text: str, owner: str) -> str:
    """The text without any key."""
    for secret in secrets(owner):
        text = text.replace(secret, "[key]")
    return text


def _file(owner: str) -> Path:
    return config.home() / "people" / hashlib.sha256(owner.encode()).hexdigest()[:24] / "language_model.json"
