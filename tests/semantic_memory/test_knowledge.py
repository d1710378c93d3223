"""Passages for a model: guides of the user, the API as installed, cards; within a budget."""

from __future__ import annotations

import pytest

from mlzero.semantic_memory import knowledge
from mlzero.semantic_memory.knowledge import Passage, best, guides, split, tools


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("MLZERO_GUIDES", str(tmp_path))
    (tmp_path / "scanner.md").write_text("Our scanner needs a z-score per slide.\n\nSlides of 2019 are dark.")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "prices.txt").write_text("Prices before 2002 are in marks.\n\n" + "Other words. " * 400)
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    return tmp_path


def test_short_guides_are_all_given(folder):
    (folder / "sub" / "prices.txt").unlink()
    assert [p.source for p in guides("anything", 500)] == ["scanner.md"]


def test_of_long_guides_the_fitting_passages_are_given_with_their_source(folder):
    found = guides("classify slides by scanner", 60)
    assert found[0].source == "scanner.md" and "z-score per slide" in str(found[0])
    assert guides("currency of prices in marks", 30)[0].source == "sub/prices.txt"


def test_no_folder_is_no_guide(tmp_path, monkeypatch):
    monkeypatch.setenv("MLZERO_GUIDES", str(tmp_path / "nowhere"))
    assert guides("anything", 500) == []


@pytest.mark.parametrize("tokens", [0, 50, 300, 1000])
def test_the_budget_holds(folder, tokens):
    assert sum(len(p.text) for p in guides("slides prices words", tokens)) <= 4 * tokens


def test_the_api_is_that_of_the_installed_package():
    found = tools("from autogluon.tabular import TabularPredictor", "tabular", "bagging num_bag_folds", 900)
    assert found[0].source.startswith("TabularPredictor.__init__ as installed, 1.")
    assert "time_limit" in found[1].text and any("num_bag_folds" in p.text for p in found[2:])
    assert sum(len(p.text) for p in found) <= 4 * 900


@pytest.mark.parametrize("query", ["", "?? !!", '" OR 1=1 NEAR(', "a b"])
def test_any_query_is_survived(query):
    assert best([Passage("x", "some words")], query, 100) in ([], [Passage("x", "some words")])


def test_splitting_joins_the_short_and_cuts_the_long():
    assert split("a\n\nb\n\nc") == ["a\nb\nc"]
    assert all(len(part) <= knowledge.PASSAGE for part in split("x" * 5000))
