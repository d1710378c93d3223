from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from mlzero import registry as registry_module
from mlzero.registry import Registry
from mlzero.runs import RunDirectory

COOKIE = "a" * 43
OTHER = "b" * 43


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home folder of the program."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("MLZERO_HOME", str(folder))
    return folder


@pytest.fixture
def registry(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Registry]:
    """A registry whose runs stay at work until they are stopped."""
    over = threading.Event()

    def work(run: RunDirectory) -> None:
        run.claim()
        while not over.wait(0.02) and not run.stop_file.exists():
            pass
        run.update(state="stopped", message="Stopped on request.", pid=None)

    made = Registry(home, work, slots=1)
    monkeypatch.setattr(registry_module, "_registry", lambda _: made)
    yield made
    over.set()
