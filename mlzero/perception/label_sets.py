"""Targets whose cells hold several labels: `drama|comedy`, `red; blue`, `["a", "b"]`."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from mlzero.errors import UserError
from mlzero.perception.problem import kind_named
from mlzero.perception.profile import ColumnProfile
from mlzero.perception.task import Inferred, LabelSet, ProblemType, Question
from mlzero.perception.wording import quote_list
from mlzero.semantic_memory.blocks.label_sets import labels_in

if TYPE_CHECKING:
    import pandas as pd

_SEPARATORS = ("|", ";", "；", "、", "，", "/", "+", "&", ",")
_MOST = 100  # labels: each becomes a model
_LONGEST = 40  # characters of a label
_LEAST_SETS = 0.05  # share of the cells that hold several labels
_OFTEN = 5  # rows a label, on average
_KNOWN = 0.98  # share of all labels in cells that stand in three rows or more
_FREE = 0.34  # share of the labels that stand alone as well as with others, or before as well as behind another
_CLEAR = 3  # different sets from which no question is asked


def find(column: ColumnProfile, cells: pd.Series, taken: list[str]) -> LabelSet | None:
    """How the cells hold several labels; None where each is one.

    The parts of such cells come again in other cells and combine freely: `Paris, France` beside `Lyon, France` are
    names of two words, since a town never stands alone, behind a country or with another one.

    Parameters
    ----------
    cells
        The column as loaded.
    taken
        Names of all columns, which no label may have.

    Raises
    ------
    UserError
        When a label is called as a column.
    """
    if column.kind not in ("category", "text", "identifier", "boolean") or isinstance(column.minimum, float):
        return None
    counts = Counter[str](cells.dropna().astype(str))
    for separator in _SEPARATORS:
        if found := _read(counts, separator):
            labels, sets = found
            if both := set(labels) & set(taken):
                raise UserError(
                    f'The label "{min(both)}" in cells of "{column.name}" is also the name of a column, and each label '
                    "becomes a column.",
                    f'Rename the column "{min(both)}", or choose one label a row as the kind of answer.',
                )
            empty = not all(labels_in(cell, separator) for cell in counts)
            return LabelSet(column=column.name, labels=labels, sets=sets, empty=empty, **_form(counts, separator))
    return None


def _read(counts: Counter[str], separator: str) -> tuple[list[str], int] | None:
    """Labels and the number of different sets of several, if the cells hold sets with this separator."""
    if sum(n for cell, n in counts.items() if separator in cell) < max(3, _LEAST_SETS * sum(counts.values())):
        return None
    lists = {cell: labels_in(cell, separator) for cell in counts}
    rows = Counter({label: 0 for found in lists.values() for label in found})
    for cell, found in lists.items():
        rows.update(dict.fromkeys(found, counts[cell]))
    if (
        not 2 <= len(rows) <= _MOST
        or max(map(len, rows)) > _LONGEST
        or (separator in "/," and all(map(str.isdigit, rows)))
    ):
        return None
    frequent = sum(n for n in rows.values() if n >= 3)
    if frequent < _KNOWN * rows.total() or rows.total() < _OFTEN * len(rows):
        return None
    several = {tuple(found) for found in lists.values() if len(found) > 1}
    alone = {found[0] for found in lists.values() if len(found) == 1}
    before = {a for found in several for a, _ in pairwise(found)}
    behind = {b for found in several for _, b in pairwise(found)}
    free = (alone & (before | behind)) | (before & behind)
    if not several or len(free) < _FREE * len(rows):
        return None
    return sorted(rows, key=lambda label: (-rows[label], label)), len({frozenset(found) for found in several})


def _form(counts: Counter[str], separator: str) -> dict[str, str]:
    """Separator with the blanks that most cells have beside it; brackets of most, quotation marks of the first."""
    several = [cell for cell in counts if separator in cell]
    joins = Counter(re.findall(rf"\s*{re.escape(separator)}\s*", " ".join(several)))
    edges = Counter(cell.strip()[:1] + cell.strip()[-1:] for cell in several).most_common(1)[0][0]
    first, opening = several[0].strip(), edges[0] if edges in ("[]", "()", "{}") else ""
    inner = first[len(opening) :].lstrip()[:1]
    return {
        "separator": joins.most_common(1)[0][0],
        "opening": opening,
        "closing": edges[1] if opening else "",
        "quote": inner if inner in "\"'" else "",
    }


def kind_of(found: LabelSet, cells: pd.Series) -> tuple[Inferred[ProblemType], Question | None]:
    """The kind of answer, and a question where few sets were seen."""
    shown = next(cell for cell in cells.dropna() if len(labels_in(str(cell), found.separator)) > 1)
    clear = found.sets >= _CLEAR
    told = f'Cells of "{found.column}" hold several labels at once, as "{shown}" does: {quote_list(found.labels, 4)}.'
    kind = kind_named("multilabel", 0.92 if clear else 0.6, told, ["multiclass"])
    question = Question(
        field="problem_type", text=f'Is "{shown}" in "{found.column}" several labels, or one of its own?',
        options=["multilabel", "multiclass"], default="multilabel",
    )  # fmt: skip
    return kind, None if clear else question
