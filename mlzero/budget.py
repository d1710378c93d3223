"""One clock for a whole run; every step gets a share of what is left."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass
class Budget:
    """Seconds a run may spend, counted from its first step.

    Parameters
    ----------
    total
        Seconds in all.
    spent_before
        Seconds used before this process took the run up (resume after a crash).
    clock
        A monotonic clock in seconds.
    """

    total: float
    spent_before: float = 0.0
    clock: Callable[[], float] = time.monotonic
    _started: float = field(init=False)

    def __post_init__(self) -> None:
        self._started = self.clock()

    @property
    def spent(self) -> float:
        """Seconds used so far, those of earlier processes included."""
        return self.spent_before + self.clock() - self._started

    @property
    def left(self) -> float:
        """Seconds left, never below zero."""
        return max(0.0, self.total - self.spent)
