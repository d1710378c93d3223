"""Pictures, recordings, texts or documents, alone or beside other columns: a fixed encoder a column, then a small model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from mlzero.iterative_coding.contract import Failure, Machine, Recipe, Variant
from mlzero.perception.profile import FILES, Profile
from mlzero.perception.task import FeaturePlan, Task
from mlzero.semantic_memory import weights
from mlzero.semantic_memory.recipes.fine_tuned import FineTuned
from mlzero.semantic_memory.recipes.models import FAMILIES, chosen
from mlzero.semantic_memory.recipes.rendering import render, rows_of
from mlzero.semantic_memory.recipes.table_several import SeveralTargets, answers_as_written
from mlzero.semantic_memory.recipes.tabular import (
    Tabular,
    eval_metric,
    floor_of,
    log_target,
    ordered_labels,
    sampled,
    tuned_on,
)

KINDS = ("binary", "multiclass", "regression", "multilabel", "multitarget")
FOLDS = 5
DIRECTIONS = 48  # main directions of the vectors that trees get to see beside other columns
# Linear models on standardised vectors: few rows and many dimensions want them strongly regularised.
LINEAR: dict[str, list[dict[str, Any]]] = {
    "LR": [
        {"C": c, "proc.skew_threshold": 1e9, "ag_args": {"name_suffix": f"_C{c}", "priority": 100 - place}}
        for place, c in enumerate((0.003, 0.0003, 0.03))
    ]
}
LEAST = 60.0  # seconds that linear models may take in any case: they are soon done, and nothing is cheaper


@dataclass(frozen=True)
class Encoder:
    """Turns the cells of a column into vectors.

    `block(values, **keywords)` gives rows x dimensions, float32, with NaN for a value that is none. With `weights`
    the block's second argument is the file that `fit` keeps beside the model, and `sizes` are the sizes to choose from.
    """

    block: str
    weights: weights.Encoder | None = None
    sizes: tuple[int, ...] = ()
    mirrored: bool = False


# What a kind of column is encoded by: for the quick attempt, then for the better one. All that are ready are used
# side by side. A text column stands here with its encoder, too.
QUICK: dict[str, list[Encoder]] = {
    "image": [Encoder("image_vectors", weights.LITE0, (224, 160, 128, 96))],
    "audio": [Encoder("audio_vectors")],
    "document": [Encoder("document_vectors")],
}
BETTER: dict[str, list[Encoder]] = {
    "image": [
        Encoder("image_vectors", weights.LITE2, (288, 256, 224, 192, 160), mirrored=True),
        Encoder("image_features"),
    ],
}
PLAIN: dict[str, list[Encoder]] = {  # without pretrained weights
    "image": [Encoder("image_features")],
    "audio": [Encoder("audio_vectors")],
    "document": [Encoder("document_vectors")],
}


def encoders_of(kind: str, table: dict[str, list[Encoder]]) -> list[Encoder]:
    """Encoders of a kind of column that can be used here; the plain ones when none of the table's with weights is ready."""
    usable = [encoder for encoder in table.get(kind, []) if encoder.weights is None or weights.ready(encoder.weights)]
    wanted = any(encoder.weights for encoder in table.get(kind, []))
    return usable if usable and (not wanted or any(e.weights for e in usable)) else PLAIN.get(kind, [])


def encoded_columns(task: Task) -> list[FeaturePlan]:
    """The input columns that need an encoder."""
    return [feature for feature in task.used_features if feature.treat_as in FILES]


