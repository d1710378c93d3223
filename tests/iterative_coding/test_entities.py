"""Whole entities as the unit of measurement."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from mlzero.iterative_coding.kinds import Case
from mlzero.iterative_coding.kinds.entities import MEASURE, by_type, measured, pieces, spans
from mlzero.perception.task import FeaturePlan, Inferred, Task


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
def test_spans_in_every_scheme(tags: str, found: set[tuple[int, int, str]]) -> None:
    assert spans(tags.split()) == found


def test_measures_equal_those_of_seqeval() -> None:
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


def test_a_sentence_is_cut_into_what_is_found_missed_and_wrong() -> None:
    real = {(0, 2, "A"), (3, 4, "A"), (5, 6, "A")}
    said = {(0, 2, "A"), (4, 5, "B"), (5, 6, "B")}
    cut = pieces(["a", "b", "c", "d", "e", "f"], real, said)
    assert [(p["text"], p["state"], p["kind"]) for p in cut] == [
        ("a b", "found", "A"), ("c", "", ""), ("d", "missed", "A"), ("e", "wrong", "B"), ("f", "wrong", "B, not A"),
    ]  # fmt: skip


def test_the_worst_sentences_are_left_to_look_at(tmp_path: Path) -> None:
    import pandas as pd

    task = Task.model_construct(
        target=Inferred(value="tags"), features=[FeaturePlan(name="words", treat_as="tokens")], labels=["B-A", "O"]
    )
    rows = pd.DataFrame({"words": ["x y", "u v"]})
    truth, said = pd.DataFrame({"tags": ["B-A O", "B-A O"]}), pd.DataFrame({"tags": ["B-A O", "O O"]})
    MEASURE.evaluate(Case(task, tmp_path, rows, rows, truth, said), tmp_path)
    left = json.loads((tmp_path / "sentences.json").read_text())["sentences"]
    assert left == [[{"text": "u", "state": "missed", "kind": "A"}, {"text": "v", "state": "", "kind": ""}]]
    assert json.loads((tmp_path / "worst_examples.json").read_text())["examples"][0]["true"] == "u (A)"
