"""The built-in coder: writes, checks, repairs, remembers."""

from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest

from mlzero.episodic_memory.journal import Journal
from mlzero.episodic_memory.lessons import Lessons
from mlzero.errors import UserError
from mlzero.iterative_coding.coder import RecipeCoder, check
from mlzero.iterative_coding.contract import Attempt, Evaluation, Failure, Machine
from mlzero.iterative_coding.faults import diagnose
from mlzero.perception.scan import profile
from mlzero.perception.understand import infer_task

MACHINE = Machine(2, 8.0)


@pytest.fixture
def told(tmp_path: Path):
    """A task and its profile."""
    folder = tmp_path / "data"
    folder.mkdir()
    lines = "".join(f"V{n},{n % 7},{n % 11},{'yes' if n * n % 7 + n % 11 > 8 else 'no'}\n" for n in range(120))
    (folder / "visits.csv").write_text("visit,pages,minutes,bought\n" + lines)
    found = profile(folder)
    return infer_task(found, folder, "Predict bought"), found


def test_plans_and_writes(told):
    coder = RecipeCoder(Lessons.open())
    ladder = coder.ladder(*told, MACHINE, 120)
    assert ladder[0].name == "quick"
    for variant in ladder:
        check(coder.write(*told, variant))


def test_a_task_without_a_recipe_is_said_plainly(told):
    told[0].problem_type.value = "detection"
    with pytest.raises(UserError, match=r"From tabular data .* whose answer is objects in an image"):
        RecipeCoder(Lessons.open()).ladder(*told, MACHINE, 120)


def test_options_the_library_lost_are_never_written(told, monkeypatch):
    monkeypatch.setattr(
        "mlzero.iterative_coding.coder.unknown_options",
        lambda source: ["dynamic_stacking"] * ("dynamic_stacking" in source),
    )
    coder = RecipeCoder(Lessons.open())
    assert "dynamic_stacking" not in coder.write(*told, coder.ladder(*told, MACHINE, 120)[0])


class Runs:
    """A run without training: attempts fail as told until `works` says yes."""

    FAILURES: ClassVar = {
        "bad option": Failure("fit", "exception", "TypeError: fit() got an unexpected keyword argument 'dynamic_stacking'", "TypeError"),
        "out of memory": Failure("fit", "memory", "The system ended the program."),
    }  # fmt: skip

    def __init__(self, told, failure, works):
        self.told, self.failure, self.works = told, self.FAILURES[failure], works

    def play(self, name):
        """Attempts until one works, and what the last one was."""
        lessons, journal = Lessons.open(), Journal()
        coder = RecipeCoder(lessons)
        variant, parent = coder.ladder(*self.told, MACHINE, 120)[1], None
        variant = replace(variant, options={**variant.options, "rows": 100_000})
        while variant is not None and len(journal.attempts) < 8:
            coder.write(*self.told, variant)
            fine = self.works(variant)
            evaluation = Evaluation(
                journal.next_number(),
                "accuracy",
                True,
                score=0.9 if fine else None,
                baseline=0.5,
                failure=None if fine else self.failure,
            )
            diagnosis = None if fine else diagnose(self.failure, "")
            attempt = Attempt(journal.next_number(), variant, parent, diagnosis=diagnosis, evaluation=evaluation)
            journal.add(attempt)
            lessons.record(name, journal, attempt, self.told[0])
            if fine:
                return journal.attempts
            parent, variant = attempt.number, coder.repair(variant, self.failure, diagnosis)
        raise AssertionError("nothing worked")


def test_an_unknown_option_is_left_out_and_nothing_else_changes(told):
    first, second = Runs(told, "bad option", lambda v: "dynamic_stacking" in v.options.get("drop_options", [])).play(
        "run-a"
    )
    assert second.variant.options == first.variant.options | {"drop_options": ["dynamic_stacking"]}


def test_the_same_fault_costs_fewer_attempts_in_the_next_run(told):
    runs = Runs(told, "out of memory", lambda v: v.options.get("sample_rows", 10**9) <= 20_000)
    first, second = runs.play("run-a"), runs.play("run-b")
    assert (len(first), len(second)) == (3, 2)
    assert "earlier run" in second[-1].variant.idea


def test_a_stopped_attempt_is_not_repaired(told):
    coder = RecipeCoder(Lessons.open())
    failure = Failure("fit", "stopped", "Stopped on request.")
    assert coder.repair(coder.ladder(*told, MACHINE, 120)[0], failure, diagnose(failure, "")) is None


CONTRACT = "\n".join(
    f"def {name}({', '.join(arguments)}): ..."
    for name, arguments in {
        "load_train": ["data_dir"], "load_test": ["data_dir"], "load_new": ["path", "model_dir"],
        "fit": ["train", "model_dir", "time_limit"], "predict": ["rows", "model_dir"],
    }.items()
)  # fmt: skip


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def fit(:", "invalid syntax"),
        (CONTRACT.replace("def predict", "def guess"), "no function predict with 2 arguments"),
        (CONTRACT.replace("(rows, model_dir)", "(rows)"), "no function predict with 2 arguments"),
        ("import packagethatisnot\n" + CONTRACT, "packagethatisnot, which is not installed"),
    ],
)
def test_what_is_no_solution_is_refused(source, words):
    with pytest.raises((SyntaxError, ValueError), match=words):
        check(source)


def test_a_solution_passes():
    check(CONTRACT)
