"""The recipe of texts: what it writes, and that it runs."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mlzero.iterative_coding.coder import check
from mlzero.iterative_coding.contract import Failure, Machine
from mlzero.perception.scan import profile
from mlzero.perception.understand import infer_task
from mlzero.semantic_memory.blocks.new_rows import read_new_table
from mlzero.semantic_memory.blocks.text_files import text_files
from mlzero.semantic_memory.blocks.text_models import (
    cross_fitted,
    learn_ngrams,
    linear_scores,
    pair_figures,
    text_figures,
)
from mlzero.semantic_memory.recall import recall
from mlzero.semantic_memory.recipes.texts import is_english
from tests.rendered import module_of

GOOD = ["great", "lovely", "wonderful", "delicious", "friendly", "toll", "herrlich", "lecker", "freundlich", "schön"]
BAD = ["awful", "dreadful", "broken", "cold", "rude", "furchtbar", "kaputt", "kalt", "unfreundlich", "hässlich"]
FILL = "the food was and we came back to it das Essen war und wir kamen wieder hin".split()


def remark(good: bool, dice: np.random.Generator) -> str:
    words = [*dice.choice(FILL, 7), *dice.choice(GOOD if good else BAD, 2)]
    return " ".join(dice.permutation(words))


@pytest.fixture
def remarks(tmp_path: Path):
    """An upload of remarks in two languages with what is asked, and the recipe's solutions."""
    dice = np.random.default_rng(0)
    good = dice.random(260) < 0.4
    frame = pd.DataFrame({"remark": [remark(g, dice) for g in good]})
    frame["liked"] = np.where(good, "yes", "no")
    (tmp_path / "data").mkdir()
    frame.iloc[:200].to_csv(tmp_path / "data" / "known.csv", index=False)
    frame.iloc[200:, :1].reset_index(names="nr").to_csv(tmp_path / "data" / "new.csv", index=False)
    found = profile(tmp_path / "data")
    task = infer_task(found, tmp_path / "data", "Did they like it? F1 please.")
    return task, found, frame


def solutions(task, found, seconds=100_000):
    recipe = recall(task, found).recipes[0]
    assert recipe.name == "texts"
    return {v.name: recipe.render(task, found, v) for v in recipe.ladder(task, found, Machine(2, 8.0), seconds)}


def test_every_variant_is_a_solution(remarks):
    task, found, _ = remarks
    written = solutions(task, found)
    assert next(iter(written)) == "words" and "themes" in written
    for source in written.values():
        check(source)
        functions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
        assert all(ast.get_docstring(function) for function in functions)
        assert max(map(len, source.splitlines())) <= 140


def test_a_failed_variant_steps_down_to_one_small_model(remarks):
    task, found, _ = remarks
    recipe = recall(task, found).recipes[0]
    variant = recipe.ladder(task, found, Machine(2, 8.0), 100_000)[-1]
    less = recipe.step_down(variant, Failure("fit", "memory", "too much"))
    assert less is not None and less.options["models"] == "none"
    assert recipe.step_down(less, Failure("fit", "memory", "too much")) is None


@pytest.mark.slow
@pytest.mark.parametrize("name", ["words", "themes", "vectors"])
def test_learns_and_predicts(remarks, tmp_path, name):
    task, found, frame = remarks
    written = solutions(task, found)
    if name not in written:
        pytest.skip("the optional sentence encoders are not installed")
    module = module_of(written[name], tmp_path)
    model = tmp_path / "model"
    model.mkdir()
    module.fit(module.load_train(tmp_path / "data"), model, 60.0)
    answers = module.predict(module.load_test(tmp_path / "data"), model)
    assert (answers["liked"].to_numpy() == frame["liked"].iloc[200:].to_numpy()).mean() > 0.9


@pytest.mark.parametrize("classes", [0, 2, 3])
def test_scores_come_from_models_that_did_not_see_the_row(classes):
    from sklearn.linear_model import Ridge
    from sklearn.svm import LinearSVC

    dice = np.random.default_rng(0)
    matrix = dice.normal(size=(90, 6)).astype(np.float32)
    answers = matrix[:, 0] if not classes else (matrix[:, 0] * 2).astype(int) % classes
    folds = np.arange(90) % 5
    scores, mean = cross_fitted(LinearSVC if classes else Ridge, matrix, answers, folds, classes)
    assert scores.shape == (90, 3 if classes == 3 else 1)
    assert linear_scores(matrix, mean).shape == scores.shape
    model = (LinearSVC if classes else Ridge)().fit(matrix[folds != 0], answers[folds != 0])
    own = model.predict(matrix[folds == 0]) if not classes else model.decision_function(matrix[folds == 0])
    np.testing.assert_allclose(scores[folds == 0], own.reshape(len(own), -1), rtol=1e-3, atol=1e-3)


