"""Parts of a file's path below the upload, as `PurePosixPath` gives them but on plain text: uploads hold 100,000 files."""

from __future__ import annotations


def name_of(path: str) -> str:
    return path.rpartition("/")[2]


def folder_of(path: str) -> str:
    """The folder a file is in; empty for the upload itself."""
    return path.rpartition("/")[0]


def stem_of(path: str) -> str:
    """The name without its last ending."""
    name = name_of(path)
    stem, _, ending = name.rpartition(".")
    return stem if stem and ending else name


def ending_of(path: str) -> str:
    """The last ending in lower case with its dot; empty where there is none, as in `.profile`."""
    name = name_of(path)
    stem, _, ending = name.rpartition(".")
    return f".{ending.lower()}" if stem and ending else ""
