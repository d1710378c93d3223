"""MLZero: from a data folder and a goal in plain words to a trained predictor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mlzero.errors import NoSolution, UserError
from mlzero.version import __version__

if TYPE_CHECKING:
    from mlzero.api import Inspection, Run, inspect, load_predictor, solve

__all__ = ["Inspection", "NoSolution", "Run", "UserError", "__version__", "inspect", "load_predictor", "solve"]


def __getattr__(name: str) -> Any:
    """Load the interface on first use, so that `import mlzero` stays cheap."""
    if name in __all__:
        from mlzero import api

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
