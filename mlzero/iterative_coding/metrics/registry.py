"""The metrics by name: what each is called, what it needs, which way is better."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from mlzero.errors import UserError

Needs = Literal["label", "probability", "number"]
SMALL = 1e-15  # probabilities are kept this far from 0 and 1
SINGLE = frozenset({"binary", "multiclass"})
NUMBERS = frozenset({"regression", "multitarget", "text_similarity", "forecasting"})
PIXELS = frozenset({"image_to_image"})  # whose numbers are those of pixels, from 0 to 1
MULTILABEL = frozenset({"multilabel"})


@dataclass(frozen=True)
class Answers:
    """Truth and predictions of one target, row by row.

    Classes are positions in `labels` (-1: no label of the task); numbers are floats and `labels` is empty.
    For several labels at once, truth and predicted are rows × targets of 0/1 and so is probability.
    """

    truth: np.ndarray
    predicted: np.ndarray
    probability: np.ndarray | None = None  # rows × labels
    labels: tuple[str, ...] = ()
    positive: int | None = None  # position of the label that counts as "yes"; None with more than two labels
    grades: tuple[str, ...] = ()  # the labels, the lowest first, where their order is known


@dataclass(frozen=True)
class Metric:
    """One way to measure."""

    name: str
    text: str  # plain words, as in "accuracy 0.91"
    sentence: str  # what the number says
    needs: Needs
    higher_is_better: bool
    problems: frozenset[str]
    function: Callable[[Answers], float]


TOGETHER: set[str] = set()  # metrics that look at all labels of a multilabel row at once
_METRICS: dict[str, Metric] = {}
_ALIASES = {
    "acc": "accuracy", "auc": "roc_auc", "auroc": "roc_auc", "roc_auc_macro": "roc_auc", "roc_auc_ovr_macro": "roc_auc_ovr",
    "roc_auc_ovo_macro": "roc_auc_ovo", "ap": "average_precision", "pr_auc": "average_precision", "f1_score": "f1",
    "logloss": "log_loss", "nll": "log_loss", "cross_entropy": "log_loss", "qwk": "quadratic_kappa",
    "quadratic_weighted_kappa": "quadratic_kappa", "matthews_corrcoef": "mcc", "root_mean_squared_error": "rmse",
    "mean_squared_error": "mse", "mean_absolute_error": "mae", "median_absolute_error": "medae",
    "mean_absolute_percentage_error": "mape", "root_mean_squared_log_error": "rmsle", "symmetric_mape": "smape", "mean_absolute_scaled_error": "mase",
    "pearsonr": "pearson", "spearmanr": "spearman", "hamming_loss": "hamming", "macro_f1": "f1_macro",
    "jaccard": "iou", "miou": "mean_iou", "dice_coefficient": "dice", "map@0.5": "map50", "ap50": "map50",
    "micro_f1": "f1_micro", "weighted_f1": "f1_weighted", "brier_score": "brier",
}  # fmt: skip


def get(name: str) -> Metric:
    """The metric by name or alias; raises UserError for one that does not exist."""
    key = name.strip().lower().replace(" ", "_").replace("-", "_")
    found = _METRICS.get(_ALIASES.get(key, key))
    if found is None:
        raise UserError(f'There is no metric called "{name}".', f"Choose one of: {', '.join(_METRICS)}.")
    return found


def names(problem_type: str) -> list[str]:
    """Names of the metrics that suit a problem type."""
    return [m.name for m in _METRICS.values() if problem_type in m.problems]


def metric(
    name: str,
    text: str,
    sentence: str,
    needs: Needs,
    problems: frozenset[str],
    *,
    lower: bool = False,
    together: bool = False,
) -> Callable[[Callable[[Answers], float]], Callable[[Answers], float]]:
    """Register the decorated function.

    Parameters
    ----------
    text, sentence
        Its name in plain words, and what the number says.
    lower
        Whether less is better.
    together
        Whether it looks at all labels of a multilabel row at once.
    """

    def register(function: Callable[[Answers], float]) -> Callable[[Answers], float]:
        _METRICS[name] = Metric(name, text, sentence, needs, not lower, problems, function)
        if together:
            TOGETHER.add(name)
        return function

    return register
