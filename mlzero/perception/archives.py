"""Open archives safely: no path out of their folder, no links, no bombs, no litter."""

from __future__ import annotations

import errno
import lzma
import shutil
import stat
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING

from mlzero.errors import UserError
from mlzero.perception.litter import is_litter

if TYPE_CHECKING:
    import rarfile

ENDINGS = (
    ".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz", ".tar.zst", ".tzst", ".7z", ".rar",
)  # fmt: skip
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # errors that mean no room on the disk
_MOST_ENTRIES = 1_000_000
_MOST_RATIO = 200  # unpacked bytes a packed byte; beyond it and _BOMB_BYTES an archive is a bomb
_BOMB_BYTES = 1 << 30
_SPARE_BYTES = 1 << 28  # of the disk, that stay free
_CHUNK = 1 << 20
_MARKS = {b"7z\xbc\xaf\x27\x1c": "7z", b"Rar!\x1a\x07": "rar", b"\x28\xb5\x2f\xfd": "zst"}  # first bytes

Entry = tuple[str, IO[bytes]]  # path in the archive, and the open file


def is_archive(name: str) -> bool:
    """Whether a file is called as an archive."""
    return name.lower().endswith(ENDINGS)


def stem_of(name: str) -> str:
    """The name without the ending of an archive."""
    ending = next(ending for ending in sorted(ENDINGS, key=len, reverse=True) if name.lower().endswith(ending))
    return name[: -len(ending)] or "archive"


def readable(name: str) -> str:
    """A name as text that can be written; bytes of old encodings, which Python carries as lone surrogates, become letters."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        pass
    else:
        return name
    try:
        return name.encode("utf-8", "surrogateescape").decode("cp1252", "replace")
    except UnicodeEncodeError:
        return name.encode("utf-8", "replace").decode("utf-8")


def unpack(archive: Path, into: Path, name: str) -> tuple[int, int]:
    """Write the files of an archive below the folder `into`; returns how many, and how many were litter.

    Parameters
    ----------
    name
        What people call the archive.

    Raises
    ------
    UserError
        When it is broken, locked, far too large, or tries to write outside the folder.
    """
    import rarfile
    import zstandard
    from py7zr.exceptions import ArchiveError

    into.mkdir(parents=True, exist_ok=True)
    try:
        with _entries(archive, into, name) as entries:
            return _write(entries, archive, into, name)
    except rarfile.RarCannotExec as error:
        raise UserError(
            f"{name} is packed as RAR, which cannot be opened here.", "Pack the folder again as a zip file."
        ) from error
    except (
        zipfile.BadZipFile, zlib.error, lzma.LZMAError, tarfile.TarError, rarfile.Error, ArchiveError, zstandard.ZstdError,
        EOFError, OSError, ValueError, RuntimeError, LookupError, TypeError,
    ) as error:  # fmt: skip
        if isinstance(error, OSError) and error.errno in FULL:
            raise _no_room(name) from error
        if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:
            raise UserError(
                f"{name} holds a file whose name is too long.", "Shorten the name and pack again."
            ) from error
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UserError(
            f"{name} is damaged or packed in an unknown way ({reason}).", "Pack the folder again as a zip file."
        ) from error


@contextmanager
def _entries(archive: Path, into: Path, name: str) -> Iterator[Iterator[Entry]]:
    """The files of an archive, one after the other."""
    with archive.open("rb") as file:
        start = file.read(8)
    packing = next((packing for mark, packing in _MARKS.items() if start.startswith(mark)), "")
    if packing == "7z":
        with tempfile.TemporaryDirectory(dir=into, prefix=".mlzero-") as folder:
            yield _of_7z(archive, Path(folder), name)
    elif packing == "rar":
        import rarfile

        with rarfile.RarFile(archive) as rar:
            yield _of_rar(rar, name)
    elif packing == "zst":
        import zstandard

        with zstandard.open(archive, "rb") as unpacked, tarfile.open(fileobj=unpacked, mode="r|") as tar:
            yield _of_tar(tar)
    elif zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as zipped:
            yield _of_zip(zipped, name)
    elif tarfile.is_tarfile(archive):
        with tarfile.open(archive) as tar:
            yield _of_tar(tar)
    else:
        raise UserError(f"{name} is no archive that can be opened.", "Pack the folder again as a zip file.")


def _of_zip(opened: zipfile.ZipFile, name: str) -> Iterator[Entry]:
    for info in opened.infolist():
        if info.is_dir() or stat.S_ISLNK(info.external_attr >> 16):
            continue
        if info.flag_bits & 0x1:
            raise _locked(name)
        with opened.open(info) as content:
            yield _zip_name(info), content


def _zip_name(info: zipfile.ZipInfo) -> str:
    """The entry's name; programs that do not say so often write UTF-8 all the same."""
    if info.flag_bits & 0x800:
        return info.filename
    try:
        return info.filename.encode("cp437").decode("utf-8")
    except (UnicodeEncodeError, UnicodeDecodeError):
        return info.filename


