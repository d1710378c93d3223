"""Rows on which models are compared while they are trained."""

from __future__ import annotations

import numpy as np
import pandas as pd


def latest_rows(moments: pd.Series, share: float) -> pd.Index:
    """The last rows in time, about `share` of all; rows of the same moment stay on one side."""
    border = moments.sort_values().iloc[-max(1, int(share * len(moments)))]
    later = moments.index[moments >= border]
    return later if len(later) < 0.5 * len(moments) else moments.index[moments > border]


def group_folds(groups: pd.Series, folds: int) -> pd.Series:
    """A fold number a row; a group is never in two folds, and the folds are about equally large."""
    keys, sizes = groups.astype("string").fillna("none"), np.zeros(folds)
    fold_of = {}
    for key, count in keys.value_counts().items():
        fold_of[key] = int(sizes.argmin())
        sizes[fold_of[key]] += count
    return keys.map(fold_of).astype(int)


def mixed_rows(answers: pd.Series, share: float) -> pd.Index:
    """About `share` of the rows by chance, of every answer its part."""
    chosen = answers.groupby(answers, group_keys=False).sample(frac=share, random_state=0).index
    return chosen if len(chosen) else answers.sample(frac=share, random_state=0).index
