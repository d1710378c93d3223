"""A tiny run by hand: an upload, a task, a solution of a few lines, and the predictor packed from it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from mlzero.iterative_coding.contract import Evaluation
from mlzero.perception.profile import Profile
from mlzero.perception.scan import profile
from mlzero.perception.task import FeaturePlan, FileRole, Inferred, OutputPlan, RowSource, SplitPlan, Task
from mlzero.predictor.packaging import package
from mlzero.predictor.standalone.command import read_contract
from mlzero.predictor.unpacking import unpack

SOLUTION = '''"""The mean price by town and what the size adds."""

import json
from pathlib import Path

import pandas as pd


def load_new(path, model_dir):
    """Rows of a later CSV file with semicolons; sizes are written with a comma."""
    rows = pd.read_csv(path, sep=";", dtype={"key": str, "size": str})
    if "size" in rows:
        rows["size"] = pd.to_numeric(rows["size"].str.replace(",", "."), errors="coerce").astype(float)
    return rows


def predict(rows, model_dir):
    """The price."""
    means = json.loads((Path(model_dir) / "means.json").read_text())
    return pd.DataFrame({"price": rows["town"].map(means).fillna(100.0) + rows["size"].fillna(0)}, index=rows.index)
'''
MEANS = {"Graz": 200.0, "Linz": 300.0}
TRAIN = "key;town;size;price\n007;Graz;1,5;201\n008;Linz;2,5;303\n009;Graz;3,25;204\n010;Linz;4;304\n011;Graz;;205\n"
LATER = "key;town;size\n012;Graz;1,5\n0013;Linz;2,5\n"


@dataclass(frozen=True)
class Made:
    """What belongs to one predictor."""

    task: Task
    profile: Profile
    evaluation: Evaluation
    data: Path
    final: Path
    archive: Path

    def pack(self) -> Path:
        return package(self.final, self.task, self.profile, self.evaluation, self.data, self.archive)


@pytest.fixture
def made(tmp_path: Path) -> Made:
    data, final = tmp_path / "data", tmp_path / "final"
    data.mkdir()
    (data / "flats.csv").write_text(TRAIN, encoding="utf-8")
    (final / "model").mkdir(parents=True)
    (final / "solution.py").write_text(SOLUTION, encoding="utf-8")
    (final / "model" / "means.json").write_text(json.dumps(MEANS), encoding="utf-8")
    task = Task(
        goal="What will it cost?",
        modality=Inferred(value="tabular"),
        problem_type=Inferred(value="regression", evidence="Prices are numbers."),
        target=Inferred(value="price", evidence="It is the only column with prices."),
        metric=Inferred(value="mae"),
        id=Inferred(value="key"),
        files=Inferred(value=[FileRole(path="flats.csv", role="train")]),
        split=Inferred(value=SplitPlan()),
        output=Inferred(value=OutputPlan(columns=["key", "price"], value="number")),
        train=[RowSource(table="flats.csv")],
        features=[
            FeaturePlan(name="key", treat_as="identifier", drop="It only numbers the rows."),
            FeaturePlan(name="town", treat_as="category"),
            FeaturePlan(name="size", treat_as="number"),
        ],
    )
    evaluation = Evaluation(
        attempt=1, metric="mae", higher_is_better=False, score=1.25, baseline=50.0, baseline_text="always says 243",
        rows_train=400, rows_holdout=212,
    )  # fmt: skip
    found = Made(task, profile(data), evaluation, data, final, tmp_path / "predictor.zip")
    found.pack()
    return found


@pytest.fixture
def later(tmp_path: Path) -> Path:
    """New rows."""
    path = tmp_path / "later rows.csv"
    path.write_text(LATER, encoding="utf-8")
    return path


@pytest.fixture
def contract(made: Made, tmp_path: Path) -> dict:
    unpack(made.archive, tmp_path / "unpacked")
    return read_contract(tmp_path / "unpacked")
