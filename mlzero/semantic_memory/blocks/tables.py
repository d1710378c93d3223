"""Read tables of the common formats the same way each time. Functions need pandas only, ready to be pasted into a script.

What they return: plain numbers as numbers, dates of typed formats as dates, everything else as text, no value
as NaN; columns in file order; rows numbered from 0 after blank rows, notes and repeated headers are gone.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import date, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd


def read_delimited(
    path: str | Path,
    *,
    separator: str = ",",
    encoding: str = "utf-8",
    quote: str | None = '"',
    compression: str | None = "infer",
    skip_rows: int = 0,
    has_header: bool = True,
    names: Sequence[str] | None = None,
    drop_columns: Sequence[str] = (),
    footer_rows: int = 0,
    drop_blank_rows: bool = True,
    drop_repeated_headers: bool = False,
    missing_markers: Sequence[str] = (),
    text_columns: Sequence[str] = (),
    long_rows: str = "skip",
    nrows: int | None = None,
) -> pd.DataFrame:
    """The rows of a text table (CSV and its relatives, also compressed).

    Parameters
    ----------
    skip_rows
        Lines above the header, or above the first row when there is none.
    names
        Column names to use instead of the header's.
    footer_rows
        Notes and totals at the end that are no data.
    missing_markers
        Cell texts that mean "no value", beyond the empty cell.
    text_columns
        Columns that must stay text although they look like numbers.
    long_rows
        What becomes of rows with more cells than there are columns: "skip" or "error" (ParserError).
    """
    tidy_first = bool(footer_rows or drop_repeated_headers)
    frame: pd.DataFrame = pd.read_csv(  # type: ignore[call-overload,misc]
        path,
        sep=separator,
        encoding=encoding,
        encoding_errors="replace",
        quotechar=quote or '"',
        quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
        compression=compression,
        skiprows=skip_rows,
        header=0 if has_header else None,
        names=names,
        index_col=False,
        dtype=str if tidy_first else dict.fromkeys(text_columns, str),
        keep_default_na=False,
        na_values=["", *missing_markers],
        skip_blank_lines=drop_blank_rows and (has_header or not tidy_first),  # else they are taken out below, and told
        skipinitialspace=True,
        on_bad_lines=long_rows,
        low_memory=False,
        nrows=nrows,
    )
    frame.columns = [str(name).strip() for name in frame.columns]
    return tidy_rows(
        frame,
        footer_rows=0 if nrows else footer_rows,
        drop_blank_rows=drop_blank_rows,
        drop_repeated_headers=drop_repeated_headers,
        drop_columns=drop_columns,
        text_columns=text_columns if tidy_first else list(frame.columns),
    )


def read_sheet(
    path: str | Path,
    sheet: str | int = 0,
    *,
    skip_rows: int = 0,
    has_header: bool = True,
    names: Sequence[str] | None = None,
    drop_columns: Sequence[str] = (),
    footer_rows: int = 0,
    drop_blank_rows: bool = True,
    drop_repeated_headers: bool = False,
    missing_markers: Sequence[str] = (),
    nrows: int | None = None,
) -> pd.DataFrame:
    """The rows of one sheet of a workbook (xlsx, xls, xlsb, ods); parameters as in `read_delimited`."""
    cells = pd.read_excel(
        path, sheet_name=sheet, engine="calamine", header=None, dtype=object, na_filter=False, skiprows=skip_rows
    )
    if has_header:
        header, cells = cells.iloc[0], cells.iloc[1:]
        names = names or [str(cell).strip() for cell in header]
    frame = cells.iloc[:, : len(names)] if names else cells
    frame = frame.set_axis(list(names) if names else [f"col_{i + 1}" for i in range(frame.shape[1])], axis=1)
    frame = frame.mask(frame.isin(["", *missing_markers]))
    frame = tidy_rows(
        frame,
        footer_rows=footer_rows,
        drop_blank_rows=drop_blank_rows,
        drop_repeated_headers=drop_repeated_headers,
        drop_columns=drop_columns,
        text_columns=list(frame.columns),
    )
    return typed_cells(frame.head(nrows).copy() if nrows else frame)


def read_written(path: str | Path, **written: Any) -> pd.DataFrame:
    """The rows of a text table or of a sheet of a workbook; keywords as for `read_delimited` or `read_sheet`."""
    sheets = (".xlsx", ".xls", ".xlsm", ".xlsb", ".ods", ".xltx")
    return (read_sheet if Path(path).suffix.lower() in sheets else read_delimited)(path, **written)


def read_columnar(
    path: str | Path,
    *,
    names: Sequence[str] | None = None,
    drop_columns: Sequence[str] = (),
    missing_markers: Sequence[str] = (),
    nrows: int | None = None,
) -> pd.DataFrame:
    """The rows of a Parquet, Feather or ORC file; parameters as in `read_delimited`."""
    ending = Path(path).suffix.lower()
    readers: dict[str, Any] = {
        ".orc": pd.read_orc,
        ".feather": pd.read_feather,
        ".arrow": pd.read_feather,
        ".ipc": pd.read_feather,
    }
    frame = readers.get(ending, pd.read_parquet)(path)
    if any(frame.index.names):
        frame = frame.reset_index()
    return from_records(frame, names=names, drop_columns=drop_columns, missing_markers=missing_markers, nrows=nrows)


def read_json_rows(
    path: str | Path,
    *,
    key: str | None = None,
    encoding: str = "utf-8",
    names: Sequence[str] | None = None,
    drop_columns: Sequence[str] = (),
    missing_markers: Sequence[str] = (),
    nrows: int | None = None,
) -> pd.DataFrame:
    """The rows of a JSON file (a list of records, or columns of values) or of JSON lines.

    Parameters
    ----------
    key
        Where the records stand, when the file is an object that holds them under a name: `items`, `data.items`.

    Nested objects become columns `outer.inner`, lists become JSON text; names of rows become the column `key`.
    """
    text = unpacked_bytes(path).decode(encoding).lstrip("\ufeff").strip()
    try:
        content = json.loads(text)
    except json.JSONDecodeError:
        content = [json.loads(line) for line in text.splitlines() if line.strip()]
    for part in [] if key is None else [key] if key in content else key.split("."):
        content = content[part]
    if isinstance(content, dict) and rows_by_name(content):
        frame = pd.json_normalize(list(content.values()))
        if "key" not in frame:
            frame.insert(0, "key", list(content))
    elif isinstance(content, dict):
        columns = all(isinstance(column, (list, dict)) for column in content.values())
        frame = pd.DataFrame(content).reset_index(drop=True) if columns else pd.json_normalize([content])
    elif content and isinstance(content[0], dict):
        frame = pd.json_normalize(content)
    else:
        frame = pd.DataFrame(content)
    return from_records(frame, names=names, drop_columns=drop_columns, missing_markers=missing_markers, nrows=nrows)


def rows_by_name(content: dict[str, Any]) -> bool:
    """Whether an object holds rows under their names, all with much the same fields, rather than columns under theirs."""
    rows = list(content.values())
    if len(rows) < 3 or not all(isinstance(row, dict) and row for row in rows):
        return False
    fields = [field for row in rows for field in row]
    usual = (
        {field for field in set(fields) if fields.count(field) > len(rows) / 2}
        if len(fields) < 100_000
        else set(rows[0])
    )
    return 0 < len(usual) <= len(rows) and 2 * len(usual) >= len(set(fields)) and not all(map(str.isdigit, usual))


def read_arff(
    path: str | Path,
    *,
    encoding: str = "utf-8",
    names: Sequence[str] | None = None,
    drop_columns: Sequence[str] = (),
    missing_markers: Sequence[str] = (),
    text_columns: Sequence[str] = (),
    nrows: int | None = None,
) -> pd.DataFrame:
    """The rows of an ARFF file, dense or sparse; parameters as in `read_delimited`."""
    attribute = re.compile(r"@attribute\s+('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[^\s{]+)\s*(.+)", re.IGNORECASE)
    own_names, kinds = [], []
    with open(path, encoding=encoding, errors="replace") as file:
        for line in file:
            if line.strip().lower().startswith("@data"):
                break
            if found := attribute.match(line.strip()):
                own_names.append(re.sub(r"\\(.)", r"\1", found.group(1).strip("'\"")))
                kinds.append(found.group(2).strip().lower())
        rows = [line for line in file if line.strip() and not line.startswith("%")]
    if rows and rows[0].lstrip().startswith("{"):
        zeros = ["0" if not kind.startswith("{") else kind.strip("{}").split(",")[0].strip(" '\"") for kind in kinds]
        dense = io.StringIO(newline="")
        for row in rows:
            cells = list(zeros)
            for entry in next(csv.reader([row.strip().strip("{}")], quotechar="'", skipinitialspace=True), []):
                position, _, value = entry.strip().partition(" ")
                cells[int(position)] = value.strip("'\" ")
            csv.writer(dense, quotechar="'").writerow(cells)
        rows = dense.getvalue().splitlines(keepends=True)
    own_names = list(names) if names else own_names
    single = any(re.search(r"(^|,)\s*'", row) for row in rows[:1000])
    frame = pd.read_csv(
        io.StringIO("".join(rows)),
        header=None,
        names=own_names,
        index_col=False,
        quotechar="'" if single else '"',
        escapechar="\\",
        dtype=dict.fromkeys(text_columns, str),
        keep_default_na=False,
        na_values=["?", "", *missing_markers],
        skipinitialspace=True,
        low_memory=False,
        nrows=nrows,
    )
    return frame.drop(columns=list(drop_columns))


def unpacked_bytes(path: str | Path, most: int = -1) -> bytes:
    """The bytes of a file, decompressed if need be; at most the first `most`."""
    with open(path, "rb") as file:
        start = file.read(4)
    openers: dict[bytes, Any] = {b"\x1f\x8b": gzip.open, b"BZ": bz2.open, b"\xfd7": lzma.open}
    if start == b"\x28\xb5\x2f\xfd":
        import zstandard

        with zstandard.open(path, "rb") as packed:
            return packed.read(most)
    with openers.get(start[:2], open)(path, "rb") as file:
        return file.read(most)


def from_records(
    frame: pd.DataFrame,
    *,
    names: Sequence[str] | None,
    drop_columns: Sequence[str],
    missing_markers: Sequence[str],
    nrows: int | None,
) -> pd.DataFrame:
    """A frame of typed cells made plain: text names, rows numbered from 0, lists as JSON text, markers as NaN."""
    frame = frame.head(nrows) if nrows else frame
    frame = frame.set_axis(list(names) if names else [str(name).strip() for name in frame.columns], axis=1)
    frame = frame.drop(columns=list(drop_columns)).reset_index(drop=True)
    for name in frame.select_dtypes(object):
        column = frame[name].map(
            lambda cell: (
                json.dumps(
                    cell,
                    ensure_ascii=False,
                    default=lambda value: value.tolist() if hasattr(value, "tolist") else str(value),
                )
                if isinstance(cell, (list, dict, tuple, np.ndarray))
                else cell
            )
        )
        frame[name] = column.mask(column.isin(["", *missing_markers]) | column.isna())
    for name in frame.select_dtypes(bool):
        frame[name] = frame[name].map({True: "True", False: "False"})
    return typed_cells(frame)


def tidy_rows(
    frame: pd.DataFrame,
    *,
    footer_rows: int,
    drop_blank_rows: bool,
    drop_repeated_headers: bool,
    drop_columns: Sequence[str],
    text_columns: Sequence[str],
) -> pd.DataFrame:
    """Rows that are no data taken out, the others numbered from 0; columns outside `text_columns` become numbers where all cells are.

    `attrs` tell how many rows without any cell stood among the others (`blank_rows`), and the places of all that were taken
    out before the last one that is left (`left_out`).
    """
    frame = frame.reset_index(drop=True)
    blank = frame.isna().all(axis=1) if drop_blank_rows else pd.Series(False, index=frame.index)
    within = int((blank & ~blank[::-1].cummin()[::-1]).sum())  # with other rows below
    frame = frame[~blank]
    if footer_rows:
        frame = frame.iloc[:-footer_rows]
    if drop_repeated_headers:
        titles = pd.Series([str(name) for name in frame.columns], index=frame.columns)
        same = frame.astype(str).apply(lambda column: column.str.strip() == titles[column.name])
        frame = frame[same.sum(axis=1) < max(1, (len(titles) + 1) // 2)]
    places = range(frame.index[-1]) if len(frame) else range(0)
    left_out = sorted(set(places).difference(frame.index))
    frame = frame.drop(columns=list(drop_columns)).reset_index(drop=True)
    for name in frame.columns.difference(list(text_columns), sort=False):
        with suppress(ValueError, TypeError):  # holds text
            frame[name] = pd.to_numeric(frame[name])
    frame.attrs |= {"blank_rows": within, "left_out": left_out}
    return frame


def typed_cells(frame: pd.DataFrame) -> pd.DataFrame:
    """Columns of mixed cells settled: all numbers, all dates, all true/false, or else text."""

    def settle(column: pd.Series) -> pd.Series:
        filled = column.dropna()
        kinds = set(map(type, filled))
        if kinds <= {int, float, np.float64, np.int64}:
            return pd.to_numeric(column)
        if kinds <= {datetime, date, pd.Timestamp}:
            return pd.to_datetime(column)
        if kinds == {str}:
            return column
        return column.map(
            lambda cell: str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell),
            na_action="ignore",
        )

    for name in frame.select_dtypes(object):
        frame[name] = settle(frame[name])
    return frame
