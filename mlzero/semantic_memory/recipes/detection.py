"""Boxes around things: a small network that sees their middles and sizes."""

from __future__ import annotations

from mlzero.iterative_coding.contract import Failure, Machine, Variant
from mlzero.perception.profile import Profile
from mlzero.perception.task import Task
from mlzero.semantic_memory.recipes.rendering import render_pictures
from mlzero.semantic_memory.recipes.segmentation import LARGEST, NETWORK_IMPORTS, smaller


class Detection:
    """Boxes in pictures.

    Not with AutoGluon: its detector needs mmcv, which cannot be installed with the PyTorch that AutoGluon itself needs.
    """

    name = "detection"

    def applies(self, task: Task, profile: Profile) -> bool:
        return task.problem_type.value == "detection" and any(f.treat_as == "image" for f in task.used_features)

    def ladder(self, task: Task, profile: Profile, machine: Machine, seconds: float) -> list[Variant]:
        longer = 2.0 if task.preferences.more_time else 1.0
        return [
            Variant(
                self.name,
                "middles",
                "A network that sees the middles of things",
                "An encoder that knows photographs and a decoder that marks where the middle of each thing is, and its size.",
                {"largest": LARGEST},
                fit_seconds=longer * max(20.0, 0.38 * seconds),
                min_seconds=15.0,
            )
        ]

    def render(self, task: Task, profile: Profile, variant: Variant) -> str:
        table = profile.table(task.train[0].table)
        known = table.read.options.get("categories", {}) if table else {}
        return render_pictures(
            "detection.py.j2", task, profile, blocks=["read_picture", "pictures_to_search"], imports=NETWORK_IMPORTS,
            labels=task.labels, categories={label: known[label] for label in task.labels if label in known},
            **variant.options,
        )  # fmt: skip

    def step_down(self, variant: Variant, failure: Failure) -> Variant | None:
        return smaller(variant)
