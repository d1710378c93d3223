"""Where things live and how much a run may use. Read when asked, never at import."""

from __future__ import annotations

import os
from pathlib import Path

import psutil

from mlzero.errors import UserError
from mlzero.iterative_coding.contract import Machine

HOME_VARIABLE = "MLZERO_HOME"
LANES_VARIABLE = "MLZERO_LANES"  # attempts at the same time, where the machine shall not decide
LANE_CORES, LANE_MEMORY = 4, 8.0  # cores and GB of memory that an attempt has at least when others run beside it
MOST_LANES = 3


def home() -> Path:
    """The folder of runs, uploads, caches and memory: `$MLZERO_HOME`, else `~/.mlzero`."""
    chosen = os.environ.get(HOME_VARIABLE)
    return Path(chosen).expanduser().resolve() if chosen else Path.home() / ".mlzero"


def machine() -> Machine:
    """Cores and memory this process may use, and whether there is a GPU."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)
    return Machine(cores=cores, memory_gb=psutil.virtual_memory().total / 2**30, gpu=Path("/dev/nvidia0").exists())


def lanes() -> list[list[int]]:
    """The cores of each attempt that may run at the same time; one empty list, all cores, on machines of usual size.

    Raises UserError when `$MLZERO_LANES` is no whole number above zero.
    """
    here = machine()
    room = min(here.cores // LANE_CORES, int(here.memory_gb / LANE_MEMORY), MOST_LANES)
    given = os.environ.get(LANES_VARIABLE, "")
    if given and not (given.isdecimal() and int(given)):
        raise UserError(
            f"{LANES_VARIABLE} is {given!r}.", "Give how many attempts may run at the same time, such as 2."
        )
    number = min(int(given), here.cores) if given else room
    if number < 2 or not hasattr(os, "sched_getaffinity"):
        return [[]]
    cores = sorted(os.sched_getaffinity(0))
    size = len(cores) // number
    return [cores[place * size : (place + 1) * size] for place in range(number)]
