"""Files of numbers that belong to the rows of a table: what they hold becomes columns of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from mlzero.perception import vocabulary
from mlzero.perception.columns import describe
from mlzero.perception.goal import Brief
from mlzero.perception.kinds.file_names import LABEL
from mlzero.perception.kinds.folders import says
from mlzero.perception.kinds.number_sets import NumberSet, columns_naming, sets_of
from mlzero.perception.override import BY_USER, Overrides
from mlzero.perception.paths import name_of
from mlzero.perception.profile import ColumnProfile, Profile, ReadPlan, TableProfile
from mlzero.perception.readers import reader_of
from mlzero.perception.task import Inferred, Task
from mlzero.perception.wording import fold
from mlzero.semantic_memory.blocks.number_files import files_as_rows, number_files, row_places

if TYPE_CHECKING:
    import pandas as pd

MAKER = "number_files"
OWN_MAKER, OWN_NAME = "number_folders", "file"  # of files that are rows themselves


class NumberFiles:
    """See `Specialist`."""

    def tables(self, data_dir: Path, profile: Profile) -> list[TableProfile]:
        """Rows of files that no table lists; the tables that are there get columns more."""
        sets = sets_of([file.path for file in profile.files if file.kind == "numbers"])
        made: dict[str, tuple[TableProfile, pd.DataFrame]] = {}
        for table in profile.tables if sets else []:
            sample = says(PurePosixPath(table.path).name, vocabulary.SAMPLE_NAMES)
            media = any(column.media is not None for column in table.columns)
            files = {} if sample or media else _files_of(data_dir, table, sets)
            if table.read.format in ("delimited", "excel") and files:
                made[table.key] = _with_files(data_dir, table, files)
        varying = dict.fromkeys(
            name for table, frame in made.values() for name in _added(table, frame) if frame[name].nunique() > 1
        )
        for table, frame in made.values():
            table.columns += [profiled(name, frame) for name in varying]
        profile.tables[:] = [made[table.key][0] if table.key in made else table for table in profile.tables]
        return _unlisted(data_dir, sets, made, list(varying))

    def task(self, data_dir: Path, profile: Profile, brief: Brief, given: Overrides) -> Task | None:
        """None: the task is one of tables."""
        return None


def columns_from_files(table: TableProfile) -> list[str]:
    """The columns of a table that come from files of its rows, or from the files that are its rows."""
    if table.read.maker == OWN_MAKER:
        return [column.name for column in table.columns if column.name not in (OWN_NAME, LABEL)]
    files = table.read.options.get("files", {}) if table.read.maker == MAKER else {}
    return [column.name for column in table.columns if column.source_name in files]


def row_files_of(table: TableProfile, given: Overrides) -> Inferred[str | None]:
    """Which files of the rows are learnt from, all of them or none."""
    columns = columns_from_files(table)
    if not columns:
        return Inferred[str | None](value=None)
    files = table.read.options["files"]
    named = ", ".join(files)
    if given.row_files is not None:
        used, other = (named, None) if given.row_files else (None, named)
        return Inferred[str | None](value=used, alternatives=[other], evidence=BY_USER)
    how = " and ".join(f'{how["place"]} with its "{how["column"]}" for {{}}' for how in files.values())
    return Inferred[str | None](
        value=named, confidence=0.9, alternatives=[None],
        evidence=f"Each row has a file of numbers of its own, {how}; they give {len(columns)} columns.",
    )  # fmt: skip


def _files_of(data_dir: Path, table: TableProfile, sets: list[NumberSet]) -> dict[str, dict[str, str]]:
    """By what its columns are called: the sets whose files belong to the rows of a table, as `with_numbers` takes them."""
    from mlzero.perception.tables import load_table

    frame = load_table(data_dir, table, convert=False)
    words = set(re.findall(r"[^\W\d_]+", fold(PurePosixPath(table.path).stem)))
    best: dict[tuple[str, ...], tuple[tuple[float, int, float], NumberSet, str]] = {}
    for files in sets:
        for share, column in columns_naming(frame, files)[:1]:
            alike = len(words & set(re.findall(r"[^\W\d_]+", fold(files.folder))))
            rank = (round(share, 1), alike, len(frame) / len(files.paths))
            best[files.about] = max(
                best.get(files.about, (rank, files, column)), (rank, files, column), key=lambda b: b[0]
            )
    several = len(best) > 1
    return {
        " ".join([*about[:-1], files.name]).strip() if several else files.name or f"{column} file": {
            "column": column, "place": files.place, **_cell(frame[column], files),
        }
        for about, (_, files, column) in best.items()
    }  # fmt: skip


def _cell(cells: pd.Series, files: NumberSet) -> dict[str, str]:
    """How cells write the names of files, where they say more than what stands for `{}`."""
    head, _, tail = name_of(files.place).partition("{}")
    first = re.split(r"[\\/]", str(cells.dropna().iloc[0]).strip())[-1]
    whole = "" if files.name or not first.lower().endswith(tail.lower()) else tail
    start = head if not files.name and first.lower().startswith(head.lower()) else ""
    return {"cell": f"{start}{{}}{whole}"} if start or whole else {}


def _unlisted(
    data_dir: Path, sets: list[NumberSet], made: Mapping[str, tuple[TableProfile, pd.DataFrame]], names: list[str]
) -> list[TableProfile]:
    """Rows for the sets that no table lists although others like them are listed: these are to be predicted."""
    plans = [how for table, _ in made.values() for how in table.read.options["files"].items()]
    listed = {how["place"] for _, how in plans}
    about = {each.about: plan for each in sets for plan in plans if plan[1]["place"] == each.place}
    tables = []
    for each in sets:
        if each.place in listed or each.about not in about or len(about) > 1 or not each.folder:
            continue
        name, how = about[each.about]
        options = {"files": {name: how | {"place": each.place.removeprefix(f"{each.folder}/")}}}
        frame = files_as_rows(data_dir / each.folder, files=options["files"])
        column = describe(how["column"], how["column"], frame[how["column"]])
        tables.append(
            TableProfile(
                key=f"{each.folder}/", path=each.folder, rows=len(frame), notes=["One row a file of numbers."],
                read=ReadPlan(format="made", maker="files_as_rows", options=options),
                columns=[column, *(profiled(name, frame) for name in names)],
            )
        )  # fmt: skip
    return tables


def _with_files(
    data_dir: Path, table: TableProfile, files: dict[str, dict[str, str]]
) -> tuple[TableProfile, pd.DataFrame]:
    """The table with a plan that reads the files of its rows too, and its rows."""
    options = {"files": files, **reader_of(table.read).arguments(table.read)}
    above = len(PurePosixPath(table.path).parts) - 1
    options |= {"above": above} if above else {}
    frame = number_files(data_dir / table.path, **options)  # type: ignore[arg-type]
    notes = list(table.notes)
    for name, how in files.items():
        numbers = [column for column in map(str, frame) if column.startswith(f"{name}: ")]
        places = row_places(frame[how["column"]], data_dir, how["place"])
        absent = [cell for cell, place in zip(frame[how["column"]], places, strict=True) if place is None]
        damaged = [
            Path(place).relative_to(data_dir).as_posix()
            for place, empty in zip(places, frame[numbers].isna().all(axis=1), strict=True) if place and empty
        ]  # fmt: skip
        notes.append(f'{len(frame) - len(absent):,} rows have a file {how["place"]}, found by "{how["column"]}".')
        if absent:
            notes.append(
                f'{len(absent):,} {"row has" if len(absent) == 1 else "rows have"} no such file, such as the one whose "{how["column"]}" is {absent[0]}.'
            )
        if damaged:
            notes.append(f"{len(damaged):,} of these files hold no numbers or are damaged, such as {damaged[0]}.")
    plan = ReadPlan(format="made", maker=MAKER, options=options)
    return table.model_copy(update={"read": plan, "notes": notes, "columns": list(table.columns)}), frame


def _added(table: TableProfile, frame: pd.DataFrame) -> list[str]:
    starts = tuple(f"{name}: " for name in table.read.options["files"])
    return [name for name in map(str, frame) if name.startswith(starts)]


def profiled(name: str, frame: pd.DataFrame) -> ColumnProfile:
    """The profile of a column of numbers from files; `frame` may lack it."""
    import pandas as pd

    cells = frame[name] if name in frame else pd.Series(float("nan"), index=frame.index)
    column = describe(name, name.partition(": ")[0], cells)
    column.missing_markers, column.number = [], None
    if column.kind not in ("constant", "empty"):
        column.kind = "number"
    return column
