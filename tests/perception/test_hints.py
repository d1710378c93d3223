"""Hints as people type them: what is read from them, and what is said to need a language model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mlzero.errors import UserError
from mlzero.perception import hints, override
from mlzero.perception.column_marks import mark
from mlzero.perception.profile import Profile
from mlzero.perception.scan import profile
from mlzero.perception.task import Task
from mlzero.perception.understand import infer_task

ROWS = 200


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> tuple[Task, Profile]:
    """A gym that asks which members leave."""
    folder: Path = tmp_path_factory.mktemp("gym")
    dice = np.random.default_rng(0)
    pd.DataFrame({
        "member": range(1000, 1000 + ROWS), "age": dice.integers(16, 80, ROWS), "monthly fee": dice.uniform(9, 60, ROWS).round(2),
        "zip_code": dice.integers(10000, 10030, ROWS), "joined": pd.date_range("2022-01-01", periods=ROWS).astype(str),
        "remark": [f"the trainer wrote remark number {i} about this member" for i in range(ROWS)],
        "branch": dice.choice(["north", "south"], ROWS), "time": dice.uniform(0, 5, ROWS).round(1), "left": dice.choice(["yes", "no"], ROWS),
    }).to_csv(folder / "members.csv", index=False)  # fmt: skip
    found = profile(folder)
    return infer_task(found, folder, "which members will leave?"), found


@pytest.mark.parametrize(
    ("text", "overrides"),
    [
        ("drop age", {"drop": "age"}),
        ("please ignore the column 'age' and branch", {"drop": "age,branch"}),
        ("don't use zip code, it is useless", {"drop": "zip_code"}),
        ("Do not use monthly_fee or remark.", {"drop": "monthly fee,remark"}),
        ("leave out montly fee", {"drop": "monthly fee"}),
        ("remove the column brnach", {"drop": "branch"}),
        ("I think the remark column is mostly noise", {"drop": "remark"}),
        ("joined is only known afterwards", {"drop": "joined"}),
        ("monthly fee isn't useful", {"drop": "monthly fee"}),
        ("drop time", {"drop": "time"}),
        ("drop age, time and branch", {"drop": "age,time,branch"}),
        ("Lass die Spalte age weg", {"drop": "age"}),
        ("Bitte ohne branch trainieren", {"drop": "branch"}),
        ("no uses la columna age", {"drop": "age"}),
        ("n'utilise pas la colonne age", {"drop": "age"}),
        ("不要使用age列", {"drop": "age"}),
        ("删除remark和age", {"drop": "age,remark"}),
        ("don't drop age", {"keep": "age"}),
        ("use the member column too", {"keep": "member"}),
        ("drop age but not branch", {"drop": "age", "keep": "branch"}),
        ("use only age and branch", {"drop": "monthly fee,zip_code,joined,remark,time", "keep": "age,branch"}),
        ("drop everything except age", {"drop": "monthly fee,zip_code,joined,remark,branch,time", "keep": "age"}),
        ("treat zip_code as a category", {"type:zip_code": "category"}),
        ("zip code is a category, not a number", {"type:zip_code": "category"}),
        ("zip_code is not a number", {"type:zip_code": "category"}),
        ("The zip_code column should be text", {"type:zip_code": "text"}),
        ("Behandle zip_code als Kategorie", {"type:zip_code": "category"}),
        ("trata zip_code como categoría", {"type:zip_code": "category"}),
        ("traite zip_code comme catégorie", {"type:zip_code": "category"}),
        ("把zip_code当作类别", {"type:zip_code": "category"}),
        ("joined is a date", {"type:joined": "date"}),
        ("the target is branch", {"target": "branch"}),
        ("predict branch instead", {"target": "branch"}),
        ("predict age as a number, by MAE", {"target": "age", "problem_type": "regression", "metric": "mae"}),
        ("prédis age", {"target": "age"}),
        ("use macro F1", {"metric": "f1_macro"}),
        ("optimise for AUC", {"metric": "roc_auc"}),
        ("judge by log loss, and drop remark", {"metric": "log_loss", "drop": "remark"}),
        ("judged by f1 instead of AUC", {"metric": "f1"}),
        ("bewerte mit ausgewogener Genauigkeit", {"metric": "balanced_accuracy"}),
        ("split by time on joined", {"split": "time:joined"}),
        ("split by branch so that branches are new", {"split": "group:branch"}),
        ("positive class is no", {"positive_label": "no"}),
        ("I want probabilities", {"output": "probability"}),
        ("give me labels, not probabilities", {"output": "label"}),
        ("use age as the id", {"id": "age"}),
    ],
)
def test_corrections(known: tuple[Task, Profile], text: str, overrides: dict[str, str]) -> None:
    found = hints.interpret(text, *known)
    assert {k: sorted(v.split(",")) for k, v in found.overrides.items()} == {
        k: sorted(v.split(",")) for k, v in overrides.items()
    }
    assert not found.needs_model and found.answer.startswith("I will ")


@pytest.mark.parametrize(
    ("text", "wishes"),
    [
        ("use LightGBM only", {"use_models": ["GBM"]}),
        ("try CatBoost and XGBoost", {"use_models": ["CAT", "XGB"]}),
        ("avoid neural networks", {"avoid_models": ["NN_TORCH", "FASTAI"]}),
        ("don't use random forests or kNN", {"avoid_models": ["RF", "KNN"]}),
        (
            "use catboost and lightgbm without neural nets",
            {"use_models": ["GBM", "CAT"], "avoid_models": ["NN_TORCH", "FASTAI"]},
        ),
        ("Nimm CatBoost", {"use_models": ["CAT"]}),
        ("keine neuronalen Netze bitte", {"avoid_models": ["NN_TORCH", "FASTAI"]}),
        ("usa un modelo lineal", {"use_models": ["LR"]}),
        ("请用CatBoost,不要用神经网络", {"use_models": ["CAT"], "avoid_models": ["NN_TORCH", "FASTAI"]}),
        ("the classes are imbalanced", {"balance_classes": True}),
        ("take your time", {"more_time": True}),
        ("mehr Zeit bitte", {"more_time": True}),
        ("train on a sample of 5000 rows", {"sample_rows": 5000}),
        ("use only 10k rows", {"sample_rows": 10_000}),
        ("nutze nur 10.000 Zeilen", {"sample_rows": 10_000}),
        ("half of the rows is enough", {"sample_rows": ROWS // 2}),
        ("只用2万行", {"sample_rows": 20_000}),
    ],
)
def test_wishes(known: tuple[Task, Profile], text: str, wishes: dict[str, object]) -> None:
    found = hints.interpret(text, *known)
    assert found.preferences is not None
    assert found.preferences.model_dump(include=found.preferences.model_fields_set) == wishes


def test_several_wishes_in_one_hint(known: tuple[Task, Profile]) -> None:
    found = hints.interpret("Drop remark, treat zip_code as category, use CatBoost and take your time", *known)
    assert found.overrides == {"drop": "remark", "type:zip_code": "category"}
    assert found.preferences is not None and found.preferences.use_models == ["CAT"] and found.preferences.more_time
    assert (
        found.answer == 'I will leave out "remark", treat "zip_code" as category, use CatBoost and take twice the time.'
    )


@pytest.mark.parametrize(
    "text",
    [
        "make polynomial features of age",
        "add the ratio of monthly fee to age",
        "what is going on?",
        "make it more accurate",
        "do not predict branch",
    ],
)
def test_needs_a_model(known: tuple[Task, Profile], text: str) -> None:
    found = hints.interpret(text, *known)
    assert found.needs_model and "needs a language model" in found.answer
    assert not found.overrides and found.preferences is None


def test_says_what_of_a_hint_was_not_understood(known: tuple[Task, Profile]) -> None:
    found = hints.interpret("Drop remark. Then build clusters of similar members.", *known)
    assert found.overrides == {"drop": "remark"}
    assert "clusters" in found.answer and "needs a language model" in found.answer


def test_names_the_columns_when_one_does_not_exist(known: tuple[Task, Profile]) -> None:
    found = hints.interpret("remove column shoe_size", *known)
    assert 'no column "shoe_size"' in found.answer and '"age"' in found.answer and not found.overrides


def test_a_metric_that_cannot_judge_the_task_is_declined(known: tuple[Task, Profile]) -> None:
    found = hints.interpret("use RMSE", *known)
    assert not found.overrides and "so I keep ROC AUC" in found.answer


def test_earlier_wishes_for_models_stay(known: tuple[Task, Profile]) -> None:
    task, found = known
    task = task.model_copy(update={"preferences": task.preferences.model_copy(update={"avoid_models": ["RF", "CAT"]})})
    first = hints.interpret("avoid kNN", task, found).preferences
    second = hints.interpret("use CatBoost", task, found).preferences
    assert first is not None and first.avoid_models == ["RF", "CAT", "KNN"]
    assert second is not None and second.avoid_models == ["RF"] and second.use_models == ["CAT"]


@pytest.mark.parametrize(
    ("old", "new", "together"),
    [
        ({"drop": "age"}, {"drop": "branch"}, {"drop": "age,branch"}),
        ({"drop": "age,branch"}, {"keep": "age"}, {"drop": "branch", "keep": "age"}),
        ({"keep": "age"}, {"drop": "age"}, {"drop": "age"}),
        ({"metric": "f1", "drop": "age"}, {"target": "age"}, {"target": "age"}),
        (
            {"metric": "f1", "id": "member"},
            {"target": "age", "metric": "mae"},
            {"id": "member", "target": "age", "metric": "mae"},
        ),
    ],
)
def test_later_corrections_join_earlier_ones(
    known: tuple[Task, Profile], old: dict[str, str], new: dict[str, str], together: dict[str, str]
) -> None:
    assert override.merged(old, new, known[1]) == together


def test_joining_refuses_unknown_columns(known: tuple[Task, Profile]) -> None:
    with pytest.raises(UserError, match="shoe"):
        override.merged({}, {"drop": "shoe"}, known[1])


@pytest.mark.parametrize(
    ("text", "names", "marked"),
    [
        ("drop Sale_Price", ["Sale Price", "Sale"], "drop §0§"),
        ("treat date as a date", ["date"], "treat §0§ as a date"),
        ("treat born as a date", ["date", "born"], "treat §0§ as a date"),
        ("drop a, b and c", ["a", "b", "c"], "drop §0§, §1§ and §2§"),
        ("Größe (cm) weglassen", ["Größe (cm)"], "§0§ weglassen"),
        ("忽略面积列", ["面积(m2)"], "忽略§0§列"),
    ],
)
def test_columns_are_marked(text: str, names: list[str], marked: str) -> None:
    assert mark(text, names).text == marked
