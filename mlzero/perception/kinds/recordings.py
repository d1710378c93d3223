"""Recordings: which of them can be read."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from mlzero.perception.kinds.media import Media
from mlzero.perception.profile import FileProfile


def check(data_dir: Path, files: list[FileProfile]) -> None:
    """Note a problem at recordings that are empty, damaged or of an unknown kind, by their beginning."""
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 2) as pool:
        problems = pool.map(lambda file: problem_of(data_dir / file.path), files)
        for file, problem in zip(files, problems, strict=True):
            file.problem = problem


def problem_of(path: Path) -> str | None:
    """Why a recording cannot be read, in a sentence; None when it can."""
    import soundfile

    if path.stat().st_size == 0:
        return "The recording is empty."
    try:
        with soundfile.SoundFile(str(path)) as file:
            return None if len(file.read(1000)) else "The recording holds no sound."
    except (soundfile.LibsndfileError, RuntimeError):
        return _problem_of_packed(path)


def _problem_of_packed(path: Path) -> str | None:
    """The same for the formats of phones and videos."""
    import av

    try:
        with av.open(str(path)) as file:
            if not file.streams.audio:
                return "The file holds no sound."
            return None if next(file.decode(file.streams.audio[0]), None) else "The recording holds no sound."
    except (av.FFmpegError, OSError, ValueError):
        return "The recording is damaged or of an unknown kind."


SPECIALIST = Media("audio", "recording", check)
