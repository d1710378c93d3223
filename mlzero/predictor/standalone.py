"""Predict new rows with the predictor in this folder.

    python predict.py NEW_DATA --out predictions.csv
    python predict.py --row size=120 --row city=Graz
    python predict.py NEW_DATA --check

NEW_DATA is a file (or folder) in the form of the training data; the answer column is not needed. Answers that are
pictures are written into a folder of the name given, or into a zip file when the name ends so.
Exit status: 0 done, 2 something to correct, said in one sentence, 1 a fault.
"""

from __future__ import annotations

import argparse
import csv
import difflib
import importlib.util
import json
import os
import re
import sys
import tempfile
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

HERE = Path(__file__).resolve().parent
FORMAT = 1  # of contract.json
PREFIX = "probability_"
KEYS = re.compile(
    r"(ids?|uuid|key|nr|no|number|index|code|ref|nummer|kennung|numero|codigo|identifiant|编号|序号|番号)"
)
FORMATS = ("csv", "tsv", "json", "jsonl", "parquet", "xlsx")
PICTURES = ("masks", "images")  # formats that are folders of PNG files


class InputProblem(Exception):
    """Something the user can correct; the message is one sentence or two meant for them."""


# -- writing predictions in the asked form


def write_predictions(
    rows: pd.DataFrame, predictions: pd.DataFrame, output: dict[str, Any], facts: dict[str, Any], path: Path
) -> Path:
    """Write one line a row in the form that was asked for.

    Parameters
    ----------
    rows
        The rows that were predicted; ids are taken from here.
    predictions
        What the solution's `predict` returned, with the index of `rows`.
    output
        `format`, `columns` (ids first, then targets) and `value` (label, probability, number).
    facts
        `targets`, `id`, `labels`, `positive_label` and `problem_type` of the task.
    path
        The file to write; its ending does not matter, `output["format"]` does.
    """
    kind = output.get("format", "csv")
    if kind in PICTURES:
        names = rows[facts["id"]].astype(str).tolist()
        written: Path = _beside("picture_files").write_pictures(names, predictions[facts["targets"][0]].tolist(), path)
        return written
    if kind == "coco":
        found: Path = _beside("picture_files").write_coco(rows, predictions, facts, path)
        return found
    return write_table(format_predictions(rows, predictions, output, facts), kind, path)


def format_predictions(
    rows: pd.DataFrame, predictions: pd.DataFrame, output: dict[str, Any], facts: dict[str, Any]
) -> pd.DataFrame:
    """The predictions as a table in the form that was asked for; parameters as in `write_predictions`."""
    import pandas as pd

    if facts.get("problem_type") == "detection":
        boxes: pd.DataFrame = _beside("picture_files").boxes_table(rows, predictions, facts)
        return boxes
    if output.get("layout") == "wide":
        return _one_line_a_series(rows, predictions[facts["targets"][0]], list(output["columns"]))
    targets, value = list(facts["targets"]), output.get("value", "label")
    names = list(output.get("columns") or [*([facts["id"]] if facts["id"] else []), *targets])
    if output.get("layout") == "long":
        return _ranked(rows, predictions[targets[0]], names, facts["id"])
    answers = _label_columns(names, predictions, facts) if value == "probability" else {}
    if not answers:
        last = names[len(names) - len(targets) :]
        answers = dict(zip(last, (_values(predictions, target, value, facts) for target in targets), strict=True))
    columns: dict[str, Any] = {}
    for position, name in enumerate(names):
        source = name if name in rows else facts["id"] if position == 0 else None
        if name in answers:
            columns[name] = answers[name].to_numpy()
        elif source is not None and source in rows:
            columns[name] = _dates_as_asked(rows[source], (output.get("dates") or {}).get(name)).to_numpy()
        else:  # no id came with the rows: their number, from one; nothing is known of further columns
            columns[name] = range(1, len(rows) + 1) if position == 0 else None
    return pd.DataFrame(columns, index=range(len(rows)))


def _ranked(rows: pd.DataFrame, answers: pd.Series, names: list[str], key: str | None) -> pd.DataFrame:
    """One line a document: the id of its query, its own, and its rank in any further columns (a score falls instead)."""
    import pandas as pd

    queries = rows[key] if key in rows else pd.Series(range(1, len(rows) + 1), index=rows.index)
    lines = [
        [query, document, *(round(1 / rank, 6) if "score" in name.lower() else rank for name in names[2:])]
        for query, text in zip(queries, answers.loc[rows.index], strict=True)
        for rank, document in enumerate(str(text).split(" "), start=1)
    ]
    return pd.DataFrame(lines, columns=names)


