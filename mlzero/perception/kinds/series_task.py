"""The task around a forecast that was found: metric, split, inputs that are known ahead, and what people read of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from mlzero.perception import override, problem, relational
from mlzero.perception import roles as role_finder
from mlzero.perception.goal import Brief
from mlzero.perception.override import BY_USER, Overrides
from mlzero.perception.profile import Profile, TableProfile
from mlzero.perception.roles import Roles, label_of
from mlzero.perception.task import (
    FeaturePlan,
    FileRole,
    Inferred,
    Modality,
    OutputPlan,
    ProblemType,
    RowSource,
    SeriesPlan,
    SplitPlan,
    Task,
)
from mlzero.perception.wording import quote_list

if TYPE_CHECKING:
    import pandas as pd


@dataclass
class Found:
    """A forecasting task on its way."""

    plan: SeriesPlan
    main: TableProfile
    target: str
    evidence: str  # why it is a forecast
    horizon: str  # why so many steps
    roles: Roles
    output: OutputPlan
    history: pd.DataFrame  # item, time, target
    rows: Literal["all", "labelled"] = "all"  # of the main table
    test: list[RowSource] = field(default_factory=list)
    confidence: float = 0.9
    notes: list[str] = field(default_factory=list)


def task_of(found: Found, data_dir: Path, profile: Profile, brief: Brief, given: Overrides) -> Task:
    """The whole task around a forecast that was found."""
    plan, main = found.plan, found.main
    metric = _metric(found, brief, given)
    task = Task(
        goal=brief.goal,
        modality=Inferred[Modality](value="time_series", confidence=0.95, evidence="The rows are moments of series."),
        problem_type=Inferred[ProblemType](value="forecasting", confidence=found.confidence, evidence=found.evidence, alternatives=["regression"]),
        target=Inferred[str | list[str] | None](value=found.target, confidence=0.95, evidence=_about_target(found)),
        metric=metric,
        id=Inferred[str | None](value=None, evidence="Series and time name the rows."),
        files=Inferred[list[FileRole]](value=role_finder.listed(profile, found.roles), confidence=found.roles.confidence, evidence=found.roles.evidence),
        split=Inferred[SplitPlan](
            value=SplitPlan(kind="last_horizon", column=plan.time if plan.layout == "long" else None),
            evidence=f"The last {plan.horizon} steps of every series are kept back. {found.horizon}.",
        ),
        output=Inferred[OutputPlan](value=found.output, confidence=0.9, evidence=_about_output(found)),
        train=[RowSource(table=main.key, rows=found.rows)],
        test=found.test,
        series=plan,
        notes=found.notes,
        overridden=given.fields,
    )  # fmt: skip
    if plan.layout == "long":
        _covariates(task, found, data_dir, profile)
        override.apply_features(task, given)
        plan.known = [f.name for f in task.used_features if f.name not in (*plan.item, plan.time)]
    else:
        task.features = [FeaturePlan(name=name, treat_as="category") for name in plan.item]
        if plan.layout == "matrix":
            task.features = [FeaturePlan(name=plan.time, treat_as="date")]
    season = f" with seasons of {' and '.join(map(str, plan.seasons))} steps" if plan.seasons else ""
    many = f"{plan.series:,} series" if plan.series > 1 else "One series"
    task.notes.insert(0, f"{many}, {_step_words(plan.frequency)}{season}; {plan.horizon} steps ahead.")
    if found.roles.lookups:
        task.notes.append(
            f"Not used, because nothing joins them to the rows: {quote_list([label_of(t) for t in found.roles.lookups])}."
        )
    return task


def _covariates(task: Task, found: Found, data_dir: Path, profile: Profile) -> None:
    """Columns that are known for the rows to predict, of their own table and of tables that cover the future."""
    plan, main = found.plan, found.main
    test = profile.table(found.test[0].table) if found.test else None
    inside = bool(found.test) and found.test[0].rows == "unlabelled"
    frame = None
    if inside:
        frame = _open(data_dir, main, found.target)
    for column in main.columns:
        name = column.name
        if name == found.target:
            continue
        reason = None
        if name not in (*plan.item, plan.time):
            there = test.column(name) if test is not None else None
            if there is None or there.kind == "empty" or (frame is not None and frame[name].isna().all()):
                reason = "Not known for the steps ahead."
            elif column.kind in ("empty", "constant", "text", "identifier", "date"):
                reason = "It says nothing about the steps ahead."
        task.features.append(
            FeaturePlan(name=name, treat_as=column.kind if name not in plan.item else "category", drop=reason)
        )
    if found.roles.lookups and found.test:
        from mlzero.perception.tables import load_table

        relational.extend(task, data_dir, found.roles, load_table(data_dir, main))
        for feature in task.features:
            if feature.name not in main.names and feature.treat_as == "date" and feature.drop is None:
                feature.drop = "It says nothing about the steps ahead."


def _open(data_dir: Path, main: TableProfile, target: str) -> pd.DataFrame:
    from mlzero.perception.tables import load_table

    frame = load_table(data_dir, main)
    return frame[frame[target].isna()]


def _metric(found: Found, brief: Brief, given: Overrides) -> Inferred[str]:
    if given.metric is not None:
        return Inferred[str](
            value=override.metric(given.metric, "forecasting"), evidence=f"{BY_USER[:-1]}; you asked for it."
        )
    named = problem.metric_for("forecasting", Counter(), [found.target], brief)
    if "asks for it" in named.evidence:
        return named
    positive = bool((found.history[found.target] > 0).all())
    if found.plan.series == 1 and positive:
        return Inferred[str](value="mape", confidence=0.7, evidence="For one series the usual error in percent says it.", alternatives=["mae", "rmse", "smape"])  # fmt: skip
    return Inferred[str](value="wape", confidence=0.7, evidence="All errors in proportion to all values, so that large series count more.", alternatives=["mae", "smape", "rmse"])  # fmt: skip


def _about_target(found: Found) -> str:
    if found.plan.layout == "long":
        return f'"{found.target}" is what changes with time and is not known for the steps ahead.'
    return f"The cells of {label_of(found.main)} are the values to forecast."


def _about_output(found: Found) -> str:
    if found.output.layout == "wide":
        return "One line a series and a column a step ahead."
    return "One line a series and step ahead." if found.plan.item else "One line a step ahead."


def _step_words(frequency: str) -> str:
    return {
        "": "in counted steps", "MS": "monthly", "ME": "monthly", "QS": "quarterly", "YS": "yearly", "B": "on working days",
        "D": "daily", "7D": "weekly", "h": "hourly",
    }.get(frequency, f"every {frequency}")  # fmt: skip
