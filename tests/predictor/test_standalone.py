"""What `predict.py` writes and says."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from openpyxl import load_workbook

from mlzero.perception.columns import describe
from mlzero.perception.profile import ColumnProfile
from mlzero.perception.task import FeaturePlan
from mlzero.predictor import packaging
from mlzero.predictor.standalone import answers, command, inputs
from mlzero.predictor.unpacking import unpack

from .conftest import Made

ROWS = pd.DataFrame({"key": ["007", "0010"], "town": ["Graz", "Linz"]}, index=[5, 9])
ONE = pd.DataFrame(
    {"left": ["no", "yes"], "probability_no": [0.75, 0.25], "probability_yes": [0.25, 0.75]}, index=[5, 9]
)
TWO = pd.DataFrame({"a": [0, 1], "b": [1, 1], "probability_a": [0.2, 0.8], "probability_b": [0.6, 0.7]}, index=[5, 9])


def facts(**changed: object) -> dict:
    return {
        "targets": ["left"],
        "id": "key",
        "labels": ["no", "yes"],
        "positive_label": "yes",
        "problem_type": "binary",
    } | changed


@pytest.mark.parametrize(
    ("predictions", "columns", "value", "known", "wanted"),
    [
        (ONE, ["key", "left"], "label", {}, {"key": ["007", "0010"], "left": ["no", "yes"]}),
        (ONE, ["key", "left"], "probability", {}, {"key": ["007", "0010"], "left": [0.25, 0.75]}),
        (ONE, ["key", "left"], "probability", {"positive_label": "no"}, {"key": ["007", "0010"], "left": [0.75, 0.25]}),
        (ONE, ["Row", "Answer"], "label", {}, {"Row": ["007", "0010"], "Answer": ["no", "yes"]}),
        (ONE, ["left"], "label", {"id": None}, {"left": ["no", "yes"]}),
        (ONE, [], "label", {}, {"key": ["007", "0010"], "left": ["no", "yes"]}),
        (ONE, ["number", "left"], "label", {"id": None}, {"number": [1, 2], "left": ["no", "yes"]}),
        (ONE, ["key", "town", "left"], "label", {}, {"key": ["007", "0010"], "town": ["Graz", "Linz"], "left": ["no", "yes"]}),
        (ONE, ["key", "left_yes", "left_no"], "probability", {}, {"key": ["007", "0010"], "left_yes": [0.25, 0.75], "left_no": [0.75, 0.25]}),
        (TWO, ["key", "a", "b"], "probability", {"targets": ["a", "b"], "problem_type": "multilabel"},
         {"key": ["007", "0010"], "a": [0.2, 0.8], "b": [0.6, 0.7]}),
        (TWO, ["key", "a", "b"], "label", {"targets": ["a", "b"], "problem_type": "multilabel"},
         {"key": ["007", "0010"], "a": [0, 1], "b": [1, 1]}),
    ],
)  # fmt: skip
def test_the_asked_columns_are_written(
    predictions: pd.DataFrame, columns: list[str], value: str, known: dict, wanted: dict
) -> None:
    table = answers.format_predictions(ROWS, predictions, {"columns": columns, "value": value}, facts(**known))
    assert table.to_dict("list") == wanted
    assert list(table) == list(wanted)


READERS = {
    "csv": lambda path: pd.read_csv(path, dtype=str),
    "tsv": lambda path: pd.read_csv(path, sep="\t", dtype=str),
    "json": lambda path: pd.DataFrame(json.loads(path.read_text(encoding="utf-8"))),
    "jsonl": lambda path: pd.DataFrame([json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]),
    "parquet": pd.read_parquet,
    "xlsx": lambda path: pd.read_excel(path, dtype=str),
}


@pytest.mark.parametrize("kind", answers.TABLES)
def test_every_format_keeps_ids_and_labels(kind: str, tmp_path: Path) -> None:
    rows = ROWS.assign(key=["007", "=1+1"])
    predictions = ONE.assign(left=["Größe, «x»\n", "yes"])
    path = answers.write_predictions(rows, predictions, {"format": kind, "value": "label"}, facts(), tmp_path / "out")
    assert answers.read_table(path, kind).to_dict("list") == {"key": ["007", "=1+1"], "left": ["Größe, «x»\n", "yes"]}
    table = READERS[kind](path)
    assert table.to_dict("list") == {"key": ["007", "=1+1"], "left": ["Größe, «x»\n", "yes"]}
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_days_are_written_without_a_time_of_day(tmp_path: Path) -> None:
    days = pd.DataFrame({"day": pd.to_datetime(["2024-03-01", None]), "hour": pd.to_datetime(["2024-03-01 00:00", "2024-03-01 05:00"])})  # fmt: skip
    lines = answers.write_table(days, "jsonl", tmp_path / "out").read_text().splitlines()
    assert json.loads(lines[0]) == {"day": "2024-03-01", "hour": "2024-03-01T00:00:00"}
    assert json.loads(lines[1]) == {"day": None, "hour": "2024-03-01T05:00:00"}
    sheet = load_workbook(answers.write_table(days[["day"]], "xlsx", tmp_path / "out.xlsx")).active
    assert sheet is not None and sheet["A2"].number_format == "YYYY-MM-DD"


@pytest.mark.parametrize(
    ("name", "asked", "kind"),
    [
        ("out.xlsx", "csv", "xlsx"), ("out.dat", "json", "json"), ("OUT.CSV", "parquet", "csv"),
        ("masks", "masks", "masks"), ("masks.zip", "masks", "masks"), ("masks.csv", "masks", "masks"), ("masks.parquet", "masks", "parquet"),
        ("boxes.json", "coco", "coco"), ("boxes", "coco", "coco"), ("boxes.csv", "coco", "csv"),
    ],
)  # fmt: skip
def test_the_ending_of_the_name_chooses_the_format(name: str, asked: str, kind: str) -> None:
    assert answers.format_of(Path(name), asked) == kind


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("key;town;net_size_cm\n1;Graz;3\n", 'The column "size" is missing; your file has "net_size_cm", which the predictor does not know. Add it, or rename the column that holds it.'),
        ("key;town;length\n1;Graz;3\n", 'The column "size" is missing; your file has "length", which the predictor does not know. Add it, or rename the column that holds it.'),
        ("key;town;length;width\n1;Graz;3;2\n", 'The column "size" is missing. Add it, or rename the column that holds it.'),
        ("key;town;price\n1;Graz;3\n", 'The column "size" is missing. Add it, or rename the column that holds it.'),
        ("key;place\n1;Graz\n", 'The column "town" is missing. The column "size" is missing. Add it, or rename the column that holds it.'),
        ("key;town;size\n", "The new data holds no rows."),
        ("", "rows.csv is empty."),
        ("\n\n", "rows.csv holds nothing but blanks."),
    ],
)  # fmt: skip
def test_rows_that_do_not_fit_are_named(
    made: Made,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    rows: str,
    said: str,
) -> None:
    unpack(made.archive, tmp_path / "there")
    monkeypatch.setattr(command, "predict", lambda *a, **k: PREDICT(*a, **k, here=tmp_path / "there"))
    (tmp_path / "rows.csv").write_text(rows)
    assert command.main([str(tmp_path / "rows.csv"), "--out", str(tmp_path / "out.csv")]) == 2
    assert capsys.readouterr().err.strip() == said
    assert not (tmp_path / "out.csv").exists()


PREDICT = command.predict


@pytest.mark.parametrize(
    ("frame", "wanted"),
    [
        ({"town": ["Graz"], "size": ["big"]}, 'The column "size" should hold numbers'),
        ({"town": ["Graz", "Linz"], "size": ["big", "3"]}, ['The column "size" should hold numbers; 1 of 2 rows hold others, such as "big", taken as empty.']),
        ({"town": ["Bern", "Graz"], "size": [1, 2]}, ['The column "town" holds values that training never saw: "Bern".']),
        ({"town": [None], "size": [1]}, ['Without usable values, so the answers are less certain: "town".']),
        ({"town": ["Graz"], "size": [1], "a": [1], "b": [2]}, ['Not known from training and ignored: "a", "b".']),
        ({"town": ["Graz"], "size": [1], "price": [3]}, []),
    ],
)  # fmt: skip
def test_values_are_checked_by_column(contract: dict, frame: dict, wanted: str | list[str]) -> None:
    rows = pd.DataFrame(frame).assign(key="1")
    if isinstance(wanted, str):
        with pytest.raises(inputs.InputProblem, match=wanted):
            inputs.check_columns(rows, contract)
    else:
        assert inputs.check_columns(rows, contract) == wanted


def test_cells_without_their_several_numbers_are_told(contract: dict) -> None:
    column = ColumnProfile(name="pressure", source_name="pressure", kind="category", top=[("unknown", 3)], examples=["120/80"], parts=2)  # fmt: skip
    plan = FeaturePlan(name="pressure", treat_as="category")
    contract["columns"].append(packaging._column(plan, column, 3) | {"required": True})
    rows = pd.DataFrame({"key": "1", "town": "Graz", "size": 1, "pressure": ["130/85 mmHg", None, "120/", "unknown"]})
    assert inputs.check_columns(rows.head(2), contract) == []
    told = 'The column "pressure" should hold 2 numbers in each cell, such as 120/80; 2 of 4 rows hold something else, such as "120/".'
    assert inputs.check_columns(rows, contract) == [told]
    assert "1 of 1 rows" in inputs.check_columns(rows.head(1).assign(pressure=120), contract)[0]


@pytest.mark.parametrize(
    ("cells", "usual"),
    [
        (["1,5", "2,25", "4,5", "7,1"], "3,84"),
        (["1.049,00 DM", "2.000,50 DM", "900,00 DM", "12,00 DM"], "990,38 DM"),
        (["$1,200", "$3,400", "$12,000", "$800"], "$4,350"),
        (["1.5", "2.25", "4.5", "7.1"], "3.8375"),
    ],
)
def test_the_usual_number_is_the_mean_as_it_is_written(cells: list[str], usual: str) -> None:
    column = describe("price", "price", pd.Series(cells))
    assert packaging._column(FeaturePlan(name="price", treat_as="number"), column, 4)["typical"] == usual


def test_the_column_that_lists_labels_is_known(contract: dict) -> None:
    contract["output"]["label_set"] = {"column": "tags"}
    rows = pd.DataFrame({"key": ["1"], "town": ["Graz"], "size": [1], "tags": ["a|b"]})
    assert inputs.check_columns(rows, contract) == []


def test_rows_without_their_id_are_numbered(contract: dict) -> None:
    assert inputs.check_columns(pd.DataFrame({"town": ["Graz"], "size": [1]}), contract) == [
        'There is no column "key", so the rows are numbered from 1.'
    ]


@pytest.mark.parametrize(
    ("python", "packages", "said", "warned"),
    [
        ("3.1.0", {}, "trained with Python 3.1 and this is", None),
        (None, {"no-such-package": "1.0"}, "The package no-such-package is not installed", None),
        (None, {"pandas": "0.1.0"}, None, "The predictor was trained with pandas 0.1.0"),
        (None, {"autogluon.tabular": "0.0.1"}, "trained with autogluon.tabular 0.0.1, and .* is installed. Run: pip install", None),
        (None, {"pandas": pd.__version__}, None, None),
    ],
)  # fmt: skip
def test_versions_are_compared(python: str | None, packages: dict, said: str | None, warned: str | None) -> None:
    contract = {"python": python or platform.python_version(), "packages": packages}
    if said:
        with pytest.raises(inputs.InputProblem, match=said):
            command.version_warnings(contract)
    else:
        found = command.version_warnings(contract)
        assert found == [] if warned is None else found[0].startswith(warned)


def test_a_newer_contract_is_refused(made: Made, tmp_path: Path) -> None:
    (tmp_path / "contract.json").write_text('{"format": 99}')
    with pytest.raises(inputs.InputProblem, match="another version of MLZero"):
        command.read_contract(tmp_path)


@pytest.mark.parametrize(
    "written",
    [
        {"separator": ";", "quote": '"', "encoding": "cp1252"},
        {"separator": "\t", "quote": None, "encoding": "utf-8"},
    ],
)
def test_rows_are_written_as_the_training_table_was(written: dict, tmp_path: Path) -> None:
    rows = pd.DataFrame({"text": ['say "yes", now', "ä"], "n": ["01", "2"]})
    inputs.write_rows(rows, {"written": written}, tmp_path / "rows.csv")
    text = (tmp_path / "rows.csv").read_text(encoding=written["encoding"])
    assert text.splitlines()[2] == f"ä{written['separator']}2"
    assert ('say "yes", now' in text) == (written["quote"] is None)


@pytest.mark.parametrize("more", [[], ["--why", "1"]])
@pytest.mark.parametrize(("out", "said"), [(".", "is a folder"), ("folder", "is a folder"), ("file/out.csv", "cannot be written")])  # fmt: skip
def test_a_place_where_nothing_can_be_written(out: str, said: str, more: list[str], made: Made, later: Path, tmp_path: Path) -> None:  # fmt: skip
    unpack(made.archive, tmp_path / "away")
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    ended = subprocess.run(
        [sys.executable, "-I", str(tmp_path / "away" / "predict.py"), str(later), "--out", out, *more],
        capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert ended.returncode == 2 and said in ended.stderr and len(ended.stderr.splitlines()) == 1
    assert not any((tmp_path / "folder").iterdir())


@pytest.mark.parametrize(
    ("attribute", "value", "told"),
    [
        ("blank_rows", 2, ["2 rows without any value were left out, so the later ones move up."]),
        ("sheets", ["May"], []),
        (
            "sheets",
            ["May", "June", "Notes"],
            ['The rows of the sheet "May" are answered; not those of "June", "Notes".'],
        ),
    ],
)
def test_rows_of_the_file_that_get_no_answer_are_told(
    attribute: str, value: object, told: list[str], made: Made, later: Path, tmp_path: Path
) -> None:
    unpack(made.archive, tmp_path / "away")
    solution = tmp_path / "away" / "solution.py"
    marked = f"    rows.attrs[{attribute!r}] = {value!r}\n    return rows\n"
    solution.write_text(solution.read_text().replace("    return rows\n", marked))
    assert command.predict(later, {}, tmp_path / "out.csv", here=tmp_path / "away") == told
