"""One target in a table: AutoGluon's TabularPredictor, quick first, then an ensemble or bagged models."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mlzero.iterative_coding import labels as label_tools
from mlzero.iterative_coding.contract import Failure, Machine, Variant
from mlzero.perception.profile import FILES, ColumnProfile, Profile
from mlzero.perception.task import Task
from mlzero.semantic_memory.recipes.models import FAMILIES, chosen
from mlzero.semantic_memory.recipes.rendering import render, rows_of

SMALL, FEW_ROWS = 5_000, 20_000  # up to here models over five, over three folds are worth their time on two cores
FEWEST_ROWS = 1_000  # no sample is made smaller than this
MANY_ROWS = 50_000  # from here on random forests grow too large
HUGE, FIRST_SAMPLE = 1_000_000, 200_000  # beyond so many rows a first predictor comes from a sample,
BY_CHANCE = (
    "random",
    "stratified",
)  # where rows are kept aside like this: later attempts train on the others, near or not
TUNED = {  # metrics that do not reward the most likely label, and what the weights of the labels are set by
    "f1_macro": "f1_macro", "balanced_accuracy": "balanced_accuracy", "f1": "f1", "mcc": "mcc", "f1_weighted": "f1_weighted",
    "quadratic_kappa": "quadratic_kappa",
}  # fmt: skip
EVAL_METRICS = {
    "accuracy": "accuracy", "roc_auc": "roc_auc", "average_precision": "average_precision", "log_loss": "log_loss",
    "rmse": "root_mean_squared_error", "mse": "root_mean_squared_error",
    "rmsle": "root_mean_squared_error", "mae": "mean_absolute_error", "medae": "mean_absolute_error",
    "mape": "mean_absolute_error", "smape": "mean_absolute_error", "wape": "mean_absolute_error", "r2": "r2",
    "spearman": "spearmanr", "pearson": "pearsonr",
}  # fmt: skip
MORE_CLASSES = {"roc_auc": "roc_auc_ovr_macro", "roc_auc_ovr": "roc_auc_ovr_macro", "roc_auc_ovo": "roc_auc_ovo_macro"}
RELATIVE = frozenset({"mape", "smape", "mae", "wape", "medae"})  # metrics that a few very large values must not rule


def holds_columns(task: Task) -> bool:
    """Whether there are inputs that stand in a table, beside pictures, recordings and documents or without them."""
    return bool(task.train) and any(feature.treat_as not in FILES for feature in task.used_features)


class Tabular:
    """Binary, multiclass and regression on one table."""

    name = "tabular"

    def applies(self, task: Task, profile: Profile) -> bool:
        return task.problem_type.value in ("binary", "multiclass", "regression") and holds_columns(task)

    def ladder(self, task: Task, profile: Profile, machine: Machine, seconds: float) -> list[Variant]:
        rows = rows_of(task, profile)
        longer = (2.0 if task.preferences.more_time else 1.0) * max(30.0, 0.45 * seconds)
        shortest = 6.0 if rows <= SMALL else 15.0
        quick = Variant(
            self.name,
            "quick",
            "Gradient boosting, quick",
            "A first predictor within seconds, to have something that works.",
            {"models": "quick", "rows": rows},
            fit_seconds=min(10.0 + rows / 20_000, 40.0),
            min_seconds=5.0,
        )
        ensemble = Variant(
            self.name,
            "ensemble",
            "Several kinds of models, weighted together",
            "Models of different kinds make different mistakes; their weighted mean makes fewer.",
            {"models": "large" if rows > MANY_ROWS else "all", "rows": rows},
            fit_seconds=longer,
            min_seconds=shortest,
        )
        folds, words = (5, "five") if rows <= SMALL else (3, "three")
        bagged = Variant(
            self.name,
            "bagged",
            f"Several kinds of models, each trained on {words} folds",
            f"With few rows the luck of one split matters; models over {words} folds even it out.",
            {"models": "few" if rows <= SMALL else "all", "folds": folds, "rows": rows},
            fit_seconds=longer,
            min_seconds=shortest,
        )
        if rows <= FEW_ROWS:
            return [quick, bagged, ensemble]
        if rows > HUGE and task.split.value.kind in BY_CHANCE:
            return [on_sample(quick), quick, ensemble]
        if seconds >= 900:
            return [quick, ensemble, replace(bagged, min_seconds=200.0)]
        return [quick, ensemble]

    def render(self, task: Task, profile: Profile, variant: Variant) -> str:
        options = variant.options
        metric, classes = task.metric.value, task.problem_type.value != "regression"
        folds = options.get("folds", 0)
        labels = ordered_labels(task) if classes else []
        tune_on = tuned_on(task) if classes else None
        aside = _aside(task, bool(folds), tune_on)
        on_log, log_reason = log_target(task, profile)
        uses = {
            "plain_text": bool(labels), "tuned_weights": bool(tune_on), "latest_rows": aside == "latest",
            "group_folds": aside in ("groups", "folds"), "mixed_rows": aside == "mixed",
        }  # fmt: skip
        imports = {"import time": True, "import json": bool(tune_on), "import numpy as np": bool(labels or on_log)}
        return render(
            "tabular.py.j2", task, profile, blocks=[block for block, used in uses.items() if used],
            imports=[line for line, used in imports.items() if used],
            target=task.targets[0], labels=labels, binary=task.problem_type.value == "binary",
            problem_type=task.problem_type.value, eval_metric=eval_metric(task, tune_on),
            models=chosen(FAMILIES[options["models"]], task.preferences, options.get("without", [])),
            folds=folds, fit_options=_fit_options(folds, options), aside=aside, share=_share(options["rows"]),
            split_column=task.split.value.column, tune_on=tune_on,
            balanced=classes and bool(task.preferences.balance_classes),
            tune_reason=f"{metric} does not reward the most likely label; the weight of each label is set on rows kept aside.",
            log_target=on_log, log_reason=log_reason, floor=floor_of(task, profile),
            **sampled(options),
        )  # fmt: skip

    def step_down(self, variant: Variant, failure: Failure) -> Variant | None:
        return lighter(variant, failure)


def on_sample(variant: Variant) -> Variant:
    """The variant on some of very many rows."""
    return replace(
        variant,
        name="sample",
        title=f"Gradient boosting on {FIRST_SAMPLE:,} rows drawn by chance",
        idea=f"{variant.options['rows']:,} rows take their time; some of them give a first predictor soon.",
        options=variant.options | {"sample_rows": FIRST_SAMPLE},
        fit_seconds=20.0,
    )


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
    return replace(
        variant, name=f"{variant.name.split('-')[0]}-{suffix}", title=title, idea=idea, options=options, min_seconds=5.0
    )


def sampled(options: dict[str, Any]) -> dict[str, Any]:
    """Values for the template when an attempt takes only some of the rows."""
    if "sample_rows" not in options:
        return {}
    return {"sample_rows": options["sample_rows"], "sample_reason": "all rows need more memory or time than there is"}


def _fit_options(folds: int, options: dict[str, Any]) -> list[tuple[str, Any, str]]:
    """Keywords of TabularPredictor.fit with a reason each; those that failed before are left out."""
    found: list[tuple[str, Any, str]] = []
    if folds:
        found += [
            (
                "num_bag_folds",
                folds,
                f"few rows: every model is fitted {folds} times on {folds - 1} of {folds} parts and averaged",
            ),
            ("num_bag_sets", 1, ""),
            ("num_stack_levels", 0, ""),
            (
                "ag_args_ensemble",
                {"fold_fitting_strategy": "sequential_local"},
                "parallel workers cost more than they give here",
            ),
        ]
    found += [
        ("ag_args_fit", {"max_time_limit_ratio": 0.5}, "no model may take all the time"),
        ("dynamic_stacking", False, ""),
        ("calibrate_decision_threshold", False, ""),
    ]
    return [option for option in found if option[0] not in options.get("drop_options", [])]


def tuned_on(task: Task) -> str | None:
    """What the weights of the labels are set by; None for metrics that reward the most likely label."""
    found = TUNED.get(task.metric.value)
    return "f1_macro" if found == "f1" and task.problem_type.value != "binary" else found


def eval_metric(task: Task, tune_on: str | None) -> str:
    """What AutoGluon calls the metric that models are compared by."""
    if task.problem_type.value == "regression":
        return EVAL_METRICS.get(task.metric.value, "root_mean_squared_error")
    if tune_on:
        return "log_loss"
    found = EVAL_METRICS.get(task.metric.value, "log_loss")
    return MORE_CLASSES.get(task.metric.value, found) if task.problem_type.value == "multiclass" else found


def _aside(task: Task, bagged: bool, tune_on: str | None) -> str:
    """How the rows are chosen on which models are compared; empty: the library chooses."""
    plan = task.split.value
    if plan.kind == "group" and plan.column:
        return "folds" if bagged else "groups"
    if bagged:
        return ""
    if plan.kind == "time" and plan.column:
        return "latest"
    return "mixed" if tune_on else ""


def _share(rows: int) -> float:
    """Part of the rows kept aside: a fifth of few, a tenth of many, 20,000 at the most."""
    share = 0.2 if rows < 10_000 else 0.15 if rows < 50_000 else 0.1
    return round(min(share, 20_000 / max(rows, 1)), 4)


def ordered_labels(task: Task) -> list[str]:
    """Labels; grades in their order, the one that counts last when there are two."""
    labels, positive = list(task.labels), task.positive_label.value
    if task.metric.value == "quadratic_kappa":
        labels = label_tools.in_order(labels, task.order.value)
    if positive in labels and len(labels) == 2:
        labels.remove(positive)
        labels.append(positive)
    return labels


def log_target(task: Task, profile: Profile) -> tuple[bool, str]:
    """Whether models learn the logarithm of the number, and why."""
    if task.problem_type.value != "regression":
        return False, ""
    column = _target_column(task, profile)
    if column is None or not isinstance(column.minimum, int | float) or column.minimum < 0:
        return False, ""
    if task.metric.value == "rmsle":
        return True, "RMSLE compares logarithms, so logarithms are what the models learn."
    skewed = column.skew is not None and column.skew > 1.0
    if skewed and task.metric.value in RELATIVE:
        return (
            True,
            "Few very large values: on the logarithm an error counts in proportion, and they do not rule the fit.",
        )
    return False, ""


def floor_of(task: Task, profile: Profile) -> float | None:
    """Zero where no known answer is below it, so that no prediction is; else None."""
    column = _target_column(task, profile)
    return 0.0 if column is not None and isinstance(column.minimum, int | float) and column.minimum >= 0 else None


def _target_column(task: Task, profile: Profile) -> ColumnProfile | None:
    table = profile.table(task.train[0].table)
    return table.column(task.targets[0]) if table else None
