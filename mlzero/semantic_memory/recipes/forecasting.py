"""Forecasts: what series did a season ago, one model for all series, and models of each, blended by earlier windows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mlzero.iterative_coding.contract import Failure, Machine, Variant
from mlzero.perception.profile import Profile
from mlzero.perception.task import SeriesPlan, Task
from mlzero.semantic_memory.recipes.rendering import call_of_table, render, rows_of

FEW = 3  # series: too few to choose forecasts by how well they did
MANY_VALUES = 1500  # values of few series from where a learnt model comes first
LEAST_ROWS = 300  # values in all from where one model for all series can learn something
MOST_SERIES = 60  # up to here each series gets models of its own
LONGEST_SEASON = 24  # steps, for models of each series by itself
LONGEST = 1200  # values of a series that those models see
ROWS, FEWER_ROWS = 60_000, 30_000  # of the table that the common model learns from, with much time and with little
MUCH_TIME = 400  # seconds


class Forecasting:
    """Numbers of one or many series, some steps ahead."""

    name = "forecasting"

    def applies(self, task: Task, profile: Profile) -> bool:
        return task.problem_type.value == "forecasting" and task.series is not None and bool(task.train)

    def ladder(self, task: Task, profile: Profile, machine: Machine, seconds: float) -> list[Variant]:
        plan = plan_of(task)
        rows = ROWS if seconds >= MUCH_TIME else FEWER_ROWS
        longer = (2.0 if task.preferences.more_time else 1.0) * max(40.0, 0.4 * seconds)
        quick = Variant(
            self.name, "quick", "What the series did a season ago", "Simple forecasts, blended by how well each did on earlier windows.",
            {"models": False, "local": False}, fit_seconds=20.0, min_seconds=3.0,
        )  # fmt: skip
        common = Variant(
            self.name, "common", "One model for all series", "What all series have in common is learnt from many earlier moments at once.",
            {"models": True, "local": False, "rows": rows}, fit_seconds=longer, min_seconds=15.0,
        )  # fmt: skip
        each = Variant(
            self.name, "each", "Models of each series by itself", "Exponential smoothing and its kin need one series only.",
            {"models": False, "local": True}, fit_seconds=10.0, min_seconds=3.0,
        )  # fmt: skip
        both = Variant(
            self.name, "both", "A common model and models of each series", "Models of different kinds make different mistakes.",
            {"models": True, "local": True, "rows": rows}, fit_seconds=longer, min_seconds=40.0,
        )  # fmt: skip
        values = values_of(task, profile, plan)
        much, few, own = values >= LEAST_ROWS, plan.series <= FEW, _own_season(plan) is not None
        if few and own and values < MANY_VALUES:
            return [quick, each, *([common] if much and plan.known else [])]
        blended = [both] if much and own and plan.series <= MOST_SERIES else []
        return [quick, *([common] if much else []), *(blended or ([each] if own and few else []))]

    def render(self, task: Task, profile: Profile, variant: Variant) -> str:
        plan, options = plan_of(task), variant.options
        learned, local = options["models"], options["local"]
        blocks = [
            "steps_of", "item_names", "future_rows", "on_grid", "filled", "seasonal_forecasts", "backtests", "blend_weights",
            *({"wide": ["long_of_wide"], "matrix": ["long_of_matrix"]}.get(plan.layout, [])),
            *(["step_table", "learning_rows", "relation", "from_relation"] if learned else []),
            *(["own_forecasts"] if local else []),
            *(["calendar_parts", "times_of"] if plan.frequency else []),
            *(["plain_text"] if task.joins else []),
        ]  # fmt: skip
        imports = [
            "import io", "import json", "import numpy as np", "from typing import Any",
            *(["import shutil", "import time"] if learned else []),
        ]  # fmt: skip
        table = profile.table(task.train[0].table)
        assert table is not None
        cells = [c for name in (plan.values or task.targets) if (c := table.column(name))]
        lowest = min((c.minimum for c in cells if isinstance(c.minimum, float)), default=-1.0)
        template = profile.table(plan.template) if plan.template else None
        needed: list[str] = {
            "long": [*plan.item, plan.time, task.targets[0], *(n for n in plan.known if table.column(n))],
            "wide": [*([plan.label] if plan.label else []), *plan.values, *plan.item],
            "matrix": [*([plan.label] if plan.label else []), *plan.values, plan.time],
        }[plan.layout]
        return render(
            "forecasting.py.j2", task, profile, blocks=blocks, imports=imports, shaping=False, plan=plan, target=task.targets[0],
            metric=task.metric.value, models=_models() if learned else None, rows=options.get("rows", ROWS),
            local=local, longest=LONGEST, own_season=_own_season(plan), arima=plan.series <= FEW, by_month=plan.frequency in ("MS", "ME"), windows=_windows(plan) if learned else 4,
            floor=0.0 if lowest >= 0 else None, positive=lowest > 0, columns_needed=list(dict.fromkeys(needed)),
            template_call=call_of_table(template) if template else None,
        )  # fmt: skip

    def step_down(self, variant: Variant, failure: Failure) -> Variant | None:
        options: dict[str, Any] = dict(variant.options)
        if options["local"]:
            options["local"] = False
        elif options["models"] and options.get("rows", ROWS) > 20_000:
            options["rows"] = 20_000
        elif options["models"]:
            options["models"] = False
        else:
            return None
        return replace(
            variant, name=f"{variant.name}-less", title="Less of the same", idea="The larger attempt failed.", options=options,
            min_seconds=3.0,
        )  # fmt: skip


def plan_of(task: Task) -> SeriesPlan:
    """The series, with the seasons that the user named in place of the usual ones."""
    assert task.series is not None
    wished = task.preferences.seasons
    return task.series.model_copy(update={"seasons": wished}) if wished else task.series


def values_of(task: Task, profile: Profile, plan: SeriesPlan) -> int:
    """Values of all series together, about."""
    return rows_of(task, profile) * (len(plan.values) if plan.layout != "long" else 1)


def _windows(plan: SeriesPlan) -> int:
    """Earlier windows to weigh a learnt model by: one when it holds enough values, as the model stays more recent then."""
    return 1 if plan.series * plan.horizon >= 500 else 2


def _models() -> dict[str, Any]:
    usual = {"objective": "mae", "num_boost_round": 220, "learning_rate": 0.08, "num_leaves": 31, "max_bin": 127, "feature_fraction": 0.6, "min_data_in_leaf": 30}  # fmt: skip
    other = {**usual, "extra_trees": True, "num_leaves": 63, "ag_args": {"name_suffix": "XT"}}
    return {"GBM": [usual, other]}


def _own_season(plan: SeriesPlan) -> int | None:
    """The season that models of each series by itself can take, 1 for none; None when all seasons are too long."""
    short = [season for season in plan.seasons if season <= LONGEST_SEASON]
    return max(short) if short else None if plan.seasons else 1
