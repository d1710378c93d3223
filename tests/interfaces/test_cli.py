"""What the command line says and how it ends, without training."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mlzero.interfaces import cli
from mlzero.runs import RunDirectory


@pytest.fixture
def kept(own_home: Path) -> RunDirectory:
    """A run that has ended, in the home folder."""
    run = RunDirectory.create(own_home / "runs" / "abc")
    run.update(state="done", goal="Predict x", metric="accuracy", score=0.91234, finished=time.time())
    return run


def ended(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> object:
    """The exit status of `mlzero ARGUMENTS`."""
    monkeypatch.setattr(sys, "argv", ["mlzero", *arguments])
    with pytest.raises(SystemExit) as leaving:
        cli.main()
    return leaving.value.code


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["runs", "show", "nothing"], "There is no run nothing. See `mlzero runs list`."),
        (["runs", "resume", "nothing"], "There is no run nothing."),
        (["inspect", ".", "--set", "target"], "--set target has no '='. Write it as --set target=price."),
        (["solve", "nowhere", "--out", "out"], 'There is nothing at "nowhere"'),
        (["solve", ".", "--out", "out", "--llm", "gpt"], "it is not written as PROVIDER:MODEL"),
        (["predict", "nowhere.zip", "rows.csv"], "There is no predictor at"),
    ],
)
def test_what_only_the_user_can_change_is_a_sentence_and_status_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert ended(monkeypatch, *arguments) == 2
    told = capsys.readouterr().err
    assert said in told and "Traceback" not in told
    assert not (tmp_path / "out").exists()


def test_runs_are_listed_shown_and_deleted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], kept: RunDirectory
) -> None:
    assert ended(monkeypatch, "runs", "list") == 0
    assert "abc  done         accuracy 0.9123" in capsys.readouterr().out
    assert ended(monkeypatch, "runs", "show", str(kept.path)) == 0
    assert json.loads(capsys.readouterr().out)["goal"] == "Predict x"
    kept.claim()
    assert ended(monkeypatch, "runs", "delete", "abc") == 2
    kept.update(state="stopped", pid=None)
    assert ended(monkeypatch, "runs", "delete", "abc") == 0
    assert not kept.path.exists()


def test_a_run_at_work_is_not_resumed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], kept: RunDirectory
) -> None:
    kept.claim()
    assert ended(monkeypatch, "runs", "resume", "abc") == 2
    assert "The run abc is running." in capsys.readouterr().err


@pytest.mark.parametrize("as_folder", [False, True])
def test_a_damaged_run_is_told_in_a_sentence_and_can_be_deleted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], kept: RunDirectory, as_folder: bool
) -> None:
    record = kept.path / "run.json"
    if as_folder:
        record.unlink()
        record.mkdir()
    else:
        record.write_text("{")
    assert ended(monkeypatch, "runs", "show", "abc") == 2
    assert "run.json is damaged" in capsys.readouterr().err
    assert ended(monkeypatch, "runs", "delete", "abc") == 0 and not kept.path.exists()


INTERRUPTED = """
import os, signal, sys

class Interrupt:
    def find_spec(self, name, *_):
        if name == {module!r}:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupt())
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
sys.argv = ["mlzero", "solve", {data!r}, "--out", {out!r}]
from mlzero.__main__ import main
main()
"""


@pytest.mark.parametrize("module", ["typer", "mlzero.perception.profile", "mlzero.api"])
def test_an_interrupt_before_a_run_begins_is_one_line(tmp_path: Path, module: str) -> None:
    (tmp_path / "data.csv").write_text("a,b\n1,2\n")
    code = INTERRUPTED.format(module=module, data=str(tmp_path / "data.csv"), out=str(tmp_path / "out"))
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (said.returncode, said.stderr) == (130, "Interrupted.\n")
    assert not (tmp_path / "out").exists()
