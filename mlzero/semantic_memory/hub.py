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
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from mlzero import config
from mlzero.files import size_of

VARIABLE = "PRETRAINED"  # names the cache to solutions
SECONDS = 2.0  # to find out whether the hub answers
SLOWEST = 1800.0  # seconds until a download is given up
STALLED = 60.0  # seconds without a byte
TOLD = 10.0  # seconds between two lines about progress
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
        self._partial = checkpoint.folder.with_name(f".{checkpoint.folder.name}.{os.getpid()}.{id(self)}")
        self._partial.mkdir(parents=True)
        self._log = self._partial.with_suffix(".log")
        known = ("PATH", "HOME", "LANG", "HF_ENDPOINT", "HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy", "SSL_CERT_FILE", "SYSTEMROOT")  # fmt: skip
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__, checkpoint.name, str(self._partial)], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env={name: os.environ[name] for name in known if name in os.environ} | {"HF_HUB_DISABLE_TELEMETRY": "1"},
            )  # fmt: skip
        show(f"Fetching pretrained weights from the model hub: {checkpoint.name}, {checkpoint.megabytes:,} MB, {checkpoint.licence}.")  # fmt: skip
        threading.Thread(target=self._watch, name="hub", daemon=True).start()

    def wait(self, seconds: float, stopped: Callable[[], bool]) -> None:
        """Until the weights are there; raises NotFetched when they do not come within `seconds`."""
        until = time.monotonic() + seconds
        while self._process.poll() is None and not stopped() and time.monotonic() < until:
            time.sleep(0.1)
        if self._process.poll() == 0:
            self._keep()
        if not self._checkpoint.ready:
            raise NotFetched(f"The pretrained weights {self._checkpoint.name} could not be fetched: {self._reason()}.")

    def end(self) -> None:
        """Stop fetching; what is not complete is thrown away."""
        self._process.kill()
        self._process.wait()
        shutil.rmtree(self._partial, ignore_errors=True)
        self._log.unlink(missing_ok=True)

    def _keep(self) -> None:
        with contextlib.suppress(OSError):  # another run was first
            self._partial.rename(self._checkpoint.folder)

    def _reason(self) -> str:
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
                self._process.kill()
            elif now - told > TOLD:
                told = now
                self._show(f"Fetching {self._checkpoint.name}: {size:,.0f} of {self._checkpoint.megabytes:,} MB.")

    def _megabytes(self) -> float:
        return size_of([self._partial]) / 2**20


class Downloads:
    """The weights that a run waits for; a context manager.

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
        for fetching in self._running.values():
            fetching.end()
        self._running.clear()


def download(name: str, folder: Path) -> None:
    """Fetch the files of `owner/name` into `folder`, in the form AutoGluon reads from there."""
    from huggingface_hub import snapshot_download

    snapshot_download(name, local_dir=folder, allow_patterns=list(FILES))
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


if __name__ == "__main__":
    try:
        download(sys.argv[1], Path(sys.argv[2]))
    except Exception as error:
        print(" ".join(str(error).split()) or type(error).__name__)
        sys.exit(1)