def test_a_class_missing_from_a_fold_has_no_chance_there():
    from sklearn.svm import LinearSVC

    matrix = np.eye(8, dtype=np.float32)
    answers = np.array([0, 1, 0, 1, 0, 1, 0, 2])
    scores, _ = cross_fitted(LinearSVC, matrix, answers, np.array([0, 0, 0, 0, 1, 1, 1, 1]), 3)
    assert (scores[4:, 2] == -1).all()


def test_figures_of_texts_and_pairs():
    table = text_figures(pd.Series(["One two three. Four!", None, "你好，世界。"]), "t")
    assert table["t_sentences"].tolist() == [2, 1, 1] and table["t_words"].iloc[0] == 4
    ngrams, _ = learn_ngrams(["a cat sat", "a dog ran", "the cat ran"])
    pairs = pair_figures(["a cat sat", "a cat"], ["a cat sat", "dogs run"], ngrams)
    assert pairs["same"].tolist() == [1, 0] and pairs["shared"].tolist() == [1, 0]
    assert pairs["alike_0"].iloc[0] > 0.99


@pytest.mark.parametrize(
    ("text", "english"),
    [("the cat is on the mat and you have it", True), ("das ist die Katze und sie liegt auf der Matte", False)],
)
def test_english_is_told_from_german(text, english):
    assert is_english(text) is english


@pytest.mark.parametrize(
    ("name", "content", "rows"),
    [
        ("named.csv", 'id,message\n1,"hi there, you all are fine"\n2,call me when you can now\n', 2),
        ("bare.txt", "Ok then\nhello, how are you doing my friend\nthis, is a long, message\n", 3),
        ("labelled.tsv", "ham\tOk then\nspam\twin a prize now with us all\nham\tgo home soon my dear friend\n", 3),
        ("titled.csv", "text\nOk then my friend\ngo home soon\n", 2),
        ("lines.jsonl", '{"sms":"hello you there friend","nr":4}\n{"sms":"two words here","nr":5}\n', 2),
    ],
)
def test_later_texts_are_found_under_other_names(tmp_path, name, content, rows):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    found = read_new_table(path, ["text"], texts=["text"], separator="\t", quote=None, has_header=False, names=["label", "text"])  # fmt: skip
    assert len(found) == rows and found["text"].notna().all()
    assert "friend" in " ".join(found["text"]) or "call" in " ".join(found["text"])


def test_text_files_become_rows(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "1.txt").write_bytes("grün".encode("cp1252"))
    (tmp_path / "a" / "2.txt").write_text("blau", encoding="utf-8")
    (tmp_path / "readme.txt").write_text("about", encoding="utf-8")
    rows = text_files(tmp_path, label="label", skip=["readme.txt"])
    assert rows.to_dict("list") == {"file": ["a/1.txt", "a/2.txt"], "text": ["grün", "blau"], "label": ["a", "a"]}
    assert text_files(tmp_path / "a" / "2.txt").to_dict("list") == {"file": ["2.txt"], "text": ["blau"]}


def test_later_text_files_are_read_alone_or_in_a_folder_or_in_a_table(tmp_path):
    dice = np.random.default_rng(0)
    data = tmp_path / "data"
    for name, good in (("liked", True), ("not", False)):
        (data / name).mkdir(parents=True)
        for i in range(12):
            (data / name / f"{i}.txt").write_text(remark(good, dice), encoding="utf-8")
    found = profile(data)
    task = infer_task(found, data, "do they like it?")
    module = module_of(solutions(task, found, seconds=1.0)["words"], tmp_path)
    assert module.load_train(data)["label"].value_counts().to_dict() == {"liked": 12, "not": 12}
    assert len(module.load_new(data / "liked", tmp_path)) == 12
    assert len(module.load_new(data / "liked" / "1.txt", tmp_path)) == 1
    pd.DataFrame({"nr": [1, 2], "remark": [remark(True, dice), remark(False, dice)]}).to_csv(tmp_path / "t.csv")
    assert module.load_new(tmp_path / "t.csv", tmp_path)["text"].notna().all()
