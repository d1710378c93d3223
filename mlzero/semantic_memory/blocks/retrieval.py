"""Find documents for queries: BM25 over words and pieces of words, themes, earlier queries, and a learnt order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.preprocessing import normalize

CANDIDATES = 60  # documents a query that are put in order
LETTERS = 40_000_000  # of all documents, up to which pieces of words are counted too


def stems(text: str) -> list[str]:
    """Words in small letters without their commonest endings; Chinese and Japanese letters in pairs."""
    found = []
    for word in re.findall(r"[\u3040-\u30ff\u3400-\u9fff]+|[^\W_]+", text.lower()):
        if re.match(r"[\u3040-\u30ff\u3400-\u9fff]", word):
            found += [word[i : i + 2] for i in range(max(1, len(word) - 1))]
        else:
            found.append(re.sub(r"(ies|ing|ed|es|s|en|er|e)$", "", word) if len(word) > 4 else word)
    return found


def bm25_weights(counts: sparse.csr_matrix, k1: float = 1.2, b: float = 0.75) -> sparse.csr_matrix:
    """BM25 weight of every term in every document (Robertson and Zaragoza 2009), documents x terms."""
    counts = counts.tocsr().astype(np.float32)
    length = np.asarray(counts.sum(axis=1)).ravel()
    seen = np.bincount(counts.indices, minlength=counts.shape[1])
    rarity = np.log(1 + (counts.shape[0] - seen + 0.5) / (seen + 0.5))
    row = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    damped = k1 * (1 - b + b * length[row] / max(length.mean(), 1e-9))
    counts.data = counts.data * (k1 + 1) / (counts.data + damped) * rarity[counts.indices]
    return counts


def build_index(documents: Sequence[str]) -> dict[str, Any]:
    """What is known of the documents: BM25 weights of words and of pieces of words, and their themes."""
    index: dict[str, Any] = {"parts": []}
    counters = [CountVectorizer(analyzer=stems)]
    if sum(map(len, documents)) <= LETTERS:
        counters.append(CountVectorizer(analyzer="char_wb", ngram_range=(3, 5), min_df=1, max_features=300_000))
    for counter in counters:
        index["parts"].append((counter, bm25_weights(counter.fit_transform(documents))))
    words = TfidfVectorizer(analyzer=stems, sublinear_tf=True)
    weights = words.fit_transform(documents)
    size = min(120, min(weights.shape) - 1)
    if size >= 2:
        svd = TruncatedSVD(size, random_state=0).fit(weights)
        index["themes"] = (words, svd, normalize(svd.transform(weights)))
    return index


def remember_queries(
    index: dict[str, Any], queries: Sequence[str], relevant: Sequence[str], names: Sequence[str]
) -> None:
    """Add judged queries: documents that were relevant to a like query are likely to be so again."""
    place = {name: i for i, name in enumerate(names)}
    pairs = [
        (row, place[name], float(grade))
        for row, text in enumerate(relevant)
        for name, _, grade in (word.rpartition("=") for word in text.split())
        if name in place
    ]
    rows, columns, grades = zip(*pairs, strict=True) if pairs else ((), (), ())
    words = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), sublinear_tf=True)
    vectors = words.fit_transform(queries)
    judged = sparse.csr_matrix((grades, (rows, columns)), shape=(len(queries), len(names)))
    index["earlier"] = (words, vectors, judged)


def scores_of(index: dict[str, Any], queries: Sequence[str], own: bool = False) -> list[np.ndarray]:
    """How well every document fits every query by each part of the index, queries x documents each.

    Parameters
    ----------
    own
        The queries are those that were remembered: none may learn from itself.
    """
    found = []
    for counter, weights in index["parts"]:
        asked = counter.transform(queries)
        asked.data[:] = 1
        found.append(np.asarray((asked @ weights.T).todense(), np.float32))
    if "themes" in index:
        words, svd, vectors = index["themes"]
        found.append((normalize(svd.transform(words.transform(queries))) @ vectors.T).astype(np.float32))
    if "earlier" in index:
        words, vectors, judged = index["earlier"]
        alike = np.asarray((words.transform(queries) @ vectors.T).todense())
        if own:
            np.fill_diagonal(alike, 0.0)
        found.append(np.asarray((alike**3) @ judged, np.float32))
    return found


def mixed_scores(scores: Sequence[np.ndarray]) -> np.ndarray:
    """The parts added up, each in proportion to its best for the query; BM25 counts most."""
    weights = [1.0, 0.5, 0.5, 0.5]
    parts = [w * s / np.maximum(s.max(axis=1, keepdims=True), 1e-9) for w, s in zip(weights, scores, strict=False)]
    return np.asarray(sum(parts), np.float32)


def candidates_of(scores: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """The likeliest documents of each query (queries x candidates), and what speaks for each (x clues)."""
    mixed = mixed_scores(scores)
    count = min(CANDIDATES, mixed.shape[1])
    chosen = np.argsort(-mixed, axis=1, kind="stable")[:, :count]
    clues = [np.take_along_axis(mixed, chosen, 1), np.broadcast_to(np.arange(count), chosen.shape)]
    for part in scores:
        best = np.maximum(part.max(axis=1, keepdims=True), 1e-9)
        rank = np.argsort(np.argsort(-part, axis=1, kind="stable"), axis=1)
        clues += [np.take_along_axis(each, chosen, 1) for each in (part, part / best, np.log1p(rank))]
    return chosen, np.stack(clues, axis=2)


def grades_of(relevant: Sequence[str], chosen: np.ndarray, names: Sequence[str]) -> np.ndarray:
    """How relevant each candidate is, queries x candidates, whole numbers."""
    found = np.zeros(chosen.shape, int)
    for row, text in enumerate(relevant):
        known = {name: float(grade) for name, _, grade in (word.rpartition("=") for word in text.split())}
        found[row] = [round(known.get(names[place], 0.0)) for place in chosen[row]]
    return found
