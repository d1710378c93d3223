"""Folders as competitions lay them out: what is learnt from, what is asked for, how rows are named in the answer."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from mlzero.perception import joined_ids
from mlzero.perception.kinds.file_names import name_pattern
from mlzero.perception.profile import Profile
from mlzero.perception.rereading import settled
from mlzero.perception.scan import profile
from mlzero.perception.tables import load_table
from mlzero.perception.task import JoinedId, Task
from mlzero.perception.understand import infer_task
from mlzero.predictor.sample import sample_rows, with_files
from mlzero.predictor.standalone.answers import format_predictions, joined, write_predictions
from mlzero.semantic_memory.blocks.files import read_new_files
from mlzero.semantic_memory.blocks.series_files import read_tsf

DICE = np.random.default_rng(0)
SHADES = ("healthy", "rust", "scab")


def understood(folder: Path, goal: str) -> tuple[Profile, Task]:
    found = settled(profile(folder), folder, goal, {})
    return found, infer_task(found, folder, goal)


def picture(path: Path, shade: int = 0) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    values = DICE.integers(0, 90, (12, 12, 3)) + np.eye(3)[shade % 3] * 120
    Image.fromarray(values.astype("uint8")).save(path)


def csv(path: Path, **columns: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pd.DataFrame(columns).to_csv(path, index=False)


def sources(rows: list) -> list[str]:
    return [source.table for source in rows]


def test_a_sample_that_repeats_the_rows_is_no_training_data(tmp_path: Path) -> None:
    def comments(count: int) -> list[str]:
        return [f"you are {'stupid' if n % 2 else 'fine'} number {n} of many" for n in range(count)]

    csv(tmp_path / "train.csv", Insult=[n % 2 for n in range(60)], Date="20120618", Comment=comments(60))
    csv(tmp_path / "test.csv", Date="20120620", Comment=comments(20))
    csv(tmp_path / "sample_submission_null.csv", Insult=0, Date="20120620", Comment=comments(20))
    _, task = understood(tmp_path, "Tell insults from other comments")
    assert sources(task.train) == ["train.csv"] and sources(task.test) == ["test.csv"]
    assert task.targets == ["Insult"] and task.output.value.columns == ["Insult", "Date", "Comment"]
    assert task.id.value is None and "Comment" in {feature.name for feature in task.used_features}


def test_a_table_of_names_of_pictures_holds_the_rows_to_predict(tmp_path: Path) -> None:
    shades = DICE.integers(0, 3, 40)
    for n in range(50):
        picture(tmp_path / f"images/{'Train' if n < 40 else 'Test'}_{n}.jpg", int(shades[n % 40]))
    labels = {name: (shades == place).astype(int) for place, name in enumerate(SHADES)}
    csv(tmp_path / "train.csv", image_id=[f"Train_{n}" for n in range(40)], **labels)
    csv(tmp_path / "test.csv", image_id=[f"Test_{n}" for n in range(40, 50)])
    csv(tmp_path / "sample_submission.csv", image_id=[f"Test_{n}" for n in range(40, 50)], **dict.fromkeys(SHADES, 0.3))
    _, task = understood(tmp_path, "Which disease has each leaf?")
    assert (task.problem_type.value, sources(task.test)) == ("multilabel", ["test.csv"])
    assert task.targets == list(SHADES)


def test_the_sample_tells_which_table_is_learnt_from(tmp_path: Path) -> None:
    names = [f"1.2.826.{n}" for n in range(60)]
    for n, name in enumerate(names):
        picture(tmp_path / ("train" if n < 45 else "test") / f"{name}.jpg", n % 3)
    labels = {f"{tube} - {state}": DICE.integers(0, 2, 45) for tube in ("ETT", "NGT") for state in ("Normal", "Odd")}
    csv(tmp_path / "train.csv", StudyID=names[:45], **labels)
    csv(tmp_path / "train_annotations.csv", StudyID=names[:9], label="ETT - Odd", data="[[1, 2], [3, 4]]")
    csv(tmp_path / "sample_submission.csv", StudyID=names[45:], **dict.fromkeys(labels, 0))
    _, task = understood(tmp_path, "Predict all the position labels for the test X-rays")
    assert sources(task.train) == ["train.csv"] and task.targets == list(labels)


def test_a_column_for_every_class_asks_for_probabilities(tmp_path: Path) -> None:
    authors = ["EAP", "HPL", "MWS"] * 30
    csv(tmp_path / "train.csv", id=range(90), text=[f"the {a} wrote {n} words" for n, a in enumerate(authors)], author=authors)  # fmt: skip
    csv(tmp_path / "test.csv", id=range(90, 99), text=[f"the tale of {n} words" for n in range(9)])
    csv(tmp_path / "sample_submission.csv", id=range(90, 99), EAP=0.4, HPL=0.3, MWS=0.3)
    _, task = understood(tmp_path, "Who wrote the stories?")
    assert (task.metric.value, task.output.value.value) == ("log_loss", "probability")
    assert understood(tmp_path, "Who wrote the stories? Judged by accuracy")[1].metric.value == "accuracy"


@pytest.mark.parametrize("labelled", [True, False])
def test_lists_of_pictures_with_and_without_labels(tmp_path: Path, labelled: bool) -> None:
    lines = [f"img{'abc'[n % 3]}/d{n}/{n:05}.tif" for n in range(60)]
    for n, line in enumerate(lines):
        picture(tmp_path / "images" / line, n % 4)
    (tmp_path / "labels").mkdir()
    (tmp_path / "labels/train.txt").write_text("".join(f"{line} {n % 4}\n" for n, line in enumerate(lines[:45])))
    told = [f"{line} {n % 4}" if labelled else line for n, line in enumerate(lines[45:])]
    (tmp_path / "labels/test.txt").write_text("\n".join(told))
    _, task = understood(tmp_path, "Classify the documents of test.txt")
    assert (task.targets, sources(task.train), sources(task.test)) == (["label"], ["labels/train.txt"], ["labels/test.txt"])  # fmt: skip
    assert [feature.treat_as for feature in task.used_features] == ["image"]
    assert (task.id.value, task.output.value.columns) == ("file", ["file", "label"])


def test_a_list_of_pictures_of_which_some_have_no_label(tmp_path: Path) -> None:
    for n in range(24):
        picture(tmp_path / f"images/{n}.png", n % 2)
    told = [f"images/{n}.png {n % 2 if n < 20 else ''}".strip() for n in range(24)]
    (tmp_path / "all.txt").write_text("\n".join(told))
    _, task = understood(tmp_path, "Classify the pictures")
    assert (task.targets, sources(task.train), sources(task.test)) == (["label"], ["all.txt"], ["all.txt"])


def test_a_list_of_pictures_by_itself_stays_a_text(tmp_path: Path) -> None:
    for n in range(8):
        picture(tmp_path / f"images/{n}.png")
    (tmp_path / "order.txt").write_text("".join(f"images/{n}.png\n" for n in range(8)))
    assert "order.txt" not in [table.path for table in profile(tmp_path).tables]


def test_several_numbered_pictures_of_one_row(tmp_path: Path) -> None:
    names = [f"{n:02}f{n % 7}a" for n in range(40)]
    for n, name in enumerate(names):
        for number in range(1, 2 + n % 3):
            picture(tmp_path / f"{'train' if n < 30 else 'test'}_images/{name}-{number}.jpg", n % 3)
    csv(tmp_path / "train.csv", PetID=names[:30], Age=DICE.integers(1, 90, 30), Speed=[n % 3 for n in range(30)])
    csv(tmp_path / "test.csv", PetID=names[30:], Age=DICE.integers(1, 90, 10))
    found, task = understood(tmp_path, "Predict Speed")
    assert ("PetID picture", "image") in [(feature.name, feature.treat_as) for feature in task.used_features]
    train = found.table("train.csv")
    assert train is not None and "the first is used" in " ".join(train.notes)
    shown = load_table(tmp_path, train)
    assert len(shown) == 30 and [table.key for table in found.tables] == ["test.csv", "train.csv"]


def test_days_in_names_of_recordings_are_no_classes() -> None:
    stems = [f"200903{28 + n % 3}_000000_{n:03}s3ms_TRAIN{n}_{n % 2}" for n in range(40)]
    pattern = name_pattern(stems, [])
    assert [re.search(pattern, stem)["label"] for stem in stems] == ["0", "1"] * 20  # type: ignore[index]


def test_series_of_the_monash_repository(tmp_path: Path) -> None:
    head = "# Cash\n@relation cash\n@attribute series_name string\n@attribute start_timestamp date\n@frequency daily\n@horizon 14\n@data\n"
    lines = [f"T{k}:1996-03-18 00-00-00:" + ",".join("?" if n == 5 else f"{10 + k + n % 7}" for n in range(90)) for k in range(4)]  # fmt: skip
    (tmp_path / "cash.tsf").write_text(head + "\n".join(lines) + "\n")
    found, task = understood(tmp_path, "Forecast the next 14 days")
    assert task.series is not None and task.test == []  # a gap in the history is not to predict
    assert (task.series.series, task.series.frequency, task.series.horizon) == (4, "D", 14)
    rows = load_table(tmp_path, found.tables[0])
    assert len(rows) == 360 and rows["value"].isna().sum() == 4
    assert str(rows["timestamp"].iloc[1]).startswith("1996-03-19")


TSF = "@relation r\n@attribute series_name string\n@attribute start_timestamp date\n@frequency {step}\n@data\n"
WHOLE = "T1:1996-03-18 00-00-00:1,2,3\n"


@pytest.mark.parametrize("end", ["T2", "T2:1996-03-", "T2:1996-03-18 00-00-00", "  # the end"])
def test_a_file_of_series_that_was_cut(tmp_path: Path, end: str) -> None:
    (tmp_path / "cut.tsf").write_text(TSF.format(step="daily") + WHOLE + end)
    rows = read_tsf(tmp_path / "cut.tsf")
    assert rows["series_name"].tolist() == ["T1"] * 3


def test_a_header_with_tabs_and_capitals(tmp_path: Path) -> None:
    (tmp_path / "tabs.tsf").write_text(TSF.format(step="Daily").replace(" ", "\t").upper() + WHOLE)
    assert list(read_tsf(tmp_path / "tabs.tsf").columns) == ["SERIES_NAME", "timestamp", "value"]


def test_notes_above_the_series_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "notes.tsf").write_text(TSF.format(step="daily") + "# a note\n\n" * 3 + WHOLE)
    assert read_tsf(tmp_path / "notes.tsf", nrows=2)["value"].tolist() == [1, 2]


@pytest.mark.parametrize(
    ("step", "second"),
    [
        ("weekly", "1996-03-25 00:00"),
        ("10_minutes", "1996-03-18 00:10"),
        ("minutely", "1996-03-18 00:01"),
        ("hourly", "1996-03-18 01:00"),
        ("2_weeks", "1996-04-01 00:00"),
        ("15min", "1996-03-18 00:15"),
        ("half_hourly", "1996-03-18 00:30"),
        ("4_seconds", "1996-03-18 00:00:04"),
        ("monthly", "1996-04-01"),
        ("3_months", "1996-06-01"),
        ("quarterly", "1996-04-01"),
        ("annually", "1997-01-01"),
    ],
)
def test_steps_of_series(tmp_path: Path, step: str, second: str) -> None:
    (tmp_path / "some.tsf").write_text(TSF.format(step=step) + WHOLE)
    assert read_tsf(tmp_path / "some.tsf")["timestamp"].iloc[1] == pd.Timestamp(second)


@pytest.mark.parametrize("step", ["0_minutes", "0.5_hourly", "now and then"])
def test_moments_of_an_unknown_step_are_counted(tmp_path: Path, step: str) -> None:
    (tmp_path / "some.tsf").write_text(TSF.format(step=step) + WHOLE)
    assert read_tsf(tmp_path / "some.tsf")["step"].tolist() == [0, 1, 2]


def test_moments_that_nobody_can_tell_are_none(tmp_path: Path) -> None:
    long = ",".join(["1"] * 700)
    (tmp_path / "some.tsf").write_text(TSF.format(step="yearly") + f"T1:1700-01-01 00-00-00:{long}\nT2:?:1,2\nT3::4\n" + WHOLE)  # fmt: skip
    rows = read_tsf(tmp_path / "some.tsf")
    assert (rows["timestamp"].isna().sum(), rows["timestamp"].iloc[-1]) == (703, pd.Timestamp("1998-01-01"))


def test_names_of_rows_joined_of_columns(tmp_path: Path) -> None:
    shops = [(shop, day) for shop in (4, 17) for day in ("2024-05-01", "2024-05-02", "2024-05-03")]
    test = pd.DataFrame(shops, columns=["shop", "day"]).assign(area=[20.5, 31, 8, 9, 10, 11])
    known = [(shop, f"2024-04-{day:02}") for shop in (4, 17) for day in range(1, 29)]
    train = pd.DataFrame(known, columns=["shop", "day"]).assign(area=DICE.random(56) * 30)
    train.assign(sold=2 * train["area"] + 7 * (train["shop"] == 4)).to_csv(tmp_path / "train.csv", index=False)
    test.to_csv(tmp_path / "test.csv", index=False)
    csv(tmp_path / "sample_submission.csv", id=[f"{shop}_{day}" for shop, day in reversed(shops)], sold=0)
    _, task = understood(tmp_path, "Predict sold for the rows of test.csv")
    plan = task.output.value
    assert plan.joined_id is not None and (plan.joined_id.parts, plan.joined_id.separator) == (["shop", "day"], "_")
    rows = test.assign(day=pd.to_datetime(test["day"]))
    written = format_predictions(rows, pd.DataFrame({"sold": range(6)}), plan.model_dump(), task.facts())
    assert written["id"].tolist() == [f"{shop}_{day}" for shop, day in shops]
    without = format_predictions(rows[["area"]], pd.DataFrame({"sold": range(6)}), plan.model_dump(), task.facts())
    assert without["id"].tolist() == [1, 2, 3, 4, 5, 6]
    assert joined(rows.head(0), plan.joined_id.model_dump()).tolist() == []


def asked_by(folder: Path, rows: pd.DataFrame, names: list[str]) -> JoinedId | None:
    """How rows are named where the sample of the answer asks for these names."""
    rows.assign(sold=1.5 * rows["area"]).to_csv(folder / "train.csv", index=False)
    rows.to_csv(folder / "test.csv", index=False)
    csv(folder / "sample_submission.csv", id=names, sold=0)
    return understood(folder, "Predict sold for the rows of test.csv")[1].output.value.joined_id


def test_parts_of_names_that_are_the_same_in_the_first_rows(tmp_path: Path) -> None:
    rows = pd.DataFrame(
        {"kind": 1, "shop": np.repeat([1, 2], 250), "number": [*range(250)] * 2, "area": DICE.random(500)}
    )
    named = asked_by(tmp_path, rows, [f"{shop}_{n}" for shop, n in zip(rows["shop"], rows["number"], strict=True)])
    assert named is not None and named.parts == ["shop", "number"]


def test_names_follow_the_order_of_the_rows(tmp_path: Path) -> None:
    rows = pd.DataFrame({"a": np.repeat(range(15), 15), "b": [*range(15)] * 15, "area": DICE.random(225)})
    named = asked_by(tmp_path, rows, [f"{b}-{a}" for a, b in zip(rows["a"], rows["b"], strict=True)])
    assert named is not None and named.parts == ["b", "a"]


def test_numbers_of_rows_are_not_joined_of_other_columns(tmp_path: Path) -> None:
    rows = pd.DataFrame(
        {"stars": DICE.integers(1, 6, 150), "rooms": DICE.integers(0, 10, 150), "area": DICE.random(150)}
    )
    assert asked_by(tmp_path, rows, [str(number) for number in range(1, 151)]) is None


def test_many_short_columns_are_tried_in_no_time(tmp_path: Path) -> None:
    rows = pd.DataFrame(DICE.integers(0, 99, (300, 12)), columns=list("abcdefghijkl")).astype(str)
    begun = time.process_time()
    assert joined_ids._parts_of(rows, pd.Series([f"row-{n:x}" for n in range(300)])) is None
    assert time.process_time() - begun < 1.5


@pytest.mark.parametrize(
    ("sample", "written"),
    [
        ({"id": 0, "sold": 0, "weight": 1.0}, {"id": 60, "sold": 7.5, "weight": None}),
        ({"sold": 0, "id": 0}, {"sold": 7.5, "id": 60}),
        ({"id": 0}, {"id": 60, "sold": 7.5}),
        ({"ID": 0, "Sold": 0}, {"ID": 60, "Sold": 7.5}),
        ({"id": 0, "prediction": 0}, {"id": 60, "prediction": 7.5}),
    ],
    ids=["one more column", "the answer first", "rows alone", "capitals", "another name"],
)
def test_answers_stand_where_the_sample_has_them(tmp_path: Path, sample: dict, written: dict) -> None:
    area = DICE.random(80).round(3)
    csv(tmp_path / "train.csv", id=range(60), area=area[:60], sold=(area[:60] * 3).round(2))
    csv(tmp_path / "test.csv", id=range(60, 80), area=area[60:])
    csv(tmp_path / "sample_submission.csv", **{**sample, next(n for n in sample if n.lower() == "id"): range(60, 80)})
    _, task = understood(tmp_path, "Predict sold for the rows of test.csv")
    rows = pd.read_csv(tmp_path / "test.csv")
    table = format_predictions(rows, pd.DataFrame({"sold": [7.5] * 20}), task.output.value.model_dump(), task.facts())
    assert table.astype(object).iloc[0].to_dict() == written


def test_marks_of_sentences_are_values(tmp_path: Path) -> None:
    words = ["ann", "saw", "2", "dogs", ".", "she", ",", "too", "!"] * 20
    csv(tmp_path / "tokens.csv", before=words, after=["two" if word == "2" else word for word in words])
    column = profile(tmp_path).tables[0].column("after")
    assert column is not None and column.missing == 0
    csv(tmp_path / "survey.csv", answer=["yes", "no", ".", "maybe"] * 20, size=range(80))
    survey = profile(tmp_path).table("survey.csv")
    assert survey is not None and survey.columns[0].missing == 20


def test_names_of_files_that_hold_queries_and_documents_are_no_text(tmp_path: Path) -> None:
    topics = ["tax", "bond", "loan", "rent", "fund"]
    documents = [{"_id": str(100 + n), "title": "", "text": f"all about {topics[n % 5]} number {n}"} for n in range(40)]
    queries = [{"_id": str(n), "text": f"how to {topics[n % 5]} number {n}", "metadata": {}} for n in range(30)]
    (tmp_path / "corpus.jsonl").write_text("\n".join(map(json.dumps, documents)))
    (tmp_path / "queries.jsonl").write_text("\n".join(map(json.dumps, queries)))
    (tmp_path / "qrels").mkdir()
    pairs = "".join(f"{n}\t{100 + n}\t1\n" for n in range(20))
    (tmp_path / "qrels/train.tsv").write_text("query-id\tcorpus-id\tscore\n" + pairs)
    found, task = understood(tmp_path, "Find the documents that answer each query")
    assert task.retrieval is not None
    assert (task.retrieval.query_text, task.retrieval.document_text) == (["text"], ["text"])
    raw, _ = sample_rows(task, found, tmp_path)
    assert raw["_id"].tolist() == [str(n) for n in range(20, 30)]


def test_pictures_called_without_their_endings_keep_their_names_in_a_sample(tmp_path: Path) -> None:
    names = [f"1.2.826.{n}" for n in range(40)]
    for n, name in enumerate(names):
        picture(tmp_path / ("train" if n < 30 else "test") / f"{name}.jpg", n % 2)
    csv(tmp_path / "labels.csv", image=names[:30], kind=[("oak", "elm")[n % 2] for n in range(30)])
    csv(tmp_path / "sample_submission.csv", image=names[30:], oak=0.5, elm=0.5)
    found, task = understood(tmp_path, "Which kind is each picture of test?")
    files = [feature.name for feature in task.used_features]
    raw, read = sample_rows(task, found, tmp_path)
    _, read = with_files(raw, read, files, task, tmp_path / "out" / "sample_input")
    assert sorted(path.name for path in (tmp_path / "out/sample_input").iterdir()) == sorted(f"{n}.jpg" for n in names[30:36])  # fmt: skip
    how = {"media": "image", "column": "image", "bare": True}
    again = read_new_files(tmp_path / "out/sample_input", [], {"picture": how})
    assert again["image"].tolist() == sorted(names[30:36])


def test_a_line_a_pixel_where_the_sample_has_such_lines(tmp_path: Path) -> None:
    def page(folder: str, number: int, stains: float) -> None:
        values = np.full((6, 9), 250.0)
        values[2, 2:7] = 10
        (tmp_path / folder).mkdir(exist_ok=True)
        dirty = (values - stains * DICE.random((6, 9))).clip(0, 255)
        Image.fromarray(dirty.astype("uint8")).save(tmp_path / folder / f"{number}.png")

    for number in range(12):
        page("train" if number < 9 else "test", number, 90)
        if number < 9:
            page("train_cleaned", number, 0)
    lines = [f"{number}_{row}_{column}" for number in (9, 10, 11) for column in range(1, 10) for row in range(1, 7)]
    csv(tmp_path / "sampleSubmission.csv", id=lines, value=1)
    _, task = understood(tmp_path, "Clean the scanned pages of test")
    plan = task.output.value
    assert plan.pixels is not None and (plan.columns, plan.pixels.down) == (["id", "value"], True)
    rows = pd.DataFrame({"picture": ["9.png", "10.png", "11.png"]})
    pages = [(tmp_path / f"test/{name}").read_bytes() for name in rows["picture"]]
    predicted, facts = pd.DataFrame({"restored": pages}), task.facts()
    written = pd.read_csv(write_predictions(rows, predicted, plan.model_dump(), facts, tmp_path / "predictions.csv"))
    assert written["id"].tolist() == lines
    shown = np.asarray(Image.open(tmp_path / "test/9.png"), dtype=float)
    assert written["value"][3] == pytest.approx(shown[3, 0] / 255, abs=1e-4)
    folder = write_predictions(rows, predicted, plan.model_dump(), facts, tmp_path / "cleaned")
    assert sorted(path.name for path in folder.iterdir()) == ["10.png", "11.png", "9.png"]


def test_texts_in_single_quotes_without_a_header(tmp_path: Path) -> None:
    def article(n: int) -> str:
        return f"'day {n} in the {('museum', 'stadium')[n % 2]}, said she{'; and' * (n % 3)} ''so'' it is'"

    (tmp_path / "train.csv").write_text("".join(f"{('Arts', 'Sport')[n % 2]};{article(n)}\n" for n in range(60)))
    (tmp_path / "test.csv").write_text("".join(f"{article(n)}\n" for n in range(9)))
    found, task = understood(tmp_path, "Sort the articles of test.csv")
    assert task.targets == ["label"] and sources(task.test) == ["test.csv"]
    test = found.table("test.csv")
    assert test is not None and test.names == ["text"]
    assert load_table(tmp_path, test)["text"][2] == "day 2 in the museum, said she; and; and 'so' it is"


@pytest.mark.parametrize(
    "goal", ["Predict the diagnosis (dx) of each lesion", "Predict the dx column", "Predict column dx"]
)
def test_a_short_name_in_brackets_or_called_a_column(tmp_path: Path, goal: str) -> None:
    kinds = [("nv", "mel", "bkl")[n % 3] for n in range(60)]
    csv(tmp_path / "meta.csv", dx=kinds, dx_type=["histo", "follow_up"] * 30, age=DICE.integers(20, 80, 60))
    assert understood(tmp_path, goal)[1].targets == ["dx"]


@pytest.mark.parametrize("labelled", [True, False])
def test_boxes_in_one_column(tmp_path: Path, labelled: bool) -> None:
    names = [f"im{n:03}" for n in range(14)]
    for n, name in enumerate(names):
        picture(tmp_path / ("train" if n < 10 else "test") / f"{name}.jpg")
    boxes = [f"[{n}.0, 2.0, 4.0, 3.0]" for n in range(7)] * 2
    kinds = {"class": ["wheat", "weed"] * 7} if labelled else {}
    csv(tmp_path / "train.csv", image_id=[*names[:10], *names[:4]], width=12, height=12, bbox=boxes, **kinds)
    found, task = understood(tmp_path, "Find the heads in the pictures of test")
    assert task.problem_type.value == "detection"
    assert sorted(task.labels) == (["weed", "wheat"] if labelled else ["object"])
    rows = load_table(tmp_path, found.table(task.train[0].table))  # type: ignore[arg-type]
    assert '"box": [0.0, 2.0, 4.0, 3.0]' in rows["boxes"][0] and len(rows) == 10


@pytest.mark.parametrize("form", ["%Y-%m-%d %H:%M:%S.{:07}", "%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%d %H:%M", "%d.%m.%Y %H:%M"])
def test_moments_that_name_rows_are_written_as_in_the_sample(tmp_path: Path, form: str) -> None:
    moments = pd.date_range("2024-03-01 08:10", periods=90, freq="37min")
    names = [moment.strftime(form).format(n % 3) for n, moment in enumerate(moments)]
    way = DICE.random(90) * 30
    csv(tmp_path / "train.csv", key=names[:70], way=way[:70], guests=DICE.integers(1, 5, 70), fare=way[:70] * 2 + 3)
    csv(tmp_path / "test.csv", key=names[70:], way=way[70:], guests=DICE.integers(1, 5, 20))
    csv(tmp_path / "sample_submission.csv", key=names[70:], fare=11.35)
    found, task = understood(tmp_path, "Predict the fare of each ride")
    test = found.table("test.csv")
    assert test is not None
    rows = load_table(tmp_path, test)
    written = format_predictions(rows, pd.DataFrame({"fare": way[70:]}), task.output.value.model_dump(), task.facts())
    assert written["key"].tolist() == names[70:]
