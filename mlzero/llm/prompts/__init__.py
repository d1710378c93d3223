"""The questions put to a model: templates beside this file, with variables that must all be given."""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment

CELL = 60  # characters of one value that are shown


def render(name: str, **values: Any) -> str:
    """The question `name`; a variable that is missing is an error."""
    return _environment().get_template(f"{name}.md.j2").render(**values).strip()


def fenced(text: object, most: int = 4000) -> str:
    """Material from files or programs between marks that it cannot close itself."""
    shown = text if isinstance(text, str) else json.dumps(text, ensure_ascii=False, default=str)
    shown = shown if len(shown) <= most else f"{shown[:most]} …"
    return f"<data>\n{_harmless(shown)}\n</data>"


def cell(value: object) -> str:
    """One name or value from a file, on one line and short."""
    shown = " ".join(str(value).split())
    return _harmless(shown[:CELL] + ("…" if len(shown) > CELL else ""))


def _harmless(text: str) -> str:
    """Without marks that would end or begin a fence."""
    return re.sub(r"<(\s*/?\s*data)", r"‹\1", text, flags=re.I)


@functools.cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    # prompts are plain text, nothing to escape for a browser
    made = Environment(
        loader=FileSystemLoader(Path(__file__).parent), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    made.filters |= {"fenced": fenced, "cell": cell}
    return made
