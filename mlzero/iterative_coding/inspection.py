"""What code written by a model may do, checked before it costs a run.

Reading is not its business: `load_train`, `load_test`, `load_new`, `prepare` and all they rest on stay as they were in
the solution it starts from. Whoever reads the upload sees the answers of the rows kept aside, and could carry them
into training. What runs when the module is imported runs where the upload is in sight, too, so new statements
outside of functions are plain values.
"""

from __future__ import annotations

import ast
import re
import symtable
from collections.abc import Iterator

from mlzero.iterative_coding.coder import check
from mlzero.semantic_memory.installed_api import unknown_options

READING = ("load_train", "load_test", "load_new", "prepare")
MODULES = frozenset({
    "subprocess", "socket", "ctypes", "importlib", "inspect", "gc", "builtins", "requests", "urllib", "http", "httpx", "aiohttp",
    "ftplib", "smtplib", "asyncio", "signal", "pty", "code", "runpy", "webbrowser", "telnetlib", "ssl", "mlzero", "psutil", "sys",
})  # fmt: skip
NAMES = frozenset(
    {"eval", "exec", "compile", "__import__", "globals", "locals", "vars", "breakpoint", "input", "exit", "quit"}
)
ATTRIBUTES = frozenset({
    "environ", "getenv", "system", "popen", "fork", "kill", "walk", "listdir", "scandir", "chdir", "home", "cwd", "expanduser",
    "parent", "parents", "sleep", "read_sql", "rmtree", "symlink", "symlink_to",
})  # fmt: skip
PLAIN_CALLS = frozenset({"dict", "set", "list", "tuple", "frozenset", "range", "sorted"})


class NotAllowed(ValueError):
    """The code is not run; the message says why, for the model and for people."""


def inspect(source: str, parent: str, *, reading: bool = False) -> None:
    """Check a solution that a model made out of another.

    Parameters
    ----------
    source, parent
        The new text and the one it started from.
    reading
        Whether it may change how data is read: only when no solution could read it.

    Raises
    ------
    NotAllowed
        Naming the line, the function or the package.
    """
    try:
        check(source)
    except SyntaxError as error:
        raise NotAllowed(
            f"Line {error.lineno} is no Python: {error.msg}: {(error.text or '').strip()[:100]}"
        ) from error
    except ValueError as error:
        raise NotAllowed(f"{str(error)[:1].upper()}{str(error)[1:]}.") from error
    if unknown := unknown_options(source):
        raise NotAllowed(f"The installed library has no option {unknown[0]} in this call.")
    new, old = definitions(source), definitions(parent)
    changed = {name: node for name, node in new.items() if name not in old or ast.dump(old[name]) != ast.dump(node)}
    if "prepare" in changed or ("prepare" in old and "prepare" not in new):
        raise NotAllowed("prepare must stay as it is.")
    if not reading:
        for name in frozen(parent):
            if name not in new or name in changed:
                raise NotAllowed(f"{name} belongs to reading the data and must stay as it is.")
    before = {ast.dump(node) for node in ast.parse(parent).body}
    for node in ast.parse(source).body:
        if ast.dump(node) not in before:
            _at_import(node)
    for definition in changed.values():
        for part in ast.walk(definition):
            _look(part)


def reading_differs(source: str, parent: str) -> bool:
    """Whether two solutions read the data in different ways."""
    one, other = definitions(source), definitions(parent)
    names = frozen(parent)
    return names != frozen(source) or any(ast.dump(one[name]) != ast.dump(other[name]) for name in names)


def frozen(source: str) -> list[str]:
    """Names of the functions and values that reading rests on, in the order of the file."""
    known = definitions(source)
    wanted, found = [name for name in READING if name in known], set()
    while wanted:
        name = wanted.pop()
        if name not in found:
            found.add(name)
            wanted += [other for other in _names_from_outside(known[name]) if other in known]
    return [name for name in known if name in found]


def _names_from_outside(node: ast.stmt) -> set[str]:
    """Names that a definition takes from its module; a variable of its own may be called like a function there."""
    top = symtable.symtable(ast.unparse(node), "solution.py", "exec")
    tables, found = [top], set()
    while tables:
        table = tables.pop()
        tables += table.get_children()
        found |= {s.get_name() for s in table.get_symbols() if s.is_referenced() and (s.is_global() or table is top)}
    return found


def definitions(source: str) -> dict[str, ast.stmt]:
    """Functions, classes and values of a module by name; raises NotAllowed when a name is given twice."""
    found: dict[str, ast.stmt] = {}
    for node in ast.parse(source).body:
        for name in names_of(node):
            if name in found:
                raise NotAllowed(f"{name} is defined twice.")
            found[name] = node
    return found


def names_of(node: ast.stmt) -> Iterator[str]:
    """The names that a statement of a module defines; none for imports and the like."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Assign):
        yield from (target.id for target in node.targets if isinstance(target, ast.Name))
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        yield node.target.id


def _at_import(node: ast.stmt) -> None:
    """New statements of the module: imports, functions, classes, plain values."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        _look(node)
        return
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return  # a docstring
    executed: list[ast.AST]
    if isinstance(node, ast.FunctionDef):
        executed = [*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)]
    elif isinstance(node, ast.ClassDef):
        executed = [*node.decorator_list, *node.bases, *(k.value for k in node.keywords)]
        for inner in node.body:
            _at_import(inner)
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if not all(isinstance(target, ast.Name) for target in targets):
            raise NotAllowed(f"Line {node.lineno}: outside of functions only names may be given values.")
        executed = [node.value] if node.value else []
    elif isinstance(node, ast.Pass):
        return
    else:
        raise NotAllowed(
            f"Line {node.lineno}: outside of functions only imports, functions, classes and values may stand."
        )
    for top in executed:
        for part in ast.walk(top):
            if isinstance(part, ast.Call) and not (isinstance(part.func, ast.Name) and part.func.id in PLAIN_CALLS):
                raise NotAllowed(f"Line {part.lineno}: nothing may be called outside of functions; do it within one.")


def _look(node: ast.AST) -> None:
    """One part of the code against the lists."""
    line = f"Line {getattr(node, 'lineno', 0)}: "
    if isinstance(node, ast.Import | ast.ImportFrom):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
        for name in names:
            if name.partition(".")[0] in MODULES:
                raise NotAllowed(f"{line}the package {name.partition('.')[0]} may not be used in a solution.")
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if alias.name in ATTRIBUTES:
                    raise NotAllowed(f"{line}{alias.name} may not be used in a solution.")
    elif isinstance(node, ast.Name) and node.id in NAMES:
        raise NotAllowed(f"{line}{node.id} may not be used in a solution.")
    elif isinstance(node, ast.Attribute) and (
        node.attr in ATTRIBUTES
        or re.fullmatch(r"__(?!init__|len__|getitem__|call__)\w+__|_getframe|f_back|f_globals", node.attr)
    ):
        raise NotAllowed(f"{line}.{node.attr} may not be used in a solution.")
    elif (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.match(r"\s*(?:/\w|~|\w:[\\/]\w)|.*\.\.[\\/]", node.value)
    ):
        raise NotAllowed(f"{line}files outside of model_dir may not be named.")
