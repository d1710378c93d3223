"""Weights of a model hub: fetched once, by the application, in bounded time."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import psutil
import pytest

from mlzero.iterative_coding.contract import Machine
from mlzero.perception.scan import profile
from mlzero.perception.understand import infer_task
from mlzero.semantic_memory import hub
from mlzero.semantic_memory.recall import recall
from tests.semantic_memory.hub_server import Hub

WEIGHTS = hub.Checkpoint("someone/network", 1, "MIT")


@pytest.fixture
def served(tmp_path: Path) -> Path:
    """Repositories of a hub, one with a network."""
    from safetensors.numpy import save_file

    folder = tmp_path / "hub" / "someone" / "network"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text('{"model_type": "bert"}')
    (folder / "pytorch_model.bin").write_bytes(b"a pickle")
    (folder / "run_me.py").write_text("raise SystemExit")
    save_file({"layer": np.ones((200, 200), "float32")}, folder / "model.safetensors")
    return tmp_path / "hub"


def online(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setenv("HF_ENDPOINT", address)


def test_fetches_once_and_only_what_holds_no_programs(served: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    said: list[str] = []
    with Hub(served) as server:
        online(monkeypatch, server.address)
        assert WEIGHTS.available and not WEIGHTS.ready
        downloads = hub.Downloads(said.append)
        downloads.wait(WEIGHTS, 60, lambda: False)
        downloads.close()
        assert {p.name for p in WEIGHTS.folder.iterdir()} == {"config.json", "model.safetensors"}
        assert "1 MB, MIT" in said[0]
        assert "hf_secret" not in "".join(server.headers)
        asked = len(server.asked)
        hub.Downloads(said.append).wait(WEIGHTS, 60, lambda: False)
        assert len(server.asked) == asked
    assert not [p for p in hub.cache().iterdir() if p.name.startswith(".")]


def test_weights_of_timm_come_without_their_classes(served: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch
    from safetensors.numpy import save_file

    folder = served / "someone" / "network"
    (folder / "config.json").write_text(
        '{"architecture": "net", "num_features": 4, "pretrained_cfg": {"classifier": "head.fc"}}'
    )
    save_file(
        {"stem.weight": np.ones(3, "float32"), "head.fc.weight": np.ones(3, "float32")}, folder / "model.safetensors"
    )
    with Hub(served) as server:
        online(monkeypatch, server.address)
        hub.Downloads(print).wait(WEIGHTS, 60, lambda: False)
    assert list(torch.load(WEIGHTS.folder / "pytorch_model.bin", weights_only=True)) == ["stem.weight"]


def test_what_is_not_there_is_told(served: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Hub(served) as server:
        online(monkeypatch, server.address)
        with pytest.raises(hub.NotFetched, match=r"weights someone/else could not be fetched: .*404"):
            hub.Downloads(print).wait(hub.Checkpoint("someone/else", 1, "MIT"), 60, lambda: False)


@pytest.mark.parametrize(
    ("seconds", "stopped", "why"), [(5, False, "of 1 MB came in the time there was"), (60, True, "the run was stopped")]
)
def test_a_download_that_stands_still_is_not_waited_for(
    seconds: float, stopped: bool, why: str, served: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Hub(served, holds=True) as server:
        online(monkeypatch, server.address)
        downloads = hub.Downloads(print)
        begun = time.monotonic()
        with pytest.raises(hub.NotFetched, match=why):
            downloads.wait(WEIGHTS, seconds, lambda: stopped)
        assert time.monotonic() - begun < 8
        downloads.close()
    assert not WEIGHTS.ready and not any(hub.cache().iterdir())


def test_a_killed_download_is_told_and_leaves_nothing(served: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Hub(served, holds=True) as server:
        online(monkeypatch, server.address)
        downloads = hub.Downloads(print)
        downloads.begin(WEIGHTS)
        downloads._running[WEIGHTS.name]._process.kill()
        with pytest.raises(hub.NotFetched, match="the download was ended"):
            downloads.wait(WEIGHTS, 60, lambda: False)
        downloads.close()
    assert not any(hub.cache().iterdir())


ENGINE = """
import sys, time
from mlzero.semantic_memory import hub
downloads = hub.Downloads(print)
downloads.begin(hub.Checkpoint("someone/network", 1, "MIT"))
print(downloads._running["someone/network"]._process.pid, flush=True)
time.sleep(60)
"""


def test_a_download_ends_with_the_program_that_wants_it(served: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Hub(served, holds=True) as server:
        online(monkeypatch, server.address)
        engine = subprocess.Popen([sys.executable, "-c", ENGINE], stdout=subprocess.PIPE, text=True)
        assert engine.stdout is not None
        *_, pid = (engine.stdout.readline() for _ in range(2))
        until = time.monotonic() + 30
        while not any("resolve" in asked for asked in server.asked) and time.monotonic() < until:
            time.sleep(0.1)
        engine.kill()
        engine.wait()
        while psutil.pid_exists(int(pid)) and time.monotonic() < until:
            time.sleep(0.1)
        engine.stdout.close()
        assert not psutil.pid_exists(int(pid)) and not any(hub.cache().iterdir())


def test_where_no_cache_can_be_made_it_is_said(served: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("MLZERO_HOME", str(tmp_path / "file" / "home"))
    with pytest.raises(hub.NotFetched, match=r"someone/network could not be fetched: Not a directory: .*weights"):
        hub.Downloads(print).wait(WEIGHTS, 5, lambda: False)


def test_what_a_failing_machine_left_is_removed(served: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left = hub.cache() / ".someone--network.old"
    left.mkdir(parents=True)
    os.utime(left, (0, 0))
    with Hub(served) as server:
        online(monkeypatch, server.address)
        downloads = hub.Downloads(print)
        downloads.begin(WEIGHTS)
        downloads.close()
    assert not any(hub.cache().iterdir())


def test_without_a_hub_nothing_is_planned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    online(monkeypatch, "http://127.0.0.1:9")
    begun = time.monotonic()
    assert not WEIGHTS.available
    assert time.monotonic() - begun < 3
    online(monkeypatch, "http://127.0.0.1:10")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert not WEIGHTS.available


@pytest.mark.parametrize("there", [False, True])
def test_the_ladder_ends_with_a_network_where_there_is_a_hub(there: bool, served: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    dice = np.random.default_rng(0)
    words = "the food was and we came back to it with this you are not".split()
    data = tmp_path / "data"
    data.mkdir()
    lines = [f"{i},{' '.join(dice.choice(words, 9))},{dice.choice(['yes', 'no'])}" for i in range(80)]
    (data / "remarks.csv").write_text("\n".join(["nr,remark,liked", *lines]))
    found = profile(data)
    task = infer_task(found, data, "Predict liked.")
    recipe = recall(task, found).recipes[0]
    with Hub(served) as server:
        if there:
            online(monkeypatch, server.address)
        ladder = recipe.ladder(task, found, Machine(2, 8.0), 600)
    assert ("fine_tuned" in [v.name for v in ladder]) == there
    assert not there or ladder[-1].options["checkpoint"] == "sentence-transformers/all-MiniLM-L6-v2"
