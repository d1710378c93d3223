"""The solution that averages the answers of other solutions, which it holds as text."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mlzero.semantic_memory.blocks import block_source, import_lines
from mlzero.semantic_memory.recipes.writing import doc, tidied

if TYPE_CHECKING:
    from mlzero.perception.task import Task

MARK = "..."  # stands where the text of the solutions comes, which is not to be tidied
NEEDS = ["import sys", "from pathlib import Path", "from types import ModuleType", "import pandas as pd"]


def render(task: Task, sources: dict[str, str], shares: dict[str, float], preload: Sequence[str]) -> str:
    """The text of the solution.

    Parameters
    ----------
    sources
        Solutions by name, the one whose reading serves all first.
    shares
        What part of the time of a fit each of them gets.
    preload
        Libraries that fits and predictions need.
    """
    from mlzero.semantic_memory.recipes.rendering import template_named

    block = block_source("mean_answers")
    names = ", ".join(name.replace("_", " ") for name in sources)
    headline = f"Predict {', '.join(task.targets[:4])} as the mean of what {names} answer."
    text = template_named("blend.py.j2").render(
        headline=doc(textwrap.fill(headline, 110)), imports="\n".join(import_lines({*block.imports, *NEEDS})),
        target=task.targets[0], shares={name: round(share, 3) for name, share in shares.items()}, preload=list(preload),
        members=MARK, blocks=block.code,
    )  # fmt: skip
    members = "".join(f"    \"{name}\": '''{_quoted(source)}''',\n" for name, source in sources.items())
    return tidied(text).replace(f"    {MARK}\n", members)


def members(source: str) -> dict[str, str]:
    """The solutions that a blend is made of, by name; none for any other solution."""
    if "\nMEMBERS = {" not in source:
        return {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "MEMBERS" for t in node.targets):
            found: dict[str, str] = ast.literal_eval(node.value)
            return found
    return {}


def _quoted(source: str) -> str:
    """The text for between three single quotes, as readable as before."""
    text = source.replace("\\", "\\\\")
    return re.sub(r"'{3,}|'+\Z", lambda quotes: quotes[0].replace("'", r"\'"), text)
