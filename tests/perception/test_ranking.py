"""Queries, documents and judgments in the forms that collections come in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mlzero.perception.scan import profile
from mlzero.perception.understand import infer_task
from mlzero.semantic_memory.blocks.judgments import judged_queries, read_qrels
from mlzero.semantic_memory.blocks.retrieval import build_index, mixed_scores, scores_of

GOAL = "Rank the documents for each query in queries_test; csv with query_id, doc_id and rank"
DOCUMENTS = [(f"D{i:02d}", f"page {i} about topic{i} and some other things like subject{i % 7}") for i in range(40)]
QUERIES = [(f"q{i}", f"what is topic{i} and what does it say") for i in range(30)]
JUDGED = [(f"q{i}", f"D{i:02d}", 2) for i in range(24)] + [(f"q{i}", f"D{i + 7:02d}", 1) for i in range(24)]


def _table(path: Path, names: list[str], rows: list[tuple[object, ...]]) -> None:
    path.parent.mkdir(exist_ok=True, parents=True)
    if path.suffix == ".jsonl":
        path.write_text("\n".join(json.dumps(dict(zip(names, row, strict=True))) for row in rows), encoding="utf-8")
    else:
        mark = "\t" if path.suffix == ".tsv" else ","
        lines = [mark.join(map(str, row)) for row in [tuple(names), *rows]]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _tables(folder: Path) -> None:
    _table(folder / "docs.csv", ["doc_id", "text"], DOCUMENTS)  # type: ignore[arg-type]
    _table(folder / "queries.csv", ["query_id", "query"], QUERIES[:24])  # type: ignore[arg-type]
    _table(folder / "queries_test.csv", ["query_id", "query"], QUERIES[24:])  # type: ignore[arg-type]
    _table(folder / "judgments.csv", ["query_id", "doc_id", "relevance"], JUDGED)  # type: ignore[arg-type]


def _beir(folder: Path) -> None:
    _table(folder / "corpus.jsonl", ["_id", "title", "text"], [(i, t[:7], t) for i, t in DOCUMENTS])
    _table(folder / "queries.jsonl", ["_id", "text"], QUERIES)  # type: ignore[arg-type]
    _table(folder / "qrels" / "train.tsv", ["query-id", "corpus-id", "score"], JUDGED)  # type: ignore[arg-type]


def _files(folder: Path) -> None:
    _tables(folder)
    (folder / "docs.csv").unlink()
    (folder / "judgments.csv").unlink()
    (folder / "texts").mkdir()
    for name, text in DOCUMENTS:
        (folder / "texts" / f"{name}.txt").write_text(text, encoding="utf-8")
    (folder / "qrels.txt").write_text("".join(f"{q} 0 {d} {g}\n" for q, d, g in JUDGED), encoding="utf-8")


@pytest.mark.parametrize(
    ("write", "corpus", "asked"),
    [(_tables, "docs.csv", "all"), (_beir, "corpus.jsonl", "unlabelled"), (_files, "texts", "all")],
)
def test_finds_the_parts(tmp_path: Path, write: object, corpus: str, asked: str) -> None:
    write(tmp_path)  # type: ignore[operator]
    task = infer_task(profile(tmp_path), tmp_path, GOAL)
    assert task.problem_type.value == "retrieval"
    assert task.retrieval is not None
    assert (task.retrieval.corpus, task.retrieval.grade is not None) == (corpus, True)
    assert (len(task.train), task.test[0].rows) == (1, asked)
    assert task.output.value.columns == ["query_id", "doc_id", "rank"]
    assert task.metric.value == "ndcg@10"


@pytest.mark.parametrize("given", [{"target": "relevance"}, {"target": "relevance", "problem_type": "regression"}])
def test_judgments_are_a_table_like_others_when_their_column_is_the_target(
    tmp_path: Path, given: dict[str, str]
) -> None:
    _tables(tmp_path)
    task = infer_task(profile(tmp_path), tmp_path, GOAL, given)
    assert (task.target.value, task.retrieval) == ("relevance", None)
    assert task.problem_type.value == given.get("problem_type", "binary")
    assert [source.table for source in task.train] == ["judgments.csv"]


def test_tables_of_something_else_are_not_ranked(tmp_path: Path) -> None:
    _tables(tmp_path)
    assert infer_task(profile(tmp_path), tmp_path, "Predict the grade of each pair").problem_type.value != "retrieval"


def test_judged_queries_and_bm25(tmp_path: Path) -> None:
    import pandas as pd

    (tmp_path / "qrels").write_text("1 0 a 2\n1 0 b 0\n2 0 b 1\n", encoding="utf-8")
    queries = pd.DataFrame({"id": [1, 2, 3], "text": ["red fox", "blue whale", "x"]})
    rows = judged_queries(queries, "id", read_qrels(tmp_path / "qrels"), "query_id", "doc_id", "relevance")
    assert rows["relevant"].tolist()[:2] == ["a=2", "b=1"]
    assert rows["relevant"].isna().tolist() == [False, False, True]
    index = build_index(["a red fox runs", "the blue whale swims", "nothing of the kind"])
    assert mixed_scores(scores_of(index, ["red foxes", "whales"])).argmax(axis=1).tolist() == [0, 1]
