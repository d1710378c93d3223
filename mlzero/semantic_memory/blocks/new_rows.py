"""Read rows that arrive after training: in the form the training table had, or in any other common one."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from mlzero.semantic_memory.blocks.tables import read_arff, read_columnar, read_delimited, read_json_rows, read_sheet


def read_new_table(
    path: str | Path,
    columns: Sequence[str],
    *,
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
    sheet, key, separator, encoding, quote, skip_rows, has_header, names, missing_markers, text_columns, others
        How the training table was read. Tried first where it matters.

    Returns
    -------
    DataFrame
        Also columns that were not asked for; a needed column that the file lacks is not in it.

    Raises
    ------
    ValueError
        When none of the columns is in the file.
    """
    path = Path(path)
    ending = next((s for s in reversed([s.lower() for s in path.suffixes]) if s not in (".gz", ".bz2", ".xz", ".zst")), "")
    known = [*(names or columns), *[name for name in columns if name not in (names or columns)]]
    units = not has_header and names is not None  # the training table had a row of units under its header, or no header
    if ending in (".parquet", ".pq", ".feather", ".arrow", ".ipc"):
        frame = read_columnar(path, missing_markers=missing_markers)
    elif ending in (".json", ".jsonl", ".ndjson"):
        frame = read_json_rows(path, key=key, missing_markers=missing_markers) if key else read_json_rows(path, missing_markers=missing_markers)
    elif ending == ".arff":
        frame = read_arff(path, missing_markers=missing_markers, text_columns=text_columns)
    else:
        if ending in (".xlsx", ".xls", ".xlsm", ".xlsb", ".ods"):
            sheets = pd.read_excel(path, sheet_name=None, engine="calamine", header=None, dtype=object, na_filter=False)
            heads = {name: cells.head(40).astype(str).to_numpy().tolist() for name, cells in sheets.items() if not cells.empty}
            options: list[dict[str, Any]] = [{"sheet": name} for name in sorted(heads, key=lambda name: name != sheet)]
        else:
            encoding = text_encoding(path, encoding)
            separators = dict.fromkeys([separator, ",", ";", "\t", "|"])
            options = [{"separator": mark, "quote": quote if mark == separator else '"', "encoding": encoding} for mark in separators]
            heads = {mark: first_rows(path, mark, encoding, quote if mark == separator else '"') for mark in separators}
        best = max(options, key=lambda option: header_row(heads[option.get("sheet", option.get("separator"))], known)[1])
        head = heads[best.get("sheet", best.get("separator"))]
        row, matches = header_row(head, known)
        if matches:
            own = [str(cell).strip() for cell in head[row]]
            titles = [name if name and name not in own[:i] else f"col_{i + 1}" for i, name in enumerate(own)]
            best |= {"skip_rows": row + (2 if units and row + 2 == skip_rows else 1), "has_header": False, "names": titles}
        else:
            width = max(len(cells) for cells in head[skip_rows:] or head)
            if width == 1 and separator in heads:
                best, width = options[0], max(len(cells) for cells in heads[separator])
            order = next((order for order in (names, columns, (names or [])[:-1]) if order and len(order) == width), None)
            if order is None:
                raise ValueError(f"{path.name} has none of the columns {', '.join(columns[:8])}{', …' if len(columns) > 8 else ''}.")
            best |= {"skip_rows": 0 if has_header or units and len(head) <= skip_rows else skip_rows, "has_header": False, "names": list(order)}
        if "sheet" in best:
            frame = read_sheet(path, **best, missing_markers=missing_markers, drop_repeated_headers=True)
        else:
            frame = read_delimited(path, **best, missing_markers=missing_markers, text_columns=text_columns, drop_repeated_headers=True)
        filled = frame.notna().sum(axis=1)
        while len(frame) > 1 and filled.iloc[-1] <= 1 < filled.median() / 2:  # a note under the table
            frame, filled = frame.iloc[:-1], filled.iloc[:-1]
    frame = frame.rename(columns=same_names(frame.columns, known))
    if not set(frame.columns) & set(columns):
        raise ValueError(f"{path.name} has none of the columns {', '.join(columns[:8])}{', …' if len(columns) > 8 else ''}.")
    for name in text_columns:
        if name in frame and pd.api.types.is_numeric_dtype(frame[name]):
            frame[name] = frame[name].map(lambda cell: str(int(cell)) if float(cell).is_integer() else str(cell), na_action="ignore")
    return frame


def plain_name(name: object) -> str:
    """A column name without case, blanks and punctuation."""
    return re.sub(r"[\W_]+", "", str(name)).casefold() or str(name).strip()


def same_names(given: Sequence[str], known: Sequence[str]) -> dict[str, str]:
    """Which of the given names stands for which known one, where the spelling differs but only one fits."""
    fits: dict[str, list[str]] = {}
    for name in known:
        fits.setdefault(plain_name(name), []).append(name)
    taken = set(given) & set(known)
    found: dict[str, str] = {}
    for name in given:
        match = fits.get(plain_name(name), [])
        if name not in taken and len(match) == 1 and match[0] not in taken:
            found[name] = match[0]
            taken.add(match[0])
    return found


def header_row(rows: Sequence[Sequence[object]], known: Sequence[str]) -> tuple[int, int]:
    """The row that names most of the known columns, and how many; (0, 0) when no row names a third of its cells."""
    wanted = {plain_name(name) for name in known}
    counts = [len({plain_name(cell) for cell in row} & wanted) for row in rows]
    if not counts:
        return 0, 0
    best = max(range(len(rows)), key=lambda i: counts[i])
    filled = sum(bool(str(cell).strip()) for cell in rows[best])
    return (best, counts[best]) if 3 * counts[best] >= min(filled, len(wanted)) and counts[best] else (0, 0)


def text_encoding(path: Path, usual: str) -> str:
    """The encoding of a text file: by its byte order mark, UTF-8 when it is that, else the usual one."""
    with pd.io.common.get_handle(path, "rb", compression="infer", is_text=False) as handles:
        start = handles.handle.read(1_000_000)
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    try:
        start[: start.rfind(b"\n") + 1 or None].decode("utf-8")
        return "utf-8-sig"
    except UnicodeDecodeError:
        return usual if not usual.startswith("utf-") else "cp1252"


def first_rows(path: Path, separator: str, encoding: str, quote: str | None, count: int = 40) -> list[list[str]]:
    """The cells of the first rows of a text table, blank lines included."""
    quoting: dict[str, Any] = {"quotechar": quote} if quote else {"quoting": csv.QUOTE_NONE}
    with pd.io.common.get_handle(path, "r", encoding=encoding, compression="infer", errors="replace") as handles:
        lines = [line for _, line in zip(range(count), handles.handle, strict=False)]
    if separator == r"\s+":
        return [line.split() for line in lines]
    return list(csv.reader(lines, delimiter=separator, skipinitialspace=True, **quoting))
