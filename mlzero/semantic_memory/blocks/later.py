"""Read a file that arrives after training, which may be written in another way than the training file."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from pathlib import Path

import pandas as pd


def read_later_table(path: Path, columns: Sequence[str], as_trained: Callable[[Path], pd.DataFrame]) -> pd.DataFrame:
    """The rows of a file of any common table format.

    Parameters
    ----------
    columns
        Columns that are looked for; upper and lower case and blanks around names do not matter.
    as_trained
        Reads a file the way the training file was written. It is tried first; when it does not find most
        of the columns, the format, the encoding, the separator and the line of the header are searched for.

    Raises
    ------
    ValueError
        When the file is no table that holds any of the columns.
    """
    if path.is_dir():
        files = sorted(p for p in path.rglob("*") if p.is_file() and not p.name.startswith("."))
        if not files:
            raise ValueError("the folder is empty")
        path = files[0]
    tables = []
    try:
        tables.append(as_trained(path))
    except (ValueError, KeyError, IndexError, OSError, UnicodeError):
        pass  # written in another way
    if not tables or known_columns(tables[0], columns) < 0.8 * len(columns):
        tables += other_tables(path, columns)
    if not tables:
        raise ValueError("none of the columns of the training data was found in it")
    best = max(tables, key=lambda table: known_columns(table, columns))
    spelled = {str(name).strip().casefold(): name for name in columns}
    names = {name: spelled.get(str(name).strip().casefold(), str(name).strip()) for name in best.columns}
    return best.rename(columns=names).dropna(how="all").reset_index(drop=True)


def known_columns(table: pd.DataFrame, columns: Sequence[str]) -> int:
    """How many of the columns a table has."""
    return len({str(name).strip().casefold() for name in columns} & {str(name).strip().casefold() for name in table.columns})


def other_tables(path: Path, columns: Sequence[str]) -> list[pd.DataFrame]:
    """The tables that a file may hold, read by its ending and its content."""
    ending = path.suffix.lower()
    if ending in (".xlsx", ".xls", ".xlsb", ".xlsm", ".ods"):
        sheets = pd.read_excel(path, sheet_name=None, header=None, dtype=object, engine="calamine", na_filter=False)
        return [below_header(cells.values.tolist(), columns) for cells in sheets.values()]
    if ending in (".parquet", ".feather"):
        return [pd.read_parquet(path) if ending == ".parquet" else pd.read_feather(path)]
    if ending in (".json", ".jsonl", ".ndjson"):
        try:
            return [pd.read_json(path, dtype=False, convert_dates=False)]
        except ValueError:
            return [pd.read_json(path, lines=True, dtype=False, convert_dates=False)]
    raw = path.read_bytes()
    encodings = ["utf-16"] if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else ["utf-8-sig", "cp1252", "latin-1"]
    for encoding in encodings:
        try:
            lines = raw.decode(encoding).splitlines()
        except UnicodeError:
            continue
        return [below_header(list(csv.reader(lines, delimiter=separator)), columns) for separator in ",;\t|"]
    return []


def below_header(cells: list[list[object]], columns: Sequence[str]) -> pd.DataFrame:
    """The rows below the line that holds most of the column names; numbers become numbers."""
    wanted = {str(name).strip().casefold() for name in columns}
    found = [len(wanted & {str(cell).strip().casefold() for cell in row}) for row in cells[:40]]
    if not found or max(found) == 0:
        return pd.DataFrame()
    header = found.index(max(found))
    names = [str(cell).strip() or f"empty {position}" for position, cell in enumerate(cells[header])]
    rows = [[*row[: len(names)], *[""] * (len(names) - len(row))] for row in cells[header + 1 :]]
    table = pd.DataFrame(rows, columns=names, dtype=object)
    table = table.loc[:, ~table.columns.duplicated()].mask(lambda t: t.isin(["", "?", "NA", "n/a", "-"]))
    for name in table.columns:
        try:
            table[name] = pd.to_numeric(table[name])
        except (ValueError, TypeError):
            pass  # holds text
    return table
