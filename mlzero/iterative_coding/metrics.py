"""Every metric there is: what it is called, what it needs, which way is better, how it is computed.

Formulas follow scikit-learn's definitions (a test compares them); they are written in NumPy so that the
engine does not pay for importing scikit-learn. To add one, write a function and register it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from mlzero.errors import UserError
from mlzero.iterative_coding import labels as label_tools

if TYPE_CHECKING:
    import pandas as pd

    from mlzero.perception.task import Task

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


def score(name: str, task: Task, truth: pd.DataFrame, predicted: pd.DataFrame) -> float:
    """The metric of predictions against the truth.

    Parameters
    ----------
    name
        The metric.
    task
        Names targets, labels and problem type.
    truth, predicted
        One row a row in the same order; predictions as `predict` of the solution contract returns them.

    Raises UserError when the metric cannot be computed from what there is.
    """
    metric = get(name)
    return mean_of(metric, [answers(task, metric, truth, predicted, group) for group in groups(task, metric)])


def mean_of(metric: Metric, parts: list[Answers]) -> float:
    """The mean over parts for which the metric is defined (a target with one class only has no ROC AUC)."""
    values = [value for value in map(metric.function, parts) if np.isfinite(value)]
    return float(np.mean(values)) if values else float("nan")


def groups(task: Task, metric: Metric) -> list[list[str]]:
    """The targets that are measured together."""
    together = task.problem_type.value == "multilabel" and metric.name in _TOGETHER
    return [task.targets] if together else [[target] for target in task.targets]


def answers(task: Task, metric: Metric, truth: pd.DataFrame, predicted: pd.DataFrame, group: list[str]) -> Answers:
    """Truth and predictions of a group of targets, ready for the metric's function."""
    positive = task.positive_label.value
    if task.problem_type.value == "multilabel":
        real = np.column_stack([label_tools.is_yes(truth[t], positive) for t in group]).astype(int)
        said = np.column_stack([label_tools.is_yes(predicted[t], positive) for t in group]).astype(int)
        columns = [f"{label_tools.PREFIX}{t}" for t in group]
        chances = predicted[columns].to_numpy(float) if all(c in predicted for c in columns) else None
        if len(group) > 1:
            return Answers(real, said, chances, tuple(group))
        both = None if chances is None else np.column_stack([1 - chances[:, 0], chances[:, 0]])
        return Answers(real[:, 0], said[:, 0], _needed(metric, both), ("0", "1"), 1)
    (target,) = group
    if metric.needs == "number" or (task.problem_type.value not in SINGLE and _numeric(truth[target])):
        return Answers(_floats(truth[target]), _floats(predicted[target]))
    labels = label_tools.domain(task.labels if len(task.targets) == 1 else [], truth[target])
    chances = label_tools.probabilities(predicted, labels) if len(task.targets) == 1 else None
    place = labels.index(label_tools.positive_of(labels, positive)) if len(labels) == 2 else None
    return Answers(
        label_tools.codes(truth[target], labels), label_tools.codes(predicted[target], labels),
        _needed(metric, chances), tuple(labels), place,
    )  # fmt: skip


def _needed(metric: Metric, chances: np.ndarray | None) -> np.ndarray | None:
    if chances is None and metric.needs == "probability":
        raise UserError(f"{metric.text} needs probabilities, and the predictions hold none.", "Choose another metric.")
    return chances


def _numeric(column: pd.Series) -> bool:
    import pandas as pd

    return pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)


def _floats(column: pd.Series) -> np.ndarray:
    import pandas as pd

    try:
        return pd.to_numeric(column).to_numpy(dtype=float, na_value=np.nan)
    except (ValueError, TypeError) as error:
        raise UserError(
            f'"{column.name}" does not hold numbers, which the metric needs.', "Choose another metric."
        ) from error


_TOGETHER: set[str] = set()  # metrics that look at all labels of a multilabel row at once


def _metric(
    name: str,
    text: str,
    sentence: str,
    needs: Needs,
    problems: frozenset[str],
    *,
    lower: bool = False,
    together: bool = False,
) -> Callable[[Callable[[Answers], float]], Callable[[Answers], float]]:
    """Register the decorated function."""

    def register(function: Callable[[Answers], float]) -> Callable[[Answers], float]:
        _METRICS[name] = Metric(name, text, sentence, needs, not lower, problems, function)
        if together:
            _TOGETHER.add(name)
        return function

    return register


