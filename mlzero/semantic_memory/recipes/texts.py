"""Rows that are about their texts: linear models of words and pieces of words, then AutoGluon on what they say."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mlzero.iterative_coding.contract import Failure, Machine, Variant
from mlzero.perception.modality import SENTENCE, pair_of
from mlzero.perception.profile import Profile, TableProfile
from mlzero.perception.task import NUMBERS, Task
from mlzero.semantic_memory.recipes.models import chosen
from mlzero.semantic_memory.recipes.rendering import render, rows_of
from mlzero.semantic_memory.recipes.tabular import EVAL_METRICS, eval_metric, floor_of, ordered_labels, tuned_on

FOLDS = 5
MANY_ROWS = 60_000  # from here on counting pieces of words takes too much memory
LINEAR: dict[str, Any] = {"LR": [{"C": 0.01, "proc.skew_threshold": 1e9}, {"C": 1.0, "proc.skew_threshold": 1e9}]}
FAMILIES: dict[str, dict[str, Any]] = {
    "small": {"GBM": {"num_leaves": 15, "learning_rate": 0.05}},
    "quick": {"LR": LINEAR["LR"][1], "GBM": {"num_leaves": 15, "learning_rate": 0.05, "feature_fraction": 0.6}},
    "several": {
        "LR": [setting | {"ag_args": {"name_suffix": f"_C{setting['C']}"}} for setting in LINEAR["LR"]],
        "GBM": [
            {"num_leaves": 15, "learning_rate": 0.03, "feature_fraction": 0.6},
            {"extra_trees": True, "ag_args": {"name_suffix": "XT"}},
        ],
        "CAT": {}, "XT": {}, "NN_TORCH": {},
    },
}  # fmt: skip


class Texts:
    """Classes and numbers of texts and of pairs of texts."""

    name = "texts"

    def applies(self, task: Task, profile: Profile) -> bool:
        kinds = ("binary", "multiclass", "regression", "text_similarity")
        about_texts = task.modality.value == "text" or task.problem_type.value == "text_similarity"
        return (
            task.problem_type.value in kinds and about_texts and bool(task.train) and bool(text_columns(task, profile))
        )

    def ladder(self, task: Task, profile: Profile, machine: Machine, seconds: float) -> list[Variant]:
        rows = rows_of(task, profile)
        longer = (2.0 if task.preferences.more_time else 1.0) * max(40.0, 0.45 * seconds)
        options: dict[str, Any] = {"rows": rows, "without": []}
        words = Variant(
            self.name, "words", "Words and pieces of words",
            "Linear models of how often words occur are quick and hard to beat on texts.",
            options | {"models": "quick", "themes": 0}, fit_seconds=min(15.0 + rows / 250, 120.0), min_seconds=5.0,
        )  # fmt: skip
        several = Variant(
            self.name, "themes", "Words, themes and several kinds of models",
            "The main themes of the texts and models of different kinds add to what single words say.",
            options | {"models": "several", "themes": 40}, fit_seconds=longer, min_seconds=20.0,
        )  # fmt: skip
        return [words, several]

    def render(self, task: Task, profile: Profile, variant: Variant) -> str:
        options = variant.options
        classes = task.problem_type.value not in NUMBERS
        labels = ordered_labels(task) if classes else []
        tune = tuned_on(task) if classes else None
        main = profile.table(task.train[0].table)
        texts = text_columns(task, profile)
        pair = pair_of(main, task.targets) if main else None
        pair = pair if pair and set(pair) <= set(texts) else None
        groups = task.split.value.kind == "group" and task.split.value.column
        uses = {
            "learn_ngrams": True, "counted": True, "cross_fitted": True, "linear_scores": True, "text_figures": True,
            "joined_texts": True, "plain_text": classes, "tuned_weights": bool(tune), "group_folds": bool(groups),
            "pair_figures": bool(pair), "learn_themes": bool(options["themes"]),
            "cosines": bool(pair and options["themes"]),
        }  # fmt: skip
        return render(
            "texts.py.j2", task, profile, blocks=[block for block, used in uses.items() if used],
            imports=["import time", "import joblib", "import numpy as np", *(["import json"] if tune else []),
                *(["from scipy.sparse import hstack"] if pair else [])],
            condense=False, target=task.targets[0], labels=labels, binary=task.problem_type.value == "binary",
            problem_type=task.problem_type.value if classes else "regression",
            eval_metric=eval_metric(task, tune) if classes else EVAL_METRICS.get(task.metric.value, "root_mean_squared_error"),
            models=chosen(FAMILIES[options["models"]], task.preferences, options["without"]), folds=FOLDS,
            text_columns=texts, pair=pair, themes=options["themes"], tune_on=tune, floor=floor_of(task, profile),
            group_column=task.split.value.column if groups else None,
        )  # fmt: skip

    def step_down(self, variant: Variant, failure: Failure) -> Variant | None:
        if variant.options["models"] == "small":
            return None
        options = variant.options | {"models": "small", "themes": 0}
        idea = "The larger attempt failed; one small model asks for least."
        return replace(
            variant, name=f"{variant.name}-small", title="One small model", idea=idea, options=options, min_seconds=5.0
        )


def text_columns(task: Task, profile: Profile) -> list[str]:
    """Input columns of free text, in their order; short ones only beside a long one."""
    main = profile.table(task.train[0].table)
    names = [feature.name for feature in task.used_features if feature.treat_as == "text"]
    return names if main is not None and any(_long(main, name) for name in names) else []


def _long(table: TableProfile, name: str) -> bool:
    column = table.column(name)
    letters = [len(text) for text in column.examples] if column else []
    return column is not None and ((column.mean_words or 0) >= SENTENCE or sum(letters) > 12 * len(letters))
