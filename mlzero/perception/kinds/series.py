"""Forecasts: whether an upload asks for one, and series in long tables, one row a series and moment."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from mlzero.errors import UserError
from mlzero.perception import answers, series_shape, series_words
from mlzero.perception import roles as role_finder
from mlzero.perception import targets as target_finder
from mlzero.perception.goal import Brief
from mlzero.perception.kinds import series_limits
from mlzero.perception.kinds.series_side import matrix, wide
from mlzero.perception.kinds.series_task import Found, said_horizon, task_of, usual_seasons
from mlzero.perception.override import BY_USER, LONGEST_HORIZON, Overrides
from mlzero.perception.profile import ColumnProfile, Profile, TableProfile
from mlzero.perception.roles import Roles
from mlzero.perception.task import Inferred, OutputPlan, Question, RowSource, SeriesPlan, Task
from mlzero.perception.wording import fold

if TYPE_CHECKING:
    import pandas as pd

_COUNTED = frozenset("t step time period week day month hour year jahr ano woche tag monat".split())


class Series:
    """See `Specialist`."""

    def tables(self, data_dir: Path, profile: Profile) -> list[TableProfile]:
        return []

    def task(self, data_dir: Path, profile: Profile, brief: Brief, given: Overrides) -> Task | None:
        if given.problem_type not in (None, "forecasting") or not profile.tables:
            return None
        found = wide(data_dir, profile, brief, given) or matrix(data_dir, profile, brief, given)
        found = found or _long(data_dir, profile, brief, given)
        if found is None:
            if given.problem_type == "forecasting":
                raise UserError(
                    "No time series was found: no table has a column of moments and one row a moment and series.",
                    "Add a table with a date column and the numbers to forecast, or choose another kind of answer.",
                )
            return None
        if given.horizon and found.fixed:
            raise UserError(
                f"The data itself asks for {found.plan.horizon} steps ahead, so no other number can be set.",
                "Remove the correction, or the rows to predict.",
            )
        if given.frequency and found.plan.layout != "long":
            raise UserError(
                "The columns of the table tell its steps, so no others can be set.", "Remove the correction."
            )
        return task_of(found, data_dir, profile, brief, given)


SPECIALIST = Series()


def _long(data_dir: Path, profile: Profile, brief: Brief, given: Overrides) -> Found | None:
    """One row a moment (and series)."""
    from mlzero.perception.tables import load_table

    number = _number(profile, brief, given)
    if number is None:
        return None
    roles, target = number
    main, test = roles.train[0], roles.test[0] if len(roles.test) == 1 else None
    shared = [c for c in main.columns if test is None or test.column(c.name)]
    times = [c.name for c in shared if c.kind == "date" and c.missing <= 0.02 * main.rows]
    times += [c.name for c in shared if _counted(c)]
    times = [name for name in times if name != target]
    if not times:
        return None
    frame, later = load_table(data_dir, main), None if test is None else load_table(data_dir, test)
    tries = (_along(time, frame, later, roles, target, profile, brief, given) for time in times)
    return next((found for found in tries if found), None)


def _number(profile: Profile, brief: Brief, given: Overrides) -> tuple[Roles, str] | None:
    """The roles of the tables and the one column of numbers that is wanted."""
    if given.targets and len(given.targets) > 1:
        return None
    try:
        roles = role_finder.find(profile, brief, given.targets[0] if given.targets else None)
        found = None if given.targets else target_finder.find(profile, roles, brief).target
    except UserError:
        return None
    target = found.value if found else (given.targets or [""])[0]
    column = roles.train[0].column(target) if isinstance(target, str) else None
    if found and column and _counted(column) and series_words.says_forecast(brief.said):  # `day` of "the next 7 days"
        others = [roles.train[0].column(str(name)) for name in found.alternatives]
        column = next((other for other in others if other and not _counted(other)), None)
    if column is None or not isinstance(column.minimum, float) or len(roles.train) > 1:
        return None
    return (roles, column.name) if column.kind in ("number", "identifier") else None


def _counted(column: ColumnProfile) -> bool:
    """Whether a column counts moments."""
    return column.integer and fold(column.name) in _COUNTED


def _along(
    time: str, frame: pd.DataFrame, later: pd.DataFrame | None, roles: Roles, target: str, profile: Profile, brief: Brief, given: Overrides
) -> Found | None:  # fmt: skip
    """The forecast along one column of moments; None when the rows merely have it.

    Parameters
    ----------
    frame, later
        The training table, and the table of rows to predict when there is one.
    """
    main, word = roles.train[0], series_words.says_forecast(brief.said)
    known, open_rows = frame.dropna(subset=[target, time]), frame[frame[target].isna()]
    inside = later is None and 0 < len(open_rows) < len(known)  # the rows to predict are in the training table
    future = open_rows.dropna(subset=[time]) if inside else later
    if future is not None and time not in future:
        return None
    among = None if later is None else roles.test[0].names
    certain = given.problem_type is not None or (word is not None and len(known) < series_limits.FEWEST)
    least = {"least": 2} if certain else {}  # so that series are found, and found too short
    items = series_shape.item_columns(main, known, time, target, among, brief.said, **least)
    step = None if items is None else _step(known, items, time, given, asked=bool(word or given.problem_type))
    if items is None or step is None:
        return None
    frequency, question = step
    if inside and word and _are_gaps(known, open_rows.dropna(subset=[time]), items, time):
        inside, future = False, None
    found = _ahead(known, future, items, time, frequency, brief, given, word)
    if found is None and given.problem_type != "forecasting":
        return None
    if not (word or given.problem_type) and not series_shape.goes_on(known, items, time, target):
        return None
    horizon, why, evidence = found or (*said_horizon(brief, given, frequency, len(known)), BY_USER)
    plan = SeriesPlan(
        item=items, time=time, frequency=frequency, start=known[time].min().isoformat() if frequency else "",
        horizon=min(horizon, LONGEST_HORIZON), series=known.groupby(items, dropna=False).ngroups if items else 1,
    )  # fmt: skip
    plan.seasons = usual_seasons(
        series_words.seasons_of(frequency or series_words.unit_of(brief.said) or ""), known, plan
    )
    column = main.column(target)
    rows: Literal["all", "labelled"] = "labelled" if column and column.missing else "all"
    test = [RowSource(table=main.key, rows="unlabelled")] if inside else []
    test = test if later is None else [RowSource(table=roles.test[0].key)]
    output = _output(profile, roles, plan, target, brief)
    history = known[[*items, time, target]]
    return Found(
        plan, main, target, evidence, why, roles, output, history, rows, test, fixed=future is not None and len(future) > 0,
        questions=[question] if question else [],
    )  # fmt: skip


def _are_gaps(known: pd.DataFrame, open_rows: pd.DataFrame, items: list[str], time: str) -> bool:
    """Whether rows without a value all lie within the history of their series, so that they are not what is wanted."""
    from mlzero.semantic_memory import blocks

    names = blocks.function("item_names")
    ends = known.groupby(names(known, items).to_numpy())[time].max()
    return bool((open_rows[time] <= names(open_rows, items).map(ends)).all())


def _step(
    known: pd.DataFrame, items: list[str], time: str, given: Overrides, *, asked: bool
) -> tuple[str, Question | None] | None:
    """The frequency of the series, with a question when their moments are irregular; None when they stand on no grid.

    Parameters
    ----------
    asked
        Whether a forecast is asked for: then irregular moments are put on coarser steps.
    """
    from mlzero.semantic_memory import blocks

    grid = series_shape.frequency_of(known[time])
    if given.frequency and known[time].dtype.kind == "M":
        return given.frequency, None
    if grid is not None and series_shape.regular(grid):
        return grid[0], None
    if not asked or known[time].dtype.kind != "M":
        return None
    possible = series_limits.coarser(known[time], blocks.function("item_names")(known, items).to_numpy())
    return (possible[0], series_limits.about_steps(possible, time)) if possible else None


def _ahead(
    known: pd.DataFrame, future: pd.DataFrame | None, items: list[str], time: str, frequency: str, brief: Brief, given: Overrides,
    word: str | None,
) -> tuple[int, str, str] | None:  # fmt: skip
    """Horizon, why that, and why it is a forecast; None when the rows to predict do not lie after the history."""
    from mlzero.semantic_memory import blocks

    if future is None or not len(future):
        if not word:
            return None
        horizon, why = said_horizon(brief, given, frequency, len(known))
        return horizon, why, f'The goal looks ahead ("{word}") and "{time}" orders the rows in time.'
    steps_of, item_names = blocks.function("steps_of"), blocks.function("item_names")
    start = "" if not frequency else known[time].min().isoformat()
    ends = (
        known.assign(_s=steps_of(known[time], frequency, start))
        .groupby(item_names(known, items).to_numpy())["_s"]
        .max()
    )
    asked = item_names(future, items)
    end = asked.map(ends)
    steps = steps_of(future[time], frequency, start) - end.to_numpy(float)
    there = end.notna().to_numpy()
    if there.mean() < 0.5 or (steps[there] >= 1).mean() < 0.95:
        return None
    if items and future.assign(_n=asked).duplicated(["_n", time]).mean() > 0.01:
        return None
    horizon = int(steps[there].max())
    begin = str(future[time].min())[:10]
    of = f" of every {' and '.join(items)}" if items else ""
    return horizon, f"The rows to predict reach {horizon} steps ahead", f'The rows to predict begin at {begin} in "{time}", after the history{of}.'  # fmt: skip


def _output(profile: Profile, roles: Roles, plan: SeriesPlan, target: str, brief: Brief) -> OutputPlan:
    metric = Inferred[str](value="mae")
    found = answers.output_of(profile, roles, [target], None, "regression", metric, [], brief).value
    main = roles.train[0]
    if not roles.sample and len(found.columns) < 2 + len(plan.item):
        written = [c.source_name.strip() or c.name for n in [*plan.item, plan.time, target] if (c := main.column(n))]
        found.columns = written
    source = roles.sample or (roles.test[0] if roles.test else main)
    for column in (*source.columns, *main.columns):
        if column.date and column.name == plan.time and "%" in column.date.pattern:
            found.dates.setdefault(column.name, column.date.pattern)
    return found
