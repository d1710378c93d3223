"""Text files named by a table: their texts become a column of it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path, PurePosixPath
from typing import Any

from mlzero.perception import vocabulary
from mlzero.perception.columns import describe
from mlzero.perception.goal import Brief
from mlzero.perception.kinds.folders import says
from mlzero.perception.kinds.media import FEW, PROBED, may_name_files, ways_to_name
from mlzero.perception.override import Overrides
from mlzero.perception.paths import ending_of
from mlzero.perception.profile import Profile, ReadPlan, TableProfile
from mlzero.perception.readers import reader_of
from mlzero.perception.task import Task
from mlzero.semantic_memory.blocks.files import locate_files
from mlzero.semantic_memory.blocks.text_files import listed_texts, text_files

MAKER, TEXT = "listed_texts", "text"
ENDINGS = (".txt", ".md", ".html", ".htm")
_FEWEST = 5  # text files of a folder beside that are to be predicted
_NAMED = 0.8  # share of the cells that name a file


class ListedTexts:
    """See `Specialist`."""

    def tables(self, data_dir: Path, profile: Profile) -> list[TableProfile]:
        texts = {file.path for file in profile.files if ending_of(file.path) in ENDINGS}
        if len(texts) < FEW:
            return []
        known = ways_to_name(sorted(texts))
        listings = [
            (table, column.name, named)
            for table in profile.tables
            if table.read.format in ("delimited", "excel") and TEXT not in table.names
            and not says(PurePosixPath(table.path).name, vocabulary.SAMPLE_NAMES)
            for column in table.columns
            if may_name_files(column, known) and (named := _named(data_dir, table, column.name, texts))
        ]  # fmt: skip
        counts = Counter(path for _, _, named in listings for path in named)
        if not counts or max(counts.values()) > 1:  # judgments and the like name files again and again
            return []
        endings = sorted({PurePosixPath(path).suffix.lower() for path in counts})
        made = [_listed(data_dir, table, name, endings) for table, name, _ in listings]
        made += _beside(data_dir, sorted(texts - set(counts) - {table.path for table, _, _ in listings}), endings)
        rows = set(counts) | {path for path in texts if any(path.startswith(f"{t.path}/") for t in made)}
        folders = {str(PurePosixPath(path).parent) for path in rows}
        profile.tables[:] = [
            table for table in profile.tables
            if table not in [listing for listing, _, _ in listings] and table.path not in rows
            and not (table.read.maker == "text_files" and table.path in folders)
        ]  # fmt: skip
        profile.documents[:] = [document for document in profile.documents if document.path not in rows]
        for file in profile.files:
            if file.path in rows:
                file.kind, file.problem = "text", None
        return made

    def task(self, data_dir: Path, profile: Profile, brief: Brief, given: Overrides) -> Task | None:
        """None: once there are tables, the task is one of tables."""
        return None


def _named(data_dir: Path, table: TableProfile, name: str, texts: set[str]) -> set[str]:
    """The text files that a column names, each once; none when it is no such column."""
    from mlzero.perception.tables import load_table

    cells = load_table(data_dir, table)[[name]]
    how = {"path": {"media": "document", "column": name}}
    if locate_files(cells.dropna().head(PROBED), data_dir, how)["path"].notna().mean() < _NAMED:
        return set()
    places = locate_files(cells, data_dir, how)["path"].dropna()
    paths = [Path(place).relative_to(data_dir).as_posix() for place in places]
    return set(paths) if len(set(paths)) == len(paths) and set(paths) <= texts - {table.path} else set()


def _listed(data_dir: Path, table: TableProfile, name: str, endings: list[str]) -> TableProfile:
    """The table with the texts of its files."""
    options = {"column": name, "endings": endings, **reader_of(table.read).arguments(table.read)}
    above = len(PurePosixPath(table.path).parts) - 1
    options |= {"above": above} if above else {}
    frame = listed_texts(data_dir / table.path, **options)
    missing = frame[TEXT].isna()
    notes = [*table.notes, f'The texts are those of the files named in "{name}".']
    if missing.any():
        first = frame.loc[missing, name].iloc[0]
        notes.append(f'{int(missing.sum()):,} files named in "{name}" are not there, such as {first}.')
    return table.model_copy(
        update={
            "read": ReadPlan(format="made", maker=MAKER, options=options), "notes": notes,
            "columns": [*table.columns, describe(TEXT, TEXT, frame[TEXT])],
        }
    )  # fmt: skip


def _beside(data_dir: Path, paths: list[str], endings: list[str]) -> list[TableProfile]:
    """Tables of folders whose text files no table names."""
    folders = Counter(str(PurePosixPath(path).parent) for path in paths)
    made = []
    for folder, count in folders.items():
        if folder == "." or count < _FEWEST:
            continue
        below = [other.removeprefix(f"{folder}/") for other in folders if other.startswith(f"{folder}/")]
        options: dict[str, Any] = {"endings": endings} | ({"skip": below} if below else {})
        frame = text_files(data_dir / folder, **options)
        columns = [describe(name, name, frame[name]) for name in frame.columns]
        columns[0].kind = "identifier"
        made.append(
            TableProfile(
                key=folder, path=folder, read=ReadPlan(format="made", maker="text_files", options=options),
                rows=len(frame), columns=columns, notes=["One row a text file."],
            )
        )  # fmt: skip
    return made
