"""Why a predictor answers as it does for one row."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from mlzero.errors import UserError
from mlzero.predictor.loading import reasons_for
from mlzero.predictor.standalone.inputs import InputProblem
from mlzero.predictor.standalone.reasons import reasons, told
from mlzero.predictor.unpacking import unpack

from .conftest import LATER, Made


@pytest.fixture
def later(tmp_path: Path) -> Path:
    path = tmp_path / "later.csv"
    path.write_text(LATER + "014;Linz;\n")
    return path


def test_tells_what_each_cell_is_worth(made: Made, later: Path) -> None:
    made.pack()
    found = reasons_for(made.archive, later, 2)
    assert found["answer"] == 302.5 and found["probability"] is None
    worth = {cell["column"]: cell for cell in found["cells"]}
    # The typical town is Graz (200 against 300), the mean size 2.81.
    assert worth["town"] == {"column": "town", "value": "Linz", "usual": "Graz", "mostly_empty": False, "effect": 100.0}
    assert worth["size"]["effect"] == pytest.approx(2.5 - 2.81)
    assert [cell["column"] for cell in found["cells"]] == ["town", "size"]


def test_an_older_predictor_says_that_it_cannot(made: Made, later: Path, tmp_path: Path) -> None:
    unpack(made.archive, tmp_path / "old")
    (tmp_path / "old" / "standalone" / "reasons.py").unlink()
    with pytest.raises(UserError, match="before predictors could tell reasons"):
        reasons_for(tmp_path / "old", later, 1)


def test_an_empty_cell_counts_as_one(made: Made, later: Path) -> None:
    made.pack()
    size = next(c for c in reasons_for(made.archive, later, 3)["cells"] if c["column"] == "size")
    assert size["value"] == "" and size["effect"] == pytest.approx(-2.81)


def test_works_from_the_zip_alone(made: Made, later: Path, tmp_path: Path) -> None:
    made.pack()
    unpack(made.archive, tmp_path / "away")
    said = subprocess.run(
        [sys.executable, "-I", str(tmp_path / "away" / "predict.py"), str(later), "--why", "2"],
        capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert said.returncode == 0, said.stderr
    assert said.stdout.splitlines() == [
        "The answer for row 2 is 302.5.",
        "town: Linz in place of the usual Graz raises the answer by 100.",
        "size: 2.5 in place of the usual 2.81 lowers the answer by 0.31.",
    ]


@pytest.mark.parametrize(("row", "said"), [(0, "no row 0"), (4, "counted from 1 to 3")])
def test_a_row_that_is_not_there(row: int, said: str, made: Made, later: Path) -> None:
    made.pack()
    with pytest.raises(UserError, match=said):
        reasons_for(made.archive, later, row)


class Chances:
    """A solution that answers with a probability."""

    @staticmethod
    def predict(rows, model_dir):
        chance = (rows["age"] / 100).clip(0, 1)
        answer = (chance > 0.5).map({True: "yes", False: "no"})
        return pd.DataFrame({"left": answer, "probability_no": 1 - chance, "probability_yes": chance})


CONTRACT: dict[str, Any] = {
    "facts": {"targets": ["left"], "id": None, "labels": ["no", "yes"], "problem_type": "binary"},
    "columns": [{"name": "age", "kind": "number", "typical": "40", "required": True}],
}  # fmt: skip
USUAL = pd.DataFrame({"age": [40]})


def test_of_a_class_the_probability_of_the_answer_counts(tmp_path: Path) -> None:
    found = reasons(Chances, CONTRACT, pd.DataFrame({"age": [30, 90]}), 2, USUAL, tmp_path)
    assert (found["answer"], found["probability"]) == ("yes", 0.9)
    (cell,) = found["cells"]
    assert cell == {"column": "age", "value": "90", "usual": "40", "mostly_empty": False, "effect": pytest.approx(0.5)}


@pytest.mark.parametrize(("empty", "usual"), [(0.5, "the usual 40 raises"), (0.8, "the usual 40 (most rows have none) raises")])  # fmt: skip
def test_a_value_that_is_usual_only_where_there_is_one_is_told(empty: float, usual: str, tmp_path: Path) -> None:
    contract = CONTRACT | {"columns": [CONTRACT["columns"][0] | {"empty": empty}]}
    assert usual in told(reasons(Chances, contract, pd.DataFrame({"age": [90]}), 1, USUAL, tmp_path))


@pytest.mark.parametrize(("number", "value"), [(1, "30"), (2, "holds nothing"), (4, "90"), (5, "counted from 1 to 4")])
def test_rows_are_counted_as_in_the_file(number: int, value: str, tmp_path: Path) -> None:
    rows = pd.DataFrame({"age": [30, 90]})
    rows.attrs["left_out"] = [1, 2]
    if not value.isdigit():
        with pytest.raises(InputProblem, match=value):
            reasons(Chances, CONTRACT, rows, number, USUAL, tmp_path)
        return
    found = reasons(Chances, CONTRACT, rows, number, USUAL, tmp_path)
    assert (found["row"], found["cells"][0]["value"]) == (number, value)


def test_other_answers_have_no_reasons(tmp_path: Path) -> None:
    contract = CONTRACT | {"facts": CONTRACT["facts"] | {"problem_type": "segmentation"}}
    with pytest.raises(InputProblem, match="classes and numbers"):
        reasons(Chances, contract, USUAL, 1, USUAL, tmp_path)


@pytest.mark.parametrize(
    ("problem", "answers", "said"),
    [
        ("binary", {"left": [None, "no"], "probability_no": [0.5, 0.5]}, "no answer for row 1"),
        ("binary", {"left": ["no", "no"]}, "no probability for row 1"),
        ("regression", {"left": [float("nan"), 1.0]}, "no answer for row 1"),
    ],
)
def test_a_row_without_an_answer(problem: str, answers: dict, said: str, tmp_path: Path) -> None:
    class Fails:
        predict = staticmethod(lambda rows, model_dir: pd.DataFrame(answers))

    contract = CONTRACT | {"facts": CONTRACT["facts"] | {"problem_type": problem}}
    with pytest.raises(InputProblem, match=said):
        reasons(Fails, contract, pd.DataFrame({"age": [30]}), 1, USUAL, tmp_path)


@pytest.mark.parametrize("place", [".", "..", "folder"])
def test_a_folder_in_place_of_a_file(place: str, made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path / "folder" if place != "folder" else tmp_path)
    with pytest.raises(UserError, match="is a folder"):
        reasons_for(made.archive, Path(place), 1)
    with pytest.raises(UserError, match="nothing at"):
        reasons_for(made.archive, Path("nowhere.csv"), 1)


def test_where_a_risk_was_asked_for_it_is_explained(tmp_path: Path) -> None:
    contract = CONTRACT | {"facts": CONTRACT["facts"] | {"positive_label": "yes"}, "output": {"value": "probability"}}
    found = reasons(Chances, contract, pd.DataFrame({"age": [30, 90]}), 1, USUAL, tmp_path)
    assert (found["answer"], found["probability"], found["risk"]) == ("yes", 0.3, True)
    assert told(found).splitlines() == [
        "The probability of yes for row 1 is 0.30.",
        "age: 30 in place of the usual 40 lowers the probability of yes by 0.1.",
    ]


def test_a_usual_row_is_called_so(tmp_path: Path) -> None:
    found = reasons(Chances, CONTRACT, USUAL, 1, USUAL, tmp_path)
    assert told(found).endswith("All its cells hold what is usual in the training data.")
