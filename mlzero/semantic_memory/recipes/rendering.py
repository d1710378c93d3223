"""What every template gets: reading calls, columns and their kinds, facts, the blocks a solution needs."""

from __future__ import annotations

import functools
import re
import textwrap
from pathlib import Path
from typing import Any

from mlzero.perception.kinds.number_files import OWN_MAKER
from mlzero.perception.profile import FILES, ColumnProfile, Profile, TableProfile
from mlzero.perception.readers import reader_of
from mlzero.perception.relational import call_of
from mlzero.perception.tables import conversions, located, read_call
from mlzero.perception.task import FeaturePlan, JoinPlan, RowSource, Task
from mlzero.semantic_memory.blocks import block_source, import_lines
from mlzero.semantic_memory.recipes.writing import doc, flat, python, tidied

FOLDER = Path(__file__).parent
_DICOM = re.compile(r"(\.(dcm|dicom|ima|\d+)|(^|/)[^./]+)$", re.I)  # names of pictures of medical devices


def warm_up() -> None:
    """Read the shared functions and load the template engine, so that the first solution is written at once."""
    block_source("shaped")
    _environment()


def render(
    template: str,
    task: Task,
    profile: Profile,
    *,
    blocks: list[str],
    imports: list[str],
    shaping: bool = True,
    **values: Any,
) -> str:
    """The text of a solution from a template.

    Parameters
    ----------
    blocks
        Names of the shared functions the template calls beyond reading.
    imports
        Import lines the template itself needs.
    shaping
        Whether the template brings its inputs into the form of tables, with `shaped` and what belongs to it.
    values
        What else the template reads; a name it reads that is not given is an error.
    """
    reading = {read_call(table)[0] for table in _tables(task, profile)}
    values = shared(task, profile) | values
    parts = [
        *(["convert_columns"] if values["converting"] or task.series else []),
        *(["locate_files"] if values["locating"] else []),
        *(["label_columns"] if task.label_set else []),
        *(["shaped"] if shaping and (values["kinds"] or not values["files"]) else []),
        *(["date_parts"] if shaping and values["date_parts"] else []),
        *(["learn_texts", "text_parts"] if shaping and values["texts"] and values["condense"] else []),
        *(["read_new_files"] if values["files"] else []),
        *(["text_files", "with_texts"] if values["listed_by"] else []),
        *(["read_new_numbers"] if values["row_files"] else []),
        *(["read_new_number_folders"] if values["own_files"] else []),
    ]
    joining = sorted(
        {call_of(plan)[0] for plan in task.joins} | {read_call(_joined(profile, p))[0] for p in task.joins}
    )
    names = [*sorted(reading), "read_new_table", *joining, *parts, *blocks]
    return _written(template, profile, names, imports, values)


def render_pictures(template: str, task: Task, profile: Profile, *, blocks: list[str], **values: Any) -> str:
    """The text of a solution whose rows are pictures, from a template that extends `pictures_base.py.j2`."""
    return render_made(template, task, profile, blocks=["pictures_to_come", *blocks], **values)


def render_made(
    template: str, task: Task, profile: Profile, *, blocks: list[str], imports: list[str], **values: Any
) -> str:
    """The text of a solution whose rows are made, not read as a table; parameters as in `render`."""
    reading = {read_call(table)[0] for table in _tables(task, profile)}
    values = shared(task, profile) | values
    for key in ("train_calls", "test_calls"):
        values[key] = [
            _call(_table(profile, source), _place(_table(profile, source))) for source in getattr(task, key[:-6])
        ]
    return _written(template, profile, [*sorted(reading), *blocks], imports, values)


def _written(template: str, profile: Profile, blocks: list[str], imports: list[str], values: dict[str, Any]) -> str:
    """The text of a solution; where the upload holds DICOM files, it opens pictures of any format."""
    medical = any(file.kind == "image" and _DICOM.search(file.path) for file in profile.files)
    source = block_source(*(["open_picture"] if medical else []), *blocks)
    lines = import_lines({*source.imports, *imports, "from pathlib import Path", "import pandas as pd"})
    text = template_named(template).render(values, blocks=source.code, imports="\n".join(lines))
    return tidied(re.sub(r"(?<![\w.])Image\.open\(", "open_picture(", text) if medical else text)


def call_for(table: TableProfile) -> str:
    """The call that reads a table."""
    return _call(table, _place(table))


def _place(table: TableProfile) -> str:
    return "data_dir" if table.path == "." else f"data_dir / {flat(table.path)}"


