"""The rows of a forecasting task as its solution reads them: the history, and rows to forecast for a try."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mlzero.perception.profile import Profile
from mlzero.perception.relational import load_joined
from mlzero.perception.tables import load_table
from mlzero.perception.task import Task

if TYPE_CHECKING:
    import pandas as pd


def history_of(task: Task, profile: Profile, data_dir: Path) -> pd.DataFrame:
    """Series, time and target, one row a series and moment."""
    from mlzero.semantic_memory import blocks

    plan = task.series
    assert plan is not None
    table = profile.table(task.train[0].table)
    assert table is not None
    frame, target = load_table(data_dir, table), task.targets[0]
    if plan.layout == "wide":
        rows: pd.DataFrame = blocks.function("long_of_wide")(
            frame, plan.label, plan.values, name=plan.item[0], time=plan.time, target=target, days=plan.moments
        )
    elif plan.layout == "matrix":
        rows = blocks.function("long_of_matrix")(
            frame, plan.label, plan.values, parts=plan.parts, time=plan.time, target=target, years_down=plan.years_down
        )
    else:
        rows = frame[[*plan.item, plan.time, target]].dropna(subset=[plan.time, target])
    return rows


def sample_of(task: Task, profile: Profile, data_dir: Path, count: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A few rows to forecast, as a file may hold them, and as the solution reads that file."""
    from mlzero.semantic_memory import blocks

    plan = task.series
    assert plan is not None
    if plan.layout == "long" and task.test:
        source = task.test[0]
        table = profile.table(source.table)
        assert table is not None
        raw, read = (load_table(data_dir, table, convert=convert) for convert in (False, True))
        if source.rows == "unlabelled":
            read = read[read[task.targets[0]].isna()].dropna(subset=[plan.time])
        read = _whole_series(read.drop(columns=task.targets, errors="ignore"), plan.item, count)
        return raw.loc[read.index, list(read.columns)], load_joined(
            read, task, profile, data_dir
        ) if task.joins else read
    history = history_of(task, profile, data_dir)
    rows = blocks.function("future_rows")(history, plan.item, plan.time, plan.horizon, plan.frequency, plan.start)
    if plan.layout == "wide":
        names = rows[plan.item].drop_duplicates().head(3)
        return names, rows[rows[plan.item[0]].isin(names[plan.item[0]])]
    rows = _whole_series(rows, plan.item, count)
    return rows, rows


def _whole_series(rows: pd.DataFrame, item: list[str], count: int) -> pd.DataFrame:
    """The rows of the first series, all of each, about `count` in all: an answer may depend on what follows in its series."""
    if not item:
        return rows
    series = rows.groupby(item, sort=False, dropna=False).ngroup()
    ends = series.value_counts(sort=False).sort_index().cumsum()
    return rows[series <= (ends <= max(count, ends.iloc[0])).sum() - 1]
