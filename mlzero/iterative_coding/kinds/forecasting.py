"""Forecasts: the last steps of every series are kept back, and the naive guess is what was a season ago."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mlzero.iterative_coding import evaluators, metrics
from mlzero.iterative_coding.kinds import Case, Measure

if TYPE_CHECKING:
    import pandas as pd

    from mlzero.perception.task import SeriesPlan, Task

SHORTEST = 6  # values a series keeps for learning; a shorter one is not measured
SHOWN = 6  # series in the picture
BEFORE = 4  # times as much history is shown as is forecast


class Forecasts(Measure):
    """See `Measure`."""

    def split(self, frame: pd.DataFrame, task: Task) -> np.ndarray:
        """The last steps of each series: as many as are asked for, at most a third of it."""
        plan = _plan(task)
        names, steps = _names(frame, plan), _steps(frame, plan)
        order = np.lexsort((steps, names))
        held = []
        for rows in np.split(order, np.flatnonzero(np.diff(names[order])) + 1):
            known = rows[np.isfinite(steps[rows])]
            last, first = steps[known[-1]], steps[known[0]]
            wanted = int(min(plan.horizon, (last - first + 1) // 3))
            later = known[steps[known] > last - wanted]
            if len(known) - len(later) >= SHORTEST:
                held.append(later)
        if not held:
            held = [order[-max(1, len(order) // 4) :]]
        return np.sort(np.concatenate(held))

    def score(self, metric: str, case: Case) -> float:
        if metrics.get(metric).name == "mase":
            return _mase(case.rows, case.truth[case.target], case.predicted[case.target], _plan(case.task))
        return metrics.score(metric, case.task, case.truth, case.predicted)

    def naive(self, metric: str, case: Case) -> tuple[float, str]:
        """The last value, or the value one season ago, whichever was better on the last steps of the training rows."""
        plan, target = _plan(case.task), case.target
        choices = [0, *plan.seasons]
        inner = np.setdiff1d(np.arange(len(case.train)), kept := self.split(case.train, case.task))
        before, later = case.train.iloc[inner], case.train.iloc[kept]

        def of(train: pd.DataFrame, rows: pd.DataFrame, truth: pd.DataFrame, season: int) -> float:
            guess = _guess(train, rows, plan, target, season)
            return self.score(metric, replace(case, rows=rows, truth=truth, predicted=guess))

        worth = {season: of(before, later, later[[target]], season) for season in choices}
        lower = not metrics.get(metric).higher_is_better
        usable = [season for season in choices if np.isfinite(worth[season])] or [0]
        best = (min if lower else max)(usable, key=lambda season: worth[season])
        words = f"repeats the values {best} steps before" if best else "repeats the last value"
        return of(case.train, case.rows, case.truth, best), words

    def evaluate(self, case: Case, folder: Path) -> None:
        """`forecast.json`: of some series history, truth and forecast; `steps.json`: the error by step ahead."""
        import pandas as pd

        from mlzero.semantic_memory import blocks

        plan, target = _plan(case.task), case.target
        names, steps = _names(case.rows, plan), _steps(case.rows, plan)
        ours, theirs = (blocks.function("item_names")(frame, plan.item).to_numpy() for frame in (case.train, case.rows))
        real, said = case.truth[target].to_numpy(float), case.predicted[target].to_numpy(float)
        shown = []
        for number in np.unique(names)[:SHOWN]:
            mine = np.flatnonzero(names == number)
            mine = mine[np.argsort(steps[mine], kind="stable")]
            before = _before(case.train[ours == theirs[mine[0]]], steps[mine[0]], plan).tail(BEFORE * len(mine))
            shown.append({
                "name": ", ".join(f"{column} {case.rows[column].iloc[mine[0]]}" for column in plan.item) or target,
                "history": {"time": _times(before[plan.time]), "value": _plain(before[target].to_numpy(float))},
                "time": _times(case.rows[plan.time].iloc[mine]), "true": _plain(real[mine]), "predicted": _plain(said[mine]),
            })  # fmt: skip
        evaluators.write(folder, "forecast", {"target": target, "series": shown})
        ahead = (steps - pd.Series(steps).groupby(names).transform("min").to_numpy() + 1).astype(int)
        off = np.abs(real - said)
        each = [(int(step), float(np.nanmean(off[ahead == step]))) for step in np.unique(ahead[np.isfinite(off)])]
        evaluators.write(folder, "steps", {"step": [s for s, _ in each], "error": [e for _, e in each]})


def _plan(task: Task) -> SeriesPlan:
    assert task.series is not None
    return task.series


def _names(rows: pd.DataFrame, plan: SeriesPlan) -> np.ndarray:
    """A number for the series of each row."""
    import pandas as pd

    from mlzero.semantic_memory import blocks

    return pd.factorize(blocks.function("item_names")(rows, plan.item))[0]


def _steps(rows: pd.DataFrame, plan: SeriesPlan) -> np.ndarray:
    from mlzero.semantic_memory import blocks

    found: np.ndarray = blocks.function("steps_of")(rows[plan.time], plan.frequency, plan.start)
    return found


def _before(train: pd.DataFrame, step: float, plan: SeriesPlan) -> pd.DataFrame:
    """The rows of one series before a step, in the order of time."""
    steps = _steps(train, plan)
    earlier = np.flatnonzero(steps < step)
    return train.iloc[earlier[np.argsort(steps[earlier], kind="stable")]]


def _times(column: pd.Series) -> list[str]:
    return [str(value).removesuffix(" 00:00:00") for value in column]


def _plain(values: np.ndarray) -> list[float | None]:
    return [float(value) if np.isfinite(value) else None for value in values]


def _guess(train: pd.DataFrame, rows: pd.DataFrame, plan: SeriesPlan, target: str, season: int) -> pd.DataFrame:
    """For each row the known value one season before, or two where that is not known yet; 0 seasons: the last value."""
    import pandas as pd

    from mlzero.semantic_memory import blocks

    item_names = blocks.function("item_names")
    ours, theirs = item_names(train, plan.item).to_numpy(), item_names(rows, plan.item).to_numpy()
    steps = _steps(train, plan)
    known = pd.DataFrame({"name": ours, "step": steps, "value": train[target].to_numpy(float)}).dropna()
    known = known.sort_values("step", kind="stable").drop_duplicates(["name", "step"], keep="last")
    ends = known.groupby("name")["step"].max()
    lasts = known.groupby("name")["value"].last()
    asked = _steps(rows, plan)
    guess = pd.Series(theirs).map(lasts).to_numpy(float)
    if season:
        value_at = known.set_index(["name", "step"])["value"]
        back = np.maximum(np.ceil((asked - pd.Series(theirs).map(ends).to_numpy(float)) / season), 1) * season
        index = pd.MultiIndex.from_arrays([theirs, asked - back])
        seasonal = value_at.reindex(index).to_numpy(float)
        guess = np.where(np.isfinite(seasonal), seasonal, guess)
    guess = np.where(np.isfinite(guess), guess, known["value"].mean())
    return pd.DataFrame({target: guess}, index=rows.index)


def _mase(rows: pd.DataFrame, truth: pd.Series, predicted: pd.Series, plan: SeriesPlan) -> float:
    """Errors in proportion to how much the series move from step to step, averaged over the series.

    The movement is that of the rows that are measured, as the history is not at hand here.
    """
    names, steps = _names(rows, plan), _steps(rows, plan)
    real, said = truth.to_numpy(float), predicted.to_numpy(float)
    found = []
    for number in np.unique(names):
        mine = np.flatnonzero(names == number)
        mine = mine[np.argsort(steps[mine], kind="stable")]
        moved = np.abs(np.diff(real[mine])).mean() if len(mine) > 1 else np.nan
        if np.isfinite(moved) and moved > 0:
            found.append(np.abs(real[mine] - said[mine]).mean() / moved)
    return float(np.mean(found)) if found else float("nan")


MEASURE = Forecasts()
