"""Rewriting: what is recognised as such, what is learnt, how it is measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from mlzero.errors import UserError
from mlzero.iterative_coding.kinds.rewriting import chrf
from mlzero.perception.scan import profile
from mlzero.perception.understand import infer_task
from mlzero.semantic_memory.blocks.rewriting import learn_rewriting, rewrite_words, rewritten, word_pairs


@pytest.mark.parametrize(
    ("operation", "word", "answer"),
    [
        ("cardinal", "1,234", "one thousand two hundred thirty four"),
        ("ordinal", "21st", "twenty first"),
        ("year", "1905", "nineteen o five"),
        ("date, day first", "12/3/2010", "the twelfth of march twenty ten"),
        ("date, american", "2010-03-12", "march twelfth twenty ten"),
        ("decimal", "3.14", "three point one four"),
        ("letters", "B.B.C", "b b c"),
        ("cardinal", "house", None),
    ],
)
def test_operations_rewrite_what_they_are_for(operation: str, word: str, answer: str | None) -> None:
    assert rewritten(word, operation) == answer


def test_learns_operations_and_memory() -> None:
    numbers = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
    rows = [[("Dr", "doctor"), (str(i + 1), word), ("cats", "cats")] for i, word in enumerate(numbers)] * 3
    learnt = learn_rewriting(rows)
    assert rewrite_words(["Dr", "12", "cats", "dogs"], learnt) == ["doctor", "twelve", "cats", "dogs"]


def test_aligns_sentences() -> None:
    assert word_pairs("i luv u 2 much", "i love you too much", True) == [
        ("i", "i"), ("luv", "love"), ("u", "you"), ("2", "too"), ("much", "much")
    ]  # fmt: skip


def test_chrf_is_one_for_equal_texts() -> None:
    assert chrf("same text", "same text") == 1.0
    assert 0 < chrf("same text", "some text") < 1


def test_a_text_before_and_after_is_a_rewriting_task(tmp_path: Path) -> None:
    rows = "\n".join(f"{i},{i * 7} cats number {i},seven times {i} cats number {i}" for i in range(100))
    (tmp_path / "train.csv").write_text(f"id,before,after\n{rows}\n", encoding="utf-8")
    new = "\n".join(f"{i},{i * 7} cats number {i}" for i in range(200, 260))
    (tmp_path / "test.csv").write_text(f"id,before\n{new}\n", encoding="utf-8")
    task = infer_task(profile(tmp_path), tmp_path, "normalise the texts: csv with id and after")
    assert task.problem_type.value == "sequence_to_sequence"
    assert (task.target.value, task.metric.value, task.id.value) == ("after", "exact_match", "id")
    assert [f.name for f in task.used_features] == ["before"]
    chosen = infer_task(profile(tmp_path), tmp_path, "normalise the texts", {"metric": "chrF"})
    assert (chosen.metric.value, chosen.metric.evidence) == ("chrf", "Set by you.")
    with pytest.raises(UserError, match="cannot judge"):
        infer_task(profile(tmp_path), tmp_path, "normalise the texts", {"metric": "rmse"})
