"""Numbers out of free text, so that every kind of model can use it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd


def learn_texts(table: pd.DataFrame, names: Sequence[str], path: Path, size: int = 30) -> None:
    """Learn what distinguishes the texts of each column and save it; `text_parts` applies it.

    Parameters
    ----------
    names
        The text columns of `table`.
    size
        Numbers a column gives.

    Short texts (names, titles) are cut into pieces of two to four letters, longer ones into words and pairs
    of words. The frequencies are weighted (TF-IDF) and condensed to their main directions (latent semantic
    analysis, Deerwester et al. 1990). No answer is looked at.
    """
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.pipeline import make_pipeline

    learnt: dict[str, Any] = {}
    for name in names:
        texts = table[name].fillna("")
        short = texts.str.count(" ").mean() < 12
        how: dict[str, Any] = {"analyzer": "char_wb", "ngram_range": (2, 4)} if short else {"ngram_range": (1, 2)}
        counts = TfidfVectorizer(**how, min_df=3, max_df=0.9, max_features=30_000, sublinear_tf=True)
        try:
            words = counts.fit(texts.sample(min(len(texts), 50_000), random_state=0)).vocabulary_
        except ValueError:
            continue  # nothing occurs often enough
        if len(words) > size:
            condense = TruncatedSVD(size, random_state=0)
            condense.fit(counts.transform(texts.sample(min(len(texts), 20_000), random_state=1)))
            learnt[name] = make_pipeline(counts, condense)
    joblib.dump(learnt, path, compress=3)


def text_parts(table: pd.DataFrame, path: Path) -> pd.DataFrame:
    """The table with the numbers of its texts, and how long each text is."""
    learnt: Mapping[str, Any] = joblib.load(path)
    columns: dict[str, np.ndarray | pd.Series] = {}
    for name, pipeline in learnt.items():
        texts = table[name].fillna("")
        columns[f"{name}_length"] = texts.str.len()
        numbers = pipeline.transform(texts)
        columns |= {f"{name}_{position}": numbers[:, position] for position in range(numbers.shape[1])}
    return pd.concat([table, pd.DataFrame(columns, index=table.index)], axis=1)
