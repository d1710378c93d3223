"""What runs teach each other."""

import subprocess
import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest

from mlzero.episodic_memory.journal import Journal
from mlzero.episodic_memory.lessons import Lessons
from mlzero.iterative_coding.contract import Attempt, Diagnosis, Evaluation, Failure, Variant

BINARY = SimpleNamespace(problem_type=SimpleNamespace(value="binary"))
REGRESSION = SimpleNamespace(problem_type=SimpleNamespace(value="regression"))
LARGE = Variant("tabular", "ensemble", "Large", "More.", {"models": "all", "rows": 100_000})
SMALL = replace(
    LARGE, name="ensemble-small", title="One small model", idea="Less.", options={"models": "small", "rows": 100_000}
)
SAMPLE = replace(SMALL, name="ensemble-20000", title="A sample", options={**SMALL.options, "sample_rows": 20_000})


def failed(number, variant, signature, parent=None):
    failure = Failure("fit", "memory", "It ended.")
    evaluation = Evaluation(number, "roc_auc", True, failure=failure)
    return Attempt(
        number,
        variant,
        parent,
        diagnosis=Diagnosis(signature, "The memory was not enough.", "Less."),
        evaluation=evaluation,
    )


def valid(number, variant, score=0.8, parent=None):
    return Attempt(
        number,
        variant,
        parent,
        evaluation=Evaluation(number, "roc_auc", True, score=score, baseline=0.5, rows_train=80),
    )


def teach(lessons, run, *attempts, task=BINARY):
    journal = Journal()
    for attempt in attempts:
        journal.add(attempt)
        lessons.record(run, journal, attempt, task)


def test_every_fault_on_the_way_learns_what_ended_it():
    lessons = Lessons.open()
    teach(lessons, "run-a", failed(1, LARGE, "s1"), failed(2, SMALL, "s2", 1), valid(3, SAMPLE, parent=2))
    other = replace(LARGE, options={"models": "all", "folds": 5, "rows": 50_000})
    mended = lessons.remedy("s1", "tabular").applied(other)
    assert mended.options == {
        "models": "small",
        "folds": 5,
        "rows": 50_000,
        "sample_rows": 10_000,
    }  # the same share of the rows
    assert "earlier run" in mended.idea
    assert lessons.remedy("s2", "tabular").changes == {"sample_share": 0.2}
    assert [(lesson.cause, lesson.run) for lesson in lessons.remedies()] == [
        ("The memory was not enough.", "run-a")
    ] * 2


def test_a_remedy_that_is_in_place_already_is_none():
    lessons = Lessons.open()
    teach(lessons, "run-a", failed(1, LARGE, "s1"), valid(2, SMALL, parent=1))
    assert lessons.remedy("s1", "tabular").applied(SMALL) is None


@pytest.mark.parametrize(("signature", "recipe"), [("other", "tabular"), ("s1", "table_several")])
def test_other_faults_and_recipes_have_no_remedy(signature, recipe):
    lessons = Lessons.open()
    teach(lessons, "run-a", failed(1, LARGE, "s1"), valid(2, SMALL, parent=1))
    assert lessons.remedy(signature, recipe) is None


def test_an_attempt_that_failed_teaches_no_remedy():
    lessons = Lessons.open()
    teach(lessons, "run-a", failed(1, LARGE, "s1"), failed(2, SMALL, "s2", 1))
    assert lessons.count() == 0


LADDER = [replace(LARGE, name=name) for name in ("quick", "ensemble", "bagged")]


@pytest.mark.parametrize(
    ("bagged_wins", "ensemble_wins", "task", "rows", "second"),
    [
        (2, 0, BINARY, 100_000, "bagged"),
        (2, 0, BINARY, 150_000, "bagged"),
        (1, 0, BINARY, 100_000, "ensemble"),
        (3, 2, BINARY, 100_000, "ensemble"),
        (2, 0, REGRESSION, 100_000, "ensemble"),
        (2, 0, BINARY, 1_000, "ensemble"),
    ],
)
def test_what_won_clearly_on_similar_tasks_is_tried_first(bagged_wins, ensemble_wins, task, rows, second):
    lessons = Lessons.open()
    for run in range(bagged_wins + ensemble_wins):
        better, worse = (LADDER[2], LADDER[1]) if run < bagged_wins else (LADDER[1], LADDER[2])
        teach(lessons, f"run-{run}", valid(1, LADDER[0], 0.99), valid(2, better, 0.9), valid(3, worse, 0.8))
    ladder = [replace(v, options={**v.options, "rows": rows}) for v in LADDER]
    ordered = lessons.ordered(ladder, task)
    assert [v.name for v in ordered][:2] == ["quick", second]
    assert sorted(v.name for v in ordered) == sorted(v.name for v in ladder)


def test_forgets_on_request():
    lessons = Lessons.open()
    teach(lessons, "run-a", failed(1, LARGE, "s1"), valid(2, SMALL, parent=1))
    assert lessons.count() == 2
    lessons.clear()
    assert lessons.count() == 0 and lessons.remedy("s1", "tabular") is None


def test_advice_is_forgotten_by_its_owner_only():
    mine, theirs = Lessons.open("ann"), Lessons.open("bob")
    written = replace(SMALL, options={**SMALL.options, "author": "model"})
    teach(mine, "run-a", failed(1, LARGE, "s1"), valid(2, written, parent=1))
    assert (mine.count(), theirs.count()) == (2, 1)
    theirs.clear()
    assert (mine.count(), theirs.count()) == (1, 0) and mine.advice("s1", "tabular")
    mine.clear()
    assert mine.count() == 0


@pytest.mark.parametrize(
    "content", [b"this is no database, but long enough to be read as one" * 100, b""], ids=["damaged", "empty"]
)
def test_a_file_that_is_no_database_does_not_stop_a_run(tmp_path, content):
    path = tmp_path / "memory.sqlite"
    path.write_bytes(content)
    lessons = Lessons(path)
    teach(lessons, "run-a", valid(1, LARGE))
    assert lessons.count() == 1
    assert path.with_suffix(".damaged").exists() is bool(content)


def test_a_file_out_of_reach_does_not_stop_a_run_and_stays(tmp_path):
    path = tmp_path / "memory.sqlite"
    path.mkdir()
    lessons = Lessons(path)
    teach(lessons, "run-a", valid(1, LARGE))
    assert lessons.count() == 1 and path.is_dir()


WRITER = """
import sys
from pathlib import Path
from types import SimpleNamespace
from mlzero.episodic_memory.journal import Journal
from mlzero.episodic_memory.lessons import Lessons
from mlzero.iterative_coding.contract import Attempt, Evaluation, Variant
lessons, task = Lessons(Path(sys.argv[1])), SimpleNamespace(problem_type=SimpleNamespace(value="binary"))
for number in range(1, 21):
    evaluation = Evaluation(number, "roc_auc", True, score=0.8, baseline=0.5, rows_train=80)
    attempt = Attempt(number, Variant("tabular", "quick", "t", "i"), evaluation=evaluation)
    lessons.record(sys.argv[2], Journal([attempt]), attempt, task)
"""


def test_processes_write_at_the_same_time(tmp_path):
    path = tmp_path / "memory.sqlite"
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(path), f"run-{number}"]) for number in range(3)]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    assert Lessons(path).count() == 60
