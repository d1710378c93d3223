"""Uploads straight to disk: the server side of the folder and file choosers.

A chooser announces what it is going to send (``begin``), sends frames in several requests at once,
and asks to ``finish``; only then are archives unpacked and the data put in its place.
"""

from __future__ import annotations

import contextlib
import logging
import shutil
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from mlzero.errors import UserError
from mlzero.ui import security
from mlzero.ui.tickets import Tickets
from mlzero.ui.upload_frames import Arrivals, FrameWriter

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import JSONResponse

log = logging.getLogger(__name__)

MAX_FILES = 200_000
MAX_BYTES = 20 * 2**30
LIFETIME = 12 * 3600.0  # seconds
SPARE = 2**30  # bytes of the disk that uploads leave free
PERCEPTION_WAIT = 120.0  # seconds to wait for an earlier reading of the same folder
FRAMES = "application/x-mlzero-frames"
NOT_STORED = "The server could not store the data. Choose it again; the server's log says why."
NOTHING = "Nothing is being uploaded. Choose the data again."

State = Literal["waiting", "receiving", "finishing", "complete", "failed"]


@dataclass
class Upload:
    """One place that takes files of one visitor.

    Parameters
    ----------
    open_place
        Called when the first file is on its way: gives the id and the folder of what takes the data.
    """

    open_place: Callable[[], tuple[str, Path]]
    state: State = "waiting"
    place: str | None = None
    add: bool = False  # to the data that is there already, instead of replacing it
    folder: Path | None = None  # holds `data/`, and another folder while files arrive
    expected_files: int = 0
    expected_bytes: int = 0
    arrivals: Arrivals = field(default_factory=lambda: Arrivals(MAX_FILES, MAX_BYTES))
    error: str = ""
    notes: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def active(self) -> bool:
        """Whether data is on its way."""
        return self.state in ("receiving", "finishing")

    @property
    def incoming(self) -> Path:
        """Where files arrive before they are laid out."""
        assert self.folder is not None
        return self.folder / "your upload"  # the name appears in sentences

    def begin(self, files: int, size: int, add: bool) -> None:
        """Make room; what was there stays when files are added, else it is replaced at the end."""
        if files < 1:
            raise UserError("There are no files in there.", "Choose a folder that holds your data.")
        if files > MAX_FILES:
            raise UserError(f"These are {files:,} files.", f"At most {MAX_FILES:,} files can be uploaded.")
        with self.lock:
            if self.folder is None:
                self.place, self.folder = self.open_place()
            free = shutil.disk_usage(self.folder).free - SPARE
            if size > min(MAX_BYTES, free):
                raise UserError(
                    f"The data has {size / 2**30:.1f} GB.",
                    f"There is room for {max(0, min(MAX_BYTES, free)) / 2**30:.1f} GB.",
                )
            shutil.rmtree(self.incoming, ignore_errors=True)
            self.incoming.mkdir()
            self.add = add
            self.arrivals = Arrivals(MAX_FILES, MAX_BYTES)
            self.expected_files, self.expected_bytes = files, size
            self.state, self.error, self.notes = "receiving", "", []

    def finish(self) -> None:
        """Check that everything arrived, unpack, and put it into `data`."""
        from mlzero.perception.unpack import lay_out

        with self.lock:
            if self.state != "receiving" or self.folder is None:
                raise UserError(NOTHING)
            if self.arrivals.files != self.expected_files or self.arrivals.bytes != self.expected_bytes:
                self.fail(
                    f"The data did not arrive in full: {self.arrivals.files:,} of {self.expected_files:,} files, "
                    f"{self.arrivals.bytes:,} of {self.expected_bytes:,} bytes. Choose it again."
                )
                raise UserError(self.error)
            self.state = "finishing"
            data, fresh = self.folder / "data", self.folder / "fresh"
            try:
                _forget_reading(self.folder)
                shutil.rmtree(fresh, ignore_errors=True)
                fresh.mkdir()
                self.notes = lay_out(_source(self.incoming), fresh)
                _put_in_place(fresh, data, add=self.add)
            except UserError as error:
                self.fail(str(error))
                raise
            except OSError as error:
                log.exception("laying out an upload")
                self.fail(NOT_STORED)
                raise UserError(NOT_STORED) from error
            finally:
                shutil.rmtree(self.incoming, ignore_errors=True)
                shutil.rmtree(fresh, ignore_errors=True)
            self.state = "complete"

    def fail(self, message: str) -> None:
        """Nothing more is expected; the message is for the person who sent the data."""
        self.state, self.error = "failed", message


