"""Solutions for uploads of other programs read them, a later file of that kind, and a plain CSV."""

import sqlite3
from contextlib import closing

import numpy as np
import pandas as pd
import pyreadstat
import pytest

from mlzero.iterative_coding.contract import Machine
from mlzero.perception.scan import profile
from mlzero.perception.understand import infer_task
from mlzero.semantic_memory.recall import recall
from tests.rendered import module_of


def _database(frame, path):
    with closing(sqlite3.connect(path)) as database:
        frame.to_sql("people", database, index=False)


WRITERS = {
    "a.sav": lambda frame, path: pyreadstat.write_sav(frame, str(path)),
    "a.dta": lambda frame, path: pyreadstat.write_dta(frame, str(path)),
    "a.db": _database,
    "a.html": lambda frame, path: frame.to_html(path, index=False),
    "a.xml": lambda frame, path: frame.to_xml(path, index=False),
    "a.orc": lambda frame, path: frame.to_orc(path),
}


@pytest.mark.parametrize("name", WRITERS)
def test_reads_now_and_later(tmp_path, name):
    dice = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "age": dice.integers(18, 90, 60),
            "income": dice.normal(3000, 500, 60).round(2),
            "town": dice.choice(["Graz", "Linz", "Wels"], 60),
            "bought": dice.choice(["yes", "no"], 60),
        }
    )
    (tmp_path / "data").mkdir()
    WRITERS[name](frame, tmp_path / "data" / name)
    found = profile(tmp_path / "data")
    task = infer_task(found, tmp_path / "data", "Predict bought")
    recipe = recall(task, found).recipes[0]
    source = recipe.render(task, found, recipe.ladder(task, found, Machine(2, 8.0), 60)[0])
    module = module_of(source, tmp_path)
    train = module.load_train(tmp_path / "data")
    assert train["town"].tolist() == frame["town"].tolist()
    np.testing.assert_allclose(train["income"].astype(float), frame["income"])
    later = frame.drop(columns="bought").tail(5).reset_index(drop=True)
    WRITERS[name](later, tmp_path / name)
    later.to_csv(tmp_path / "later.csv", index=False)
    for path in (tmp_path / name, tmp_path / "later.csv"):
        rows = module.load_new(path, tmp_path)
        assert rows["town"].tolist() == later["town"].tolist()
        np.testing.assert_allclose(rows["income"].astype(float), later["income"])
