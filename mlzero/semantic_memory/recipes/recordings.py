"""Classes of recordings: numbers of their sound, then a support vector machine and a linear model together."""

from __future__ import annotations

from dataclasses import replace

from mlzero.iterative_coding.contract import Failure, Machine, Variant
from mlzero.perception.profile import Profile
from mlzero.perception.task import Task
from mlzero.semantic_memory.recipes.rendering import render, rows_of
from mlzero.semantic_memory.recipes.tabular import ordered_labels, sampled, tuned_on

MOST_ROWS = 8_000  # support vector machines take time by the square of the rows
FOLDS = 5


class Recordings:
    """Binary and multiclass on one column of recordings and nothing else."""

    name = "recordings"

    def applies(self, task: Task, profile: Profile) -> bool:
        inputs = [feature.treat_as for feature in task.used_features]
        return (
            task.problem_type.value in ("binary", "multiclass")
            and bool(task.train)
            and inputs == ["audio"]
            and rows_of(task, profile) <= MOST_ROWS
        )

    def ladder(self, task: Task, profile: Profile, machine: Machine, seconds: float) -> list[Variant]:
        rows = rows_of(task, profile)
        return [
            Variant(
                self.name, "quick", "Sound in numbers, then a support vector machine and a linear model",
                "Timbre, pitch and rhythm of a recording and how they go on are few numbers, from which models learn in seconds.",
                {"rows": rows}, fit_seconds=20.0 + 0.05 * rows, min_seconds=8.0,
            )
        ]  # fmt: skip

    def render(self, task: Task, profile: Profile, variant: Variant) -> str:
        plan = task.split.value
        by_groups = plan.kind == "group" and bool(plan.column)
        return render(
            "recordings.py.j2", task, profile,
            blocks=["audio_vectors", "plain_text", *(["group_folds"] if by_groups else [])],
            imports=["import joblib", "import numpy as np", "from typing import Any"],
            target=task.targets[0], labels=ordered_labels(task), column=task.used_features[0].name, folds=FOLDS,
            split_column=plan.column if by_groups else None, balanced=bool(tuned_on(task)),
            **sampled(variant.options),
        )  # fmt: skip

    def step_down(self, variant: Variant, failure: Failure) -> Variant | None:
        rows = variant.options.get("sample_rows", variant.options["rows"])
        if failure.kind not in ("memory", "timeout", "killed", "disk") or rows < 400:
            return None
        return replace(
            variant, name=f"quick-{rows // 3}", title=f"On {rows // 3:,} recordings",
            idea="A sample of the recordings needs less memory and time.",
            options={**variant.options, "sample_rows": rows // 3}, min_seconds=5.0,
        )  # fmt: skip