def _one_line_a_series(rows: pd.DataFrame, values: pd.Series, names: list[str]) -> pd.DataFrame:
    """A line a series with a column a step, from rows in the order of the steps; the steps are the names not in `rows`."""
    import pandas as pd

    keys = [name for name in names if name in rows]
    steps = [name for name in names if name not in rows]
    series = rows[keys].astype(str).agg("\x1f".join, axis=1)
    number = series.groupby(series).cumcount()
    lines = pd.DataFrame({"series": series, "number": number, "value": values.to_numpy()})
    wide = lines.pivot(index="series", columns="number", values="value").reindex(series.drop_duplicates())
    found = rows[keys].loc[~series.duplicated()].reset_index(drop=True)
    for place, name in enumerate(steps):
        found[name] = wide[place].to_numpy() if place in wide else None
    return found[names]


def _dates_as_asked(values: pd.Series, pattern: str | None) -> pd.Series:
    import pandas as pd

    if pattern and "%" in pattern and pd.api.types.is_datetime64_any_dtype(values):
        return values.dt.strftime(pattern)
    return values


def write_table(table: pd.DataFrame, kind: str, path: Path) -> Path:
    """Write a table as csv, tsv, json, jsonl, parquet or xlsx; the file appears when it is whole."""
    import pandas as pd

    partial = path.with_name(f".part-{path.stem}.{kind}")
    if kind in ("json", "jsonl"):
        table.to_json(partial, orient="records", lines=kind == "jsonl", force_ascii=False, double_precision=15)
    elif kind == "parquet":
        mixed = [n for n in table if pd.api.types.infer_dtype(table[n]).startswith("mixed")]
        table.astype(dict.fromkeys(mixed, str)).to_parquet(partial, index=False)
    elif kind == "xlsx":
        with pd.ExcelWriter(partial, engine="openpyxl") as book:
            table.to_excel(book, index=False)
            for cell in (cell for line in book.sheets["Sheet1"].iter_rows() for cell in line):
                if cell.data_type == "f":
                    cell.data_type = "s"  # a text that begins with "=" is no formula
    else:
        table.to_csv(partial, index=False, sep="\t" if kind == "tsv" else ",", encoding="utf-8")
    os.replace(partial, path)
    return path


def _values(predictions: pd.DataFrame, target: str, value: str, facts: dict[str, Any]) -> pd.Series:
    if value != "probability":
        return predictions[target]
    if len(facts["targets"]) > 1:
        return predictions[PREFIX + target] if PREFIX + target in predictions else predictions[target]
    labels = [name.removeprefix(PREFIX) for name in predictions.columns if name.startswith(PREFIX)]
    positive = facts["positive_label"] if facts["positive_label"] in labels else labels[-1] if labels else None
    if facts["problem_type"] != "binary" or positive is None:
        return predictions[target]
    return predictions[PREFIX + positive]


def _label_columns(names: list[str], predictions: pd.DataFrame, facts: dict[str, Any]) -> dict[str, pd.Series]:
    """The probability of each label, when the asked columns are one a label (`A` or `target_A`); else nothing."""
    if len(facts["targets"]) != 1:
        return {}
    labels = [name.removeprefix(PREFIX) for name in predictions.columns if name.startswith(PREFIX)]
    found = {
        name: predictions[PREFIX + label]
        for label in labels
        for name in names
        if name in (label, PREFIX + label, f"{facts['targets'][0]}_{label}")
    }
    return found if labels and len(found) == len(labels) else {}


