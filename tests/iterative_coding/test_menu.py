"""What a model that cannot write code may choose from, and that every choice leaves a solution that runs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from mlzero.iterative_coding.edits import DoesNotFit
from mlzero.iterative_coding.inspection import frozen, inspect
from mlzero.iterative_coding.menu import MODELS, Addition, menu_of
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


def number(menu, start):
    """Of the line that begins so."""
    return next(line.split(".")[0] for line in menu.lines if line.split(". ", 1)[1].startswith(start))


def test_what_is_on_offer(menu):
    assert menu.lines[0] == "1. also train gradient boosting (CatBoost)" and "LightGBM" not in " ".join(menu.lines)
    told = [line.split(". ", 1)[1].partition(" (")[0] for line in menu.lines[len(MODELS) - 1 :]]
    assert told == [
        "learning_rate 0.05 in place of 0.1", "learning_rate 0.2 in place of 0.1", "extra_trees False in place of True",
        "num_bag_folds 2 in place of 4", "num_bag_folds 8 in place of 4", "FOLDS 2 in place of 5", "FOLDS 10 in place of 5",
        "alpha 1 in place of 2.0", "alpha 4 in place of 2.0",
    ]  # fmt: skip
    assert menu.columns == COLUMNS


@pytest.mark.parametrize(
    ("start", "line"),
    [
        ("learning_rate 0.05", '"learning_rate": 0.05,'), ("extra_trees", '"extra_trees": False}'),
        ("num_bag_folds 8", "num_bag_folds=8)"), ("alpha 4", "alpha=4, axis=1"), ("also train gradient boosting (Cat", '"CAT": {}}'),
    ],
)  # fmt: skip
def test_a_choice_becomes_an_edit_that_passes(menu, start, line):
    source, _ = menu.apply(number(menu, start))
    assert line in source
    inspect(source, SOURCE)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("8", "learning_rate 0.05"), ("**10**", "extra_trees False"), ("The number: [2, 3]", "XGBoost"), ("1 and 9", "CatBoost"),
        ("8. learning_rate 0.05 in place of 1", "learning_rate 0.05"), ("With 0.2 and 220 in mind: 10", "extra_trees False"),
        ("MAKE `größe (m2)` / b/c", "Größe (m2) / b/c as a column"), ("`MAKE b/c * Größe (m2)`\n12", "b/c * Größe (m2) as a column"),
    ],
)  # fmt: skip
def test_however_it_is_answered(menu, answer, words):
    source, said = menu.apply(answer)
    assert words in said
    inspect(source, SOURCE)


@pytest.mark.parametrize("models", ['{\n    "GBM": {}\n}', '{\n    "GBM": {},\n}', '{"GBM": [{"ä": 1}, {}]}'])
def test_a_model_is_added_however_the_others_are_written(models):
    written = SOURCE.replace('{"GBM": {"learning_rate": 0.1, "extra_trees": True}}', models)
    source, _ = menu_of(written, COLUMNS).apply("1")
    inspect(source, written)
    assert [c.key for c in menu_of(source, COLUMNS).choices if isinstance(c, Addition)] == list(MODELS)[2:]


def test_columns_are_added_to_those_that_were_made(menu):
    source, _ = menu.apply("MAKE b/c - Größe (m2)")
    further, _ = menu_of(source, COLUMNS).apply("MAKE b/c + Größe (m2)")
    inspect(further, SOURCE)
    assert further.count("def with_made") == 1 and '"-"' in further and '"+"' in further


def test_what_was_tried_is_not_on_offer(menu):
    tried, words = menu.apply("8")
    left = menu.without({tried})
    assert len(left.choices) == len(menu.choices) - 1 and words not in " ".join(left.lines)


@pytest.mark.parametrize(
    ("answer", "words"),
    [("MAKE a / b", "a / b"), ("MAKE A / b", "A / b"), ('MAKE q"x * a\\n', 'q"x * a\\n'), ("**MAKE a / b**", "a / b")],
)
def test_columns_that_differ_in_capitals_or_hold_quotes(answer, words):
    source, said = menu_of(SOURCE, ["A", "a", "b", 'q"x', "a\\n", ""]).apply(answer)
    assert said == f"{words} as a column"
    inspect(source, SOURCE)


def test_an_endless_answer_is_read_to_a_limit(menu):
    with pytest.raises(DoesNotFit, match="two different columns"):
        menu.apply("MAKE " + "b/c / " * 100_000)


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ("I would add more trees.", "Nothing was chosen"), ("0.05", "Nothing was chosen"), ("99", "no line 99"), ("0", "no line 0"),
        ("MAKE b/c / price", "two different columns"), ("MAKE b/c / b/c", "two different columns"),
    ],
)  # fmt: skip
def test_what_is_not_on_the_menu_is_said(menu, answer, problem):
    with pytest.raises(DoesNotFit, match=problem):
        menu.apply(answer)


def test_reading_is_never_on_the_menu():
    read = SOURCE.replace('data_dir / "train.csv", C=3.0)', "*MODELS, *inputs(1, 2))")
    menu = menu_of(read, COLUMNS)
    assert not menu.columns and not any("also train" in line or "learning_rate" in line for line in menu.lines)


def test_a_variable_named_like_a_function_does_not_close_that_function():
    assert "fit" not in frozen(SOURCE) and "MODELS" not in frozen(SOURCE)
    assert "fit" in frozen(SOURCE.replace("    return fit\n", "    return [fit for fit in fit_of()]\n").replace("load_new", "fit_of") + "\n\ndef load_new(path, model_dir):\n    return fit\n")  # fmt: skip


def test_columns_made_of_two_others():
    rows = pd.DataFrame({"a": [1, "x", 3], "b": [2.0, 1.0, 0.0]}, index=[5, 6, 7])
    made = function("with_made")(rows[["b"]], rows, [("a", "/", "b"), ("a", "-", "b")])
    assert list(made.index) == [5, 6, 7] and made["made1"][5] == -1
    assert made["made0"][5] == 0.5 and np.isnan(made["made0"][6]) and np.isnan(made["made0"][7])
