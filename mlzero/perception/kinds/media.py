"""Uploads of files to learn from: folders of them become tables, and columns that name some get their paths."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Literal

from mlzero.perception import vocabulary
from mlzero.perception.columns import describe
from mlzero.perception.goal import Brief
from mlzero.perception.kinds.file_names import LABEL, fits, name_pattern
from mlzero.perception.kinds.folders import Folder, folder_sets, says, tree_of
from mlzero.perception.override import Overrides
from mlzero.perception.paths import name_of, stem_of
from mlzero.perception.profile import ColumnProfile, FileProfile, MediaFormat, Profile, ReadPlan, TableProfile
from mlzero.perception.task import Task
from mlzero.perception.wording import fold
from mlzero.semantic_memory.blocks import files as blocks

if TYPE_CHECKING:
    import pandas as pd

FewKinds = Literal["image", "audio", "document"]
ANSWERED = ("pictures_with_labels", "pictures_with_boxes")  # makers of rows that other specialists make of pictures
FEW = 4  # files of a kind below which they are no data
PROBED = 400  # cells of a column that are looked up
NAME = "file"


class Media:
    """Files of one kind. See `Specialist`.

    Parameters
    ----------
    media
        Kind of the files and of their columns.
    column
        What one of them is called: `picture`.
    check
        Sets `problem` of those files that cannot be read.
    remark
        A sentence on what of the files is left out, where it is so.
    """

    def __init__(
        self,
        media: FewKinds,
        column: str,
        check: Callable[[Path, list[FileProfile]], None] | None = None,
        remark: Callable[[Path, list[FileProfile]], str | None] | None = None,
    ) -> None:
        self.media, self.column, self.check, self.remark = media, column, check, remark

    def tables(self, data_dir: Path, profile: Profile) -> list[TableProfile]:
        files = self.files(profile)
        if not files:
            return []
        if self.check:
            self.check(data_dir, files)
        if self.remark and (said := self.remark(data_dir, files)):
            profile.notes.append(said)
        if self.media == "image" and any(table.read.maker in ANSWERED for table in profile.tables):
            return []
        unreadable = [f.path for f in files if f.problem]
        known = ways_to_name([f.path for f in files]) if profile.tables else set()
        named: set[str] = set()
        asked_like: tuple[str, str] | None = None  # how a table calls the names of files, and their paths
        bare = False  # whether tables call files without their endings
        for table in list(profile.tables):
            sample = says(PurePosixPath(table.path).name, vocabulary.SAMPLE_NAMES)
            for column in [c for c in table.columns if may_name_files(c, known)]:
                bare = bare or (sample and not _with_endings(column, self.media))
                if sample:
                    continue
                found = self._located(data_dir, table, column, [f.path for f in files], unreadable)
                if found:
                    named |= found
                    asked_like = asked_like or (column.name, table.columns[-1].name)
                    bare = bare or not _with_endings(column, self.media)
        rest = [f.path for f in files if f.path not in named]
        if len(rest) < max(FEW, 0.05 * len(files)):
            return []
        name, column_name = asked_like or (NAME, self.column)
        texts = [document.text for document in profile.documents]
        return _folders_as_tables(
            data_dir, rest, self.media, name, column_name, unreadable, None if asked_like else texts, bare
        )

    def files(self, profile: Profile) -> list[FileProfile]:
        """The files that may be rows."""
        endings = blocks.MEDIA[self.media]
        pictures = self.media == "image"  # those of medical devices may have no ending
        return [f for f in profile.files if f.path.lower().endswith(endings) or (pictures and f.kind == "image")]

    def task(self, data_dir: Path, profile: Profile, brief: Brief, given: Overrides) -> Task | None:
        """None: once there are tables, the task is one of tables."""
        return None

    def _located(
        self, data_dir: Path, table: TableProfile, column: ColumnProfile, files: list[str], unreadable: list[str]
    ) -> set[str] | None:
        """Add a column of paths to a table one of whose columns names files; returns these files."""
        from mlzero.perception.tables import load_table

        cells = load_table(data_dir, table)[[column.name]]
        usual = _usual_folder(cells[column.name].dropna().astype(str).tolist(), files, PurePosixPath(table.path).stem)
        how = {"media": self.media, "column": column.name, "folder": usual}
        probe = cells.dropna().drop_duplicates().head(PROBED)
        hits = blocks.locate_files(probe, data_dir, {"path": how})["path"].notna().mean() if len(probe) else 0.0
        written = probe[column.name].astype(str).str.lower().str.endswith(blocks.MEDIA[self.media]).mean()
        if hits < (0.3 if written > 0.5 else 0.8):
            return None
        name = f"{column.name} {self.column}"
        paths = blocks.locate_files(cells, data_dir, {name: how})[name]
        relative = paths.dropna().map(lambda path: Path(path).relative_to(data_dir).as_posix())
        if written <= 0.5 and relative.nunique() < 0.5 * len(paths.dropna()):
            return None  # small numbers that happen to be names of files, too
        folder = Counter(str(PurePosixPath(path).parent) for path in relative).most_common(1)[0][0]
        broken = sorted(set(relative) & set(unreadable))
        missing, damaged = int(paths.isna().sum()), int(relative.isin(broken).sum())
        table.columns.append(
            ColumnProfile(
                name=name, source_name=column.name, kind=self.media, missing=missing + damaged, unique=relative.nunique(),
                examples=list(relative.head(3)),
                media=MediaFormat(
                    folder="" if folder == "." else folder, suffix="" if written > 0.5 else PurePosixPath(relative.iloc[0]).suffix,
                    absent=missing + damaged, unreadable=broken,
                ),
            )
        )  # fmt: skip
        absent = cells[column.name][paths.isna()].dropna()
        if len(absent):
            table.notes.append(
                f'{len(absent):,} files named in "{column.name}" are not there, such as {absent.iloc[0]}.'
            )
        if empty := missing - len(absent):
            table.notes.append(f'{empty:,} cells of "{column.name}" are empty, so these rows have no file.')
        if damaged:
            table.notes.append(f'{damaged:,} files named in "{column.name}" cannot be read, such as {broken[0]}.')
        called = set(cells[column.name].dropna().astype(str).str.strip().str.lower())
        further = _numbered_behind(called, files) - set(relative)
        if further:
            table.notes.append(
                f'Of several files for one "{column.name}" the first is used; {len(further):,} are left out.'
            )
        return set(relative) | further


def _numbered_behind(cells: set[str], files: list[str]) -> set[str]:
    """Files called as a cell with a number behind it."""
    stems = {path: stem_of(path.lower()) for path in files}
    return {path for path, stem in stems.items() if stem not in cells and blocks.unnumbered(stem) in cells}


def _with_endings(column: ColumnProfile, media: FewKinds) -> bool:
    """Whether the cells that a profile shows end as files of the kind do."""
    shown = [*column.examples, *(cell for cell, _ in column.top)]
    return any(cell.strip().lower().endswith(blocks.MEDIA[media]) for cell in shown)


def _usual_folder(cells: list[str], paths: list[str], table: str) -> str:
    """The folder where most of the named files are; of several, the one called as the table, or for training."""
    wanted = {way for cell in cells for way in ways_to_name([re.split(r"[\\/]", cell.strip())[-1]])}
    folders: dict[str, set[str]] = {}
    for path in paths:
        place = PurePosixPath(path)
        if wanted & ways_to_name([place.name]):
            folders.setdefault(str(place.parent), set()).add(place.stem.lower())
    words = set(re.findall(r"[^\W\d_]+", fold(table)))

    def fits(folder: str) -> tuple[int, bool, bool]:
        alike = bool(words & set(re.findall(r"[^\W\d_]+", fold(folder))))
        return len(folders[folder]), alike, says(folder, vocabulary.TRAIN_NAMES)

    best = max(folders, key=fits, default=".")
    return "" if best == "." else best


def ways_to_name(paths: list[str]) -> set[str]:
    """Names of files, also without their endings, zeros at the beginning, and numbers behind what files share."""
    ways = set()
    for path in paths:
        name, stem = name_of(path.lower()), stem_of(path.lower())
        ways |= {name, stem, stem.lstrip("0"), blocks.unnumbered(stem)}
    return ways


def may_name_files(column: ColumnProfile, known: set[str]) -> bool:
    """Whether one of the cells that a profile shows names a file, in a way of `ways_to_name`."""
    cells = [
        re.split(r"[\\/]", cell.strip().lower())[-1] for cell in [*column.examples, *(cell for cell, _ in column.top)]
    ]
    return any(cell in known or cell.lstrip("0") in known or PurePosixPath(cell).stem in known for cell in cells)


def _folders_as_tables(
    data_dir: Path,
    paths: list[str],
    media: FewKinds,
    name: str,
    column: str,
    unreadable: list[str],
    texts: list[str] | None,
    bare: bool,
) -> list[TableProfile]:
    """A table a folder: of classes, when its folders are those, else of files without an answer.

    Parameters
    ----------
    texts
        Descriptions. None: another table holds the answers, so folders and names tell none.
    bare
        Whether files that tell no answer are called without their endings, as another table calls them.

    Names are looked at for answers where no folders are classes; those of recordings always, since they often name
    who is heard.
    """
    plain = texts is None
    tables: list[TableProfile] = []
    sets = folder_sets(tree_of(paths), plain)
    named = not plain and (media == "audio" or not any(classes for _, classes in sets))
    patterns = _patterns(sets, texts or [], [name, column]) if named else {}
    for folder, classes in sets:
        options: dict[str, object] = {"media": media, "column": column, "name": name}
        if classes is not None:
            options["folders"] = [LABEL]
            skip = sorted(set(folder.folders) - set(classes))
            options |= {"skip": skip} if skip else {}
        if folder.path in patterns:
            options["pattern"] = patterns[folder.path]
        if bare and len(options) == 3:
            options["bare"] = True
        damaged = set(folder.every()) & set(unreadable)
        broken = sorted(PurePosixPath(path).relative_to(folder.path).as_posix() for path in damaged)
        options |= {"without": broken} if broken else {}
        tables.append(_profiled(data_dir, folder.path.as_posix(), options, broken))
    return tables


def _patterns(
    sets: list[tuple[Folder, list[str] | None]], texts: list[str], taken: list[str]
) -> dict[PurePosixPath, str]:
    """By folder, what the names of its files tell: learnt from the largest that is not to predict, kept where it fits."""
    names = {folder.path: [stem_of(path) for path in folder.every()] for folder, _ in sets}
    own = [LABEL] if any(classes for _, classes in sets) else []
    learnt = [path for path in names if not says(path.name, vocabulary.TEST_NAMES)] or list(names)
    for path in sorted(learnt, key=lambda path: -len(names[path])):
        pattern = name_pattern(names[path], texts, [*taken, *own])
        if pattern:
            others = {other for other in names if other != path and fits(pattern, names[other], names[path])}
            return dict.fromkeys([path, *others], pattern)
    return {}


def _profiled(data_dir: Path, path: str, options: dict[str, object], broken: list[str]) -> TableProfile:
    """The profile of a made table."""
    rows = blocks.file_rows(data_dir / path, **options)  # type: ignore[arg-type]
    name, column = str(options["name"]), str(options["column"])
    columns = [describe(c, c, rows[c]) for c in rows.columns if c != column]
    told = {LABEL, *re.compile(str(options.get("pattern", ""))).groupindex}
    columns.insert(1, _paths(rows[column], column, options["media"], broken))  # type: ignore[arg-type]
    for profile in columns:
        profile.number = profile.date = None  # names of files and folders are text, "0.jpg" and "none" as well
        profile.missing_markers = []
        if profile.name == name:
            profile.kind = "identifier"
        if profile.name in told and profile.kind in ("identifier", "text", "number", "constant", "date"):
            profile.kind = "category"
    notes = [f"{len(broken)} files cannot be read, such as {broken[0]}."] if broken else []
    return TableProfile(
        key="." if path == "." else f"{path}/", path=path, rows=len(rows), columns=columns, notes=notes,
        read=ReadPlan(format="made", maker="file_rows", options=options, has_header=False),
    )  # fmt: skip


def _paths(cells: pd.Series, name: str, media: FewKinds, broken: list[str]) -> ColumnProfile:
    absent = int(cells.isna().sum())
    return ColumnProfile(
        name=name, source_name=name, kind=media, missing=absent, unique=int(cells.nunique()),
        media=MediaFormat(absent=absent, unreadable=broken),
    )  # fmt: skip
