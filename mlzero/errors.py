"""The errors a person can act on. Everything else is a bug and keeps its traceback."""

from __future__ import annotations


class MLZeroError(Exception):
    """Base of every error raised on purpose."""


class UserError(MLZeroError):
    """Something only the user can change.

    Parameters
    ----------
    message
        One sentence that names the file, column or value.
    fix
        What to do about it, as an instruction.
    """

    def __init__(self, message: str, fix: str = "") -> None:
        self.message = message
        self.fix = fix
        super().__init__(f"{message} {fix}".strip())


class Stopped(MLZeroError):
    """The user pressed stop; the run ends with the best it has."""


class NoSolution(MLZeroError):
    """No attempt of the run passed the checks."""
