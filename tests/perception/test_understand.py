"""Tasks out of invented uploads and goals: what is wanted, of which rows, judged how."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from mlzero.errors import UserError
from mlzero.iterative_coding import metrics
from mlzero.perception.scan import profile
from mlzero.perception.task import Task
from mlzero.perception.understand import infer_task

ROWS = 240


def boats(rows: int = ROWS, seed: int = 0) -> pd.DataFrame:
    """Used boats: three inputs, a price, whether it was sold within a month, a class and two repairs."""
    dice = np.random.default_rng(seed)
    length = dice.uniform(4, 18, rows).round(1)
    age = dice.integers(0, 40, rows)
    hull = dice.choice(["wood", "steel", "plastic"], rows)
    price = (2000 * length - 300 * age + dice.normal(0, 2000, rows)).round(2)
    quick = np.where(price + dice.normal(0, 5000, rows) < np.quantile(price, 0.3), "yes", "no")
    kind = np.select([length < 7, length < 13], ["dinghy", "cruiser"], "yacht")
    return pd.DataFrame({
        "boat_no": [f"B{1000 + seed * 1000 + i}" for i in range(rows)], "length": length, "age": age, "hull": hull,
        "price": price, "quick": quick, "kind": kind,
    })  # fmt: skip


def understand(folder: Path, goal: str, overrides: dict[str, str] | None = None, **files: pd.DataFrame | str) -> Task:
    """The task of an upload; `train_csv=frame` becomes train.csv, `book_xlsx` must be written beforehand."""
    for name, content in files.items():
        stem, _, ending = name.rpartition("_")
        path = folder / f"{stem}.{ending}"
        if isinstance(content, str):
            path.write_text(content, encoding="utf-8")
        else:
            content.to_csv(path, index=False)
    return infer_task(profile(folder), folder, goal, overrides)


@pytest.mark.parametrize(
    ("goal", "target", "problem_type", "metric", "value"),
    [
        ("Predict the price of each boat.", "price", "regression", "mae", "number"),
        ("what should a boat cost?", "price", "regression", "mae", "number"),
        ("Estimate price from length and age, judged on RMSLE", "price", "regression", "rmsle", "number"),
        ("Wie hoch ist der Preis? Mittlerer absoluter Fehler bitte.", "price", "regression", "mae", "number"),
        ("Which kind of boat is it?", "kind", "multiclass", "accuracy", "label"),
        ("Predict kind. All classes equally important.", "kind", "multiclass", "f1_macro", "label"),
        ("Sage kind voraus, ausgewogene Genauigkeit", "kind", "multiclass", "balanced_accuracy", "label"),
        ("predict quick with a probability", "quick", "binary", "roc_auc", "probability"),
        ("predict quick, yes or no, by F1", "quick", "binary", "f1", "label"),
        ("predict quick. AUC", "quick", "binary", "roc_auc", "probability"),
        ("predict quick; log loss counts", "quick", "binary", "log_loss", "probability"),
        ("Predict age. RMSE越小越好", "age", "regression", "rmse", "number"),
    ],
)  # fmt: skip
def test_one_table(tmp_path: Path, goal: str, target: str, problem_type: str, metric: str, value: str) -> None:
    task = understand(tmp_path, goal, boats_csv=boats())
    assert (task.target.value, task.problem_type.value, task.metric.value) == (target, problem_type, metric)
    assert task.output.value.value == value
    assert task.id.value == "boat_no" and task.output.value.columns == ["boat_no", target]
    assert [s.rows for s in task.train] == ["all"] and task.test == []
    assert task.target.evidence.endswith(".") and task.metric.evidence
    assert {f.name for f in task.features} == set(boats().columns) - {target}


def flats(**names: str) -> pd.DataFrame:
    """Flats with a rent and a price; `names` calls columns otherwise."""
    dice = np.random.default_rng(0)
    size = dice.uniform(20, 200, ROWS).round(1)
    return pd.DataFrame({
        "rooms": dice.integers(1, 7, ROWS), "size": size, "price": (3000 * size + dice.normal(0, 9000, ROWS)).round(),
        "rent": (12 * size + dice.normal(0, 99, ROWS)).round(), "town": dice.choice(["a", "b"], ROWS),
    }).rename(columns=names)  # fmt: skip


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(
    ("goal", "target", "names"),
    [
        ("Predict the rent", "rent", {}),
        ("Predict the price", "price", {}),
        ("Predict the rent", "monthly rent", {"rent": "monthly rent", "price": "sale price"}),
        ("Predict the price", "sale price", {"rent": "monthly rent", "price": "sale price"}),
        ("Wie hoch ist die Miete?", "rent", {}),
        ("Wie hoch ist die Miete?", "Kaltmiete", {"rent": "Kaltmiete", "price": "Kaufpreis"}),
    ],
)
def test_of_rent_and_price_the_named_one(
    tmp_path: Path, goal: str, target: str, names: dict[str, str], turned: bool
) -> None:
    table = flats(**names)
    task = understand(tmp_path, goal, flats_csv=table[table.columns[::-1]] if turned else table)
    assert task.target.value == target and task.target.confidence > 0.55
    assert not [q for q in task.questions if q.field == "target"]


@pytest.mark.parametrize(
    ("goal", "names"),
    [
        ("predict what it costs", {}),
        ("predict how expensive it is", {}),
        ("Wie teuer ist eine Wohnung?", {"rent": "Miete", "price": "Preis"}),
        ("Was kostet eine Wohnung?", {"rent": "Miete", "price": "Preis"}),
        ("How much does a flat cost?", {"rent": "monthly rent", "price": "sale price"}),
        ("predict the price", {"rent": "list price", "price": "sale price"}),
    ],
)
def test_of_columns_that_fit_equally_well_one_is_asked_for(tmp_path: Path, goal: str, names: dict[str, str]) -> None:
    task = understand(tmp_path, goal, flats_csv=flats(**names))
    both = {names.get("rent", "rent"), names.get("price", "price")}
    assert {task.target.value, task.target.alternatives[0]} == both and task.target.confidence < 0.7
    (question,) = [q for q in task.questions if q.field == "target"]
    assert set(question.options[:2]) == both


@pytest.mark.parametrize(
    ("target_name", "goal"),
    [
        ("Prix (€)", "Prédire le prix de chaque bateau"),
        ("Precios", "Quiero predecir el precio de cada barco"),
        ("Preis_EUR", "Bitte den Preis schätzen"),
        ("preço", "Prever o preço dos barcos"),
        ("价格(元)", "请预测每条船的价格"),
        ("価格", "船の価格を予測してください"),
        ("AskingPrice", "predict the asking price"),
    ],
)
def test_the_goal_in_any_language(tmp_path: Path, target_name: str, goal: str) -> None:
    table = boats().drop(columns=["quick", "kind"]).rename(columns={"price": target_name})
    task = understand(tmp_path, goal, boats_csv=table[["boat_no", target_name, "length", "age", "hull"]])
    assert (task.target.value, task.problem_type.value) == (target_name, "regression")


def test_separate_files(tmp_path: Path) -> None:
    """The column that the new rows lack is wanted; what else they lack is only known afterwards."""
    old = boats().drop(columns=["price", "kind"]).assign(days_to_sell=lambda t: np.where(t.quick == "yes", 20, 90))
    new = boats(60, seed=1)[["boat_no", "length", "age", "hull"]]
    task = understand(tmp_path, "which boats will be quick sales? give me the chance", past_csv=old, offers_csv=new)
    assert task.target.value == "quick" and task.positive_label.value == "yes"
    assert [s.table for s in task.train] == ["past.csv"] and [s.table for s in task.test] == ["offers.csv"]
    left_out = {f.name: f.drop for f in task.features if f.drop}
    assert set(left_out) == {"boat_no", "days_to_sell"} and "offers.csv" in str(left_out["days_to_sell"])
    assert {r.path: r.role for r in task.files.value} == {"past.csv": "train", "offers.csv": "test"}
    assert task.labels == ["no", "yes"] and task.split.value.kind == "stratified"


@pytest.mark.parametrize("mark", ["?", None])
def test_rows_to_fill_in(tmp_path: Path, mark: str | None) -> None:
    table = boats()
    table["kind"] = table["kind"].astype(object)
    table.loc[::4, "kind"] = mark
    task = understand(
        tmp_path, "Please fill in the missing kind of boat, as csv with boat_no and kind.", boats_csv=table
    )
    assert task.target.value == "kind" and task.labels and "?" not in task.labels
    assert (task.train[0].rows, task.test[0].rows) == ("labelled", "unlabelled")
    assert task.output.value.columns == ["boat_no", "kind"]


def test_sheets_of_one_workbook(tmp_path: Path) -> None:
    with pd.ExcelWriter(tmp_path / "book.xlsx") as book:
        boats()[["boat_no", "length", "age", "price"]].to_excel(book, sheet_name="Verkauft", index=False)
        boats(30, seed=1)[["boat_no", "length", "age"]].to_excel(book, sheet_name="Neu", index=False)
    task = understand(tmp_path, "Was kosten die neuen Boote?")
    assert (task.train[0].table, task.test[0].table) == ("book.xlsx#Verkauft", "book.xlsx#Neu")
    assert (task.target.value, task.metric.value) == ("price", "mae")


def test_sample_submission(tmp_path: Path) -> None:
    old, new = boats().drop(columns=["kind", "quick"]), boats(40, seed=1)
    sample = pd.DataFrame({"boat_no": new.boat_no, "price": 0})
    task = understand(
        tmp_path, "", train_csv=old, test_csv=new.drop(columns=["price", "kind", "quick"]), sample_submission_csv=sample
    )
    assert (task.target.value, task.id.value, task.output.value.sample) == ("price", "boat_no", "sample_submission.csv")
    assert task.output.value.columns == ["boat_no", "price"]


def test_the_document_is_the_goal(tmp_path: Path) -> None:
    text = "Assignment 3\n\nPredict the kind of every boat in test.csv. You are graded on balanced accuracy.\n"
    task = understand(
        tmp_path, "do the assignment", train_csv=boats().drop(columns=["price", "quick"]),
        test_csv=boats(40, seed=1)[["boat_no", "length", "age", "hull"]], assignment_txt=text,
    )  # fmt: skip
    assert (task.target.value, task.metric.value) == ("kind", "balanced_accuracy")
    assert "assignment.txt" in task.metric.evidence
    assert {r.path: r.role for r in task.files.value}["assignment.txt"] == "description"


def test_several_labels(tmp_path: Path) -> None:
    old = boats()[["boat_no", "length", "age"]].assign(
        rust=lambda t: (t.age > 20) * 1, leak=lambda t: (t.length > 9) * 1, rot=lambda t: (t.age > 30) * 1
    )
    new = boats(40, seed=1)[["boat_no", "length", "age"]]
    listed = '<labels><label name="rust"/><label name="leak"/><label name="rot"/></labels>'
    task = understand(tmp_path, "find all damages", train_csv=old, test_csv=new, labels_xml=listed)
    assert task.target.value == ["rust", "leak", "rot"]
    assert (task.problem_type.value, task.metric.value) == ("multilabel", "f1_micro")


def test_several_numbers(tmp_path: Path) -> None:
    task = understand(tmp_path, "predict price and length", boats_csv=boats().drop(columns=["kind", "quick"]))
    assert set(task.targets) == {"price", "length"} and task.problem_type.value == "multitarget"


def test_later_rows_are_kept_back(tmp_path: Path) -> None:
    old = boats()[["boat_no", "length", "price"]].assign(sold_on=pd.date_range("2020-01-01", periods=ROWS).astype(str))
    new = boats(40, seed=1)[["boat_no", "length"]].assign(sold_on=pd.date_range("2021-01-01", periods=40).astype(str))
    task = understand(tmp_path, "predict price", train_csv=old, test_csv=new)
    assert (task.split.value.kind, task.split.value.column) == ("time", "sold_on")


def test_disguised_answers_are_left_out(tmp_path: Path) -> None:
    table = boats().drop(columns="kind").assign(
        quick_code=lambda t: np.where(t.quick == "yes", 7, 3), reason=lambda t: np.where(t.quick == "yes", "cheap", None),
        country="FR", price_pence=lambda t: t.price * 100,
    )  # fmt: skip
    left_out = {f.name: f.drop for f in understand(tmp_path, "predict quick", boats_csv=table).features if f.drop}
    assert {"boat_no", "quick_code", "country", "reason"} == set(left_out)
    assert "FR" in str(left_out["country"]) and "quick" in str(left_out["quick_code"])
    (tmp_path / "two").mkdir()
    left_out = {
        f.name: f.drop for f in understand(tmp_path / "two", "predict price", boats_csv=table).features if f.drop
    }
    assert "price_pence" in left_out and "length" not in left_out


OVERRIDES: list[tuple[dict[str, str], dict[str, Any]]] = [
    ({"target": "kind"}, {"target": "kind", "problem_type": "multiclass", "metric": "accuracy"}),
    ({"target": "KIND"}, {"target": "kind"}),
    ({"metric": "RMSE"}, {"metric": "rmse"}),
    ({"target": "price, length"}, {"target": ["price", "length"], "problem_type": "multitarget"}),
    ({"id": "none"}, {"id": None}),
    ({"target": "quick", "output": "probability"}, {"target": "quick"}),
    ({"target": "quick", "positive_label": "no"}, {"positive_label": "no"}),
    ({"target": "age", "problem_type": "multiclass"}, {"problem_type": "multiclass"}),
]


@pytest.mark.parametrize(("overrides", "expected"), OVERRIDES)
def test_corrections(tmp_path: Path, overrides: dict[str, str], expected: dict[str, Any]) -> None:
    task = understand(tmp_path, "predict the price", overrides, boats_csv=boats())
    assert {key: getattr(task, key).value for key in expected} == expected
    assert set(task.overridden) == set(overrides)
    assert task.metric.value in metrics.names(task.problem_type.value)


def test_a_metric_of_probabilities_that_the_user_sets_asks_for_probabilities(tmp_path: Path) -> None:
    task = understand(tmp_path, "predict quick", {"metric": "log_loss"}, boats_csv=boats())
    assert (task.metric.evidence, task.output.value.value) == ("Set by you.", "probability")
    assert understand(tmp_path, "predict quick").output.value.value == "label"


def test_corrections_of_columns(tmp_path: Path) -> None:
    given = {"drop": "hull, age", "keep": "boat_no", "type:length": "category", "split": "group:hull"}
    task = understand(tmp_path, "predict the price", given, boats_csv=boats())
    plans = {f.name: f for f in task.features}
    assert plans["hull"].drop and plans["age"].drop and not plans["boat_no"].drop
    assert plans["length"].treat_as == "category" and task.split.value.column == "hull"
    task = understand(tmp_path, "predict the price", {"treat": "age=category, hull=text"})
    assert [(f.name, f.treat_as) for f in task.features if f.name in ("age", "hull")] == [
        ("age", "category"),
        ("hull", "text"),
    ]


@pytest.mark.parametrize(
    ("overrides", "says"),
    [
        ({"target": "prise"}, 'Did you mean "price"'),
        ({"target": "flag"}, "same value"),
        ({"target": "blank"}, "No row"),
        ({"metric": "acuracy", "target": "kind"}, "accuracy"),
        ({"metric": "rmse", "target": "kind"}, "cannot judge"),
        ({"problem_type": "regression", "target": "kind"}, "numbers"),
        ({"drop": "lenght"}, 'Did you mean "length"'),
        ({"colour": "x"}, "nothing called"),
        ({"target": "quick", "positive_label": "maybe"}, "no label"),
        ({"drop": "price"}, "cannot be an input"),
        ({"split": "time"}, "needs a column"),
        ({"type:length": "image"}, "cannot be treated as image"),
        ({"problem_type": "text_similarity"}, "no two columns of text"),
    ],
)
def test_corrections_that_do_not_fit(tmp_path: Path, overrides: dict[str, str], says: str) -> None:
    with pytest.raises(UserError, match=says) as caught:
        understand(tmp_path, "predict the price", overrides, boats_csv=boats().assign(flag="a", blank=np.nan))
    assert caught.value.fix


@pytest.mark.parametrize(
    ("files", "says"),
    [({}, "empty"), ({"notes_md": "# Hello\n\nNothing here.\n"}, r"no table with rows, only 1 document\.")],
)
def test_no_table(tmp_path: Path, files: dict[str, str], says: str) -> None:
    with pytest.raises(UserError, match=says):
        understand(tmp_path, "predict", **files)


@pytest.mark.parametrize(
    ("goal", "says"), [("predict flag", 'flag" has the same value'), ("predict blank", 'No row of .* in "blank"')]
)
def test_a_column_asked_for_in_vain_is_not_replaced_by_another(tmp_path: Path, goal: str, says: str) -> None:
    with pytest.raises(UserError, match=says):
        understand(tmp_path, goal, boats_csv=boats().assign(flag="a", blank=np.nan))


def test_labels_too_rare_to_measure_are_told(tmp_path: Path) -> None:
    rare = ["sunk", "sunk", *["afloat"] * (ROWS - 2)]
    with pytest.raises(UserError, match="fewer than two labels"):
        understand(tmp_path, "predict fate", boats_csv=boats().assign(fate=rare))


def test_a_sample_that_asks_for_an_input_does_not_name_the_answer(tmp_path: Path) -> None:
    new = boats(40, seed=1)
    sample = new[["boat_no"]].assign(hull="wood")
    task = understand(
        tmp_path, "", train_csv=boats().drop(columns=["quick", "kind"]),
        test_csv=new.drop(columns=["price", "quick", "kind"]), sample_submission_csv=sample,
    )  # fmt: skip
    assert task.target.value == "price" and task.output.value.columns == ["boat_no", "price"]
    assert any('asks for "hull", which is not what is predicted' in note for note in task.notes)


def test_a_vague_goal_asks(tmp_path: Path) -> None:
    task = understand(tmp_path, "make a model", boats_csv=boats()[["length", "kind", "hull", "age", "price"]])
    assert [q.field for q in task.questions][:1] == ["target"] and task.questions[0].default == task.target.value


def test_rows_without_an_id_are_counted_as_asked(tmp_path: Path) -> None:
    old, new = boats()[["length", "age", "price"]], boats(40, seed=1)[["length", "age"]]
    task = understand(tmp_path, "predict price, a csv with the columns row, price", train_csv=old, test_csv=new)
    assert task.id.value is None and task.output.value.columns == ["row", "price"]


@pytest.mark.parametrize("kind", ["ner", "retrieval", "segmentation", "detection", "image_to_image"])
def test_a_kind_of_answer_that_the_data_does_not_hold(tmp_path: Path, kind: str) -> None:
    (tmp_path / "shop.csv").write_text("size,colour,price\n" + "".join(f"{n},red,{2 * n}\n" for n in range(40)))
    with pytest.raises(UserError, match=f"not recognised as {kind}") as error:
        infer_task(profile(tmp_path), tmp_path, "Predict the price", {"problem_type": kind})
    assert "That needs" in error.value.fix


@pytest.mark.parametrize(
    ("cells", "files"), [("{}", "{}.png"), ("{}", "{:05}.png"), ("{:05}", "{}.png"), ("{}.0", "{:03}.png")]
)
def test_pictures_named_by_numbers(tmp_path: Path, cells: str, files: str) -> None:
    (tmp_path / "pictures").mkdir()
    for i in range(1, 25):
        Image.new("RGB", (8, 8), (i, 9, 9)).save(tmp_path / "pictures" / files.format(i))
    listed = pd.DataFrame({"id": [cells.format(i) for i in range(1, 25)], "animal": ["cat", "dog"] * 12})
    task = understand(tmp_path, "cat or dog?", labels_csv=listed)
    table = profile(tmp_path).tables[0]
    assert task.modality.value == "image" and task.target.value == "animal"
    assert [c.unique for c in table.columns if c.kind == "image"] == [24]
