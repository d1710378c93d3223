"""Predict new rows with the predictor in this folder.

    python predict.py NEW_DATA --out predictions.csv
    python predict.py --row size=120 --row city=Graz

NEW_DATA is a file (or folder) in the form of the training data; the answer column is not needed.
Exit status: 0 done, 2 something to correct in the input, 1 a fault.
"""

from __future__ import annotations

import argparse
import difflib
import importlib.util
import json
import sys
import tempfile
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

HERE = Path(__file__).resolve().parent
PREFIX = "probability_"


class InputProblem(Exception):
    """Something the user can correct; the message is meant for them."""


# -- writing predictions in the asked form


def write_predictions(rows: pd.DataFrame, predictions: pd.DataFrame, output: dict[str, Any], facts: dict[str, Any], path: Path) -> Path:
    """Write one line a row in the form that was asked for.

    Parameters
    ----------
    rows
        The rows that were predicted; ids are taken from here.
    predictions
        What the solution's `predict` returned, with the index of `rows`.
    output
        `file_name`, `format`, `columns` (ids first, then targets) and `value` (label, probability, number).
    facts
        `targets`, `id`, `labels`, `positive_label` and `problem_type` of the task.
    path
        The file to write; its ending does not matter, `output["format"]` does.
    """
    table = format_predictions(rows, predictions, output, facts)
    kind = output.get("format", "csv")
    if kind in ("csv", "tsv"):
        table.to_csv(path, index=False, sep="," if kind == "csv" else "\t", encoding="utf-8")
    elif kind in ("json", "jsonl"):
        table.to_json(path, orient="records", lines=kind == "jsonl", force_ascii=False)
    elif kind == "parquet":
        table.to_parquet(path, index=False)
    else:
        table.to_excel(path, index=False)
    return path


def format_predictions(rows: pd.DataFrame, predictions: pd.DataFrame, output: dict[str, Any], facts: dict[str, Any]) -> pd.DataFrame:
    """The predictions as a table in the form that was asked for; parameters as in `write_predictions`."""
    import pandas as pd

    targets = facts["targets"]
    names = list(output.get("columns") or [*([facts["id"]] if facts["id"] else []), *targets])
    leading = names[: len(names) - len(targets)]
    columns: dict[str, Any] = {}
    for position, name in enumerate(leading):
        source = name if name in rows else facts["id"] if position == 0 else None
        if source is not None and source in rows:
            columns[name] = rows[source].to_numpy()
        elif position == 0:
            columns[name] = range(len(rows))  # no id came with the rows: their number, from zero
    for name, target in zip(names[len(leading) :], targets, strict=True):
        columns[name] = _values(predictions, target, output.get("value", "label"), facts).to_numpy()
    return pd.DataFrame(columns)


def _values(predictions: pd.DataFrame, target: str, value: str, facts: dict[str, Any]) -> pd.Series:
    if value != "probability":
        return predictions[target]
    if len(facts["targets"]) > 1:
        return predictions[PREFIX + target]
    labels = [name.removeprefix(PREFIX) for name in predictions.columns if name.startswith(PREFIX)]
    positive = facts["positive_label"] if facts["positive_label"] in labels else labels[-1] if labels else None
    if facts["problem_type"] != "binary" or positive is None:
        return predictions[target]
    return predictions[PREFIX + positive]


# -- predicting


def predict(source: Path | None, typed: dict[str, str], out: Path, *, probabilities: bool = False, here: Path = HERE) -> list[str]:
    """Predict a file or a typed row and write the answers; returns warnings."""
    contract = json.loads((here / "contract.json").read_text(encoding="utf-8"))
    warnings = version_warnings(contract)
    solution = _solution(here)
    with tempfile.TemporaryDirectory() as folder:
        if typed:
            source = Path(folder) / "row.csv"
            _write_row(typed, contract, source)
        assert source is not None
        if not source.exists():
            raise InputProblem(f"There is no file {source}.")
        try:
            rows = solution.load_new(source, here / "model")
        except (ValueError, KeyError, UnicodeError) as error:
            raise InputProblem(f"{source.name} could not be read as a table: {error}") from error
    warnings += check_columns(rows, contract)
    predictions = solution.predict(rows, here / "model")
    write_predictions(rows, predictions, contract["output"], contract["facts"], out)
    if probabilities:
        wide = format_predictions(rows, predictions, contract["output"], contract["facts"])
        chances = predictions[[name for name in predictions.columns if name.startswith(PREFIX)]].reset_index(drop=True)
        wide.join(chances, rsuffix="_").to_csv(out, index=False)
    return warnings


