"""Bring an upload into a run's data folder: archives unpacked, litter dropped, a single wrapping folder stripped."""

from __future__ import annotations

import os
import shutil
import stat
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO

from mlzero.errors import UserError

_LITTER_FILES = {
    ".ds_store",
    "thumbs.db",
    "desktop.ini",
    ".localized",
    "icon\r",
    ".gitkeep",
    ".gitignore",
    ".gitattributes",
}
_LITTER_FOLDERS = {
    "__macosx",
    ".git",
    ".ipynb_checkpoints",
    "__pycache__",
    ".idea",
    ".vscode",
    "$recycle.bin",
    ".trashes",
    ".svn",
}
_ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
_LINK_BYTES = 16_000_000  # larger files are linked, not copied, where source and run share a disk
_MOST_ENTRIES = 1_000_000
_MOST_RATIO = 200  # unpacked bytes a packed byte; beyond it and _BOMB_BYTES an archive is a bomb
_BOMB_BYTES = 1 << 30
_CHUNK = 1 << 20
_DEPTH = 3  # archives within archives


@dataclass
class _Tally:
    litter: int = 0
    notes: list[str] = field(default_factory=list)


def is_archive(name: str) -> bool:
    return name.lower().endswith(_ARCHIVES)


def is_litter(relative: PurePosixPath) -> bool:
    """Whether a path is something an operating system or editor left behind."""
    parts = [part.lower() for part in relative.parts]
    return (
        parts[-1] in _LITTER_FILES
        or parts[-1].startswith(("._", "~$", ".~lock."))
        or any(part in _LITTER_FOLDERS for part in parts)
    )


def lay_out(source: Path, into: Path) -> list[str]:
    """Copy a folder, file or archive into the folder `into`.

    Returns
    -------
    list of str
        What was unpacked, dropped or stripped, one sentence each.

    Raises
    ------
    UserError
        When there is nothing to copy, or an archive is broken, locked, or tries to write outside its folder.
    """
    into.mkdir(parents=True, exist_ok=True)
    tally = _Tally()
    if source.is_dir():
        _copy_folder(source, into, tally)
    elif is_archive(source.name):
        _unpack(source, into, source.name, tally)
    else:
        _take(source, into / source.name)
    _unpack_inner(into, tally, _DEPTH)
    _strip_wrapping(into, tally)
    if not any(path.is_file() for path in into.rglob("*")):
        raise UserError(
            f"There are no files in {source.name or source}.", "Choose a folder, file or archive that holds data."
        )
    if tally.litter:
        tally.notes.append(f"{tally.litter} file{'s' if tally.litter > 1 else ''} of the operating system left out.")
    return tally.notes


def _copy_folder(source: Path, into: Path, tally: _Tally) -> None:
    for folder, folders, files in os.walk(source):  # links to folders are not followed
        below = Path(folder).relative_to(source)
        folders[:] = sorted(
            name for name in folders if name.lower() not in _LITTER_FOLDERS and not (Path(folder) / name).is_symlink()
        )
        for name in sorted(files):
            path = Path(folder) / name
            if is_litter(PurePosixPath((below / name).as_posix())):
                tally.litter += 1
            elif path.is_file() and _inside(path, source, tally):
                _take(path, into / below / name)


def _inside(path: Path, root: Path, tally: _Tally) -> bool:
    """Whether a path is no link that leads out of the upload."""
    if not path.is_symlink() or path.resolve().is_relative_to(root.resolve()):
        return True
    tally.notes.append(f"{path.name} is a link to somewhere else and was left out.")
    return False


def _take(path: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if path.stat().st_size > _LINK_BYTES:
        try:
            os.link(path.resolve(), target)
            return
        except OSError:
            pass  # another disk
    shutil.copyfile(path, target)


def _unpack_inner(folder: Path, tally: _Tally, depth: int) -> None:
    """Replace archives in the folder by their content, each in a folder of its name unless it stands alone."""
    found = sorted(path for path in folder.rglob("*") if path.is_file() and is_archive(path.name))
    for path in found if depth else []:
        alone = sum(1 for other in path.parent.iterdir()) == 1
        target = path.parent if alone else _free(path.parent / _stem(path.name))
        packed = path.rename(path.with_name(f".{path.name}.packed"))
        try:
            _unpack(packed, target, path.name, tally)
        except UserError as error:  # the rest of the upload may do
            tally.notes.append(f"{error.message} It was left out.")
            if not alone:
                shutil.rmtree(target, ignore_errors=True)
            continue
        finally:
            packed.unlink()
        if not alone:
            _strip_wrapping(target, tally, quiet=True)
        _unpack_inner(target, tally, depth - 1)


def _stem(name: str) -> str:
    ending = next(ending for ending in sorted(_ARCHIVES, key=len, reverse=True) if name.lower().endswith(ending))
    return name[: -len(ending)] or "archive"


def _free(path: Path) -> Path:
    number = 1
    free = path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.name}_{number}")
    return free


