"""Columns of numbers made of two others."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd


def with_made(table: pd.DataFrame, rows: pd.DataFrame, made: Sequence[tuple[str, str, str]]) -> pd.DataFrame:
    """The table with a column for each of `made`: a column of `rows`, one of / * - +, and another column of `rows`."""
    table = table.copy()
    for number, (one, sign, other) in enumerate(made):
        left = pd.to_numeric(rows[one], errors="coerce").astype(float)
        right = pd.to_numeric(rows[other], errors="coerce").astype(float)
        if sign == "/":
            table[f"made{number}"] = left / right.where(right != 0)
        elif sign == "*":
            table[f"made{number}"] = left * right
        else:
            table[f"made{number}"] = left + right if sign == "+" else left - right
    return table