class Encoded:
    """Binary, multiclass, regression, multilabel and multitarget on files, alone or in a table."""

    name = "encoded"

    def applies(self, task: Task, profile: Profile) -> bool:
        columns = encoded_columns(task)
        return (
            task.problem_type.value in KINDS
            and bool(task.train and columns)
            and all(encoders_of(column.treat_as, QUICK) for column in columns)
        )

    def ladder(self, task: Task, profile: Profile, machine: Machine, seconds: float) -> list[Variant]:
        rows = rows_of(task, profile)
        longer = (2.0 if task.preferences.more_time else 1.0) * max(40.0, 0.45 * seconds)
        quick = Variant(
            self.name, "quick", "A small pretrained network and linear models",
            "What a network learnt from millions of pictures describes these, too; linear models learn the rest in seconds.",
            {"encoders": "quick", "rows": rows}, fit_seconds=min(longer, 40.0 + rows * 0.04), min_seconds=8.0,
        )  # fmt: skip
        better = Variant(
            self.name, "better", "A larger pretrained network, each picture looked at twice",
            "A larger network on larger pictures, also mirrored, and plain measures of colour, edges and texture beside it.",
            {"encoders": "better", "rows": rows}, fit_seconds=longer, min_seconds=min(longer, 15.0 + rows * 0.02),
        )  # fmt: skip
        if any(feature.treat_as not in FILES for feature in task.used_features):
            table: Recipe = SeveralTargets() if task.problem_type.value in ("multilabel", "multitarget") else Tabular()
            first = table.ladder(task, profile, machine, seconds)[0]
            first = replace(first, title=f"{first.title}, without the files")
            beside = replace(
                quick, name="together", title="A small pretrained network beside the other columns", fit_seconds=longer,
                idea="What the files show and what the other columns say go to the same models.",
                options=quick.options | {"models": "few"}, min_seconds=min(longer, 15.0 + rows * 0.015),
            )  # fmt: skip
            return [first, beside, replace(better, options=better.options | {"models": "few"})]
        kinds = {column.treat_as for column in encoded_columns(task)}
        same = all(encoders_of(kind, QUICK) == encoders_of(kind, BETTER) for kind in kinds)
        return [quick, *([] if same else [better]), *FineTuned().ladder(task, profile, machine, seconds)]

    def render(self, task: Task, profile: Profile, variant: Variant) -> str:
        options, kind = variant.options, task.problem_type.value
        classes, several = kind in ("binary", "multiclass"), kind in ("multilabel", "multitarget")
        found = _calls(encoded_columns(task), options["encoders"], task.preferences.foreground)
        beside = [feature for feature in task.used_features if feature.treat_as not in FILES]
        labels = ordered_labels(task) if classes else []
        tune_on = tuned_on(task) if classes else None
        log, reason = log_target(task, profile)
        written = answers_as_written(task, profile) if kind == "multilabel" else None
        by_groups = task.split.value.kind == "group" and bool(task.split.value.column)
        uses = {
            "plain_text": bool(labels or written), "tuned_weights": bool(tune_on), "tuned_threshold": kind == "multilabel",
            "group_folds": by_groups, "keep_encoder": any(call["weights"] for call in found),
            "affordable_size": any(call["sizes"] for call in found), "thing_alone": any(call["alone"] for call in found),
        }  # fmt: skip
        imports = {
            "import json": bool(tune_on) or kind == "multilabel" or any(call["weights"] for call in found),
            "from typing import Any": True, "import time": True, "import numpy as np": True,
            "import sys": any(call["weights"] for call in found), "import joblib": bool(beside) or task.problem_type.value == "multilabel",
        }  # fmt: skip
        quick = options["encoders"] != "better"
        linear = {"LR": LINEAR["LR"][:1]} if quick else LINEAR
        models = FAMILIES[options.get("models", "quick")] if beside else linear
        return render(
            "encoded.py.j2", task, profile,
            blocks=[*dict.fromkeys(call["block"] for call in found), *(block for block, used in uses.items() if used)],
            imports=[line for line, used in imports.items() if used],
            targets=task.targets, target=task.targets[0], several=several, labels=labels, problem_type=kind,
            each_type={"multilabel": "binary", "multitarget": "regression"}.get(kind, kind),
            eval_metric="log_loss" if kind == "multilabel" else "root_mean_squared_error" if several else eval_metric(task, tune_on),
            models=chosen(models, task.preferences, options.get("without", [])) if beside else models,
            folds=FOLDS, least=10.0 if beside else LEAST, calls=found, weighted=[call for call in found if call["weights"]],
            encoders={call["weights"]: call["sha256"] for call in found if call["weights"]}, beside=bool(beside), directions=DIRECTIONS,
            split_column=task.split.value.column if by_groups else None, tune_on=tune_on, answers_as_written=written,
            average="macro" if "macro" in task.metric.value else "micro",
            log_target=log, log_reason=reason, floor=floor_of(task, profile) if kind == "regression" else None,
            drop_options=options.get("drop_options", []), turned=task.preferences.turned,
            **sampled(options),
        )  # fmt: skip

    def step_down(self, variant: Variant, failure: Failure) -> Variant | None:
        options = dict(variant.options)
        if options["encoders"] != "plain":
            options["encoders"] = "plain" if options["encoders"] == "quick" else "quick"
            return replace(
                variant, name=f"{variant.name}-{options['encoders']}", title="A simpler description of the files",
                idea="The larger attempt failed; a simpler description asks for less.", options=options, min_seconds=5.0,
            )  # fmt: skip
        rows = options.get("sample_rows", options["rows"])
        if failure.kind not in ("memory", "timeout", "killed", "disk") or rows < 1000:
            return None
        options["sample_rows"] = rows // 4
        return replace(
            variant, name=f"{variant.name.split('-')[0]}-{rows // 4}", title=f"On {rows // 4:,} rows", options=options,
            idea="A sample of the rows needs less memory and time.", min_seconds=5.0,
        )  # fmt: skip


def _calls(columns: Sequence[FeaturePlan], which: str, foreground: bool) -> list[dict[str, Any]]:
    """What the template needs to write one call of an encoder a column; `foreground`: of pictures without their background."""
    table = {"quick": QUICK, "better": BETTER, "plain": PLAIN}[which]
    return [
        {
            "column": column.name, "block": encoder.block, "mirrored": encoder.mirrored, "sizes": list(encoder.sizes),
            "alone": foreground and column.treat_as == "image",
            "weights": encoder.weights and encoder.weights.path.name,
            "sha256": encoder.weights and weights.digest(encoder.weights.path),
        }
        for column in columns
        for encoder in encoders_of(column.treat_as, table)
    ]  # fmt: skip
