"""Small edits by a model, worked into the text of a solution: replaced passages, or whole definitions given anew."""

from __future__ import annotations

import ast
import difflib
import re

from mlzero.iterative_coding.inspection import names_of

BLOCK = re.compile(r"<{5,}\s*SEARCH[^\n]*\n(.*?)\n?={5,}[^\n]*\n(.*?)\n?>{5,}\s*REPLACE", re.S)
FENCE = re.compile(r"```(?:python|py)?[ \t]*\n(.*?)(?:\n```|\Z)", re.S)


class DoesNotFit(ValueError):
    """An edit cannot be applied; the message says which and why."""


def apply(answer: str, source: str) -> str:
    """The solution with the edits of an answer.

    Parameters
    ----------
    answer
        Holds `<<<<<<< SEARCH … ======= … >>>>>>> REPLACE` blocks, or fenced Python with complete definitions
        (functions, classes, values, imports) that replace those of the same name or are added.

    Raises
    ------
    DoesNotFit
        When there is no edit, a passage is not there or stands there twice, or the Python cannot be read.
    """
    blocks = BLOCK.findall(answer)
    if blocks:
        for old, new in blocks:
            source = _replaced(source, old, new)
        return source
    fences = [text for text in FENCE.findall(answer) if text.strip()]
    if not fences:
        raise DoesNotFit("There is neither a SEARCH/REPLACE block nor a fenced block of Python in the answer.")
    for text in fences:
        source = _merged(source, text)
    return source


def _replaced(source: str, old: str, new: str) -> str:
    if not old.strip():
        raise DoesNotFit("A SEARCH block is empty.")
    count = source.count(old)
    if count == 1:
        return source.replace(old, new)
    if count > 1:
        raise DoesNotFit(f"The passage that begins with {_first(old)!r} stands there {count} times: take more lines.")
    lines, wanted = source.splitlines(), [line.strip() for line in old.strip("\n").splitlines()]
    stripped = [line.strip() for line in lines]
    places = [i for i in range(len(lines) - len(wanted) + 1) if stripped[i : i + len(wanted)] == wanted]
    if len(places) != 1:
        close = difflib.get_close_matches(wanted[0], stripped, 1)
        near = f" The nearest line is {close[0]!r}." if close else ""
        raise DoesNotFit(f"The passage that begins with {_first(old)!r} is not in the solution.{near}")
    start = places[0]
    shift = _indent(lines[start]) - _indent(old.strip("\n").splitlines()[0])
    moved = [_shifted(line, shift) for line in new.splitlines()]
    return "\n".join([*lines[:start], *moved, *lines[start + len(wanted) :]]) + "\n"


def _merged(source: str, text: str) -> str:
    """Definitions of `text` in place of those of the same name; new ones before the first function that follows imports."""
    try:
        given = ast.parse(text)
    except SyntaxError as error:
        raise DoesNotFit(f"Line {error.lineno} of the Python given is none: {error.msg}: {(error.text or '').strip()[:100]}") from error  # fmt: skip
    text_lines = text.splitlines()
    imports, definitions = [], {}
    for node in given.body:
        passage = "\n".join(text_lines[_start(node) - 1 : node.end_lineno])
        if isinstance(node, ast.Import | ast.ImportFrom):
            imports.append(passage)
        elif name := _name(node):
            definitions[name] = passage
        elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            raise DoesNotFit(f"Line {node.lineno} of the Python given is neither an import, a function nor a value.")
    for name, passage in definitions.items():
        lines = source.splitlines()
        place = next((n for n in ast.parse(source).body if _name(n) == name), None)
        if place is not None:
            lines[_start(place) - 1 : place.end_lineno] = passage.splitlines()
        else:
            first = next(n for n in ast.parse(source).body if isinstance(n, ast.FunctionDef))
            lines[_start(first) - 1 : _start(first) - 1] = [*passage.splitlines(), "", ""]
        source = "\n".join(lines) + "\n"
    for passage in imports:
        if passage.startswith("from __future__") or any(
            passage == line for line in source.splitlines() if line.startswith(("import ", "from "))
        ):
            continue
        lines = source.splitlines()
        last = next(n for n in reversed(ast.parse(source).body) if isinstance(n, ast.Import | ast.ImportFrom))
        lines[last.end_lineno : last.end_lineno] = passage.splitlines()
        source = "\n".join(lines) + "\n"
    return source


def _name(node: ast.stmt) -> str:
    """The one name that a statement defines, else nothing."""
    names = list(names_of(node))
    return names[0] if len(names) == 1 else ""


def _start(node: ast.stmt) -> int:
    decorators = getattr(node, "decorator_list", [])
    return min([node.lineno, *(d.lineno for d in decorators)])


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _shifted(line: str, shift: int) -> str:
    return line if not line.strip() else " " * max(0, _indent(line) + shift) + line.lstrip()


def _first(text: str) -> str:
    return text.strip().splitlines()[0][:80]
