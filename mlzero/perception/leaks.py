"""Which columns a model may use: names of rows, constants, empty columns and answers in disguise are left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlzero.perception import copies
from mlzero.perception.profile import FILES, ColumnProfile, TableProfile
from mlzero.perception.roles import label_of
from mlzero.perception.task import FeaturePlan

if TYPE_CHECKING:
    import pandas as pd

SAMPLE = 20_000  # rows that are looked at
_SHARED = 0.5  # an identifier with fewer different values a row may describe a group


def plan(
    main: TableProfile,
    tests: list[TableProfile],
    targets: list[str],
    id_column: str | None,
    frame: pd.DataFrame,
    numeric: bool,
) -> tuple[list[FeaturePlan], list[str]]:
    """What becomes of every column that is not a target, and notes on columns that give the answer away.

    Parameters
    ----------
    frame
        Labelled rows of the training table, a sample will do.
    numeric
        Whether the targets are numbers.
    """
    features, notes = [], []
    sample = frame.sample(SAMPLE, random_state=0) if len(frame) > SAMPLE else frame
    known = copies.answers(sample, targets, numeric)
    naming = {c.source_name for c in main.columns if c.media is not None}
    for column in main.columns:
        if column.name in targets:
            continue
        treat_as, reason = column.kind, _reason(column, main, tests, id_column)
        if column.name in naming and column.kind not in FILES:
            reason = reason or "It only names the files."
        if column.kind == "identifier" and reason is None:
            treat_as = "category"
        target = (
            copies.copied(sample[column.name], known)
            if reason is None and column.kind not in ("text", *FILES) and column.name in sample
            else None
        )
        if target:
            sentence = f'"{column.name}" alone tells "{target}" almost everywhere'
            if tests:
                notes.append(
                    f"{sentence}. It is there in the rows to predict, so it is used; leave it out if it is not known in time."
                )
            else:
                reason = f'Alone it tells "{target}" almost everywhere, as a copy of the answer would.'
                notes.append(f"{sentence} and was left out; keep it if it is known before the answer.")
        features.append(FeaturePlan(name=column.name, treat_as=treat_as, drop=reason))
    later = [f.name for f in features if f.drop and f.drop.startswith("Not known")]
    if later:
        shown = ", ".join(later[:8]) + (f" and {len(later) - 8} more" if len(later) > 8 else "")
        notes.append(f"Left out because the rows to predict do not have them: {shown}.")
    return features, notes


def _reason(column: ColumnProfile, main: TableProfile, tests: list[TableProfile], id_column: str | None) -> str | None:
    if column.name == id_column:
        return "It names the rows."
    if column.kind == "empty" or column.missing >= main.rows:
        return "It is empty."
    if column.kind == "constant" and column.missing == 0:
        return f'It is "{column.examples[0]}" everywhere.' if column.examples else "It is the same everywhere."
    if column.kind == "constant":
        return "It has only one value."
    if column.told is not None or (main.read.maker == "file_rows" and column.kind not in FILES):
        return "Names and folders of later files need not tell it."
    if tests:
        there = [c for test in tests if (c := test.column(column.name))]
        if not there:
            return f"Not known in the rows to predict: {label_of(tests[0])} does not have it."
        if all(c.kind == "empty" for c in there):
            return f"Not known in the rows to predict: it is empty in {label_of(tests[0])}."
    if column.kind == "identifier" and column.unique > _SHARED * (main.rows - column.missing):
        return "Nearly every row has its own value, so nothing can be learnt from it."
    return None
