"""Several labels in one cell, such as `drama|comedy`: one column of zeros and ones a label."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd


def labels_in(cell: str, separator: str) -> list[str]:
    """The labels of a cell, without brackets around them all and quotation marks around each."""
    text, sign = cell.strip(), separator.strip() or separator
    if text[:1] + text[-1:] in ("[]", "()", "{}") and not set(text[1:-1]) & set("[](){}"):
        text = text[1:-1]
    parts = [part.strip() for part in text.split(sign)]
    parts = [part[1:-1].strip() if part[:1] == part[-1:] and part[:1] in ("'", '"') else part for part in parts]
    return [part for part in dict.fromkeys(parts) if part]


def label_columns(rows: pd.DataFrame, column: str, separator: str, labels: Sequence[str]) -> pd.DataFrame:
    """The rows with a column of zeros and ones a label in place of the column that lists them.

    Rows without a list have no value in any of them; without the column nothing changes.
    """
    if column not in rows:
        return rows
    known = rows[column].notna()
    held = rows.loc[known, column].astype(str).map(lambda cell: {*labels_in(cell, separator)})
    ones = pd.DataFrame({label: held.map(lambda found, label=label: float(label in found)) for label in labels})
    return rows.drop(columns=column).join(ones.reindex(rows.index))
