"""Queries, documents, and which of them were judged to belong together."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd


def read_qrels(path: str | Path, nrows: int | None = None) -> pd.DataFrame:
    """Judgments in the form of TREC: query, run, document and grade with blanks between, or without the run."""
    lines = [line.split() for line in Path(path).read_text(encoding="utf-8-sig", errors="replace").splitlines()][:nrows]
    rows = [(cells[0], cells[-2], float(cells[-1])) for cells in lines if len(cells) in (3, 4)]
    return pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance"])


def id_texts(cells: Iterable[Any]) -> list[str]:
    """Ids as text without blanks: whole numbers without a point, file names without folders and ending."""
    found = []
    for cell in cells:
        text = str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell).strip()
        text = re.sub(r"\.(txt|md|html?|json)$", "", text.replace("\\", "/").rsplit("/", 1)[-1], flags=re.I)
        found.append(re.sub(r"\s+", "_", text))
    return found


def judged_queries(
    queries: pd.DataFrame, query_id: str, judgments: pd.DataFrame, query: str, document: str, grade: str | None
) -> pd.DataFrame:
    """The queries with `relevant`: judged documents and how relevant they are, `d7=2 d1=1`; no value where none is."""
    table = pd.DataFrame({"query": id_texts(judgments[query]), "document": id_texts(judgments[document])})
    table["grade"] = pd.to_numeric(judgments[grade], errors="coerce").fillna(0).to_numpy() if grade else 1.0
    table = table[table["grade"] > 0].sort_values("grade", ascending=False, kind="stable")
    table["cell"] = table["document"] + "=" + table["grade"].map("{:g}".format)
    cells = table.drop_duplicates(["query", "document"]).groupby("query")["cell"].agg(" ".join)
    return queries.assign(relevant=pd.Series(id_texts(queries[query_id]), index=queries.index).map(cells))
