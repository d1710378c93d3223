"""The run's one split: which rows no attempt may see. One function a kind; to add one, register it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mlzero.iterative_coding import labels as label_tools
from mlzero.iterative_coding.kinds import measure_of

if TYPE_CHECKING:
    import pandas as pd

    from mlzero.perception.task import SplitPlan, Task

SEED = 20240229
LARGEST_HOLDOUT = 20_000  # rows


@dataclass(frozen=True)
class Split:
    """Positions of the holdout rows in the frame, ascending, and how they were chosen."""

    holdout: np.ndarray
    kind: str
    note: str = ""  # a sentence when the plan could not be followed


Chooser = Callable[["pd.DataFrame", "Task", int, np.random.Generator], "np.ndarray | None"]


def make(frame: pd.DataFrame, task: Task) -> Split:
    """Choose the holdout of a frame with the targets in it. The same frame gives the same split.

    At least one row and at most `LARGEST_HOLDOUT`; rows that lack a target are never chosen.
    """
    own = measure_of(task.problem_type.value).split(frame, task)
    if own is not None:
        return Split(np.sort(own), task.split.value.kind)
    plan: SplitPlan = task.split.value
    complete = np.flatnonzero(frame[task.targets].notna().all(axis=1).to_numpy())
    rows = frame.iloc[complete]
    size = int(np.clip(round(plan.fraction * len(rows)), 1, LARGEST_HOLDOUT))
    chosen, kind, note = None, plan.kind, ""
    if plan.column is None or plan.column in frame.columns:
        chosen = KINDS.get(plan.kind, random)(rows, task, size, np.random.default_rng(SEED))
    if chosen is None:
        kind = "random"
        note = f"The rows could not be split by {plan.column or plan.kind}, so they were chosen by chance."
        chosen = random(rows, task, size, np.random.default_rng(SEED))
    return Split(np.sort(complete[chosen]), kind, note)


def random(frame: pd.DataFrame, task: Task, size: int, dice: np.random.Generator) -> np.ndarray | None:
    """By chance."""
    return dice.permutation(len(frame))[:size]


def stratified(frame: pd.DataFrame, task: Task, size: int, dice: np.random.Generator) -> np.ndarray | None:
    """Every class with its share; a class of two or three rows gives one, a single row stays with the training part."""
    groups: dict[str, list[int]] = {}
    columns = [label_tools.texts(frame[target]) for target in task.targets]
    for i, key in enumerate(zip(*columns, strict=True)):
        groups.setdefault("\0".join(key), []).append(i)
    share = size / len(frame)
    chosen: list[int] = []
    for members in groups.values():
        wanted = int(np.floor(share * len(members) + dice.random()))
        few = len(task.targets) == 1 and len(members) > 1  # combinations of several labels are often unique: no care
        wanted = min(max(wanted, 1), len(members) - 1) if few else wanted
        chosen += list(dice.permutation(members)[:wanted])
    chosen = chosen or [int(dice.integers(len(frame)))]
    return np.array(chosen)[dice.permutation(len(chosen))[:LARGEST_HOLDOUT]] if len(chosen) < len(frame) else None


def group(frame: pd.DataFrame, task: Task, size: int, dice: np.random.Generator) -> np.ndarray | None:
    """Whole groups, so that no group is on both sides; rows without a group are groups of their own."""
    import pandas as pd

    column = frame[task.split.value.column]
    keys = pd.factorize(column)[0].astype(int)
    keys[keys < 0] = keys.max() + 1 + np.arange((keys < 0).sum())
    counts = np.bincount(keys)
    if len(counts) < 2:
        return None
    order, taken, held = dice.permutation(len(counts)), 0, []
    for key in order:
        if taken and taken + counts[key] > size * 1.2:
            continue
        held.append(key)
        taken += counts[key]
        if taken >= size or len(held) == len(counts) - 1:
            break
    return np.flatnonzero(np.isin(keys, held))


def time(frame: pd.DataFrame, task: Task, size: int, dice: np.random.Generator) -> np.ndarray | None:
    """The latest rows; rows of the same moment stay together where that keeps the size near what was asked."""
    moments = _moments(frame[task.split.value.column])
    known = np.isfinite(moments)
    if known.sum() < 2 or np.ptp(moments[known]) == 0:
        return None
    border = np.sort(moments[known])[-min(size, int(known.sum()) - 1)]
    together = np.flatnonzero(known & (moments >= border))
    if len(together) > 1.5 * size:
        later = np.flatnonzero(known & (moments > border))
        together = (
            later if len(later) >= 0.5 * size else np.argsort(np.where(known, moments, -np.inf), kind="stable")[-size:]
        )
    return together[-LARGEST_HOLDOUT:]


def _moments(column: pd.Series) -> np.ndarray:
    """Times as numbers, nan where there is none."""
    import pandas as pd

    if pd.api.types.is_numeric_dtype(column):
        return column.to_numpy(dtype=float, na_value=np.nan)
    times = pd.to_datetime(column, errors="coerce", utc=True, format="mixed")
    return np.where(times.isna(), np.nan, times.astype("int64").astype(float))


KINDS: dict[str, Chooser] = {
    "random": random,
    "stratified": stratified,
    "group": group,
    "time": time,
    "last_horizon": time,
}
