"""Read rows that arrive after training: in the form the training table had, or in any other common one."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from mlzero.semantic_memory.blocks.headers import (
    has_titles,
    header_row,
    same_names,
    table_width,
    titles_of,
    unique_names,
)
from mlzero.semantic_memory.blocks.tables import (
    read_arff,
    read_columnar,
    read_delimited,
    read_json_rows,
    read_sheet,
    unpacked_bytes,
)


def read_new_table(
    path: str | Path,
    columns: Sequence[str],
    *,
    texts: Sequence[str] = (),
    sheet: str | None = None,
    key: str | None = None,
    separator: str = ",",
    encoding: str = "utf-8",
    quote: str | None = '"',
    skip_rows: int = 0,
    has_header: bool = True,
    names: Sequence[str] | None = None,
    missing_markers: Sequence[str] = (),
    text_columns: Sequence[str] = (),
    **others: Any,
) -> pd.DataFrame:
    """Rows of a file with the columns of the training table, whatever format, separator, encoding or title rows it has.

    Parameters
    ----------
    columns
        The columns that are needed, in the order of the training table. Names are matched without regard to
        case, blanks and punctuation; a file without names is taken in this order.
    texts
        Those of `columns` that hold free text. When the file calls its texts by other names, they are taken in
        their order.
    sheet, key, separator, encoding, quote, skip_rows, has_header, names, missing_markers, text_columns, others
        How the training table was read. Tried first where it matters.

    Returns
    -------
    DataFrame
        Also columns that were not asked for; a needed column that the file lacks is not in it. Of a workbook,
        `attrs["sheets"]` names the sheet that was read, then others with such columns.

    Raises
    ------
    ValueError
        When none of the columns is in the file, or a row has more cells than there are columns.
    """
    path = Path(path)
    known = list(dict.fromkeys([*(names or columns), *columns]))
    endings = [suffix.lower() for suffix in path.suffixes if suffix.lower() not in (".gz", ".bz2", ".xz", ".zst")]
    ending = endings[-1] if endings else ""
    if ending in (".parquet", ".pq", ".orc", ".feather", ".arrow", ".ipc"):
        frame = read_columnar(path, missing_markers=missing_markers)
    elif ending in (".json", ".jsonl", ".ndjson"):
        frame = read_json_rows(path, key=key, missing_markers=missing_markers)
    elif ending == ".arff":
        frame = read_arff(path, missing_markers=missing_markers, text_columns=text_columns)
    else:
        options: list[tuple[dict[str, Any], list[list[str]]]] = []  # how to read, and the first rows read that way
        if ending in (".xlsx", ".xls", ".xlsm", ".xlsb", ".ods"):
            read: Callable[..., pd.DataFrame] = read_sheet
            sheets = pd.read_excel(path, sheet_name=None, engine="calamine", header=None, dtype=str, na_filter=False)
            for name in sorted(sheets, key=lambda name: name != sheet):
                options.append(({"sheet": name}, sheets[name].head(40).to_numpy().tolist()))
        else:
            read = partial(read_delimited, text_columns=text_columns, long_rows="error")
            encoding = text_encoding(path, encoding)
            for mark in dict.fromkeys([separator, ",", ";", "\t", "|"]):
                how: dict[str, Any] = {
                    "separator": mark,
                    "encoding": encoding,
                    "quote": quote if mark == separator else '"',
                }
                options.append((how, first_rows(path, **how)))
        how, head = max(options, key=lambda option: header_row(option[1], known)[1])
        row, matches = header_row(head, known)
        if matches:
            unique = unique_names(titles_of(head, row, known))
            spelled = same_names(unique, known)
            order = [spelled.get(name, name) for name in unique]
            below = head[row + 1] if row + 1 < len(head) else []
            units = (
                not has_header
                and skip_rows == row + 2
                and not any(re.fullmatch(r"[-+\d.,]+", cell.strip()) for cell in below)
            )
            skip_rows = row + 1 + units
        elif titled := [option for option in options if has_titles(option[1])]:
            how, head = max(titled, key=lambda option: len(option[1][0]))
            order, skip_rows = [cell.strip() for cell in head[0]], 1
        else:
            orders = [list(names or columns), list(columns), list(names or columns)[:-1]]
            how, head = next(((h, rows) for h, rows in options if table_width(rows) in map(len, orders)), options[0])
            order = next((order for order in orders if len(order) == table_width(head)), [])
            skip_rows = 0
        order = order or [f"col_{i + 1}" for i in range(table_width(head))]
        how |= {"skip_rows": skip_rows, "has_header": False, "names": order, "missing_markers": missing_markers}
        try:
            frame = read(path, **how, drop_repeated_headers=True)
        except pd.errors.ParserError as error:
            place = re.search(r"fields in (line \d+), saw (\d+)", str(error))
            if not place:
                raise
            raise ValueError(
                f"{path.name} has {place[2]} cells in {place[1]} but {len(order)} columns; put texts in quotation marks."
            ) from error
        alike = [option["sheet"] for option, head in options if "sheet" in option and header_row(head, known)[1]]
        frame.attrs["sheets"] = sorted(alike, key=lambda name: name != how.get("sheet"))
        filled = frame.notna().sum(axis=1)
        while len(frame) > 1 and filled.iloc[-1] <= 1 < filled.median() / 2:  # a note under the table
            frame, filled = frame.iloc[:-1], filled.iloc[:-1]
    frame = frame.rename(columns=same_names(list(frame.columns), known))
    frame = frame.rename(columns=renamed_texts(frame, texts, known))
    if not set(frame.columns) & set(columns):
        shown = ", ".join(columns[:8]) + (", …" if len(columns) > 8 else "")
        raise ValueError(f"{path.name} has none of the columns {shown}.")
    for name in text_columns:
        if name in frame and pd.api.types.is_numeric_dtype(frame[name]):
            frame[name] = frame[name].map(
                "{:g}".format if (frame[name] % 1).any() else "{:.0f}".format, na_action="ignore"
            )
    return frame


def renamed_texts(frame: pd.DataFrame, texts: Sequence[str], known: Sequence[str]) -> dict[str, str]:
    """Which columns of a file stand for texts that it lacks: the wordiest of those with unknown names, in order."""
    absent = [name for name in texts if name not in frame]
    words = {
        name: frame[name].astype("string").str.split().str.len().mean()
        for name in frame.select_dtypes(object)
        if name not in known and frame[name].notna().any()
    }
    wordy = sorted(words, key=lambda name: -words[name])[: len(absent)]
    fits = len(wordy) == len(absent) and all(words[name] >= 2 for name in wordy[1:])
    return dict(zip([str(name) for name in frame if name in wordy], absent, strict=True)) if absent and fits else {}


def text_encoding(path: Path, usual: str) -> str:
    """The encoding of a text file: by its byte order mark, UTF-8 when it is that, else the usual one."""
    start = unpacked_bytes(path, 1_000_000)
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    try:
        start[: start.rfind(b"\n") + 1 or None].decode("utf-8")
        return "utf-8-sig"
    except UnicodeDecodeError:
        return usual if not usual.startswith("utf-") else "cp1252"


def first_rows(path: Path, separator: str, encoding: str, quote: str | None, count: int = 40) -> list[list[str]]:
    """The cells of the first rows of a text table, blank lines included."""
    csv.field_size_limit(1_000_000)  # cells may be long
    text = unpacked_bytes(path, 1_000_000).decode(encoding, "replace")
    lines = re.split(r"(?<=\n)|(?<=\r)(?!\n)", text, maxsplit=count)[:count]
    if separator == r"\s+":
        return [line.split() for line in lines]
    quoting: dict[str, Any] = {"quotechar": quote} if quote else {"quoting": csv.QUOTE_NONE}
    return list(csv.reader(lines, delimiter=separator, skipinitialspace=True, **quoting))
