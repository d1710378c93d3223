"""Class labels as text, the same way for truth and predictions whatever their column types."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from mlzero.perception import scales

if TYPE_CHECKING:
    import pandas as pd

WHOLE = re.compile(r"-?\d+\.0+")
YES = frozenset({"1", "true", "yes", "y", "t", "positive", "present"})
PREFIX = "probability_"
_NUMBER = re.compile(r"(?:(?<!\S)-)?\d+(?:[.,]\d+)?")


def text_of(value: Any) -> str:
    """`1`, `1.0` and `"1.0"` are one label, "1"; other values are their own text."""
    if isinstance(value, bool | np.bool_):
        return str(bool(value))
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    text = str(value)
    return text.partition(".")[0] if WHOLE.fullmatch(text) else text


def texts(column: pd.Series) -> np.ndarray:
    """The column as an object array of label texts; missing values become None."""
    import pandas as pd

    codes, values = pd.factorize(column, use_na_sentinel=True)
    names = np.array([*(text_of(v) for v in values), None], dtype=object)
    return names[codes]


def codes(column: pd.Series, labels: list[str]) -> np.ndarray:
    """Positions in `labels`, -1 for values that are none of them."""
    place = {label: i for i, label in enumerate(labels)}
    return np.array([place.get(text, -1) for text in texts(column)], dtype=int)


def is_yes(column: pd.Series, positive: str | None = None) -> np.ndarray:
    """True where a column of zeros and ones, or of yes and no, says yes."""
    yes = YES if positive is None else YES | {positive.lower()}
    return np.array([text is not None and text.lower() in yes for text in texts(column)], dtype=bool)


def positive_of(labels: list[str], positive: str | None) -> str:
    """The label that counts as "yes": the given one, else one that says so, else the rarer (last) one."""
    if positive is not None and text_of(positive) in labels:
        return text_of(positive)
    return next((label for label in labels if label.lower() in YES), labels[-1])


def in_order(labels: Sequence[str], known: Sequence[str] = ()) -> list[str]:
    """Grades, the lowest first.

    By the number that each holds (`2 stars`, `Grade 3`), by a scale that knows their words (`poor`, `fair`, `good`), by the
    alphabet (`A2`, `B1`) else.

    Parameters
    ----------
    known
        The order where it is known already; labels that it lacks come last.
    """
    if known:
        place = {label: i for i, label in enumerate(known)}
        return sorted(labels, key=lambda label: (place.get(label, len(place)), label))
    numbers = {label: number for label in labels if (number := number_of(label)) is not None}
    if not numbers and (graded := scales.order_of(labels)):
        return graded
    if len(set(numbers.values())) < len(numbers):
        return sorted(labels)
    return sorted(labels, key=lambda label: (numbers.get(label, float("inf")), label))


def number_of(label: str) -> float | None:
    """The number in a label; None where it holds none, or several."""
    found = _NUMBER.findall(label)
    return float(found[0].replace(",", ".")) if len(found) == 1 else None


def domain(labels: list[str], *columns: pd.Series) -> list[str]:
    """All labels as text: the task's in its order, then any others that occur."""
    found = dict.fromkeys(text_of(label) for label in labels)
    for column in columns:
        for text in texts(column):
            if text is not None:
                found.setdefault(text)
    return list(found)


def probabilities(frame: pd.DataFrame, labels: list[str]) -> np.ndarray | None:
    """Rows × labels from the `probability_<label>` columns, zero where a column is missing; None without any."""
    named = {text_of(str(c)[len(PREFIX) :]): c for c in frame.columns if str(c).startswith(PREFIX)}
    if not any(label in named for label in labels):
        return None
    result = np.zeros((len(frame), len(labels)))
    for i, label in enumerate(labels):
        if label in named:
            result[:, i] = frame[named[label]].to_numpy(dtype=float, na_value=np.nan)
    return result
