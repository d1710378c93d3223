"""Python source as a person writes it: values, docstrings, blank lines."""

from __future__ import annotations

import textwrap
from typing import Any

WIDTH = 108  # characters of a line in a solution


def python(value: Any, indent: int = 0) -> str:
    """The value as Python would be written by hand: double quotes, and one entry a line when it is long."""
    line = flat(value)
    if len(line) + indent <= WIDTH or not isinstance(value, dict | list | tuple) or not value:
        return line
    inner = " " * (indent + 4)
    opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
    if isinstance(value, dict):
        entries = [f"{flat(key)}: {python(entry, indent + 4)}," for key, entry in value.items()]
    elif all(isinstance(entry, str | int | float) for entry in value):
        words = [flat(entry).replace(" ", "\0") + "," for entry in value]
        filled = textwrap.wrap(" ".join(words), WIDTH - indent - 4, break_long_words=False, break_on_hyphens=False)
        entries = [part.replace("\0", " ") for part in filled]
    else:
        entries = [python(entry, indent + 4) + "," for entry in value]
    return opening + "\n" + "".join(f"{inner}{entry}\n" for entry in entries) + " " * indent + closing


def flat(value: Any) -> str:
    """The value in one line, texts in double quotes."""
    if isinstance(value, str):
        text = repr(value)
        return text if '"' in text or "\\'" in text else f'"{text[1:-1]}"'
    if isinstance(value, dict):
        return "{" + ", ".join(f"{flat(key)}: {flat(entry)}" for key, entry in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(flat, value)) + "]"
    return repr(value)


def doc(text: str | None) -> str:
    """Text that cannot end the docstring or comment it stands in."""
    return (text or "").replace("\\", "/").replace('"""', "'''").replace("\r", " ")


def tidied(text: str) -> str:
    """Two blank lines around what stands at the left edge and more than a line long, one elsewhere at most."""
    kept: list[str] = []
    for line in (line.rstrip() for line in text.splitlines()):
        if not line:
            if kept and kept[-1]:
                kept.append("")
            continue
        if line.startswith(("def ", "class ", "# ---")) and kept:
            while kept and not kept[-1]:
                kept.pop()
            kept += ["", ""]
        kept.append(line)
    return "\n".join(kept).strip() + "\n"
