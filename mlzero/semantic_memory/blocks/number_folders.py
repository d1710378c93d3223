"""Rows for files of numbers that are a case each, such as a measured curve: one row a file of a folder."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from mlzero.semantic_memory.blocks.new_rows import read_new_table
from mlzero.semantic_memory.blocks.number_files import numbers_of_files

NOT_TABLES = (".npy", ".xyz", ".pdb", ".ent")


def number_folders(
    path: str | Path,
    *,
    ending: str,
    label: str = "",
    pattern: str = "",
    skip: Sequence[str] = (),
    bare: bool = False,
    nrows: int | None = None,
) -> pd.DataFrame:
    """One row a file of numbers: `file` (its name below the folder), its class when `label` names a column, its numbers.

    Parameters
    ----------
    ending
        Of the files that count, in any case.
    label
        Column for the first folder on the way to the file; empty when folders and names tell nothing.
    pattern
        Regular expression for the name of a file without its ending, whose group `label` is the class in place of the folder.
    skip
        Files below `path`, and folders directly in it, that are left out.
    bare
        Whether names go without their endings.
    """
    places = []
    for folder, folders, names in os.walk(path):
        folders[:] = [name for name in folders if not name.startswith((".", "__MACOSX"))]
        above = Path(folder).relative_to(path).parts
        places += [(*above, n) for n in names if n.lower().endswith(ending.lower()) and not n.startswith(".")]
    places = sorted(parts for parts in places if not {parts[0], "/".join(parts)} & {*skip})[:nrows]
    names = ["/".join(parts) for parts in places]
    rows = pd.DataFrame({"file": [n[: -len(ending)] for n in names] if bare else names}, dtype=object)
    if pattern:
        told = [re.search(pattern, parts[-1][: -len(ending)]) for parts in places]
        rows[label] = pd.Series([found["label"] if found else None for found in told], dtype=object)
    elif label:
        rows[label] = pd.Series([parts[0] if len(parts) > 1 else None for parts in places], dtype=object)
    return pd.concat([rows, numbers_of_files([os.path.join(path, *parts) for parts in places])], axis=1)


def read_new_number_folders(
    path: str | Path, columns: Sequence[str], *, ending: str, **written: object
) -> pd.DataFrame:
    """Rows of later files of numbers: one, or a folder of them; or a table that holds their numbers already.

    Parameters
    ----------
    columns
        The columns that are needed; those that no file fills are empty.
    ending
        Of the files that count.
    written
        How else the rows of the training were made; later folders tell nothing.

    Raises
    ------
    ValueError
        When there is no such file, or none holds such numbers.
    """
    path = Path(path)
    if path.is_file() and path.suffix.lower() not in NOT_TABLES:
        try:
            return read_new_table(path, columns)
        except ValueError:
            pass  # a file of numbers
    if path.is_file():
        rows = pd.concat([pd.DataFrame({"file": [path.name]}), numbers_of_files([path])], axis=1)
    else:
        rows = number_folders(path, ending=ending)
    known = [column for column in columns if column in rows]
    if not rows[known].notna().any(axis=None):
        raise ValueError(
            f"{path.name} holds no file of numbers like those of the training, whose names end with {ending}: "
            f"none has a {', '.join(columns[:3])}."
        )
    return rows[["file", *known]].assign(**{column: np.nan for column in columns if column not in rows})
