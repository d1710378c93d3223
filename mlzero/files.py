"""Files on disk: written whole or not at all, and counted while others write them."""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from pathlib import Path


def write_atomically(path: Path, text: str) -> None:
    """Write so that a reader sees the old or the new text, never half of it."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    temporary.write_text(text, encoding="utf-8")
    os.replace(temporary, path)


def size_of(folders: Sequence[Path]) -> int:
    """Bytes of all files below; what vanishes meanwhile counts nothing."""
    total, todo = 0, list(folders)
    while todo:
        try:
            with os.scandir(todo.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        todo.append(Path(entry.path))
                    else:
                        total += entry.stat(follow_symlinks=False).st_size
        except OSError:
            continue
    return total
