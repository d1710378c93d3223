"""Several targets at once (labels that may hold together, or several numbers): one predictor a target."""

from __future__ import annotations

from mlzero.iterative_coding.contract import Failure, Machine, Variant
from mlzero.perception.profile import Profile
from mlzero.perception.task import Task
from mlzero.semantic_memory.recipes.models import FAMILIES, chosen
from mlzero.semantic_memory.recipes.rendering import render, rows_of
from mlzero.semantic_memory.recipes.tabular import lighter


class SeveralTargets:
    """Multilabel and multitarget on one table."""

    name = "table_several"

    def applies(self, task: Task, profile: Profile) -> bool:
        return task.problem_type.value in ("multilabel", "multitarget") and bool(task.train)

    def ladder(self, task: Task, profile: Profile, machine: Machine, seconds: float) -> list[Variant]:
        each, rows = len(task.targets), rows_of(task, profile)
        quick = Variant(
            self.name, "quick", f"One quick model for each of {each} targets", "A first predictor that works.",
            {"models": "small", "rows": rows}, fit_seconds=max(20.0, 2.5 * each), min_seconds=5.0,
        )
        several = Variant(
            self.name, "several", f"Two kinds of models for each of {each} targets",
            "Boosted trees and extremely random trees make different mistakes.",
            {"models": "several", "rows": rows}, fit_seconds=max(30.0, 0.45 * seconds), min_seconds=15.0,
        )
        full = Variant(
            self.name, "all", f"Many kinds of models for each of {each} targets", "There is time for more kinds of models.",
            {"models": "all", "rows": rows}, fit_seconds=max(60.0, 0.45 * seconds), min_seconds=12.0 * each,
        )
        return [quick, several, full]

    def render(self, task: Task, profile: Profile, variant: Variant) -> str:
        multilabel = task.problem_type.value == "multilabel"
        average = "macro" if "macro" in task.metric.value else "micro"
        return render(
            "table_several.py.j2", task, profile,
            blocks=["shaped", "date_parts", *(["tuned_threshold"] if multilabel else [])],
            imports=["import time", *(["import json"] if multilabel else [])],
            targets=task.targets, multilabel=multilabel, average=average,
            eval_metric="log_loss" if multilabel else "root_mean_squared_error",
            models=chosen(FAMILIES[variant.options["models"]], task.preferences, []), single_model=variant.options["models"] == "small",
            **({"sample_rows": variant.options["sample_rows"], "sample_reason": "all rows do not fit into memory"} if "sample_rows" in variant.options else {}),
        )  # fmt: skip

    def step_down(self, variant: Variant, failure: Failure) -> Variant | None:
        return lighter(variant, failure)
