"""A predictor with a real AutoGluon model, out of its zip."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from mlzero.iterative_coding.sandbox import choose
from mlzero.predictor.loading import predict_file
from mlzero.predictor.proof import prove

from .conftest import Made

SOLUTION = """
from pathlib import Path

import pandas as pd


def load_new(path, model_dir):
    return pd.read_csv(path, sep=";", decimal=",", dtype={"key": str})


def fit(train, model_dir, time_limit):
    from autogluon.tabular import TabularPredictor

    predictor = TabularPredictor("price", path=str(Path(model_dir) / "autogluon"), problem_type="regression")
    predictor.fit(train.drop(columns="key"), hyperparameters={"GBM": {"num_boost_round": 5}}, time_limit=time_limit)
    predictor.save_space()


def predict(rows, model_dir):
    from autogluon.tabular import TabularPredictor

    predictor = TabularPredictor.load(str(Path(model_dir) / "autogluon"))
    return pd.DataFrame({"price": predictor.predict(rows)}, index=rows.index)
"""


@pytest.mark.slow
def test_a_real_model_predicts_from_its_zip(made: Made, later: Path, tmp_path: Path) -> None:
    (made.final / "solution.py").write_text(SOLUTION)
    rows = pd.DataFrame({"key": "1", "town": ["Graz", "Linz"] * 40, "size": range(80), "price": range(80)})
    rows.to_parquet(tmp_path / "rows.parquet")
    fit = "import pandas, solution; solution.fit(pandas.read_parquet('../rows.parquet'), 'model', 20)"
    subprocess.run([sys.executable, "-c", fit], cwd=made.final, check=True, timeout=200)
    archive = made.pack()
    proof = prove(archive, made.final, choose())
    assert proof.ok, proof.text
    made.final.rename(tmp_path / "gone")
    report = predict_file(archive, later, tmp_path / "out.csv")
    assert report.rows == 2 and not report.warnings
