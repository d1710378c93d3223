"""Who writes solutions. The built-in coder renders recipes; a language model can join behind the same protocol."""

from __future__ import annotations

import ast
import importlib.util
from dataclasses import replace
from typing import Protocol

from mlzero.episodic_memory.lessons import Lessons
from mlzero.errors import UserError
from mlzero.iterative_coding.contract import Diagnosis, Failure, Machine, Variant
from mlzero.perception.profile import Profile
from mlzero.perception.task import ANSWERS, Task
from mlzero.semantic_memory.installed_api import unknown_options
from mlzero.semantic_memory.recall import recall
from mlzero.semantic_memory.recipes import recipe

REQUIRED = {  # functions of the contract and how many arguments they take
    "load_train": 1, "load_test": 1, "load_new": 2, "fit": 3, "predict": 2,
}  # fmt: skip


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
        """As the recipe plans it, what won on similar tasks earlier; raises UserError when no recipe carries the task."""
        found = recall(task, profile)
        if not found.recipes:
            raise UserError(
                f"From {task.modality.value.replace('_', ' ')} data this version cannot train a predictor whose answer is "
                f"{ANSWERS[task.problem_type.value]}.",
                "Correct the kind of problem if it was misread.",
            )
        return self._lessons.ordered(found.recipes[0].ladder(task, profile, machine, seconds), task)

    def write(self, task: Task, profile: Profile, variant: Variant) -> str:
        """The rendered recipe; options the installed libraries do not know are left out."""
        source = recipe(variant.recipe).render(task, profile, variant)
        unknown = unknown_options(source)
        if unknown:
            source = recipe(variant.recipe).render(task, profile, without(variant, unknown))
        check(source)
        return source

    def repair(self, variant: Variant, failure: Failure, diagnosis: Diagnosis) -> Variant | None:
        """What worked against this failure before, else without the option at fault, else the recipe's step down."""
        if failure.kind == "stopped":
            return None
        remembered = self._lessons.remedy(diagnosis.signature, variant.recipe)
        if remembered and (mended := remembered.applied(variant)):
            return mended
        remedy, _, subject = (diagnosis.remedy or "").partition(":")
        if remedy == "drop_option" and subject not in variant.options.get("drop_options", []):
            return replace(
                without(variant, [subject]), name=f"{variant.name.split('-')[0]}-without-{subject}",
                idea=f"The same without the option {subject}, which the installed library does not know.",
            )  # fmt: skip
        return recipe(variant.recipe).step_down(variant, failure)


def without(variant: Variant, options: list[str]) -> Variant:
    """The variant with more options of library calls left out."""
    dropped = [*variant.options.get("drop_options", []), *options]
    return replace(variant, options=variant.options | {"drop_options": dropped})


def check(source: str) -> None:
    """Whether the text is a solution: it parses, has the functions of the contract and imports what is installed.

    Raises
    ------
    SyntaxError, ValueError
        Naming the line, the function or the package.
    """
    tree = ast.parse(source)
    defined = {node.name: len(node.args.args) for node in tree.body if isinstance(node, ast.FunctionDef)}
    for name, arguments in REQUIRED.items():
        if defined.get(name) != arguments:
            raise ValueError(
                f"the solution has no function {name} with {arguments} argument{'s' if arguments > 1 else ''}"
            )
    for node in ast.walk(tree):
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
        names += [node.module] if isinstance(node, ast.ImportFrom) and node.module and not node.level else []
        for name in names:
            if importlib.util.find_spec(name.partition(".")[0]) is None:
                raise ValueError(f"the solution imports {name}, which is not installed")
