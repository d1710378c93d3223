"""Hints about the answer: what is predicted, as labels or numbers, in which order, and by what it is judged.

Each function reads a clause in small letters without accents and adds what it asks for to the draft; those that are
asked in turn say whether it asked for anything.
"""

from __future__ import annotations

import re

from mlzero.iterative_coding import metrics
from mlzero.perception import grades, metric_words
from mlzero.perception import hint_words as words
from mlzero.perception.column_marks import Marked
from mlzero.perception.hint_draft import Draft
from mlzero.perception.wording import fold


def positive(clause: str, columns: list[str], draft: Draft) -> bool:
    """The label that counts as yes."""
    if not re.search(words.POSITIVE, clause):
        return False
    rest = re.sub(words.POSITIVE, " ", clause)
    named = [x for x in draft.task.labels if re.search(rf"(?<!\w){re.escape(fold(x))}(?!\w)", rest)]
    if len(named) != 1:
        return False
    draft.overrides["positive_label"] = named[0]
    draft.parts.append(f'count "{named[0]}" as yes')
    return True


def order(clause: str, columns: list[str], draft: Draft) -> bool:
    """The order of labels that are grades."""
    labels = draft.task.labels
    graded = grades.listed(labels, clause) if len(labels) > 2 and re.search(words.ORDER, clause) else None
    if graded is None:
        return False
    draft.overrides[grades.FIELD] = grades.written(graded)
    draft.parts.append(f"take the labels in the order {grades.written(graded)}")
    return True


def target(clause: str, columns: list[str], draft: Draft) -> bool:
    """The column to predict, and whether as a number or as classes."""
    said = re.search(words.TARGET, clause)
    if not columns or not said or re.search(f"{words.NOT}|{words.OUT}", clause):
        return False
    later = re.search(r"§(\d+)§", clause[said.end() :])
    name = Marked.named(later.group(), columns, clause) if later else columns[0]
    draft.overrides["target"] = name
    draft.parts.append(f'predict "{name}"')
    _problem(clause, draft)
    return True


def answer_kind(clause: str, draft: Draft) -> None:
    """Whether labels or probabilities are wanted, numbers or classes."""
    if draft.task.problem_type.value in ("binary", "multiclass", "multilabel"):
        chances, labels = re.search(words.PROBABILITIES, clause), re.search(words.LABELS, clause)
        no = re.search(words.NOT, clause)
        if chances and no:
            wanted = "label" if no.start() < chances.start() else "probability"
        else:
            wanted = "probability" if chances else "label" if labels and not re.search(r"\btarget\b", clause) else ""
        if wanted:
            draft.overrides["output"] = wanted
            draft.parts.append("answer with probabilities" if wanted == "probability" else "answer with labels")
            return
    _problem(clause, draft)


def balance(clause: str, draft: Draft) -> bool:
    """That rare classes count as much as others."""
    if not re.search(words.BALANCE, clause):
        return False
    draft.wishes["balance_classes"] = True
    judged_by = draft.task.metric
    if judged_by.value == "accuracy" and judged_by.confidence < 0.9 and "metric" not in draft.task.overridden:
        draft.overrides["metric"] = "balanced_accuracy"
        draft.parts.append("count every class alike (balanced accuracy)")
    else:
        draft.parts.append("give rare classes their weight")
    return True


def metric(clause: str, draft: Draft) -> None:
    """What answers are judged by, as far as it can judge answers of this kind."""
    named = [n for n in metric_words.named_in(clause) if not n.words.startswith("accurate")]
    if not named or re.search(words.NOT, clause[: max(0, fold(clause).find(named[0].words))]):
        return
    if "target" in draft.overrides or "problem_type" in draft.overrides:
        draft.overrides["metric"] = named[0].metric
        draft.parts.append(f"judge by {metrics.get(named[0].metric).text}")
        return
    kind = draft.task.problem_type.value
    fitting = metrics.names(kind)
    for name, _ in named:
        suited = metric_words.suited(name, kind, kind == "multiclass")
        if suited in fitting:
            draft.overrides["metric"] = suited
            draft.parts.append(f"judge by {metrics.get(suited).text}")
            return
    kept = metrics.get(draft.task.metric.value).text
    draft.remarks.append(f"{metrics.get(named[0].metric).text} cannot judge this kind of answer, so I keep {kept}.")


def _problem(clause: str, draft: Draft) -> None:
    for kind, pattern in words.PROBLEMS:
        if re.search(pattern, clause):
            name = draft.overrides.get("target") or (draft.task.targets or [""])[0]
            column = draft.table.column(name) if draft.table else None
            if kind == "regression":
                draft.overrides["problem_type"] = kind
                draft.parts.append("predict it as a number")
            else:
                draft.overrides["problem_type"] = "binary" if column and column.unique == 2 else "multiclass"
                draft.parts.append("predict it as classes")
            return
