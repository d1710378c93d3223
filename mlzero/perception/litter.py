"""Files that an operating system or an editor left behind."""

from __future__ import annotations

from pathlib import PurePosixPath

_LITTER_FILES = {
    "icon\r",
    *".ds_store thumbs.db desktop.ini .localized .gitkeep .gitignore .gitattributes".split(),
}
LITTER_FOLDERS = frozenset(
    "__macosx .git .ipynb_checkpoints __pycache__ .idea .vscode $recycle.bin .trashes .svn".split()
)


def is_litter(relative: PurePosixPath) -> bool:
    """Whether a path is something an operating system or editor left behind."""
    return is_litter_name(relative.name) or any(part.lower() in LITTER_FOLDERS for part in relative.parts)


def is_litter_name(name: str) -> bool:
    """Whether a file is called as one of these."""
    lowered = name.lower()
    return lowered in _LITTER_FILES or lowered.startswith(("._", "~$", ".~lock."))
