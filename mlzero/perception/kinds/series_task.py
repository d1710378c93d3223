"""The task around a forecast that was found: metric, split, inputs that are known ahead, and what people read of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from mlzero.perception import override, problem, relational, series_words
from mlzero.perception.file_roles import files_of
from mlzero.perception.goal import Brief
from mlzero.perception.kinds import series_limits
from mlzero.perception.override import LONGEST_HORIZON, Overrides
from mlzero.perception.profile import Profile, TableProfile
from mlzero.perception.roles import Roles, label_of
from mlzero.perception.task import (
    FeaturePlan,
    Inferred,
    Modality,
    OutputPlan,
    ProblemType,
    Question,
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
    fixed: bool = False  # the upload tells how many steps ahead are wanted
    notes: list[str] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)


def said_horizon(brief: Brief, given: Overrides, frequency: str, steps: int) -> tuple[int, str]:
    """Steps ahead as the user set them, by the goal, else a usual number."""
    if given.horizon:
        return given.horizon, "You set how far ahead"
    ahead = series_words.ahead(brief.said)
    if ahead:
        horizon = series_words.in_steps(*ahead, frequency)
        return min(horizon, LONGEST_HORIZON), f"The goal looks {horizon} steps ahead"
    usual = {"h": 24, "D": 14, "7D": 8, "MS": 12, "ME": 12, "QS": 4, "YS": 3, "B": 10}.get(frequency, 10)
    return max(1, min(usual, steps // 5)), "The goal does not say how far ahead, so a usual stretch is taken"


def usual_seasons(usual: list[int], history: pd.DataFrame, plan: SeriesPlan) -> list[int]:
    """Usual seasons of which most series are long enough to have seen one and a half."""
    lengths = history.groupby(plan.item, dropna=False).size() if plan.item else [len(history)]
    import numpy as np

    typical = float(np.median(np.asarray(lengths)))
    return [season for season in usual if typical >= 1.5 * season]


def task_of(found: Found, data_dir: Path, profile: Profile, brief: Brief, given: Overrides) -> Task:
    """The whole task around a forecast that was found; raises UserError when its series are too short."""
    plan, main = found.plan, found.main
    found.notes += [*filter(None, [series_limits.gaps(found.history, plan)]), *series_limits.short(found.history, plan)]
    if not found.fixed and series_limits.too_far(found.history, plan):
        found.questions.append(series_limits.about_horizon(found.history, plan))
    metric = _metric(found, brief, given)
    task = Task(
        goal=brief.goal,
        modality=Inferred[Modality](value="time_series", confidence=0.95, evidence="The rows are moments of series."),
        problem_type=Inferred[ProblemType](value="forecasting", confidence=found.confidence, evidence=found.evidence, alternatives=["regression"]),
        target=Inferred[str | list[str] | None](value=found.target, confidence=0.95, evidence=_about_target(found)),
        metric=metric,
        id=Inferred[str | None](value=None, evidence="Series and time name the rows."),
        files=files_of(profile, found.roles),
        split=Inferred[SplitPlan](
            value=SplitPlan(kind="last_horizon", column=plan.time if plan.layout == "long" else None),
            evidence=f"The last {plan.horizon} steps of every series are kept back. {found.horizon}.",
        ),
        output=Inferred[OutputPlan](value=found.output, confidence=0.9, evidence=_about_output(found)),
        train=[RowSource(table=main.key, rows=found.rows)],
        test=found.test,
        series=plan,
        questions=[question for question in found.questions if question.field not in given.fields],
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
    asked = override.metric_of(given, "forecasting") or problem.asked_metric("forecasting", brief)
    if asked:
        return asked
    if found.plan.series == 1 and bool((found.history[found.target] > 0).all()):
        return Inferred[str](
            value="mape", confidence=0.7, evidence="For one series the usual error in percent says it.",
            alternatives=["mae", "rmse", "smape"],
        )  # fmt: skip
    return Inferred[str](
        value="wape", confidence=0.7, evidence="All errors in proportion to all values, so that large series count more.",
        alternatives=["mae", "smape", "rmse"],
    )  # fmt: skip


def _about_target(found: Found) -> str:
    if found.plan.layout == "long":
        return f'"{found.target}" is what changes with time and is not known for the steps ahead.'
    return f"The cells of {label_of(found.main)} are the values to forecast."


def _about_output(found: Found) -> str:
    if found.output.layout == "wide":
        return "One line a series and a column a step ahead."
    return "One line a series and step ahead." if found.plan.item else "One line a step ahead."


def _step_words(frequency: str) -> str:
    words = {**series_words.STEPS, "": "in counted steps", "ME": "monthly", "B": "on working days"}
    return words.get(frequency, f"every {frequency}")
