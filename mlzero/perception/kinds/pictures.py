"""Pictures: which of them can be read."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from mlzero.perception.kinds.media import Media
from mlzero.perception.profile import FileProfile

log = logging.getLogger(__name__)
MANY = 5_000  # pictures that are opened one by one
_AT_ONCE = 200  # pictures a piece of work
_ENDS = [(b"\xff\xd8\xff", b"\xff\xd9"), (b"\x89PNG\r\n\x1a\n", b"IEND"), (b"GIF8", b";")]  # of JPEG, PNG, GIF
_FRAMES_ASKED = 200  # files asked how many pictures they hold
MOST_BYTES = 3_000_000_000  # of pictures that are opened to see whether they are whole


def check(data_dir: Path, files: list[FileProfile]) -> None:
    """Note a problem at pictures that are empty, cut off or of an unknown kind.

    Reads every pixel, JPEG at an eighth of the size, since only that shows that a picture is whole. Of very many
    pictures the first and last bytes have to do, of very large uploads the first part.
    """
    total, chosen = 0, []
    for file in files:
        total += file.bytes
        if total < MOST_BYTES:
            chosen.append(file)
    problems = _problems(str(data_dir), tuple((file.path, file.bytes) for file in chosen))
    for file, problem in zip(chosen, problems, strict=True):
        if problem != file.problem:
            file.problem = problem


@lru_cache(maxsize=4)
def _problems(data_dir: str, files: tuple[tuple[str, int], ...]) -> list[str | None]:
    """What is wrong with pictures of so many bytes each; looked up once though several kinds of tasks ask."""
    quick = len(files) > MANY
    parts = [files[i : i + _AT_ONCE] for i in range(0, len(files), _AT_ONCE)]

    def look(part: Sequence[tuple[str, int]]) -> list[str | None]:
        return [_problem(f"{data_dir}/{path}", size, quick) for path, size in part]

    with ThreadPoolExecutor(max_workers=os.cpu_count() or 2) as pool:
        return [problem for problems in pool.map(look, parts) for problem in problems]


def _problem(path: str, size: int, quick: bool) -> str | None:
    with suppress(OSError):  # `problem_of` says so
        if quick and size and _seems_whole(path, size):
            return None
    return problem_of(Path(path))


def _seems_whole(path: str, size: int) -> bool:
    """Whether a file of so many bytes begins and ends as a JPEG, PNG or GIF does."""
    file = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        start = os.read(file, 8)
        os.lseek(file, -min(32, size), os.SEEK_END)
        end = os.read(file, 32)
    finally:
        os.close(file)
    return any(start.startswith(first) and last in end for first, last in _ENDS)


def frames_note(data_dir: Path, files: list[FileProfile]) -> str | None:
    """A sentence on DICOM files with several pictures each; of very many files some are looked at."""
    from mlzero.semantic_memory.blocks.dicom import frames_of

    ordinary = (".jpg", ".jpeg", ".png", ".gif", ".bmp", ".tif", ".tiff", ".webp")
    medical = [file.path for file in files if not file.problem and not file.path.lower().endswith(ordinary)]
    asked = medical[:: 1 + len(medical) // _FRAMES_ASKED]
    several = [path for path in asked if frames_of(data_dir / path) > 1]
    if not several:
        return None
    count = f"{len(several):,} DICOM files hold" if len(several) > 1 else "A DICOM file holds"
    if len(asked) < len(medical):
        count = f"Of {len(asked):,} DICOM files looked at, {len(several):,} hold"
    return f"{count} several pictures, such as {several[0]}; the first of each is used."


def problem_of(path: Path) -> str | None:
    """Why a picture cannot be read, in a sentence; None when it can."""
    from PIL import Image

    from mlzero.semantic_memory.blocks.dicom import UNREADABLE, open_picture

    try:
        if path.stat().st_size == 0:
            return "The picture is empty."
        with open_picture(path) as picture:
            picture.draft("RGB", (64, 64))
            picture.load()
    except Image.DecompressionBombError:
        return "The picture is too large to be opened."
    except (OSError, ValueError, SyntaxError, EOFError) as error:
        log.info("cannot read %s: %s", path, error)
        if str(error).startswith(UNREADABLE):
            packed = re.search(r"compressed as (.+)\)", str(error))
            way = f"; it is compressed as {packed[1]}" if packed else ""
            return f"The DICOM file holds no picture that can be read{way}."
        text = (
            "cut off" if "truncated" in str(error) or isinstance(error, EOFError) else "damaged or of an unknown kind"
        )
        return f"The picture is {text}."
    return None


SPECIALIST = Media("image", "picture", check, frames_note)
