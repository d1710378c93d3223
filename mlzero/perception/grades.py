"""The order of labels that are grades, where the metric looks at it."""

from __future__ import annotations

import re
from itertools import pairwise

from mlzero.errors import UserError
from mlzero.iterative_coding.labels import in_order, number_of
from mlzero.perception import override, scales
from mlzero.perception.goal import Brief
from mlzero.perception.override import BY_USER, Overrides
from mlzero.perception.task import Inferred, Question
from mlzero.perception.wording import fold, quote_list

FIELD = "order"
_DOUBT = 0.5  # confidence below which the user is asked
_CODE = re.compile(r"(?:\d?[A-Za-z](?:\d[a-z]?)?|[A-Z]{2,3}\d?)[+-]?")  # B, A2, 1a, AAA, B+; not "ok", 好, 1/2
_BESIDE = re.compile(r"[\s\"'“”„«»()]*(?:[,;/|<、，]|->|→|to|bis|and|or|und|oder|y|o|et|ou|a)?[\s\"'“”„«»(]*")


def order_of(labels: list[str], metric: str, brief: Brief, given: Overrides) -> Inferred[list[str]]:
    """Labels, the lowest grade first; empty where the metric does not look at their order.

    Parameters
    ----------
    labels
        The most frequent first.

    Raises
    ------
    UserError
        When the user set an order that is none of these labels.
    """
    if given.order is not None:
        return Inferred[list[str]](value=_set(given.order, labels), evidence=BY_USER)
    if metric != "quadratic_kappa" or len(labels) < 3:
        return Inferred[list[str]](value=[])
    usual = in_order(labels)
    said = listed(labels, brief.said)
    if said:
        return _found(said, 0.85, f"{brief.source(said[0]).capitalize()} names them in this order.", [usual])
    if len({number_of(label) for label in labels} - {None}) == len(labels):
        return _found(usual, 0.95, "The labels hold numbers.", [])
    if scales.order_of(labels):
        return _found(usual, 0.95, "All labels are words of one known scale.", [])
    if all(_CODE.fullmatch(label) for label in labels):
        return _found(usual, 0.7, "The labels are short codes, taken in the order of the alphabet.", [labels])
    unsure = "The metric looks at the order of the labels, and these words do not tell it: the order of the alphabet is assumed."
    return _found(usual, 0.3, unsure, [labels])


def question_of(order: Inferred[list[str]], target: str) -> Question | None:
    """What to ask when the order is a guess."""
    if not order.value or order.confidence >= _DOUBT:
        return None
    return Question(
        field=FIELD, text=f'What is the order of the labels of "{target}", the lowest first? Another one than these can be set as {FIELD}.',
        options=[written(labels) for labels in (order.value, *order.alternatives)], default=written(order.value),
    )  # fmt: skip


def written(labels: list[str]) -> str:
    """An order as people write it, and as the correction `order` takes it."""
    return " < ".join(labels)


def listed(labels: list[str], text: str) -> list[str] | None:
    """The labels as a text lists them, one after the other with nothing between but commas and the like."""
    folded = fold(text)
    pattern = "|".join(re.escape(fold(label)) for label in sorted(labels, key=len, reverse=True))
    found = [(match.start(), match.end()) for match in re.finditer(rf"(?<!\w)(?:{pattern})(?!\w)", folded)]
    by_text = {fold(label): label for label in labels}
    for first in range(len(found) - len(labels) + 1):
        run = found[first : first + len(labels)]
        named = [by_text[folded[a:b]] for a, b in run]
        gaps = [folded[b:a] for (_, b), (a, _) in pairwise(run)]
        if len({*named}) == len(labels) and all(_BESIDE.fullmatch(gap) for gap in gaps):
            return named
    return None


def _found(value: list[str], confidence: float, evidence: str, others: list[list[str]]) -> Inferred[list[str]]:
    same = (value, value[::-1])  # what is lowest does not change how far labels are apart
    return Inferred[list[str]](
        value=value, confidence=confidence, evidence=evidence, alternatives=[o for o in others if o not in same]
    )


def _set(text: str, labels: list[str]) -> list[str]:
    """The labels in the order that the user wrote; raises UserError when it leaves one out or names one twice."""
    if not labels:
        raise UserError("Only an answer that is one of several labels has an order.", "Remove the correction.")
    parts = [part.strip() for part in text.split("<" if "<" in text else ",")]
    named = [override.label(part, labels) for part in parts if part]
    absent = [label for label in labels if label not in named]
    if absent or len({*named}) < len(named):
        fault = f"leaves out {quote_list(absent)}" if absent else "names a label twice"
        raise UserError(
            f"The order of the labels {fault}.",
            f'Name each of the labels once, the lowest first, as in "{written(in_order(labels))}".',
        )
    return named
