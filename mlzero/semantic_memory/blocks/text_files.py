"""Rows for text files: one row a file, with its name, its text, and its folder where folders are classes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd


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
        row: dict[str, str | None] = {"file": place.as_posix(), "text": text_of_bytes(file.read_bytes())}
        rows.append(row | ({label: place.parts[0] if len(place.parts) > 1 else None} if label else {}))
        if len(rows) == nrows:
            break
    return pd.DataFrame(rows, columns=["file", "text", *([label] if label else [])], dtype=object)


def text_of_bytes(content: bytes) -> str:
    """The text of a file: by its byte order mark, as UTF-8, else as Western European."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")