def shared(task: Task, profile: Profile) -> dict[str, Any]:
    """The values that the base template of tables reads."""
    tables = _tables(task, profile)
    merged: dict[str, dict[str, Any]] = {}
    for table in reversed(tables):  # the training table has the last word
        for key, columns in conversions(table, task.as_written).items():
            merged.setdefault(key, {}).update(columns)
    if task.spelled:
        merged["labels"] = {task.targets[0]: task.spelled}
    first = _table(profile, task.train[0])
    plain = [feature for feature in task.used_features if feature.treat_as not in FILES]
    kinds = {feature.name: kind_of(feature, first.column(feature.name)) for feature in plain}
    files = {f.name: _naming(f.name, tables) for f in task.used_features if f.treat_as in FILES}
    return {
        "headline": f"Predict {_listed(task.targets)} ({task.problem_type.value}) from {'a folder of files' if first.path == '.' else first.path}.",
        "wrapped_goal": doc(textwrap.fill(f"Goal: {' '.join(task.goal.split()) or 'not given'}", 100)),
        "facts": [doc(textwrap.fill(fact, 96, subsequent_indent="  ")) for fact in _facts(task, profile)],
        "kinds": kinds,
        "files": files,
        "locating": bool(files) and any(table.read.format != "made" for table in tables),
        "converting": bool(merged or task.joins) or not files,
        "made": first.read.format == "made",
        "texts": [f"c{number}" for number, kind in enumerate(kinds.values()) if kind == "text"],
        "date_parts": _date_parts(task, first) if "date" in kinds.values() else None,
        "made_texts": first.read.options.get("endings") if first.read.maker in ("text_files", "listed_texts") else None,
        "listed_by": first.read.options.get("column") if first.read.maker == "listed_texts" else None,
        "row_files": first.read.maker == "number_files" and task.row_files.value is not None,
        "own_files": first.read.maker == OWN_MAKER,
        "condense": True,  # texts become a few numbers each, see `learn_texts`
        "ahead": task.split.value.kind == "time",
        "excluded": [(doc(feature.name), doc(feature.drop)) for feature in task.features if feature.drop],
        "conversions": merged,
        "written": read_call(first)[1],
        "own_reader": read_call(first)[0],
        "own_endings": _own_endings(first),
        "train_calls": [_call_like(first, _table(profile, source)) for source in task.train],
        "told": [source.told for source in task.train],
        "test_calls": [_call_like(first, _table(profile, source)) for source in task.test],
        "test_unlabelled": any(source.rows == "unlabelled" for source in task.test),
        "target_list": flat(task.answer_columns),
        "label_set": task.label_set,
        "drop_duplicates": task.drop_duplicates,
        "sample_rows": task.preferences.sample_rows,
        "sample_reason": "as asked: a sample of the rows",
        **_joins(task, profile, kinds),
    }


def _own_endings(table: TableProfile) -> list[str]:
    """Endings of the training table's format, when it is none of those that every solution can read."""
    if table.read.format not in ("statistical", "sqlite", "html", "xml", "tsf"):
        return []
    return list(reader_of(table.read).extensions)


def _joins(task: Task, profile: Profile, kinds: dict[str, str]) -> dict[str, Any]:
    """Values about tables that are joined to the rows."""
    first = _table(profile, task.train[0])
    names = {plan.table: _joined(profile, plan) for plan in task.joins}
    keys = [n for plan in task.joins if not plan.onto for n in [*plan.left_on, plan.left_time] if n]
    own = [name for name in kinds if first.column(name)] if task.joins else list(kinds)
    calls = []
    for plan in task.joins:
        block, options = call_of(plan)
        onto = f"tables[{flat(plan.onto)}]" if plan.onto else "rows"
        arguments = "".join(f"        {key}={python(value, 8)},\n" for key, value in options.items())
        calls.append(f"{onto} = {block}(\n        {onto}, tables[{flat(plan.table)}],\n{arguments}    )")
    return {
        "columns_needed": list(dict.fromkeys([*own, *keys])) if task.joins else None,
        "lookups": [
            (flat(key), _call(table, f"data_dir / {flat(table.path)}"), conversions(table))
            for key, table in names.items()
        ],
        "joins": calls,
    }


def _joined(profile: Profile, plan: JoinPlan) -> TableProfile:
    found = profile.table(plan.table)
    if found is None:
        raise KeyError(plan.table)
    return found


def rows_of(task: Task, profile: Profile) -> int:
    """Training rows, before those without an answer are dropped."""
    rows = sum(_table(profile, source).rows for source in task.train)
    return min(rows, task.preferences.sample_rows or rows)


