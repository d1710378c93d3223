"""Runs with a model hub on loopback: weights are fetched by the application, read by the sandbox, used and packed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from mlzero import engine
from mlzero.episodic_memory.lessons import Lessons
from mlzero.iterative_coding.coder import RecipeCoder
from mlzero.predictor.loading import predict_file
from mlzero.runs import RunDirectory, RunSettings
from mlzero.semantic_memory import hub
from mlzero.semantic_memory.recipes.fine_tuned import ENGLISH, PICTURES, SMALL
from tests.semantic_memory.hub_server import Hub

pytestmark = pytest.mark.slow

WORDS = "the food was and we came back to it with this you are not great lovely awful rude".split()


class OnlyNetworks(RecipeCoder):
    """Plans the network of the hub and nothing else."""

    def ladder(self, *given):
        return [variant for variant in super().ladder(*given) if variant.name == "fine_tuned"]


def served_texts(folder: Path) -> None:
    """A very small BERT that has learnt nothing, as a repository."""
    from transformers import BertConfig, BertModel, BertTokenizerFast

    folder.mkdir(parents=True)
    (folder / "vocab.txt").write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]))
    BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    small = BertConfig(vocab_size=len(WORDS) + 5, hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64)  # fmt: skip
    BertModel(small).save_pretrained(folder)


def served_pictures(folder: Path) -> None:
    """The network of timm, which has learnt nothing, as a repository."""
    import timm
    from safetensors.torch import save_file

    folder.mkdir(parents=True)
    model = timm.create_model(folder.name, pretrained=False)
    save_file(model.state_dict(), folder / "model.safetensors")
    settings = {"architecture": folder.name.partition(".")[0], "num_features": model.num_features, "pretrained_cfg": model.pretrained_cfg}  # fmt: skip
    (folder / "config.json").write_text(json.dumps(settings))


def solved(
    folder: Path, goal: str, served: Path, monkeypatch: pytest.MonkeyPatch, seconds: float = 300
) -> RunDirectory:
    """The run of the upload in `folder/data` with the network alone."""
    run = RunDirectory.create(folder / "run")
    shutil.copytree(folder / "data", run.data, dirs_exist_ok=True)
    run.update(goal=goal, settings=RunSettings(time_limit=seconds, max_attempts=1, llm="none"), state="queued")
    with Hub(served) as server:
        monkeypatch.delenv("HF_HUB_OFFLINE")
        monkeypatch.setenv("HF_ENDPOINT", server.address)
        record = engine.run(run, coder=OnlyNetworks(Lessons.open("")))
    assert record.state == "done", record.message
    assert record.attempts[0]["title"] == "A pretrained network, trained on"
    assert any("Fetching pretrained weights" in str(event) for event in run.events.read())
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    return run


def test_a_network_for_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    served_texts(tmp_path / "hub" / SMALL[ENGLISH].name)
    dice = np.random.default_rng(0)
    good = dice.random(240) < 0.5
    texts = [" ".join([*dice.choice(WORDS[:-4], 8), *dice.choice(WORDS[-4:-2] if g else WORDS[-2:], 2)]) for g in good]
    frame = pd.DataFrame({"remark": texts, "liked": np.where(good, "yes", "no")})
    (tmp_path / "data").mkdir()
    frame.iloc[:200].to_csv(tmp_path / "data" / "known.csv", index=False)
    frame.iloc[200:, :1].to_csv(tmp_path / "data" / "new.csv", index=False)
    run = solved(tmp_path, "Did they like it? Accuracy.", tmp_path / "hub", monkeypatch)
    assert run.record().score is not None  # the network has learnt nothing before, so nothing is said of its height
    shutil.rmtree(hub.cache())  # the predictor needs no hub and no cache
    report = predict_file(run.path / "predictor.zip", tmp_path / "data" / "new.csv", tmp_path / "again.csv")
    assert report.rows == 40
    assert (tmp_path / "again.csv").read_text() == (run.path / "predictions.csv").read_text()


def test_a_network_for_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    served_pictures(tmp_path / "hub" / SMALL[PICTURES].name)
    dice = np.random.default_rng(0)
    for i in range(60):
        folder = tmp_path / "data" / ("dark" if i % 2 else "light")
        folder.mkdir(parents=True, exist_ok=True)
        pixels = dice.normal(60 if i % 2 else 190, 20, (64, 64, 3)).clip(0, 255).astype(np.uint8)
        Image.fromarray(pixels).save(folder / f"{i}.png")
    run = solved(tmp_path, "Tell dark from light pictures.", tmp_path / "hub", monkeypatch)
    assert run.record().files["predictor"] == "predictor.zip"
    report = predict_file(run.path / "predictor.zip", tmp_path / "data" / "dark", tmp_path / "again.csv")
    assert report.rows == 30