def _strip_wrapping(folder: Path, tally: _Tally, quiet: bool = False) -> None:
    """Lift the content of a folder that holds nothing but one folder."""
    while True:
        entries = list(folder.iterdir())
        if len(entries) != 1 or not entries[0].is_dir():
            return
        inner = entries[0].rename(folder / ".mlzero-lifting")
        for entry in list(inner.iterdir()):
            entry.rename(folder / entry.name)
        inner.rmdir()
        if not quiet:
            tally.notes.append(f"The wrapping folder {entries[0].name!r} was left out.")


def _unpack(archive: Path, into: Path, name: str, tally: _Tally) -> None:
    into.mkdir(parents=True, exist_ok=True)
    try:
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as opened:
                count = _write(_zip_entries(opened, name), archive, into, name, tally)
        elif tarfile.is_tarfile(archive):
            with tarfile.open(archive) as opened:
                count = _write(_tar_entries(opened, name, tally), archive, into, name, tally)
        else:
            raise UserError(f"{name} is no archive that can be opened.", "Pack the folder again as a zip file.")
    except (zipfile.BadZipFile, tarfile.TarError, EOFError, OSError, NotImplementedError) as error:
        raise UserError(
            f"{name} is damaged or packed in an unknown way ({error}).", "Pack the folder again as a zip file."
        ) from error
    tally.notes.append(f"{name} was unpacked: {count} file{'s' if count != 1 else ''}.")


Entry = tuple[str, int, IO[bytes]]


def _zip_entries(opened: zipfile.ZipFile, name: str) -> Iterator[Entry]:
    for info in opened.infolist():
        if info.is_dir() or stat.S_ISLNK(info.external_attr >> 16):
            continue
        if info.flag_bits & 0x1:
            raise UserError(f"{name} is locked with a password.", "Pack the folder again without a password.")
        with opened.open(info) as content:
            yield _zip_name(info), info.file_size, content


def _zip_name(info: zipfile.ZipInfo) -> str:
    """The entry's name; programs that do not say so often write UTF-8 all the same."""
    if info.flag_bits & 0x800:
        return info.filename
    try:
        return info.filename.encode("cp437").decode("utf-8")
    except (UnicodeEncodeError, UnicodeDecodeError):
        return info.filename


def _tar_entries(opened: tarfile.TarFile, name: str, tally: _Tally) -> Iterator[Entry]:
    for info in opened:
        if info.isfile() and (content := opened.extractfile(info)) is not None:
            with content:
                yield info.name, info.size, content


def _write(entries: Iterator[Entry], archive: Path, into: Path, name: str, tally: _Tally) -> int:
    """Write the entries below `into`, counting what really comes out."""
    packed = max(1, archive.stat().st_size)
    room = shutil.disk_usage(into).free - (1 << 28)
    written = count = seen = 0
    for entry, _, content in entries:
        seen += 1
        relative = _safe(entry, name)
        if is_litter(relative):
            tally.litter += 1
            continue
        target = into.joinpath(*relative.parts)
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("wb") as file:
            while chunk := content.read(_CHUNK):
                written += len(chunk)
                if (written > _BOMB_BYTES and written > _MOST_RATIO * packed) or seen > _MOST_ENTRIES:
                    raise UserError(
                        f"{name} unpacks to far more than a data set would.", "Upload the files themselves."
                    )
                if written > room:
                    raise UserError(
                        f"There is not enough disk space to unpack {name}.", "Free some space or upload less data."
                    )
                file.write(chunk)
        count += 1
    return count


def _safe(entry: str, name: str) -> PurePosixPath:
    """The entry's path, refused when it would leave the folder."""
    relative = PurePosixPath(entry.replace("\\", "/"))
    if (
        relative.is_absolute()
        or ".." in relative.parts
        or any(":" in part for part in relative.parts[:1])
        or not relative.parts
    ):
        raise UserError(f"{name} holds the path {entry!r}, which leads out of its folder.", "Pack the folder again.")
    return relative
