from __future__ import annotations

import time
from pathlib import Path

import pytest
from watchdog.events import FileSystemEventHandler
from watchdog.observers import Observer

from mlzero.iterative_coding.artefacts import LIMIT, watch


def names(paths: list[Path], folder: Path) -> list[str]:
    return sorted(p.relative_to(folder.resolve()).as_posix() for p in paths)


def wait_for(found: list[Path], count: int) -> None:
    deadline = time.monotonic() + 5
    while len(found) < count and time.monotonic() < deadline:
        time.sleep(0.02)


def test_tells_new_files_while_the_block_runs(tmp_path: Path) -> None:
    (tmp_path / "solution.py").write_text("old")
    found: list[Path] = []
    with watch(tmp_path, found.append):
        (tmp_path / "evaluation").mkdir()
        (tmp_path / "predictions.csv").write_text("a,b")
        wait_for(found, 1)
        assert names(found, tmp_path) == ["predictions.csv"]
        (tmp_path / "evaluation" / "curve.json").write_text("{}")
        (tmp_path / "predictions.csv").write_text("again")
    assert names(found, tmp_path) == ["evaluation/curve.json", "predictions.csv"]


@pytest.mark.parametrize("name", [".hidden", "model/models/GBM/model.pkl"])
def test_leaves_out_what_is_no_news(tmp_path: Path, name: str) -> None:
    found: list[Path] = []
    with watch(tmp_path, found.append):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    assert found == []


def test_a_renamed_file_is_told_under_its_last_name(tmp_path: Path) -> None:
    found: list[Path] = []
    with watch(tmp_path, found.append):
        (tmp_path / ".result.tmp").write_text("{}")
        (tmp_path / ".result.tmp").rename(tmp_path / "result.json")
    assert names(found, tmp_path) == ["result.json"]


def test_a_file_that_changes_while_the_watch_ends_is_no_error(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with watch(tmp_path, lambda _: None):
        pass
    observer = Observer()
    watched = observer.schedule(FileSystemEventHandler(), str(tmp_path))
    (emitter,) = observer.emitters
    assert emitter.watch == watched
    emitter.queue_events(0)  # its thread does not run, as after a stop
    assert not caplog.records


def test_stops_telling_after_the_limit(tmp_path: Path) -> None:
    found: list[Path] = []
    with watch(tmp_path, found.append):
        for number in range(LIMIT + 20):
            (tmp_path / f"{number}.txt").write_text("x")
    assert len(found) == LIMIT
