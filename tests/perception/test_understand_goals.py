"""Goals in many languages over invented tables: what must be understood of each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from mlzero.errors import UserError
from mlzero.perception.scan import profile
from mlzero.perception.task import Task
from mlzero.perception.understand import infer_task

ROWS = 240


def table(schema: str, start: int = 1000, rows: int = ROWS) -> pd.DataFrame:
    """Invented rows.

    A schema such as `no:id; age:18..80; fee:num; plan:S|M|L` names columns and what they hold: numbers that count
    from `start`, whole numbers, numbers with two digits, one of several texts (`N|J@.1`: the last one in a tenth of
    the rows), `money`, `date` and `words`.
    """
    dice = np.random.default_rng(start)
    columns: dict[str, Any] = {}
    for part in schema.split("; "):
        name, _, kind = part.rpartition(":")
        if kind == "id":
            columns[name] = range(start, start + rows)
        elif kind == "num":
            columns[name] = dice.uniform(0, 100, rows).round(2)
        elif kind == "money":
            columns[name] = dice.lognormal(9, 0.5, rows).round(2)
        elif kind == "date":
            columns[name] = pd.date_range("2021-01-01", periods=rows).strftime("%Y-%m-%d")
        elif kind == "words":
            columns[name] = [
                f"here are some longer words about case {start + i} and what it is like" for i in range(rows)
            ]
        elif ".." in kind:
            low, high = map(int, kind.split(".."))
            columns[name] = dice.integers(low, high + 1, rows)
        else:
            texts, _, share = kind.partition("@")
            options = texts.split("|")
            shares = [1 - float(share), float(share)] if share else None
            columns[name] = dice.choice(options, rows, p=shares)
    return pd.DataFrame(columns)


def understand(folder: Path, goal: str, files: dict[str, pd.DataFrame | str]) -> Task:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            path.write_text(content, encoding="utf-8")
        else:
            content.to_csv(path, index=False)
    return infer_task(profile(folder), folder, goal)


def check(task: Task, expected: dict[str, Any]) -> None:
    """Compare what was expected; a set means any of its values."""
    output = task.output.value
    found = {
        "target": task.target.value, "kind": task.problem_type.value, "metric": task.metric.value, "id": task.id.value,
        "value": output.value, "columns": output.columns, "file": output.file_name, "yes": task.positive_label.value,
        "split": task.split.value.kind, "by": task.split.value.column, "test": [(s.table, s.rows) for s in task.test],
        "train": [s.table for s in task.train], "asks": [q.field for q in task.questions],
    }  # fmt: skip
    wrong = {
        key: found[key] for key, value in expected.items()
        if not (found[key] in value if isinstance(value, set) else found[key] == value)
    }  # fmt: skip
    assert not wrong, f"{wrong} instead of {expected}: {task.target.evidence} {task.metric.evidence}"


@pytest.mark.parametrize(
    ("schema", "goal", "expected"),
    [
        # the target in other words than the column has
        ("annonce:id; surface:num; pièces:1..8; quartier:Nord|Sud; prix:money", "Je voudrais estimer le prix d'un appartement à partir de ces annonces", {"target": "prix", "kind": "regression", "metric": "mae", "id": "annonce", "value": "number"}),
        ("placa:id; marca:Seat|Fiat; año:2000..2022; precio_venta:money", "¿Cuánto debería costar un coche usado?", {"target": "precio_venta", "metric": "mae"}),
        ("no:id; 面积:num; 楼层:1..30; 区域:东|西; 单价:money", "想知道一套房子大概值多少钱", {"target": "单价", "metric": "mae"}),
        ("物件番号:id; 面積:num; 築年数:0..50; 家賃:50000..250000", "家賃を予測してください", {"target": "家賃", "kind": "regression", "id": "物件番号"}),
        ("codice:id; superficie:num; zona:a|b; prezzo:money", "stimare il prezzo delle case", {"target": "prezzo", "kind": "regression"}),
        ("acct:id; tenure:1..70; spend:num; Exited:0..1; products:1..5", "Our clients keep quitting. Which ones are next? Give me a score between 0 and 1.", {"target": "Exited", "metric": "roc_auc", "value": "probability", "yes": "1"}),
        ("staff_no:id; age:20..60; OverTime:Yes|No; Attrition:No|Yes@.2; level:1..5", "which employees are going to leave the company", {"target": "Attrition", "yes": "Yes", "id": "staff_no", "value": "label"}),
        ("loan_no:id; amount:num; grade:A|B|C; purpose:car|home; loan_status:Fully Paid|Charged Off@.2", "Which borrowers will not pay back?", {"target": "loan_status", "yes": "Charged Off", "id": "loan_no"}),
        ("trip:id; carrier:AA|UA; distance:num; delay_min:num; weekday:0..6", "how many minutes late will each bus be", {"target": "delay_min", "kind": "regression"}),
        ("person:id; education:BSc|MSc; hours:10..60; income:<=50K|>50K@.25", "Does a person earn more than 50K?", {"target": "income", "yes": ">50K", "id": "person"}),
        ("staff:id; dept:a|b; years:0..40; Salary_USD:money", "how much should we pay someone?", {"target": "Salary_USD", "kind": "regression"}),
        ("uid:id; q1:1..5; q2:1..5; satisfaction:neutral or dissatisfied|satisfied", "is a guest satisfied?", {"target": "satisfaction", "yes": "satisfied"}),
        ("SN:id; temp:num; vibration:num; machine_failure:0|1@.05", "flag the machines about to break", {"target": "machine_failure", "metric": "f1", "value": "label"}),
        ("nr:id; text:words; art:ham|spam@.3", "is a message spam or ham?", {"target": "art", "kind": "binary", "yes": "spam"}),
        # names in another case, number or with a unit, inputs named as well
        ("Energy Consumption (kWh):num; Outdoor Temp:num; Building:a|b; Hour:0..23", "predict energy consumptions from weather and hour", {"target": "Energy Consumption (kWh)", "metric": "rmse", "columns": ["Energy Consumption (kWh)"]}),
        ("flat:id; rooms:1..6; city:x|y; price:money; rent:num", "I want to predict the rent from rooms, city and price", {"target": "rent", "id": "flat"}),
        ("Suburb:a|b|c; Rooms:1..6; Type:h|u|t; Price:money; Method:S|SP; Distance:num", "We list houses of every type in each suburb. Considering rooms, distance and method of sale, we'd like the likely price.", {"target": "Price", "metric": "mae"}),
        ("k:id; A1:num; A2:num; B7:num", 'Target is "A2". Use R2.', {"target": "A2", "metric": "r2"}),
        ("school:GP|MS; studytime:1..4; absences:0..30; G1:0..20; G2:0..20; G3:0..20", "predict the final grade G3", {"target": "G3", "kind": "regression"}),
        ("sex:M|F; length:num; weight:num; rings:1..29", "guess the number of rings", {"target": "rings", "kind": "regression"}),
        ("month:date; a:num; demand:num", "predict demand for the coming months", {"target": "demand", "split": "time", "by": "month"}),
        ("c1:num; c2:num; c3:num; c4:rose|lily|tulip", "classify the flowers", {"target": "c4", "kind": "multiclass", "metric": "accuracy"}),
        ("births:0..10; sugar:num; bmi:num; Outcome:0..1", "make a model", {"target": "Outcome", "kind": "binary"}),
        ("births:0..10; sugar:num; bmi:num; Outcome:0..1", "", {"target": "Outcome", "kind": "binary"}),
        ("a:num; b:num; c:num", "help me with my data", {"asks": ["target"]}),
        # numbers or classes
        ("rid:id; remark:words; helpful:0..50; stars:1..5", "predict how many stars a review gives", {"target": "stars", "kind": {"multiclass", "regression"}}),
        ("acidity:num; sugar:num; alcohol:num; quality:3..8", "How good is a wine? Predict its quality score, we look at the mean absolute error", {"target": "quality", "kind": "regression", "metric": "mae"}),
        ("acidity:num; sugar:num; alcohol:num; quality:3..8", "Predict the quality class; quadratic weighted kappa", {"target": "quality", "kind": "multiclass", "metric": "quadratic_kappa"}),
        ("date:date; temp:num; holiday:0..1; rentals:100..900", "How many bikes are rented on a day? we are measured by mean absolute error", {"target": "rentals", "kind": "regression", "metric": "mae"}),
        # the file that is asked for
        ("nr:id; Alter:18..90; Schaden:money; Art:KFZ|Haus", "Schätze den Schaden; Ergebnis als schaden.csv mit nr und Schaden. Mittlerer absoluter Fehler.", {"target": "Schaden", "metric": "mae", "file": "schaden.csv", "columns": ["nr", "Schaden"]}),
        ("编号:id; x:num; z:num; 重量(kg):num", "预测重量,结果存成csv(编号、重量)", {"target": "重量(kg)", "columns": ["编号", "重量(kg)"]}),
        ("code:id; x:num; z:num; weight:num", "csv with weight and code", {"target": "weight", "columns": ["code", "weight"]}),
        ("x:num; z:num; weight:num", "Predict weight; write columns row and weight", {"target": "weight", "columns": ["row", "weight"], "id": None}),
    ],
)  # fmt: skip
def test_one_table(tmp_path: Path, schema: str, goal: str, expected: dict[str, Any]) -> None:
    check(understand(tmp_path, goal, {"data.csv": table(schema)}), expected | {"test": []})


@pytest.mark.parametrize(
    ("known", "asked", "schema", "hidden", "goal", "expected"),
    [
        ("kunden_2023.csv", "kunden_aktuell.csv", "kundennr:id; alter:18..80; tarif:S|M|L; umsatz:num; gekündigt:nein|ja@.3", "gekündigt", "Welche unserer Kunden werden kündigen? Bitte eine Wahrscheinlichkeit je Kunde.", {"target": "gekündigt", "metric": "roc_auc", "id": "kundennr", "value": "probability", "yes": "ja"}),
        ("训练集.csv", "测试集.csv", "客户编号:id; 年龄:18..70; 余额:num; 职业:教师|工人; 是否流失:否|是@.2", "是否流失", "请预测测试集中每位客户流失的概率,评价指标是AUC。", {"target": "是否流失", "metric": "roc_auc", "id": "客户编号", "value": "probability", "yes": "是"}),
        ("historico.csv", "novos.csv", "id:id; renda:num; idade:18..70; inadimplente:não|sim@.25", "inadimplente", "Quero saber quais clientes novos vão ficar inadimplentes. Use F1.", {"target": "inadimplente", "metric": "f1", "id": "id", "value": "label", "yes": "sim"}),
        ("alt.csv", "neu.csv", "Vorgang:id; Betrag:money; Land:DE|AT|CH; Betrug:N|J@.1", "Betrug", "Welche neuen Vorgänge sind Betrug?", {"target": "Betrug", "id": "Vorgang", "yes": "J"}),
        ("members_train.csv", "members_holdout.csv", "target_5yrs:0..1; games:num; points:num", "target_5yrs", "fill in members_holdout.csv", {"target": "target_5yrs"}),
        ("tr.csv", "te.csv", "rid:id; a:num; b:num; c:p|q; y_val:num", "y_val", "predict y_val for te.csv", {"target": "y_val", "id": "rid"}),
        ("data/train/part.csv", "data/test/part.csv", "rid:id; a:num; b:num; y_val:num", "y_val", "predict", {"target": "y_val", "id": "rid"}),
        ("a_labeled.csv", "b_unlabeled.csv", "tx:id; amount:num; shop:a|b; fraud:0|1@.1", "fraud", "Classify the unlabeled transactions. Judge by average precision.", {"target": "fraud", "metric": "average_precision", "value": "probability"}),
        ("train.csv", "new.csv", "sample:id; x1:num; x2:num; tensile:num; hardness:num", "tensile hardness", "Predict tensile and hardness for the samples in new.csv", {"target": ["tensile", "hardness"], "kind": "multitarget", "columns": ["sample", "tensile", "hardness"]}),
        ("train.csv", "new.csv", "sample:id; x1:num; x2:num; wear:num; wear_error:num", "wear wear_error", "Predict the wear of each sample", {"target": "wear", "kind": "regression"}),
        ("films_train.csv", "films_test.csv", "film:id; length:num; drama:0..1; comedy:0..1; horror:0..1", "drama comedy horror", "Which genres does each film have?", {"target": ["drama", "comedy", "horror"], "kind": "multilabel", "metric": "f1_micro", "value": "label"}),
        ("train.csv", "test.csv", "k:id; v:num; w:a|b; clicked:0..1", "clicked", "Predict click probability; log loss is what counts", {"target": "clicked", "metric": "log_loss", "value": "probability"}),
        ("saetze_training.csv", "saetze_test.csv", "Zeilennummer:id; Satz:words; grobe Art:FROH|TRAURIG; feine Art:a|b|c|d", "grobe_Art feine_Art", "Welche Sätze sind FROH, welche TRAURIG? CSV mit den Spalten nr und art.", {"target": "grobe Art", "columns": ["nr", "art"], "id": "Zeilennummer"}),
    ],
)  # fmt: skip
def test_rows_to_predict_in_a_file_of_their_own(
    tmp_path: Path, known: str, asked: str, schema: str, hidden: str, goal: str, expected: dict[str, Any]
) -> None:
    rows = table(schema, start=5000).drop(
        columns=[name.replace("_", " ") if name.replace("_", " ") in schema else name for name in hidden.split()]
    )
    task = understand(tmp_path, goal, {known: table(schema), asked: rows})
    check(task, expected | {"test": [(asked, "all")], "train": [known]})


SCORED = "k:id; v:num; w:a|b|c; hit:0|1@.3"
SORTED = "k:id; v:num; w:a|b|c; kind:x|y|z"
WEIGHED = "k:id; v:num; w:a|b|c; mass:num"


@pytest.mark.parametrize(
    ("schema", "goal", "metric", "value"),
    [
        (SORTED, "predict kind; every class is as important as the others", {"f1_macro", "balanced_accuracy"}, "label"),
        (SORTED, "predict kind, share of correct answers", {"accuracy"}, "label"),
        (SORTED, "Sage kind voraus, alle Klassen zählen gleich viel", {"f1_macro", "balanced_accuracy"}, "label"),
        (SORTED, "prédire kind, toutes les classes comptent autant", {"f1_macro", "balanced_accuracy"}, "label"),
        (SORTED, "预测kind,各类别同等重要", {"f1_macro", "balanced_accuracy"}, "label"),
        (SORTED, "predict kind (weighted F1)", {"f1_weighted"}, "label"),
        (SORTED, "Predecir kind con F1-macro", {"f1_macro"}, "label"),
        (SORTED, "prever kind, acurácia", {"accuracy"}, "label"),
        (SORTED, "predict kind. cohen's kappa", {"quadratic_kappa"}, "label"),
        (SORTED, "predict kind; MCC", {"mcc"}, "label"),
        (SORTED, "give accurate predictions of kind; every kind alike", {"accuracy", "f1_macro"}, "label"),
        (SCORED, "predict hit, accuracy please", {"accuracy"}, "label"),
        (SCORED, "how likely is a hit?", {"roc_auc"}, "probability"),
        (SCORED, "probability of hit; Brier score", {"brier"}, "probability"),
        (SCORED, "predict hit, we want both groups recognised equally well", {"balanced_accuracy"}, "label"),
        (SCORED, "predict hit, Gini", {"roc_auc"}, "probability"),
        (SCORED, "Prédis hit, AUC", {"roc_auc"}, "probability"),
        (SCORED, "we must not miss any hit: recall", {"recall"}, "label"),
        (WEIGHED, "predict mass as accurately as possible", {"rmse"}, "number"),
        (WEIGHED, "prever mass com a maior precisão", {"rmse"}, "number"),
        (WEIGHED, "predict mass, RMSE越小越好", {"rmse"}, "number"),
        (WEIGHED, "predict mass with mean absolute percentage error", {"mape"}, "number"),
        (WEIGHED, "predict mass; average deviation should be small", {"mae"}, "number"),
        (WEIGHED, "mass vorhersagen, mittlere absolute Abweichung", {"mae"}, "number"),
        (WEIGHED, "mass vorhersagen, mittlerer quadratischer Fehler", {"rmse", "mse"}, "number"),
        (WEIGHED, "prédire mass, erreur absolue moyenne", {"mae"}, "number"),
        (WEIGHED, "predecir mass, error cuadrático medio", {"rmse", "mse"}, "number"),
        (WEIGHED, "用平均绝对误差评价,预测mass", {"mae"}, "number"),
        (WEIGHED, "massを予測。平均絶対誤差で評価", {"mae"}, "number"),
        (WEIGHED, "predict mass; total absolute error relative to the total", {"wape"}, "number"),
        (WEIGHED, "predict mass; ranking matters: Spearman", {"spearman"}, "number"),
    ],
)
def test_how_it_is_judged(tmp_path: Path, schema: str, goal: str, metric: set[str], value: str) -> None:
    check(
        understand(tmp_path, goal, {"data.csv": table(schema)}),
        {"target": schema.split("; ")[-1].split(":")[0], "metric": metric, "value": value},
    )


@pytest.mark.parametrize(
    ("shown", "value"),
    [([0.5] * ROWS, "probability"), ([0] * ROWS, "label"), (list(np.linspace(0, 1, ROWS)), "probability")],
)
def test_the_sample_shows_labels_or_probabilities(tmp_path: Path, shown: list[float], value: str) -> None:
    schema = "Id:id; f1:num; f2:num; f3:a|b; flag:0..1"
    rows = table(schema, start=5000).drop(columns="flag")
    sample = pd.DataFrame({"Id": rows["Id"], "flag": shown})
    task = understand(
        tmp_path, "do the competition", {"train.csv": table(schema), "test.csv": rows, "sample_submission.csv": sample}
    )
    check(task, {"target": "flag", "value": value, "columns": ["Id", "flag"], "id": "Id"})
    assert task.output.value.sample == "sample_submission.csv"


def test_the_assignment_may_be_a_document(tmp_path: Path) -> None:
    schema = "uid:id; a:num; b:u|v; c:num; sev:0..3"
    text = "# Task\nPredict sev (severity, 0 none .. 3 grave) for each row in test.csv.\nSubmissions are evaluated with quadratic weighted kappa.\n"
    files = {"train.csv": table(schema), "test.csv": table(schema, 5000).drop(columns="sev"), "README.md": text}
    check(
        understand(tmp_path, "see the readme", files),
        {"target": "sev", "kind": "multiclass", "metric": "quadratic_kappa", "id": "uid"},
    )


def test_a_sheet_of_history_and_a_sheet_to_predict(tmp_path: Path) -> None:
    schema = "Fall:id; Betrag:money; Land:DE|AT; Ausgang:gut|schlecht"
    with pd.ExcelWriter(tmp_path / "book.xlsx") as book:
        table(schema).to_excel(book, sheet_name="Bisher", index=False)
        table(schema, 5000).drop(columns="Ausgang").to_excel(book, sheet_name="Neu", index=False)
        pd.DataFrame({"Spalte": ["Betrag", "Land"], "Bedeutung": ["in Euro", "des Kunden"]}).to_excel(
            book, sheet_name="Legende", index=False
        )
    task = infer_task(profile(tmp_path), tmp_path, "Sage den Ausgang der neuen Fälle voraus")
    check(task, {"target": "Ausgang", "train": ["book.xlsx#Bisher"], "test": [("book.xlsx#Neu", "all")], "id": "Fall"})


@pytest.mark.parametrize("mark", ["?", ""])
def test_rows_without_an_answer_are_predicted(tmp_path: Path, mark: str) -> None:
    rows = table("nr:id; length:num; width:num; sort:Kama|Rosa|Canadian")
    rows.loc[:39, "sort"] = mark
    task = understand(tmp_path, f"Fill in the rows where sort is {mark or 'blank'!r}", {"seeds.csv": rows})
    check(task, {"target": "sort", "test": [("seeds.csv", "unlabelled")], "id": "nr"})
    assert task.train[0].rows == "labelled" and set(task.labels) == {"Kama", "Rosa", "Canadian"}


def test_later_rows_are_held_back_when_later_rows_are_asked_for(tmp_path: Path) -> None:
    past = table("row:id; year:2010..2019; acres:num; yield_t:num")
    coming = table("row:id; year:2020..2020; acres:num", 5000)
    task = understand(tmp_path, "estimate the yield", {"past.csv": past, "upcoming.csv": coming})
    check(task, {"target": "yield_t", "split": "time", "by": "year", "id": "row"})


@pytest.mark.parametrize(("first", "split"), [(500, "group"), (100, "stratified")])
def test_new_groups_are_held_back_when_new_groups_are_asked_for(tmp_path: Path, first: int, split: str) -> None:
    schema = "pulse:50..120; pressure:90..180; relapse:0..1"
    known = table(schema).assign(patient_id=np.repeat(np.arange(100, 100 + ROWS // 5), 5))
    asked = (
        table(schema, 5000).assign(patient_id=np.repeat(np.arange(first, first + ROWS // 5), 5)).drop(columns="relapse")
    )
    check(
        understand(tmp_path, "predict relapse", {"train.csv": known, "test.csv": asked}),
        {"target": "relapse", "split": split},
    )


@pytest.mark.parametrize("column", ["left_reason", "left_score", "left_day", "gone"])
def test_what_is_only_known_afterwards_is_left_out(tmp_path: Path, column: str) -> None:
    rows = table("client:id; usage:num; plan:a|b; left:0|1@.4", rows=400)
    gone = rows["left"] == "1"
    dice = np.random.default_rng(1)
    rows[column] = {
        "left_reason": np.where(gone, dice.choice(["price", "moved"], len(rows)), ""),
        "left_score": np.where(gone, dice.integers(70, 100, len(rows)), dice.integers(0, 60, len(rows))),
        "left_day": np.where(gone, dice.integers(1, 28, len(rows)).astype(str), ""),
        "gone": np.where(gone, "yes", "no"),
    }[column]
    task = understand(tmp_path, "predict left", {"clients.csv": rows})
    check(task, {"target": "left", "test": []})
    assert {f.name for f in task.features if f.drop} == {"client", column}
    assert any(column in note for note in task.notes)


def test_two_columns_for_one_quantity_are_kept(tmp_path: Path) -> None:
    rows = table("item:id; miles:num; price:money").assign(miles_2=lambda d: d["miles"].where(d.index % 2 == 0))
    task = understand(tmp_path, "predict price", {"items.csv": rows})
    assert {f.name for f in task.used_features} == {"miles", "miles_2"}


def test_the_same_amount_in_another_currency_is_left_out(tmp_path: Path) -> None:
    rows = table("item:id; width:num; height:num; price_eur:money").assign(
        price_usd=lambda d: (d["price_eur"] * 1.1).round(2)
    )
    task = understand(tmp_path, "predict price_eur", {"items.csv": rows})
    assert [f.name for f in task.features if f.drop] == ["item", "price_usd"]


def test_rows_that_stand_twice_do_not_hide_the_id(tmp_path: Path) -> None:
    rows = table("rid:id; a:num; b:num; y_val:num")
    task = understand(tmp_path, "predict y_val", {"data.csv": pd.concat([rows, rows[:30]])})
    check(task, {"target": "y_val", "id": "rid"})
    assert task.drop_duplicates


def test_answers_that_nothing_ties_to_their_rows_are_named(tmp_path: Path) -> None:
    rows = table("a:num; b:num; y_val:num")
    files = {"measured.csv": rows.drop(columns="y_val"), "weights.csv": rows[["y_val"]]}
    with pytest.raises(UserError, match=r"y_val.*weights.csv"):
        understand(tmp_path, "predict y_val", files)


def test_tables_of_another_kind_are_told(tmp_path: Path) -> None:
    shops = pd.DataFrame({"shop": range(1, 6), "size": [10, 20, 30, 40, 50], "region": list("NSEWN")})
    task = understand(
        tmp_path,
        "predict whether an order is returned",
        {"orders.csv": table("order_id:id; shop:1..5; pieces:1..9; returned:no|yes"), "shops.csv": shops},
    )
    check(task, {"target": "returned", "yes": "yes"})
    assert {f.path: f.role for f in task.files.value}["shops.csv"] == "lookup"
    assert any("shops.csv" in note for note in task.notes)


@pytest.mark.parametrize(
    "goal",
    [
        "Which customers will leave?",
        "Will a customer churn?",
        "Welche Kunden kündigen?",
        "Quels clients vont résilier ?",
    ],
)
def test_what_is_asked_of_customers_stands_with_the_customers_not_with_their_orders(tmp_path: Path, goal: str) -> None:
    customers = table("customer_id:id; age:18..80; left:0|1", rows=120)
    orders = table("order_id:id; amount:num; date:date", rows=600).assign(
        customer_id=np.resize(customers["customer_id"], 600)
    )
    task = understand(tmp_path, goal, {"customers.csv": customers, "orders.csv": orders})
    assert (task.target.value, task.train[0].table) == ("left", "customers.csv")
    assert task.target.confidence >= 0.75 and not task.questions


@pytest.mark.parametrize(
    ("goal", "target"),
    [
        ("Predict y for new patients", "y"),
        ("Predict x.", "x"),
        ("Predict a value well. The target is the column x", "x"),
        ("Predice y con los datos de los pacientes", "y"),
    ],
)
def test_names_of_one_letter(tmp_path: Path, goal: str, target: str) -> None:
    frame = table("visit:1..8; x:num; y:0|1").assign(patient=np.repeat(range(ROWS // 8), 8), a=np.arange(ROWS) % 5)
    assert understand(tmp_path, goal, {"a.csv": frame[["patient", "a", "visit", "x", "y"]]}).target.value == target


def test_a_column_that_only_looks_like_the_answer_is_asked_about(tmp_path: Path) -> None:
    task = understand(tmp_path, "Make a good model", {"a.csv": table("age:18..80; fee:num; away:N|J")})
    assert task.target.value == "away"
    assert [question.field for question in task.questions] == ["target"]
    assert task.questions[0].default == "away"


@pytest.mark.parametrize(
    ("goal", "targets"),
    [
        ("Which of red and green hold?", ["red", "green"]),
        ("for each of red, green and blue say yes or no", ["red", "green", "blue"]),
        ("Welche von red und green treffen zu?", ["red", "green"]),
        ("Sag für jede von red, green und blue ja oder nein", ["red", "green", "blue"]),
        ("¿Cuáles de red y green se cumplen?", ["red", "green"]),
        ("Para cada uno de red, green y blue di sí o no", ["red", "green", "blue"]),
        ("Lesquels de red et green s'appliquent ?", ["red", "green"]),
        ("Pour chacun de red, green et blue dis oui ou non", ["red", "green", "blue"]),
        ("Quais de red e green valem?", ["red", "green"]),
        ("Para cada um de red, green e blue diga sim ou não", ["red", "green", "blue"]),
        ("red和green哪些成立？", ["red", "green"]),
        ("预测red和green", ["red", "green"]),
        ("redとgreenのどれが当てはまりますか", ["red", "green"]),
        ("redとgreenを予測してください", ["red", "green"]),
        ("Estimate w and h", ["w", "h"]),
        ("Schätze w und h aus red, green und blue", ["w", "h"]),
        ("Predict blue from red and green", "blue"),
        ("Is blue likely, given red and green?", "blue"),
        ("Say for each row whether blue holds", "blue"),
        ("预测blue", "blue"),
    ],
)
def test_several_columns_wanted_together(tmp_path: Path, goal: str, targets: str | list[str]) -> None:
    dice = np.random.default_rng(0)
    w, h = dice.normal(size=(2, 120)).round(2)
    frame = pd.DataFrame({"id": range(120), "w": w, "h": h, "red": w > 0, "green": h > 0, "blue": w + h > 0})
    frame.astype({"red": int, "green": int, "blue": int}).to_csv(tmp_path / "a.csv", index=False)
    task = infer_task(profile(tmp_path), tmp_path, goal)
    assert task.target.value == targets
    several = {"w": "multitarget", "red": "multilabel"}
    assert task.problem_type.value == ("binary" if targets == "blue" else several[targets[0]])


def test_a_long_list_of_labels_is_wanted_to_its_end(tmp_path: Path) -> None:
    names = ["toxic", "severely_toxic", "obscene_words", "threatening", "insulting", "hating_identities"]
    dice = np.random.default_rng(0)
    frame = pd.DataFrame(dice.integers(0, 2, (120, 6)), columns=names).assign(length=dice.normal(size=120))
    frame.to_csv(tmp_path / "a.csv", index=False)
    task = infer_task(profile(tmp_path), tmp_path, f"predict {', '.join(names[:-1])} and {names[-1]}")
    assert task.target.value == names


def people(rows: int = 120) -> pd.DataFrame:
    dice = np.random.default_rng(1)
    return pd.DataFrame({
        "Name": [f"Pupil {i}" for i in range(rows)], "tenure_y": dice.integers(0, 20, rows),
        "hours": dice.normal(40, 4, rows).round(1), "left_company": dice.choice(["Y", "N"], rows, p=[0.3, 0.7]),
    })  # fmt: skip


def test_people_are_named_by_their_name(tmp_path: Path) -> None:
    people().to_csv(tmp_path / "a.csv", index=False)
    assert infer_task(profile(tmp_path), tmp_path, "predict hours").id.value == "Name"


@pytest.mark.parametrize("goal", ["Who is going to resign?", "Qui va démissionner ?", "谁会离职？"])
def test_a_letter_at_the_end_of_a_name_is_no_y(tmp_path: Path, goal: str) -> None:
    people().to_csv(tmp_path / "a.csv", index=False)
    assert infer_task(profile(tmp_path), tmp_path, goal).target.value == "left_company"


def test_labels_of_two_chinese_letters_are_recognised_in_a_goal(tmp_path: Path) -> None:
    dice = np.random.default_rng(1)
    frame = pd.DataFrame(
        {"製品": [f"A{i}" for i in range(90)], "温度": dice.normal(size=90), "判定": ["不良", "良品", "良品"] * 30}
    )
    frame.insert(1, "ライン", dice.choice(["一", "二"], 90))
    frame.to_csv(tmp_path / "a.csv", index=False)
    task = infer_task(profile(tmp_path), tmp_path, "どの製品が不良になるか予測してください")
    assert (task.target.value, task.questions) == ("判定", [])


def test_how_long_a_name_says_does_not_hide_what_it_is(tmp_path: Path) -> None:
    dice = np.random.default_rng(1)
    people = pd.DataFrame(
        {"patient_id": range(90), "age": dice.integers(20, 90, 90), "readmitted_30d": dice.integers(0, 2, 90)}
    )
    people.to_csv(tmp_path / "patients.csv", index=False)
    tests = pd.DataFrame(
        {
            "patient_id": dice.integers(0, 90, 600),
            "test": dice.choice(["Hb", "Na"], 600),
            "value": dice.normal(size=600),
        }
    )
    tests.to_csv(tmp_path / "lab_results.csv", index=False)
    task = infer_task(profile(tmp_path), tmp_path, "Will the patient be readmitted within 30 days?")
    assert task.target.value == "readmitted_30d" and [plan.table for plan in task.joins] == ["lab_results.csv"]


def test_a_text_is_no_name_of_its_row(tmp_path: Path) -> None:
    texts = [f"このホテルは{'最悪' if i % 2 else '最高'}でした。部屋番号{i}は静かでした。" for i in range(120)]
    pd.DataFrame({"口コミ": texts, "点数": [f"{i % 5 + 1}点" for i in range(120)]}).to_csv(
        tmp_path / "a.csv", index=False
    )
    task = infer_task(profile(tmp_path), tmp_path, "口コミから点数を予測")
    assert task.id.value is None and sorted(task.labels) == ["1点", "2点", "3点", "4点", "5点"]


@pytest.mark.parametrize(("name", "metric"), [("Basket (€)", "mae"), ("Basket (kg)", "rmse")])
def test_a_currency_beside_the_name_is_money(tmp_path: Path, name: str, metric: str) -> None:
    people().rename(columns={"hours": name}).to_csv(tmp_path / "a.csv", index=False)
    assert infer_task(profile(tmp_path), tmp_path, "predict the basket").metric.value == metric


def test_columns_that_cannot_be_predicted_together_are_a_question(tmp_path: Path) -> None:
    dice = np.random.default_rng(0)
    rows = pd.DataFrame({name: dice.random(80) for name in ("arm", "height", "weight")})
    rows.assign(sex=dice.choice(["m", "f"], 80)).to_csv(tmp_path / "people.csv", index=False)
    found = profile(tmp_path)
    (question,) = infer_task(found, tmp_path, "predict height, weight and sex").questions
    assert question.field == "target" and question.options == ["height", "weight", "sex"]
    assert infer_task(found, tmp_path, "predict height, not weight").target.value == "height"
