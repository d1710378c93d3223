"""Task, data and run in few words, for a model to read. No row is shown together with its answer."""

from __future__ import annotations

from typing import Any

from mlzero.iterative_coding import metrics
from mlzero.iterative_coding.contract import Attempt, best_of
from mlzero.iterative_coding.outcome import why_not_valid
from mlzero.llm.prompts import cell, fenced
from mlzero.perception.profile import ColumnProfile, Profile
from mlzero.perception.task import Task

COLUMNS = 40


def task_words(task: Task) -> dict[str, str]:
    """Target, problem, metric and direction, for the templates."""
    metric = metrics.get(task.metric.value)
    return {
        "target": cell(", ".join(task.targets) or "nothing yet"),
        "problem": f"{task.problem_type.value}, {task.modality.value} data",
        "metric": metric.text,
        "direction": "higher" if metric.higher_is_better else "lower",
    }


def data_words(task: Task, profile: Profile) -> str:
    """Goal and columns, fenced."""
    return fenced(f"Goal: {task.goal[:600]}\n{columns_words(task, profile)}", 6000)


def columns_words(task: Task, profile: Profile) -> str:
    """A line a column of the training table: its kind, how many values, gaps, range or examples; and the labels of the target."""
    table = profile.table(task.train[0].table) if task.train else None
    if table is None:
        return ""
    drops = {f.name: f.drop for f in task.features if f.drop}
    kinds = {f.name: f.treat_as for f in task.features}
    lines = [f"{table.rows:,} rows of {cell(table.key)}."]
    lines += [_column(c, kinds.get(c.name, c.kind), drops.get(c.name)) for c in table.columns[:COLUMNS]]
    if len(table.columns) > COLUMNS:
        lines.append(f"and {len(table.columns) - COLUMNS} more columns")
    if task.labels:
        lines.append(f"labels of the target: {', '.join(map(cell, task.labels[:20]))}")
    return "\n".join(lines)


def _column(column: ColumnProfile, kind: str, drop: str | None) -> str:
    parts = [f"{cell(column.name)}: {kind}"]
    if column.unique:
        parts.append(f"{column.unique} values")
    if column.missing:
        parts.append(f"{column.missing} missing")
    if isinstance(column.minimum, int | float):
        parts.append(f"{column.minimum:.4g} to {column.maximum:.4g}")
    elif column.examples:
        parts.append("such as " + " | ".join(cell(e) for e in column.examples[:3]))
    if drop:
        parts.append("not used")
    return ", ".join(parts)


def attempts_words(attempts: list[Attempt], most: int = 8) -> str:
    """One line an attempt, the last ones and the best; never grows beyond `most` lines."""
    best = best_of(attempts)
    shown = [a for a in attempts if a in attempts[-most:] or a is best]
    return "\n".join(_attempt(a, a is best) for a in shown)


def _attempt(attempt: Attempt, best: bool) -> str:
    evaluation, title = attempt.evaluation, cell(attempt.variant.title)
    if evaluation is None or not evaluation.valid or evaluation.score is None:
        cause = attempt.diagnosis.cause if attempt.diagnosis else why_not_valid(attempt).message
        return f"{attempt.number}. {title}: failed. {cause[:200]}"
    naive = f", naive guess {evaluation.baseline:.4g}" if best and evaluation.baseline is not None else ""
    seconds = evaluation.seconds.get("fit", 0.0)
    return f"{attempt.number}. {title}: {evaluation.score:.5g}{naive} in {seconds:.0f} s{' (best)' if best else ''}"


def run_facts(record: dict[str, Any], most: int = 1500) -> str:
    """What `run.json` says about a run's outcome."""
    keys = ("goal", "state", "target", "problem_type", "metric_text", "score_text", "best", "message", "attempts")
    return fenced({key: record.get(key) for key in keys}, most)
