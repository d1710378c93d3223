"""A run as plain lines."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from mlzero import events
from mlzero.interfaces.progress import Progress, sentence
from mlzero.runs import RunDirectory

TASK = {
    "target": {"value": ["a", "b"]}, "problem_type": {"value": "multilabel"}, "metric": {"value": "f1"},
}  # fmt: skip


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (events.Stage(stage="recall", state="started", detail="Choosing the tools"), "Choosing the tools"),
        (events.Stage(stage="recall", state="finished", detail="Choosing the tools"), ""),
        (events.Understood(task=TASK), "Understood: predict a, b, several yes-or-no labels at once, judged by f1"),
        (events.Fault(attempt=1, signature="s", cause="The disk is full.", fix="Less."), "It failed: The disk is full. Less."),
        (events.Verdict(attempt=1, valid=True, score=0.912345), "Valid, score 0.9123"),
        (events.Verdict(attempt=1, valid=False, checks=[
            {"name": "a", "passed": False, "fatal": True, "detail": "Far worse."}, {"name": "b", "passed": False, "detail": "Odd."},
        ]), "Not valid. Far worse."),
        (events.Best(attempt=1, metric="f1", score=0.9, baseline=0.5), "Best so far: f1 0.9, naive guess 0.5"),
        (events.Best(attempt=1, metric="mae", score=16751.2, baseline=2e5), "Best so far: mae 16,751, naive guess 200,000"),
        (events.ModelCall(purpose="improve", model="m", ok=True, seconds=3, input_tokens=1000, output_tokens=200),
         "Language model (improve): 1,200 tokens in 3 s"),
        (events.ModelCall(purpose="improve", model="m", ok=False, problem="It slept."), "Language model (improve): It slept."),
        (events.Hint(id="h", text="t", answer="I will."), "Hint: I will."),
        (events.Hint(id="h", text="t", answer="I will.", attempt=2), ""),
        (events.State(state="failed", message="No attempt worked."), "Failed. No attempt worked."),
        (events.State(state="done"), ""),
    ],
)  # fmt: skip
def test_an_event_is_one_line_or_none(event: events.Event, line: str) -> None:
    assert sentence(event).strip() == line


@pytest.mark.parametrize("quiet", [False, True])
def test_lines_are_plain_where_nobody_watches(tmp_path: Path, quiet: bool) -> None:
    run = RunDirectory.create(tmp_path / "run")
    run.update(score_text="Accuracy [bold]0.9[/bold].", files={"report": "report.html"})
    written = io.StringIO()
    with Progress(Console(file=written, width=200), 60, quiet=quiet) as progress:
        progress(events.Note(text="A file called [red]x[/red] was left out."))
        progress(events.AttemptStage(attempt=1, stage="predict_holdout", state="started"))
    progress.summary(run)
    told = written.getvalue()
    assert ("A file called [red]x[/red] was left out." in told) is not quiet
    assert ("Accuracy [bold]0.9[/bold]." in told and str(run.path / "report.html") in told) is not quiet
    assert not quiet or not told
