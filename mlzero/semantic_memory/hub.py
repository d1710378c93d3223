"""Pretrained weights of a model hub: fetched by the application into its cache, which sandboxes can read.

python -m mlzero.semantic_memory.hub NAME FOLDER    # what `Fetching` starts, apart and without keys
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from mlzero import config, processes
from mlzero.files import size_of

VARIABLE = "PRETRAINED"  # names the cache to solutions
SECONDS = 2.0  # to find out whether the hub answers
SLOWEST = 1800.0  # seconds until a download is given up
STALLED = 60.0  # seconds without a byte
TOLD = 10.0  # seconds between two lines about progress
QUIET = {"HF_HUB_DISABLE_TELEMETRY": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
FILES = ("*.json", "*.txt", "*.model", "model.safetensors")  # no pickles: they could hold programs


class NotFetched(Exception):
    """Weights did not come; the text is a sentence that says why."""


@dataclass(frozen=True)
class Checkpoint:
    """Weights on the hub."""

    name: str  # "owner/name"
    megabytes: int
    licence: str

    @property
    def folder(self) -> Path:
        """Where they are kept; complete as soon as it is there."""
        return cache() / self.name.replace("/", "--")

    @property
    def ready(self) -> bool:
        return self.folder.is_dir()

    @property
    def available(self) -> bool:
        """Whether they are here or could be fetched."""
        return self.ready or reachable(endpoint())


def cache() -> Path:
    return config.home() / "weights"


def endpoint() -> str:
    """The address of the hub: `$HF_ENDPOINT`, else the public one; empty where `$HF_HUB_OFFLINE` forbids it."""
    if os.environ.get("HF_HUB_OFFLINE", "0").lower() in ("1", "true", "yes", "on"):
        return ""
    return os.environ.get("HF_ENDPOINT") or "https://huggingface.co"


@functools.cache
def reachable(address: str) -> bool:
    """Whether the hub takes a connection within two seconds; found out once."""
    parts = urlsplit(address)
    if not parts.hostname:
        return False
    port = parts.port or (443 if parts.scheme == "https" else 80)

    def connect() -> bool:
        with socket.create_connection((parts.hostname or "", port), timeout=SECONDS):
            return True

    pool = ThreadPoolExecutor(1)  # looking a name up knows no time limit of its own
    try:
        return pool.submit(connect).result(SECONDS)
    except (OSError, TimeoutError):
        return False
    finally:
        pool.shutdown(wait=False)


class Fetching:
    """Weights on their way into the cache, in a process of its own."""

    def __init__(self, checkpoint: Checkpoint, show: Callable[[str], None]) -> None:
        self._checkpoint, self._show = checkpoint, show
        self._given_up = ""  # why
        _forget_old()
        self._partial = checkpoint.folder.with_name(f".{checkpoint.folder.name}.{uuid.uuid4().hex}")
        self._log = self._partial.with_name(f"{self._partial.name}.log")
        try:
            self._partial.mkdir(parents=True)
            self._process = self._start()
        except OSError as error:
            shutil.rmtree(self._partial, ignore_errors=True)
            why = f"{error.strerror or error}: {cache()}"
            raise NotFetched(f"The pretrained weights {checkpoint.name} could not be fetched: {why}.") from error
        show(f"Fetching pretrained weights from the model hub: {checkpoint.name}, {checkpoint.megabytes:,} MB, {checkpoint.licence}.")  # fmt: skip
        threading.Thread(target=self._watch, name="hub", daemon=True).start()

    def _start(self) -> subprocess.Popen[bytes]:
        """The process that fetches. It ends itself when its standard input does, which is when this process ends."""
        known = ("PATH", "HOME", "LANG", "HF_ENDPOINT", "HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy", "SSL_CERT_FILE", "SYSTEMROOT")  # fmt: skip
        with self._log.open("wb") as log:
            return subprocess.Popen(
                [sys.executable, "-m", __name__, self._checkpoint.name, str(self._partial)], stdin=subprocess.PIPE, stdout=log, stderr=log,
                env={name: os.environ[name] for name in known if name in os.environ} | QUIET,
            )  # fmt: skip

    def wait(self, seconds: float, stopped: Callable[[], bool]) -> None:
        """Until the weights are there; raises NotFetched when they do not come within `seconds`."""
        until = time.monotonic() + seconds
        while self._process.poll() is None and not stopped() and time.monotonic() < until:
            time.sleep(0.1)
        if self._process.poll() == 0:
            self._keep()
        elif stopped():
            self._given_up = "the run was stopped"
        if not self._checkpoint.ready:
            raise NotFetched(f"The pretrained weights {self._checkpoint.name} could not be fetched: {self._reason()}.")

    def end(self) -> None:
        """Stop fetching; what is not complete is thrown away."""
        self._process.kill()
        self._process.wait()
        assert self._process.stdin is not None
        self._process.stdin.close()
        shutil.rmtree(self._partial, ignore_errors=True)
        self._log.unlink(missing_ok=True)

    def _keep(self) -> None:
        with contextlib.suppress(OSError):  # another run was first
            self._partial.rename(self._checkpoint.folder)

    def _reason(self) -> str:
        if self._given_up:
            return self._given_up
        if self._process.poll() is None:
            return f"{self._megabytes():,.0f} of {self._checkpoint.megabytes:,} MB came in the time there was"
        lines = self._log.read_text(encoding="utf-8", errors="replace").split("\n") if self._log.exists() else []
        return next(
            (line.strip()[:200].rstrip(".") for line in reversed(lines) if line.strip()), "the download was ended"
        )

    def _watch(self) -> None:
        """Tell how far the download is, and end one that stands still."""
        begun = moved = time.monotonic()
        before, told = 0.0, begun
        while self._process.poll() is None:
            time.sleep(0.5)
            now, size = time.monotonic(), self._megabytes()
            if size > before:
                before, moved = size, now
            if now - moved > STALLED or now - begun > SLOWEST:
                late = f"nothing came for {STALLED:.0f} seconds" if now - moved > STALLED else "it took too long"
                self._given_up = late
                self._process.kill()
            elif now - told > TOLD:
                told = now
                self._show(f"Fetching {self._checkpoint.name}: {size:,.0f} of {self._checkpoint.megabytes:,} MB.")

    def _megabytes(self) -> float:
        return size_of([self._partial]) / 2**20


def _forget_old() -> None:
    """Remove what downloads left that a failing machine ended."""
    for path in cache().glob(".*"):
        with contextlib.suppress(OSError):
            if path.stat().st_mtime < time.time() - 2 * SLOWEST:
                shutil.rmtree(path) if path.is_dir() else path.unlink()


class Downloads:
    """The weights that a run waits for.

    Parameters
    ----------
    show
        Called with sentences about what is fetched and how far it is.
    """

    def __init__(self, show: Callable[[str], None]) -> None:
        self._show = show
        self._running: dict[str, Fetching] = {}

    def begin(self, checkpoint: Checkpoint) -> None:
        """Fetch these weights while something else goes on, unless they are here."""
        if not checkpoint.ready and checkpoint.name not in self._running:
            self._running[checkpoint.name] = Fetching(checkpoint, self._show)

    def wait(self, checkpoint: Checkpoint, seconds: float, stopped: Callable[[], bool]) -> None:
        """Until these weights are here; raises NotFetched when they do not come within `seconds`."""
        if not checkpoint.ready:
            self.begin(checkpoint)
            self._running[checkpoint.name].wait(seconds, stopped)

    def close(self) -> None:
        """End what is still under way."""
        for fetching in self._running.values():
            fetching.end()
        self._running.clear()


def download(name: str, folder: Path) -> None:
    """Fetch the files of `owner/name` into `folder`, in the form AutoGluon reads from there."""
    from huggingface_hub import snapshot_download

    snapshot_download(name, local_dir=folder, allow_patterns=list(FILES), token=False)  # nor a key that lies in a file
    shutil.rmtree(folder / ".cache", ignore_errors=True)
    if not (folder / "model.safetensors").is_file():
        raise FileNotFoundError(f"{name} has no file model.safetensors")
    settings = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    if "architecture" in settings:
        _without_classifier(folder, settings.get("pretrained_cfg", settings).get("classifier", "classifier"))


def _without_classifier(folder: Path, classifier: str) -> None:
    """Weights of timm as AutoGluon wants them: as `pytorch_model.bin`, without the layer for the classes of old."""
    import torch
    from safetensors.torch import load_file

    weights = load_file(folder / "model.safetensors")
    kept = {key: value for key, value in weights.items() if not key.startswith(f"{classifier}.")}
    torch.save(kept, folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()


def _leave_nothing(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.with_name(f"{folder.name}.log").unlink(missing_ok=True)


if __name__ == "__main__":
    processes.end_with_parent(lambda: _leave_nothing(Path(sys.argv[2])))
    try:
        download(sys.argv[1], Path(sys.argv[2]))
    except Exception as error:
        print(" ".join(str(error).split()) or type(error).__name__)
        sys.exit(1)
