"""Which columns a model may use: names of rows, constants, empty columns and answers in disguise are left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlzero.perception.profile import ColumnProfile, TableProfile
from mlzero.perception.roles import label_of
from mlzero.perception.task import FeaturePlan

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

SAMPLE = 20_000  # rows that are looked at
_BINS = 64
_COPY = 0.995  # share of rows whose target one column tells
_LEAST = 50  # rows below which nothing can be said
_SHARED = 0.5  # an identifier with fewer different values a row may describe a group


def plan(
    main: TableProfile, tests: list[TableProfile], targets: list[str], id_column: str | None, frame: pd.DataFrame, numeric: bool
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
    for column in main.columns:
        if column.name in targets:
            continue
        treat_as, reason = column.kind, _reason(column, main, tests, id_column)
        if column.kind == "identifier" and reason is None:
            treat_as = "category"
        if reason is None and (target := _copied(column, sample, targets, numeric)):
            sentence = f'"{column.name}" alone tells "{target}" almost everywhere'
            if tests:
                notes.append(f"{sentence}. It is there in the rows to predict, so it is used; leave it out if it is not known in time.")
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
    if tests:
        there = [c for test in tests if (c := test.column(column.name))]
        if not there:
            return f"Not known in the rows to predict: {label_of(tests[0])} does not have it."
        if all(c.kind == "empty" for c in there):
            return f"Not known in the rows to predict: it is empty in {label_of(tests[0])}."
    if column.kind == "identifier" and column.unique > _SHARED * (main.rows - column.missing):
        return "Nearly every row has its own value, so nothing can be learnt from it."
    return None


def _copied(column: ColumnProfile, frame: pd.DataFrame, targets: list[str], numeric: bool) -> str | None:
    """The target that one column tells on its own, if any."""
    if len(frame) < _LEAST or column.name not in frame or column.kind == "text" or len(targets) > 30:
        return None
    values = frame[column.name]
    if numeric:
        return next((target for target in targets if _same_number(values, frame[target])), None)
    codes = _bins(values)
    if codes is None:
        return None
    return next((target for target in targets if _same_class(codes, frame[target]) or _only_with(values, frame[target])), None)


def _same_number(values: pd.Series, target: pd.Series) -> bool:
    """Whether one number follows the other nearly without error, on a line or in order."""
    import pandas as pd

    if pd.api.types.is_datetime64_any_dtype(values) or not pd.api.types.is_numeric_dtype(values):
        return False
    if not pd.api.types.is_numeric_dtype(target):
        return False
    pair = pd.DataFrame({"a": values, "b": target}).dropna()
    if len(pair) < max(_LEAST, 0.5 * len(values)) or pair.a.nunique() < 10 or pair.b.nunique() < 3:
        return False
    line = abs(pair.a.corr(pair.b))
    order = abs(pair.a.rank().corr(pair.b.rank()))
    return bool(max(line, order) > 0.9995)


def _same_class(codes: np.ndarray, target: pd.Series) -> bool:
    """Whether the value, or its absence, tells the class: learnt on one half of the rows, checked on the other.

    `codes` are small numbers for the values.
    """
    import numpy as np
    import pandas as pd

    truth = pd.factorize(target)[0]
    share = np.bincount(truth).max() / len(truth)
    if share > 0.99:
        return False
    half = np.arange(len(truth)) % 2 == 0
    table = np.zeros((codes.max() + 1, truth.max() + 1))
    np.add.at(table, (codes[half], truth[half]), 1)
    known = table.sum(axis=1)[codes] > 0
    right = (table.argmax(axis=1)[codes] == truth) & known
    told = float(right[~half].mean())
    return told >= _COPY and 1 - told < 0.1 * (1 - share)


def _only_with(values: pd.Series, target: pd.Series) -> bool:
    """Whether a column is filled nearly only, and nearly always, with one class, as the reason for leaving is."""
    there = values.notna()
    if not _LEAST / 2 <= there.sum() <= 0.9 * len(values):
        return False
    counts = target[there].value_counts()
    only = counts.index[0]
    return bool(counts.iloc[0] >= _COPY * there.sum() and counts.iloc[0] >= 0.8 * (target == only).sum())


def _bins(values: pd.Series) -> np.ndarray | None:
    """A small number for every value, one of its own for no value; None when there are too many different ones."""
    import numpy as np
    import pandas as pd

    if pd.api.types.is_datetime64_any_dtype(values):
        values = values.astype("int64").where(values.notna())
    if pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values) and values.nunique() > _BINS:
        codes = pd.qcut(values.astype(float), _BINS, labels=False, duplicates="drop").to_numpy(dtype=float)
        codes = np.where(np.isnan(codes), -1, codes).astype(int)
    else:
        codes = pd.factorize(values)[0]
        if codes.max() > 0.05 * len(codes) + 2:
            return None
    return codes + 1
