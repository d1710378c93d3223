"""Language models behind one seam. This version plans without one."""

from __future__ import annotations

from mlzero.errors import UserError


def resolve(choice: str) -> None:
    """Which model a run uses: `auto` and `none` mean the built-in planner.

    Raises
    ------
    UserError
        When a model is asked for that cannot be used.
    """
    if choice not in ("auto", "none"):
        raise UserError(
            f"The language model {choice} cannot be used: this version works with its built-in planner only.",
            "Leave --llm out, or use --llm none.",
        )
