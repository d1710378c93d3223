"""No test sees the keys of the machine, or leaves its own behind."""

from __future__ import annotations

import pytest

from mlzero.llm import connection as connections


@pytest.fixture(autouse=True)
def no_keys(monkeypatch):
    for name in (*connections.SECRET_VARIABLES, *connections.ADDRESSES.values(), "AWS_PROFILE", "MLZERO_LLM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setattr("mlzero.llm.model.BACK_OFF", (0.05, 0.1))
    yield
    connections._TYPED_IN.clear()
