"""Attempts of a run: which is best, and that nothing is lost on disk."""

import json

import pytest

from mlzero.episodic_memory.journal import Journal
from mlzero.iterative_coding.contract import Attempt, Check, Diagnosis, Evaluation, Failure, Variant


def attempt(number, score=None, higher=True, parent=None, failed=False):
    failure = Failure("fit", "timeout", "It was not done.") if failed else None
    evaluation = Evaluation(
        number, "accuracy", higher, score=score, baseline=0.5, failure=failure, checks=[Check("rows", True)]
    )
    diagnosis = Diagnosis("timeout:fit:1", "The time was not enough.", "Less.") if failed else None
    return Attempt(
        number,
        Variant("tabular", f"v{number}", "title", "idea"),
        parent=parent,
        diagnosis=diagnosis,
        evaluation=evaluation,
    )


@pytest.mark.parametrize(("higher", "best"), [(True, 2), (False, 1)])
def test_the_best_is_by_the_direction_of_the_metric(higher, best):
    journal = Journal(
        [attempt(1, 0.6, higher), attempt(2, 0.8, higher), attempt(3, failed=True), attempt(4, 0.7, higher)]
    )
    assert journal.best().number == best


def test_no_valid_attempt_is_no_best():
    assert Journal([attempt(1, failed=True)]).best() is None
    assert Journal().best() is None


def test_attempts_on_other_goalposts_do_not_compare():
    journal = Journal([attempt(1, 0.9)])
    journal.supersede()
    assert journal.best() is None and journal.next_number() == 2
    journal.add(attempt(2, 0.6))
    assert journal.best().number == 2
    assert [entry["counts"] for entry in journal.summaries()] == [False, True]


def test_comes_back_from_json_as_it_was():
    journal = Journal(
        [attempt(1, failed=True), attempt(2, 0.8, parent=1), Attempt(3, Variant("r", "n", "t", "i"), hint="use less")],
        since=2,
    )
    assert Journal.from_json(json.loads(json.dumps(journal.to_json()))) == journal
