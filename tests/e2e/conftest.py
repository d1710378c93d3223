"""A real server and a real browser."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip

expect.set_options(timeout=30_000)  # a busy machine draws slowly


class Server:
    """`streamlit run app.py` on a free port, with a home folder of its own."""

    def __init__(self, home: Path) -> None:
        self.home = home
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(self.port)]
        log = (self.home.parent / "server.log").open("ab")
        self.process = subprocess.Popen(
            command, cwd=ROOT, env={**os.environ, "MLZERO_HOME": str(self.home)}, stdout=log, stderr=log
        )
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=2)
                return
            except OSError:
                time.sleep(0.1)
        raise TimeoutError((self.home.parent / "server.log").read_text())

    def kill(self) -> None:
        """End it the hard way, as a power cut would."""
        assert self.process is not None
        self.process.kill()
        self.process.wait(20)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("e2e")
    made = Server(folder / "home")
    made.home.mkdir()
    made.start()
    yield made
    assert made.process is not None
    made.process.terminate()
    made.process.wait(30)


@pytest.fixture(scope="session")
def chrome() -> Iterator[Browser]:
    path = (
        os.environ.get("CHROMIUM")
        or shutil.which("chromium")
        or shutil.which("chromium-browser")
        or shutil.which("google-chrome")
    )
    if path is None:
        pytest.fail("No Chromium was found: install the package chromium, or name one in $CHROMIUM.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visitor(chrome: Browser) -> Iterator[BrowserContext]:
    """One person's browser."""
    context = chrome.new_context(viewport={"width": 1280, "height": 900})
    yield context
    context.close()


@pytest.fixture
def tab(visitor: BrowserContext, server: Server) -> Page:
    """A tab on the first page."""
    opened = visitor.new_page()
    opened.goto(server.url)
    return opened
