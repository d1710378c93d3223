"""Several targets at once (labels that may hold together, or several numbers): one predictor a target."""

from __future__ import annotations

from mlzero.iterative_coding.contract import Failure, Machine, Variant
from mlzero.perception.profile import Profile
from mlzero.perception.task import Task
from mlzero.semantic_memory.recipes.models import FAMILIES, chosen
from mlzero.semantic_memory.recipes.rendering import render, rows_of
from mlzero.semantic_memory.recipes.tabular import holds_columns, lighter, sampled

NO = ("0", "false", "no", "n", "f", "absent", "negative")


class SeveralTargets:
    """Multilabel and multitarget on one table."""

    name = "table_several"

    def applies(self, task: Task, profile: Profile) -> bool:
        return task.problem_type.value in ("multilabel", "multitarget") and holds_columns(task)

    def ladder(self, task: Task, profile: Profile, machine: Machine, seconds: float) -> list[Variant]:
        each, rows = len(task.targets), rows_of(task, profile)
        longer = 2.0 if task.preferences.more_time else 1.0
        quick = Variant(
            self.name,
            "quick",
            f"One quick model for each of {each} targets",
            "A first predictor that works.",
            {"models": "small", "rows": rows},
            fit_seconds=max(20.0, 2.5 * each),
            min_seconds=5.0,
        )
        several = Variant(
            self.name,
            "several",
            f"Two kinds of models for each of {each} targets",
            "Boosted trees and extremely random trees make different mistakes.",
            {"models": "several", "rows": rows},
            fit_seconds=longer * max(30.0, 0.45 * seconds),
            min_seconds=15.0,
        )
        full = Variant(
            self.name,
            "all",
            f"Many kinds of models for each of {each} targets",
            "There is time for more kinds of models.",
            {"models": "all", "rows": rows},
            fit_seconds=longer * max(60.0, 0.45 * seconds),
            min_seconds=12.0 * each,
        )
        return [quick, several, full]

    def render(self, task: Task, profile: Profile, variant: Variant) -> str:
        options, multilabel = variant.options, task.problem_type.value == "multilabel"
        written = answers_as_written(task, profile) if multilabel else None
        single = options["models"] == "small"
        keywords = {"dynamic_stacking": False, "calibrate_decision_threshold": False} | (
            {"fit_weighted_ensemble": False} if single else {}
        )
        return render(
            "table_several.py.j2", task, profile,
            blocks=[*(["tuned_threshold"] if multilabel else []), *(["plain_text"] if written else [])],
            imports=["import time", *(["import json"] if multilabel else [])],
            targets=task.targets, multilabel=multilabel, answers_as_written=written,
            average="macro" if "macro" in task.metric.value else "micro",
            eval_metric="log_loss" if multilabel else "root_mean_squared_error",
            models=chosen(FAMILIES[options["models"]], task.preferences, options.get("without", [])),
            fit_options={name: value for name, value in keywords.items() if name not in options.get("drop_options", [])},
            **sampled(options),
        )  # fmt: skip

    def step_down(self, variant: Variant, failure: Failure) -> Variant | None:
        return lighter(variant, failure)


def answers_as_written(task: Task, profile: Profile) -> list[str] | None:
    """How "no" and "yes" stand in the data when they are words; None for zeros and ones."""
    table = profile.table(task.train[0].table)
    seen = dict.fromkeys(text for name in task.targets if table and (c := table.column(name)) for text, _ in c.top)
    if len(seen) != 2 or {text.removesuffix(".0") for text in seen} <= {"0", "1"}:
        return None
    return sorted(seen, key=lambda text: text.lower() not in NO)
