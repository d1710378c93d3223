"""Data for the page about a scored attempt: one JSON file a picture. To add one, write a function and register it."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mlzero.iterative_coding import labels as label_tools
from mlzero.iterative_coding.metrics import NUMBERS
from mlzero.perception.task import CLASSES

if TYPE_CHECKING:
    import pandas as pd

    from mlzero.perception.task import Task

log = logging.getLogger(__name__)

MOST_CLASSES = 30  # rows and columns of a confusion matrix; the rest are summed up as "other"
POINTS = 300  # of a scatter plot or a curve
EXAMPLES = 20  # rows that were missed most
LONGEST = 200  # characters of a cell that is shown
COLUMNS = 30
SEED = 7
LONG_NUMBER = re.compile(r"-?(?:\d*\.\d{5,}(?:e[+-]?\d+)?|\d+(?:\.\d+)?e-\d+)", re.I)

Evaluator = Callable[["Task", "pd.DataFrame", "pd.DataFrame", "pd.DataFrame"], "dict[str, Any] | None"]


def write_all(folder: Path, task: Task, rows: pd.DataFrame, truth: pd.DataFrame, predicted: pd.DataFrame) -> list[str]:
    """Write every file that suits the task; returns their names.

    Parameters
    ----------
    rows, truth, predicted
        Features, targets and predictions of the holdout, in the same order.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, evaluator in EVALUATORS.items():
        data = evaluator(task, rows, truth, predicted)
        if data is not None:
            write(folder, name, data)
            written.append(name)
    return written


