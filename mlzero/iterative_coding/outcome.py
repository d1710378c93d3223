"""What came of the attempts, in sentences for people."""

from __future__ import annotations

from collections.abc import Sequence

from mlzero.iterative_coding import metrics
from mlzero.iterative_coding.contract import Attempt, Evaluation, Failure

ADVICE = {  # kind of the failure -> what the user can do
    "timeout": "Allow more time and try again.",
    "memory": "Give fewer rows or columns, or use a machine with more memory.",
    "disk": "Free some disk space and try again.",
}
MEASURED_ON = (  # what a row is, where a metric is for such problems only
    ("pictures", {"segmentation", "detection", "image_to_image"}),
    ("sentences", {"ner"}),
    ("queries", {"retrieval"}),
)
LONG = 180  # seconds from which an axis counts minutes


def spoken(value: float) -> str:
    """A number with four significant digits, from 10,000 on a whole one with thousands apart: `0.9124`, `167,512`."""
    return f"{value:,.0f}" if abs(value) >= 10_000 else f"{value:.4g}"


def time_unit(longest: float) -> tuple[str, float]:
    """The unit for an axis of so many seconds, and how many seconds it has."""
    return ("minutes", 60.0) if longest > LONG else ("seconds", 1.0)


def noun(metric: str) -> str:
    """What the rows are that a metric is measured on: pictures, sentences, queries, or just rows."""
    problems = metrics.get(metric).problems
    return next((word for word, kinds in MEASURED_ON if problems <= kinds), "rows")


def score_text(evaluation: Evaluation) -> str:
    """`On 212 rows the model never saw: accuracy 0.9; a naive guess (always says No) reaches 0.6.`

    Empty where there is no score.
    """
    if evaluation.score is None:
        return ""
    metric = metrics.get(evaluation.metric)
    text = f"On {evaluation.rows_holdout:,} {noun(evaluation.metric)} the model never saw: {metric.text} {spoken(evaluation.score)}"
    if evaluation.baseline is None:
        return f"{text}."
    naive = f" ({evaluation.baseline_text})" if evaluation.baseline_text else ""
    return f"{text}; a naive guess{naive} reaches {spoken(evaluation.baseline)}."


def why_not_valid(attempt: Attempt) -> Failure:
    """What broke in an attempt, else the checks it did not pass."""
    if attempt.evaluation and attempt.evaluation.failure:
        return attempt.evaluation.failure
    checks = attempt.evaluation.checks if attempt.evaluation else []
    broken = " ".join(check.detail for check in checks if check.fatal and not check.passed)
    return Failure("judge", "checks", broken or "The result did not pass the checks.")


def why_no_solution(attempts: Sequence[Attempt]) -> str:
    """Why none of these attempts was valid: the first root cause and a next step."""
    for attempt in attempts:
        failure = why_not_valid(attempt)
        if attempt.diagnosis:
            cause = attempt.diagnosis.cause
            said = f"No attempt worked. The first one failed because {cause[:1].lower()}{cause[1:]}"
            return f"{said} {ADVICE.get(failure.kind, '')}".strip()
        if attempt.evaluation and not attempt.evaluation.valid:
            return f"No attempt passed the checks. {failure.message}"
    return "No attempt could be made within the time limit. Allow more time and try again."
