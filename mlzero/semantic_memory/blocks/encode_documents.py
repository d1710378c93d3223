"""Numbers that describe documents: which words they hold, counted without a vocabulary."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from mlzero.semantic_memory.blocks.documents import document_text


def document_vectors(paths: Sequence[str | Path], words: int = 3072, pieces: int = 1024) -> np.ndarray:
    """Documents as rows of numbers, documents x (words + pieces), each part of length one.

    Words, pairs of words and pieces of three to five letters are counted, each in the place that a hash gives it
    (Weinberger et al. 2009), so nothing has to be learnt first. A document without text becomes a row of NaN.
    """
    from sklearn.feature_extraction.text import HashingVectorizer

    with ThreadPoolExecutor(max_workers=os.cpu_count() or 2) as pool:
        texts = list(pool.map(lambda path: document_text(path) if path else "", paths))
    by_words = HashingVectorizer(ngram_range=(1, 2), n_features=words, token_pattern=r"(?u)\b\w+\b")
    by_pieces = HashingVectorizer(analyzer="char_wb", ngram_range=(3, 5), n_features=pieces)
    counts = [np.asarray(counter.transform(texts).todense(), np.float32) for counter in (by_words, by_pieces)]
    vectors = np.hstack(counts)
    vectors[[not text.strip() for text in texts]] = np.nan
    return vectors