def check_columns(rows: pd.DataFrame, contract: dict[str, Any]) -> list[str]:
    """Compare the columns with those of the training data; returns warnings about extra ones.

    Raises
    ------
    InputProblem
        When the rows are none, or a column is missing or holds no values of its kind.
    """
    if rows.empty:
        raise InputProblem("The new data holds no rows.")
    known = {column["name"] for column in contract["columns"]}
    missing = [c["name"] for c in contract["columns"] if c["required"] and (c["name"] not in rows or rows[c["name"]].isna().all())]
    absent = [name for name in missing if name not in rows]
    others = [str(name) for name in rows.columns if name not in known]
    if absent:
        sentences = []
        for name in absent:
            near = difflib.get_close_matches(name, others, n=1)
            sentences.append(f'The column "{name}" is missing' + (f'; is it "{near[0]}"?' if near else "."))
        raise InputProblem(" ".join(sentences) + " Add it or rename the column that holds it, and try again.")
    warnings = [f'The column "{name}" holds no usable values; predictions are less certain.' for name in missing]
    answers = set(contract["facts"]["targets"]) | {contract["facts"]["id"]} | set(contract.get("ignored", []))
    extra = [name for name in others if name not in answers]
    if extra:
        listed = ", ".join(f'"{name}"' for name in extra[:5]) + (f" and {len(extra) - 5} more" if len(extra) > 5 else "")
        warnings.append(f"Not known from training and ignored: {listed}.")
    return warnings


def version_warnings(contract: dict[str, Any]) -> list[str]:
    """What differs from where the predictor was trained.

    Raises
    ------
    InputProblem
        When a package it cannot do without is missing or of another version.
    """
    trained = tuple(map(int, contract["python"].split(".")[:2]))
    if sys.version_info[:2] != trained:
        raise InputProblem(
            f"This predictor was trained with Python {trained[0]}.{trained[1]} and this is Python {sys.version_info[0]}."
            f"{sys.version_info[1]}. Make an environment with Python {trained[0]}.{trained[1]} and install requirements.txt in it."
        )
    warnings = []
    for name, version in contract["packages"].items():
        try:
            here = metadata.version(name)
        except metadata.PackageNotFoundError:
            raise InputProblem(f"The package {name} is not installed. Run: pip install -r requirements.txt") from None
        if here.split(".")[:2] != version.split(".")[:2]:
            text = f"The predictor was trained with {name} {version}, and {here} is installed."
            if name.startswith("autogluon"):
                raise InputProblem(f"{text} Run: pip install -r requirements.txt")
            warnings.append(text)
    return warnings


def _write_row(typed: dict[str, str], contract: dict[str, Any], path: Path) -> None:
    import pandas as pd

    names = [column["name"] for column in contract["columns"]]
    foreign = [name for name in typed if name not in names and name != contract["facts"]["id"]]
    if foreign:
        near = difflib.get_close_matches(foreign[0], names, n=1)
        raise InputProblem(f'There is no column "{foreign[0]}".' + (f' Is it "{near[0]}"?' if near else f" Columns: {', '.join(names)}."))
    row = {column["name"]: typed.get(column["name"], column.get("typical", "")) for column in contract["columns"]}
    if contract["facts"]["id"]:
        row.setdefault(contract["facts"]["id"], typed.get(contract["facts"]["id"], "1"))
    pd.DataFrame([row]).to_csv(path, index=False)


def _solution(here: Path) -> Any:
    spec = importlib.util.spec_from_file_location("solution", here / "solution.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["solution"] = module
    spec.loader.exec_module(module)
    return module


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Predict new rows with the predictor in this folder.")
    parser.add_argument("new_data", nargs="?", type=Path, help="a file in the form of the training data")
    parser.add_argument("--out", type=Path, default=Path("predictions.csv"), help="the file to write")
    parser.add_argument("--row", action="append", default=[], metavar="NAME=VALUE", help="a value of one row typed in; may be repeated")
    parser.add_argument("--probabilities", action="store_true", help="also write the probability of each label (as CSV)")
    asked = parser.parse_args(arguments)
    typed = dict(text.split("=", 1) for text in asked.row if "=" in text)
    if (asked.new_data is None) == (not typed):
        parser.error("give a file, or one --row NAME=VALUE for each value")
    try:
        warnings = predict(asked.new_data, typed, asked.out, probabilities=asked.probabilities)
    except InputProblem as problem:
        print(problem, file=sys.stderr)
        return 2
    for warning in warnings:
        print(f"Note: {warning}", file=sys.stderr)
    print(f"Written to {asked.out}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
