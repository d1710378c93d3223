"""What only a browser can show, without training anything."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Route, expect

from .conftest import Server

pytestmark = pytest.mark.e2e

FOLDER = ".st-key-upload input[type=file]"


@pytest.fixture
def many_files(tmp_path: Path) -> Path:
    """More files than a browser page could hold in memory one by one."""
    folder = tmp_path / "readings"
    for number in range(1200):
        path = folder / f"day_{number % 7}" / f"sensor_{number}.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"time,value\n1,{number}\n")
    (folder / "large.bin").write_bytes(bytes(40_000_000))  # sent in parts
    return folder


def drafts(server: Server) -> set[Path]:
    return set((server.home / "runs").glob("*"))


def test_a_large_folder_arrives_completely(tab: Page, server: Server, many_files: Path) -> None:
    before = drafts(server)
    tab.locator(FOLDER).set_input_files(many_files)
    expect(tab.locator(".st-key-holdings")).to_contain_text("1,201 files", timeout=60_000)
    (draft,) = drafts(server) - before
    sent = {p.relative_to(many_files): p.stat().st_size for p in many_files.rglob("*") if p.is_file()}
    assert {p.relative_to(draft / "data"): p.stat().st_size for p in (draft / "data").rglob("*") if p.is_file()} == sent


def test_the_address_of_a_page_opens_it_whole_before_anybody_saw_the_first_page(
    visitor: BrowserContext, tmp_path: Path
) -> None:
    fresh = Server(tmp_path / "home")
    fresh.home.mkdir()
    fresh.start()
    try:
        tab = visitor.new_page()
        tab.goto(f"{fresh.url}/history")
        expect(tab.get_by_text("Nothing has been started yet.")).to_be_visible()
        expect(tab.get_by_role("link", name="New run", exact=True)).to_be_visible()
        expect(tab.locator("[data-testid=stSidebarNav]")).to_have_count(0)
    finally:
        fresh.kill()


def test_files_are_added_and_a_folder_replaces(tab: Page, tmp_path: Path) -> None:
    for name in ("one.csv", "two.csv"):
        (tmp_path / name).write_text("a,b\n1,2\n")
        tab.locator(".st-key-upload_files input[type=file]").set_input_files(tmp_path / name)
        expect(tab.locator(".st-key-holdings")).to_contain_text("1 file" if name == "one.csv" else "2 files")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "three.csv").write_text("a,b\n1,2\n")
    tab.locator(FOLDER).set_input_files(folder)
    expect(tab.locator(".st-key-holdings")).to_contain_text("1 file")
    tab.locator(".st-key-remove_data button").click()
    expect(tab.locator(".st-key-holdings")).to_have_count(0)


def test_a_broken_archive_is_refused_in_words(tab: Page, tmp_path: Path) -> None:
    (tmp_path / "data.zip").write_bytes(b"PK\x03\x04 not an archive")
    tab.locator(".st-key-upload_files input[type=file]").set_input_files(tmp_path / "data.zip")
    expect(tab.locator(".st-key-upload_files .message")).to_contain_text("data.zip")


def test_dropped_folders_are_walked(tab: Page) -> None:
    """A drop as the browser reports it: a folder entry with files below."""
    tab.locator(".st-key-upload .zone").evaluate(
        """zone => {
            const file = (name, text) => ({isFile: true, name, file: good => good(new File([text], name))});
            let given = false;
            const folder = {isFile: false, name: 'shop', createReader: () => ({readEntries: good => {
                good(given ? [] : [file('a.csv', 'x,y\\n1,2\\n'), file('b.csv', 'x,y\\n3,4\\n')]); given = true; }})};
            const event = new Event('drop', {cancelable: true});
            Object.defineProperty(event, 'dataTransfer', {value: {items: [{webkitGetAsEntry: () => folder}]}});
            zone.dispatchEvent(event);
        }"""
    )
    expect(tab.locator(".st-key-holdings")).to_contain_text("2 files", timeout=20_000)


def test_start_waits_for_the_upload(tab: Page, tmp_path: Path) -> None:
    folder = tmp_path / "slow"
    folder.mkdir()
    (folder / "a.txt").write_text("no table")
    held: list[Route] = []
    tab.route(re.compile("/api/upload/.*/finish"), lambda route: held.append(route))
    tab.locator(FOLDER).set_input_files(folder)
    tab.locator(".st-key-goal textarea").fill("Predict something")
    tab.locator(".st-key-start button").click()
    expect(tab.get_by_text("The run starts as soon as the upload is complete.")).to_be_visible()
    held[0].continue_()
    expect(tab).to_have_url(re.compile(r"/run\?run=\w+"), timeout=30_000)
    expect(tab.locator(".st-key-state")).to_contain_text("Failed", timeout=60_000)  # there is nothing to learn from
    expect(tab.locator(".st-key-message")).to_be_visible()


def test_every_page_obeys_the_policy(visitor: BrowserContext, server: Server) -> None:
    page = visitor.new_page()
    errors: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        # Streamlit looks for its own address below the page's path first; that one 404 is its normal way.
        if message.type == "error" and "/_stcore/" not in message.location.get("url", ""):
            errors.append(message.text)

    page.on("console", listen)
    page.on("pageerror", lambda error: errors.append(str(error)))
    outside: list[str] = []
    page.on("request", lambda r: None if r.url.startswith((server.url, "data:", "blob:")) else outside.append(r.url))
    for path, word in (
        ("", "Train a predictor"),
        ("run", "Nothing has been started"),
        ("predict", "no predictor yet"),
        ("history", "Nothing has been started"),
        ("settings", "Language model"),
    ):
        answer = page.goto(f"{server.url}/{path}")
        assert answer is not None and "default-src 'self'" in answer.headers["content-security-policy"]
        expect(page.get_by_text(word).first).to_be_visible(timeout=20_000)
    assert errors == [] and outside == []
    assert "mlzero_owner" not in page.evaluate("document.cookie")
    (cookie,) = [c for c in visitor.cookies() if c["name"] == "mlzero_owner"]
    assert cookie["httpOnly"] and cookie["sameSite"] == "Lax"


def test_a_draft_belongs_to_its_browser(tab: Page, server: Server, chrome, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "a.csv").write_text("a,b\n1,2\n")
    tab.locator(FOLDER).set_input_files(folder)
    expect(tab.locator(".st-key-holdings")).to_be_visible(timeout=20_000)
    expect(tab).to_have_url(re.compile("draft="))
    tab.reload()
    expect(tab.locator(".st-key-holdings")).to_contain_text("1 file", timeout=20_000)
    other = chrome.new_context()
    stranger = other.new_page()
    stranger.goto(tab.url)
    expect(stranger.locator(".st-key-start button")).to_be_visible(timeout=20_000)
    expect(stranger.locator(".st-key-holdings")).to_have_count(0)
    other.close()
