"""What was understood of a hint so far, clause after clause."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from mlzero.perception.profile import TableProfile
from mlzero.perception.task import Task


@dataclass
class Draft:
    """The task of the run, and what is to be done otherwise."""

    task: Task
    table: TableProfile | None
    parts: list[str] = field(default_factory=list)  # "leave out ...", to follow "I will"
    remarks: list[str] = field(default_factory=list)  # whole sentences
    overrides: dict[str, str] = field(default_factory=dict)
    wishes: dict[str, Any] = field(default_factory=dict)

    @property
    def understood(self) -> int:
        return len(self.parts) + len(self.remarks)

    def add(self, key: str, names: list[str]) -> None:
        """Append columns to a list of columns among the overrides."""
        there = [self.overrides[key]] if key in self.overrides else []
        self.overrides[key] = ",".join([*there, *names])
