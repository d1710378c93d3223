"""A few rows to try a predictor on, as they stand in the upload and as they are read."""

from __future__ import annotations

import shutil
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from mlzero.perception.profile import Profile, TableProfile
from mlzero.perception.relational import load_joined
from mlzero.perception.series_rows import sample_of
from mlzero.perception.tables import load_table
from mlzero.perception.task import FeaturePlan, Task
from mlzero.semantic_memory.blocks.shaping import plain_text

if TYPE_CHECKING:
    import pandas as pd

ROWS = 20
FILE_ROWS = 6  # rows of a sample with files
FOLDER = "sample_input"  # of a sample with files
LARGE = 20_000  # rows from which only the beginning of a table is read


def raw_inputs(task: Task, table: TableProfile | None) -> list[FeaturePlan]:
    """The columns that a file of new rows needs: inputs it holds itself, and keys of the tables that are joined."""
    if not task.joins or table is None:
        return task.used_features
    own = [feature for feature in task.used_features if table.column(feature.name)]
    keys = dict.fromkeys(name for plan in task.joins if not plan.onto for name in [*plan.left_on, plan.left_time or ""])
    known = {feature.name for feature in own}
    return own + [FeaturePlan(name=n, treat_as="category") for n in keys if n and n not in known]


def sample_rows(task: Task, profile: Profile, data_dir: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A few rows without the answer: cells as they stand in the file, and the same rows as they are read."""
    if task.series is not None:
        return sample_of(task, profile, data_dir, ROWS)
    source = (task.test or task.train)[0]
    table = profile.table(source.table)
    assert table is not None, source.table
    nrows = None if table.rows < LARGE else 1000
    raw, read = (load_table(data_dir, table, nrows=nrows, convert=convert) for convert in (False, True))
    targets = [name for name in task.answer_columns if name in read]
    if targets and source.rows == "unlabelled":
        read = read[read[targets].isna().all(axis=1)]
    elif targets and not task.test:
        read = read.dropna(subset=targets)
    if task.retrieval is not None and source.rows == "unlabelled":
        judgments = profile.table(task.retrieval.judgments)
        assert judgments is not None, task.retrieval.judgments
        judged = plain_text(load_table(data_dir, judgments)[task.retrieval.judged_query])
        read = read[~plain_text(read[task.retrieval.query_id]).isin(set(judged))]
    naming = [c.source_name for c in table.columns if c.media is not None and table.read.format != "made"]
    inputs = [feature.name for feature in raw_inputs(task, table)]
    named_by = task.output.value.joined_id
    own = [task.id.value] if task.id.value else named_by.parts if named_by else []
    names = [*own, *naming, *inputs]
    keep = [name for name in dict.fromkeys(names) if name in read]
    read = read[keep].head(ROWS)
    raw = raw.loc[read.index, [name for name in keep if name in raw]]
    return raw, load_joined(read, task, profile, data_dir) if task.joins else read


def with_files(
    raw: pd.DataFrame, read: pd.DataFrame, columns: list[str], task: Task, folder: Path
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Copy the files of a few rows into a folder; the rows with the files' new places, in the order of their names.

    Rows that only stand for files need no table beside them: then the first of the frames has no columns, and a file
    that cannot be read is an empty one.
    """
    shutil.rmtree(folder, ignore_errors=True)
    read, key = read.head(FILE_ROWS).copy(), task.id.value
    raw = raw.loc[read.index].copy()
    alone = len(columns) == 1 and set(read.columns) <= {columns[0], key} and columns[0] in raw
    for column in columns:
        places = {}
        if alone and key in read:
            read[column] = read[column].fillna(read[key])
        for row, cell in read[column].dropna().items():
            name = str(read.at[row, key]) if alone and key is not None and key in read else ""
            ending = Path(cell).suffix.lower()
            named = name if ending and name.lower().endswith(ending) else Path(cell).name
            place = folder / PurePosixPath(named).relative_to(PurePosixPath(named).anchor)
            if ".." in place.parts or place.exists():
                place = folder / f"{row}_{Path(cell).name}"
            place.parent.mkdir(parents=True, exist_ok=True)
            if Path(cell).is_file():
                shutil.copyfile(cell, place)
            else:
                place.touch()
            places[row] = place.relative_to(folder.parent).as_posix()
        read[column] = read[column].index.map(places).astype(object)
        if column in raw:
            raw[column] = [
                Path(p).relative_to(folder.name).as_posix() if isinstance(p, str) else p for p in read[column]
            ]
    if alone:
        read = read.iloc[sorted(range(len(read)), key=lambda i: Path(str(read[columns[0]].iloc[i])))]
        raw = raw[[]]
    return raw, read


def write_frame(frame: pd.DataFrame, path: Path) -> None:
    """Parquet, where a column that mixes kinds of values becomes text."""
    import pyarrow as pa

    try:
        frame.to_parquet(path)
    except (pa.ArrowException, TypeError, ValueError):
        texts = {name: frame[name].astype(str).where(frame[name].notna()) for name in frame.select_dtypes("object")}
        frame.assign(**texts).to_parquet(path)
