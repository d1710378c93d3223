"""Kinds of tasks beyond a plain table. To add one, write a module with a `Specialist` and list it here."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Protocol

from mlzero.perception.goal import Brief
from mlzero.perception.override import Overrides
from mlzero.perception.profile import Profile, TableProfile
from mlzero.perception.task import Task


class Specialist(Protocol):
    """Knows one kind of task: what its data looks like, and what is wanted of it."""

    def tables(self, data_dir: Path, profile: Profile) -> list[TableProfile]:
        """Tables to add to a scanned upload: rows made of its files (ReadPlan.format "made"). Usually empty.

        May also add columns to tables that are there: of files that cells name, of what the file's own name tells.
        """

    def task(self, data_dir: Path, profile: Profile, brief: Brief, given: Overrides) -> Task | None:
        """The whole task when it is of this kind, else None. Raises UserError when it is, and something is missing."""


@cache
def specialists() -> list[Specialist]:
    """All of them; the first that recognises an upload has it."""
    from mlzero.perception.kinds import pictures, recordings, series, written
    from mlzero.perception.kinds.answers_beside import AnswersBeside
    from mlzero.perception.kinds.boxes import Boxes
    from mlzero.perception.kinds.entities import Entities
    from mlzero.perception.kinds.file_classes import FileClasses
    from mlzero.perception.kinds.file_years import FileYears
    from mlzero.perception.kinds.listed_texts import ListedTexts
    from mlzero.perception.kinds.masks import Masks
    from mlzero.perception.kinds.number_files import NumberFiles
    from mlzero.perception.kinds.number_rows import NumberRows
    from mlzero.perception.kinds.ranking import Ranking
    from mlzero.perception.kinds.restored import Restored
    from mlzero.perception.kinds.rewriting import Rewriting
    from mlzero.perception.kinds.text_folders import TextFolders

    return [
        Entities(),
        Ranking(),
        Rewriting(),
        AnswersBeside(),
        Boxes(),
        Masks(),
        Restored(),
        pictures.SPECIALIST,
        recordings.SPECIALIST,
        written.SPECIALIST,
        NumberFiles(),
        NumberRows(),
        ListedTexts(),
        TextFolders(),
        FileClasses(),
        FileYears(),
        series.SPECIALIST,
    ]
