"""What the installed libraries offer: signatures and docstrings, read from their source and never imported.

Importing AutoGluon takes seconds and gigabytes; parsing one of its files takes a tenth of a second.
"""

from __future__ import annotations

import ast
import functools
import inspect
import re
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

WHERE = {  # distribution and file that define a class
    "TabularPredictor": ("autogluon.tabular", "autogluon/tabular/predictor/predictor.py"),
    "TimeSeriesPredictor": ("autogluon.timeseries", "autogluon/timeseries/predictor.py"),
    "MultiModalPredictor": ("autogluon.multimodal", "autogluon/multimodal/predictor.py"),
}


@dataclass(frozen=True)
class Api:
    """A method as installed."""

    name: str  # "TabularPredictor.fit"
    version: str  # of the distribution
    signature: str  # "(self, train_data, tuning_data=None, ...)"
    parameters: tuple[str, ...]
    doc: str

    def knows(self, option: str) -> bool:
        """Whether it takes a keyword: by its signature, or by name in the documentation of its `**kwargs`."""
        return option in self.parameters or bool(re.search(rf"^\s*{re.escape(option)} :", self.doc, re.M))


@functools.cache
def api(class_name: str, method: str = "__init__") -> Api | None:
    """A method of a class in `WHERE`; None when the library is not installed or has no such method."""
    definition, version = _definition(class_name)
    if definition is None:
        return None
    for part in definition.body:
        if isinstance(part, ast.FunctionDef) and part.name == method:
            documented = part if method != "__init__" else definition
            arguments = part.args
            names = [a.arg for a in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]]
            doc = inspect.cleandoc(ast.get_docstring(documented) or "")
            return Api(f"{class_name}.{method}", version, f"({ast.unparse(arguments)})", tuple(names), doc)
    return None


@functools.cache
def _definition(class_name: str) -> tuple[ast.ClassDef | None, str]:
    """The class as its file defines it, and the version of its distribution; None and "" when it is not installed."""
    distribution, file = WHERE[class_name]
    try:
        found = metadata.distribution(distribution)
        tree = ast.parse(Path(str(found.locate_file(file))).read_text(encoding="utf-8"))
    except (metadata.PackageNotFoundError, OSError):
        return None, ""
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == class_name]
    return (classes[0] if classes else None), found.version


def unknown_options(source: str) -> list[str]:
    """Keywords in the calls of a solution that the installed library does not take.

    Looked at are `X(...)` and `name = X(...)` followed by `name.fit(...)`, for the classes in `WHERE`.
    """
    tree = ast.parse(source)
    made: dict[str, str] = {}
    for node in ast.walk(tree):
        value = node.value if isinstance(node, ast.Assign) else None
        if (
            isinstance(node, ast.Assign)
            and isinstance(value, ast.Call)
            and isinstance(value.func, ast.Name)
            and value.func.id in WHERE
        ):
            made |= {target.id: value.func.id for target in node.targets if isinstance(target, ast.Name)}
    unknown: dict[str, None] = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        found = None
        if isinstance(called, ast.Name) and called.id in WHERE:
            found = api(called.id)
        elif isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) and called.value.id in made:
            found = api(made[called.value.id], called.attr)
        if found:
            unknown |= dict.fromkeys(k.arg for k in node.keywords if k.arg and not found.knows(k.arg))
    return list(unknown)
