"""Hints that the rules do not understand, read by a language model; what comes out is checked like any correction."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from pydantic import BaseModel, Field

from mlzero.llm.facts import data_words
from mlzero.llm.faults import ModelFailed
from mlzero.llm.model import LanguageModel
from mlzero.llm.prompts import render
from mlzero.perception import hints
from mlzero.perception.hints import Reading
from mlzero.perception.profile import Profile
from mlzero.perception.task import Preferences, Task

MODELS = ("GBM", "CAT", "XGB", "RF", "XT", "NN_TORCH", "FASTAI", "LR", "KNN")  # as AutoGluon calls them
Correctable = Literal[
    "target", "problem_type", "metric", "id", "drop", "keep", "positive_label", "order", "split", "output"
]


class Change(BaseModel):
    """A correction of the task."""

    field: Correctable
    value: str


class Understood(BaseModel):
    """A hint, as a model read it."""

    changes: list[Change] = Field(default_factory=list, max_length=6)
    use_models: list[str] = Field(default_factory=list, max_length=9)
    avoid_models: list[str] = Field(default_factory=list, max_length=9)
    guidance: str = Field("", max_length=600)
    answer: str = Field(max_length=400)


@dataclass(frozen=True)
class HintReader:
    """Rules first; the model for what they leave open."""

    model: LanguageModel

    def __call__(self, text: str, task: Task, profile: Profile) -> Reading:
        """As `hints.interpret`, with guidance for the code where the hint asks for some."""
        ruled = hints.interpret(text, task, profile)
        if not ruled.needs_model:
            return ruled
        question = render("hint", hint=text[:2000], facts=data_words(task, profile), models=", ".join(MODELS))
        try:
            found = self.model.ask_for(Understood, "hint", question, most_tokens=500)
        except ModelFailed as failure:
            understood = f"{ruled.answer} " if ruled.overrides or ruled.preferences else ""
            answer = f"{understood}The language model could not read the hint: {failure.cause} It is kept for the code it writes next."
            return replace(ruled, answer=answer, guidance=text[:600])
        wishes = {
            name: named for name in ("use_models", "avoid_models")
            if (named := [m for m in getattr(found, name) if m in MODELS])
        }  # fmt: skip
        preferences = Preferences(**{**(ruled.preferences.model_dump(exclude_unset=True) if ruled.preferences else {}), **wishes})  # type: ignore[arg-type]  # fmt: skip
        return Reading(
            found.answer,
            {**{change.field: change.value for change in found.changes}, **ruled.overrides},
            preferences if preferences.model_fields_set else None,
            guidance=found.guidance or ("" if found.changes or wishes else text[:600]),
        )
