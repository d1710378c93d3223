"""Uploads of files to learn from: folders of them become tables, and columns that name some get their paths."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Literal

from mlzero.perception import vocabulary
from mlzero.perception.columns import describe
from mlzero.perception.goal import Brief
from mlzero.perception.kinds.file_names import LABEL, fits, name_pattern
from mlzero.perception.override import Overrides
from mlzero.perception.paths import folder_of, name_of, stem_of
from mlzero.perception.profile import ColumnProfile, FileProfile, MediaFormat, Profile, ReadPlan, TableProfile
from mlzero.perception.task import Task
from mlzero.perception.wording import first_of, fold
from mlzero.semantic_memory.blocks import files as blocks

if TYPE_CHECKING:
    import pandas as pd

FewKinds = Literal["image", "audio", "document"]
ANSWERED = ("pictures_with_labels", "pictures_with_boxes")  # makers of rows that other specialists make of pictures
FEW = 4  # files of a kind below which they are no data
PROBED = 400  # cells of a column that are looked up
NAME = "file"
_COUNTERPARTS = "mask* label* annot* seg* gt ground_truth truth target* clean noisy image* img* maske* mascara* masque* 掩码 标注 マスク"


@dataclass
class _Folder:
    """A folder of the upload with its files of one kind, and the folders in it that hold some."""

    path: PurePosixPath
    files: list[str] = field(default_factory=list)  # directly in it
    folders: dict[str, _Folder] = field(default_factory=dict)

    def every(self) -> list[str]:
        return [*self.files, *(file for folder in self.folders.values() for file in folder.every())]


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
        return set(relative)


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
    """Names of files, also without their endings and without zeros at the beginning."""
    ways = set()
    for path in paths:
        name, stem = name_of(path.lower()), stem_of(path.lower())
        ways |= {name, stem, stem.lstrip("0")}
    return ways


def may_name_files(column: ColumnProfile, known: set[str]) -> bool:
    """Whether one of the cells that a profile shows names a file, in a way of `ways_to_name`."""
    cells = [
        re.split(r"[\\/]", cell.strip().lower())[-1] for cell in [*column.examples, *(cell for cell, _ in column.top)]
    ]
    return any(cell in known or cell.lstrip("0") in known or PurePosixPath(cell).stem in known for cell in cells)


def says(name: str, words: str) -> bool:
    """Whether a name of a file or folder holds one of the words of a table of `vocabulary`."""
    return first_of(re.sub(r"[_\-.\d]+", " ", fold(name)), vocabulary.table(words)) is not None


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
    top = _Folder(PurePosixPath("."))
    by_place: dict[str, list[str]] = {}
    for path in paths:
        by_place.setdefault(folder_of(path), []).append(path)
    for place, files in by_place.items():
        folder = top
        for part in PurePosixPath(place).parts:
            folder = folder.folders.setdefault(part, _Folder(folder.path / part))
        folder.files += files
    tables, sets = [], _sets(top, plain)
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


def _sets(folder: _Folder, plain: bool) -> list[tuple[_Folder, list[str] | None]]:
    """Folders whose files belong together, each with the names of its classes where it has any."""
    classes = None if plain else classes_in(folder)
    if classes is not None:
        found: list[tuple[_Folder, list[str] | None]] = [(folder, classes)]
        return found + [
            pair for name, below in folder.folders.items() if name not in classes for pair in _sets(below, plain)
        ]
    if folder.files or not folder.folders:
        return [(folder, None)] if len(folder.every()) > 0 else []
    return [pair for below in folder.folders.values() for pair in _sets(below, plain)]


def classes_in(folder: _Folder) -> list[str] | None:
    """The folders that are classes: several beside each other, none of which has classes itself or holds what is asked."""
    files = {name: below.every() for name, below in folder.folders.items()}
    if any(says(name, vocabulary.TRAIN_NAMES) for name in files) or len(folder.files) > 0.2 * sum(
        map(len, files.values())
    ):
        return None
    asked = [name for name in files if says(name, vocabulary.TEST_NAMES)]
    names = [name for name in files if name not in asked]
    names = names if len(names) > 1 else list(files)
    if (
        len(names) < 2
        or any(classes_in(folder.folders[name]) for name in names)
        or _pairs({name: files[name] for name in names})
    ):
        return None
    return names


def _pairs(folders: dict[str, list[str]]) -> bool:
    """Whether folders hold files of the same names and one says that these are masks or other counterparts."""
    stems = sorted(({stem_of(path) for path in files} for files in folders.values()), key=len)
    same = len(stems[-1] & stems[-2]) > 0.5 * len(stems[-2])
    return same and any(says(name, _COUNTERPARTS) for name in folders)


def _patterns(
    sets: list[tuple[_Folder, list[str] | None]], texts: list[str], taken: list[str]
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
