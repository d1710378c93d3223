"""Series side by side: one row a series, or a matrix of years and months."""

from __future__ import annotations

import re
from pathlib import Path

from mlzero.perception import series_shape, series_words
from mlzero.perception.goal import Brief, asked_names
from mlzero.perception.kinds.series_task import Found, said_horizon, usual_seasons
from mlzero.perception.override import Overrides
from mlzero.perception.profile import Profile, TableProfile
from mlzero.perception.roles import Roles, label_of
from mlzero.perception.task import OutputPlan, SeriesPlan

VALUE = "value"  # what the cells of a table are called when nothing better is known


def wide(data_dir: Path, profile: Profile, brief: Brief, given: Overrides) -> Found | None:
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
        horizon, why = said_horizon(brief, given, frequency, len(shape.values))
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
    plan.seasons = usual_seasons(series_words.seasons_of(frequency or unit or ""), history, plan)
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
    return Found(plan, main, VALUE, evidence, why, roles, output, history, fixed=bool(steps))


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


def matrix(data_dir: Path, profile: Profile, brief: Brief, given: Overrides) -> Found | None:
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
            horizon, why = said_horizon(brief, given, shape.frequency, len(history))
        plan = SeriesPlan(
            time=time, frequency=shape.frequency, start=str(history[time].min().date()), horizon=horizon, layout="matrix",
            label=shape.label, values=shape.values, parts=shape.parts, years_down=shape.years_down,
        )  # fmt: skip
        plan.seasons = usual_seasons(series_words.seasons_of(shape.frequency), history, plan)
        roles = Roles([main], confidence=0.95)
        roles.evidence = f"{label_of(main)} has the years in rows and the months in columns."
        evidence = (
            f"{label_of(main)} is a table of years and months, and the {horizon} steps after its last value are wanted."
        )
        output = OutputPlan(columns=[time, target], value="number")
        return Found(plan, main, target, evidence, why, roles, output, history, fixed=marked > 0)
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
