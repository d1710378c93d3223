"""What every template gets: reading calls, columns and their kinds, facts, the blocks a solution needs."""

from __future__ import annotations

import functools
import pprint
import textwrap
from pathlib import Path
from typing import Any

from mlzero.perception.profile import Profile, TableProfile
from mlzero.perception.tables import conversions, read_call
from mlzero.perception.task import RowSource, Task
from mlzero.semantic_memory.blocks import block_source

FOLDER = Path(__file__).parent


def render(template: str, task: Task, profile: Profile, *, blocks: list[str], imports: list[str], **values: Any) -> str:
    """The text of a solution from a template.

    Parameters
    ----------
    blocks
        Names of the shared functions the template calls beyond reading.
    imports
        Import lines the template itself needs.
    values
        What else the template reads; a name it reads that is not given is an error.
    """
    reading = {read_call(table)[0] for table in _tables(task, profile)}
    source = block_source(*sorted(reading), "convert_columns", "read_new_table", *blocks)
    lines = sorted({*source.imports, *imports, "from pathlib import Path", "import pandas as pd"} - {""})
    text = _environment().get_template(template).render(
        shared(task, profile) | values, blocks=source.code, imports=_import_block(lines)
    )
    return _tidied(text)


def shared(task: Task, profile: Profile) -> dict[str, Any]:
    """The values that the base template of tables reads."""
    tables = _tables(task, profile)
    merged: dict[str, dict[str, Any]] = {}
    for table in reversed(tables):  # the training table has the last word
        for key, columns in conversions(table).items():
            merged.setdefault(key, {}).update(columns)
    first = _table(profile, task.train[0])
    return {
        "headline": f"Predict {_listed(task.targets)} ({task.problem_type.value}) from {first.path}.",
        "wrapped_goal": _doc(textwrap.fill(f"Goal: {' '.join(task.goal.split()) or 'not given'}", 100)),
        "facts": [_doc(textwrap.fill(fact, 96, subsequent_indent="  ")) for fact in _facts(task, profile)],
        "kinds": {feature.name: _kind(feature.treat_as) for feature in task.used_features},
        "excluded": [(_doc(feature.name), _doc(feature.drop)) for feature in task.features if feature.drop],
        "conversions": merged,
        "written": read_call(first)[1],
        "train_calls": [_call_like(first, _table(profile, source)) for source in task.train],
        "test_calls": [_call_like(first, _table(profile, source)) for source in task.test],
        "test_unlabelled": any(source.rows == "unlabelled" for source in task.test),
        "target_list": repr(task.targets),
        "drop_duplicates": task.drop_duplicates,
        "sample_rows": task.preferences.sample_rows,
        "sample_reason": "as asked: a sample of the rows",
    }


def rows_of(task: Task, profile: Profile) -> int:
    """Training rows, before those without an answer are dropped."""
    rows = sum(_table(profile, source).rows for source in task.train)
    return min(rows, task.preferences.sample_rows or rows)


def _tables(task: Task, profile: Profile) -> list[TableProfile]:
    return [_table(profile, source) for source in [*task.train, *task.test]]


def _table(profile: Profile, source: RowSource) -> TableProfile:
    found = profile.table(source.table)
    if found is None:
        raise KeyError(source.table)
    return found


def _call_like(first: TableProfile, table: TableProfile) -> str:
    """`read_sheet(..., **WRITTEN)` for a table written like the first training table, its own keywords for others."""
    place = f"data_dir / {table.path!r}"
    same = read_call(table) == read_call(first)
    return f"{read_call(table)[0]}({place}, **WRITTEN)" if same else _call(table, place)


def _call(table: TableProfile, place: str) -> str:
    """`read_sheet(path, sheet="History", skip_rows=3)`"""
    name, keywords = read_call(table)
    arguments = [place, *(f"{key}={pprint.pformat(value, width=10_000, sort_dicts=False)}" for key, value in keywords.items())]
    line = f"{name}({', '.join(arguments)})"
    if len(line) < 96:
        return line
    return f"{name}(\n" + "".join(f"        {argument},\n" for argument in arguments) + "    )"


def _facts(task: Task, profile: Profile) -> list[str]:
    sources = " and ".join(f"{_table(profile, s).rows:,} rows of {s.table}" for s in task.train)
    facts = [f"Learnt from {sources}; judged by {task.metric.value}."]
    facts += [f"{i.evidence}" for i in (task.target, task.metric, task.split) if i.evidence]
    return [*facts, *task.notes]


def _kind(kind: str) -> str:
    return kind if kind in ("number", "date", "text", "boolean") else "category"


def _listed(names: list[str]) -> str:
    return _doc(", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else ""))


def _doc(text: str | None) -> str:
    """Text that cannot end the docstring or comment it stands in."""
    return (text or "").replace("\\", "/").replace('"""', "'''").replace("\r", " ")


def _py(value: Any) -> str:
    """The value as Python would be written by hand."""
    text = pprint.pformat(value, width=108, sort_dicts=False, compact=True)
    return text.replace("\n", "\n" + " " * 4) if text.count("\n") == 0 else _stacked(value)


def _stacked(value: Any) -> str:
    """A long dictionary or list, one entry a line."""
    if isinstance(value, dict):
        body = "".join(f"    {key!r}: {pprint.pformat(entry, width=10_000, sort_dicts=False)},\n" for key, entry in value.items())
        return "{\n" + body + "}"
    return textwrap.indent(pprint.pformat(value, width=104, compact=True, sort_dicts=False), "    ").lstrip()


def _import_block(lines: list[str]) -> str:
    """Standard library first, then the rest."""
    import sys

    standard = [line for line in lines if line.split()[1].split(".")[0] in sys.stdlib_module_names]
    plain = sorted(standard, key=lambda line: (line.startswith("from "), line))
    others = sorted((line for line in lines if line not in standard), key=lambda line: (line.startswith("from "), line))
    return "\n".join([*plain, "", *others])


def _tidied(text: str) -> str:
    """At most two blank lines in a row, no blanks at line ends."""
    lines = [line.rstrip() for line in text.splitlines()]
    kept: list[str] = []
    for line in lines:
        if line or kept[-2:] != ["", ""]:
            kept.append(line)
    return "\n".join(kept).strip() + "\n"


@functools.cache
def _environment() -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(FOLDER), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        keep_trailing_newline=True, autoescape=False,
    )
    environment.filters["py"] = _py
    return environment
