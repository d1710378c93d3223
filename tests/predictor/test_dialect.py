"""Answers in the dialect of the user's own tables."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mlzero.iterative_coding.sandbox import choose
from mlzero.perception.task import Dialect
from mlzero.predictor.loading import load_predictor, predict_file
from mlzero.predictor.proof import prove
from mlzero.predictor.standalone import answers
from mlzero.predictor.standalone.dialect import texts_of
from mlzero.predictor.unpacking import unpack

from .conftest import Made

GERMAN = {"separator": ";", "decimal": ",", "mark": True}


@pytest.mark.parametrize(
    ("numbers", "texts"),
    [
        ([0.8304720520973206, 0.25, 0.0, 1.0], ["0,8304721", "0,25", "0", "1"]),
        ([1.23456789e-9, 0.5], ["0,000000001234568", "0,5"]),
        ([0.9999999712345678, 0.5], ["0,99999997123457", "0,5"]),  # what is missing to one counts
        ([12.0, 13.0, None], ["12", "13", None]),
        ([1234.56789012345, 3.0], ["1234,5679", "3"]),
        ([1234567.891, 3.0], ["1234567,89", "3"]),
        ([1638316800.123456, 1638316800.123999], ["1638316800,123456", "1638316800,123999"]),  # alike but for little
        ([-0.0, -2.5e-7], ["0", "-0,00000025"]),
        (np.array([0.1, 0.7], dtype="float32"), ["0,1", "0,7"]),
    ],
)
def test_numbers_have_the_digits_that_count(numbers: list[float | None], texts: list[str | None]) -> None:
    found = texts_of(pd.Series(numbers), ",")
    assert found.astype(object).where(found.notna(), None).tolist() == texts


@pytest.mark.parametrize("scale", [1e-12, 1e-3, 1.0, 1e5, 1e12])
def test_rounding_loses_nothing_that_a_metric_sees(scale: float) -> None:
    values = pd.Series(np.random.default_rng(0).normal(3, 1, 500) * scale)
    back = texts_of(values, ".").astype(float)
    assert np.allclose(back, values, rtol=5e-7, atol=0)
    assert (back.rank(method="first") == values.rank(method="first")).all()


TABLE = pd.DataFrame({
    "Kunde": ["007", "a;b"], "n": [3, 4], "Risiko": [0.8304720520973206, 2.0], "tag": pd.to_datetime(["2024-03-01", None]),
    "Label": ["groß, rot", "klein"],
})  # fmt: skip


def test_a_table_in_the_dialect(tmp_path: Path) -> None:
    path = answers.write_table(TABLE, "csv", tmp_path / "out.csv", GERMAN)
    assert path.read_bytes().decode("utf-8-sig").splitlines() == [
        "Kunde;n;Risiko;tag;Label",
        "007;3;0,8304721;2024-03-01;groß, rot",
        '"a;b";4;2;;klein',
    ]
    assert path.read_bytes().startswith(b"\xef\xbb\xbf")
    assert answers.read_table(path, "csv", GERMAN)["Risiko"].tolist() == ["0,8304721", "2"]
    assert pd.read_csv(path, sep=";", decimal=",")["Risiko"].tolist() == [0.8304721, 2.0]


def test_without_a_dialect_nothing_changes(tmp_path: Path) -> None:
    path = answers.write_table(TABLE, "csv", tmp_path / "out.csv")
    assert path.read_text(encoding="utf-8").splitlines()[:2] == [
        "Kunde,n,Risiko,tag,Label",
        '007,3,0.8304720520973206,2024-03-01,"groß, rot"',
    ]


@pytest.mark.parametrize("kind", ["json", "parquet", "xlsx"])
def test_typed_formats_keep_their_numbers(kind: str, tmp_path: Path) -> None:
    path = answers.write_table(TABLE, kind, tmp_path / f"out.{kind}", GERMAN)
    values = answers.read_table(path, kind, GERMAN)["Risiko"].astype(float)
    assert values.tolist() == pytest.approx([0.8304720520973206, 2.0], rel=1e-12)


@pytest.fixture
def german(made: Made) -> Made:
    made.task.output.value.dialect = Dialect(separator=";", decimal=",")
    made.pack()
    return made


def test_every_way_to_predict_writes_it(german: Made, later: Path, tmp_path: Path) -> None:
    lines = ["key;price", "012;201,5", "0013;302,5"]
    report = predict_file(german.archive, later, tmp_path / "out.csv")
    assert report.rows == 2 and report.path.read_text(encoding="utf-8").splitlines() == lines
    unpack(german.archive, tmp_path / "away")
    done = subprocess.run(
        [sys.executable, "-I", str(tmp_path / "away" / "predict.py"), str(later), "--out", "own.csv"],
        capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0 and (tmp_path / "own.csv").read_text(encoding="utf-8").splitlines() == lines
    assert load_predictor(german.archive).predict(later)["price"].tolist() == [201.5, 302.5]
    tabs = predict_file(german.archive, later, tmp_path / "out.tsv").path.read_text(encoding="utf-8").splitlines()
    assert tabs[1] == "012\t201,5"
    lines = predict_file(german.archive, later, tmp_path / "out.jsonl").path.read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[0]) == {"key": "012", "price": 201.5}


@pytest.mark.parametrize(("written", "holds"), [("201,50002", True), ("209,5", False)])
def test_the_proof_compares_what_the_run_wrote(german: Made, later: Path, written: str, holds: bool) -> None:
    (german.data / "new.csv").write_text(later.read_text(encoding="utf-8"), encoding="utf-8")
    german.task.test = [german.task.train[0]]
    german.pack()
    rows = pd.read_parquet(german.final / "sample.parquet")
    lines = [f"{key};{written if n == 0 else price}" for n, (key, price) in enumerate(answers_of(rows))]
    (german.final / "predictions.csv").write_text("\n".join(["key;price", *lines]) + "\n", encoding="utf-8")
    assert prove(german.archive, german.final, choose()).ok == holds


def answers_of(rows: pd.DataFrame) -> list[tuple[str, str]]:
    """Keys and prices as the solution answers."""
    prices = rows["town"].map({"Graz": 200.0, "Linz": 300.0}) + rows["size"].fillna(0)
    return list(zip(rows["key"].astype(str), prices.map(lambda price: f"{price:g}".replace(".", ",")), strict=True))
