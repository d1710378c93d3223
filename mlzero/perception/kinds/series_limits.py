"""What limits a forecast: steps without a value, series that are short for it, moments that stand on no grid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlzero.errors import UserError
from mlzero.perception.series_words import STEPS
from mlzero.perception.task import Question, SeriesPlan
from mlzero.perception.wording import quote_list

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from pandas.core.groupby import SeriesGroupBy

FEWEST = 8  # values of a series that can be learnt from and measured
_TWICE = 2  # values a step ahead, below which a horizon is long
_FILLED = 0.8  # share of steps with a value from where irregular moments can be put on them
_SHOWN = 3  # series that are named


def coarser(times: pd.Series, names: np.ndarray) -> list[str]:
    """Frequencies at which irregular moments fill nearly all steps of their series, the finest first.

    Parameters
    ----------
    times, names
        Moment and series of each row.
    """
    from mlzero.semantic_memory import blocks

    steps_of, start, found = blocks.function("steps_of"), times.min().isoformat(), []
    for frequency in STEPS:
        steps = _by_series(steps_of(times, frequency, start), names)
        spans = steps.max() - steps.min() + 1
        if spans.median() >= FEWEST and (steps.nunique() / spans).median() >= _FILLED:
            found.append(frequency)
    return found


def about_steps(frequencies: list[str], time: str) -> Question:
    """Which steps irregular moments are put on."""
    return Question(
        field="frequency", text=f'"{time}" holds moments at no regular distance: which steps should be forecast?',
        options=[STEPS[frequency] for frequency in frequencies], default=STEPS[frequencies[0]],
    )  # fmt: skip


def gaps(history: pd.DataFrame, plan: SeriesPlan) -> str | None:
    """A sentence on steps without a value between the first and the last of a series."""
    steps = _steps(history, plan)
    spans, filled = (steps.max() - steps.min() + 1), steps.nunique()
    absent = int((spans - filled).sum())
    if not absent:
        return None
    where = f" in {int((spans > filled).sum()):,} of {plan.series:,} series" if plan.series > 1 else ""
    lines = "is closed with a straight line" if absent == 1 else "are closed with straight lines"
    return f"{absent:,} of {int(spans.sum()):,} steps have no value{where}; the gap{'s' * (absent > 1)} {lines}."


def short(history: pd.DataFrame, plan: SeriesPlan) -> list[str]:
    """Sentences on series that are too short to be measured, and on a horizon that is long for them.

    Raises
    ------
    UserError
        When no series is long enough.
    """
    counts = _steps(history, plan).nunique()
    few = counts[counts < FEWEST]
    if len(few) == len(counts):
        raise UserError(
            f"The longest series has {int(counts.max())} values, and {FEWEST} are the least that can be learnt from.",
            "Add older rows, or choose another kind of answer.",
        )
    said = []
    if len(few):
        named = f" ({quote_list([str(name) for name in few.index], _SHOWN)})" if plan.item else ""
        said.append(
            f"{len(few):,} of {len(counts):,} series{named} have fewer than {FEWEST} values: they are forecast, but too "
            "short to be measured."
        )
    if too_far(history, plan):
        said.append(
            f"{plan.horizon} steps ahead are many for series of about {int(counts.median())} values; "
            f"{_TWICE * plan.horizon} values or more would carry them."
        )
    return said


def too_far(history: pd.DataFrame, plan: SeriesPlan) -> bool:
    """Whether the horizon is more than half as long as the usual series."""
    return bool(_steps(history, plan).nunique().median() < _TWICE * plan.horizon)


def about_horizon(history: pd.DataFrame, plan: SeriesPlan) -> Question:
    """Whether fewer steps ahead would do."""
    usual = int(_steps(history, plan).nunique().median())
    fewer = max(1, usual // (_TWICE + 1))
    return Question(
        field="horizon", text=f"The series have about {usual} values: how many steps ahead should be forecast?",
        options=[str(plan.horizon), str(fewer)], default=str(plan.horizon),
    )  # fmt: skip


def _steps(history: pd.DataFrame, plan: SeriesPlan) -> SeriesGroupBy:
    from mlzero.semantic_memory import blocks

    names = blocks.function("item_names")(history, plan.item).to_numpy()
    return _by_series(blocks.function("steps_of")(history[plan.time], plan.frequency, plan.start), names)


def _by_series(steps: np.ndarray, names: np.ndarray) -> SeriesGroupBy:
    import pandas as pd

    return pd.Series(steps).groupby(names, sort=False)
