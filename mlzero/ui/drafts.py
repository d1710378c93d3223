"""A run before its start: where the data of the New run page goes."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from mlzero.files import size_of
from mlzero.perception.override import ABOUT_TARGET
from mlzero.registry import registry
from mlzero.runs import RunDirectory, RunSettings, record_in

KEEP = 24 * 3600.0  # seconds an unstarted draft is kept


@dataclass
class Draft:
    """The visitor's unstarted run; its folder is made with the first file."""

    owner: str
    run_id: str | None = None
    revision: int = 0  # grows with every change of the data
    asked: tuple[str, str, int] | None = None  # what the reading under way was asked
    overrides: dict[str, str] = field(default_factory=dict)
    counted: tuple[int, int, int] | None = None  # revision, files, bytes

    def place(self) -> tuple[str, Path]:
        """Id and folder, made when there is none yet."""
        directory = self.directory()
        if directory is None:
            _forget_old(self.owner)
            directory = registry().draft(self.owner)
            self.run_id = directory.id
        return directory.id, directory.path

    def directory(self) -> RunDirectory | None:
        """The folder while it is a draft still."""
        found = self._run()
        return found if found is not None and _state(found) == "draft" else None

    def has_data(self) -> bool:
        """Whether anything has been uploaded."""
        directory = self.directory()
        try:
            return directory is not None and any(directory.data.iterdir())
        except FileNotFoundError:  # new data is taking its place
            return False

    def holdings(self) -> tuple[int, int]:
        """Number of files and bytes, counted once for each change of the data; none when it was deleted meanwhile."""
        directory = self.directory()
        if directory is None:
            return 0, 0
        if self.counted is None or self.counted[0] != self.revision:
            files = sum(len(names) for _, _, names in os.walk(directory.data))
            self.counted = (self.revision, files, size_of([directory.data]))
        return self.counted[1:]

    def restore(self, run_id: str) -> str:
        """Take up a draft named in the address; returns its goal, empty when it is none of the visitor's."""
        self.run_id = run_id
        directory = self.directory()
        if directory is None:
            self.run_id = None
            return ""
        record = directory.record()
        self.overrides = dict(record.settings.overrides)
        return record.goal

    def ask(self, goal: str) -> None:
        """Have the data read for `goal` and the corrections so far, unless that was asked already."""
        directory = self.directory()
        question = (goal, repr(sorted(self.overrides.items())), self.revision)
        if directory is None or question == self.asked:
            return
        self.asked = question
        with suppress(FileNotFoundError):  # deleted in another window meanwhile
            directory.update(goal=goal, settings=RunSettings(overrides=self.overrides))
            registry().perceive(directory.id, goal, self.overrides)

    def correct(self, name: str, value: str | None) -> None:
        """Set or withdraw a correction of the task; a new target makes those about the old one void."""
        if name == "target":
            for void in ABOUT_TARGET:
                self.overrides.pop(void, None)
        if value is None:
            self.overrides.pop(name, None)
        else:
            self.overrides[name] = value

    def changed(self) -> None:
        """The data is other data now; corrections of the old data go."""
        self.revision += 1
        self.overrides = {}

    def start(self, goal: str, time_limit: float) -> None:
        """Queue the run."""
        assert self.run_id is not None
        registry().submit(self.run_id, goal=goal, settings=RunSettings(time_limit=time_limit, overrides=self.overrides))

    def started(self) -> bool:
        """Whether it has become a run."""
        found = self._run()
        return found is not None and _state(found) not in ("draft", None)

    def discard(self) -> None:
        """Delete the draft with its data."""
        if self.directory() is not None and self.run_id:
            registry().delete(self.run_id)
        self.run_id, self.overrides, self.asked = None, {}, None

    def _run(self) -> RunDirectory | None:
        return registry().get(self.run_id, self.owner) if self.run_id else None


def _state(directory: RunDirectory) -> str | None:
    record = record_in(directory.path)
    return record.state if record is not None else None


def _forget_old(owner: str) -> None:
    for record in registry().list(owner, drafts=True):
        if record.state == "draft" and record.created < time.time() - KEEP:
            registry().delete(record.id)
