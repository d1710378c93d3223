"""Read rows that arrive after training: in the form the training table had, or in any other common one."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from mlzero.semantic_memory.blocks.tables import (
    read_arff,
    read_columnar,
    read_delimited,
    read_json_rows,
    read_sheet,
    unpacked_bytes,
)

TEXT_TITLES = re.compile(
    r"(text|message|sentence|tweet|review|comment|kommentar|nachricht|content|body|satz|texto|mensaje|texte)s?", re.I
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
        Also columns that were not asked for; a needed column that the file lacks is not in it.

    Raises
    ------
    ValueError
        When none of the columns is in the file.
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
            read = partial(read_delimited, text_columns=text_columns)
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
            unique = unique_names([cell.strip() for cell in head[row]])
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
        frame = read(
            path,
            **how,
            skip_rows=skip_rows,
            has_header=False,
            names=order or [f"col_{i + 1}" for i in range(table_width(head))],
            missing_markers=missing_markers,
            drop_repeated_headers=True,
        )
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


def unique_names(titles: Sequence[str]) -> list[str]:
    """Names for all columns: those without a title are counted, repeated ones get a number behind, as in training."""
    found: list[str] = []
    for position, title in enumerate(titles, 1):
        title = " ".join(title.split()) or f"col_{position}"
        name, number = title, 2
        while name in found or (name != title and name in titles):
            name, number = f"{title}_{number}", number + 1
        found.append(name)
    return found


def has_titles(rows: Sequence[Sequence[object]]) -> bool:
    """Whether the first row names columns: short words, none of which stands below, above numbers or sentences."""
    cells = [[str(cell).strip() for cell in row] for row in rows if any(str(cell).strip() for cell in row)]
    if len(cells) < 2 or len({*cells[0]}) < len(cells[0]):
        return False
    if len(cells[0]) == 1:
        return bool(TEXT_TITLES.fullmatch(cells[0][0]))
    short = all(re.search(r"[^\W\d]", cell) and len(cell) <= 40 and len(cell.split()) <= 3 for cell in cells[0])
    below = [[row[i] for row in cells[1:] if i < len(row)] for i in range(len(cells[0]))]
    told = [
        bool(column)
        and (
            all(re.fullmatch(r"[-+\d.,]+", cell) for cell in column)
            or sum(len(cell.split()) for cell in column) >= 4 * len(column)
        )
        for column in below
    ]
    return short and any(told) and not any(cells[0][i] in column for i, column in enumerate(below))


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


def table_width(rows: Sequence[Sequence[object]]) -> int:
    """Cells of most rows."""
    widths = [len(row) for row in rows if any(str(cell).strip() for cell in row)]
    return max(set(widths), key=widths.count) if widths else 0


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
