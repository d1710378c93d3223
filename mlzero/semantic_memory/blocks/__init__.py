"""Functions that both MLZero and the solutions it writes are made of: public libraries only, each ready to be pasted.

A solution gets their source, so what was profiled is what is trained on and what the predictor reads later.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent
# comments that a solution does without
_FOR_TOOLS = re.compile(r"(?:  # (?:type: ignore\[[\w,-]+\]|fmt: skip))+$", re.M)


@dataclass(frozen=True)
class BlockSource:
    """Source to put into a solution."""

    imports: list[str]  # lines, sorted, standard library first
    code: str  # definitions, each after what it calls

    @property
    def text(self) -> str:
        return "\n".join(self.imports) + "\n\n\n" + self.code


@dataclass(frozen=True)
class _Definition:
    name: str
    module: str
    source: str
    uses: tuple[str, ...]  # in the order of use
    kind: str  # "function" or "constant"


def function(name: str) -> Callable[..., Any]:
    """A block by its name."""
    return getattr(importlib.import_module(f"{__name__}.{_definitions()[name].module}"), name)


def block_source(*names: str) -> BlockSource:
    """The source of the named blocks, of everything they call, and the import lines for it.

    Raises
    ------
    KeyError
        When there is no block of that name.
    """
    wanted: dict[str, _Definition] = {}

    def add(name: str) -> None:
        definition = _definitions()[name]
        for used in definition.uses:
            if used in _definitions() and used != name and used not in wanted:
                add(used)
        wanted.setdefault(name, definition)

    for name in names:
        add(name)
    lines = {
        line
        for definition in wanted.values()
        for used in definition.uses
        for bound, line in _imports(definition.module).items()
        if used == bound
    }
    constants = [d.source for d in wanted.values() if d.kind == "constant"]
    functions = [d.source for d in wanted.values() if d.kind != "constant"]
    code = "\n\n\n".join(["\n".join(constants), *functions] if constants else functions)
    return BlockSource(import_lines(lines), code)


@cache
def _trees() -> dict[str, tuple[ast.Module, str]]:
    sources = {
        path.stem: path.read_text(encoding="utf-8") for path in sorted(_FOLDER.glob("*.py")) if path.stem != "__init__"
    }
    return {stem: (ast.parse(text), text) for stem, text in sources.items()}


@cache
def _definitions() -> dict[str, _Definition]:
    found: dict[str, _Definition] = {}
    for module, (tree, text) in _trees().items():
        for node in tree.body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                names, kind = [node.name], "function"
            elif isinstance(node, ast.Assign):
                names, kind = [target.id for target in node.targets if isinstance(target, ast.Name)], "constant"
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                names, kind = [node.target.id], "constant"
            else:
                continue
            uses = tuple(dict.fromkeys(n.id for n in ast.walk(node) if isinstance(n, ast.Name)))
            start = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
            source = _FOR_TOOLS.sub("", "\n".join(text.splitlines()[start - 1 : node.end_lineno]))
            for name in names:
                if name in found:
                    raise ValueError(f"two blocks are named {name}: in {found[name].module} and in {module}")
                found[name] = _Definition(name, module, source, uses, kind)
    return found


@cache
def _imports(module: str) -> dict[str, str]:
    """Import lines of a module by the name they bind; other blocks are no imports."""
    lines: dict[str, str] = {}
    for node in _trees()[module][0].body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                bound = alias.asname or alias.name.split(".")[0]
                lines[bound] = f"import {alias.name}" + (f" as {alias.asname}" if alias.asname else "")
        elif isinstance(node, ast.ImportFrom) and not (node.module or "").startswith(("mlzero", "__future__")):
            for alias in node.names:
                lines[alias.asname or alias.name] = f"from {node.module} import {alias.name}" + (
                    f" as {alias.asname}" if alias.asname else ""
                )
    return lines


def import_lines(lines: Collection[str]) -> list[str]:
    """Import lines in their usual order: the standard library, a blank line, the rest; one `from` line a module."""
    import sys

    plain = sorted({line for line in lines if line.startswith("import ")})
    modules: dict[str, set[str]] = {}
    for line in lines:
        if line.startswith("from "):
            _, module, _, names = line.split(" ", 3)
            modules.setdefault(module, set()).update(names.split(", "))
    joined = [f"from {module} import {', '.join(sorted(names))}" for module, names in sorted(modules.items())]
    every = [*plain, *joined]
    standard = [line for line in every if line.split()[1].split(".")[0] in sys.stdlib_module_names]
    return [
        *standard,
        *([""] if standard and len(standard) < len(every) else []),
        *(line for line in every if line not in standard),
    ]
