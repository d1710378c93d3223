"""What all attempts of a run share."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path

from mlzero.iterative_coding.rooms import Rooms
from mlzero.perception.task import Task


@dataclass(frozen=True)
class Setting:
    """Where solutions run, on what, and for which task."""

    rooms: Rooms
    data_dir: Path  # the upload
    run_dir: Path
    task: Task
    stop: threading.Event  # set when the user wants the run to end
