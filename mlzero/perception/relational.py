"""Columns that other tables add to the rows: which, what they are called, and which would give the answer away."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mlzero.perception import copies, relations
from mlzero.perception import goal as goals
from mlzero.perception.profile import ColumnKind, Profile, TableProfile
from mlzero.perception.relations import Loaded
from mlzero.perception.roles import Roles, label_of
from mlzero.perception.task import FeaturePlan, JoinPlan, Task
from mlzero.perception.wording import fold, quote_list

if TYPE_CHECKING:
    import pandas as pd

_LARGEST = 5_000_000  # rows of a table that is joined
_COUNTED = 12  # values of a category that are counted one by one
_FEW_NAMES = 30  # different values of a column called like a name of things, up to where each may be counted
_OFTEN = 0.005  # share of the rows that such a value has
_SAME = 0.995  # correlation from where of two new columns one is enough
_MOST = 300  # new columns
_ONLY_LABELLED = 0.05  # share of labelled rows with a partner from where rows to predict must have one too


def extend(task: Task, data_dir: Path, roles: Roles, frame: pd.DataFrame) -> None:
    """Plan the joins of a task whose upload holds further tables, with a feature for every column they add.

    Parameters
    ----------
    frame
        Rows of the training table, a part will do.
    """
    from mlzero.perception.tables import load_table

    others = [
        Loaded(table, load_table(data_dir, table))
        for table in roles.lookups
        if len(table.columns) > 1 and table.rows <= _LARGEST
    ]
    if not others:
        return
    main = roles.train[0]
    plans = relations.find(Loaded(main, frame), others, task.targets)
    tables = {other.key: other.frame for other in others}
    profiles = {other.key: other.profile for other in others}
    tests = [load_table(data_dir, table) for table in roles.test]
    labelled = frame.dropna(subset=task.targets)
    if not tests and len(labelled) < len(frame):
        tests = [frame[frame[task.targets].isna().all(axis=1)]]
    for plan in list(plans):
        reason = _tells_too_much(plan, tables, labelled, tests)
        if reason:
            plans = _without(plans, plan)
            task.notes.append(f"{label_of(profiles[plan.table])} was left out: {reason}")
    words, built = _words_of_target(task), dict(tables)
    for plan in plans:
        hidden = _choose_columns(plan, profiles[plan.table], built[plan.table], words)
        if hidden:
            shown = quote_list(hidden)
            task.notes.append(f"Left out of {label_of(profiles[plan.table])}, as they speak of the answer: {shown}.")
        if plan.onto:
            built[plan.onto] = with_tables(built[plan.onto], [plan.model_copy(update={"onto": ""})], built)
    for plan in list(plans):
        if plan.how != "many" and not plan.columns and plan in plans:
            plans = _without(plans, plan)  # it says nothing about the rows
    used = {plan.table for plan in plans}
    roles.lookups = [table for table in roles.lookups if table.key not in used]
    if not plans:
        return
    task.joins = plans
    _add_features(task, labelled, tests, tables)
    for plan in plans:
        task.notes.append(_sentence(plan, profiles))


def with_tables(rows: pd.DataFrame, joins: list[JoinPlan], tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """The rows with the columns of all joins, as the solution makes them."""
    from mlzero.semantic_memory import blocks

    tables = dict(tables)
    for plan in joins:
        onto = tables[plan.onto] if plan.onto else rows
        block, options = call_of(plan)
        added = blocks.function(block)(onto, tables[plan.table], **options)
        if plan.onto:
            tables[plan.onto] = added
        else:
            rows = added
    return rows


def load_joined(rows: pd.DataFrame, task: Task, profile: Profile, data_dir: Path) -> pd.DataFrame:
    """Rows of the training or test table with the columns of the tables joined to them."""
    from mlzero.perception.tables import load_table

    tables = {}
    for plan in task.joins:
        table = profile.table(plan.table)
        assert table is not None, plan.table
        tables[plan.table] = load_table(data_dir, table)
    return with_tables(rows, task.joins, tables)


def call_of(plan: JoinPlan) -> tuple[str, dict[str, object]]:
    """The block that carries out a join, and its keywords."""
    options: dict[str, object] = {"left_on": plan.left_on, "right_on": plan.right_on}
    if plan.how == "many":
        options |= {"numbers": plan.numbers, "categories": plan.categories, "dates": plan.dates}
    else:
        options["columns"] = plan.columns
    options |= {"prefix": plan.prefix, "left_time": plan.left_time, "right_time": plan.right_time}
    return "aggregated" if plan.how == "many" else "joined", {k: v for k, v in options.items() if v}


def _words_of_target(task: Task) -> list[str]:
    """Folded names of the targets that are long enough to be recognised inside other names."""
    return [fold(name) for name in task.targets if len(name) >= 4]


def _tells_too_much(
    plan: JoinPlan, tables: dict[str, pd.DataFrame], labelled: pd.DataFrame, tests: list[pd.DataFrame]
) -> str | None:
    """Why a table cannot be used: it knows labelled rows only."""
    from mlzero.semantic_memory import blocks

    if plan.onto or not tests or min(len(test) for test in tests) < 20:
        return None
    key_text = blocks.function("key_text")
    known = set(key_text(tables[plan.table], plan.right_on).dropna())
    there = float(key_text(labelled, plan.left_on).isin(known).mean())
    asked = min(float(key_text(test, plan.left_on).isin(known).mean()) for test in tests)
    if there >= _ONLY_LABELLED and asked < 0.1 * there:
        return f"it knows {there:.0%} of the rows with an answer but {asked:.0%} of those to predict."
    return None


def _without(plans: list[JoinPlan], left_out: JoinPlan) -> list[JoinPlan]:
    """The plans without one and without those that only join its table."""
    gone = [left_out]
    for plan in reversed(plans):  # what joins the rows comes last
        if any(plan.onto == other.table for other in gone):
            gone.append(plan)
    return [plan for plan in plans if plan not in gone]


def _choose_columns(plan: JoinPlan, table: TableProfile, frame: pd.DataFrame, words: list[str]) -> list[str]:
    """Fill in which columns a join adds; returns names that were left out because they mention the answer."""
    hidden = []
    for name in frame.columns:
        column = table.column(name)
        if name in plan.right_on or (column is not None and column.kind in ("empty", "constant")):
            continue
        if any(word in fold(name) for word in words):
            hidden.append(name)
            continue
        kind = column.kind if column is not None else _kind_of(frame[name])
        if plan.how != "many":
            if kind != "identifier" and not (kind == "category" and _mostly_different(frame[name])):
                plan.columns.append(name)
        elif kind == "date":
            plan.dates.append(name)
        elif kind in ("number", "boolean") and _numeric(frame[name]):
            plan.numbers.append(name)
        elif kind in ("category", "identifier", "boolean"):
            counts = _texts(frame, name).value_counts()
            often = counts[counts >= max(5, _OFTEN * len(frame))].index[:_COUNTED]
            few = len(counts) <= (_FEW_NAMES if goals.named_as_id(name) else 0.2 * len(frame) + 2)
            plan.categories[name] = [v for v in often if not any(word in fold(v) for word in words)] if few else []
    return hidden


def _texts(frame: pd.DataFrame, name: str) -> pd.Series:
    from mlzero.semantic_memory import blocks

    found: pd.Series = blocks.function("key_text")(frame, [name])
    return found


def _kind_of(values: pd.Series) -> ColumnKind:
    """The kind of a column that was made by a join."""
    import pandas as pd

    if pd.api.types.is_datetime64_any_dtype(values):
        return "date"
    return "number" if _numeric(values) else "category"


def _numeric(values: pd.Series) -> bool:
    import pandas as pd

    return pd.api.types.is_numeric_dtype(values)


def _mostly_different(values: pd.Series) -> bool:
    """Names of single things, from which nothing can be learnt."""
    return bool(values.nunique() > 0.5 * max(values.count(), 1) and values.nunique() > 50)


def _add_features(
    task: Task, labelled: pd.DataFrame, tests: list[pd.DataFrame], tables: dict[str, pd.DataFrame]
) -> None:
    """A feature for every added column that says something of its own."""
    import numpy as np

    rows = with_tables(labelled, task.joins, tables)
    asked = [with_tables(test, task.joins, tables) for test in tests]
    own = {*labelled.columns}
    known = copies.answers(rows, task.targets, task.problem_type.value in ("regression", "multitarget", "forecasting"))
    kept: list[np.ndarray] = []
    found: list[FeaturePlan] = []
    for name in rows.columns:
        if name in own:
            continue
        values, filled = rows[name], float(rows[name].notna().mean())
        if values.nunique() < 2 or filled < 0.01:
            continue
        kind = _kind_of(values)
        if len(asked) and len(asked[0]) >= 20 and filled >= _ONLY_LABELLED:
            there = min(float(test[name].notna().mean()) for test in asked)
            if there < 0.05 * filled:
                task.features.append(FeaturePlan(name=name, treat_as=kind, drop="Known only for rows with an answer."))
                continue
        told = copies.copied(values, known)
        if told and filled < 0.98:  # filled for one answer only
            reason = f'Alone it tells "{told}" almost everywhere, as a copy of the answer would.'
            task.features.append(FeaturePlan(name=name, treat_as=kind, drop=reason))
            task.notes.append(f'"{name}" alone tells "{told}" almost everywhere and was left out.')
            continue
        if kind == "number":
            numbers = np.nan_to_num(values.to_numpy(float), nan=-1.0)
            centred = numbers - numbers.mean()
            size = float(np.sqrt((centred**2).sum()))
            if size == 0:
                continue
            centred /= size
            if kept and float(np.abs(np.vstack(kept) @ centred).max()) > _SAME:
                continue
            kept.append(centred)
        found.append(FeaturePlan(name=name, treat_as=kind))
    most = max(40, min(_MOST, len(labelled) // 4))
    told_first = sorted(found, key=lambda feature: _rank(feature.name, task.joins))[:most]
    task.features += [feature for feature in found if feature in told_first]


def _rank(name: str, joins: list[JoinPlan]) -> int:
    """Which columns are kept when there are too many: what is near and plain first."""
    hops = sum(name.count(plan.prefix) for plan in joins) - 1
    kinds = (" count", " sum", " = ", " mean", " max", " different", " most", " last", " min")
    plain = next(
        (place for place, kind in enumerate(kinds) if name.endswith(kind) or (kind == " = " and kind in name)), 0
    )
    return plain + 4 * hops


def _sentence(plan: JoinPlan, profiles: dict[str, TableProfile]) -> str:
    by = quote_list(plan.left_on)
    name, onto = label_of(profiles[plan.table]), f" to {label_of(profiles[plan.onto])}" if plan.onto else ""
    if plan.how == "one":
        return f"{name} is joined{onto} by {by}, at most one row each."
    if plan.how == "as_of":
        return f'{name} is joined{onto} by {by}, the latest row not later than "{plan.left_time}".'
    until = f', only what had happened by "{plan.left_time}"' if plan.left_time else ""
    return f"{name} is summed up{onto} by {by}: counts, sums, usual and last values{until}."
