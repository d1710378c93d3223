"""Rendered solutions, as modules that tests can call."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

from mlzero.iterative_coding.coder import check


def module_of(source: str, folder: Path) -> Any:
    """The solution, checked, written into `folder` and imported as `solution`, so that what it pickles can be read back."""
    check(source)
    path = folder / "solution.py"
    path.write_text(source, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("solution", path)
    assert spec is not None and spec.loader is not None
    module = sys.modules["solution"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
