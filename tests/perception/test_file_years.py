"""One file a year: together one table with the year as a column."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mlzero.iterative_coding import split
from mlzero.iterative_coding.contract import Machine
from mlzero.perception.profile import Profile
from mlzero.perception.scan import profile
from mlzero.perception.task import Task
from mlzero.perception.understand import infer_task
from mlzero.semantic_memory.recall import recall
from tests.rendered import module_of

DICE = np.random.default_rng(0)


def sales(year: int) -> pd.DataFrame:
    staff = DICE.integers(1, 9, 60)
    return pd.DataFrame({"shop": DICE.choice(["a", "b"], 60), "staff": staff, "sales": staff * 10.5 + year - 2000})


def understood(root: Path, goal: str, **files: pd.DataFrame) -> tuple[Profile, Task]:
    for name, frame in files.items():
        path = root / f"{name.replace('__', '/')}.csv"
        path.parent.mkdir(exist_ok=True)
        frame.to_csv(path, index=False)
    found = profile(root)
    return found, infer_task(found, root, goal)


@pytest.mark.parametrize("name", ["sales_{}", "{}__data", "report {} (final)"])
def test_files_of_years_are_one_table(tmp_path: Path, name: str) -> None:
    found, task = understood(
        tmp_path, "predict sales", **{name.format(year): sales(year) for year in (2018, 2019, 2020)}
    )
    assert len(task.train) == 3 and task.test == []
    assert [t.column("year").told for t in found.tables] == ["2018", "2019", "2020"]
    assert task.target.value == "sales" and task.split.value.kind == "random"
    assert next(f for f in task.features if f.name == "year").drop


def test_a_later_year_without_the_answer_is_predicted_and_the_latest_rows_are_kept_back(tmp_path: Path) -> None:
    files = {f"sales_{year}": sales(year) for year in (2018, 2019, 2020)}
    found, task = understood(tmp_path, "predict sales", **files, sales_2021=sales(2021).drop(columns="sales"))
    assert [s.table for s in task.test] == ["sales_2021.csv"] and len(task.train) == 3
    assert (task.split.value.kind, task.split.value.column) == ("time", "year") and "2021" in task.split.evidence
    recipe = recall(task, found).recipes[0]
    train = module_of(
        recipe.render(task, found, recipe.ladder(task, found, Machine(2, 8.0), 60)[0]), tmp_path
    ).load_train(tmp_path)
    assert sorted(train["year"].unique()) == ["2018", "2019", "2020"]
    chosen = split.make(train, task)
    assert set(train["year"].iloc[chosen.holdout]) == {"2020"} and chosen.kind == "time"


def test_a_column_of_years_or_other_columns_need_no_name(tmp_path: Path) -> None:
    found, task = understood(tmp_path, "predict sales", **{f"sales_{y}": sales(y).assign(year=y) for y in (2018, 2019)})
    assert all(t.column("year").told is None for t in found.tables) and len(task.train) == 2


def test_years_with_the_answer_are_learnt_from_though_one_has_a_column_more(tmp_path: Path) -> None:
    files = {f"sales_{year}": sales(year) for year in (2019, 2020)}
    _, task = understood(tmp_path, "predict sales", sales_2018=sales(2018).assign(extra=DICE.random(60)), **files)
    assert len(task.train) == 3 and task.test == []


OTHER_NAMES = {"shop": "filiale", "staff": "personal", "sales": "umsatz", "area": "flaeche"}


def areas(year: int) -> pd.DataFrame:
    return sales(year).assign(area=DICE.uniform(10, 90, 60).round(1))[["shop", "staff", "area", "sales"]]


def test_a_year_with_other_names_is_told_and_the_others_are_learnt_from(tmp_path: Path) -> None:
    files = {f"sales_{year}": areas(year) for year in (2018, 2019)}
    found, task = understood(tmp_path, "predict sales", sales_2017=areas(2017).rename(columns=OTHER_NAMES), **files)
    assert task.target.value == "sales" and [s.table for s in task.train] == ["sales_2018.csv", "sales_2019.csv"]
    assert [t.column("year") is not None for t in found.tables] == [False, True, True]
    (note,) = [note for note in task.notes if "sales_2017.csv" in note]
    assert "under other names" in note and 'rename "filiale" (as "shop")' in note
    assert task.files.confidence < 0.8 and "sales_2017.csv may hold more" in task.files.evidence


def test_a_year_with_other_names_can_be_the_one_that_is_meant(tmp_path: Path) -> None:
    files = {f"sales_{year}": areas(year) for year in (2018, 2019)}
    _, task = understood(tmp_path, "predict umsatz", sales_2017=areas(2017).rename(columns=OTHER_NAMES), **files)
    assert task.target.value == "umsatz" and [s.table for s in task.train] == ["sales_2017.csv"]
    assert any("are not used" in note and '"sales_2018.csv", "sales_2019.csv"' in note for note in task.notes)


def test_files_of_other_things_are_not_taken_for_renamed_ones(tmp_path: Path) -> None:
    shops = pd.DataFrame({"filiale": ["a", "b"], "ort": ["Graz", "Linz"], "miete": [3, 4], "name": ["x", "y"]})
    _, task = understood(tmp_path, "predict sales", sales_2018=areas(2018), sales_2019=areas(2019), shops_2019=shops)
    assert len(task.train) == 2 and not any("under other names" in note for note in task.notes)


def test_a_year_without_rows_does_not_count(tmp_path: Path) -> None:
    files = {f"sales_{year}": sales(year).head(0 if year == 2018 else None) for year in (2018, 2019, 2020)}
    found, task = understood(tmp_path, "predict sales", **files)
    assert len(task.train) == 2 and [t.column("year").told for t in found.tables if t.rows] == ["2019", "2020"]


def test_the_files_with_the_column_that_the_goal_names_are_learnt_from(tmp_path: Path) -> None:
    files = {f"year_{year}": sales(year) for year in (2018, 2019)}
    _, task = understood(tmp_path, "predict sales", **files, year_2020=sales(2020).rename(columns={"sales": "revenue"}))
    assert task.target.value == "sales" and "year_2018.csv" in [source.table for source in task.train]
