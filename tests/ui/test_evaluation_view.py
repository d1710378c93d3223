"""What the harness left about the best attempt, on the page."""

from __future__ import annotations

import json
import wave
from pathlib import Path

from streamlit.testing.v1 import AppTest

from mlzero.runs import RunDirectory
from mlzero.ui import evaluation_view

NASTY = "<b>:red[x]</b> [l](javascript:1) $y$"


def page(path: str) -> None:
    from pathlib import Path

    from mlzero.runs import RunDirectory
    from mlzero.ui import evaluation_view

    run = RunDirectory(Path(path))
    evaluation_view.draw(run, run.record())


def run_with(tmp_path: Path, files: dict[str, object], kind: str = "text") -> RunDirectory:
    run = RunDirectory.create(tmp_path / "run")
    folder = run.attempt(1) / "evaluation"
    folder.mkdir(parents=True)
    for name, content in files.items():
        (folder / f"{name}.json").write_text(json.dumps(content))
    run.update(best=1, task={"features": [{"name": "file", "treat_as": kind, "drop": None}]})
    return run


def shown(run: RunDirectory) -> AppTest:
    at = AppTest.from_function(page, args=(str(run.path),), default_timeout=20).run()
    assert not at.exception
    return at


def test_entities_and_rankings_are_marked(tmp_path: Path) -> None:
    pieces = [{"text": NASTY, "state": "missed", "kind": "a]b"}, {"text": "then", "state": "", "kind": ""}]
    query = {"query": NASTY, "score": 0.5, "documents": [{"name": "d1", "right": True}, {"name": "d2", "right": False}], "missed": ["d9"]}  # fmt: skip
    at = shown(
        run_with(tmp_path, {"sentences": {"sentences": [pieces]}, "ranked": {"first": [1, 0], "queries": [query]}})
    )
    assert [tab.label for tab in at.tabs] == ["First right document", "Sentences", "Queries"]
    assert at.markdown[-1].value == evaluation_view.coloured(pieces)
    assert [list(top) for top in at.dataframe[0].value["Top of the list"]] == [["✓ d1", "d2"]]


def test_only_marks_of_entities_are_markup() -> None:
    text = evaluation_view.coloured([{"text": NASTY, "state": "wrong", "kind": "x]:blue[y"}])
    assert text.startswith(":red-background[\\<b\\>\\:red\\[x\\]") and text.endswith(r"wrong: x\]\:blue\[y]")


def test_pictures_that_were_missed_can_be_looked_at(tmp_path: Path) -> None:
    from PIL import Image

    names = ["a.png", "../../secret.png", "broken.png", "gone.png", "", "nul\0"]
    examples = [{"row": "1", "true": "cat", "predicted": NASTY, "off": 1.0, "values": {"file": n}} for n in names]
    run = run_with(tmp_path, {"worst_examples": {"examples": examples}}, "image")
    Image.new("RGB", (900, 500)).save(run.data / "a.png")
    Image.new("RGB", (90, 50)).save(tmp_path / "secret.png")
    (run.data / "broken.png").write_bytes(b"no picture")
    at = shown(run)
    assert len(at.get("image")) == 1 and len(at.dataframe) == 1
    assert evaluation_view.inside(run.data, "../../secret.png") is None


def test_recordings_that_were_missed_can_be_heard(tmp_path: Path) -> None:
    example = {"row": "1", "true": "dog", "predicted": "cat", "off": 1.0, "values": {"file": "a.wav"}}
    run = run_with(tmp_path, {"worst_examples": {"examples": [example]}}, "audio")
    with wave.open(str(run.data / "a.wav"), "wb") as file:
        file.setparams((1, 2, 8000, 0, "NONE", ""))
        file.writeframes(b"\0" * 800)
    at = shown(run)
    assert len(at.get("audio")) == 1


def test_nothing_is_drawn_without_a_best_attempt(tmp_path: Path) -> None:
    run = run_with(tmp_path, {})
    assert not shown(run).tabs
    run.update(best=None)
    assert not shown(run).tabs


def test_given_and_predicted_pictures_lie_over_each_other(tmp_path: Path) -> None:
    png = "data:image/png;base64,iVBORw0KGgo="
    good = {"name": "1.png", "score": 1.0, "image": png, "true": png, "predicted": png}
    run = run_with(tmp_path, {"restored": {"examples": [good, {**good, "name": "2.png", "predicted": "/etc/passwd"}]}})
    at = shown(run)
    assert [tab.label for tab in at.tabs] == ["Pictures\\: real and predicted", "Given and predicted"]
    assert [text.value for text in at.text] == ["1.png"]
