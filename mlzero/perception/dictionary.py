"""Column names out of a description that lists the columns in their order."""

from __future__ import annotations

import re
from collections.abc import Iterable

_NUMBERED = re.compile(
    r"^\s*(?:column|col|feature|attribute|spalte|field|columna|colonne)?\s*#?(\d{1,4})\s*[.):\t-]?\s+(.+)$",
    re.IGNORECASE,
)
_NAMED = re.compile(r"^\s*[-*•]?\s*[`'\"]?([^\W\d][\w.\- /()%]{0,39}?)[`'\"]?\s*(?::|=|\t|\s[–—-]\s)\s*\S.*$")
_TAB = re.compile(r"\s*(?:<TAB>|\[TAB\]|\\t)\s*", re.IGNORECASE)
_NAME = re.compile(r"[`'\"]?([^\W\d][\w.\-]*)[`'\"]?")


def lists_in(text: str) -> list[list[str]]:
    """Every list of column names found, numbered lists first."""
    lines = text.splitlines()
    short = [*_numbered(lines), *_tabbed(lines)]
    long = [names for names in _named(lines) if len(names) >= 3]  # two lines with a colon are everywhere
    return [names for names in [*short, *long] if len(names) >= 2 and len(set(names)) == len(names)]


def names_for(width: int, lists: Iterable[list[str]], other_widths: Iterable[int]) -> list[str] | None:
    """Names for a headerless table.

    A list one name longer also serves when another headerless table beside has all of them: then this
    table lacks the last column, as rows to predict do.
    """
    lists = list(lists)
    exact = next((names for names in lists if len(names) == width), None)
    if exact:
        return exact
    longer = next((names for names in lists if len(names) == width + 1 and len(names) in set(other_widths)), None)
    return longer[:width] if longer else None


def _numbered(lines: list[str]) -> list[list[str]]:
    """Lists whose lines count 1, 2, 3 (or from 0) and go on with a name."""
    found: list[list[str]] = []
    current: list[str] = []
    expected: int | None = None
    several = sum(map(len, _named(lines))) >= 2
    codes = False  # indented lines list the codes of the name above
    for line in lines:
        if several and line.strip() and not line[0].isspace():
            codes = bool(_NAMED.match(line))
        match = None if codes and line[:1].isspace() else _NUMBERED.match(line)
        number = int(match.group(1)) if match else None
        name = _NAME.match(match.group(2)) if match else None
        if number is not None and name and number == expected:
            current.append(name.group(1).rstrip(".-"))
            expected = number + 1
        elif number in (0, 1) and name:
            found.append(current)
            current, expected = [name.group(1).rstrip(".-")], number + 1
    return [*found, current]


def _tabbed(lines: list[str]) -> list[list[str]]:
    """Lines that draw a row of the file, as in `text <TAB> label (YES/NO)`."""
    found = []
    for line in lines:
        parts = _TAB.split(re.sub(r"^[^<\[\\]{0,25}:\s+", "", line.strip()))
        names = [re.sub(r"\s*[(\[].*?[)\]]", "", part).strip(" .,;`'\"") for part in parts]
        found.append(names if len(parts) > 1 and all(0 < len(name) <= 40 for name in names) else [])
    return found


def _named(lines: list[str]) -> list[list[str]]:
    """Runs of lines `name: meaning`; blank and indented lines between belong to the name above."""
    found: list[list[str]] = []
    current: list[str] = []
    for line in lines:
        if not line.strip() or (line[:1].isspace() and current):
            continue
        match = _NAMED.match(line)
        if match and len(match.group(1).split()) <= 4:
            current.append(match.group(1).strip())
        else:
            found.append(current)
            current = []
    return [*found, current]
