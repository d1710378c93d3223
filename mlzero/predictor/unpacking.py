"""From a `predictor.zip` to its folder: unpacked once, and only when it is a predictor."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import tempfile
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from mlzero import config
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
KEPT = 5  # unpacked predictors in the cache


def opened(path: Path) -> Path:
    """The folder of a predictor; a zip is unpacked once into the cache. Raises UserError."""
    path = path.expanduser().resolve()
    if path.is_dir():
        if not all((path / name).is_file() for name in NEEDED):
            raise UserError(
                f"{path.name} is not a predictor made by MLZero.",
                "Give the predictor.zip of a run, or its unpacked folder.",
            )
        return path
    if not path.is_file():
        raise UserError(f"There is no predictor at {path}.", "Give the predictor.zip of a run, or its unpacked folder.")
    if not zipfile.is_zipfile(path):
        raise UserError(f"{path.name} is no zip file, or it is damaged.", "Give the predictor.zip of a run.")
    cache = config.home() / "cache" / "predictors"
    folder = cache / _digest(path)
    if not folder.is_dir():
        cache.mkdir(parents=True, exist_ok=True)
        partial = Path(tempfile.mkdtemp(prefix="part-", dir=cache))
        try:
            unpack(path, partial)
            if not folder.is_dir():
                partial.rename(folder)
        except OSError as error:
            if not folder.is_dir():  # nobody else unpacked it at the same time
                raise UserError(
                    f"{path.name} could not be unpacked: {error.strerror or error}.",
                    "Make room on the disk and try again.",
                ) from error
        finally:
            shutil.rmtree(partial, ignore_errors=True)
        _forget_old(cache, folder)
    os.utime(folder)
    return folder


def _forget_old(cache: Path, keep: Path) -> None:
    """Only the predictors used last stay unpacked."""
    used = sorted(
        (p for p in cache.iterdir() if p != keep and not p.name.startswith("part-")), key=lambda p: -p.stat().st_mtime
    )
    for folder in used[KEPT - 1 :]:
        shutil.rmtree(folder, ignore_errors=True)


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


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()[:32]
