"""One target in a table: AutoGluon's TabularPredictor, quick first, then an ensemble or bagged models."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mlzero.iterative_coding.contract import Failure, Machine, Variant
from mlzero.perception.profile import Profile
from mlzero.perception.task import Task
from mlzero.semantic_memory.recipes.models import FAMILIES, chosen
from mlzero.semantic_memory.recipes.rendering import render, rows_of

FEW_ROWS = 8_000  # up to here bagging is worth its time on two cores
FEWEST_ROWS = 1_000  # no sample is made smaller than this
MANY_ROWS = 50_000  # from here on random forests grow too large
TUNED = {"f1_macro": "f1_macro", "balanced_accuracy": "balanced_accuracy", "f1": "f1", "mcc": "f1_macro", "f1_weighted": "accuracy"}
EVAL_METRICS = {
    "accuracy": "accuracy", "roc_auc": "roc_auc", "average_precision": "average_precision", "log_loss": "log_loss",
    "quadratic_kappa": "quadratic_kappa", "rmse": "root_mean_squared_error", "mse": "root_mean_squared_error",
    "rmsle": "root_mean_squared_error", "mae": "mean_absolute_error", "medae": "mean_absolute_error",
    "mape": "mean_absolute_error", "smape": "mean_absolute_error", "wape": "mean_absolute_error", "r2": "r2",
    "spearman": "spearmanr", "pearson": "pearsonr", "roc_auc_ovr": "roc_auc_ovr_macro", "roc_auc_ovo": "roc_auc_ovo_macro",
}  # fmt: skip


class Tabular:
    """Binary, multiclass and regression on one table."""

    name = "tabular"

    def applies(self, task: Task, profile: Profile) -> bool:
        return task.problem_type.value in ("binary", "multiclass", "regression") and bool(task.train)

    def ladder(self, task: Task, profile: Profile, machine: Machine, seconds: float) -> list[Variant]:
        rows = rows_of(task, profile)
        long = 2.0 if task.preferences.more_time else 1.0
        quick = Variant(
            self.name, "quick", "Gradient boosting, quick", "A first predictor within seconds, to have something that works.",
            {"models": "quick", "rows": rows}, fit_seconds=min(15.0 + rows / 20_000, 60.0), min_seconds=5.0,
        )
        ensemble = Variant(
            self.name, "ensemble", "Several kinds of models, weighted together",
            "Models of different kinds make different mistakes; their weighted mean makes fewer.",
            {"models": "large" if rows > MANY_ROWS else "all", "rows": rows}, fit_seconds=long * max(30.0, 0.45 * seconds), min_seconds=15.0,
        )
        bagged = Variant(
            self.name, "bagged", "Several kinds of models, each trained on five folds",
            "With few rows the luck of one split matters; models over five folds even it out.",
            {"models": "all", "folds": 5, "rows": rows}, fit_seconds=long * max(30.0, 0.45 * seconds), min_seconds=15.0,
        )
        if rows <= FEW_ROWS:
            return [quick, bagged, ensemble]
        if seconds >= 900:
            return [quick, ensemble, replace(bagged, min_seconds=200.0)]
        return [quick, ensemble]

    def render(self, task: Task, profile: Profile, variant: Variant) -> str:
        options = variant.options
        metric, classes = task.metric.value, task.problem_type.value != "regression"
        tune_on = TUNED.get(metric) if classes else None
        if tune_on == "f1" and task.problem_type.value != "binary":
            tune_on = "f1_macro"
        log_target, log_reason = _log_target(task, profile)
        labels = _ordered_labels(task) if classes else []
        folds = options.get("folds", 0)
        fallback = "log_loss" if classes else "root_mean_squared_error"
        needed = (["json", "numpy"] if tune_on else []) + (["numpy"] if labels or log_target else [])
        lines = {"json": "import json", "numpy": "import numpy as np"}
        return render(
            "tabular.py.j2", task, profile,
            blocks=["shaped", "date_parts", *(["label_text"] if labels else []), *(["tuned_weights"] if tune_on else [])],
            imports=[lines[name] for name in needed],
            target=task.targets[0], labels=labels, binary=task.problem_type.value == "binary",
            problem_type=task.problem_type.value, eval_metric=EVAL_METRICS.get(metric, fallback) if not tune_on else "log_loss",
            models=chosen(FAMILIES[options["models"]], task.preferences, options.get("without", [])),
            bagged=bool(folds), folds=folds, tune_on=tune_on,
            tune_reason=f"{metric} does not reward the most likely label; the weight of each label is set on rows kept aside.",
            log_target=log_target, log_reason=log_reason, floor=_floor(task, profile),
            **({"sample_rows": options["sample_rows"], "sample_reason": "all rows do not fit into memory"} if "sample_rows" in options else {}),
        )  # fmt: skip

    def step_down(self, variant: Variant, failure: Failure) -> Variant | None:
        return lighter(variant, failure)


def lighter(variant: Variant, failure: Failure) -> Variant | None:
    """The variant with less of what made it fail: a smaller model, then a fifth of the rows; None at the smallest."""
    options: dict[str, Any] = dict(variant.options)
    rows = options.get("sample_rows", options.get("rows", 0))
    if options["models"] != "small":
        options["models"] = "small"
        options.pop("folds", None)
        title, idea, suffix = "One small model", "The larger attempt failed; one small model asks for least.", "small"
    elif failure.kind in ("memory", "timeout", "killed", "disk") and rows >= 5 * FEWEST_ROWS:
        options["sample_rows"] = rows // 5
        title, idea = f"One small model on {rows // 5:,} rows", "A sample of the rows needs less memory and time."
        suffix = str(rows // 5)
    else:
        return None
    return replace(variant, name=f"{variant.name.split('-')[0]}-{suffix}", title=title, idea=idea, options=options, min_seconds=5.0)


def _ordered_labels(task: Task) -> list[str]:
    """Labels, the one that counts last when there are two."""
    labels, positive = list(task.labels), task.positive_label.value
    if positive in labels:
        labels.remove(positive)
        labels.append(positive)
    return labels


def _log_target(task: Task, profile: Profile) -> tuple[bool, str]:
    """Whether models learn the logarithm of the number, and why."""
    if task.problem_type.value != "regression":
        return False, ""
    column = _target_column(task, profile)
    if column is None or not isinstance(column.minimum, int | float) or column.minimum < 0:
        return False, ""
    if task.metric.value == "rmsle":
        return True, "RMSLE compares logarithms, so logarithms are what the models learn."
    skewed = column.skew is not None and column.skew > 1.0
    if skewed and task.metric.value in ("mape", "smape", "mae", "wape", "medae"):
        return True, "Few very large values: on the logarithm an error counts in proportion, and they do not rule the fit."
    return False, ""


def _floor(task: Task, profile: Profile) -> float | None:
    column = _target_column(task, profile)
    return 0.0 if column is not None and isinstance(column.minimum, int | float) and column.minimum >= 0 else None


def _target_column(task: Task, profile: Profile) -> Any:
    table = profile.table(task.train[0].table)
    return table.column(task.targets[0]) if table else None
