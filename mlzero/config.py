"""Where things live and how much a run may use. Read when asked, never at import."""

from __future__ import annotations

import os
from pathlib import Path

import psutil

from mlzero.iterative_coding.contract import Machine

HOME_VARIABLE = "MLZERO_HOME"


def home() -> Path:
    """The folder of runs, uploads, caches and memory: `$MLZERO_HOME`, else `~/.mlzero`."""
    chosen = os.environ.get(HOME_VARIABLE)
    return Path(chosen).expanduser().resolve() if chosen else Path.home() / ".mlzero"


def machine() -> Machine:
    """Cores and memory this process may use, and whether there is a GPU."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)
    return Machine(cores=cores, memory_gb=psutil.virtual_memory().total / 2**30, gpu=Path("/dev/nvidia0").exists())