# -- labels


@_metric("accuracy", "accuracy", "Share of rows that are right.", "label", SINGLE | MULTILABEL, together=True)
def accuracy(a: Answers) -> float:
    right = a.truth == a.predicted
    return float(np.mean(right.all(axis=1) if right.ndim == 2 else right))


@_metric(
    "balanced_accuracy", "balanced accuracy", "Share of right rows, every class counting the same.", "label", SINGLE
)
def balanced_accuracy(a: Answers) -> float:
    return float(np.mean([np.mean(a.predicted[a.truth == c] == c) for c in np.unique(a.truth)]))


def _counts(a: Answers, places: list[int] | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """True positives, rows said, rows real: one number a label."""
    if a.truth.ndim == 2:
        return (a.truth & a.predicted).sum(0), a.predicted.sum(0), a.truth.sum(0)
    present = places or sorted(set(np.unique(a.truth)) | (set(np.unique(a.predicted)) - {-1}))
    hit = np.array([np.sum((a.truth == c) & (a.predicted == c)) for c in present])
    said = np.array([np.sum(a.predicted == c) for c in present])
    real = np.array([np.sum(a.truth == c) for c in present])
    return hit, said, real


def _ratio(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    """Zero where nothing is counted."""
    return np.divide(above, below, out=np.zeros(len(np.atleast_1d(below))), where=np.atleast_1d(below) > 0)


def _yes(a: Answers) -> list[int] | None:
    """The label that a two-class metric looks at; None: all of them."""
    return [a.positive] if a.positive is not None else None


@_metric("f1", "F1", "Balance of precision and recall for the rows that count as yes.", "label", SINGLE | MULTILABEL)
def f1(a: Answers) -> float:
    hit, said, real = _counts(a, _yes(a))
    return float(np.mean(_ratio(2.0 * hit, said + real)))


@_metric(
    "f1_macro",
    "macro F1",
    "F1 averaged over the classes, each counting the same.",
    "label",
    SINGLE | MULTILABEL,
    together=True,
)
def f1_macro(a: Answers) -> float:
    hit, said, real = _counts(a)
    return float(np.mean(_ratio(2.0 * hit, said + real)))


@_metric(
    "f1_micro",
    "micro F1",
    "F1 over all labels of all rows taken together.",
    "label",
    SINGLE | MULTILABEL,
    together=True,
)
def f1_micro(a: Answers) -> float:
    if a.truth.ndim == 1:
        return accuracy(a)
    hit, said, real = _counts(a)
    return float(_ratio(2.0 * hit.sum(keepdims=True), (said + real).sum(keepdims=True))[0])


@_metric(
    "f1_weighted",
    "weighted F1",
    "F1 averaged over the classes by how often they occur.",
    "label",
    SINGLE | MULTILABEL,
    together=True,
)
def f1_weighted(a: Answers) -> float:
    hit, said, real = _counts(a)
    return float(np.average(_ratio(2.0 * hit, said + real), weights=real)) if real.sum() else 0.0


@_metric("f1_samples", "F1 per row", "F1 of the labels of each row, averaged.", "label", MULTILABEL, together=True)
def f1_samples(a: Answers) -> float:
    return float(np.mean(_ratio(2.0 * (a.truth & a.predicted).sum(1), a.truth.sum(1) + a.predicted.sum(1))))


@_metric("precision", "precision", "Share of the rows said to be yes that really are.", "label", SINGLE | MULTILABEL)
def precision(a: Answers) -> float:
    hit, said, _ = _counts(a, _yes(a))
    return float(np.mean(_ratio(1.0 * hit, said)))


@_metric("recall", "recall", "Share of the real yes rows that were found.", "label", SINGLE | MULTILABEL)
def recall(a: Answers) -> float:
    hit, _, real = _counts(a, _yes(a))
    return float(np.mean(_ratio(1.0 * hit, real)))


@_metric("mcc", "Matthews correlation", "Agreement beyond chance, from -1 to 1.", "label", SINGLE)
def mcc(a: Answers) -> float:
    table = _confusion(a)
    right, total = np.trace(table), table.sum()
    said, real = table.sum(0), table.sum(1)
    above = right * total - said @ real
    below = np.sqrt(total**2 - said @ said) * np.sqrt(total**2 - real @ real)
    return float(above / below) if below else 0.0


@_metric(
    "quadratic_kappa", "quadratic kappa", "Agreement of graded labels; far misses cost more.", "label", SINGLE | NUMBERS
)
def quadratic_kappa(a: Answers) -> float:
    if not a.labels:  # numbers: rounded to the grades that occur
        low, high = int(a.truth.min()), int(a.truth.max())
        truth = a.truth.round().astype(int) - low
        predicted = np.clip(a.predicted.round(), low, high).astype(int) - low
        table = np.zeros((high - low + 1,) * 2)
        np.add.at(table, (truth, predicted), 1)
    else:
        order = sorted(range(len(a.labels)), key=lambda i: _grade(a.labels[i]))
        table = _confusion(a)[np.ix_(order, order)]
    n = len(table)
    weights = (np.arange(n)[:, None] - np.arange(n)) ** 2.0
    chance = np.outer(table.sum(1), table.sum(0)) / max(table.sum(), 1)
    below = (weights * chance).sum()
    return float(1 - (weights * table).sum() / below) if below else 0.0


def _grade(label: str) -> tuple[float, str]:
    try:
        return float(label), ""
    except ValueError:
        return float("inf"), label


def _confusion(a: Answers) -> np.ndarray:
    """Rows: real label; columns: predicted label. Rows without a known prediction are left out."""
    table = np.zeros((len(a.labels),) * 2)
    known = a.predicted >= 0
    np.add.at(table, (a.truth[known], a.predicted[known]), 1)
    return table


@_metric(
    "hamming",
    "wrong labels",
    "Share of all labels of all rows that are wrong.",
    "label",
    MULTILABEL,
    lower=True,
    together=True,
)
def hamming(a: Answers) -> float:
    return float(np.mean(a.truth != a.predicted))


# -- probabilities


def area(real: np.ndarray, chance: np.ndarray) -> float:
    """Area under the ROC curve by ranks, ties counting half; nan when only one class occurs."""
    yes = int(real.sum())
    no = len(real) - yes
    if not yes or not no:
        return float("nan")
    return float((_ranks(chance)[real].sum() - yes * (yes + 1) / 2) / (yes * no))


def _ranks(values: np.ndarray) -> np.ndarray:
    """Ranks from 1, the mean rank for ties."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return (ends - (counts - 1) / 2.0)[inverse]


def _chances(a: Answers) -> np.ndarray:
    assert a.probability is not None
    return a.probability


def _over_labels(a: Answers, one: Callable[[np.ndarray, np.ndarray], float]) -> float:
    """Two labels: for the one that counts as yes. More: the mean of each against the rest."""
    chances = _chances(a)
    if a.positive is not None:
        return one(a.truth == a.positive, chances[:, a.positive])
    values = [one(a.truth == c, chances[:, c]) for c in range(len(a.labels)) if np.any(a.truth == c)]
    values = [v for v in values if np.isfinite(v)]
    return float(np.mean(values)) if values else float("nan")


@_metric(
    "roc_auc",
    "ROC AUC",
    "Chance that a yes row gets a higher probability than a no row.",
    "probability",
    SINGLE | MULTILABEL,
)
def roc_auc(a: Answers) -> float:
    return _over_labels(a, area)


@_metric(
    "roc_auc_ovr",
    "ROC AUC (each against the rest)",
    "ROC AUC of each class against all others, averaged.",
    "probability",
    SINGLE,
)
def roc_auc_ovr(a: Answers) -> float:
    return _over_labels(a, area)


@_metric("roc_auc_ovo", "ROC AUC (pairs)", "ROC AUC of each pair of classes, averaged.", "probability", SINGLE)
def roc_auc_ovo(a: Answers) -> float:
    chances, values = _chances(a), []
    present = np.unique(a.truth)
    for i, first in enumerate(present):
        for second in present[i + 1 :]:
            rows = (a.truth == first) | (a.truth == second)
            truth = a.truth[rows]
            values += [area(truth == c, chances[rows, c]) for c in (first, second)]
    return float(np.mean(values)) if values else float("nan")


def _precision_area(real: np.ndarray, chance: np.ndarray) -> float:
    """Mean precision over the real yes rows, from the highest probability down."""
    if not real.any():
        return float("nan")
    order = np.argsort(-chance, kind="stable")
    hits = np.cumsum(real[order])
    last = np.append(np.diff(chance[order]) != 0, True)  # only where the probability changes
    found = hits[last]
    share = found / (np.flatnonzero(last) + 1)
    return float(np.sum(np.diff(found, prepend=0) * share) / real.sum())


@_metric(
    "average_precision",
    "average precision",
    "Precision averaged over all thresholds.",
    "probability",
    SINGLE | MULTILABEL,
)
def average_precision(a: Answers) -> float:
    return _over_labels(a, _precision_area)


@_metric(
    "log_loss",
    "log loss",
    "How surprised the probabilities are by the truth.",
    "probability",
    SINGLE | MULTILABEL,
    lower=True,
)
def log_loss(a: Answers) -> float:
    chances = np.clip(_chances(a), SMALL, 1 - SMALL)
    chances = chances / chances.sum(axis=1, keepdims=True)
    return float(-np.mean(np.log(chances[np.arange(len(chances)), a.truth])))


@_metric(
    "brier",
    "Brier score",
    "Mean squared distance of the probability of yes from the truth.",
    "probability",
    SINGLE | MULTILABEL,
    lower=True,
)
def brier(a: Answers) -> float:
    chances = _chances(a)
    if a.positive is not None:
        return float(np.mean((chances[:, a.positive] - (a.truth == a.positive)) ** 2))
    return float(np.mean(np.sum((chances - np.eye(len(a.labels))[a.truth]) ** 2, axis=1)))


# -- numbers


@_metric(
    "rmse",
    "RMSE",
    "Typical error in the unit of the target; large errors count more.",
    "number",
    NUMBERS | PIXELS,
    lower=True,
)
def rmse(a: Answers) -> float:
    return float(np.sqrt(mse(a)))


@_metric("mse", "MSE", "Mean squared error.", "number", NUMBERS, lower=True)
def mse(a: Answers) -> float:
    return float(np.mean((a.truth - a.predicted) ** 2))


@_metric("rmsle", "RMSLE", "Typical relative error.", "number", NUMBERS, lower=True)
def rmsle(a: Answers) -> float:
    real, said = (np.log1p(np.maximum(v, 0)) for v in (a.truth, a.predicted))
    return float(np.sqrt(np.mean((real - said) ** 2)))


@_metric(
    "mae", "mean absolute error", "How far off the predictions are on average.", "number", NUMBERS | PIXELS, lower=True
)
def mae(a: Answers) -> float:
    return float(np.mean(np.abs(a.truth - a.predicted)))


@_metric("medae", "median absolute error", "How far off the middle prediction is.", "number", NUMBERS, lower=True)
def medae(a: Answers) -> float:
    return float(np.median(np.abs(a.truth - a.predicted)))


@_metric("mape", "mean percentage error", "How far off in proportion to the truth.", "number", NUMBERS, lower=True)
def mape(a: Answers) -> float:
    return float(np.mean(np.abs(a.truth - a.predicted) / np.maximum(np.abs(a.truth), np.finfo(float).eps)))


@_metric(
    "wape",
    "weighted percentage error",
    "All errors together in proportion to all of the truth.",
    "number",
    NUMBERS,
    lower=True,
)
def wape(a: Answers) -> float:
    return float(np.abs(a.truth - a.predicted).sum() / max(np.abs(a.truth).sum(), np.finfo(float).eps))


@_metric(
    "smape",
    "symmetric percentage error",
    "Error in proportion to truth and prediction, from 0 to 2.",
    "number",
    NUMBERS,
    lower=True,
)
def smape(a: Answers) -> float:
    below = (np.abs(a.truth) + np.abs(a.predicted)) / 2
    return float(np.mean(_ratio(np.abs(a.truth - a.predicted), below)))


@_metric(
    "mase",
    "scaled error",
    "Error in proportion to the steps of the series.",
    "number",
    frozenset({"forecasting"}),
    lower=True,
)
def mase(a: Answers) -> float:
    """Of one series in the order of time; the measure of forecasts takes the series apart."""
    moved = np.abs(np.diff(a.truth))
    return mae(a) / float(moved.mean()) if len(moved) and moved.mean() > 0 else float("nan")


@_metric("r2", "R²", "Share of the variation that is explained.", "number", NUMBERS)
def r2(a: Answers) -> float:
    spread = np.sum((a.truth - a.truth.mean()) ** 2)
    return float(1 - np.sum((a.truth - a.predicted) ** 2) / spread) if spread else 0.0


@_metric("pearson", "Pearson correlation", "How well predictions follow the truth on a line.", "number", NUMBERS)
def pearson(a: Answers) -> float:
    return _correlation(a.truth, a.predicted)


@_metric("spearman", "rank correlation", "How well predictions follow the order of the truth.", "number", NUMBERS)
def spearman(a: Answers) -> float:
    return _correlation(_ranks(a.truth), _ranks(a.predicted))


def _correlation(first: np.ndarray, second: np.ndarray) -> float:
    """Zero when one of them does not vary."""
    if np.ptp(first) == 0 or np.ptp(second) == 0:
        return 0.0
    return float(np.corrcoef(first, second)[0, 1])


# -- pictures and sentences: computed by the measures in `mlzero.iterative_coding.kinds`


def _by_kind(a: Answers) -> float:
    raise TypeError("this metric is computed by the measure of its problem type")


_SEGMENTATION, _DETECTION, _RESTORATION = (frozenset({k}) for k in ("segmentation", "detection", "image_to_image"))
_ENTITIES, _RANKING, _REWRITING = (frozenset({k}) for k in ("ner", "retrieval", "sequence_to_sequence"))
for _name, _text, _sentence, _problems in (
    ("iou", "IoU", "Overlap of the marked area with the true one, averaged over the pictures.", _SEGMENTATION),
    ("mean_iou", "mean IoU", "Overlap with the true area, averaged over the classes.", _SEGMENTATION),
    ("dice", "Dice", "Twice the overlap in proportion to both areas, averaged over the classes.", _SEGMENTATION),
    ("pixel_accuracy", "pixel accuracy", "Share of the pixels that are right.", _SEGMENTATION),
    ("map50", "mAP at IoU 0.5", "Precision over all recalls, where half an overlap is a find; mean of classes.", _DETECTION),
    ("map", "mAP (COCO)", "Precision over all recalls, averaged over overlaps of 0.5 to 0.95 and classes.", _DETECTION),
    ("psnr", "PSNR", "Decibels between the range of the pixels and the typical error.", _RESTORATION),
    ("entity_f1", "entity F1", "Balance of found and missed entities; words and type must be exact.", _ENTITIES),
    ("token_accuracy", "share of right tags", "Share of words whose tag is right.", _ENTITIES),
    ("exact_match", "share of exact answers", "Share of texts that are exactly as they shall be.", _REWRITING),
    ("chrf", "chrF", "Overlap of pieces of one to six letters with the true text, 1 at best.", _REWRITING),
    ("ndcg@10", "NDCG at 10", "How near the relevant documents stand to the top of ten, 1 at best.", _RANKING),
    ("ndcg@5", "NDCG at 5", "How near the relevant documents stand to the top of five, 1 at best.", _RANKING),
    ("ndcg@100", "NDCG at 100", "How near the relevant documents stand to the top of a hundred, 1 at best.", _RANKING),
    ("mrr@10", "MRR at 10", "One over the rank of the first relevant document, 0 below ten; the mean.", _RANKING),
    ("recall@10", "recall at 10", "Share of the relevant documents among the first ten.", _RANKING),
    ("recall@100", "recall at 100", "Share of the relevant documents among the first hundred.", _RANKING),
    ("precision@10", "precision at 10", "Share of relevant documents among the first ten.", _RANKING),
    ("map@100", "MAP", "Precision at the rank of every relevant document, averaged.", _RANKING),
):  # fmt: skip
    _metric(_name, _text, _sentence, "label", _problems)(_by_kind)
