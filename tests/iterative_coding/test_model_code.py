"""Edits by a model, and what its code may not do: decided before anything runs."""

from __future__ import annotations

import pytest

from mlzero.iterative_coding.edits import DoesNotFit, apply
from mlzero.iterative_coding.ideas import usable
from mlzero.iterative_coding.inspection import frozen, inspect
from mlzero.iterative_coding.sketch import sketch
from tests.llm.solutions import BROKEN, CHEATS, FIT, GOOD, answer, swap

HONEST = {
    "a passage": swap(FIT, 'slope, intercept = np.polyfit(train[COLUMN], np.sqrt(train["price"]), 1)'),
    "a passage, indented otherwise": swap(f"  {FIT}", "  slope, intercept = 1.0, 2.0"),
    "a whole function": answer("import math\n\n\ndef fit(train: pd.DataFrame, model_dir: Path, time_limit: float) -> None:\n    (model_dir / 'line.json').write_text(json.dumps([math.pi, 1]))"),
    "a new helper and a value": answer("DEGREE = 2\n\n\ndef wide(rows):\n    return rows.assign(square=rows[COLUMN] ** DEGREE)"),
    "a model of its own": answer("from sklearn.base import BaseEstimator\n\n\nclass Line(BaseEstimator):\n    degree = 1\n\n    def __init__(self, degree=1):\n        self.degree = degree"),
}  # fmt: skip


@pytest.mark.parametrize("name", HONEST)
def test_honest_edits_are_worked_in(name):
    source = usable(HONEST[name], GOOD)
    compile(source, "solution.py", "exec")
    assert source != GOOD and "def load_train" in source and source.count("def fit") == 1


@pytest.mark.parametrize("name", CHEATS)
def test_a_cheat_never_runs(name):
    with pytest.raises(ValueError) as caught:
        usable(CHEATS[name], GOOD)
    assert len(str(caught.value)) > 20


@pytest.mark.parametrize("name", BROKEN)
def test_broken_code_never_runs(name):
    with pytest.raises(ValueError):
        usable(BROKEN[name], GOOD)


def test_reading_may_be_mended_only_where_reading_failed():
    mended = swap("    return pd.read_csv(path)", '    return pd.read_csv(path, sep=";")')
    with pytest.raises(ValueError, match="belongs to reading"):
        usable(mended, GOOD)
    assert 'sep=";"' in usable(mended, GOOD, reading=True)
    with pytest.raises(ValueError, match="prepare"):
        usable(CHEATS["carry the answers in prepare"], GOOD, reading=True)


def test_what_reading_rests_on():
    assert frozen(GOOD) == ["load_train", "load_test", "load_new", "read"]


def test_the_sketch_shows_what_may_change_and_hides_the_rest():
    shown = sketch(GOOD, 2000)
    assert FIT in shown
    assert "def load_train(data_dir: Path): ...  #  (fixed: reading)" in shown
    assert "pd.read_csv" not in shown and "def read(" not in shown


def test_an_edit_says_what_does_not_fit():
    with pytest.raises(DoesNotFit, match=r"not in the solution\. The nearest line"):
        apply(swap('slope, intercept = np.polyfit(train[COLUMN], train["prize"], 1)', "x"), GOOD)
    with pytest.raises(DoesNotFit, match="stands there 2 times"):
        apply(swap("import ", "x"), "import a\nimport b\n")


def test_the_parent_passes_its_own_inspection():
    inspect(GOOD, GOOD)
