"""A second opinion on the task. The data decides: only what is uncertain and stands among the alternatives may change."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from mlzero.llm.facts import data_words
from mlzero.llm.faults import ModelFailed
from mlzero.llm.model import LanguageModel
from mlzero.llm.prompts import cell, fenced, render
from mlzero.perception.profile import Profile
from mlzero.perception.task import Task

SURE = {  # an inference with at least this confidence is not up for review
    "target": 0.75, "problem_type": 0.75, "id": 0.75, "positive_label": 0.75,
    "metric": 0.6,  # the usual metric of a kind of task is no guess
}  # fmt: skip


class Correction(BaseModel):
    """One field that the model reads otherwise."""

    field: Literal["target", "problem_type", "metric", "id", "positive_label"]
    value: str
    reason: str = Field(max_length=300)


class Review(BaseModel):
    """Empty: all is as it should be."""

    corrections: list[Correction] = Field(default_factory=list, max_length=5)


def open_fields(task: Task) -> dict[str, list[str]]:
    """Fields that data and goal leave open, with what else they could be."""
    found = {}
    for name, sure in SURE.items():
        inferred = getattr(task, name)
        others = [str(other) for other in inferred.alternatives if isinstance(other, str)]
        if name not in task.overridden and inferred.confidence < sure and others:
            found[name] = others
    return found


def review(model: LanguageModel, task: Task, profile: Profile) -> list[Correction]:
    """Corrections worth trying, at most one a field.

    None when nothing is open, or from a small model, whose word would be taken for what the data leaves open: no call.
    """
    open_ = open_fields(task)
    if not open_ or model.connection.small:
        return []
    lines = [
        f"{name}: {cell(getattr(task, name).value)} ({getattr(task, name).evidence[:200]}) or {' or '.join(map(cell, others[:12]))}"
        for name, others in open_.items()
    ]
    question = render("review", facts=data_words(task, profile), open=fenced("\n".join(lines)))
    try:
        found = model.ask_for(Review, "review", question, most_tokens=500)
    except ModelFailed:
        return []
    allowed = {c.field: c for c in found.corrections if c.value in open_.get(c.field, [])}
    return list(allowed.values())
