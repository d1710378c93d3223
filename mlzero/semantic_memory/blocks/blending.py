"""One answer from the answers of several models."""

from __future__ import annotations

import numpy as np
import pandas as pd


def mean_answers(answers: list[pd.DataFrame], target: str) -> pd.DataFrame:
    """The mean of several predictions: of probabilities where there are any, and the labels follow; else of all numbers.

    Parameters
    ----------
    answers
        Frames of one solution's or several solutions' `predict`, with the same rows, in any order, and columns.
    target
        The column of labels, which is looked at only where there are probabilities.
    """
    mean = answers[0].copy()
    answers = [frame if frame.index.equals(mean.index) else frame.loc[mean.index] for frame in answers]
    probabilities = [name for name in mean.columns if name.startswith("probability_")]
    for name in probabilities or mean.columns:
        mean[name] = np.mean([frame[name].to_numpy(float) for frame in answers], axis=0)
    if probabilities:
        truths = [True, False] if pd.api.types.is_bool_dtype(mean[target]) else []
        told = [*truths, *(label for frame in answers for label in frame[target].unique())]
        spelled = {f"probability_{label}": label for label in told}
        most = mean[probabilities].to_numpy().argmax(axis=1)
        labels = [spelled.get(probabilities[place], probabilities[place][len("probability_") :]) for place in most]
        kind = mean[target].dtype
        most_probable = pd.Series(labels, index=mean.index, dtype=object)
        # the categories of one answer may lack a label of another
        mean[target] = most_probable if isinstance(kind, pd.CategoricalDtype) else most_probable.astype(kind)
    return mean
