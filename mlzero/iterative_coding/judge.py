"""Facts, not opinions: is what an attempt left complete, sane and honest? Each check is a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mlzero.iterative_coding import metrics
from mlzero.iterative_coding.contract import Check, Evaluation
from mlzero.iterative_coding.frames import read_report
from mlzero.iterative_coding.outcome import spoken

if TYPE_CHECKING:
    import pandas as pd

    from mlzero.perception.task import Task

NEAR_PERFECT = 0.998  # of a metric whose best is 1
ROUNDING = 1e-9  # a difference to a perfect naive guess that tells nothing
LEAK_ROWS = 5000
LEAK_COLUMNS = 300
BOUNDED = frozenset({"accuracy", "balanced_accuracy", "f1", "f1_macro", "f1_micro", "f1_weighted", "roc_auc", "roc_auc_ovr",
                     "roc_auc_ovo", "average_precision", "mcc", "quadratic_kappa", "r2", "pearson", "spearman",
                     "iou", "mean_iou", "dice", "pixel_accuracy", "map50", "map"})  # fmt: skip


def judge(
    evaluation: Evaluation,
    task: Task,
    *,
    holdout: pd.DataFrame,
    truth: pd.DataFrame,
    test: pd.DataFrame | None,
    model_dir: Path,
) -> list[Check]:
    """Checks on a scored attempt, beyond those on its predictions.

    Parameters
    ----------
    holdout, test
        The rows, without targets.
    truth
        Targets of the holdout.
    model_dir
        Where the solution may have left `validation.json` with its own `{"score": …}` of the same metric.
    """  # fmt: skip
    return [
        *_against_naive(evaluation),
        *_ids(task, test),
        *_leak(evaluation, task, holdout, truth),
        *_own_validation(evaluation, model_dir),
    ]


def _against_naive(e: Evaluation) -> Iterator[Check]:
    if e.score is None or e.baseline is None or not np.isfinite(e.baseline):
        return
    gain = (e.score - e.baseline) * (1 if e.higher_is_better else -1)
    far = gain < -max(0.5 * abs(e.baseline), 0.1 if e.metric in BOUNDED else ROUNDING)
    words = f"a naive guess that {e.baseline_text}" if e.baseline_text else "a naive guess"
    outcome = "better than" if gain > 0 else "no better than" if not far else "far worse than"
    told = f"{_name(e)} {spoken(e.score)} is {outcome} {words} ({spoken(e.baseline)})."
    yield Check("better than naive", gain > 0, told, fatal=far)


def _ids(task: Task, test: pd.DataFrame | None) -> Iterator[Check]:
    name = task.id.value
    if test is None or name is None or name not in test.columns:
        return
    twice = int(test[name].duplicated().sum())
    yield Check("ids are unique", twice == 0, f'{twice:,} test rows share their "{name}" with another row.' if twice else f'Every test row has its own "{name}".', fatal=False)  # fmt: skip


def _leak(e: Evaluation, task: Task, holdout: pd.DataFrame, truth: pd.DataFrame) -> Iterator[Check]:
    """A near-perfect score is looked into: does one column alone give the answer away?"""
    if (
        e.score is None
        or e.metric not in BOUNDED
        or e.score < NEAR_PERFECT
        or len(task.targets) != 1
        or len(truth) < 20
    ):
        return
    column = giveaway(holdout, truth[task.targets[0]])
    if column is None:
        yield Check("too good to be true", True, f"{_name(e)} {spoken(e.score)} is close to perfect; no single column explains it.", fatal=False)  # fmt: skip
    else:
        yield Check("too good to be true", False, f'"{column}" alone gives the answer away; it may not be known when predictions are needed.', fatal=False)  # fmt: skip


def reading_checks(frame: pd.DataFrame, targets: list[str], known: set[str]) -> Iterator[Check]:
    """On rows read by code that a language model changed: nothing may be there that the upload does not have.

    Parameters
    ----------
    frame
        What `load_train` returned.
    known
        The columns of the upload.
    """
    made = [str(name) for name in frame.columns if name not in known]
    yield Check(
        "reading: columns", not made,
        f"The changed reading made the column {made[0]!r}, which is not in the data." if made else "The changed reading made no columns.",
    )  # fmt: skip
    rows = frame.drop(columns=targets, errors="ignore")
    for target in targets:
        column = giveaway(rows, frame[target]) if target in frame else None
        yield Check(
            "reading: answers", column is None,
            f'After the changed reading "{column}" alone gives the answer away.' if column else "No column gives the answer away.",
        )  # fmt: skip


def giveaway(rows: pd.DataFrame, target: pd.Series) -> str | None:
    """A column from which the target can be read off, if there is one."""
    import pandas as pd

    rows, target = rows.iloc[:LEAK_ROWS, :LEAK_COLUMNS], target.iloc[:LEAK_ROWS]
    classes = pd.factorize(target)[0]
    numeric = pd.api.types.is_numeric_dtype(target) and target.nunique() > 20
    for name in rows.columns:
        column = rows[name]
        if numeric:
            varies = pd.api.types.is_numeric_dtype(column) and column.nunique() > 1
            if varies and abs(column.astype(float).corr(target.astype(float))) > 0.9999:
                return str(name)
            continue
        values, kinds = pd.factorize(column.astype(str))
        if 1 < len(kinds) <= len(column) / 5:
            purity = pd.crosstab(values, classes).max(axis=1).sum() / len(values)
            if purity > NEAR_PERFECT:
                return str(name)
        elif pd.api.types.is_numeric_dtype(column) and len(np.unique(classes)) == 2:
            area = metrics.area(classes == 1, column.fillna(column.min()).to_numpy(dtype=float))
            if max(area, 1 - area) > 0.9999:
                return str(name)
    return None


def _own_validation(e: Evaluation, model_dir: Path) -> Iterator[Check]:
    report: dict[str, Any] = read_report(model_dir / "validation.json")
    own = report.get("score")
    if e.score is None or not isinstance(own, int | float) or e.metric not in BOUNDED:
        return
    yield Check(
        "validation agrees", own - e.score < 0.1,
        f"The solution's own validation gave {spoken(own)}, the unseen rows {spoken(e.score)}.", fatal=False,
    )  # fmt: skip


def _name(e: Evaluation) -> str:
    text = metrics.get(e.metric).text
    return text[:1].upper() + text[1:]
