"""Rows whose answers stand in a table of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from mlzero.semantic_memory.blocks.tables import read_written


def rows_with_answers(
    path: str | Path, *, answers: str, wanted: Sequence[str], on: str = "", how: Mapping[str, Any], nrows: int | None = None,
    **written: Any,
) -> pd.DataFrame:  # fmt: skip
    """The rows of a table with columns of another one that holds their answers.

    Parameters
    ----------
    path
        The table of the rows, text or workbook.
    answers
        The other table, seen from the folder of the first one.
    wanted
        Which of its columns are answers.
    on
        The column that both have; empty when they have the same order.
    how, written
        How the answers and the rows are written, as for `read_delimited` or `read_sheet`.
    """
    rows = read_written(path, nrows=nrows, **written)
    given = read_written(Path(path).parent / answers, **how)[[*([on] if on else []), *wanted]]
    if not on:
        return rows.join(given)
    given = given.drop_duplicates(on).set_axis(given[on].astype(str).drop_duplicates())
    places = rows[on].astype(str)
    return rows.assign(**{name: places.map(given[name]) for name in wanted})
