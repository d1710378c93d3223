"""One table a class, called by it: `cats.csv` beside `dogs.csv`, or a folder each. The name of the file is a column."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path, PurePosixPath

from mlzero.perception import vocabulary
from mlzero.perception.goal import Brief
from mlzero.perception.override import Overrides
from mlzero.perception.profile import ColumnProfile, Profile, TableProfile
from mlzero.perception.task import Task
from mlzero.perception.wording import first_of, fold, is_cjk

NAMES = ("label", "class", "file_name")  # what the column is called, the first that is free
_FEWEST = 5  # rows of a table that is a class
_MOST = 50  # classes
_PARTS = "part chunk batch split page sheet table tabelle data export file all copy kopie january february march april may june july august september october november december"  # fmt: skip
OTHER = " ".join((vocabulary.TRAIN_NAMES, vocabulary.SAMPLE_NAMES, vocabulary.ANSWER_FILES, _PARTS))


class FileClasses:
    """See `Specialist`."""

    def tables(self, data_dir: Path, profile: Profile) -> list[TableProfile]:
        """None: the tables that are there get a column more."""
        alike: dict[frozenset[str], list[TableProfile]] = {}
        for table in profile.tables:
            filled = frozenset(column.name for column in table.columns if column.kind != "empty")
            asked = _says(" ".join(_words(table.key)), vocabulary.TEST_NAMES)
            if table.read.format != "made" and table.rows >= _FEWEST and not asked:
                alike.setdefault(filled, []).append(table)
        for columns, tables in alike.items():
            labels = labels_of([table.key for table in tables]) if 2 <= len(tables) <= _MOST else None
            free = [name for name in NAMES if name not in columns]
            if labels and free:
                _tell(tables, labels, free[0])
        return []

    def task(self, data_dir: Path, profile: Profile, brief: Brief, given: Overrides) -> Task | None:
        """None: the task is one of tables."""
        return None


def labels_of(keys: list[str]) -> list[str] | None:
    """What is left of the names of tables without the words that all have; None when these do not read as classes."""
    words = [_words(key) for key in keys]
    common = set.intersection(*map(set, words))
    left = [[word for word in each if word not in common] for each in words]
    labels = [" ".join(each) for each in left]
    plain = all(
        re.fullmatch(r"[^\W\d_]+( [^\W\d_]+)*", label) and (len(label) > 1 or is_cjk(label)) for label in labels
    )
    several = len({fold(label) for label in labels}) == len(labels)
    return labels if plain and several and not any(_says(label, OTHER) for label in labels) else None


def _words(key: str) -> list[str]:
    """The words of a path, and of a sheet, without endings."""
    path, _, sheet = key.partition("#")
    place = PurePosixPath(path)
    stem = re.sub(r"(\.[A-Za-z0-9]{1,8}){1,2}$", "", place.name)
    return [word for part in (*place.parent.parts, stem, sheet) for word in re.split(r"[\W_]+", part) if word]


def _says(text: str, words: str) -> bool:
    return first_of(fold(text), vocabulary.table(words)) is not None


def _tell(tables: list[TableProfile], labels: list[str], name: str) -> None:
    """Add the column to each of the tables; it is profiled as it will be when they are put together."""
    counts = Counter(dict(zip(labels, (table.rows for table in tables), strict=True)))
    for table, label in zip(tables, labels, strict=True):
        table.columns.append(
            ColumnProfile(
                name=name, source_name="", kind="category", unique=len(labels), examples=labels[:5],
                top=counts.most_common(20), mean_words=1.0, told=label,
            )
        )  # fmt: skip
