"""Unpack a predictor, and only a predictor."""

from __future__ import annotations

import shutil
import stat
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from mlzero.errors import UserError

NEEDED = ("contract.json", "predict.py", "solution.py")
DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    RuntimeError,
    NotImplementedError,
    FileExistsError,
    NotADirectoryError,
)
RATIO = 300  # times its packed size that a predictor may have unpacked,
FREE = 2 * 10**9  # bytes, where it is larger than this


def unpack(archive: Path, folder: Path) -> None:
    """Unpack `predictor.zip` into `folder`; a single folder around everything is taken off.

    Raises
    ------
    UserError
        When it is no zip, damaged, not made by MLZero, or holds members that would be written elsewhere.
    """
    try:
        with zipfile.ZipFile(archive) as members:
            infos = [info for info in members.infolist() if not info.is_dir()]
            around = _around({info.filename for info in infos}, archive.name)
            _check_size(infos, archive)
            for info in infos:
                path = _safe(info, archive.name)
                if not info.filename.startswith(around):
                    continue  # what systems put beside a folder they pack
                target = folder / path.relative_to(around)
                target.parent.mkdir(parents=True, exist_ok=True)
                with members.open(info) as source, target.open("xb") as file:
                    shutil.copyfileobj(source, file, 1 << 20)
    except DAMAGED as error:
        raise UserError(f"{archive.name} is damaged: {error}.", "Download the predictor again.") from error


def _around(names: set[str], archive: str) -> str:
    """The folder in the zip that holds the predictor, with its slash; empty when it is at the top."""
    for around in ["", *sorted({name.split("/")[0] + "/" for name in names if "/" in name})]:
        if all(around + name in names for name in NEEDED):
            return around
    raise UserError(f"{archive} is not a predictor made by MLZero.", "Give the predictor.zip of a run.")


def _safe(info: zipfile.ZipInfo, archive: str) -> PurePosixPath:
    path = PurePosixPath(info.filename)
    kind = stat.S_IFMT(info.external_attr >> 16)
    unsafe = path.is_absolute() or ".." in path.parts or "\\" in info.filename or ":" in info.filename
    if unsafe or not path.parts or (kind and not stat.S_ISREG(kind)):
        raise UserError(
            f"{archive} is not safe to unpack: {info.filename} would be written outside of its folder.",
            "Use a predictor.zip made by MLZero.",
        )
    return path


def _check_size(infos: list[zipfile.ZipInfo], archive: Path) -> None:
    total, packed = sum(info.file_size for info in infos), archive.stat().st_size
    if total > FREE and total > RATIO * packed:
        raise UserError(
            f"{archive.name} is not safe to unpack: {packed / 1e6:.1f} MB would become {total / 1e9:.1f} GB.",
            "Use a predictor.zip made by MLZero.",
        )
