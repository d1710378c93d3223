"""Where generated code runs: the strongest sandbox this machine offers."""

from __future__ import annotations

import functools
import os

from mlzero.errors import UserError
from mlzero.iterative_coding.sandbox.base import Sandbox
from mlzero.iterative_coding.sandbox.job import Job

__all__ = ["Job", "Sandbox", "choose", "describe"]

VARIABLE = "MLZERO_SANDBOX"  # "auto" (default), "bubblewrap" or "restricted"


def choose(name: str | None = None) -> Sandbox:
    """The sandbox to use: by name, else by `$MLZERO_SANDBOX`, else the strongest that works here.

    Raises UserError when the one asked for does not work on this machine.
    """
    return _choose(name or os.environ.get(VARIABLE) or "auto")


@functools.cache
def _choose(name: str) -> Sandbox:
    from mlzero.iterative_coding.sandbox import bubblewrap, restricted

    if name not in ("auto", "bubblewrap", "restricted"):
        raise UserError(f'There is no sandbox called "{name}".', f"Set {VARIABLE} to auto, bubblewrap or restricted.")
    found = None if name == "restricted" else bubblewrap.find()
    if name == "bubblewrap" and found is None:
        raise UserError(
            "bubblewrap is not installed or not allowed to work on this machine.",
            f"Install the package bubblewrap and allow user namespaces, or set {VARIABLE}=restricted.",
        )
    return found or restricted.Restricted()


def describe() -> str:
    """One sentence on how generated code is kept apart on this machine."""
    return choose().description
