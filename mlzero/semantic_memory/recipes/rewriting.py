"""Texts rewritten: remembered answers, and operations chosen by how a word is written."""

from __future__ import annotations

from mlzero.iterative_coding.contract import Failure, Machine, Variant
from mlzero.perception.profile import Profile
from mlzero.perception.task import Task
from mlzero.semantic_memory.recipes.rendering import render

WORDS = 1.6  # words a row from which rows are sentences


class Rewriting:
    """A text for a text that is close to it."""

    name = "rewriting"

    def applies(self, task: Task, profile: Profile) -> bool:
        return task.problem_type.value == "sequence_to_sequence" and bool(task.train)

    def ladder(self, task: Task, profile: Profile, machine: Machine, seconds: float) -> list[Variant]:
        return [
            Variant(
                self.name, "operations", "Remembered answers, else the operation that suits the word",
                "Words come again, and new ones are rewritten as words that look like them.",
                {}, fit_seconds=max(20.0, 0.4 * seconds), min_seconds=5.0,
            )
        ]  # fmt: skip

    def render(self, task: Task, profile: Profile, variant: Variant) -> str:
        table = profile.table(task.train[0].table)
        assert table is not None
        source = task.used_features[0].name
        column = table.column(source)
        return render(
            "rewriting.py.j2", task, profile, blocks=["word_pairs", "learn_rewriting", "rewrite_words"],
            imports=["import joblib"], source=source, target=task.targets[0],
            sentences=column is not None and (column.mean_words or 1) >= WORDS,
        )  # fmt: skip

    def step_down(self, variant: Variant, failure: Failure) -> Variant | None:
        return None
