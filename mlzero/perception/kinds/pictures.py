"""Pictures: which of them can be read."""

from __future__ import annotations

import logging
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from mlzero.perception.kinds.media import Media
from mlzero.perception.profile import FileProfile

log = logging.getLogger(__name__)
MOST_BYTES = 3_000_000_000  # of pictures that are opened to see whether they are whole


def check(data_dir: Path, files: list[FileProfile]) -> None:
    """Note a problem at pictures that are empty, cut off or of an unknown kind.

    Reads every pixel, JPEG at an eighth of the size, since only that shows that a picture is whole. Of very large
    uploads only the first part is looked at.
    """
    total, chosen = 0, []
    for file in files:
        total += file.bytes
        if total < MOST_BYTES:
            chosen.append(file)
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 2) as pool:
        for file, problem in zip(chosen, pool.map(lambda f: problem_of(data_dir / f.path), chosen), strict=True):
            file.problem = problem


def problem_of(path: Path) -> str | None:
    """Why a picture cannot be read, in a sentence; None when it can."""
    from PIL import Image

    try:
        if path.stat().st_size == 0:
            return "The picture is empty."
        with Image.open(path) as picture:
            picture.draft("RGB", (64, 64))
            picture.load()
    except Image.DecompressionBombError:
        return "The picture is too large to be opened."
    except (OSError, ValueError, SyntaxError, EOFError) as error:
        log.info("cannot read %s: %s", path, error)
        text = (
            "cut off" if "truncated" in str(error) or isinstance(error, EOFError) else "damaged or of an unknown kind"
        )
        return f"The picture is {text}."
    return None


SPECIALIST = Media("image", "picture", check)