def rows_asked(task: Task, profile: Profile) -> int:
    """Rows to predict that came with the upload."""
    return sum(_table(profile, source).rows for source in task.test)


def _tables(task: Task, profile: Profile) -> list[TableProfile]:
    return [_table(profile, source) for source in [*task.train, *task.test]]


def _table(profile: Profile, source: RowSource) -> TableProfile:
    found = profile.table(source.table)
    if found is None:
        raise KeyError(source.table)
    return found


def _call_like(first: TableProfile, table: TableProfile) -> str:
    """`read_sheet(..., **WRITTEN)` for a table written like the first training table, its own keywords for others."""
    place = f"data_dir / {flat(table.path)}"
    same = read_call(table) == read_call(first)
    return f"{read_call(table)[0]}({place}, **WRITTEN)" if same else _call(table, place)


def call_of_table(table: TableProfile) -> str:
    """The call that reads a table of the upload, converted."""
    how = "".join(f", {key}={flat(value)}" for key, value in conversions(table).items())
    return f"convert_columns({_call(table, f'data_dir / {flat(table.path)}')}{how})"


def _call(table: TableProfile, place: str) -> str:
    """`read_sheet(path, sheet="History", skip_rows=3)`"""
    name, keywords = read_call(table)
    arguments = [place, *(f"{key}={flat(value)}" for key, value in keywords.items())]
    line = f"{name}({', '.join(arguments)})"
    if len(line) < 96:
        return line
    return f"{name}(\n" + "".join(f"        {argument},\n" for argument in arguments) + "    )"


def _naming(name: str, tables: list[TableProfile]) -> dict[str, Any]:
    """Keywords of the block `locate_files` for a column of paths in any of the tables."""
    found: dict[str, Any] = {}
    for table in reversed(tables):
        if table.read.format == "made":
            options = table.read.options
            found = found | {"media": options.get("media"), "column": options.get("name", "file")}
            found |= {"bare": True} if options.get("bare") else {}
        elif how := located(table).get(name):
            without = [*how.get("without", []), *found.get("without", [])]
            found = found | how | ({"without": sorted({*without})} if without else {})
    return found


def _facts(task: Task, profile: Profile) -> list[str]:
    sources = " and ".join(f"{_table(profile, s).rows:,} rows of {s.table}" for s in task.train)
    facts = [f"Learnt from {sources}; judged by {task.metric.value}."]
    facts += [i.evidence for i in (task.target, task.metric, task.split, task.row_files) if i.evidence]
    return [*facts, *task.notes]


def kind_of(feature: FeaturePlan, column: ColumnProfile | None) -> str:
    """The kind the block `shaped` knows for a column."""
    if feature.treat_as == "number" and column is not None and _is_clock(column):
        return "clock"
    if feature.treat_as == "category" and column is not None and column.parts:
        return f"{column.parts} numbers"
    return feature.treat_as if feature.treat_as in ("number", "date", "text", "boolean") else "category"


def _is_clock(column: ColumnProfile) -> bool:
    """Whole numbers such as 730 or 2355: among many different ones none has 60 minutes or more."""
    if (
        not column.integer
        or column.unique < 60
        or not isinstance(column.maximum, float)
        or not isinstance(column.minimum, float)
    ):
        return False
    seen = {int(float(text)) for text, _ in column.top if text.replace(".", "", 1).isdigit()}
    return (
        column.minimum >= 0 and 1300 <= column.maximum <= 2400 and len(seen) >= 12 and all(n % 100 < 60 for n in seen)
    )


def _date_parts(task: Task, table: TableProfile) -> list[str]:
    """Parts of dates worth having. When later rows are to be predicted, only those that come again."""
    if task.split.value.kind != "time":
        return ["elapsed", "year", "month", "day", "weekday", "day_of_year", "hour"]
    years = [
        int(str(c.maximum)[:4]) - int(str(c.minimum)[:4]) for c in table.columns
        if c.kind == "date" and c.minimum is not None and c.maximum is not None
    ]  # fmt: skip
    return (
        ["month", "day", "weekday", "day_of_year", "hour"] if max(years, default=0) >= 2 else ["day", "weekday", "hour"]
    )


def _listed(names: list[str]) -> str:
    return doc(", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else ""))


def template_named(name: str) -> Any:
    """A template of this folder; a variable that it reads and is not given is an error."""
    return _environment().get_template(name)


@functools.cache
def _environment() -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    environment.filters["py"] = python
    return environment