def write(folder: Path, name: str, data: dict[str, Any]) -> None:
    """Write what an evaluation shows as `name`.json into a folder, which is made where it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(data, ensure_ascii=False, default=str), encoding="utf-8")


def read(folder: Path, name: str) -> dict[str, Any]:
    """What was left in `name`.json; empty when there is no such file, or none that can be read."""
    path = folder / f"{name}.json"
    try:
        content = json.loads(path.read_bytes()) if path.is_file() else {}
    except ValueError as error:
        log.warning("%s is damaged and left out: %s", path, error)
        return {}
    return content if isinstance(content, dict) else {}


def rounded(cell: str) -> str:
    """A cell for reading: a number with many decimals loses those nobody looks at; other cells stay as they are."""
    if not LONG_NUMBER.fullmatch(cell):
        return cell
    value = float(cell)
    if 0 < abs(value) < 0.00005:
        return "less than 0.0001" if value > 0 else "more than -0.0001"
    return f"{value:.4f}" if abs(value) < 100 else f"{value:.2f}"


def missed(rows: pd.DataFrame, place: int, true: object, predicted: object, off: float) -> dict[str, Any]:
    """An entry of `worst_examples`: `row`, `true`, `predicted`, `off` (how far) and the `values` of the row."""
    values = {str(k): _cell(v) for k, v in rows.iloc[place].head(COLUMNS).items()}
    return {"row": str(rows.index[place]), "true": str(true)[:LONGEST], "predicted": str(predicted)[:LONGEST], "off": float(off), "values": values}  # fmt: skip


def _cell(value: Any) -> str:
    """A cell as text, cut where it is long; days without a time of day, nothing where it is missing."""
    import pandas as pd

    return "" if pd.api.types.is_scalar(value) and pd.isna(value) else str(value).removesuffix(" 00:00:00")[:LONGEST]


def spread(scores: Sequence[float], most: int) -> list[int]:
    """Places of at most that many, from the best to the worst, evenly."""
    order = np.argsort(-np.asarray(scores), kind="stable")
    return [int(place) for place in order[_evenly(len(order), most)]]


def confusion_matrix(
    task: Task, rows: pd.DataFrame, truth: pd.DataFrame, predicted: pd.DataFrame
) -> dict[str, Any] | None:
    """`labels`, `matrix` (real × predicted, counts)."""
    if task.problem_type.value not in CLASSES:
        return None
    target = task.targets[0]
    labels = label_tools.domain(task.labels, truth[target], predicted[target])
    real, said = label_tools.codes(truth[target], labels), label_tools.codes(predicted[target], labels)
    shown = labels
    if len(labels) > MOST_CLASSES:
        frequent = np.argsort(-np.bincount(real, minlength=len(labels)), kind="stable")[: MOST_CLASSES - 1]
        place = np.full(len(labels), MOST_CLASSES - 1)
        place[frequent] = np.arange(len(frequent))
        real, said, shown = place[real], place[said], [*(labels[i] for i in frequent), "other"]
    matrix = np.zeros((len(shown),) * 2, dtype=int)
    np.add.at(matrix, (real, said), 1)
    return {"labels": shown, "matrix": matrix.tolist()}


def predicted_against_true(
    task: Task, rows: pd.DataFrame, truth: pd.DataFrame, predicted: pd.DataFrame
) -> dict[str, Any] | None:
    """`targets`: name → `true`, `predicted` of a sample of rows."""
    if task.problem_type.value not in NUMBERS:
        return None
    chosen = np.sort(np.random.default_rng(SEED).permutation(len(truth))[:POINTS])
    found = {}
    for target in task.targets:
        real, said = _numbers(truth[target]), _numbers(predicted[target])
        if real is not None and said is not None:
            found[target] = {"true": real[chosen].tolist(), "predicted": said[chosen].tolist()}
    return {"targets": found} if found else None


def curves(task: Task, rows: pd.DataFrame, truth: pd.DataFrame, predicted: pd.DataFrame) -> dict[str, Any] | None:
    """ROC and precision-recall points of two-class tasks: `positive`, `roc` and `precision_recall` as [x, y] pairs."""
    if task.problem_type.value != "binary":
        return None
    target = task.targets[0]
    labels = label_tools.domain(task.labels, truth[target])
    chances = label_tools.probabilities(predicted, labels)
    if chances is None or len(labels) < 2:
        return None
    positive = label_tools.positive_of(labels, task.positive_label.value)
    real = label_tools.codes(truth[target], labels) == labels.index(positive)
    if real.all() or not real.any():
        return None
    chance = chances[:, labels.index(positive)]
    order = np.argsort(-chance, kind="stable")
    last = np.append(np.diff(chance[order]) != 0, True)
    hits, misses = np.cumsum(real[order])[last], np.cumsum(~real[order])[last]
    recall, false_alarms = hits / real.sum(), misses / (~real).sum()
    roc = np.column_stack([np.append(0, false_alarms), np.append(0, recall)])
    precision_recall = np.column_stack([recall, hits / (hits + misses)])
    return {"positive": positive, "roc": _thin(roc), "precision_recall": _thin(precision_recall)}


def worst_examples(
    task: Task, rows: pd.DataFrame, truth: pd.DataFrame, predicted: pd.DataFrame
) -> dict[str, Any] | None:
    """The holdout rows that were missed most: `examples` with `row`, `true`, `predicted`, `off`, `values`.

    Where a probability was asked for, `chance_of` says of which label, and each example has its `chance`.
    """
    if len(task.targets) != 1:
        return None
    asked: dict[str, Any] = {}
    chance: np.ndarray | None = None
    target = task.targets[0]
    real, said = _numbers(truth[target]), _numbers(predicted[target])
    if task.problem_type.value in CLASSES:
        labels = label_tools.domain(task.labels, truth[target], predicted[target])
        places = label_tools.codes(truth[target], labels)
        wrong = places != label_tools.codes(predicted[target], labels)
        chances = label_tools.probabilities(predicted, labels)
        off = wrong * 1.0 if chances is None else wrong * (1 - chances[np.arange(len(places)), places])
        if chances is not None and task.problem_type.value == "binary" and task.output.value.value == "probability":
            asked["chance_of"] = label_tools.positive_of(labels, task.positive_label.value)
            chance = chances[:, labels.index(asked["chance_of"])]
    elif real is not None and said is not None:
        off = np.abs(real - said)
    else:
        return None
    worst = [int(i) for i in np.argsort(-off, kind="stable")[:EXAMPLES] if off[i] > 0]
    told = [missed(rows, i, truth[target].iloc[i], predicted[target].iloc[i], off[i]) for i in worst]
    if chance is not None:
        told = [example | {"chance": float(chance[i])} for example, i in zip(told, worst, strict=True)]
    return {**asked, "examples": told}


def label_scores(task: Task, rows: pd.DataFrame, truth: pd.DataFrame, predicted: pd.DataFrame) -> dict[str, Any] | None:
    """Several labels a row: `labels`, each with `name`, `real`, `said`, `right` (counts)."""
    if task.problem_type.value != "multilabel":
        return None
    found = []
    for target in task.targets:
        real = label_tools.is_yes(truth[target], task.positive_label.value)
        said = label_tools.is_yes(predicted[target], task.positive_label.value)
        found.append(
            {"name": target, "real": int(real.sum()), "said": int(said.sum()), "right": int((real & said).sum())}
        )
    return {"labels": found}


def _numbers(column: pd.Series) -> np.ndarray | None:
    try:
        return column.to_numpy(dtype=float, na_value=np.nan)
    except (ValueError, TypeError):
        return None


def _thin(points: np.ndarray) -> list[list[float]]:
    """At most `POINTS` of the points, first and last included."""
    return np.round(points[_evenly(len(points), POINTS)], 5).tolist()


def _evenly(count: int, most: int) -> np.ndarray:
    """At most that many of the places below `count`, first and last included."""
    return np.unique(np.linspace(0, count - 1, min(most, count)).round().astype(int))


EVALUATORS: dict[str, Evaluator] = {
    "confusion_matrix": confusion_matrix,
    "predicted_against_true": predicted_against_true,
    "curves": curves,
    "worst_examples": worst_examples,
    "label_scores": label_scores,
}
