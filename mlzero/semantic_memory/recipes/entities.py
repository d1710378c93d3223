"""Entities in sentences: a conditional random field over spelling and context."""

from __future__ import annotations

from dataclasses import replace

from mlzero.iterative_coding.contract import Failure, Machine, Variant
from mlzero.perception.profile import Profile
from mlzero.perception.task import Task
from mlzero.semantic_memory.recipes.rendering import render_made, rows_of


class Entities:
    """Named entity recognition."""

    name = "entities"

    def applies(self, task: Task, profile: Profile) -> bool:
        return task.problem_type.value == "ner" and bool(task.train)

    def ladder(self, task: Task, profile: Profile, machine: Machine, seconds: float) -> list[Variant]:
        rows = rows_of(task, profile)
        return [
            Variant(
                self.name,
                "quick",
                "Conditional random field over spelling and neighbours",
                "How words are written and what stands beside them tells much about names, and is learnt in seconds.",
                {"rows": rows},
                fit_seconds=min(15.0 + rows / 100, max(20.0, 0.4 * seconds)),
                min_seconds=5.0,
            )
        ]

    def render(self, task: Task, profile: Profile, variant: Variant) -> str:
        begins = any(tag.startswith("B-") for tag in task.labels)
        blocks = ["word_clues", "fit_field", *(["whole_entities"] if begins else [])]
        return render_made(
            "entities.py.j2", task, profile, blocks=blocks, imports=["import time", "import pycrfsuite"],
            labels=task.labels, begins=begins, new_names="",
        )  # fmt: skip

    def step_down(self, variant: Variant, failure: Failure) -> Variant | None:
        if variant.name == "quick":
            return None
        return replace(variant, name="quick", options={"rows": variant.options["rows"]}, min_seconds=5.0)
