"""Why a predictor answers as it does for one row.

Every cell of the row is replaced by a usual one, one at a time, and the row is predicted again. What the answer changes
by is what the cell is worth. Cells that only matter together show less than they are worth this way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .answers import PREFIX
from .inputs import InputProblem

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

MOST = 12  # cells that are told
KINDS = ("binary", "multiclass", "regression")
FILES = ("image", "audio", "document", "mask")


def given_for(contract: dict[str, Any]) -> bool:
    """Whether reasons can be told for the answers of this predictor."""
    files = any(column["kind"] in FILES for column in contract["columns"])
    return contract["facts"]["problem_type"] in KINDS and not files


def reasons(
    solution: Any, contract: dict[str, Any], rows: pd.DataFrame, number: int, usual: pd.DataFrame, model_dir: Path
) -> dict[str, Any]:
    """The answer for row `number` of the new data, counted from 1 with blank ones, and what its cells are worth.

    Parameters
    ----------
    usual
        One row: what is usual in every column, read as new rows are.

    Returns
    -------
    dict
        `row`; `answer`, the label whose probability was asked for where one was; `probability` of the answer, None for
        numbers; `risk`, whether a probability was asked for; `cells`, a list of `column`, `value`, `usual`, `mostly_empty`
        (whether most training rows have no value there) and `effect`: how much the number, or the probability, is higher
        with this value than with the usual one.

    Raises
    ------
    InputProblem
        When there is no such row, or the predictor answers with something else than a class or a number, or not at all.
    """
    import pandas as pd

    facts = contract["facts"]
    if not given_for(contract):
        raise InputProblem("Reasons can be given for classes and numbers of tables and texts only.")
    left_out = rows.attrs.get("left_out", [])
    if not 1 <= number <= len(rows) + len(left_out):
        raise InputProblem(f"There is no row {number}; the rows are counted from 1 to {len(rows) + len(left_out)}.")
    if number - 1 in left_out:
        raise InputProblem(f"Row {number} holds nothing to predict.")
    row = rows.iloc[[number - 1 - sum(place < number - 1 for place in left_out)]]
    skipped = {*facts["targets"], facts["id"], *contract.get("ignored", [])}
    names = [name for name in row if name in usual and name not in skipped and _shown(row[name]) != _shown(usual[name])]
    variants = [row, *(row.assign(**{name: usual[name].to_numpy()}) for name in names)]
    answers = solution.predict(pd.concat(variants, ignore_index=True), model_dir)
    target = facts["targets"][0]
    answer, classes = answers[target].iloc[0], facts["problem_type"] != "regression"
    asked = classes and contract.get("output", {}).get("value") == "probability" and facts.get("positive_label")
    answer = asked or answer  # whoever asked for a risk wants the risk explained
    amount = answers.get(f"{PREFIX}{answer}") if classes else answers[target]
    if amount is None or pd.isna(amount.iloc[0]):
        what = "answer" if pd.isna(answer) else "probability"
        raise InputProblem(f"The predictor gives no {what} for row {number}, so there are no reasons to tell.")
    worth = (amount.iloc[0] - amount).fillna(0.0).tolist()[1:]
    scarce = {column["name"] for column in contract["columns"] if column.get("empty", 0) > 0.5}
    cells: list[dict[str, Any]] = [
        {
            "column": str(name), "value": _shown(row[name]), "usual": _shown(usual[name]), "mostly_empty": name in scarce,
            "effect": float(effect),
        }
        for name, effect in zip(names, worth, strict=True)
    ]  # fmt: skip
    cells.sort(key=lambda cell: -abs(cell["effect"]))
    return {
        "row": number, "answer": str(answer) if classes else float(answer),
        "probability": float(amount.iloc[0]) if classes else None, "risk": bool(asked), "cells": cells[:MOST],
    }  # fmt: skip


def told(found: dict[str, Any]) -> str:
    """What `reasons` found, in sentences: one for the answer, one a line for every cell that changes it."""
    chance = found["probability"]
    what = "the answer" if chance is None else f"the probability of {found['answer']}"
    answer = f"{found['answer']:.4g}" if chance is None else f"{found['answer']} (probability {chance:.2f})"
    lines = [f"The answer for row {found['row']} is {answer}."]
    if found["risk"]:
        lines = [f"The probability of {found['answer']} for row {found['row']} is {chance:.2f}."]
    if not found["cells"]:
        lines.append("All its cells hold what is usual in the training data.")
    for cell in found["cells"]:
        size = f"{abs(cell['effect']):.3g}"
        if float(size):
            how = "raises" if cell["effect"] > 0 else "lowers"
            lines.append(
                f"{cell['column']}: {cell['value'] or 'nothing'} in place of the usual {usual_of(cell)} {how} {what} by {size}."
            )
    return "\n".join(lines if len(lines) > 1 else [*lines, "No single cell changes it."])


def usual_of(cell: dict[str, Any]) -> str:
    """The usual value beside a cell that `reasons` found; where it is usual only among the few there are, that is said."""
    usual = cell["usual"][:60] or "nothing"
    return f"{usual} (most rows have none)" if cell["usual"] and cell.get("mostly_empty") else usual


def _shown(cell: pd.Series) -> str:
    """The one cell as text; empty for none."""
    import pandas as pd

    value = cell.iloc[0]
    if pd.isna(value):
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    return " ".join(str(value).split()).removesuffix(" 00:00:00")[:80]  # days without a time of day
