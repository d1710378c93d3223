"""Two tables of the same things, one with the answers and one without, that a goal or their names point to."""

from __future__ import annotations

from pathlib import PurePosixPath

from mlzero.perception import vocabulary
from mlzero.perception.goal import Brief
from mlzero.perception.profile import TableProfile
from mlzero.perception.wording import first_of, fold, words_of

_ANSWERS = 3  # columns that the table with answers has beyond those of the other


def find(tables: list[TableProfile], brief: Brief) -> tuple[TableProfile, TableProfile] | None:
    """The table to learn from and the table to predict, when one has all columns of the other and the answers.

    The table to predict is named in the goal or is called so, and both are called alike.
    """
    said = fold(brief.said)
    found = []
    for test in tables:
        named = fold(PurePosixPath(test.path).name) in said
        called = first_of(" ".join(_words(test)), vocabulary.table(vocabulary.TEST_NAMES)) is not None
        if not (named or called):
            continue
        for train in tables:
            more = [c for c in train.columns if c.name not in test.names and c.kind not in ("empty", "constant")]
            alike = set(_words(train)) & set(_words(test))
            if train is not test and set(test.names) <= set(train.names) and 1 <= len(more) <= _ANSWERS and alike:
                found.append((named, len(alike), -len(more), train, test))
    if not found:
        return None
    *_, train, test = max(found, key=lambda item: item[:3])
    return train, test


def _words(table: TableProfile) -> list[str]:
    stem = PurePosixPath(table.path).name.partition(".")[0]
    return words_of(f"{stem} {table.key.partition('#')[2]}".replace("_", " ").replace("-", " "))
