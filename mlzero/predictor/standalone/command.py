"""The command behind `predict.py`: read new rows, check them, predict, write the answers."""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import answers, inputs, reasons
from .inputs import InputProblem

if TYPE_CHECKING:
    import pandas as pd

HERE = Path(__file__).resolve().parents[1]  # the folder of the predictor
FORMAT = 1  # of contract.json


def predict(
    source: Path | None, typed: dict[str, str], out: Path | None, *, probabilities: bool = False, here: Path = HERE
) -> list[str]:
    """Predict a file or a typed row and write the answers; returns warnings.

    Parameters
    ----------
    source
        File of new rows; None to use `typed`, the cells of one row.
    out
        File to write; its ending chooses the format where it is a known one, else the asked format holds.
        None only checks versions and columns.

    Raises
    ------
    InputProblem
        When the rows do not fit, or the predictor does not work with the versions that are installed.
    """
    contract = read_contract(here)
    warnings = version_warnings(contract)
    solution = _solution(here)
    with tempfile.TemporaryDirectory() as folder:
        if source is None:
            source = Path(folder) / "row.csv"
            warnings += inputs.write_row(typed, contract, source)
        rows = _load(solution, source, here / "model")
    if blank := rows.attrs.get("blank_rows"):
        which = "1 row without any value was" if blank == 1 else f"{blank:,} rows without any value were"
        warnings.append(f"{which} left out, so the later ones move up.")
    if others := rows.attrs.get("sheets", [])[1:]:
        named = ", ".join(f'"{name}"' for name in others)
        warnings.append(f'The rows of the sheet "{rows.attrs["sheets"][0]}" are answered; not those of {named}.')
    warnings += inputs.check_columns(rows, contract)
    if out is None:
        return warnings
    predictions = solution.predict(rows, here / "model")
    output, facts = contract["output"], contract["facts"]
    kind = answers.format_of(out, output.get("format", "csv"))
    if kind not in answers.TABLES:
        with _writing(out, folder=kind in answers.PICTURES):
            answers.write_predictions(rows, predictions, output, facts, out)
        return warnings
    table = answers.format_predictions(rows, predictions, output, facts)
    key = inputs.own_key(rows, contract)
    if key is not None:
        table.insert(0, key, rows[key].to_numpy())
    if probabilities:
        more = [n for n in predictions.columns if n.startswith(answers.PREFIX) and n not in table]
        table = table.join(predictions[more].reset_index(drop=True))
    with _writing(out):
        answers.write_table(table, kind, out, output.get("dialect"))
    return warnings


def why(source: Path, number: int, *, here: Path = HERE) -> dict[str, Any]:
    """Why row `number` of a file, counted from 1 with blank ones, gets its answer; as `reasons.reasons` tells it.

    Raises
    ------
    InputProblem
        When the rows do not fit, there is no such row, or there are no reasons for this kind of answer.
    """
    contract = read_contract(here)
    version_warnings(contract)
    solution, model_dir = _solution(here), here / "model"
    rows = _load(solution, source, model_dir)
    inputs.check_columns(rows, contract)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "usual.csv"
        inputs.write_row({}, contract, path)
        usual = _load(solution, path, model_dir)
    usual = usual.reset_index(drop=True).reindex([0])  # a row without any cell is read as none
    return reasons.reasons(solution, contract, rows, number, usual, model_dir)


def read_contract(here: Path = HERE) -> dict[str, Any]:
    """`contract.json`: columns, facts of the task, form of the answers, versions.

    Raises
    ------
    InputProblem
        When it is of another kind than this program knows.
    OSError, ValueError
        When it cannot be read.
    """
    contract: dict[str, Any] = json.loads((here / "contract.json").read_text(encoding="utf-8"))
    if contract.get("format") != FORMAT:
        raise InputProblem(
            "This predictor was made by another version of MLZero; use the predict.py that came with it."
        )
    return contract


def version_warnings(contract: dict[str, Any]) -> list[str]:
    """What differs from where the predictor was trained.

    Raises
    ------
    InputProblem
        When Python or a package it cannot do without is missing or of another version.
    """
    needed, here = contract["python"].split(".")[:2], [str(part) for part in sys.version_info[:2]]
    if needed != here:
        raise InputProblem(
            f"This predictor was trained with Python {'.'.join(needed)} and this is Python {'.'.join(here)}. "
            f"Make an environment with Python {'.'.join(needed)} and install requirements.txt in it."
        )
    warnings = []
    for name, version in contract["packages"].items():
        try:
            found = metadata.version(name).partition("+")[0]
        except metadata.PackageNotFoundError:
            raise InputProblem(f"The package {name} is not installed. Run: pip install -r requirements.txt") from None
        text = f"The predictor was trained with {name} {version}, and {found} is installed."
        if name.startswith("autogluon") and found != version:
            raise InputProblem(f"{text} Run: pip install -r requirements.txt")
        if found.split(".")[:2] != version.split(".")[:2]:
            warnings.append(text)
    return warnings