def _source(incoming: Path) -> Path:
    """The one file that came, so that sentences can name it, or the folder."""
    entries = list(incoming.iterdir())
    return entries[0] if len(entries) == 1 and entries[0].is_file() else incoming


def _put_in_place(fresh: Path, data: Path, *, add: bool) -> None:
    if not add:
        old = data.with_name("old")
        shutil.rmtree(old, ignore_errors=True)
        data.rename(old)
        fresh.rename(data)
        shutil.rmtree(old)
        return
    for entry in sorted(fresh.iterdir()):
        target = data / entry.name
        if target.is_dir():
            shutil.rmtree(target)
        entry.replace(target)
    shutil.rmtree(fresh)


def _forget_reading(folder: Path) -> None:
    """Drop what was understood of earlier data, once nobody works on it any more."""
    reading = folder / "perception"
    deadline = time.monotonic() + PERCEPTION_WAIT
    while (reading / "working").exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    shutil.rmtree(reading, ignore_errors=True)


_uploads: Tickets[Upload] = Tickets(LIFETIME)


def new_upload(cookie: str, open_place: Callable[[], tuple[str, Path]]) -> tuple[str, Upload]:
    """A ticket, and the upload it stands for."""
    upload = Upload(open_place)
    return _uploads.issue(upload, cookie), upload


def _open(request: Request) -> Upload | None:
    return _uploads.open(request.path_params["ticket"], security.cookie_of(request.scope["headers"]))


def _answer(body: dict[str, Any], status: int = 200) -> JSONResponse:
    from starlette.responses import JSONResponse

    return JSONResponse(body, status, headers={"Cache-Control": "no-store"})


def _refused() -> JSONResponse:
    return _answer({"error": "This page is out of date. Reload it and choose the data again."}, 403)


async def begin(request: Request) -> JSONResponse:
    """``POST /api/upload/{ticket}/begin`` with JSON ``{files, bytes, add}``."""
    import anyio

    upload = _open(request)
    if upload is None:
        return _refused()
    try:
        wanted = await request.json()
        files, size, add = int(wanted["files"]), int(wanted["bytes"]), bool(wanted.get("add"))
    except (ValueError, KeyError, TypeError, OverflowError):
        return _answer({"error": "The upload is not in the expected form."}, 400)
    try:
        await anyio.to_thread.run_sync(upload.begin, files, size, add)
    except UserError as error:
        return _answer({"error": str(error)}, 413)
    return _answer({"place": upload.place})


async def receive(request: Request) -> JSONResponse:
    """``POST /api/upload/{ticket}`` with frames; several requests may run at once."""
    from starlette.requests import ClientDisconnect

    upload = _open(request)
    if upload is None:
        return _refused()
    if request.headers.get("content-type") != FRAMES:
        return _answer({"error": "The upload is not in the expected form."}, 415)
    if upload.state != "receiving":
        return _answer({"error": upload.error or NOTHING}, 409)
    writer = FrameWriter(upload.incoming, upload.arrivals)
    with contextlib.closing(writer):
        try:
            async for chunk in request.stream():
                writer.write(chunk)
            writer.finish()
        except UserError as error:
            upload.fail(str(error))
            return _answer({"error": str(error)}, 413 if "allowed" in error.message else 400)
        except ClientDisconnect:
            return _answer({"error": "The upload broke off. Choose the data again."}, 400)
        except OSError:
            log.exception("storing an upload")
            upload.fail(NOT_STORED)
            return _answer({"error": NOT_STORED}, 507)
    return _answer({"files": upload.arrivals.files})


async def finish(request: Request) -> JSONResponse:
    """``POST /api/upload/{ticket}/finish``: everything was sent."""
    import anyio

    upload = _open(request)
    if upload is None:
        return _refused()
    try:
        await anyio.to_thread.run_sync(upload.finish)
    except UserError as error:
        return _answer({"error": str(error)}, 422)
    return _answer({"place": upload.place, "notes": upload.notes})
