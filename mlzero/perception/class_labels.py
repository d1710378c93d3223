"""The labels of a target: as they are written in the data, and how often each stands there."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from mlzero.errors import UserError
from mlzero.perception import problem
from mlzero.perception.profile import ColumnProfile, NumberFormat, TableProfile
from mlzero.perception.roles import Roles, label_of
from mlzero.perception.task import Inferred, ProblemType
from mlzero.perception.wording import quote_list

if TYPE_CHECKING:
    import pandas as pd

LARGE_CELLS = 2_000_000  # from here a part of the rows is read again, not all
_LEAST_ROWS = 3  # of a label: one to measure, one to learn from, one to compare models on


def load(data_dir: Path, table: TableProfile, names: list[str], as_written: list[str] | None = None) -> pd.DataFrame:
    """The training table, or as many of its first rows as can be read in no time."""
    from mlzero.perception.tables import load_table

    large = table.rows * len(table.columns) > LARGE_CELLS
    nrows = max(2000, LARGE_CELLS // (2 * len(table.columns))) if large else None
    frame = load_table(data_dir, table, nrows=nrows, as_written=as_written or ())
    absent = [name for name in names if name not in frame]
    if absent:
        raise UserError(f'"{absent[0]}" disappeared from {label_of(table)}.', "Upload the data again.")
    return frame


def as_written(column: ColumnProfile, frame: pd.DataFrame, data_dir: Path, roles: Roles) -> pd.Series | None:
    """The cells of labels such as `2 stars` or `10 %` as texts.

    None for labels that are plain numbers or words, where two spellings tell one number (`5%` and `5 %`, or `5` in
    another table), and where the sample of the answer shows plain numbers.
    """
    texts = _texts(column, data_dir, roles)
    return texts if texts is not None and texts.nunique() == frame[column.name].nunique() else None


def usual_form(column: ColumnProfile, data_dir: Path, roles: Roles) -> str | None:
    """A cell in the form that most have, where two spellings tell one whole number: `5 %` of `5 %`, `7 %` and `5%`.

    None as in `as_written`, and where forms differ in words: `1 star` and `2 stars`.
    """
    texts = _texts(column, data_dir, roles) if column.integer else None
    if texts is None:
        return None
    cells = texts.dropna().astype(str).str.strip()
    forms = cells.str.replace(r"\d[\d.,'’ ]*\d|\d", "#", n=1, regex=True)
    if len(set(forms.str.replace(r"\s", "", regex=True))) > 1:
        return None
    return str(cells[forms == forms.value_counts().index[0]].iloc[0])


def _texts(column: ColumnProfile, data_dir: Path, roles: Roles) -> pd.Series | None:
    """The cells of labels that hold numbers as texts; None where the answers are plain numbers or words."""
    if column.number is None or column.number == NumberFormat():
        return None
    table, *others = roles.train
    same = [c for other in others if (c := other.column(column.name)) and c.kind != "empty"]
    shown = roles.sample.column(column.name) if roles.sample else None
    if any(c.number in (None, NumberFormat()) for c in same) or (shown and _plain(shown)):
        return None
    return load(data_dir, table, [column.name], [column.name])[column.name]


def _plain(column: ColumnProfile) -> bool:
    """Whether cells are numbers without a unit."""
    return bool(column.examples) and all(re.fullmatch(r"-?\d+(\.\d+)?", text.strip()) for text in column.examples)


def told(kind: Inferred[ProblemType], texts: pd.Series) -> Inferred[ProblemType]:
    """The kind of answer, with a sentence on how labels that hold numbers are written."""
    shown = quote_list(sorted(texts.dropna().unique(), key=lambda text: (len(text), text)), 2)
    return kind.model_copy(update={"evidence": f"{kind.evidence} The answers are written as there: {shown}."})


def counts_of(
    column: ColumnProfile, roles: Roles, frame: pd.DataFrame, data_dir: Path, texts: list[str], spelled: list[str]
) -> Counter[str]:
    """Labels of all rows of all training tables, the most frequent first.

    Parameters
    ----------
    frame
        The first training table, or a part of it.
    texts
        Columns that are kept as they are written.
    spelled
        Labels that stand there in other spellings, too.

    Raises
    ------
    UserError
        When fewer than two labels stand in enough rows.
    """
    from mlzero.perception.tables import load_table
    from mlzero.semantic_memory.blocks.columns import one_spelling

    main = roles.train[0]
    counts = _labels_in(column, main, frame, data_dir, texts, spelled)
    for table in roles.train[1:]:
        other = table.column(column.name)
        if other is not None and other.kind != "empty" and table.rows * len(table.columns) <= LARGE_CELLS:
            cells = load_table(data_dir, table, as_written=texts)[column.name]
            counts += problem.labels_of(one_spelling(cells, spelled) if spelled else cells)
    if sum(rows >= _LEAST_ROWS for rows in counts.values()) < 2:
        raise UserError(
            f'"{column.name}" of {label_of(main)} has fewer than two labels that stand in {_LEAST_ROWS} rows or '
            "more, so nothing can be learnt and measured.",
            "Add rows of the rarer labels, or choose another target.",
        )
    return Counter(dict(sorted(counts.items(), key=lambda item: (-item[1], item[0]))))


def _labels_in(
    column: ColumnProfile,
    table: TableProfile,
    frame: pd.DataFrame,
    data_dir: Path,
    texts: list[str],
    spelled: list[str],
) -> Counter[str]:
    """Labels of a table; of a large one by its profile where that tells them all."""
    if len(frame) < table.rows:
        from mlzero.iterative_coding.labels import text_of
        from mlzero.perception.tables import load_table
        from mlzero.semantic_memory.blocks.columns import one_spelling

        known = {text_of(value) for value in frame[column.name].dropna().unique()}
        shown = {text: n for text, n in column.top if text in known}
        if set(shown) == known and len(known) == column.unique:
            return Counter(shown)
        frame = load_table(data_dir, table, as_written=texts)
        frame[column.name] = one_spelling(frame[column.name], spelled) if spelled else frame[column.name]
    return problem.labels_of(frame[column.name])
