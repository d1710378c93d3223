"""Reading what a sandbox wrote. Its files are data from a stranger: never followed as links, never unpickled."""

from __future__ import annotations

import errno
import json
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

LARGEST_REPORT = 1_000_000  # bytes


class NotAFrame(Exception):
    """The file is missing, is no ordinary file or holds no table; the text says which."""


def open_plain(path: Path) -> int:
    """A descriptor of an ordinary file; raises NotAFrame for anything else."""
    try:
        fd = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError as error:
        raise NotAFrame(f"{path.name} was not written") from error
    except OSError as error:
        reason = "is a link" if error.errno == errno.ELOOP else "cannot be opened"
        raise NotAFrame(f"{path.name} {reason}") from error
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise NotAFrame(f"{path.name} is no ordinary file")
    return fd


def read_frame(path: Path) -> pd.DataFrame:
    """The table in a parquet file, with its index."""
    import pandas as pd
    import pyarrow as pa

    with os.fdopen(open_plain(path), "rb") as file:
        try:
            return pd.read_parquet(file)
        except (pa.ArrowException, ValueError, KeyError, TypeError, OSError) as error:
            raise NotAFrame(f"{path.name} cannot be read as a table: {error}") from error


def read_report(path: Path) -> dict[str, Any]:
    """What the worker wrote about a call; empty when there is nothing usable."""
    try:
        with os.fdopen(open_plain(path), "rb") as file:
            value = json.loads(file.read(LARGEST_REPORT))
    except (NotAFrame, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def remove_links(folder: Path) -> int:
    """Remove links below that lead out of the folder; returns how many."""
    root, removed = folder.resolve(), 0
    for directory, names, files in os.walk(folder):
        for name in [*names, *files]:
            path = Path(directory, name)
            if path.is_symlink() and not path.resolve().is_relative_to(root):
                path.unlink()
                removed += 1
    return removed
