"""What is known of the installed libraries, and what is recalled for a task."""

import pytest

from mlzero.semantic_memory.installed_api import api, unknown_options
from mlzero.semantic_memory.recall import cards, recall
from mlzero.semantic_memory.recipes import all_recipes


def test_a_task_recalls_its_recipe_and_the_cards_of_its_tools(upload):
    made = upload("yes or no", "Predict the answer", target="answer")
    found = recall(made.task, made.profile)
    assert [recipe.name for recipe in found.recipes] == ["tabular"]
    assert [card.tool for card in found.cards] == ["autogluon.tabular.TabularPredictor"]


def test_a_task_that_no_recipe_carries_recalls_nothing(upload):
    made = upload("yes or no", "Predict the answer", target="answer")
    made.task.problem_type.value = "detection"
    assert recall(made.task, made.profile).recipes == []


def test_cards_speak_of_recipes_that_exist():
    names = {recipe.name for recipe in all_recipes()}
    assert cards() and all(set(card.recipes) <= names for card in cards())


@pytest.mark.parametrize(
    ("method", "option", "known"),
    [
        ("__init__", "eval_metric", True), ("__init__", "learner_kwargs", True), ("__init__", "metric", False),
        ("fit", "time_limit", True), ("fit", "num_bag_folds", True), ("fit", "number_of_folds", False),
        ("delete_models", "models_to_keep", True),
    ],
)  # fmt: skip
def test_knows_the_options_of_the_installed_library(method, option, known):
    found = api("TabularPredictor", method)
    assert found.knows(option) is known
    assert found.doc and found.version and found.signature.startswith("(self")


@pytest.mark.parametrize(
    ("source", "unknown"),
    [
        ("p = TabularPredictor(label='y', metric='f1')\np.fit(d, bags=3)", ["metric", "bags"]),
        ("p = TabularPredictor('y', eval_metric='f1')\np.fit(d, num_bag_folds=3)\nother.fit(d, bags=3)", []),
        ("p = Something(metric='f1')\np.fit(d, bags=3)", []),
    ],
)
def test_names_options_the_library_does_not_take(source, unknown):
    assert unknown_options(source) == unknown
