"""New rows: how they are written, and whether they fit a predictor."""

from __future__ import annotations

import csv
import difflib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

KEYS = re.compile(
    r"(ids?|uuid|key|nr|no|number|index|code|ref|nummer|kennung|numero|codigo|identifiant|编号|序号|番号)"
)

ALIKE = 0.6  # likeness from which two names may be of the same column
LEAST_PART = 4  # letters of a name that is looked for within others


class InputProblem(Exception):
    """Something the user can correct; the message is one sentence or two meant for them."""


def write_rows(rows: pd.DataFrame, contract: dict[str, Any], path: Path) -> None:
    """Write rows as the training table was written: separator, quotation marks, encoding."""
    how = contract["written"]
    quoting: dict[str, Any] = (
        {"quotechar": how["quote"]} if how["quote"] else {"quoting": csv.QUOTE_NONE, "escapechar": "\\"}
    )
    rows.to_csv(path, index=False, sep=how["separator"], encoding=how["encoding"], errors="replace", **quoting)


def write_row(typed: dict[str, str], contract: dict[str, Any], path: Path) -> list[str]:
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


def check_columns(rows: pd.DataFrame, contract: dict[str, Any]) -> list[str]:
    """Compare the columns with those of the training data; returns warnings.

    Raises
    ------
    InputProblem
        When there are no rows, or a column is missing or holds no value of its kind.
    """
    if not len(rows):
        raise InputProblem("The new data holds no rows.")
    facts = contract["facts"]
    listing = (contract["output"].get("label_set") or {}).get("column")  # that lists the labels
    known = {column["name"] for column in contract["columns"]}
    used = {*known, *facts["targets"], facts["id"], listing, own_key(rows, contract), *contract.get("ignored", [])}
    extra = [str(name) for name in rows.columns if name not in used]
    absent = [c["name"] for c in contract["columns"] if c["required"] and c["name"] not in rows]
    if absent:
        spelled = _other_spellings(absent[:10], extra)
        sentences = [
            f'The column "{name}" is missing; your file has "{spelled[name]}", which the predictor does not know.'
            if name in spelled
            else f'The column "{name}" is missing.'
            for name in absent[:10]
        ]
        more = [f"{len(absent) - 10} more columns are missing."] if len(absent) > 10 else []
        raise InputProblem(" ".join([*sentences, *more, "Add it, or rename the column that holds it."]))
    unknown = [c["name"] for c in contract["columns"] if not c["required"] and c["name"] not in rows]
    warnings = [f"Not in the new data, so the answers are less certain: {_listed(unknown)}."] if unknown else []
    empty = [c["name"] for c in contract["columns"] if c["name"] in rows and rows[c["name"]].isna().all()]
    if empty:
        warnings.append(f"Without usable values, so the answers are less certain: {_listed(empty)}.")
    for column in contract["columns"]:
        if column["name"] in rows and column["name"] not in empty:
            warnings += _check_values(rows[column["name"]], column)
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
    if parts := column.get("parts"):
        other = given[given.astype(str).str.count(r"\d+(?:\.\d+)?") != parts]
        if other.empty:
            return []
        told = f'The column "{name}" should hold {parts} numbers in each cell, such as {column["typical"]}'
        return [f'{told}; {len(other)} of {len(values)} rows hold something else, such as "{_short(other.iloc[0])}".']
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


def _other_spellings(absent: Sequence[str], unknown: Sequence[str]) -> dict[str, str]:
    """Which unknown column may be each that is missing: of similar names, or the only one left where one is missing."""
    left = list(unknown)
    found: dict[str, str] = {}
    likeness = {(name, other): _likeness(name, other) for name in absent for other in left}
    for name, other in sorted(likeness, key=lambda pair: -likeness[pair]):
        if likeness[name, other] >= ALIKE and name not in found and other in left:
            found[name] = other
            left.remove(other)
    rest = [name for name in absent if name not in found]
    return found | {rest[0]: left[0]} if len(rest) == len(left) == 1 else found


def _likeness(name: str, other: str) -> float:
    """From 0 to 1; 1 for a name that is part of the other, such as `Income` of `net_income_eur`."""
    first, second = name.casefold(), other.casefold()
    short, long = sorted((first, second), key=len)
    if len(short) >= LEAST_PART and short in long:
        return 1.0
    return difflib.SequenceMatcher(None, first, second).ratio()


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