# -- predicting


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
    """
    contract = read_contract(here)
    warnings = version_warnings(contract)
    solution = _solution(here)
    with tempfile.TemporaryDirectory() as folder:
        if source is None:
            source = Path(folder) / "row.csv"
            warnings += _write_row(typed, contract, source)
        rows = _load(solution, source, here / "model")
    warnings += check_columns(rows, contract)
    if out is None:
        return warnings
    predictions = solution.predict(rows, here / "model")
    ending, output = out.suffix.lower().lstrip("."), contract["output"]
    out.parent.mkdir(parents=True, exist_ok=True)
    if output.get("format") in PICTURES and ending != "parquet":
        write_predictions(rows, predictions, output, contract["facts"], out)
        return warnings
    if output.get("format") == "coco" and ending not in {*FORMATS} - {"json"}:
        write_predictions(rows, predictions, output, contract["facts"], out)
        return warnings
    table = format_predictions(rows, predictions, contract["output"], contract["facts"])
    key = own_key(rows, contract)
    if key is not None:
        table.insert(0, key, rows[key].to_numpy())
    if probabilities:
        more = [n for n in predictions.columns if n.startswith(PREFIX) and n not in table]
        table = table.join(predictions[more].reset_index(drop=True))
    write_table(table, ending if ending in FORMATS else output.get("format", "csv"), out)
    return warnings


def write_rows(rows: pd.DataFrame, contract: dict[str, Any], path: Path) -> None:
    """Write rows as the training table was written: separator, quotation marks, encoding."""
    how = contract["written"]
    quoting: dict[str, Any] = (
        {"quotechar": how["quote"]} if how["quote"] else {"quoting": csv.QUOTE_NONE, "escapechar": "\\"}
    )
    rows.to_csv(path, index=False, sep=how["separator"], encoding=how["encoding"], errors="replace", **quoting)


def read_contract(here: Path = HERE) -> dict[str, Any]:
    """`contract.json`; raises InputProblem when it is of a newer kind than this program."""
    contract: dict[str, Any] = json.loads((here / "contract.json").read_text(encoding="utf-8"))
    if contract.get("format") != FORMAT:
        raise InputProblem(
            "This predictor was made by another version of MLZero; use the predict.py that came with it."
        )
    return contract


def check_columns(rows: pd.DataFrame, contract: dict[str, Any]) -> list[str]:
    """Compare the columns with those of the training data; returns warnings.

    Raises
    ------
    InputProblem
        When there are no rows, or a column is missing or holds no value of its kind.
    """
    if not len(rows):
        raise InputProblem("The new data holds no rows.")
    known = {column["name"] for column in contract["columns"]}
    others = [str(name) for name in rows.columns if name not in known]
    absent = [c["name"] for c in contract["columns"] if c["required"] and c["name"] not in rows]
    if absent:
        sentences = [f'The column "{name}" is missing{_closest(name, others)}' for name in absent[:10]]
        more = [f"{len(absent) - 10} more columns are missing."] if len(absent) > 10 else []
        raise InputProblem(" ".join([*sentences, *more, "Add it, or rename the column that holds it."]))
    unknown = [c["name"] for c in contract["columns"] if not c["required"] and c["name"] not in rows]
    warnings = [f"Not in the new data, so the answers are less certain: {_listed(unknown)}."] if unknown else []
    for column in contract["columns"]:
        if column["name"] in rows:
            warnings += _check_values(rows[column["name"]], column)
    facts = contract["facts"]
    used = {*facts["targets"], facts["id"], own_key(rows, contract), *contract.get("ignored", [])}
    extra = [n for n in others if n not in used]
    if extra:
        warnings.append(f"Not known from training and ignored: {_listed(extra)}.")
    if facts["id"] and facts["id"] not in rows:
        warnings.append(f'There is no column "{facts["id"]}", so the rows are numbered from 1.')
    return warnings


def own_key(rows: pd.DataFrame, contract: dict[str, Any]) -> str | None:
    """A column that names the new rows, where the training data had none: `id`, `nr` and the like, never twice the same."""
    output, facts = contract["output"], contract["facts"]
    if facts["id"] or len(output.get("columns") or facts["targets"]) > len(facts["targets"]):
        return None
    known = {column["name"] for column in contract["columns"]} | {*facts["targets"], *contract.get("ignored", [])}
    for name in rows.columns:
        parts = re.split(r"[\W_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", str(name)).lower())
        if name not in known and any(map(KEYS.fullmatch, parts)) and rows[name].notna().all() and rows[name].is_unique:
            return str(name)
    return None


def _check_values(values: pd.Series, column: dict[str, Any]) -> list[str]:
    """Warnings about the cells of one column; raises InputProblem when none is of its kind."""
    import pandas as pd

    name, kind, given = column["name"], column["kind"], values.dropna()
    if given.empty:
        return [f'The column "{name}" holds no usable values, so the predictions are less certain.']
    if not (pd.api.types.is_object_dtype(given) or pd.api.types.is_string_dtype(given)):
        return []
    if kind in ("number", "date"):
        dates = kind == "date"
        read = (
            pd.to_datetime(given, errors="coerce", format="mixed") if dates else pd.to_numeric(given, errors="coerce")
        )
        wrong = given[read.isna()]
        what = f'The column "{name}" should hold {kind}s'
        if len(wrong) == len(given):
            usual = f", such as {column['typical']}" if column.get("typical") else ""
            raise InputProblem(f'{what}{usual}, but holds "{_short(wrong.iloc[0])}".')
        if len(wrong):
            return [
                f'{what}; {len(wrong)} of {len(values)} rows hold others, such as "{_short(wrong.iloc[0])}", taken as empty.'
            ]
    elif kind == "category" and column.get("choices"):
        unseen = sorted({str(v) for v in given} - set(column["choices"]))
        if unseen:
            return [f'The column "{name}" holds values that training never saw: {_listed(unseen)}.']
    return []


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
        raise InputProblem(f"{source.name} could not be read as new data: {error or type(error).__name__}") from error
    return rows


def _write_row(typed: dict[str, str], contract: dict[str, Any], path: Path) -> list[str]:
    """Write the typed cells as a table, with usual values for the others; warnings that say so."""
    import pandas as pd

    names = [column["name"] for column in contract["columns"]]
    key = contract["facts"]["id"]
    foreign = [name for name in typed if name not in names and name != key]
    if foreign:
        raise InputProblem(
            f'There is no column "{foreign[0]}"{_closest(foreign[0], names)} The columns are {_listed(names, 30)}.'
        )
    row = {column["name"]: typed.get(column["name"], column.get("typical", "")) for column in contract["columns"]}
    if key:
        row[key] = typed.get(key, "1")
    write_rows(pd.DataFrame([row]), contract, path)
    usual = [f"{name} = {row[name]}" for name in names if name not in typed and row[name]]
    return [f"Not given, so taken as usual: {', '.join(usual[:30])}{' …' if len(usual) > 30 else ''}."] if usual else []


def _closest(name: str, others: Sequence[str]) -> str:
    """`; is it "Alter"?` where a similar name exists, else a full stop."""
    plain = {other.casefold(): other for other in others}
    near = difflib.get_close_matches(name.casefold(), plain, n=1)
    return f'; is it "{plain[near[0]]}"?' if near else "."


def _listed(names: Sequence[str], most: int = 5) -> str:
    text = ", ".join(f'"{_short(name)}"' for name in names[:most])
    return f"{text} and {len(names) - most} more" if len(names) > most else text


def _short(value: object) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= 60 else f"{text[:59]}…"


def _solution(here: Path) -> Any:
    return _module("solution", here / "solution.py")


def _beside(name: str) -> Any:
    """A module in the folder of this file."""
    return sys.modules.get(f"mlzero_{name}") or _module(f"mlzero_{name}", HERE / f"{name}.py")


def _module(name: str, path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def main(arguments: list[str] | None = None) -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(description="Predict new rows with the predictor in this folder.")
    parser.add_argument("new_data", nargs="?", type=Path, help="a file in the form of the training data")
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("predictions.csv"),
        help="file to write: .csv, .tsv, .json, .jsonl, .parquet, .xlsx",
    )
    parser.add_argument(
        "--row", action="append", nargs="+", default=[], metavar="NAME=VALUE", help="cells of one row typed in"
    )
    parser.add_argument("--probabilities", action="store_true", help="also write the probability of each label")
    parser.add_argument("--check", action="store_true", help="check versions and columns, and predict nothing")
    asked = parser.parse_args(arguments)
    cells = [cell for group in asked.row for cell in group]
    typed = dict(cell.split("=", 1) for cell in cells if "=" in cell)
    if len(typed) < len(cells):
        parser.error("each cell of --row is written NAME=VALUE, in quotes when it holds blanks, and given once")
    if (asked.new_data is not None and typed) or not (asked.new_data or typed or asked.check):
        parser.error("give a file, or one row as --row NAME=VALUE ...")
    try:
        if asked.new_data is None and not typed:
            warnings = version_warnings(read_contract())
        else:
            out = None if asked.check else asked.out
            warnings = predict(asked.new_data, typed, out, probabilities=asked.probabilities)
    except InputProblem as problem:
        print(" ".join(str(problem).split()), file=sys.stderr)
        return 2
    for warning in warnings:
        print(f"Note: {warning}", file=sys.stderr)
    print("Everything needed is there." if asked.check else f"Written to {asked.out}", file=sys.stderr)
    return 0


def leave(status: int) -> None:
    """End at once: what libraries still run in threads could abort an orderly end, long after all was written."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(status)


if __name__ == "__main__":
    leave(main())
