"""Folders of files that are rows: which belong together, and which folders are classes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from mlzero.perception import vocabulary
from mlzero.perception.paths import folder_of, stem_of
from mlzero.perception.wording import first_of, fold

_COUNTERPARTS = "mask* label* annot* seg* gt ground_truth truth target* clean noisy image* img* maske* mascara* masque* 掩码 标注 マスク"


@dataclass
class Folder:
    """A folder of the upload with its files of one kind, and the folders in it that hold some."""

    path: PurePosixPath
    files: list[str] = field(default_factory=list)  # directly in it
    folders: dict[str, Folder] = field(default_factory=dict)

    def every(self) -> list[str]:
        return [*self.files, *(file for folder in self.folders.values() for file in folder.every())]


def tree_of(paths: Sequence[str]) -> Folder:
    """The upload as far as it holds some files."""
    top = Folder(PurePosixPath("."))
    by_place: dict[str, list[str]] = {}
    for path in paths:
        by_place.setdefault(folder_of(path), []).append(path)
    for place, files in by_place.items():
        folder = top
        for part in PurePosixPath(place).parts:
            folder = folder.folders.setdefault(part, Folder(folder.path / part))
        folder.files += files
    return top


def folder_sets(folder: Folder, plain: bool = False) -> list[tuple[Folder, list[str] | None]]:
    """Folders whose files belong together, each with the names of its classes where it has any.

    Parameters
    ----------
    plain
        Whether no folder is a class.
    """
    classes = None if plain else classes_in(folder)
    if classes is not None:
        found: list[tuple[Folder, list[str] | None]] = [(folder, classes)]
        return found + [
            pair for name, below in folder.folders.items() if name not in classes for pair in folder_sets(below, plain)
        ]
    if folder.files or not folder.folders:
        return [(folder, None)] if len(folder.every()) > 0 else []
    return [pair for below in folder.folders.values() for pair in folder_sets(below, plain)]


def classes_in(folder: Folder) -> list[str] | None:
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


def says(name: str, words: str) -> bool:
    """Whether a name of a file or folder holds one of the words of a table of `vocabulary`."""
    return first_of(re.sub(r"[_\-.\d]+", " ", fold(name)), vocabulary.table(words)) is not None
