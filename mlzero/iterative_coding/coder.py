"""Who writes solutions. The built-in coder renders recipes; a language model can join behind the same protocol."""

from __future__ import annotations

import ast
from typing import Protocol

from mlzero.episodic_memory.lessons import Lessons
from mlzero.errors import UserError
from mlzero.iterative_coding.contract import Diagnosis, Failure, Machine, Variant
from mlzero.perception.profile import Profile
from mlzero.perception.task import Task
from mlzero.semantic_memory.recall import recall
from mlzero.semantic_memory.recipes import recipe

REQUIRED = ("load_train", "load_new", "fit", "predict")


class Coder(Protocol):
    """Plans and writes attempts."""

    def ladder(self, task: Task, profile: Profile, machine: Machine, seconds: float) -> list[Variant]:
        """Variants worth trying within `seconds`, the quick one first."""

    def write(self, task: Task, profile: Profile, variant: Variant) -> str:
        """The text of `solution.py`."""

    def repair(self, variant: Variant, failure: Failure, diagnosis: Diagnosis) -> Variant | None:
        """A variant that avoids the failure, or None."""


class RecipeCoder:
    """The built-in coder: recipes of semantic memory, lessons of episodic memory."""

    def __init__(self, lessons: Lessons) -> None:
        self._lessons = lessons

    def ladder(self, task: Task, profile: Profile, machine: Machine, seconds: float) -> list[Variant]:
        """As the recipe plans it; raises UserError when no recipe carries the task."""
        found = recall(task, profile)
        if not found.recipes:
            raise UserError(
                f"This version cannot train a predictor for {task.problem_type.value.replace('_', ' ')} on "
                f"{task.modality.value.replace('_', ' ')} data.", "Correct the kind of problem if it was misread.",
            )
        return found.recipes[0].ladder(task, profile, machine, seconds)

    def write(self, task: Task, profile: Profile, variant: Variant) -> str:
        source = recipe(variant.recipe).render(task, profile, variant)
        check(source)
        return source

    def repair(self, variant: Variant, failure: Failure, diagnosis: Diagnosis) -> Variant | None:
        """What worked against this failure before, else the recipe's own step down."""
        if failure.kind == "stopped":
            return None
        remembered = self._lessons.remedy(diagnosis.signature, variant.recipe)
        if remembered is not None and remembered.options != variant.options:
            return remembered
        return recipe(variant.recipe).step_down(variant, failure)


def check(source: str) -> None:
    """Whether the text is a solution: it parses and has the functions of the contract.

    Raises
    ------
    SyntaxError, ValueError
        Naming the line, or the function that is missing.
    """
    defined = {node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
    missing = [name for name in REQUIRED if name not in defined]
    if missing:
        raise ValueError(f"the solution has no function {', '.join(missing)}")
