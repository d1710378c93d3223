"""Bring an upload into a run's data folder: archives unpacked, litter dropped, a single wrapping folder stripped."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import NoReturn

from mlzero.errors import UserError
from mlzero.perception import archives
from mlzero.perception.litter import LITTER_FOLDERS, is_litter

_LINK_BYTES = 16_000_000  # larger files are linked, not copied, where source and run share a disk
_DEPTH = 3  # archives within archives


@dataclass
class _Tally:
    litter: int = 0
    notes: list[str] = field(default_factory=list)


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
    try:
        if source.is_dir():
            _copy_folder(source, into, tally)
        elif archives.is_archive(source.name):
            _unpack(source, into, source.name, tally)
        else:
            _take(source, into / archives.readable(source.name))
    except OSError as error:
        raise _not_copied(error, source) from error
    _unpack_inner(into, tally, _DEPTH)
    _strip_wrapping(into, tally)
    if not any(path.is_file() for path in into.rglob("*")):
        raise UserError(
            f"There are no files in {source.name or source}.", "Choose a folder, file or archive that holds data."
        )
    if tally.litter:
        tally.notes.append(f"{tally.litter} file{'s' if tally.litter > 1 else ''} of the operating system left out.")
    return tally.notes


def _not_copied(error: OSError, source: Path) -> UserError:
    if error.errno in archives.FULL:
        return UserError("There is not enough disk space for the data.", "Free some space or give less data.")
    name = archives.readable(Path(error.filename).name) if error.filename else source.name
    return UserError(
        f"{name} cannot be read: {error.strerror or error}.", "Make it readable, or take it out of the data."
    )


def _refuse(error: OSError) -> NoReturn:
    raise error


def _copy_folder(source: Path, into: Path, tally: _Tally) -> None:
    for folder, folders, files in os.walk(source, onerror=_refuse):  # links to folders are not followed
        below = Path(folder).relative_to(source)
        folders[:] = sorted(
            name for name in folders
            if name.lower() not in LITTER_FOLDERS and not (Path(folder) / name).is_symlink()
            and not _of_a_run(Path(folder) / name, into, tally)
        )  # fmt: skip
        for name in sorted(files):
            path = Path(folder) / name
            if is_litter(PurePosixPath((below / name).as_posix())):
                tally.litter += 1
            elif path.is_file() and _inside(path, source, tally):
                _take(path, into / archives.readable(str(below / name)))


def _of_a_run(folder: Path, into: Path, tally: _Tally) -> bool:
    """Whether a folder holds what a run left, or is about to take the copy."""
    if into.resolve().is_relative_to(folder.resolve()):
        return True
    if (folder / "run.json").is_file() and (folder / "data").is_dir():
        tally.notes.append(f"{folder.name} holds the results of a run and was left out.")
        return True
    return False


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
    found = sorted(path for path in folder.rglob("*") if path.is_file() and archives.is_archive(path.name))
    for path in found if depth else []:
        alone = sum(1 for other in path.parent.iterdir()) == 1
        target = path.parent if alone else _free(path.parent / archives.stem_of(path.name))
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


def _free(path: Path) -> Path:
    number = 1
    free = path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.name}_{number}")
    return free


def _strip_wrapping(folder: Path, tally: _Tally, quiet: bool = False) -> None:
    """Lift the content of a folder that holds nothing but one folder."""
    lifted: list[str] = []
    while True:
        entries = list(folder.iterdir())
        if len(entries) != 1 or not entries[0].is_dir():
            break
        inner = entries[0].rename(folder / ".mlzero-lifting")
        for entry in list(inner.iterdir()):
            entry.rename(folder / entry.name)
        inner.rmdir()
        lifted.append(entries[0].name)
    if lifted and not quiet:
        more = f" and {len(lifted) - 1} more inside it" if len(lifted) > 1 else ""
        tally.notes.append(f"The wrapping folder {lifted[0]!r}{more} was left out.")


def _unpack(archive: Path, into: Path, name: str, tally: _Tally) -> None:
    count, litter = archives.unpack(archive, into, name)
    tally.litter += litter
    tally.notes.append(f"{name} was unpacked: {count} file{'s' if count != 1 else ''}.")
