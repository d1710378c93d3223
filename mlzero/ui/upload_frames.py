"""The stream of files a browser sends: per file a length, a small JSON header, the bytes.

::

    u32 (big endian)  length of the header
    header            {"p": relative path, "n": bytes that follow, "o": offset of these bytes in the file}
    n bytes

Large files come in several frames with growing offsets; a frame may be sent again.
"""

from __future__ import annotations

import json
import os
import re
import struct
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path

from mlzero.errors import UserError

MAX_HEADER = 8192  # bytes
MAX_DEPTH = 32
MAX_NAME = 200  # bytes of one path part
_UNSAFE = re.compile(r'[\x00-\x1f\x7f<>:"|?*]')


def safe_path(name: str) -> Path:
    """A client's file name as a harmless relative path.

    Raises
    ------
    UserError
        When no harmless reading exists: empty, absolute, climbing, too deep or too long.
    """
    parts = [unicodedata.normalize("NFC", part) for part in re.split(r"[\\/]", name)]
    if len(parts) > MAX_DEPTH:
        raise UserError("A folder in the upload is nested too deeply.", f"Use at most {MAX_DEPTH} levels.")
    clean = [_UNSAFE.sub("_", part).rstrip(" .") for part in parts]
    if any(part in ("", ".", "..") for part in clean):
        raise UserError(f"The file name {name[:80]!r} cannot be used.", "Rename it and choose the data again.")
    if any(len(part.encode("utf-8", "replace")) > MAX_NAME for part in clean):
        raise UserError(f"The file name {name[:40]!r}… is too long.", f"Use at most {MAX_NAME} bytes a name.")
    try:
        name.encode("utf-8")
    except UnicodeEncodeError as error:
        raise UserError(
            f"The file name {name[:80]!r} cannot be used.", "Rename it and choose the data again."
        ) from error
    return Path(*clean)


@dataclass
class Arrivals:
    """What has come in of one upload, over all its requests.

    Parameters
    ----------
    max_files, max_bytes
        Limits of the whole upload.
    """

    max_files: int
    max_bytes: int
    parts: dict[Path, dict[int, int]] = field(default_factory=dict)  # safe path -> offset -> bytes written
    names: dict[Path, str] = field(default_factory=dict)  # safe path -> name as sent
    announced: int = 0  # bytes in the headers so far, repeated frames included

    @property
    def files(self) -> int:
        """Files of which anything has come."""
        return len(self.parts)

    @property
    def bytes(self) -> int:
        """Bytes written, those of a frame that came twice once."""
        return sum(sum(parts.values()) for parts in self.parts.values())


class FrameWriter:
    """Writes frames under `folder` as their bytes arrive; close it when the stream ends.

    Parameters
    ----------
    folder
        Where the files go; must exist and hold nothing but what these writers put there.
    arrivals
        The record of the whole upload, which this writer continues.
    """

    def __init__(self, folder: Path, arrivals: Arrivals) -> None:
        self._folder, self._arrivals = folder, arrivals
        self._buffer = bytearray()
        self._header_bytes: int | None = None
        self._file = -1
        self._left = 0
        self._at: tuple[Path, int, int] = (Path(), 0, 0)

    def write(self, chunk: bytes) -> None:
        """Take the next bytes of the stream; raises UserError for what may not be stored."""
        self._buffer += chunk
        while self._step():
            pass

    def finish(self) -> None:
        """The stream is over; raises UserError when it broke off inside a frame."""
        if self._file >= 0 or self._buffer or self._header_bytes is not None:
            raise UserError("The upload broke off.", "Choose the data again.")

    def close(self) -> None:
        """Release the open file, if any."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _step(self) -> bool:
        """One move; False when more bytes are needed."""
        if self._file >= 0:
            return self._body()
        if self._header_bytes is None:
            if len(self._buffer) < 4:
                return False
            self._header_bytes = struct.unpack(">I", self._buffer[:4])[0]
            del self._buffer[:4]
            if self._header_bytes > MAX_HEADER:
                raise UserError("The upload is not in the expected form.", "Reload the page and choose the data again.")
        if len(self._buffer) < self._header_bytes:
            return False
        header, self._buffer = bytes(self._buffer[: self._header_bytes]), self._buffer[self._header_bytes :]
        self._header_bytes = None
        self._open(header)
        return True

    def _body(self) -> bool:
        take = min(self._left, len(self._buffer))
        if take:
            with memoryview(self._buffer) as view:
                written = os.write(self._file, view[:take])
            del self._buffer[:written]
            self._left -= written
        if self._left:
            return bool(self._buffer)
        self.close()
        path, offset, size = self._at
        self._arrivals.parts[path][offset] = size
        return True

    def _open(self, header: bytes) -> None:
        try:
            fields = json.loads(header)
            name, size, offset = str(fields["p"]), int(fields["n"]), int(fields.get("o", 0))
        except (ValueError, KeyError, TypeError, OverflowError) as error:
            raise UserError(
                "The upload is not in the expected form.", "Reload the page and choose the data again."
            ) from error
        path = safe_path(name)
        arrivals = self._arrivals
        if arrivals.names.setdefault(path, name) != name:
            raise UserError(
                f"Two files would both be called {path.as_posix()!r} here.",
                "Rename one of them and choose the data again.",
            )
        arrivals.announced += size
        if size < 0 or offset < 0 or max(arrivals.announced, offset + size) > arrivals.max_bytes:
            raise UserError(
                "The data is larger than allowed.", f"At most {arrivals.max_bytes / 2**30:.3g} GB can be uploaded."
            )
        arrivals.parts.setdefault(path, {})
        if arrivals.files > arrivals.max_files:
            raise UserError(
                "There are more files than allowed.", f"At most {arrivals.max_files:,} files can be uploaded."
            )
        self._at, self._left = (path, offset, size), size
        target = self._folder / path
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(
                target, os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0), 0o640
            )
        except (FileExistsError, NotADirectoryError, IsADirectoryError) as error:
            raise UserError(f"{path.as_posix()!r} is a file and a folder at once.", "Rename one of them.") from error
        os.lseek(self._file, offset, os.SEEK_SET)
