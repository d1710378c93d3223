"""From a chosen folder to predictions for new rows, by clicks alone."""

from __future__ import annotations

import csv
import random
import re
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from .conftest import Server

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

ENDED = 300_000  # milliseconds a one-minute run may take on a busy machine


def customers(path: Path, rows: int, *, labelled: bool) -> None:
    draw = random.Random(rows)
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["number", "age", "visits", "tariff", *(["cancelled"] if labelled else [])])
        for number in range(rows):
            age, visits, tariff = draw.randint(18, 80), draw.randint(0, 30), draw.choice(["small", "medium", "large"])
            cancelled = (visits < 10 and tariff != "large") or draw.random() < 0.05
            writer.writerow([number, age, visits, tariff, *(["yes" if cancelled else "no"] if labelled else [])])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "club"
    made.mkdir()
    customers(made / "members.csv", 400, labelled=True)
    return made


def choose(tab: Page, key: str, option: str) -> None:
    """Pick an option of a select box as a person does: once more when the end of a reading closed the list."""
    box, wanted = tab.locator(f".st-key-{key} input"), tab.get_by_role("option", name=option, exact=True)
    for _ in range(5):
        box.scroll_into_view_if_needed()
        tab.wait_for_timeout(1000)
        box.click()
        tab.wait_for_timeout(1000)
        if wanted.count():
            break
    wanted.click()


def begin(tab: Page, folder: Path, goal: str, minutes: str = "1 min") -> None:
    tab.locator(".st-key-upload input[type=file]").set_input_files(folder)
    tab.locator(".st-key-goal textarea").fill(goal)
    tab.locator(".st-key-time_limit").get_by_text(minutes, exact=True).click()


def wait_for_the_end(tab: Page) -> None:
    """Until the run has ended, well."""
    expect(tab.locator(".st-key-state")).to_contain_text(re.compile("Done|Stopped|Failed"), timeout=ENDED)
    reason = tab.locator(".st-key-message")
    assert "Done" in tab.locator(".st-key-state").inner_text(), reason.inner_text() if reason.count() else ""


def test_from_a_folder_to_predictions_for_new_rows(
    tab: Page, visitor: BrowserContext, server: Server, chrome: Browser, folder: Path, tmp_path: Path
) -> None:
    begin(tab, folder, "Learn from the members of our club")
    card = tab.locator(".st-key-understood")
    expect(card).to_be_visible(timeout=60_000)
    choose(tab, "set_target", "tariff")
    expect(card).to_contain_text("Predict tariff", timeout=30_000)
    choose(tab, "set_target", "cancelled")
    expect(card).to_contain_text("Predict cancelled", timeout=30_000)
    tab.locator(".st-key-start button").click()

    state = tab.locator(".st-key-state")
    expect(state).to_contain_text(re.compile("Queued|Running"), timeout=30_000)
    address = tab.url
    expect(tab.locator(".st-key-attempt_1")).to_be_visible(timeout=60_000)
    hint = tab.locator(".st-key-hint input")
    hint.fill("ignore the column number")
    tab.wait_for_timeout(2500)  # some ticks of the live view
    expect(hint).to_have_value("ignore the column number")
    hint.press("Enter")
    expect(hint).to_have_value("")
    expect(tab.get_by_text("“ignore the column number”")).to_be_visible(timeout=30_000)

    tab.reload()
    expect(state).to_contain_text(re.compile("Running|Done"), timeout=30_000)
    second = visitor.new_page()
    second.goto(address)
    expect(second.locator(".st-key-state")).to_contain_text(re.compile("Running|Done"), timeout=30_000)
    wait_for_the_end(tab)
    expect(second.locator(".st-key-state")).to_contain_text("Done", timeout=20_000)
    for word in ("Score", "Naive guess"):
        expect(tab.get_by_text(word, exact=True).first).to_be_visible()

    with tab.expect_download() as download:
        tab.locator(".st-key-download_predictor a").click()
    taken = tmp_path / "predictor.zip"
    download.value.save_as(taken)
    with zipfile.ZipFile(taken) as archive:
        assert archive.testzip() is None and any(n.endswith("predict.py") for n in archive.namelist())
    link = tab.locator(".st-key-download_predictor a").get_attribute("href")
    stranger = chrome.new_context()
    assert stranger.request.get(f"{server.url}{link}").status == 403
    other = stranger.new_page()
    other.goto(address)
    expect(other.get_by_text("There is no such run here.")).to_be_visible(timeout=20_000)
    stranger.close()

    tab.get_by_text("Predict new rows here").click()
    expect(tab.locator(".st-key-predict_predictor input")).to_have_value(re.compile("^cancelled"), timeout=20_000)
    customers(tmp_path / "new.csv", 25, labelled=False)
    tab.locator(".st-key-predict_upload input[type=file]").set_input_files(tmp_path / "new.csv")
    with tab.expect_download(timeout=120_000) as download:
        tab.locator(".st-key-download_new_predictions a").click(timeout=120_000)
    rows = list(csv.DictReader(Path(download.value.path()).read_text().splitlines()))
    assert len(rows) == 25 and {r["cancelled"] for r in rows} <= {"yes", "no"}
    tab.get_by_text("One row by hand").click()
    tab.get_by_label("visits").fill("2")
    tab.get_by_text("Predict this row").click()
    expect(tab.get_by_text("1 row predicted.")).to_be_visible(timeout=120_000)


def test_a_stopped_run_keeps_what_it_has(tab: Page, folder: Path) -> None:
    begin(tab, folder, "Predict the column cancelled", "15 min")
    tab.locator(".st-key-start button").click()
    expect(tab.locator(".st-key-attempt_1")).to_be_visible(timeout=120_000)
    expect(tab.get_by_text("(best)").first).to_be_visible(timeout=180_000)
    tab.locator(".st-key-stop button").click()
    expect(tab.locator(".st-key-state")).to_contain_text("Stopped", timeout=120_000)
    expect(tab.locator(".st-key-download_predictor a")).to_be_visible(timeout=20_000)


def test_a_killed_server_leaves_a_run_that_can_be_resumed(tab: Page, server: Server, folder: Path) -> None:
    begin(tab, folder, "Predict the column cancelled")
    tab.locator(".st-key-start button").click()
    expect(tab.locator(".st-key-attempt_1")).to_be_visible(timeout=120_000)
    server.kill()
    server.start()
    state = tab.locator(".st-key-state")
    expect(state).to_contain_text("Stopped", timeout=60_000)  # the page finds the server again by itself
    expect(tab.get_by_text("The run was interrupted.")).to_be_visible()
    tab.locator(".st-key-resume button").click()
    expect(state).to_contain_text("Running", timeout=60_000)
    wait_for_the_end(tab)
    expect(tab.locator(".st-key-download_predictor a")).to_be_visible(timeout=20_000)
