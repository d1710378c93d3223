"""Files of numbers whose folders or names are their classes: which uploads may be read so, before any is read whole."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import suppress
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

import numpy as np

from mlzero.perception import vocabulary
from mlzero.perception.kinds.file_classes import OTHER
from mlzero.perception.kinds.file_names import LABEL, name_pattern
from mlzero.perception.kinds.folders import Folder, folder_sets, says, tree_of
from mlzero.perception.kinds.number_sets import ending_in, holds_numbers
from mlzero.perception.paths import folder_of, stem_of
from mlzero.perception.profile import FolderFiles
from mlzero.perception.readers import reader_for
from mlzero.semantic_memory.blocks.file_numbers import MOST_BYTES, MOST_COLUMNS, are_elements, file_cells
from mlzero.semantic_memory.blocks.number_folders import NOT_TABLES

FEWEST = 5  # files of a folder that is a class
_MOST = 100  # classes
_CLASSES = 12  # folders of which files are looked at
_TRIED = 3  # files of each
_ALIKE = 0.8  # share of the files looked at that hold the same columns
_OTHERS = 20  # files beside them that are looked at for tables
_MOST_BYTES = 8_000_000  # of files that are looked at, from where on no more are
_SMOOTH = 0.5  # correlation of neighbours in a curve
_LONG = 20  # lines of a file that can show such a correlation
_SPLITS = f"{vocabulary.TRAIN_NAMES} {vocabulary.TEST_NAMES} val valid* validation"
_TIME = re.compile(r"(19|20)\d\d(\D?(0?[1-9]|1[0-2])(\D?\d{1,2})?)?|q[1-4]|\d{1,2}\D\d{1,2}\D\d{2,4}", re.I)
_MOMENT = re.compile(r"[\dT:.,/+\-Z ]+")
_AXES = ({"x", "y"}, {"x", "y", "z"})


class NumberFolder(NamedTuple):
    """Files that belong together, the folders that are their classes, and the files and folders beside them."""

    folder: Folder
    classes: list[str]
    beside: list[str]

    @property
    def asked(self) -> bool:
        """Whether its name says that it is to be predicted."""
        return says(self.folder.path.name, vocabulary.TEST_NAMES)


class _File(NamedTuple):
    """What a file holds: the names of its columns, and its numbers (rows × columns)."""

    names: tuple[str, ...]
    values: np.ndarray


def find(root: Path, paths: Sequence[str], media: Sequence[str]) -> tuple[FolderFiles, list[str]] | None:
    """Files of numbers whose folders or names may be their classes, and where they are; None where there are none.

    Parameters
    ----------
    paths
        The tables and texts of the upload.
    media
        Its pictures and recordings.
    """
    usual = Counter(ending.lower() for path in paths if (ending := ending_in(path))).most_common(1)
    if not usual or usual[0][1] < 2 * FEWEST or len(media) >= FEWEST:
        return None
    ending = usual[0][0]
    files = _without_notes([path for path in paths if ending_in(path).lower() == ending])
    sets = sets_in(files)
    classes, pattern = _classes(sets), ""
    if not classes:
        classes, pattern = _named_classes(sets)
    if len(classes) > _MOST or sum(len(own) >= FEWEST for own in classes.values()) < 2:
        return None
    if any(says(label, f"{OTHER} {_SPLITS}") or _TIME.fullmatch(label) for label in classes):
        return None
    rows = set(files)
    beside = [path for path in paths if path not in rows and not says(stem_of(path), vocabulary.SAMPLE_NAMES)]
    if len(beside) > _OTHERS or any(_is_table(root / path) for path in beside):
        return None
    looks = _looks(root, classes)
    if looks is None:
        return None
    measured = _are_words(list(classes)) and (ending in NOT_TABLES or (_are_numbered(files) and _are_curves(looks)))
    return FolderFiles(
        labels=sorted(classes), pattern=pattern, ending=ending, columns=list(looks[0].names), measured=measured
    ), files


def sets_in(paths: Sequence[str]) -> list[NumberFolder]:
    """Folders whose files belong together, those to predict apart from what lies beside their folder."""
    return [each for folder, names in folder_sets(tree_of(paths)) for each in _apart(folder, names or [])]


def _apart(folder: Folder, names: list[str]) -> list[NumberFolder]:
    """A folder with its classes, or with those below it that are to predict as sets of their own."""
    asked = [name for name in (names or folder.folders) if says(name, vocabulary.TEST_NAMES)]
    if not asked or not (names or folder.files):
        return [NumberFolder(folder, names, sorted(set(folder.folders) - set(names)) if names else [])]
    if names:  # known and new ones, no classes
        return [
            each
            for below in folder.folders.values()
            for pair in folder_sets(below)
            for each in _apart(pair[0], pair[1] or [])
        ]
    rest = {name: below for name, below in folder.folders.items() if name not in asked}
    return [
        NumberFolder(Folder(folder.path, folder.files, rest), [], asked),
        *(NumberFolder(folder.folders[name], [], []) for name in asked),
    ]


def _without_notes(files: list[str]) -> list[str]:
    """The files without the few that lie beside folders of them, such as a description."""
    held = Counter(map(folder_of, files))
    above = {parent for folder in held for parent in _parents(folder)}
    return [path for path in files if not (held[folder_of(path)] < FEWEST and folder_of(path) in above)]


def _parents(folder: str) -> list[str]:
    parts = folder.split("/") if folder else []
    return ["/".join(parts[:length]) for length in range(len(parts))]


def _classes(sets: Sequence[NumberFolder]) -> dict[str, list[str]]:
    """Files by class, those to learn from and labelled ones to predict together; empty where sets are of other things."""
    labelled = [each for each in sets if each.classes]
    if len(labelled) > 1 and not all(says(each.folder.path.name, _SPLITS) for each in labelled):
        return {}
    found: dict[str, list[str]] = defaultdict(list)
    for each in labelled:
        for name in each.classes:
            found[name] += each.folder.folders[name].every()
    return found


def _named_classes(sets: Sequence[NumberFolder]) -> tuple[dict[str, list[str]], str]:
    """Files by the one word of their names that some share, and a regular expression for it; empty without one."""
    known = [each.folder.every() for each in sets if not each.asked]
    pattern = name_pattern([stem_of(path) for path in known[0]], []) if len(known) == 1 else ""
    found: dict[str, list[str]] = defaultdict(list)
    for path in known[0] if pattern else ():
        told = re.search(pattern, stem_of(path))
        if told and any(value.isalpha() for name, value in told.groupdict().items() if name != LABEL):
            return {}, ""  # of two words either could be meant
        if told:
            found[told[LABEL]].append(path)
    return (found, pattern) if _are_words([*found]) else ({}, "")


def _is_table(path: Path) -> bool:
    """Whether a file holds a table, not a text or settings."""
    reader = reader_for(path)
    if reader is None or path.stat().st_size == 0:
        return False
    with suppress(Exception):  # of a text, a damaged file: whoever reads it says so
        return bool(reader.find(path))
    return False


def _looks(root: Path, classes: dict[str, list[str]]) -> list[_File] | None:
    """A few files of each class, of large ones fewer, when nearly all hold numbers in the same few columns."""
    some = [files[:: max(1, len(files) // _TRIED)][:_TRIED] for files in list(classes.values())[:_CLASSES]]
    tried, read, found = 0, 0, list[_File]()
    for path in (path for row in zip_longest(*some) for path in row if path):
        size = (root / path).stat().st_size
        if read > _MOST_BYTES or not size:
            continue
        look = _look(root / path)
        tried, read = tried + 1, read + min(size, MOST_BYTES)
        found += [look] if look and (not found or look.names == found[0].names) else []
        if tried - len(found) > max(1, (1 - _ALIKE) * tried):
            return None
    return found if found and len(found) >= _ALIKE * tried else None


def _look(path: Path) -> _File | None:
    """None of a file that is empty, damaged, wide or has words beside its numbers, as tables of cases have."""
    if not holds_numbers(path):
        return None
    names, values, words, _ = file_cells(path)
    plain = are_elements(words) or all(map(_MOMENT.fullmatch, words))
    return _File(tuple(names), values) if plain and len(values) > 1 and len(names) < MOST_COLUMNS else None


def _are_words(labels: list[str]) -> bool:
    """Whether names differ in more than numbers."""
    return len({re.sub(r"[\W\d_]+", "", label) for label in labels} - {""}) == len(labels)


def _are_numbered(files: Sequence[str]) -> bool:
    """Whether most names of files hold numbers that are no years or days."""
    stems = [stem_of(path) for path in files]
    numbered = [stem for stem in stems if re.search(r"\d", stem) and not _TIME.fullmatch(stem)]
    return len(numbered) >= 0.8 * len(stems)


def _are_curves(looks: Sequence[_File]) -> bool:
    """Whether files hold points, one column, fractions of equal length or neighbours that are alike, as cases do not."""
    names = {name.lower() for name in looks[0].names}
    fractions = all((look.values % 1 != 0).any(axis=0).mean() > 0.5 for look in looks)
    if len(names) == 1 or names in _AXES or (fractions and len({len(look.values) for look in looks}) == 1):
        return True
    return float(np.median([_smoothness(look.values) for look in looks])) > _SMOOTH


def _smoothness(values: np.ndarray) -> float:
    """The greatest correlation of neighbours in a column (rows × columns) that neither rises nor falls throughout."""
    if len(values) < _LONG:
        return 0.0
    steps = np.diff(values, axis=0)
    free = ((steps > 0).any(axis=0) & (steps < 0).any(axis=0)).nonzero()[0]
    return max((float(np.corrcoef(values[:-1, n], values[1:, n])[0, 1]) for n in free), default=0.0)
