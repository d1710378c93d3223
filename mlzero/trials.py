"""Runs attempts and judges them; beside each other where the machine has room for several."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass

from mlzero import events
from mlzero.budget import Budget
from mlzero.iterative_coding import search
from mlzero.iterative_coding.artefacts import watch
from mlzero.iterative_coding.coder import Coder
from mlzero.iterative_coding.contract import Attempt, Evaluation, Failure, Variant
from mlzero.iterative_coding.faults import diagnose
from mlzero.iterative_coding.frames import read_frame
from mlzero.iterative_coding.harness import Harness
from mlzero.iterative_coding.ideas import READS
from mlzero.iterative_coding.judge import reading_checks
from mlzero.iterative_coding.loading import Loading
from mlzero.iterative_coding.output import tail
from mlzero.iterative_coding.telling import Telling
from mlzero.perception.profile import Profile
from mlzero.perception.task import Task
from mlzero.runs import RunDirectory
from mlzero.semantic_memory import hub
from mlzero.semantic_memory.recipes.fine_tuned import checkpoint
from mlzero.stopwatch import Stopwatch

GRACE = 20.0  # seconds after the time limit in which the closing work must be over


@dataclass(frozen=True)
class Trial:
    """An attempt to run, and its solution when a language model has written it already."""

    attempt: Attempt
    source: str | None = None


class Trials:
    """Everything between the decision for an attempt and the verdict on it.

    Parameters
    ----------
    directory
        Of the run.
    coder
        Who writes solutions.
    downloads
        Where pretrained weights come from.
    budget, stopped
        The time there is, and whether the user wants the run to end.
    stopwatch, say
        What times the steps, and where events go.
    lanes
        The cores of each attempt that runs at the same time; one empty list for all cores.
    """

    def __init__(
        self, directory: RunDirectory, coder: Coder, downloads: hub.Downloads, budget: Budget, stopped: Callable[[], bool],
        stopwatch: Stopwatch, say: Callable[[events.Event], object], lanes: Sequence[Sequence[int]] = ((),),
    ) -> None:  # fmt: skip
        self.directory, self.coder, self.downloads, self.budget = directory, coder, downloads, budget
        self.stopped, self.stopwatch, self.say, self.lanes = stopped, stopwatch, say, lanes
        # its threads live as long as the run, for a sandbox ends with the thread that started it
        self._threads = ThreadPoolExecutor(len(lanes), "attempt") if len(lanes) > 1 else None

    def close(self) -> None:
        """End the threads."""
        if self._threads:
            self._threads.shutdown()

    def run(
        self, trials: Sequence[Trial], profile: Profile, task: Task, harness: Harness, *, kept: float = 0.0
    ) -> None:
        """Run the attempts, each in a lane of its own when they are several; returns when the last is judged.

        Parameters
        ----------
        kept
            Seconds that are left for what follows.
        """
        if len(trials) == 1 or self._threads is None:
            for trial in trials:
                self._run(trial, profile, task, harness, kept, ())
            return
        going = [
            self._threads.submit(self._run, trial, profile, task, harness, kept, lane)
            for trial, lane in zip(trials, self.lanes, strict=False)
        ]
        for one in going:
            one.result()

    def deadline(self, kept: float = 0.0) -> float:
        """Seconds the next step may take at the very most, fit and all; `kept` seconds are left for what follows."""
        return max(20.0, self.budget.left + GRACE - search.CLOSING - kept)

    def _run(
        self, trial: Trial, profile: Profile, task: Task, harness: Harness, kept: float, cores: Sequence[int]
    ) -> None:
        """Write the solution, unless a language model has, run it, judge it."""
        attempt = trial.attempt
        folder = self.directory.attempt(attempt.number)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        variant = attempt.variant
        self.begin(attempt)
        with self.stopwatch.stage("attempt", f"Attempt {attempt.number}: {variant.title}"):
            source = trial.source or self.coder.write(task, profile, variant)
            (folder / "solution.py").write_text(source, encoding="utf-8")
            self.say(events.Code(attempt=attempt.number, source=source))
            emit = Telling(attempt.number, folder, self.say)
            try:
                self._fetch(variant)
                with watch(folder, emit.artefact):
                    attempt.evaluation = harness.evaluate(
                        attempt.number, folder, emit, fit_seconds=variant.fit_seconds,
                        deadline_seconds=self.deadline(kept), cores=cores,
                        more=attempt.number < self.directory.record().settings.max_attempts,
                    )  # fmt: skip
            except hub.NotFetched as error:
                attempt.evaluation = harness.not_run(attempt.number, Failure("fetch", "exception", str(error)))
        self._judge(attempt, attempt.evaluation, profile, task)

    def _fetch(self, variant: Variant) -> None:
        """Wait for the pretrained weights a variant is built on; raises NotFetched."""
        if name := variant.options.get("checkpoint"):
            self.downloads.wait(checkpoint(name), 0.25 * self.budget.left, self.stopped)

    def _judge(self, attempt: Attempt, evaluation: Evaluation, profile: Profile, task: Task) -> None:
        """Look closer at an attempt that has run, find the cause of a failure, and tell the outcome."""
        folder = self.directory.attempt(attempt.number)
        if attempt.variant.options.get(READS) and evaluation.valid:
            read = read_frame(Loading(self.directory.path / "work" / folder.name).train)
            known = {column.name for table in profile.tables for column in table.columns}
            evaluation.checks += reading_checks(read, task.targets, known)
        if evaluation.failure:
            found = attempt.diagnosis = diagnose(evaluation.failure, tail(folder / "stdout.log"))
            self.say(events.Fault(
                attempt=attempt.number, signature=found.signature, cause=found.cause, fix=found.fix,
                trace=evaluation.failure.trace or evaluation.failure.message,
            ))  # fmt: skip
        self.tell(attempt.number, evaluation)

    def begin(self, attempt: Attempt) -> None:
        """Tell that an attempt begins."""
        variant = attempt.variant
        self.say(events.AttemptStarted(
            attempt=attempt.number, title=variant.title, idea=variant.idea, parent=attempt.parent,
            fit_seconds=round(variant.fit_seconds, 1),
        ))  # fmt: skip

    def tell(self, number: int, evaluation: Evaluation) -> None:
        """The verdict on an attempt."""
        self.say(events.Verdict(
            attempt=number, valid=evaluation.valid, score=evaluation.score,
            checks=[asdict(check) for check in evaluation.checks],
        ))  # fmt: skip
