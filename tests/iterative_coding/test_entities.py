"""Whole entities as the unit of measurement."""

from __future__ import annotations

import random

import pytest

from mlzero.iterative_coding.kinds.entities import by_type, measured, spans


@pytest.mark.parametrize(
    ("tags", "found"),
    [
        ("O B-PER I-PER O", {(1, 3, "PER")}),
        ("B-PER B-PER", {(0, 1, "PER"), (1, 2, "PER")}),
        ("I-PER I-LOC", {(0, 1, "PER"), (1, 2, "LOC")}),
        ("S-LOC B-PER I-PER E-PER S-PER", {(0, 1, "LOC"), (1, 4, "PER"), (4, 5, "PER")}),
        ("PER PER O", {(0, 2, "PER")}),
        ("B-creative_work I-creative_work", {(0, 2, "creative_work")}),
    ],
)
def test_spans(tags: str, found: set[tuple[int, int, str]]) -> None:
    assert spans(tags.split()) == found


def test_equals_seqeval() -> None:
    seqeval = pytest.importorskip("seqeval.metrics")
    dice = random.Random(1)
    truth, said = (
        [[dice.choice(["O", "O", "B-A", "I-A", "B-B", "I-B"]) for _ in range(12)] for _ in range(60)] for _ in range(2)
    )
    assert measured("entity_f1", truth, said) == pytest.approx(seqeval.f1_score(truth, said))
    assert measured("token_accuracy", truth, said) == pytest.approx(seqeval.accuracy_score(truth, said))


def test_counts_by_type() -> None:
    found = by_type([["B-A", "O"], ["B-B", "I-B"]], [["B-A", "O"], ["B-B", "O"]])
    assert found == {"types": [
        {"name": "A", "real": 1, "said": 1, "right": 1}, {"name": "B", "real": 1, "said": 1, "right": 0},
    ]}  # fmt: skip
