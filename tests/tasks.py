"""Tasks made by hand."""

from __future__ import annotations

from typing import Any

from mlzero.perception.task import Inferred, OutputPlan, SplitPlan, Task


def plain_task(**changes: Any) -> Task:
    """A task of two classes in the column `y`; values are given plainly, also where a task holds inferences."""
    inferred: dict[str, Any] = {
        "modality": "tabular", "problem_type": "binary", "target": "y", "metric": "accuracy", "id": None, "files": [],
        "split": SplitPlan(), "output": OutputPlan(), "positive_label": None,
    }  # fmt: skip
    values = {name: Inferred(value=changes.pop(name, value)) for name, value in inferred.items()}
    return Task(**{"goal": "Tell y.", **values, **changes})