def _load(solution: Any, source: Path, model_dir: Path) -> pd.DataFrame:
    """The rows of a file, read by the solution; raises InputProblem when it cannot."""
    if not source.exists():
        raise InputProblem(f"There is no file {source}.")
    if source.is_file() and not source.stat().st_size:
        raise InputProblem(f"{source.name} is empty.")
    try:
        rows: pd.DataFrame = solution.load_new(source, model_dir)
    except IsADirectoryError as error:
        raise InputProblem(f"{source.name} is a folder. Give one file of new rows.") from error
    except Exception as error:  # every reader has its own ways to say that a file is not what it should be
        if type(error).__name__ == "EmptyDataError":
            raise InputProblem(f"{source.name} holds nothing but blanks.") from error
        raise InputProblem(f"{source.name} could not be read as new data: {error or type(error).__name__}") from error
    return rows


def _solution(here: Path) -> Any:
    """`solution.py` of the predictor, importable as `solution`, so that what it pickled can be read back."""
    spec = importlib.util.spec_from_file_location("solution", here / "solution.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["solution"] = module
    spec.loader.exec_module(module)
    return module


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns the exit status: 0 done, 2 something to correct, said in one sentence."""
    parser = argparse.ArgumentParser(description="Predict new rows with the predictor in this folder.")
    parser.add_argument("new_data", nargs="?", type=Path, help="a file in the form of the training data")
    parser.add_argument(
        "--out",
        type=Path,
        help="file to write: .csv, .tsv, .json, .jsonl, .parquet, .xlsx; predictions.csv by default",
    )
    parser.add_argument(
        "--row", action="append", nargs="+", default=[], metavar="NAME=VALUE", help="cells of one row typed in"
    )
    parser.add_argument("--probabilities", action="store_true", help="also write the probability of each label")
    parser.add_argument("--check", action="store_true", help="check versions and columns, and predict nothing")
    parser.add_argument(
        "--why", type=int, metavar="ROW", help="which cells of row 1, 2, ... of the file its answer comes from"
    )
    asked = parser.parse_args(arguments)
    cells = [cell for group in asked.row for cell in group]
    typed = dict(cell.split("=", 1) for cell in cells if "=" in cell)
    if len(typed) < len(cells):
        parser.error("each cell of --row is written NAME=VALUE, in quotes when it holds blanks, and given once")
    if (asked.new_data is not None and typed) or not (asked.new_data or typed or asked.check):
        parser.error("give a file, or one row as --row NAME=VALUE ...")
    if asked.why is not None and asked.new_data is None:
        parser.error("--why needs a file and the number of one of its rows")
    out = asked.out or Path("predictions.csv")
    try:
        if asked.why is not None:
            _tell(why(asked.new_data, asked.why), asked.out)
            return 0
        if asked.new_data is None and not typed:
            warnings = version_warnings(read_contract())
        else:
            warnings = predict(asked.new_data, typed, None if asked.check else out, probabilities=asked.probabilities)
    except InputProblem as problem:
        print(" ".join(str(problem).split()), file=sys.stderr)
        return 2
    for warning in warnings:
        print(f"Note: {warning}", file=sys.stderr)
    print("Everything needed is there." if asked.check else f"Written to {out}", file=sys.stderr)
    return 0


def _tell(found: dict[str, Any], out: Path | None) -> None:
    """Reasons as sentences on the screen, or as JSON in a file."""
    if out is None:
        print(reasons.told(found))
    else:
        with _writing(out):
            out.write_text(json.dumps(found, ensure_ascii=False, indent=1), encoding="utf-8")


@contextmanager
def _writing(out: Path, *, folder: bool = False) -> Iterator[None]:
    """For the writing of a file, or also into a `folder`; raises InputProblem where that cannot be."""
    try:
        if out.is_dir() and not folder:
            raise InputProblem(f"{out} is a folder. Name the file to write with --out.")
        out.parent.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise InputProblem(
            f"{out} cannot be written: {error.strerror or error}. Name another file with --out."
        ) from error


def leave(status: int) -> None:
    """End at once: what libraries still run in threads could abort an orderly end, long after all was written."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(status)
