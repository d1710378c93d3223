"""A predictor used by the program that made it, or by a colleague's."""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from pathlib import Path

import pandas as pd
import pytest

from mlzero import config
from mlzero.errors import UserError
from mlzero.iterative_coding.sandbox import choose
from mlzero.predictor.loading import load_predictor, predict_file
from mlzero.predictor.unpacking import opened

from .conftest import SOLUTION, Made


@pytest.fixture(params=["restricted", "auto"])
def sandbox(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways of keeping the predictor apart."""
    monkeypatch.setenv("MLZERO_SANDBOX", request.param)


def change(made: Made, name: str, change_text: object) -> None:
    """Rewrite one member of the zip."""
    with zipfile.ZipFile(made.archive) as archive:
        members = {n: archive.read(n) for n in archive.namelist()}
    with zipfile.ZipFile(made.archive, "w") as archive:
        for member, content in members.items():
            archive.writestr(member, change_text(content.decode()) if member == name else content)  # type: ignore[operator]


@pytest.mark.usefixtures("sandbox")
def test_new_rows_from_the_zip_alone(made: Made, later: Path, tmp_path: Path) -> None:
    moved = tmp_path / "another place" / "my predictor.zip"
    moved.parent.mkdir()
    shutil.move(made.archive, moved)
    shutil.rmtree(made.final)
    report = predict_file(moved, later, tmp_path / "new" / "out.csv")
    assert (report.rows, report.warnings) == (2, [])
    assert report.path.read_text() == "key,price\n012,201.5\n0013,302.5\n"
    assert predict_file(opened(moved), later, tmp_path / "out.xlsx").rows == 2
    assert pd.read_excel(tmp_path / "out.xlsx", dtype=str)["key"].tolist() == ["012", "0013"]


def test_new_rows_or_predictions_in_an_impossible_place(made: Made, later: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(UserError, match=r"pipe\.csv cannot be read"):
        predict_file(made.archive, tmp_path / "pipe.csv", tmp_path / "out.csv")
    with pytest.raises(UserError, match="is a folder"):
        (tmp_path / "more").mkdir()
        predict_file(made.archive, tmp_path / "more", tmp_path / "out.csv")
    with pytest.raises(UserError, match="cannot be written"):
        predict_file(made.archive, later, later / "out.csv")
    with pytest.raises(UserError, match="Name the file"):
        predict_file(made.archive, later, tmp_path / "more")


def test_the_predictor_from_python(made: Made, later: Path) -> None:
    predictor = load_predictor(made.archive)
    assert predictor.columns == ["town", "size"]
    assert (predictor.score, predictor.targets) == (1.25, ["price"])
    told = predictor.explain()
    assert (told["metric"], told["baseline"], told["rows_holdout"], told["problem_type"]) == (
        "mae",
        50.0,
        212,
        "regression",
    )
    rows = pd.DataFrame({"key": ["01", "02"], "town": ["Graz", "Linz"], "size": ["1,5", "2"]}, index=[7, 8])
    answers = predictor.predict(rows)
    assert answers.to_dict() == {"key": {7: "01", 8: "02"}, "price": {7: 201.5, 8: 302.0}}
    assert predictor.predict(later)["price"].tolist() == [201.5, 302.5]
    assert "price" in repr(predictor)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("key;town\n1;Graz\n", 'The column "size" is missing. Add it'),
        ("key;town;size\n1;Graz;3\n1;2;3;4;5\n", "could not be read as new data"),
    ],
)
def test_the_sentence_of_the_predictor_arrives(made: Made, tmp_path: Path, rows: str, said: str) -> None:
    (tmp_path / "rows.csv").write_text(rows)
    with pytest.raises(UserError) as error:
        predict_file(made.archive, tmp_path / "rows.csv", tmp_path / "out.csv")
    assert said in str(error.value)
    assert not (tmp_path / "out.csv").exists()


def test_warnings_arrive(made: Made, tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("town;size;colour\nBern;1;red\n")
    report = predict_file(made.archive, tmp_path / "rows.csv", tmp_path / "out.csv")
    assert report.warnings == [
        'The column "town" holds values that training never saw: "Bern".',
        'Not known from training and ignored: "colour".',
        'There is no column "key", so the rows are numbered from 1.',
    ]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("contract.json", lambda text: json.dumps(json.loads(text) | {"python": "3.1.4"}), "trained with Python 3.1 and this is"),
        ("contract.json", lambda text: json.dumps(json.loads(text) | {"packages": {"autogluon.tabular": "0.1"}}),
         "trained with autogluon.tabular 0.1, and "),
        ("contract.json", lambda text: json.dumps(json.loads(text) | {"format": 7}), "made by another version of MLZero"),
        ("contract.json", lambda text: text[:50], "contract.json of .* cannot be read"),
        ("solution.py", lambda text: text.replace('"""The price."""', 'raise RuntimeError("broken")'), "It said: RuntimeError: broken"),
        ("predict.py", lambda text: 'import sys\nopen(sys.argv[3], "wb").write(b"\\xff\\xfe")', "What the predictor wrote cannot be read"),
    ],
)  # fmt: skip
def test_a_predictor_that_does_not_work_here_says_why(
    made: Made, later: Path, tmp_path: Path, name: str, text: object, said: str
) -> None:
    change(made, name, text)
    with pytest.raises(UserError, match=said):
        predict_file(made.archive, later, tmp_path / "out.csv")


def test_what_is_no_predictor_is_refused(made: Made, later: Path, tmp_path: Path) -> None:
    other, torn = tmp_path / "other.zip", tmp_path / "torn.zip"
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("predict.py", "print('hello')")
    content = made.archive.read_bytes()
    torn.write_bytes(content[:400] + b"\0" * 200 + content[600:])
    for path, said in [
        (other, "other.zip is not a predictor made by MLZero"), (later, "is no zip file"), (tmp_path / "none.zip", "There is no predictor"),
        (tmp_path / "data", "data is not a predictor"), (torn, "torn.zip is damaged"),
    ]:  # fmt: skip
        with pytest.raises(UserError, match=said):
            load_predictor(path)
    cache = config.home() / "cache" / "predictors"
    assert not cache.exists() or not list(cache.iterdir())


def test_the_time_is_limited(made: Made, later: Path, tmp_path: Path) -> None:
    change(made, "solution.py", lambda text: text.replace('"""The price."""', "import time; time.sleep(60)"))
    assert "The price" in SOLUTION
    with pytest.raises(UserError, match="longer than 3 seconds"):
        predict_file(made.archive, later, tmp_path / "out.csv", timeout=3.0)


def test_nothing_outside_can_be_reached(made: Made, later: Path, tmp_path: Path) -> None:
    if not choose().isolated:
        pytest.skip("This machine has no isolated sandbox.")
    secret = tmp_path / "secret.txt"
    secret.write_text("mine")
    change(
        made,
        "solution.py",
        lambda text: text.replace('"""The price."""', f"raise OSError(open({str(secret)!r}).read())"),
    )
    with pytest.raises(UserError, match="FileNotFoundError"):
        predict_file(made.archive, later, tmp_path / "out.csv")


def test_unpacked_predictors_are_kept_and_old_ones_forgotten(made: Made) -> None:
    first = opened(made.archive)
    assert opened(made.archive) == first
    for number in range(6):
        change(made, "README.md", lambda text, number=number: f"{number}")
        last = opened(made.archive)
    kept = set((config.home() / "cache" / "predictors").iterdir())
    assert len(kept) == 5 and last in kept and first not in kept
