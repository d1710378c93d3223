"""A solution, shortened for the eyes of a language model."""

from __future__ import annotations

import ast

from mlzero.iterative_coding.inspection import READING, definitions, frozen, names_of


def sketch(source: str, characters: int) -> str:
    """The solution as a model needs to see it: what it may change in full, the rest as signatures.

    Parameters
    ----------
    characters
        What is shown in full has about as many at most; `fit` and `predict` come first.
    """
    closed, lines = set(frozen(source)), source.splitlines()
    known = definitions(source)
    full: set[str] = set()
    order = sorted(known, key=lambda name: (name not in ("fit", "predict"), known[name].lineno))
    for name in order:
        node = known[name]
        size = len(ast.get_source_segment(source, node) or "")
        value = not isinstance(node, ast.FunctionDef | ast.ClassDef)
        if (name not in closed or (value and size < 600)) and size <= characters:
            full.add(name)
            characters -= size
    called = {n.id for name in known if name not in closed for n in ast.walk(known[name]) if isinstance(n, ast.Name)}
    shown: list[str] = []
    for node in ast.parse(source).body:
        names = list(names_of(node))
        text = "\n".join(lines[node.lineno - 1 : node.end_lineno])
        if not names:
            if isinstance(node, ast.Import | ast.ImportFrom):
                shown.append(text)
            continue
        keep = " # fixed: reading" if names[0] in closed else ""
        if names[0] in full:
            shown.append(text if not keep else f"{text}{keep}" if "\n" not in text else f"{keep.strip()}\n{text}")
        elif keep and names[0] not in called and names[0] not in READING:
            continue  # reading's own business
        elif isinstance(node, ast.FunctionDef):
            told = (ast.get_docstring(node) or "").split("\n")[0]
            shown.append(
                f"def {node.name}({ast.unparse(node.args)}): ...  # {told}{' (fixed: reading)' if keep else ''}"
            )
        else:
            shown.append(f"{text[:200]} ...{keep}")
    return "\n".join(shown)
