"""Rows for text files: one row a file of a folder, or the texts of the files that a table names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from mlzero.semantic_memory.blocks.documents import decoded_text, page_text
from mlzero.semantic_memory.blocks.files import locate_files
from mlzero.semantic_memory.blocks.tables import read_written


def text_files(
    path: str | Path,
    *,
    label: str = "",
    endings: Sequence[str] = (".txt",),
    skip: Sequence[str] = (),
    nrows: int | None = None,
) -> pd.DataFrame:
    """One row a text file: `file` (its name below the folder), `text` and, when `label` names a column, its folder.

    Parameters
    ----------
    path
        A folder, or a single file.
    label
        Column for the first folder on the way to the file; empty when folders tell nothing.
    endings
        Of the files that count, in lower case; an empty one counts files without a usual ending.
    skip
        Files and folders, below `path`, that are left out.
    """
    top = Path(path)
    rows = []
    for file in [top] if top.is_file() else sorted(top.rglob("*")):
        place = file.relative_to(top.parent if top.is_file() else top)
        ending = file.suffix.lower() if not file.suffix[1:].isdigit() else ""
        hidden = any(part.startswith((".", "__MACOSX")) for part in place.parts)
        left_out = any(str(part.as_posix()) in skip for part in [place, *place.parents])
        if hidden or left_out or not file.is_file() or (ending not in endings and top.is_dir()):
            continue
        row: dict[str, str | None] = {"file": place.as_posix(), "text": text_of_file(file)}
        rows.append(row | ({label: place.parts[0] if len(place.parts) > 1 else None} if label else {}))
        if len(rows) == nrows:
            break
    return pd.DataFrame(rows, columns=["file", "text", *([label] if label else [])], dtype=object)


def listed_texts(
    path: str | Path, *, column: str, above: int = 0, endings: Sequence[str] = (), nrows: int | None = None, **written: Any
) -> pd.DataFrame:  # fmt: skip
    """The rows of a table with `text`: what the files say that it names.

    Parameters
    ----------
    path
        The table, text or workbook.
    column
        The column whose cells name files.
    above
        Folders from that of the table up to the one that holds all files.
    endings
        Of the files, for whoever reads later ones.
    written
        How the table is written, as for `read_delimited` or `read_sheet`.
    """
    path = Path(path)
    return with_texts(read_written(path, nrows=nrows, **written), path.parents[above], column)


def with_texts(rows: pd.DataFrame, base: Path, column: str) -> pd.DataFrame:
    """The rows with `text`: what files below `base` say that cells of a column name; none where there is no file.

    Rows that have their texts already, or do not have the column, come back as they are.
    """
    if "text" in rows or column not in rows:
        return rows
    places = locate_files(rows, base, {"text": {"media": "document", "column": column}})["text"]
    return rows.assign(text=places.map(lambda place: text_of_file(Path(place)), na_action="ignore"))


def text_of_file(path: Path) -> str:
    """The text of a file, of a web page without its tags."""
    text = decoded_text(path.read_bytes())
    return page_text(text) if path.suffix.lower() in (".html", ".htm") else text
