"""Measures of rankings against values worked out by hand."""

from __future__ import annotations

import math

import pytest

from mlzero.iterative_coding.kinds.ranking import grades, measured
from mlzero.predictor.standalone import format_predictions

RELEVANT = grades("d7=2 d1=1")


@pytest.mark.parametrize(
    ("metric", "ranked", "value"),
    [
        ("ndcg@10", "d7 d1 x", 1.0),
        ("ndcg@10", "x d7", (3 / math.log2(3)) / (3 + 1 / math.log2(3))),
        ("mrr@10", "x d1 d7", 0.5),
        ("recall@10", "x d1", 0.5),
        ("precision@10", "d1 d7 x", 0.2),
        ("map@100", "d1 x d7", (1 + 2 / 3) / 2),
        ("ndcg@10", "x y", 0.0),
    ],
)
def test_measures(metric: str, ranked: str, value: float) -> None:
    assert measured(metric, RELEVANT, ranked.split()) == pytest.approx(value)


def test_writes_one_line_a_document() -> None:
    import pandas as pd

    rows = pd.DataFrame({"qid": ["a", "b"], "text": ["x", "y"]}, index=[4, 9])
    answers = pd.DataFrame({"relevant": ["d1 d2", "d3"]}, index=[4, 9])
    output = {"columns": ["qid", "doc", "rank"], "layout": "long"}
    table = format_predictions(rows, answers, output, {"targets": ["relevant"], "id": "qid"})
    assert table.to_numpy().tolist() == [["a", "d1", 1], ["a", "d2", 2], ["b", "d3", 1]]
