"""Cells that hold several numbers in one pattern are used as numbers, names of rows are not."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mlzero.perception.compound import numbers_in
from mlzero.perception.scan import profile
from mlzero.perception.understand import infer_task
from mlzero.semantic_memory.blocks import function
from tests.perception.test_class_labels import solution
from tests.rendered import module_of

DICE = np.random.default_rng(0)
A, B = DICE.integers(100, 200, 90), DICE.integers(50, 99, 90)


@pytest.mark.parametrize(
    ("form", "count"),
    [
        ("{}/{}", 2), ("{} / {}", 2), ("{}-{}", 2), ("{}x{}", 2), ("{} × {} cm", 2), ("{}/{} R16", 3), ("{}:{}", 2), ("{}.5/{}", 2),
        ("{}x{}x30 mm", 3), ("-{}/-{}", 2), ("-{}.25/{}", 2),
        ("A-{}/{}", 0), ("{}A{}", 0), ("{} von {}", 0), ("{}1234-{}", 0), ("2023-{}{}", 0), ("0{}/{}", 0), ("{}.{}.1.1", 0),
    ],
)  # fmt: skip
def test_what_the_pattern_is(form: str, count: int) -> None:
    cells = [form.format(a, b) for a, b in zip(A, B, strict=True)]
    assert numbers_in(Counter([*cells, cells[0]])) == count


def test_what_counts_the_rows_or_has_few_values_is_none() -> None:
    assert numbers_in(Counter(f"{i}/90" for i in range(90))) == 0
    assert numbers_in(Counter([f"{a}-{a + 9}" for a in range(10, 90, 10)] * 9)) == 0


@pytest.mark.parametrize(("form", "count"), [("{number}-{other}", 0), ("{number}/{year}", 0), ("{number}x{year}", 2)])
def test_cases_that_never_come_twice_are_named_by_hyphens_and_years(form: str, count: int) -> None:
    cells = {form.format(number=a, other=b, year=2000 + b % 20) for a, b in zip(A, B, strict=True)}
    assert numbers_in(Counter(cells)) == count


def test_what_is_called_or_asked_for_as_the_name_of_rows_stays_it(tmp_path: Path) -> None:
    table = pd.DataFrame(
        {"flat": [f"{i % 30 + 1}/{i * 7 % 97 + 1}" for i in range(90)], "size": A, "let": np.where(B > 70, "yes", "no")}
    )
    assert table["flat"].is_unique
    table.to_csv(tmp_path / "train.csv", index=False)
    assert infer_task(profile(tmp_path), tmp_path, "Predict let").id.value is None
    table[["flat", "let"]].assign(let="no").to_csv(tmp_path / "sample_submission.csv", index=False)
    assert infer_task(profile(tmp_path), tmp_path, "Predict let").id.value == "flat"
    table.rename(columns={"flat": "reference"}).to_csv(tmp_path / "train.csv", index=False)
    (tmp_path / "sample_submission.csv").unlink()
    assert infer_task(profile(tmp_path), tmp_path, "Predict let").id.value == "reference"


def test_amounts_and_repeated_cells_count_no_rows() -> None:
    assert numbers_in(Counter(f"{40 + i / 20:.2f}:{a}" for i, a in enumerate(A))) == 2
    assert numbers_in(Counter({f"1:{i}": 5 for i in range(1, 61)})) == 2


def test_whatever_new_cells_hold_they_become_numbers_or_none() -> None:
    cells = ["120/80", "-5/-10", "3-1", "120/", "n/a", None, 7.5, "１２０/٨٠", "9" * 400 + "/1", " -2 / 3 mmHg"]
    made = function("shaped")(pd.DataFrame({"bp": pd.Series(cells, dtype=object)}), {"bp": "2 numbers"})
    first, second = made["c0_1"].tolist(), made["c0_2"].tolist()
    nan = pytest.approx(float("nan"), nan_ok=True)
    assert first == [120, -5, 3, 120, nan, nan, 7.5, 120, nan, -2]
    assert second == [80, -10, 1, nan, nan, nan, nan, 80, 1, 3]


def test_a_few_other_cells_do_not_matter() -> None:
    cells = [f"{a}/{b}" for a, b in zip(A, B, strict=True)]
    assert numbers_in(Counter([*cells, "unknown"])) == 2
    assert numbers_in(Counter([*cells[:50], *["not measured"] * 40])) == 0


def test_examples_hold_the_numbers_though_another_cell_is_the_most_frequent(tmp_path: Path) -> None:
    cells = [*["not measured"] * 4, *(f"{a}/{b}" for a, b in zip(A, B, strict=True))]
    pd.DataFrame({"pressure": cells, "ill": ["yes", "no"] * 47}).to_csv(tmp_path / "patients.csv", index=False)
    column = profile(tmp_path).tables[0].column("pressure")
    assert column is not None and column.parts == 2 and column.top[0] == ("not measured", 4)
    assert len(column.examples) == 5 and all("/" in text for text in column.examples)


def test_blood_pressure_is_two_numbers_from_the_upload_to_the_models(tmp_path: Path) -> None:
    pressure = [f"{a}/{b}" for a, b in zip(A, B, strict=True)]
    table = pd.DataFrame(
        {"blood pressure": pressure, "age": DICE.integers(20, 80, 90), "ill": np.where(A > 150, "yes", "no")}
    )
    table.to_csv(tmp_path / "patients.csv", index=False)
    found = profile(tmp_path)
    column = found.tables[0].column("blood pressure")
    assert column is not None and column.kind == "category" and column.parts == 2
    task = infer_task(found, tmp_path, "Who is ill?")
    assert any('"blood pressure" holds 2 numbers in each cell, such as ' in note for note in task.notes)
    assert task.id.value is None and "blood pressure" in [f.name for f in task.used_features]
    table.drop(columns="ill").head(12).to_csv(tmp_path / "test.csv", index=False)  # too few to tell by themselves
    assert infer_task(profile(tmp_path), tmp_path, "Who is ill?").id.value is None
    (tmp_path / "test.csv").unlink()
    module = module_of(solution(tmp_path, found, task), tmp_path)
    shaped = module.shaped(module.load_train(tmp_path), module.KINDS)
    assert shaped["c0_1"].tolist() == A.tolist() and shaped["c0_2"].tolist() == B.tolist()
    table.drop(columns="ill").assign(**{"blood pressure": "?"}).to_csv(tmp_path / "new.csv", index=False)
    assert module.shaped(module.load_new(tmp_path / "new.csv", tmp_path), module.KINDS)["c0_1"].isna().all()
