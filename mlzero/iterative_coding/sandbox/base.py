"""What every sandbox offers, and the environment programs get in it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Protocol

from mlzero.iterative_coding.sandbox.job import Job

PASSED_ON = ("TZ", "CUDA_VISIBLE_DEVICES", "OMP_NUM_THREADS")  # the only variables of the server that programs see


class Sandbox(Protocol):
    """Runs a program apart from the server and its data."""

    name: str  # "bubblewrap", "restricted"
    description: str  # one sentence for the page and the command line
    isolated: bool  # whether files outside, network and other processes are out of reach

    def start(
        self,
        argv: Sequence[str],
        *,
        read_only: Sequence[Path] = (),
        writable: Sequence[Path] = (),
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        memory_mb: int | None = None,
        file_mb: int | None = None,
        pass_fds: Sequence[int] = (),
        stdout: int | IO[bytes] | None = None,
    ) -> Job:
        """Start a program.

        Parameters
        ----------
        argv
            The program and its arguments; `sys.executable` is there with its installed packages.
        read_only, writable
            Files and folders it sees, at their own paths. An isolated sandbox shows nothing else but
            the system's programs and libraries, and an empty `/tmp`.
        cwd
            Working folder and home; the first writable folder by default.
        env
            Variables on top of a fixed small set. Nothing of the server's environment is passed on.
        memory_mb, file_mb
            Limits of one process: its private memory, and the size of a file it writes.
        pass_fds
            File descriptors it inherits besides the three standard ones.
        stdout
            Where its output and its errors go, both; nowhere by default.

        Call it from a thread that lives as long as the program: it ends with the thread that started it.
        """
        ...


def environment(home: Path | None, temporary: str, extra: Mapping[str, str] | None) -> dict[str, str]:
    """The variables of a sandboxed program, from scratch: no keys, no tokens, model hubs switched off."""
    env = {
        "PATH": os.pathsep.join(
            dict.fromkeys([str(Path(sys.executable).parent), "/usr/local/bin", "/usr/bin", "/bin"])
        ),
        "HOME": str(home) if home else temporary,
        "USER": "sandbox",
        "LANG": "C.UTF-8",
        "TMPDIR": temporary,
        "MPLBACKEND": "Agg",
        "PYTHONUNBUFFERED": "1",
        "PYTHONHASHSEED": "0",
        "HF_HUB_OFFLINE": "1",
        "HF_DATASETS_OFFLINE": "1",
        "TRANSFORMERS_OFFLINE": "1",
        "GOMP_SPINCOUNT": "1000",  # threads that spin for long suffer on a busy machine, that never do on a quiet one
        "TOKENIZERS_PARALLELISM": "false",
        "RAY_USAGE_STATS_ENABLED": "0",
        "DO_NOT_TRACK": "1",
    }
    env |= {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    return env | dict(extra or {})


def launch(argv: Sequence[str], memory_mb: int | None, file_mb: int | None) -> list[str]:
    """The program behind the launcher that sets its limits."""
    text = Path(__file__).with_name("launcher.py").read_text(encoding="utf-8")
    return [sys.executable, "-I", "-S", "-c", text, str(int(memory_mb or 0)), str(int(file_mb or 0)), *argv]
