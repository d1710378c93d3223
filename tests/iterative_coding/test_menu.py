"""What a model that cannot write code may choose from, and that every choice leaves a solution that runs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from mlzero.iterative_coding.edits import DoesNotFit
from mlzero.iterative_coding.inspection import frozen, inspect
from mlzero.iterative_coding.menu import MODELS, menu_of
from mlzero.semantic_memory.blocks import function

SOURCE = '''
from pathlib import Path

import pandas as pd

MODELS = {"GBM": {"learning_rate": 0.1, "extra_trees": True}}
FOLDS = 5


def load_train(data_dir: Path) -> pd.DataFrame:
    fit = pd.read_csv(data_dir / "train.csv", C=3.0)
    return fit


def load_test(data_dir: Path) -> pd.DataFrame | None:
    return None


def load_new(path: Path, model_dir: Path) -> pd.DataFrame:
    return pd.read_csv(path)


def inputs(rows: pd.DataFrame, model_dir: Path) -> pd.DataFrame:
    return rows[["Größe (m2)", "b/c"]]


def fit(train: pd.DataFrame, model_dir: Path, time_limit: float) -> None:
    from autogluon.tabular import TabularPredictor

    TabularPredictor(label="x").fit(train, hyperparameters=MODELS, num_bag_folds=4)


def predict(rows: pd.DataFrame, model_dir: Path) -> pd.DataFrame:
    """ä"""; beta = dict(alpha=2.0, axis=1)
    return inputs(rows, model_dir)
'''
COLUMNS = ["Größe (m2)", "b/c"]


@pytest.fixture
def menu():
    return menu_of(SOURCE, COLUMNS)


def test_what_is_on_offer(menu):
    assert [s.name for s in menu.settings] == ["learning_rate", "extra_trees", "num_bag_folds", "FOLDS", "alpha"]
    assert "GBM" not in menu.models and "CAT" in menu.models
    assert menu.columns == COLUMNS


@pytest.mark.parametrize(
    ("answer", "line", "words"),
    [
        ("WHY: finer\nSET 1 = 0.05", '"learning_rate": 0.05,', "learning_rate 0.05 in place of 0.1"),
        ("SET 1 = 900", '"learning_rate": 0.5,', "learning_rate 0.5 in place of 0.1"),
        ("- **SET** 2 = false", '"extra_trees": False}', "extra_trees False in place of True"),
        ("SET 3 = 7.6", "num_bag_folds=8)", "num_bag_folds 8 in place of 4"),
        ("set 5: 1e-3", "alpha=0.4, axis=1", "alpha 0.4 in place of 2.0"),
        ("ADD cat", '"CAT": {}}', "with gradient boosting (CatBoost)"),
        ("MAKE `größe (m2)` / b/c", '("Größe (m2)", "/", "b/c"),', "Größe (m2) / b/c as a column"),
        ("MAKE b/c * Größe (m2)", '("b/c", "*", "Größe (m2)"),', "b/c * Größe (m2) as a column"),
    ],
)
def test_a_choice_becomes_an_edit_that_passes(menu, answer, line, words):
    source, said = menu.apply(answer)
    assert line in source and said == words
    inspect(source, SOURCE)


@pytest.mark.parametrize("models", ['{\n    "GBM": {}\n}', '{\n    "GBM": {},\n}', '{"GBM": [{"ä": 1}, {}]}'])
def test_a_model_is_added_however_the_others_are_written(models):
    written = SOURCE.replace('{"GBM": {"learning_rate": 0.1, "extra_trees": True}}', models)
    source, _ = menu_of(written, COLUMNS).apply("ADD CAT")
    inspect(source, written)
    assert menu_of(source, COLUMNS).models == [key for key in MODELS if key not in ("GBM", "CAT")]


def test_several_choices_on_one_line_all_count(menu):
    _, words = menu.apply("SET 1 = 0.2 and ADD CAT. SET 3 = 8, MAKE b/c - Größe (m2)")
    assert words.count(",") == 3 and "CatBoost" in words and "num_bag_folds 8" in words and "as a column" in words


def test_several_choices_at_once_and_again_on_their_result(menu):
    source, _ = menu.apply("SET 1 = 0.2\nSET 5 = 3\nADD XT\nADD LR\nMAKE b/c - Größe (m2)")
    further, _ = menu_of(source, COLUMNS).apply("MAKE b/c + Größe (m2)")
    inspect(further, SOURCE)
    assert further.count("def with_made") == 1 and '"-"' in further and '"+"' in further


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ("I would add more trees.", "Nothing was chosen"), ("SET 1 = 0.1", "Nothing was chosen"), ("SET 9 = 1", "no setting 9"),
        ("SET 1 = many", "no number"), ("ADD GBM", "cannot be added"), ("MAKE b/c / price", "two different columns"),
        ("MAKE b/c / b/c", "two different columns"),
    ],
)  # fmt: skip
def test_what_is_not_on_the_menu_is_said(menu, answer, problem):
    with pytest.raises(DoesNotFit, match=problem):
        menu.apply(answer)


def test_reading_is_never_on_the_menu():
    read = SOURCE.replace('data_dir / "train.csv", C=3.0)', "*MODELS, *inputs(1, 2))")
    menu = menu_of(read, COLUMNS)
    assert not menu.models and not menu.columns and "learning_rate" not in [s.name for s in menu.settings]


def test_a_variable_named_like_a_function_does_not_close_that_function():
    assert "fit" not in frozen(SOURCE) and "MODELS" not in frozen(SOURCE)
    assert "fit" in frozen(SOURCE.replace("    return fit\n", "    return [fit for fit in fit_of()]\n").replace("load_new", "fit_of") + "\n\ndef load_new(path, model_dir):\n    return fit\n")  # fmt: skip


def test_columns_made_of_two_others():
    rows = pd.DataFrame({"a": [1, "x", 3], "b": [2.0, 1.0, 0.0]}, index=[5, 6, 7])
    made = function("with_made")(rows[["b"]], rows, [("a", "/", "b"), ("a", "-", "b")])
    assert list(made.index) == [5, 6, 7] and made["made1"][5] == -1
    assert made["made0"][5] == 0.5 and np.isnan(made["made0"][6]) and np.isnan(made["made0"][7])
