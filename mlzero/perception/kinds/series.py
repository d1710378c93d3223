"""Forecasts: series in long tables, one row a series, or a matrix of years and months."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from mlzero.errors import UserError
from mlzero.perception import answers, series_shape, series_words
from mlzero.perception import roles as role_finder
from mlzero.perception import targets as target_finder
from mlzero.perception.goal import Brief, asked_names
from mlzero.perception.kinds.series_task import Found, task_of
from mlzero.perception.override import BY_USER, Overrides
from mlzero.perception.profile import Profile, TableProfile
from mlzero.perception.roles import Roles, label_of
from mlzero.perception.task import Inferred, OutputPlan, RowSource, SeriesPlan, Task
from mlzero.perception.wording import fold

if TYPE_CHECKING:
    import pandas as pd

_LONGEST = 2000  # steps ahead
_COUNTED = frozenset("t step time period week day month hour year jahr ano woche tag monat".split())
VALUE = "value"  # what the cells of a wide table are called when nothing better is known


class Series:
    """See `Specialist`."""

    def tables(self, data_dir: Path, profile: Profile) -> list[TableProfile]:
        return []

    def task(self, data_dir: Path, profile: Profile, brief: Brief, given: Overrides) -> Task | None:
        if given.problem_type not in (None, "forecasting") or not profile.tables:
            return None
        found = _wide(data_dir, profile, brief, given) or _matrix(data_dir, profile, brief, given)
        found = found or _long(data_dir, profile, brief, given)
        if found is None:
            if given.problem_type == "forecasting":
                raise UserError(
                    "No time series was found: no table has a column of moments and one row a moment and series.",
                    "Add a table with a date column and the numbers to forecast, or choose another kind of answer.",
                )
            return None
        return task_of(found, data_dir, profile, brief, given)


SPECIALIST = Series()


def _wide(data_dir: Path, profile: Profile, brief: Brief, given: Overrides) -> Found | None:
    """One row a series, with or without a template to fill in."""
    shapes = [(table, shape) for table in profile.tables if (shape := series_shape.wide_of(table))]
    filled = [(t, s) for t, s in shapes if len(s.values) >= 8]
    if not filled:
        return None
    main, shape = max(filled, key=lambda pair: pair[0].rows * len(pair[1].values))
    template = _template(main, shape, profile)
    word = series_words.says_forecast(brief.said)
    ahead = series_words.ahead(brief.said)
    if not (template or shape.open or (word and ahead) or given.problem_type):
        return None
    from mlzero.perception.tables import load_table
    from mlzero.semantic_memory import blocks

    steps = template[1] if template else shape.open
    unit = series_words.unit_of(brief.said)
    frequency, start = "", ""
    if shape.moments:
        import pandas as pd

        known = series_shape.frequency_of(pd.Series(pd.to_datetime(shape.moments)))
        if known is None:
            return None
        frequency, start = known[0], shape.moments[0]
    horizon, why = (
        len(steps),
        f"{label_of(template[0]) if template else label_of(main)} has {len(steps)} columns to fill in",
    )
    if not steps:
        horizon, why = _said_horizon(brief, frequency, len(shape.values))
    name = template[2] if template else shape.label or "series"
    time = "time" if shape.moments else "step"
    plan = SeriesPlan(
        item=[name], time=time, frequency=frequency, start=start, horizon=horizon, series=main.rows, layout="wide",
        label=shape.label, values=shape.values, moments=shape.moments, template=template[0].key if template else None,
    )  # fmt: skip
    frame = load_table(data_dir, main)
    history = blocks.function("long_of_wide")(
        frame, plan.label, plan.values, name=name, time=time, target=VALUE, days=plan.moments
    )
    plan.seasons = _seasons(series_words.seasons_of(frequency or unit or ""), history, plan)
    named = template[0].column(name) if template else None
    output = OutputPlan(
        layout="wide",
        columns=[named.source_name if named else name, *(steps or [f"H{n + 1}" for n in range(horizon)])],
        value="number",
    )
    if template:
        output.sample = template[0].key
    roles = Roles([main], sample=template[0] if template else None, confidence=0.95)
    roles.evidence = f"{label_of(main)} has one row a series and {len(shape.values)} columns of values" + (
        f"; {label_of(template[0])} shows how the answer must look." if template else "."
    )
    evidence = f"{label_of(main)} has one series a row and its next {horizon} values are wanted."
    return Found(plan, main, VALUE, evidence, why, roles, output, history)


def _template(
    main: TableProfile, shape: series_shape.Wide, profile: Profile
) -> tuple[TableProfile, list[str], str] | None:
    """A table with a line a series and empty columns, those columns, and the column with the names."""
    for table in profile.tables:
        if table is main or table.rows > main.rows:
            continue
        blank = [c.name for c in table.columns if c.kind in ("empty", "constant")]
        names = [c for c in table.columns if c.name not in blank]
        label = main.column(shape.label) if shape.label else None
        if len(blank) >= 2 and len(names) == 1 and label is not None and set(names[0].examples) & {*label.examples, *(t for t, _ in label.top)}:  # fmt: skip
            return table, blank, names[0].name
    return None


def _matrix(data_dir: Path, profile: Profile, brief: Brief, given: Overrides) -> Found | None:
    """Years down and months across."""
    from mlzero.perception.tables import load_table
    from mlzero.semantic_memory import blocks

    for main in profile.tables:
        shape = series_shape.matrix_of(main)
        if shape is None or main.rows * len(shape.values) < 16:
            continue
        marked = _marked(data_dir, main, shape)
        if not (marked or series_words.says_forecast(brief.said) or given.problem_type):
            continue
        asked = asked_names(re.sub(r"\s*[(（][^)）]*[)）]", "", brief.said))  # "month (first day) and sales"
        time, target = asked if len(asked) == 2 else ("month" if shape.frequency == "MS" else "quarter", VALUE)
        frame = load_table(data_dir, main)
        history = blocks.function("long_of_matrix")(
            frame, shape.label, shape.values, parts=shape.parts, time=time, target=target, years_down=shape.years_down
        )
        horizon, why = marked, f"{marked} cells after the last value are marked as open"
        if not horizon:
            horizon, why = _said_horizon(brief, shape.frequency, len(history))
        plan = SeriesPlan(
            time=time, frequency=shape.frequency, start=str(history[time].min().date()), horizon=horizon, layout="matrix",
            label=shape.label, values=shape.values, parts=shape.parts, years_down=shape.years_down,
        )  # fmt: skip
        plan.seasons = _seasons(series_words.seasons_of(shape.frequency), history, plan)
        roles = Roles([main], confidence=0.95)
        roles.evidence = f"{label_of(main)} has the years in rows and the months in columns."
        evidence = (
            f"{label_of(main)} is a table of years and months, and the {horizon} steps after its last value are wanted."
        )
        output = OutputPlan(columns=[time, target], value="number")
        return Found(plan, main, target, evidence, why, roles, output, history)
    return None


def _marked(data_dir: Path, table: TableProfile, shape: series_shape.Matrix) -> int:
    """Cells after the last value that hold a mark such as "?" rather than nothing."""
    import numpy as np
    import pandas as pd

    from mlzero.perception.tables import load_table

    bare = table.model_copy(update={"read": table.read.model_copy(update={"missing_markers": []})})
    cells = load_table(data_dir, bare, convert=False)[shape.values]
    order = np.argsort(shape.parts, kind="stable")
    flat = cells.iloc[:, order].to_numpy(object).ravel()
    text = pd.Series(flat, dtype=object).astype("string").str.strip()
    marks = text.isin([*table.read.missing_markers, "?", "…", "...", "x", "tbd", "n/a"]).fillna(False).to_numpy()
    known = (text.notna() & text.str.contains(r"\d").fillna(False)).to_numpy()
    if not known.any():
        return 0
    last = int(np.flatnonzero(known)[-1])
    after = np.flatnonzero(marks[last + 1 :])
    return int(after[-1]) + 1 if len(after) else 0


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
    times += [c.name for c in shared if c.integer and fold(c.name) in _COUNTED]
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
        target = given.targets[0] if given.targets else target_finder.find(profile, roles, brief).target.value
    except UserError:
        return None
    column = roles.train[0].column(target) if isinstance(target, str) else None
    if column is None or not isinstance(column.minimum, float) or len(roles.train) > 1:
        return None
    return (roles, column.name) if column.kind in ("number", "identifier") else None


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
    items = series_shape.item_columns(main, known, time, target, among, brief.said)
    grid = series_shape.frequency_of(known[time])
    if items is None or grid is None or not series_shape.regular(grid):
        return None
    frequency = grid[0]
    found = _ahead(known, future, items, time, frequency, brief, word)
    if found is None and given.problem_type != "forecasting":
        return None
    if not (word or given.problem_type) and not series_shape.goes_on(known, items, time, target):
        return None
    horizon, why, evidence = found or (*_said_horizon(brief, frequency, len(known)), BY_USER)
    plan = SeriesPlan(
        item=items, time=time, frequency=frequency, start=known[time].min().isoformat() if frequency else "",
        horizon=min(horizon, _LONGEST), series=known.groupby(items, dropna=False).ngroups if items else 1,
    )  # fmt: skip
    plan.seasons = _seasons(series_words.seasons_of(frequency or series_words.unit_of(brief.said) or ""), known, plan)
    column = main.column(target)
    rows: Literal["all", "labelled"] = "labelled" if column and column.missing else "all"
    test = [RowSource(table=main.key, rows="unlabelled")] if inside else []
    test = test if later is None else [RowSource(table=roles.test[0].key)]
    output = _output(profile, roles, plan, target, brief)
    history = known[[*items, time, target]]
    return Found(plan, main, target, evidence, why, roles, output, history, rows, test)


def _ahead(
    known: pd.DataFrame, future: pd.DataFrame | None, items: list[str], time: str, frequency: str, brief: Brief, word: str | None
) -> tuple[int, str, str] | None:  # fmt: skip
    """Horizon, why that, and why it is a forecast; None when the rows to predict do not lie after the history."""
    from mlzero.semantic_memory import blocks

    if future is None or not len(future):
        if not word:
            return None
        horizon, why = _said_horizon(brief, frequency, len(known))
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


def _said_horizon(brief: Brief, frequency: str, steps: int) -> tuple[int, str]:
    """Steps ahead by the goal, else a usual number."""
    ahead = series_words.ahead(brief.said)
    if ahead:
        horizon = series_words.in_steps(*ahead, frequency)
        return min(horizon, _LONGEST), f"The goal looks {horizon} steps ahead"
    usual = {"h": 24, "D": 14, "7D": 8, "MS": 12, "ME": 12, "QS": 4, "YS": 3, "B": 10}.get(frequency, 10)
    return max(1, min(usual, steps // 5)), "The goal does not say how far ahead, so a usual stretch is taken"


def _seasons(usual: list[int], history: pd.DataFrame, plan: SeriesPlan) -> list[int]:
    """Usual seasons of which most series are long enough to have seen one and a half."""
    lengths = history.groupby(plan.item, dropna=False).size() if plan.item else [len(history)]
    import numpy as np

    typical = float(np.median(np.asarray(lengths)))
    return [season for season in usual if typical >= 1.5 * season]


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
