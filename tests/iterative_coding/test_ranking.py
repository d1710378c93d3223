"""Measures of rankings against values worked out by hand."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from mlzero.iterative_coding.kinds import Case
from mlzero.iterative_coding.kinds.ranking import MEASURE, first_right, grades, marked, measured
from mlzero.perception.task import FeaturePlan, Inferred, Task
from mlzero.predictor.standalone.answers import format_predictions

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
def test_measures_are_as_worked_out_by_hand(metric: str, ranked: str, value: float) -> None:
    assert measured(metric, RELEVANT, ranked.split()) == pytest.approx(value)


def test_writes_one_line_a_document() -> None:
    import pandas as pd

    rows = pd.DataFrame({"qid": ["a", "b"], "text": ["x", "y"]}, index=[4, 9])
    answers = pd.DataFrame({"relevant": ["d1 d2", "d3"]}, index=[4, 9])
    output = {"columns": ["qid", "doc", "rank"], "layout": "long"}
    table = format_predictions(rows, answers, output, {"targets": ["relevant"], "id": "qid"})
    assert table.to_numpy().tolist() == [["a", "d1", 1], ["a", "d2", 2], ["b", "d3", 1]]


def test_right_documents_are_marked() -> None:
    found = marked(grades("d1=1 d7=2 d9=0"), ["x", "d7", "d9"])
    assert [(d["name"], d["right"]) for d in found["documents"]] == [("x", False), ("d7", True), ("d9", False)]
    assert found["missed"] == ["d1"]
    assert first_right([RELEVANT, RELEVANT, RELEVANT], [["x", "d7"], ["d1"], ["y"]]) == [1, 1, *[0] * 8, 1]


def test_queries_from_the_best_to_the_worst_are_left_to_look_at(tmp_path: Path) -> None:
    import pandas as pd

    task = Task.model_construct(
        target=Inferred(value="doc"), metric=Inferred(value="mrr@10"),
        features=[FeaturePlan(name="id", treat_as="identifier"), FeaturePlan(name="asked", treat_as="text")],
    )  # fmt: skip
    rows = pd.DataFrame({"id": [1, 2], "asked": ["how?", "why?"]}, index=[5, 3])
    truth = pd.DataFrame({"doc": ["d1=1", "d2=1"]}, index=[5, 3])
    said = pd.DataFrame({"doc": ["d2 d3", "d1 d2"]}, index=[3, 5])
    MEASURE.evaluate(Case(task, tmp_path, rows, rows, truth, said), tmp_path)
    found = json.loads((tmp_path / "ranked.json").read_text())
    assert [(q["query"], q["score"]) for q in found["queries"]] == [("how?", 1.0), ("why?", 1.0)]
    assert found["first"][0] == 2
