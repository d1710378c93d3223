"""Small uploads, one maker a kind of data; each writes a folder and says what is wanted of it."""

from __future__ import annotations

from typing import NamedTuple


class Wanted(NamedTuple):
    """What a run should make of an upload."""

    goal: str
    problem_type: str
    later: str  # rows to predict, below the folder: those that the run predicts, too, where it predicts any
    asked: bool = True  # whether the run predicts them
    hints: tuple[str, ...] = ()
    attempts: int = 1
    seconds: int = 60
