"""Predictions in the form that was asked for: which columns, which format."""

from __future__ import annotations

import os
import re
from datetime import datetime, time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import dialect as dialects
from . import pictures

if TYPE_CHECKING:
    import pandas as pd

PREFIX = "probability_"
TABLES = ("csv", "tsv", "json", "jsonl", "parquet", "xlsx")  # formats with one line a row
PICTURES = ("masks", "images")  # formats that are folders of PNG files


def format_of(path: Path, asked: str) -> str:
    """The format to write: that of the name's ending where it is a known one, else the asked one.

    Pictures become a table only as parquet, which holds their bytes; `.json` of boxes is the list that COCO wants.
    """
    ending = path.suffix.lower().lstrip(".")
    if (asked in PICTURES and ending != "parquet") or (asked == "coco" and ending == "json"):
        return asked
    return ending if ending in TABLES else asked


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
        `format`, `columns` (ids first, then targets), `value` (label, probability, number) and the `dialect` of text tables.
    facts
        `targets`, `id`, `labels`, `positive_label` and `problem_type` of the task.
    path
        The file to write; its ending does not matter, `output["format"]` does.
    """
    kind = output.get("format", "csv")
    if kind in PICTURES:
        names = rows[facts["id"]].astype(str).tolist()
        if output.get("pixels") and path.suffix.lower() == ".csv":
            answers = predictions[facts["targets"][0]].tolist()
            return write_table(pictures.pixel_table(names, answers, output["columns"], output["pixels"]), "csv", path)
        return pictures.write_pictures(names, predictions[facts["targets"][0]].tolist(), path)
    if kind == "coco":
        return pictures.write_coco(rows, predictions, facts, path)
    return write_table(format_predictions(rows, predictions, output, facts), kind, path, output.get("dialect"))


def format_predictions(
    rows: pd.DataFrame, predictions: pd.DataFrame, output: dict[str, Any], facts: dict[str, Any]
) -> pd.DataFrame:
    """The predictions as a table in the form that was asked for; parameters as in `write_predictions`."""
    import pandas as pd

    if facts.get("problem_type") == "detection":
        return pictures.boxes_table(rows, predictions, facts)
    if output.get("layout") == "wide":
        return _one_line_a_series(rows, predictions[facts["targets"][0]], list(output["columns"]))
    targets, value = list(facts["targets"]), output.get("value", "label")
    names = list(output.get("columns") or [*([facts["id"]] if facts["id"] else []), *targets])
    if output.get("layout") == "long":
        return _ranked(rows, predictions[targets[0]], names, facts["id"])
    answers = _label_columns(names, predictions, facts) if value == "probability" else {}
    if output.get("label_set") and value == "label":
        answers = {names[-1]: _in_one_cell(predictions, output["label_set"])}
    if not answers:
        places = answer_columns(names, targets)
        answers = dict(zip(places, (_values(predictions, target, value, facts) for target in targets), strict=True))
    parts = (output.get("joined_id") or {}).get("parts", [])
    joinable = bool(parts) and all(part in rows for part in parts)
    columns: dict[str, Any] = {}
    for position, name in enumerate(names):
        source = name if name in rows else facts["id"] if position == 0 else None
        if name in answers:
            columns[name] = _numbers_as_asked(answers[name], (output.get("numbers") or {}).get(name)).to_numpy()
        elif position == 0 and name not in rows and joinable:
            columns[name] = joined(rows, output["joined_id"]).to_numpy()
        elif source is not None and source in rows:
            columns[name] = _dates_as_asked(rows[source], (output.get("dates") or {}).get(name)).to_numpy()
        else:  # no id came with the rows: their number, from one; nothing is known of further columns
            columns[name] = range(1, len(rows) + 1) if position == 0 else None
    return pd.DataFrame(columns, index=range(len(rows)))


def answer_columns(names: list[str], targets: list[str]) -> list[str]:
    """Which of the columns hold the answers: those called as the targets where all are there, else the last ones."""
    own = {name.casefold(): name for name in names}
    called = [own[target.casefold()] for target in targets if target.casefold() in own]
    return called if len(set(called)) == len(targets) else names[len(names) - len(targets) :]


def joined(rows: pd.DataFrame, form: dict[str, Any]) -> pd.Series:
    """One text a row of several columns: `parts` with the `separator` between them; of dates at midnight the days."""
    first, *others = (rows[part].map(_plain).astype(object) for part in form["parts"])
    return first.str.cat(others, sep=form["separator"]) if len(rows) else first


def _plain(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).removesuffix(" 00:00:00")


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
    """Dates as texts by a pattern of `strftime`, in which `%7f` stands for seven digits of a second."""
    import pandas as pd

    if not pattern or "%" not in pattern or not pd.api.types.is_datetime64_any_dtype(values):
        return values
    digits = re.search(r"%([1-9])f", pattern)
    if digits is None:
        return values.dt.strftime(pattern)
    before, after = (values.dt.strftime(part) for part in (pattern[: digits.start()], pattern[digits.end() :]))
    part = 1000 * values.dt.microsecond + values.dt.nanosecond
    return before + part.map("{:09.0f}".format).str[: int(digits[1])] + after


def _in_one_cell(predictions: pd.DataFrame, form: dict[str, Any]) -> pd.Series:
    """The labels that hold, written as in the data, by the keywords of a `LabelSet`."""
    quote = form["quote"]
    cells = predictions[form["labels"]].apply(
        lambda row: form["separator"].join(f"{quote}{label}{quote}" for label, holds in row.items() if holds), axis=1
    )
    return form["opening"] + cells + form["closing"]


def _numbers_as_asked(values: pd.Series, form: dict[str, Any] | None) -> pd.Series:
    """Numbers, or labels that are numbers, as texts such as `12,5 %`, by a `WrittenNumber`; no value stays none."""
    import pandas as pd

    if form is None:
        return values
    values = pd.to_numeric(values)
    marks = str.maketrans({",": form["thousands"], ".": form["decimal"]})
    plain = values.map(f"{{:,.{form['places']}f}}".format, na_action="ignore")
    return plain.map(lambda text: form["before"] + text.translate(marks) + form["after"], na_action="ignore")


def write_table(table: pd.DataFrame, kind: str, path: Path, dialect: dict[str, Any] | None = None) -> Path:
    """Write a table as csv, tsv, json, jsonl, parquet or xlsx; the file appears when it is whole.

    Parameters
    ----------
    dialect
        How text tables are written, as in `dialect.keywords`; None for commas and decimal points with all digits.
    """
    import pandas as pd

    partial = path.with_name(f".part-{path.stem}.{kind}")
    if kind in ("json", "jsonl"):
        dates = {name: _moments(table[name]) for name in table.select_dtypes("datetime")}
        table.assign(**dates).to_json(
            partial, orient="records", lines=kind == "jsonl", force_ascii=False, double_precision=15
        )
    elif kind == "parquet":
        mixed = [n for n in table if pd.api.types.infer_dtype(table[n]).startswith("mixed")]
        table.astype(dict.fromkeys(mixed, str)).to_parquet(partial, index=False)
    elif kind == "xlsx":
        with pd.ExcelWriter(partial, engine="openpyxl") as book:
            table.to_excel(book, index=False)
            for cell in (cell for line in book.sheets["Sheet1"].iter_rows() for cell in line):
                if isinstance(cell.value, datetime) and cell.value.time() == time.min:
                    cell.number_format = "YYYY-MM-DD"
                if cell.data_type == "f":
                    cell.data_type = "s"  # a text that begins with "=" is no formula
    else:
        written = dialects.with_numbers(table, dialect["decimal"]) if dialect else table
        how = dialects.keywords(kind, dialect)
        written.to_csv(partial, index=False, sep=how["sep"], encoding=how["encoding"])
    os.replace(partial, path)
    return path


def _moments(dates: pd.Series) -> pd.Series:
    """Dates as texts of ISO 8601, whole days without a time of day."""
    days = bool((dates.dropna() == dates.dropna().dt.normalize()).all())
    return dates.dt.strftime("%Y-%m-%d" if days else "%Y-%m-%dT%H:%M:%S")


def read_table(path: Path, kind: str, dialect: dict[str, Any] | None = None) -> pd.DataFrame:
    """What `write_table` wrote; the cells of CSV and Excel come back as the texts they are, empty ones as empty texts."""
    import pandas as pd

    if kind == "parquet":
        return pd.read_parquet(path)
    if kind == "xlsx":
        return pd.read_excel(path, dtype=str, keep_default_na=False, engine="openpyxl")
    if kind in ("json", "jsonl"):
        return pd.read_json(path, orient="records", lines=kind == "jsonl", dtype=False, convert_dates=False)
    how = dialects.keywords(kind, dialect)
    return pd.read_csv(
        path, sep=how["sep"], encoding=how["encoding"], dtype=str, keep_default_na=False, skip_blank_lines=False
    )


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
