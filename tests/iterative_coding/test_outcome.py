"""What people read when a run has ended, well or not."""

from __future__ import annotations

import pytest

from mlzero.iterative_coding.contract import Attempt, Check, Diagnosis, Evaluation, Failure, FailureKind, Variant
from mlzero.iterative_coding.outcome import score_text, why_no_solution

VARIANT = Variant("tabular", "quick", "Quick", "To have something.")


@pytest.mark.parametrize(
    ("score", "baseline", "baseline_text", "said"),
    [
        (0.91239, 0.6, "always says No", "accuracy 0.9124; a naive guess (always says No) reaches 0.6."),
        (167512.3, 1e5, "", "accuracy 167,512; a naive guess reaches 100,000."),
        (0.91239, 0.6, "", "accuracy 0.9124; a naive guess reaches 0.6."),
        (1.0, None, "", "accuracy 1."),
    ],
)
def test_score_and_naive_guess(score: float, baseline: float | None, baseline_text: str, said: str) -> None:
    evaluation = Evaluation(1, "accuracy", True, score, baseline, baseline_text, rows_holdout=1212)
    assert score_text(evaluation) == f"On 1,212 rows the model never saw: {said}"


def test_no_score_is_no_sentence() -> None:
    assert score_text(Evaluation(1, "accuracy", True)) == ""


def failed(kind: FailureKind) -> Attempt:
    failure = Failure("fit", kind, "It ended.")
    evaluation = Evaluation(1, "accuracy", True, failure=failure)
    return Attempt(1, VARIANT, diagnosis=Diagnosis("s", "The end came early.", "Less."), evaluation=evaluation)


NOT_PASSED = Attempt(
    1, VARIANT,
    evaluation=Evaluation(1, "accuracy", True, 0.1, checks=[Check("far", False, "Far worse."), Check("odd", False, "Odd.", fatal=False)]),
)  # fmt: skip


@pytest.mark.parametrize(
    ("attempts", "said"),
    [
        ([], "No attempt could be made within the time limit. Allow more time and try again."),
        ([failed("timeout")], "The first one failed because the end came early. Allow more time and try again."),
        ([failed("disk"), failed("timeout")], "the end came early. Free some disk space and try again."),
        ([failed("exception")], "the end came early."),
        ([NOT_PASSED], "No attempt passed the checks. Far worse."),
    ],
    ids=["none", "timeout", "the first cause counts", "no advice", "checks"],
)
def test_a_run_without_a_solution_says_why_and_what_to_do(attempts: list[Attempt], said: str) -> None:
    assert why_no_solution(attempts).endswith(said)


@pytest.mark.parametrize(
    ("metric", "rows"), [("mean_iou", "5 pictures"), ("map50", "5 pictures"), ("entity_f1", "5 sentences"), ("ndcg@10", "5 queries"), ("rmse", "5 rows")]
)  # fmt: skip
def test_says_what_was_measured_on(metric: str, rows: str) -> None:
    from mlzero.iterative_coding import metrics

    name = metrics.get(metric).name
    assert score_text(Evaluation(1, name, True, score=0.5, rows_holdout=5)).startswith(f"On {rows} the model never saw")
