"""A class for every pixel: a small network with an encoder that has seen photographs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

from mlzero.iterative_coding.contract import Failure, Machine, Variant
from mlzero.perception.profile import Profile
from mlzero.perception.task import Task
from mlzero.semantic_memory.recipes.rendering import render_pictures

NETWORK_IMPORTS = [
    "import json", "import math", "import os", "import time", "import numpy as np", "import torch",
    "from PIL import Image", "from torch import nn", "from torch.nn import functional",
]  # fmt: skip
LARGEST = 262_144  # pixels of a picture as the network sees it


class Segmentation:
    """Label images from pictures.

    Not with AutoGluon: its segmentation fine-tunes SAM, whose weights come from a hub at run time and whose training
    takes hours on a few cores. Here the decoder is trained on features of a small pretrained encoder, which is cheap,
    and then everything together for as long as there is time.
    """

    name = "segmentation"

    def applies(self, task: Task, profile: Profile) -> bool:
        return task.problem_type.value == "segmentation" and task.mask is not None

    def ladder(self, task: Task, profile: Profile, machine: Machine, seconds: float) -> list[Variant]:
        longer = 2.0 if task.preferences.more_time else 1.0
        main = Variant(
            self.name,
            "network",
            "A network over whole pictures",
            "An encoder that knows photographs, a decoder trained on your label images, then both together.",
            {"largest": LARGEST, "finest": 0 if len(task.labels) == 2 else 1},
            fit_seconds=longer * max(20.0, 0.38 * seconds),
            min_seconds=15.0,
        )
        if seconds < 400:
            return [main]
        quick = replace(
            main, name="quick", title="A network on small copies of the pictures",
            idea="A first predictor soon, to have something that works.",
            options={**main.options, "largest": LARGEST // 4}, fit_seconds=40.0,
        )  # fmt: skip
        return [quick, main]

    def render(self, task: Task, profile: Profile, variant: Variant) -> str:
        assert task.mask is not None
        mask = task.mask
        legend = ", ".join(f"{v} {name}" for v, name in zip(mask.values, mask.names, strict=False))
        return render_pictures(
            "segmentation.py.j2", task, profile, blocks=["read_picture", "read_classes", "classes_png"],
            imports=NETWORK_IMPORTS, mask=mask.model_dump(), legend=legend,
            weight_power=0.4, dice_share=0.5, answer_folders=answer_folders(task, profile), **variant.options,
        )  # fmt: skip

    def step_down(self, variant: Variant, failure: Failure) -> Variant | None:
        return smaller(variant)


def smaller(variant: Variant) -> Variant | None:
    """The variant on pictures of a quarter of the area; None when they are small already."""
    options: dict[str, Any] = dict(variant.options)
    if options["largest"] <= LARGEST // 16:
        return None
    options["largest"] //= 4
    return replace(
        variant, name=f"{variant.name.split('-')[0]}-{options['largest']}", title=f"{variant.title}, smaller",
        idea="The attempt before failed; smaller copies of the pictures ask for less memory and time.", options=options,
    )  # fmt: skip


def answer_folders(task: Task, profile: Profile) -> list[str]:
    """Names of the folders that hold answers, where they lie apart from the pictures."""
    found = []
    for source in task.train:
        table = profile.table(source.table)
        options = table.read.options if table else {}
        if options.get("labels") and options["labels"] != options.get("pictures"):
            found.append(PurePosixPath(options["labels"]).name)
    return list(dict.fromkeys(found))
