"""Files that rows point to, as the training sandbox sees them: under names that tell nothing about their answer."""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from mlzero.perception.profile import FILES

if TYPE_CHECKING:
    import pandas as pd

    from mlzero.perception.task import Task


class NotInUpload(Exception):
    """A cell does not name a file of the upload; the text says which."""


def file_columns(task: Task) -> list[str]:
    """Columns whose cells are paths: inputs of a file kind, and targets that are pictures."""
    pictures = task.problem_type.value in ("segmentation", "image_to_image")
    return [f.name for f in task.used_features if f.treat_as in FILES] + (task.targets if pictures else [])


class Media:
    """The files of a run's rows, linked into one folder that the training sandbox may read.

    A folder or file name often is the answer (`cats/7.jpg`), so files get names that cannot be guessed; the same
    file keeps its name through all attempts.
    """

    def __init__(self, data_dir: Path, run_dir: Path) -> None:
        self.folder = self.folder_of(run_dir)
        self._data_dir = data_dir
        self._key_file = run_dir / "work" / "media.key"
        self._key = b""

    @staticmethod
    def folder_of(run_dir: Path) -> Path:
        """Where a run's files are linked."""
        return run_dir / "work" / "media"

    def relative(self, frame: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
        """The frame with paths relative to the upload; raises NotInUpload for a cell that leads elsewhere."""
        return self._mapped(frame, columns, self._inside)

    def linked(self, frame: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
        """The frame with absolute paths of linked files, from paths relative to the upload."""
        if any(column in frame for column in columns):
            self.folder.mkdir(parents=True, exist_ok=True)
        return self._mapped(frame, columns, self._link)

    def _mapped(self, frame: pd.DataFrame, columns: list[str], change: Callable[[str], str]) -> pd.DataFrame:
        present = [column for column in columns if column in frame]
        return frame.assign(**{c: frame[c].map(change, na_action="ignore") for c in present}) if present else frame

    def _inside(self, cell: str) -> str:
        path = Path(os.path.normpath(self._data_dir / cell))
        if not path.is_relative_to(self._data_dir) or path.is_symlink() or not path.is_file():
            raise NotInUpload(f"{cell} is no file of the upload")
        return path.relative_to(self._data_dir).as_posix()

    def _link(self, cell: str) -> str:
        name = hashlib.blake2b(cell.encode(), key=self._secret(), digest_size=10).hexdigest()
        link = self.folder / f"{name}{Path(cell).suffix.lower()}"
        if not link.exists():
            source = self._data_dir / cell
            try:
                os.link(source, link)
            except FileExistsError:
                pass
            except OSError:  # another file system
                shutil.copyfile(source, link)
        return str(link)

    def _secret(self) -> bytes:
        if not self._key:
            with suppress(FileExistsError), self._key_file.open("xb") as file:
                file.write(secrets.token_bytes(16))
            self._key = self._key_file.read_bytes()
        return self._key
