"""Columns that are the answer in disguise: copies, scores and reasons that are only written down afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlzero.perception.wording import parts_of

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

_BINS = 64
_COPY = 0.995  # share of rows whose target one column tells
_LINE = 0.9995  # correlation from which two numbers say the same
_LEAST = 50  # rows below which nothing can be said
_MOST_TARGETS = 30


@dataclass
class Answer:
    """A target as arrays: numbers, or positions of classes (0, 1, ...)."""

    name: str
    numbers: np.ndarray | None = None
    codes: np.ndarray | None = None
    share: float = 0.0  # of the most frequent class


def answers(frame: pd.DataFrame, targets: list[str], numeric: bool) -> list[Answer]:
    """Targets of labelled rows; none when there are too few rows, or too many targets, to look for copies."""
    import numpy as np
    import pandas as pd

    if len(frame) < _LEAST or len(targets) > _MOST_TARGETS:
        return []
    found = []
    for name in targets:
        if numeric:
            if pd.api.types.is_numeric_dtype(frame[name]):
                found.append(Answer(name, numbers=frame[name].to_numpy(float, na_value=np.nan)))
        else:
            codes = pd.factorize(frame[name])[0]
            share = float(np.bincount(codes).max() / len(codes))
            if share <= 0.99:
                found.append(Answer(name, codes=codes, share=share))
    return found


def copied(values: pd.Series, targets: list[Answer]) -> str | None:
    """The target that a column tells on its own almost everywhere, if any.

    A number that parts two classes at one threshold counts only when its name is akin to the target's
    (`churn_score` beside `churned`); it may well be an honest measurement otherwise.
    """
    import numpy as np
    import pandas as pd

    if not targets:
        return None
    countable = pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values)
    numbers = values.to_numpy(float, na_value=np.nan) if countable else None
    codes = _bins(values) if any(t.codes is not None for t in targets) else None
    for target in targets:
        if target.numbers is not None:
            if numbers is not None and _follows(numbers, target.numbers):
                return target.name
        elif (codes is not None and (_tells(codes, target) or _only_with(codes > 0, target))) or (
            numbers is not None and _akin(values.name, target.name) and _parts(numbers, target)
        ):
            return target.name
    return None


def _follows(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether one number follows the other nearly without error, on a line or in order."""
    import numpy as np
    import pandas as pd

    both = np.isfinite(a) & np.isfinite(b)
    if both.sum() < max(_LEAST, 0.5 * len(a)):
        return False
    a, b = a[both], b[both]
    if len(np.unique(a)) < 10 or len(np.unique(b)) < 3:
        return False
    if abs(np.corrcoef(a, b)[0, 1]) > _LINE:
        return True
    return bool(abs(np.corrcoef(pd.Series(a).rank(), pd.Series(b).rank())[0, 1]) > _LINE)


def _tells(codes: np.ndarray, target: Answer) -> bool:
    """Whether the value, or its absence, tells the class: learnt on one half of the rows, checked on the other."""
    import numpy as np

    truth = target.codes
    assert truth is not None
    half = np.arange(len(truth)) % 2 == 0
    table = np.zeros((codes.max() + 1, truth.max() + 1))
    np.add.at(table, (codes[half], truth[half]), 1)
    known = table.sum(axis=1)[codes] > 0
    told = float(((table.argmax(axis=1)[codes] == truth) & known)[~half].mean())
    return told >= _COPY and 1 - told < 0.1 * (1 - target.share)


def _only_with(there: np.ndarray, target: Answer) -> bool:
    """Whether a column is filled nearly only, and nearly always, with one class, as the reason for leaving is."""
    import numpy as np

    assert target.codes is not None
    filled = int(there.sum())
    if not _LEAST / 2 <= filled <= 0.9 * len(there):
        return False
    counts = np.bincount(target.codes[there])
    only = int(counts.argmax())
    return bool(counts[only] >= _COPY * filled and counts[only] >= 0.8 * (target.codes == only).sum())


def _parts(numbers: np.ndarray, target: Answer) -> bool:
    """Whether a number parts two classes at one threshold."""
    import numpy as np

    assert target.codes is not None
    known = np.isfinite(numbers)
    codes, numbers = target.codes[known], numbers[known]
    if known.mean() < 0.9 or target.codes.max() != 1 or np.bincount(codes, minlength=2).min() < _LEAST / 2:
        return False
    first, second = numbers[codes == 0], numbers[codes == 1]
    return bool(first.max() < second.min() or second.max() < first.min())


def _akin(name: object, target: str) -> bool:
    """Whether two names share a word, as `churn score` and `churned` do."""
    pairs = [(a, b) for a in parts_of(str(name)) for b in parts_of(target) if min(len(a), len(b)) >= 4]
    return any(a.startswith(b) or b.startswith(a) for a, b in pairs)


def _bins(values: pd.Series) -> np.ndarray | None:
    """A small number for every value, 0 for no value; None when there are too many different ones."""
    import numpy as np
    import pandas as pd

    if pd.api.types.is_datetime64_any_dtype(values):
        values = values.astype("int64").where(values.notna())
    if pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values):
        numbers = values.to_numpy(float, na_value=np.nan)
        known = np.isfinite(numbers)
        if len(different := np.unique(numbers[known])) > _BINS:
            edges = np.unique(np.quantile(numbers[known], np.linspace(0, 1, _BINS + 1)[1:-1]))
            return np.where(known, np.searchsorted(edges, numbers, side="right") + 1, 0)
        return np.where(known, np.searchsorted(different, numbers) + 1, 0)
    codes = pd.factorize(values)[0]
    return None if codes.max() > 0.05 * len(codes) + 2 else codes + 1
