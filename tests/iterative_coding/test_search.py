from dataclasses import replace

import pytest

from mlzero.iterative_coding.contract import Attempt, Evaluation, Failure, Variant
from mlzero.iterative_coding.ideas import Proposal
from mlzero.iterative_coding.search import CLOSING, READY, Search, refit_seconds

QUICK = Variant("r", "quick", "Quick", "", fit_seconds=10, min_seconds=5)
GOOD = Variant("r", "good", "Good", "", fit_seconds=40, min_seconds=20)
LADDER = [QUICK, GOOD]


def attempt(number, variant, score=0.5, fit=10.0, failure=None):
    evaluation = Evaluation(
        number,
        "accuracy",
        True,
        score=None if failure else score,
        seconds={"load": 2, "fit": fit, "predict_holdout": 1, "predict_test": 2},
        failure=failure,
    )
    return Attempt(number, variant, evaluation=evaluation)


def policy(ladder=LADDER, repair=lambda a: None, max_attempts=8):
    return Search(ladder, repair, max_attempts)


def test_begins_quick():
    assert policy().next([], 120).variant.name == "quick"


def test_a_short_budget_still_gets_a_first_attempt():
    step = policy().next([], 20)
    assert step.variant.name == "quick"
    assert step.variant.fit_seconds == 5


def test_climbs_while_fit_and_final_fit_are_affordable():
    done = [attempt(1, QUICK)]
    step = policy().next(done, 120)
    assert (step.variant.name, step.parent) == ("good", 1)
    assert step.variant.fit_seconds == 40
    shorter = policy().next(done, 80)
    assert shorter.variant.fit_seconds == pytest.approx((80 - CLOSING - 5 - READY - 2) / 2)
    assert policy().next(done, CLOSING + 5 + READY + 2 + 39) is None
    assert (
        policy().next(done, CLOSING + 5 + READY + 2 + 40) is not None
    )  # the final fit neither reads nor measures again


def test_repairs_before_the_next_idea_but_not_for_ever():
    mended = replace(QUICK, name="quick-less-memory")
    failed = attempt(1, QUICK, failure=Failure("fit", "memory", "out of memory"))
    step = policy(repair=lambda a: mended).next([failed], 120)
    assert step.variant.name == "quick-less-memory" and step.parent == 1
    failures = [replace(failed, number=n, parent=n - 1 or None) for n in (1, 2, 3)]
    step = policy(repair=lambda a: mended).next(failures, 120)
    assert step.variant.name == "good"


def test_ends_when_every_rung_was_tried_or_attempts_are_used_up():
    done = [attempt(1, QUICK), attempt(2, GOOD)]
    assert policy().next(done, 500) is None
    assert policy(max_attempts=1).next(done[:1], 500) is None


def test_a_hint_climbs_again():
    done = [attempt(1, QUICK), attempt(2, GOOD)]
    assert policy().next(done, 300, again=True).variant.name == "good"


def test_final_fit_only_when_it_can_be_the_same_model():
    best = attempt(1, GOOD, fit=40)
    assert refit_seconds(best, [best], left=120) == 40
    assert refit_seconds(best, [best], left=CLOSING + READY + 2 + 40) == 40
    assert refit_seconds(best, [best], left=CLOSING + 5 + 20) == 0


class Thinker:
    """A language model that always has an idea at hand."""

    urgent = False
    waits = False

    def think(self, attempts):
        pass

    def take(self, seconds):
        return Proposal(replace(GOOD, name="model-1"), "code", 1)


@pytest.mark.parametrize("seconds", [40, 60, 90, 120, 150, 200, 300])
def test_an_idea_takes_neither_a_rung_nor_the_final_fit_away(seconds):
    """What the ladder would try is tried, and the best still gets its last fit."""
    done = [attempt(1, QUICK), attempt(2, GOOD, score=0.8, fit=30)]
    ladder = [*LADDER, replace(GOOD, name="third")]
    alone = policy(ladder).next(done, seconds)
    step = Search(ladder, lambda a: None, 8, Thinker()).next(done, seconds)
    if step and step.source:
        left = seconds - 1.5 * step.variant.fit_seconds - 5
        assert alone is None or policy(ladder).next(done, left).variant.name == alone.variant.name
        assert refit_seconds(done[1], done, left) >= 30
    else:
        assert step == alone


def test_a_model_on_this_machine_thinks_when_nothing_is_planned_any_more():
    asked = []
    thinker = Thinker()
    thinker.waits, thinker.think = True, asked.append
    done = [attempt(1, QUICK), attempt(2, GOOD, score=0.8, fit=5)]
    step = Search([*LADDER, replace(GOOD, name="third")], lambda a: None, 8, thinker).next(done, 300)
    assert (step.variant.name, step.source, asked) == ("third", None, [])
    step = Search(LADDER, lambda a: None, 8, thinker).next(done, 300)
    assert step.source == "code" and len(asked) == 1


THIRD = Variant("r", "third", "Third", "", fit_seconds=40, min_seconds=20)


def test_steps_run_beside_each_other_once_there_is_something_valid():
    search = policy([QUICK, GOOD, THIRD])
    assert [step.variant.name for step in search.round([], 300, 3)] == ["quick"]
    done = [attempt(1, QUICK)]
    assert [step.variant.name for step in search.round(done, 300, 3)] == ["good", "third"]
    assert [step.variant.name for step in search.round(done, 300, 1)] == ["good"]
    assert [step.variant.name for step in search.round(done, 300, 3, again=True)] == ["third"]
    assert [step.variant.name for step in policy([QUICK, GOOD, THIRD], max_attempts=2).round(done, 300, 3)] == ["good"]
    assert search.round(done, 20, 3) == []


def test_each_of_several_that_failed_together_is_repaired():
    failed = [
        replace(attempt(n, v, failure=Failure("fit", "memory", "")), parent=1) for n, v in ((2, GOOD), (3, THIRD))
    ]
    done = [attempt(1, QUICK), *failed]
    search = policy([QUICK, GOOD, THIRD], repair=lambda a: replace(a.variant, name=f"{a.variant.name}-less"))
    step = search.next(done, 300)
    assert (step.variant.name, step.parent) == ("third-less", 3)
    done.append(replace(attempt(4, step.variant), parent=step.parent))
    step = search.next(done, 300)
    assert (step.variant.name, step.parent) == ("good-less", 2)


def test_what_there_was_no_time_for_is_named():
    done = [attempt(1, QUICK)]
    variant, lacks = policy().left_out(done, 40)
    assert variant is GOOD and lacks == pytest.approx(40 + CLOSING + 5 + READY + 2 - 40)
    assert policy().next(done, 40 + lacks) is not None
    assert policy().left_out([*done, attempt(2, GOOD)], 40) is None
    assert policy(max_attempts=1).left_out(done, 40) is None
