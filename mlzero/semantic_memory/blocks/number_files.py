"""Columns for the numbers of a file that belongs to each row, such as a measured curve or points in space."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from mlzero.semantic_memory.blocks.file_numbers import numbers_of_file
from mlzero.semantic_memory.blocks.new_rows import read_new_table
from mlzero.semantic_memory.blocks.shaping import plain_text
from mlzero.semantic_memory.blocks.tables import read_written


def number_files(
    path: str | Path, *, files: Mapping[str, Mapping[str, str]], above: int = 0, nrows: int | None = None, **written: Any
) -> pd.DataFrame:  # fmt: skip
    """The rows of a table with the numbers in their files.

    Parameters
    ----------
    path
        The table, text or workbook.
    files
        See `with_numbers`.
    above
        Folders from that of the table up to the one that holds all files.
    written
        How the table is written, as for `read_delimited` or `read_sheet`.
    """
    path = Path(path)
    return with_numbers(read_written(path, nrows=nrows, **written), path.parents[above], files)


def files_as_rows(
    path: str | Path, *, files: Mapping[str, Mapping[str, str]], everywhere: bool = False, nrows: int | None = None
) -> pd.DataFrame:
    """A row a file of a folder that no table lists, called as the training table calls it, with its numbers.

    Parameters
    ----------
    files
        See `with_numbers`; `cell`, such as `scan_{}`, tells how the training table writes names.
    everywhere
        Whether to look in the folders below, too.
    """
    path, how = Path(path), next(iter(files.values()))
    head, _, tail = how["place"].partition("{}")
    start, names = head.rpartition("/")[2], []
    for folder, found in sorted(keyed_files(path, how["place"], everywhere).items()):
        for place in list(found.values())[:nrows]:
            own = os.path.relpath(place, folder).removesuffix(tail).removeprefix(start)
            names.append(how.get("cell", "{}").format(own))
    rows = pd.DataFrame({how["column"]: names}, dtype=object)
    return with_numbers(rows, path, files, path.name if everywhere else None)


def with_numbers(
    rows: pd.DataFrame, base: Path, files: Mapping[str, Mapping[str, str]], later: str | None = None
) -> pd.DataFrame:
    """The rows with columns `NAME: ...` for the numbers in their files; empty where there is no file or a damaged one.

    Parameters
    ----------
    files
        By name: the `column` whose cells tell the file of a row, and the `place` below `base` where they stand for
        `{}`, such as `train/{}/geometry.xyz` or `signals/scan_{}.csv`.
    later
        Of rows that came after training: what their table is called. Their files may be in any folder below `base`.

    Rows that have the columns already, or no column that tells the file, come back as they are.
    """
    attributes = rows.attrs
    for name, how in files.items():
        if how["column"] not in rows or any(str(column).startswith(f"{name}: ") for column in rows):
            continue
        places = row_places(rows[how["column"]], base, how["place"], later)
        cells = numbers_of_files(places)
        rows = pd.concat([rows, cells.add_prefix(f"{name}: ").set_axis(rows.index)], axis=1)
    rows.attrs = attributes
    return rows


def numbers_of_files(places: Sequence[str | Path | None]) -> pd.DataFrame:
    """A row of numbers a file; empty where there is none or a damaged one."""
    cells = pd.DataFrame([numbers_of_file(place) if place else {} for place in places], index=range(len(places)))
    counts = [column for column in cells if column.startswith("count of ")]
    cells.loc[cells.notna().any(axis=1), counts] = cells[counts].fillna(0.0)  # no such atom in this file
    return cells.astype(float)


def row_places(cells: pd.Series, base: Path, place: str, later: str | None = None) -> list[str | None]:
    """The file of each row, see `with_numbers`; of several folders that fit later rows, the one called as their table."""
    keys = [file_key(cell or "", place) for cell in plain_text(cells)]
    folders = keyed_files(base, place, everywhere=later is not None)
    usual, words = str(base / place.partition("{}")[0]), set(re.findall(r"[^\W\d_]+", (later or "").lower()))

    def fits(folder: str) -> tuple[int, bool, bool]:
        named = words & set(re.findall(r"[^\W\d_]+", os.path.relpath(folder, base).lower()))
        return sum(key in folders[folder] for key in keys), bool(named), not usual.startswith(folder)

    best = folders[max(folders, key=fits)] if folders else {}
    return [best.get(key) for key in keys]


def keyed_files(base: Path, place: str, everywhere: bool = False) -> dict[str, dict[str, str]]:
    """Files of a place by their folder and by what stands for `{}` there, see `file_key`.

    Parameters
    ----------
    everywhere
        Whether to look in all folders below `base`, not only in that of the place.
    """
    head, _, tail = place.partition("{}")
    folder, _, start = head.rpartition("/")
    found: dict[str, dict[str, str]] = {}
    for where, folders, names in os.walk(base if everywhere else base / folder):
        folders[:] = [name for name in sorted(folders) if not name.startswith((".", "__MACOSX"))]
        for name in folders if "/" in tail else sorted(names):
            path = os.path.join(where, f"{name}{tail}" if "/" in tail else name)
            if name.startswith(start) and path.endswith(tail) and os.path.isfile(path):
                found.setdefault(where, {})[file_key(name, place)] = path
        if not everywhere:
            break
    return found


def file_key(name: str, place: str) -> str:
    """What stands for `{}` in a place, by a cell or the name of a file or folder: in lower case, numbers without zeros."""
    head, _, tail = place.lower().partition("{}")
    parts = [part for part in re.split(r"[\\/]+", name.strip().lower()) if part]
    if "/" in tail and parts[-1:] == [tail.rpartition("/")[2]]:
        parts.pop()
    key = parts[-1].removeprefix(head.rpartition("/")[2]).removesuffix(tail) if parts else ""
    return str(int(key)) if key.isdecimal() else key


def read_new_numbers(
    path: str | Path, columns: Sequence[str], *, files: Mapping[str, Mapping[str, str]], **written: Any
) -> pd.DataFrame:
    """Rows of a later table with its files beside it, of a folder that holds both, or of files alone: a folder, or one.

    Parameters
    ----------
    columns
        The columns that are needed; those of `files` that the new files do not fill are empty.
    files
        See `with_numbers`.
    written
        How the training table was written, see `read_new_table`.

    Raises
    ------
    ValueError
        When no row has a file, or a folder holds neither a table nor such files.
    """
    path = Path(path)
    named = list(dict.fromkeys(how["column"] for how in files.values()))
    rows, later, base = pd.DataFrame(), path.stem, path if path.is_dir() else path.parent
    endings = (".csv", ".tsv", ".txt", ".xlsx", ".xls", ".ods", ".parquet", ".json", ".jsonl")
    for table in sorted(path.glob("*.*")) if path.is_dir() else [path]:
        if path.is_dir() and table.suffix.lower() not in endings:
            continue
        try:
            rows, later = read_new_table(table, [*named, *columns], **written), table.stem
        except ValueError:
            held = {f"{name}: {what}" for what in ({} if path.is_dir() else numbers_of_file(path)) for name in files}
            if not path.is_dir() and not held.intersection(columns):
                raise
            if held:  # a file of a row
                in_folder = "{}/" in next(iter(files.values()))["place"]
                rows = pd.DataFrame({named[0]: [path.parent.name if in_folder else path.name]})
                base = path.parents[1] if in_folder else base
        if named[0] in rows:
            break
    if path.is_dir() and named[0] not in rows:  # no table: a row a file
        rows = files_as_rows(path, files=files, everywhere=True)
    rows = with_numbers(rows, base, files, later)
    for name, how in files.items():
        needed = [column for column in columns if column.startswith(f"{name}: ")]
        if needed and not any(column in rows and rows[column].notna().any() for column in needed):
            raise ValueError(
                f"{path.name} has no row with a file of its own: those of the training were called like {how['place']}, "
                f"with the {how['column']} in place of {{}}. Put the new ones into a folder beside the table."
            )
        known = [column for column in rows if not str(column).startswith(f"{name}: ") or column in columns]
        rows = rows[known].assign(**{column: np.nan for column in needed if column not in rows})
    return rows
