"""A better picture for every picture: a small network that learns what to add to it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mlzero.iterative_coding.contract import Failure, Machine, Variant
from mlzero.perception.profile import Profile
from mlzero.perception.task import Task
from mlzero.semantic_memory.recipes.rendering import render_pictures
from mlzero.semantic_memory.recipes.segmentation import answer_folders


class Restoration:
    """Pictures from pictures: cleaned, sharpened, recoloured.

    Not with AutoGluon, which has no such task. Nothing pretrained is needed: what noise and stains look like is learnt
    from small patches, of which few pictures hold many.
    """

    name = "restoration"

    def applies(self, task: Task, profile: Profile) -> bool:
        return task.problem_type.value == "image_to_image" and any(f.treat_as == "image" for f in task.used_features)

    def ladder(self, task: Task, profile: Profile, machine: Machine, seconds: float) -> list[Variant]:
        longer = 2.0 if task.preferences.more_time else 1.0
        return [
            Variant(
                self.name,
                "difference",
                "A network that learns the difference",
                "A small convolutional network, trained on patches, says what to add to each pixel.",
                {"width": 32},
                fit_seconds=longer * max(20.0, 0.38 * seconds),
                min_seconds=15.0,
            )
        ]

    def render(self, task: Task, profile: Profile, variant: Variant) -> str:
        return render_pictures(
            "restoration.py.j2", task, profile, blocks=[],
            imports=[
                "import io", "import os", "import time", "import numpy as np", "import torch", "from PIL import Image",
                "from torch import nn", "from torch.nn import functional",
            ],
            target=task.targets[0], loss="l1_loss" if task.metric.value == "mae" else "mse_loss",
            answer_folders=answer_folders(task, profile), **variant.options,
        )  # fmt: skip

    def step_down(self, variant: Variant, failure: Failure) -> Variant | None:
        options: dict[str, Any] = dict(variant.options)
        if options["width"] <= 16:
            return None
        idea = "The attempt before failed; a smaller network asks for less memory and time."
        return replace(variant, name="difference-small", title="A smaller network", idea=idea, options={"width": 16})
