"""Read tables of SQLite databases."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pandas as pd

from mlzero.semantic_memory.blocks.tables import from_records


def read_sqlite(
    path: str | Path,
    *,
    table: str,
    names: Sequence[str] | None = None,
    drop_columns: Sequence[str] = (),
    missing_markers: Sequence[str] = (),
    nrows: int | None = None,
) -> pd.DataFrame:
    """The rows of one table of an SQLite database, which is not written to; parameters as in `read_delimited`."""
    quoted = table.replace('"', '""')
    limit = f" limit {int(nrows)}" if nrows else ""
    with closing(sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as database:
        database.text_factory = lambda raw: raw.decode("utf-8", "replace")
        found = database.execute(f'select * from "{quoted}"{limit}')
        frame = pd.DataFrame(found.fetchall(), columns=[column[0] for column in found.description], dtype=object)
    return from_records(
        frame.infer_objects(), names=names, drop_columns=drop_columns, missing_markers=missing_markers, nrows=nrows
    )
