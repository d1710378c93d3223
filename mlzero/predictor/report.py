"""`report.html`: the run for people, in one file that needs nothing from outside."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mlzero import events
from mlzero.files import write_atomically
from mlzero.iterative_coding import metrics
from mlzero.iterative_coding.contract import Attempt, Evaluation
from mlzero.iterative_coding.outcome import noun, spoken, why_not_valid
from mlzero.perception.profile import Profile
from mlzero.perception.task import ANSWERS, Inferred, Task
from mlzero.predictor import drawing, findings
from mlzero.predictor.usage import usage

FOLDER = Path(__file__).parent
FEW = 300  # rows below which a score is only a rough one
SPLITS = {
    "stratified": "by chance, every class with its share",
    "random": "by chance",
    "group": "whole groups",
    "time": "the latest rows",
    "last_horizon": "the end of each series",
}


def write_report(
    run: dict[str, Any],
    log: Sequence[events.Event],
    task: Task,
    profile: Profile,
    attempts: Sequence[Attempt],
    evaluation_dir: Path,
    out: Path,
) -> None:
    """Write the report of a run.

    Parameters
    ----------
    run
        `run.json`.
    log
        Its events, for times, hints and notes.
    evaluation_dir
        Data files of the best attempt.
    out
        The file to write; when `predictor.zip` lies beside it, the report says how to use it.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["number"] = _number
    best = next((a for a in attempts if a.number == run["best"]), None)
    text = environment.get_template("report.html.j2").render(
        run=run,
        task=task,
        profile=profile,
        score=_score(run, best),
        figures=[
            (title, Markup(svg), words)
            for title, svg, words in [*_growth(log, run, attempts), *findings.figures(evaluation_dir)]
        ],
        confusion=findings.confusion(evaluation_dir),
        pictures=findings.pictures(evaluation_dir),
        sentences=findings.sentences(evaluation_dir),
        queries=findings.queries(evaluation_dir),
        worst=findings.worst(evaluation_dir, [f.name for f in task.used_features]),
        facts=_facts(task, best.evaluation if best else None),
        attempts=[_attempt(attempt, run["best"]) for attempt in attempts],
        hints=[e for e in log if isinstance(e, events.Hint) and e.answer],
        caveats=_caveats(task, best, log),
        usage=usage(task) if (out.parent / "predictor.zip").exists() else None,
        made=time.strftime("%Y-%m-%d %H:%M"),
    )
    write_atomically(out, text)


def _score(run: dict[str, Any], best: Attempt | None) -> dict[str, Any] | None:
    """Score and naive guess in plain words; None when no attempt was valid."""
    evaluation = best.evaluation if best else None
    if run["score"] is None or evaluation is None:
        return None
    metric = metrics.get(run["metric"])
    score, naive, gain = run["score"], run["baseline"], ""
    if naive is not None and not run["higher_is_better"] and 0 <= score < naive:
        gain = f"The model is {1 - score / naive:.0%} below that."
    elif naive is not None and (score <= naive if run["higher_is_better"] else score >= naive):
        gain = "The model is no better than that: the columns say little about the answer."
    return {
        "name": metric.text, "value": score, "naive": naive, "naive_text": evaluation.baseline_text, "sentence": metric.sentence,
        "gain": gain, "noun": noun(evaluation.metric), "rows": evaluation.rows_holdout, "trained": evaluation.rows_train,
        "better": "Higher is better." if run["higher_is_better"] else "Lower is better.",
    }  # fmt: skip


def _growth(
    log: Sequence[events.Event], run: dict[str, Any], attempts: Sequence[Attempt]
) -> list[tuple[str, str, str]]:
    """How the score grew: title, picture and what it shows; nothing when there was one attempt."""
    begun = next((e.time for e in log), 0.0)
    best = {e.attempt for e in log if isinstance(e, events.Best)}
    titles = {a.number: a.variant.title for a in attempts}
    points = [
        (e.time - begun, e.score, e.attempt in best, titles.get(e.attempt, f"attempt {e.attempt}"))
        for e in log
        if isinstance(e, events.Verdict) and e.valid and e.score is not None
    ]
    found = []
    if len(points) > 1:
        svg = drawing.score_steps(points, run["baseline"], run["metric_text"] or run["metric"])
        found.append(("How the score grew", svg, "Each dot is an attempt; the line is the best so far."))
    return found


def _facts(task: Task, measured: Evaluation | None) -> list[tuple[str, str, str]]:
    """What was understood: name, value, evidence."""
    split = task.split.value
    aside = f"{SPLITS[split.kind]}{f' ({split.column})' if split.column else ''}"
    if measured is not None:
        aside = f"{measured.rows_holdout:,} {noun(measured.metric)}, {aside}"
    found: list[tuple[str, str, str, Inferred[Any]]] = [
        ("To predict", ", ".join(task.targets), "target", task.target),
        ("Kind of answer", ANSWERS[task.problem_type.value], "problem_type", task.problem_type),
        ("Judged by", metrics.get(task.metric.value).text, "metric", task.metric),
        ("Names the rows", task.id.value or "nothing", "id", task.id),
        ("Kept aside to measure", aside, "split", task.split),
    ]
    facts = [(name, value, _why(inferred, field in task.overridden)) for name, value, field, inferred in found]
    return [*facts, ("Columns used", f"{len(task.used_features)} of {len(task.features)}", "")]


def _why(inferred: Inferred[Any], by_user: bool) -> str:
    if by_user:
        return "You said so."
    unsure = "" if inferred.confidence >= 0.6 else " This is a guess."
    return f"{inferred.evidence}{unsure}".strip()


def _attempt(attempt: Attempt, best: int | None) -> dict[str, Any]:
    """One row of the table of attempts."""
    evaluation, diagnosis = attempt.evaluation, attempt.diagnosis
    valid = evaluation is not None and evaluation.valid
    if valid:
        outcome = "The best." if attempt.number == best else "Worked."
    elif diagnosis:
        outcome = f"{diagnosis.cause} {diagnosis.fix}".strip()
    else:
        outcome = why_not_valid(attempt).message if evaluation else "It did not come to its end."
    return {
        "number": attempt.number, "title": attempt.variant.title, "idea": attempt.variant.idea, "hint": attempt.hint,
        "valid": valid, "outcome": outcome, "score": evaluation.score if evaluation else None,
        "seconds": sum(evaluation.seconds.values()) if evaluation else None,
    }  # fmt: skip


def _caveats(task: Task, best: Attempt | None, log: Sequence[events.Event]) -> list[str]:
    evaluation = best.evaluation if best else None
    found = []
    if evaluation:
        found += [c.detail for c in evaluation.checks if not c.passed and c.detail]
        if evaluation.rows_holdout < FEW:
            found.append(
                f"The score comes from {evaluation.rows_holdout:,} {noun(evaluation.metric)} only; "
                "on others it may differ by some percent."
            )
    found += task.notes
    found += [e.text for e in log if isinstance(e, events.Note) and e.caveat]
    found += [f'The column "{f.name}" was not used: {f.drop}' for f in task.features if f.drop][:20]
    return list(dict.fromkeys(found))


def _number(value: float | None) -> str:
    """A score as people read it; nothing where there is none."""
    return "" if value is None else spoken(value)
