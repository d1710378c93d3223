"""What users of such tools reported about column names, types, labels and the task: each fault with the right value.

Special signs in names, names that repeat, Chinese names, row names among the inputs; missing and infinite answers,
one answer everywhere, rare classes, targets and problem types guessed wrong, a target that is not there.

Not here: fonts of charts and log encodings (tests/predictor, tests/ui); a holdout that training sees
(tests/iterative_coding/test_harness.py: the truth never enters the sandbox, and the judge warns of a score far above).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mlzero.errors import UserError
from mlzero.iterative_coding.contract import Machine
from mlzero.perception.scan import profile
from mlzero.perception.task import Task
from mlzero.perception.understand import infer_task
from mlzero.semantic_memory.recall import recall


def understood(root: Path, frame: pd.DataFrame, goal: str, **overrides: str) -> Task:
    frame.to_csv(root / "a.csv", index=False)
    return infer_task(profile(root), root, goal, overrides)


@pytest.fixture
def frame() -> pd.DataFrame:
    dice = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "age": dice.integers(18, 90, 120),
            "income": dice.normal(3000, 700, 120).round(1),
            "town": dice.choice(["Graz", "Linz", "Wels"], 120),
            "bought": dice.choice(["yes", "no"], 120),
        }
    )


def test_special_signs_in_names(tmp_path: Path, frame: pd.DataFrame) -> None:
    odd = ['size [m²], "net"', "{a: b}", "<50€>", "bought?"]
    frame.columns = odd
    task = understood(tmp_path, frame, "Predict bought?")
    assert task.target.value == "bought?"
    assert [f.name for f in task.features] == odd[:3], "people see the names as they wrote them"
    found = profile(tmp_path)
    recipe = recall(task, found).recipes[0]
    source = recipe.render(task, found, recipe.ladder(task, found, Machine(2, 8.0), 60)[0])
    compile(source, "solution.py", "exec")


def test_repeated_names_get_a_number_and_are_told(tmp_path: Path, frame: pd.DataFrame) -> None:
    frame.columns = ["age", "age", "town", "bought"]
    frame.to_csv(tmp_path / "a.csv", index=False)
    (table,) = profile(tmp_path).tables
    assert table.names == ["age", "age_2", "town", "bought"]
    assert any("age" in note and "Repeated" in note for note in table.notes)


def test_chinese_names(tmp_path: Path, frame: pd.DataFrame) -> None:
    frame.columns = ["年龄", "收入", "城市", "是否购买"]
    frame["是否购买"] = frame["是否购买"].map({"yes": "是", "no": "否"})
    task = understood(tmp_path, frame, "预测客户是否购买")
    assert task.target.value == "是否购买" and set(task.labels) == {"是", "否"}
    assert task.positive_label.value == "是"


def test_row_names_are_no_inputs_and_can_be_kept(tmp_path: Path, frame: pd.DataFrame) -> None:
    frame.insert(0, "customer_id", [f"C{n:05}" for n in range(120)])
    left_out = next(f for f in understood(tmp_path, frame, "Predict bought").features if f.name == "customer_id")
    assert left_out.drop
    kept = understood(tmp_path, frame, "Predict bought", keep="customer_id")
    assert next(f for f in kept.features if f.name == "customer_id").drop is None


def test_rows_without_an_answer_are_predicted_and_counted(tmp_path: Path, frame: pd.DataFrame) -> None:
    frame.loc[:9, "bought"] = None
    task = understood(tmp_path, frame, "Predict bought")
    assert task.train[0].rows == "labelled" and task.test[0].rows == "unlabelled"
    assert any(note.startswith("10 rows") for note in task.notes)


def test_infinite_answers_are_none(tmp_path: Path, frame: pd.DataFrame) -> None:
    frame["income"] = frame["income"].astype(object)
    frame.loc[:4, "income"] = ["inf", "-inf", "Inf", "NaN", ""]
    task = understood(tmp_path, frame, "Predict income")
    assert task.problem_type.value == "regression" and task.train[0].rows == "labelled"
    from mlzero.perception.tables import load_table

    (table,) = profile(tmp_path).tables
    assert np.isfinite(load_table(tmp_path, table)["income"].dropna()).all()
    assert table.column("income").missing == 5


def test_one_answer_everywhere_is_refused(tmp_path: Path, frame: pd.DataFrame) -> None:
    frame["bought"] = "yes"
    with pytest.raises(UserError, match='"bought" has the same value in every row'):
        understood(tmp_path, frame, "Predict bought", target="bought")


def test_rare_classes_stay(tmp_path: Path, frame: pd.DataFrame) -> None:
    frame["kind"] = ["common"] * 115 + ["rare"] * 4 + ["single"]
    task = understood(tmp_path, frame, "Predict the kind", target="kind")
    assert task.labels == ["common", "rare", "single"]


@pytest.mark.parametrize(
    ("column", "values", "goal", "target", "kind"),
    [
        ("rating", [1, 2, 3, 4, 5], "Predict the rating", "rating", "multiclass"),
        ("rating", [1, 2, 3, 4, 5], "Predict the rating, judged by RMSE", "rating", "regression"),
        ("left", [0, 1], "Who will leave?", "left", "binary"),
        ("price", [n * 7 % 100 + 50.5 for n in range(90)], "What should it cost?", "price", "regression"),
    ],
)
def test_target_and_kind_with_reasons(
    tmp_path: Path, frame: pd.DataFrame, column: str, values: list[int], goal: str, target: str, kind: str
) -> None:
    frame.insert(1, column, np.resize(values, 120))
    task = understood(tmp_path, frame.drop(columns="bought"), goal)
    assert (task.target.value, task.problem_type.value) == (target, kind), "not simply the last column"
    assert task.target.evidence and task.problem_type.evidence
    assert ("regression" in task.problem_type.alternatives) == (kind != "regression")


def test_words_among_amounts_are_no_amounts(tmp_path: Path, frame: pd.DataFrame) -> None:
    rent = [f"€ {900 + n * 37 % 500:,.2f}" if n % 5 else "on request" for n in range(120)]
    frame.insert(1, "rent", rent)
    frame.to_csv(tmp_path / "a.csv", index=False)
    (table,) = profile(tmp_path).tables
    column = table.column("rent")
    assert column is not None
    assert (column.kind, column.missing) == ("number", 24)
    assert column.notes == ["24 cells are no numbers ('on request') and count as missing."]
    stars = [str(1 + n % 5) if n % 5 else "open" for n in range(120)]
    frame.assign(rent=stars).to_csv(tmp_path / "a.csv", index=False)
    (table,) = profile(tmp_path).tables
    assert [c.kind for c in table.columns if c.name == "rent"] == ["category"], "few numbers may be names of classes"


def test_ratings_are_asked_about(tmp_path: Path, frame: pd.DataFrame) -> None:
    frame["stars"] = np.resize([1, 2, 3, 4, 5], 120)
    task = understood(tmp_path, frame, "Predict stars")
    (question,) = [q for q in task.questions if q.field == "problem_type"]
    assert question.default in question.options and set(question.options) == {"multiclass", "regression"}


def test_a_target_that_is_not_there(tmp_path: Path, frame: pd.DataFrame) -> None:
    with pytest.raises(UserError) as said:
        understood(tmp_path, frame, "", target="boughtt")
    assert 'Did you mean "bought"?' in said.value.message and '"town"' in said.value.fix
