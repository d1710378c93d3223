"""In which dialect answers are written: that of the sample, of the goal, or of the tables themselves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mlzero.perception.scan import profile
from mlzero.perception.task import Task
from mlzero.perception.understand import infer_task

ROWS = 120
DICE = np.random.default_rng(0)
SIZE = DICE.normal(50, 9, ROWS).round(2)
WHOLE = DICE.integers(10, 90, ROWS)
PLAIN = None
GERMAN, SEMICOLONS = (";", ",", False), (";", ".", False)


def rows(size: object = SIZE, day: str = "%Y-%m-%d") -> pd.DataFrame:
    days = pd.date_range("2024-01-01", periods=ROWS, freq="37h").strftime(day)
    return pd.DataFrame({
        "nr": range(1, ROWS + 1), "tag": days, "größe": size, "ort": ["Graz", "Linz"] * (ROWS // 2),
        "kauf": np.where(WHOLE > 50, "ja", "nein"),
    })  # fmt: skip


def understood(root: Path, goal: str = "kauf vorhersagen", sample: str = "", *, train: dict, test: dict | None) -> Task:
    how = {key: value for key, value in train.items() if key not in ("whole", "day")}
    size = WHOLE if train.get("whole") else SIZE
    rows(size, train.get("day", "%Y-%m-%d")).to_csv(root / "train.csv", index=False, **how)
    if test is not None:
        rows(size).drop(columns="kauf").to_csv(root / "test.csv", index=False, **test)
    if sample:
        (root / "sample_submission.csv").write_text(sample, encoding="utf-8")
    return infer_task(profile(root), root, goal)


def dialect_of(task: Task) -> tuple[str, str, bool] | None:
    found = task.output.value.dialect
    return None if found is None else (found.separator, found.decimal, found.mark)


COMMA = {"sep": ";", "decimal": ","}


@pytest.mark.parametrize(
    ("train", "test", "wanted"),
    [
        (COMMA, COMMA, GERMAN),
        (COMMA, None, GERMAN),
        (COMMA | {"encoding": "cp1252"}, COMMA, (";", ",", True)),
        (COMMA | {"encoding": "utf-8-sig"}, None, (";", ",", True)),
        ({"sep": ";"}, {"sep": ";"}, SEMICOLONS),
        ({"sep": ";", "whole": True}, {"sep": ";"}, SEMICOLONS),
        ({"sep": ";", "whole": True, "day": "%d.%m.%Y"}, None, GERMAN),  # no decimal mark at all
        ({"sep": ";", "day": "%d.%m.%Y"}, None, SEMICOLONS),
        (COMMA, {}, PLAIN),
        ({}, COMMA, PLAIN),
        ({}, {}, PLAIN),
        ({"encoding": "utf-8-sig"}, None, PLAIN),
        ({"decimal": ","}, {"decimal": ","}, PLAIN),
        ({"sep": "\t", "decimal": ","}, None, PLAIN),
    ],
)
def test_the_dialect_of_the_tables(train: dict, test: dict | None, wanted: tuple | None, tmp_path: Path) -> None:
    task = understood(tmp_path, train=train, test=test)
    assert dialect_of(task) == wanted
    said = {GERMAN[:2]: "semicolons and decimal commas.", SEMICOLONS[:2]: "semicolons."}
    if wanted is None:
        assert "written like" not in task.output.evidence
    else:
        files = "your file" if test is None else "your files"
        told = f"written like {files}: {said[wanted[:2]]}"
        assert task.output.evidence.endswith(f"; {told}") and f"Predictions are {told}" in task.notes


@pytest.mark.parametrize(
    ("sample", "train", "wanted"),
    [
        ("nr,kauf\n1,ja\n2,nein\n", COMMA, PLAIN),
        ("\ufeffnr,kauf\n1,ja\n2,nein\n", {}, (",", ".", True)),
        ("nr;kauf\n1;ja\n2;nein\n", {}, SEMICOLONS),
        ("nr;kauf\n1;ja\n2;nein\n", COMMA, GERMAN),  # shows no decimal mark
        ("nr;kauf\n1;0,5\n2;0,25\n3;0,75\n", {}, GERMAN),
        ("nr;kauf\n1;0.5\n2;0.25\n3;0.75\n", COMMA, SEMICOLONS),
        ("nr\tkauf\n1\tja\n2\tnein\n", COMMA, ("\t", ",", False)),
    ],
)
def test_the_sample_of_the_answer_comes_first(sample: str, train: dict, wanted: tuple | None, tmp_path: Path) -> None:
    task = understood(tmp_path, sample=sample, train=train, test=train)
    assert task.output.value.sample == "sample_submission.csv" and dialect_of(task) == wanted
    assert task.output.value.value == ("probability" if "25" in sample else "label")


@pytest.mark.parametrize(
    ("goal", "train", "wanted"),
    [
        ("kauf vorhersagen, als CSV mit der Kopfzeile nr,kauf", COMMA, PLAIN),
        ("kauf vorhersagen, als CSV mit der Kopfzeile nr;kauf", {}, SEMICOLONS),
        ("Predict kauf and write a comma-separated file", COMMA, PLAIN),
        ("kauf vorhersagen, als CSV-Datei mit Semikolon", {}, SEMICOLONS),
        ("Predict kauf and give a semicolon-separated file", {}, SEMICOLONS),
        ("Predict kauf; several remarks are separated by semicolons", {}, PLAIN),
        ("kauf vorhersagen, mit Semikolon und Dezimalkomma", {}, GERMAN),
        ("kauf vorhersagen, mit Dezimalpunkt", COMMA, SEMICOLONS),
        ("Predict kauf as predictions.json", COMMA, PLAIN),
    ],
)
def test_what_the_goal_asks_for_comes_before_the_tables(
    goal: str, train: dict, wanted: tuple | None, tmp_path: Path
) -> None:
    task = understood(tmp_path, goal, train=train, test=train)
    assert dialect_of(task) == wanted


def test_typed_formats_have_no_dialect(tmp_path: Path) -> None:
    rows().to_excel(tmp_path / "train.xlsx", index=False)
    assert infer_task(profile(tmp_path), tmp_path, "kauf vorhersagen").output.value.dialect is None
