"""`report.html`: the run for people, in one file that needs nothing from outside."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mlzero import events
from mlzero.iterative_coding.contract import Attempt
from mlzero.perception.profile import Profile
from mlzero.perception.task import Task
from mlzero.predictor import drawing

FOLDER = Path(__file__).parent


def write_report(
    run: dict[str, Any], log: Sequence[events.Event], task: Task, profile: Profile, attempts: Sequence[Attempt],
    evaluation_dir: Path, out: Path,
) -> None:
    """Write the report of a run.

    Parameters
    ----------
    run
        `run.json`.
    log
        Its events, for times, hints and faults.
    evaluation_dir
        Data files of the best attempt.
    """  # fmt: skip
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=FileSystemLoader(FOLDER), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    figures = [(title, Markup(svg)) for title, svg in _figures(log, run, evaluation_dir)]
    text = environment.get_template("report.html.j2").render(
        run=run, task=task, profile=profile, figures=figures, attempts=attempts,
        confusion=_read(evaluation_dir, "confusion_matrix"), hints=[e for e in log if isinstance(e, events.Hint) and e.answer],
        caveats=_caveats(task, attempts, run["best"]), facts=_facts(task), made=time.strftime("%Y-%m-%d %H:%M"),
    )  # fmt: skip
    out.write_text(text, encoding="utf-8")


def _figures(log: Sequence[events.Event], run: dict[str, Any], evaluation_dir: Path) -> list[tuple[str, str]]:
    begun = next((e.time for e in log), 0.0)
    best = {e.attempt: True for e in log if isinstance(e, events.Best)}
    points = [
        ((e.time - begun) / 60, e.score, e.attempt in best) for e in log if isinstance(e, events.Verdict) and e.valid and e.score is not None
    ]
    figures = []
    if points:
        figures.append(("Attempts over time", drawing.score_steps(points, run["baseline"], run["metric_text"] or run["metric"])))
    pairs = _read(evaluation_dir, "predicted_against_true") or {"targets": {}}
    for target, values in list(pairs["targets"].items())[:4]:
        figures.append((f"{target}: predicted and true on rows the model never saw", drawing.scatter(values["true"], values["predicted"])))
    return figures


def _read(folder: Path, name: str) -> Any:
    path = folder / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def _facts(task: Task) -> list[tuple[str, str, str]]:
    """What was understood: name, value, evidence."""
    split = task.split.value
    facts = [
        ("Kind of problem", task.problem_type.value.replace("_", " "), task.problem_type.evidence),
        ("Predicted", ", ".join(task.targets), task.target.evidence),
        ("Judged by", task.metric.value, task.metric.evidence),
        ("Row number", task.id.value or "none", task.id.evidence),
        ("Rows kept aside", f"{split.kind.replace('_', ' ')}{f' by {split.column}' if split.column else ''}, {split.fraction:.0%}", task.split.evidence),
    ]
    return facts


def _caveats(task: Task, attempts: Sequence[Attempt], best: int | None) -> list[str]:
    chosen = next((a for a in attempts if a.number == best), None)
    evaluation = chosen.evaluation if chosen else None
    failed = [check.detail for check in evaluation.checks if not check.passed and check.detail] if evaluation else []
    few = [f"Only {evaluation.rows_holdout} rows were kept aside, so the score may be off by some percent."] if evaluation and evaluation.rows_holdout < 300 else []
    excluded = [f'"{f.name}" was not used: {f.drop}' for f in task.features if f.drop]
    return [*failed, *few, *excluded[:20]]
