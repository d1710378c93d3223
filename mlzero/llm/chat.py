"""Questions about a run, answered from what the run wrote down."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mlzero.iterative_coding import evaluators
from mlzero.llm.facts import columns_words, run_facts
from mlzero.llm.model import LanguageModel
from mlzero.llm.prompts import fenced, render
from mlzero.perception.profile import Profile
from mlzero.perception.task import Task

EVALUATION = 2500  # characters of all evaluation files together
SUMMARIES = {  # evaluation files, and what in them tells of all rows together
    "confusion_matrix": ("labels", "matrix"),
    "label_scores": ("labels",),
    "importance": ("columns",),
    "steps": ("step", "error"),
    "entities": ("types",),
    "masks": ("classes",),
    "boxes": ("classes",),
    "ranked": ("first",),
}
ROW = r"(?:\b(?:row|line|zeile|fila|línea|ligne|linha)|第|行)\s*(?:no\.?|number|nr\.?|número|nummer|numéro|#)?\s*(\d{1,9})"
TURNS = 3  # earlier questions and answers that are sent along


def answer(
    model: LanguageModel,
    question: str,
    *,
    record: dict[str, Any],
    task: Task | None,
    profile: Profile | None,
    evaluation: Path | None,
    earlier: list[tuple[str, str]],
    reasons: str = "",
    on_text: Callable[[str], None] | None = None,
) -> str:
    """A short answer in the language of the question.

    Parameters
    ----------
    record
        `run.json`.
    evaluation
        The folder with the evaluation of the best attempt.
    earlier
        Questions and answers so far.
    reasons
        What the predictor told about the row that the question is about.

    Raises
    ------
    ModelFailed
        With the cause in plain words.
    """
    talk = "\n".join(f"Q: {asked}\nA: {said}" for asked, said in earlier[-TURNS:])
    asked = render(
        "chat", question=question[:1500], run=run_facts(record, 5000), talk=talk,
        columns=fenced(columns_words(task, profile)) if task and profile else "",
        evaluation=_evaluation(evaluation), reasons=fenced(reasons, 2000) if reasons else "",
    )  # fmt: skip
    return model.ask("question", asked, most_tokens=700, on_text=on_text)


def row_asked(question: str) -> int | None:
    """The number of the row that a question names, such as "why row 17?", in any of the usual languages."""
    found = re.search(ROW, question, re.IGNORECASE)
    return int(found.group(1)) if found else None


def _evaluation(folder: Path | None) -> str:
    """What was measured of the best attempt, fenced; single rows with their answers stay here."""
    if folder is None:
        return ""
    found: dict[str, Any] = {}
    for name, parts in SUMMARIES.items():
        data = evaluators.read(folder, name)
        told = {part: data[part] for part in parts if part in data}
        if told and len(json.dumps(told)) < EVALUATION:
            found[name] = told
    return fenced(found, EVALUATION) if found else ""
