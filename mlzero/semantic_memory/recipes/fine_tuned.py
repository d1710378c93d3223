"""Texts or pictures: a pretrained network from the hub, trained on with AutoGluon's MultiModalPredictor."""

from __future__ import annotations

from typing import Any

from mlzero.iterative_coding.contract import Failure, Machine, Variant
from mlzero.perception.profile import Profile
from mlzero.perception.task import Task
from mlzero.semantic_memory.hub import VARIABLE, Checkpoint
from mlzero.semantic_memory.recipes.rendering import render, rows_of
from mlzero.semantic_memory.recipes.tabular import floor_of, ordered_labels

ENGLISH, SEVERAL, PICTURES = "english", "several", "pictures"
SMALL = {
    ENGLISH: Checkpoint("sentence-transformers/all-MiniLM-L6-v2", 91, "Apache 2.0"),
    SEVERAL: Checkpoint("intfloat/multilingual-e5-small", 471, "MIT"),
    PICTURES: Checkpoint("timm/mobilenetv3_large_100.ra_in1k", 22, "Apache 2.0"),
}
LARGE = {  # where there is a GPU
    ENGLISH: Checkpoint("FacebookAI/roberta-base", 499, "MIT"),
    SEVERAL: Checkpoint("FacebookAI/xlm-roberta-base", 1115, "MIT"),
    PICTURES: Checkpoint("timm/convnext_tiny.in12k_ft_in1k", 114, "Apache 2.0"),
}
SECONDS = {ENGLISH: 0.02, SEVERAL: 0.04, PICTURES: 0.15}  # a row and epoch on two cores, small network
STARTING = 40.0  # seconds to import, build and save
EPOCHS = 8
FEWEST = 3  # epochs below which it is not worth starting


class FineTuned:
    """Binary, multiclass and regression on texts alone or pictures alone. Other recipes put it on their ladders."""

    name = "fine_tuned"

    def applies(self, task: Task, profile: Profile) -> bool:
        return False  # the quick and sure ways of the other recipes come first

    def ladder(self, task: Task, profile: Profile, machine: Machine, seconds: float) -> list[Variant]:
        kinds: set[str] = {feature.treat_as for feature in task.used_features}
        if task.problem_type.value not in ("binary", "multiclass", "regression") or kinds not in ({"text"}, {"image"}):
            return []
        if task.preferences.foreground:  # the network is trained on whole pictures
            return []
        kind = self._kind(task, profile, kinds)
        epoch = rows_of(task, profile) * SECONDS[kind] / (8 if machine.gpu else 1)
        checkpoint = (LARGE if machine.gpu else SMALL)[kind]
        if STARTING + FEWEST * epoch > 0.4 * seconds or not checkpoint.available:
            return []
        what = "pictures" if kind == PICTURES else "texts"
        return [
            Variant(
                self.name, "fine_tuned", "A pretrained network, trained on",
                f"A network that has seen very many {what} learns from these, too (weights {checkpoint.name}).",
                {"checkpoint": checkpoint.name, "kind": kind, "gpu": machine.gpu}, fit_seconds=STARTING + EPOCHS * epoch,
                min_seconds=STARTING + FEWEST * epoch,
            )
        ]  # fmt: skip

    def _kind(self, task: Task, profile: Profile, kinds: set[str]) -> str:
        from mlzero.semantic_memory.recipes.texts import in_english

        if kinds == {"image"}:
            return PICTURES
        return ENGLISH if in_english(task, profile) else SEVERAL

    def render(self, task: Task, profile: Profile, variant: Variant) -> str:
        labels = ordered_labels(task) if task.problem_type.value != "regression" else []
        pictures = variant.options["kind"] == PICTURES
        return render(
            "fine_tuned.py.j2", task, profile, blocks=["plain_text"] if labels else [],
            imports=["import os", "import time", *(["import numpy as np"] if labels else [])], condense=False,
            target=task.targets[0], labels=labels, pictures=pictures,
            problem_type=task.problem_type.value, columns=[feature.name for feature in task.used_features],
            checkpoint=variant.options["checkpoint"], variable=VARIABLE, settings=_settings(pictures, variant.options["gpu"]),
            floor=floor_of(task, profile) if not labels else None,
        )  # fmt: skip

    def step_down(self, variant: Variant, failure: Failure) -> Variant | None:
        return None


def checkpoint(name: str) -> Checkpoint:
    """The weights by their name; raises KeyError."""
    return {known.name: known for known in [*SMALL.values(), *LARGE.values()]}[name]


def _settings(pictures: bool, gpu: bool) -> dict[str, Any]:
    """Settings of MultiModalPredictor beside the network itself."""
    general = {
        "env.num_gpus": 1 if gpu else 0, "env.precision": "16-mixed" if gpu else 32, "env.num_workers": 0,
        "env.num_workers_inference": 0, "env.per_gpu_batch_size": 16, "env.batch_size": 32, "optim.max_epochs": EPOCHS,
        "optim.val_check_interval": 1.0,
    }  # fmt: skip
    if pictures:
        return {"model.names": ["timm_image"], "optim.lr": 1e-3} | general
    without_downloads = {"model.hf_text.text_trivial_aug_maxscale": 0.0}  # the changes of texts need NLTK's lists
    return (
        {"model.names": ["hf_text"], "optim.lr": 3e-4, "model.hf_text.max_text_len": 128} | without_downloads | general
    )
