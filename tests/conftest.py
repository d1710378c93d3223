"""What every test gets."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder of the program for each test, so that none sees another's runs or the developer's own."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("MLZERO_HOME", str(folder))
    return folder