def _of_tar(opened: tarfile.TarFile) -> Iterator[Entry]:
    for info in opened:
        if info.isfile() and (content := opened.extractfile(info)) is not None:
            with content:
                yield info.name, content


def _of_rar(opened: rarfile.RarFile, name: str) -> Iterator[Entry]:
    if opened.needs_password():
        raise _locked(name)
    for info in opened.infolist():
        if info.is_file():
            with opened.open(info) as content:
                yield info.filename, content


def _of_7z(archive: Path, folder: Path, name: str) -> Iterator[Entry]:
    """The library only writes whole folders: what its list says is checked before, and what came out is passed on."""
    import py7zr

    with py7zr.SevenZipFile(archive) as opened:
        if opened.needs_password():
            raise _locked(name)
        listed = [entry for entry in opened.list() if not entry.is_directory]
        for entry in listed:
            _safe(entry.filename, name)
        _check_size(sum(entry.uncompressed for entry in listed), len(listed), archive, folder, name)
        opened.extractall(folder)
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as content:
                yield path.relative_to(folder).as_posix(), content


def _no_room(name: str) -> UserError:
    return UserError(f"There is not enough disk space to unpack {name}.", "Free some space or upload less data.")


def _locked(name: str) -> UserError:
    return UserError(f"{name} is locked with a password.", "Pack the folder again without a password.")


def _write(entries: Iterator[Entry], archive: Path, into: Path, name: str) -> tuple[int, int]:
    """Write the entries below `into`, counting what really comes out."""
    written = count = litter = 0
    for seen, (entry, content) in enumerate(entries, 1):
        relative = _safe(entry, name)
        if is_litter(relative):
            litter += 1
            continue
        target = into.joinpath(*relative.parts)
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as file:
            while chunk := content.read(_CHUNK):
                written += len(chunk)
                _check_size(written, seen, archive, into, name)
                file.write(chunk)
        count += 1
    return count, litter


def _check_size(written: int, count: int, archive: Path, into: Path, name: str) -> None:
    """Raises UserError for more than a data set would unpack to, or than there is room for."""
    packed = max(1, archive.stat().st_size)
    if (written > _BOMB_BYTES and written > _MOST_RATIO * packed) or count > _MOST_ENTRIES:
        raise UserError(f"{name} unpacks to far more than a data set would.", "Upload the files themselves.")
    if shutil.disk_usage(into).free < _SPARE_BYTES:
        raise _no_room(name)


def _safe(entry: str, name: str) -> PurePosixPath:
    """The entry's path, refused when it would leave the folder."""
    relative = PurePosixPath(readable(entry).replace("\\", "/"))
    if (
        relative.is_absolute()
        or ".." in relative.parts
        or any(":" in part for part in relative.parts[:1])
        or not relative.parts
    ):
        raise UserError(f"{name} holds the path {entry!r}, which leads out of its folder.", "Pack the folder again.")
    return relative
