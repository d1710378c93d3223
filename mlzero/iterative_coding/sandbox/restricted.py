"""A child process with limits and a clean environment. Not a wall: it can read what the server can."""

from __future__ import annotations

import subprocess
import tempfile
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from mlzero.iterative_coding.sandbox.base import environment, launch
from mlzero.iterative_coding.sandbox.job import TAG, Job


class Restricted:
    """Own process group, scrubbed environment, limits on memory and files, killed by tag."""

    name = "restricted"
    isolated = False
    description = (
        "Generated code runs in a separate process with limits on time, memory and disk and without your keys, but it "
        "could read your files and use the network. Install bubblewrap (Linux) or run MLZero in a container to close that."
    )

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
        """See `Sandbox.start`; `read_only` and `writable` are not enforced here."""
        cwd = cwd or (writable[0] if writable else None)
        scratch = Path(tempfile.mkdtemp(prefix="mlzero-"))
        tag = uuid.uuid4().hex
        process = subprocess.Popen(
            launch(argv, memory_mb, file_mb),
            env=environment(cwd, str(scratch), env) | {TAG: tag},
            cwd=cwd or scratch,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL if stdout is None else stdout,
            stderr=subprocess.STDOUT,
            pass_fds=tuple(pass_fds),
            start_new_session=True,
        )
        return Job(process, tag, scratch)
