"""One run, top to bottom: perceive, recall, write, execute, judge, remember; then hand over."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from typing import Any

from mlzero import config, events
from mlzero.assistant import Assistant, connect
from mlzero.budget import Budget
from mlzero.episodic_memory.journal import Journal
from mlzero.episodic_memory.lessons import Lessons
from mlzero.errors import NoSolution, Stopped, UserError
from mlzero.handover import hand_over
from mlzero.iterative_coding import metrics, search
from mlzero.iterative_coding.artefacts import watch
from mlzero.iterative_coding.coder import Coder, RecipeCoder
from mlzero.iterative_coding.contract import Attempt, Evaluation, Failure, Variant
from mlzero.iterative_coding.faults import diagnose
from mlzero.iterative_coding.frames import read_frame
from mlzero.iterative_coding.harness import Harness
from mlzero.iterative_coding.ideas import READS, Ideas
from mlzero.iterative_coding.judge import reading_checks
from mlzero.iterative_coding.loading import Loading
from mlzero.iterative_coding.outcome import score_text, why_no_solution, why_not_valid
from mlzero.iterative_coding.output import tail
from mlzero.iterative_coding.rooms import Rooms
from mlzero.iterative_coding.sandbox import Sandbox, choose
from mlzero.iterative_coding.search import Search
from mlzero.iterative_coding.stages import continues
from mlzero.iterative_coding.telling import Telling
from mlzero.mailbox import Mailbox, Taken
from mlzero.perception import child, hints
from mlzero.perception.profile import Profile
from mlzero.perception.task import Task
from mlzero.runs import RunDirectory, RunRecord
from mlzero.semantic_memory import hub
from mlzero.semantic_memory.recipes.fine_tuned import checkpoint
from mlzero.semantic_memory.recipes.rendering import warm_up

GRACE = 20.0  # seconds after the time limit in which the closing work must be over


def run(directory: RunDirectory, *, sandbox: Sandbox | None = None, coder: Coder | None = None) -> RunRecord:
    """Work a run from its directory to its end, or on from where an earlier process left it.

    Never raises for what the user or the data can cause: the outcome is the state in `run.json`
    (done, stopped, failed) with a sentence, and the events.
    """
    try:
        engine = Engine(directory, sandbox or choose(), coder)
    except UserError as error:
        directory.events.append(events.State(state="failed", message=str(error)))
        return directory.update(state="failed", message=str(error), finished=time.time())
    return engine.run()


class Engine:
    """The loop. Everything it knows is on disk after every step."""

    def __init__(self, directory: RunDirectory, sandbox: Sandbox, coder: Coder | None = None) -> None:
        self.directory = directory
        self.sandbox = sandbox
        self.budget: Budget = directory.budget()
        self.stop = threading.Event()
        self.lessons = Lessons.open(directory.record().owner)
        self.coder = coder or RecipeCoder(self.lessons)
        self.rooms = Rooms(sandbox, directory.path)
        self.downloads = hub.Downloads(directory.note)
        self.machine = config.machine()
        self.timings: dict[str, float] = dict(directory.record().timings)
        self.assistant: Assistant | None = None

    def run(self) -> RunRecord:
        record = self.directory.claim()
        self.directory.update(sandbox=self.sandbox.description)
        self.say(events.State(state="running"))
        try:
            self.rooms.prepare()
            threading.Thread(target=warm_up, daemon=True).start()  # while the data is read
            self.assistant = connect(self.directory, self.sandbox, self.lessons, self.machine)
            profile, task = self.perceive(record)
            interpret = self.assistant.interpret if self.assistant else hints.interpret
            with Mailbox(self.directory, profile, task, self.stop, self.say, interpret) as mailbox:
                self.search(profile, mailbox)
                task = mailbox.task
            self.finish(profile, task)
        except UserError as error:
            return self.end("failed", f"{error.message} {error.fix}".strip())
        except NoSolution as error:
            return self.end("failed", str(error))
        except Stopped as error:
            return self.end("stopped", str(error))
        except Exception as error:
            self.end("failed", f"Something went wrong inside MLZero ({type(error).__name__}). The log has the details.")
            raise
        if self.stop.is_set():
            return self.end("stopped", "Stopped on request; the best predictor so far was kept.")
        return self.end("done", "")

    # -- perceive

    def perceive(self, record: RunRecord) -> tuple[Profile, Task]:
        """Profile and task; from disk when they are there already for the same goal."""
        known = self.directory.perception()
        if record.task is not None and known.profile is not None:
            return known.profile, Task.model_validate(record.task)
        overrides = record.settings.overrides
        with self.stage("perceive", "Reading the data and working out what is wanted"):
            profile, task = child.perceive(self.directory.path, record.goal, overrides, self.directory.stop_file.exists)
            if self.assistant is not None:
                task = self.assistant.reviewed(profile, task)
        self.directory.note(*profile.notes, *profile.unread, *task.notes)
        self.understood(task)
        return profile, task

    def understood(self, task: Task) -> None:
        """Keep the task in the run and tell it."""
        data, metric = task.model_dump(mode="json"), metrics.get(task.metric.value)
        self.directory.update(
            task=data, problem_type=task.problem_type.value, target=task.target.value, metric=task.metric.value,
            metric_text=metric.text, higher_is_better=metric.higher_is_better,
        )  # fmt: skip
        self.say(events.Understood(task=data))

    # -- write, execute, judge, remember

    def search(self, profile: Profile, mailbox: Mailbox) -> None:
        """Attempts until the budget is spent, the user stops or nothing is left to gain."""
        journal = self.directory.journal()
        plan: tuple[Harness, Search] | None = None
        waiting: list[Taken] = []  # hints that only an idea of the language model can follow
        while not self.stop.is_set():
            hint = mailbox.take()
            if hint.changes_task:
                if hint.new_goalposts:
                    journal.supersede()
                    self.forget_split()
                self.budget.total = self.directory.record().settings.time_limit
                self.understood(mailbox.task)
            if plan is None or hint.changes_task:
                plan = self.harness(mailbox.task), self.policy(profile, mailbox.task)
            harness, policy = plan
            if self.ideas is not None:
                self.ideas.about(mailbox.task, profile)
                if hint.guidance:
                    self.ideas.hint(hint.guidance)
                    waiting.append(hint)
            step = policy.next(journal.comparable(), self.budget.left, again=hint.changes_task)
            if step is None:
                for given in waiting if hint in waiting else [*waiting, hint]:
                    mailbox.too_late(given)
                return
            attempt = Attempt(journal.next_number(), step.variant, parent=step.parent, hint=hint.text or None)
            if hint not in waiting:
                mailbox.taken(hint, attempt.number)
            if step.source is not None:
                for given in waiting:
                    mailbox.taken(given, attempt.number)
                waiting.clear()
            if journal.best() is None:
                self.forget_split()  # nothing to compare with yet, and a sample lacks most of the rows kept aside
            journal.add(attempt)
            self.attempt(attempt, profile, mailbox.task, harness, step.source)
            self.remember(journal, attempt, mailbox.task)

    def attempt(
        self, attempt: Attempt, profile: Profile, task: Task, harness: Harness, source: str | None = None
    ) -> None:
        """Write the solution, unless a language model has, run it, judge it."""
        folder = self.directory.attempt(attempt.number)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        variant = attempt.variant
        self.say(events.AttemptStarted(
            attempt=attempt.number, title=variant.title, idea=variant.idea, parent=attempt.parent,
            fit_seconds=round(variant.fit_seconds, 1),
        ))  # fmt: skip
        with self.stage("attempt", f"Attempt {attempt.number}: {variant.title}"):
            source = source or self.coder.write(task, profile, variant)
            (folder / "solution.py").write_text(source, encoding="utf-8")
            self.say(events.Code(attempt=attempt.number, source=source))
            emit = Telling(attempt.number, folder, self.say)
            try:
                self.fetch(variant)
                with watch(folder, emit.artefact):
                    attempt.evaluation = harness.evaluate(
                        attempt.number, folder, emit, fit_seconds=variant.fit_seconds,
                        deadline_seconds=self.deadline(kept=self.last_fit() if task.series else 0.0),
                        more=attempt.number < self.directory.record().settings.max_attempts,
                    )  # fmt: skip
            except hub.NotFetched as error:
                attempt.evaluation = harness.not_run(attempt.number, Failure("fetch", "exception", str(error)))
        self.judged(attempt, attempt.evaluation, profile, task)

    def fetch(self, variant: Variant) -> None:
        """Wait for the pretrained weights a variant is built on; raises NotFetched."""
        if name := variant.options.get("checkpoint"):
            self.downloads.wait(checkpoint(name), 0.25 * self.budget.left, self.stop.is_set)

    def judged(self, attempt: Attempt, evaluation: Evaluation, profile: Profile, task: Task) -> None:
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
        self.say(events.Verdict(
            attempt=attempt.number, valid=evaluation.valid, score=evaluation.score,
            checks=[asdict(check) for check in evaluation.checks],
        ))  # fmt: skip

    def remember(self, journal: Journal, attempt: Attempt, task: Task) -> None:
        """Write the attempt into the run and into the memory across runs."""
        best = journal.best() is attempt
        changes: dict[str, Any] = {"attempts": journal.summaries(), "timings": self.timings}
        if best and attempt.evaluation:
            changes |= self.new_best(attempt.number, attempt.evaluation)
        if self.assistant is not None:
            self.assistant.count(attempt, best=best)
            changes["llm_usage"] = self.assistant.usage
        self.directory.update(**changes)
        self.directory.keep_journal(journal)
        self.lessons.record(self.directory.id, journal, attempt, task)

    def new_best(self, number: int, evaluation: Evaluation) -> dict[str, Any]:
        """Tell that an attempt is the best so far; what changes in `run.json`."""
        assert evaluation.score is not None
        self.directory.point_to_best(number)
        self.say(events.Best(
            attempt=number, metric=evaluation.metric, score=evaluation.score, baseline=evaluation.baseline,
            higher_is_better=evaluation.higher_is_better,
        ))  # fmt: skip
        return {
            "best": number, "score": evaluation.score, "baseline": evaluation.baseline,
            "baseline_text": evaluation.baseline_text, "score_text": score_text(evaluation),
        }  # fmt: skip

    # -- hand over

    def finish(self, profile: Profile, task: Task) -> None:
        """Fit the best solution on all labelled rows, package it, prove it, report it."""
        journal = self.directory.journal()
        best = journal.best()
        if best is None or best.evaluation is None:
            if self.stop.is_set():
                raise Stopped("Stopped before a predictor was ready.")
            raise NoSolution(why_no_solution(journal.attempts))
        model_from, evaluation = self.directory.attempt(best.number), best.evaluation
        source = (model_from / "solution.py").read_text(encoding="utf-8")
        seconds = search.refit_seconds(best, journal.comparable(), self.budget.left, continues=continues(source))
        if seconds and not self.stop.is_set():
            final = self.refit(best, task, seconds)
            if final is not None:
                model_from = self.directory.final
                evaluation = replace(evaluation, predictions=final.predictions, rows_test=final.rows_test)
        else:
            why = "the run was stopped before" if self.stop.is_set() else "no time was left for"
            text = f"The predictor has not learnt from the rows it was measured on: {why} a last fit on all rows."
            self.say(events.Note(text=text, caveat=True))
        with self.stage("package", "Packing the predictor and trying it in a fresh process"):
            files = hand_over(self.directory, model_from, task, profile, journal, evaluation, self.sandbox, self.say)
        self.directory.update(files=files, timings=self.timings)
        self.say(events.Result(files=files))

    def refit(self, best: Attempt, task: Task, seconds: float) -> Evaluation | None:
        """The best solution on all labelled rows; None when that did not work and the measured model stays."""
        final = self.directory.final
        shutil.rmtree(final, ignore_errors=True)
        final.mkdir()
        with self.stage("refit", "Training the best solution once more on all labelled rows"):
            emit = Telling(best.number, final, self.say)
            measured = self.directory.attempt(best.number)
            outcome = self.harness(task).refit(
                measured, final, emit, fit_seconds=seconds, deadline_seconds=self.deadline()
            )
        if outcome.failure is None:
            return outcome
        text = (
            f"The last fit on all rows did not end well ({outcome.failure.message}); the measured model is handed over."
        )
        self.say(events.Note(text=text, caveat=True))
        return None

    # -- small parts

    @property
    def ideas(self) -> Ideas | None:
        """Attempts written by a language model, when one is connected."""
        return self.assistant.ideas if self.assistant else None

    def policy(self, profile: Profile, task: Task) -> Search:
        """Which attempts come, for a task; raises UserError when no recipe carries it."""
        with self.stage("recall", "Choosing the tools for this task"):
            ladder = self.coder.ladder(task, profile, self.machine, self.budget.left)
            for name in [v.options["checkpoint"] for v in ladder if "checkpoint" in v.options]:
                with suppress(hub.NotFetched):  # said when an attempt needs it
                    self.downloads.begin(checkpoint(name))  # while the first attempts run

        def repair(attempt: Attempt) -> Any:
            failure = why_not_valid(attempt)
            return self.coder.repair(attempt.variant, failure, attempt.diagnosis or diagnose(failure, ""))

        return Search(ladder, repair, self.directory.record().settings.max_attempts, self.ideas)

    def harness(self, task: Task) -> Harness:
        return Harness(self.rooms, self.directory.data, self.directory.path, task, self.stop)

    def deadline(self, kept: float = 0.0) -> float:
        """Seconds the next step may take at the very most, fit and all; `kept` seconds are left for what follows."""
        return max(20.0, self.budget.left + GRACE - search.CLOSING - kept)

    def last_fit(self) -> float:
        """Seconds that the last fit of the best attempt so far needs: a forecast without the latest rows is a poor one."""
        journal = self.directory.journal()
        best = journal.best()
        if best is None or best.evaluation is None:
            return 0.0
        return 1.5 * (best.evaluation.seconds.get("fit", 0.0) + search.overhead(journal.comparable())) + GRACE

    def forget_split(self) -> None:
        """The question changed: scores before and after cannot be compared."""
        shutil.rmtree(self.directory.path / "split", ignore_errors=True)

    def say(self, event: events.Event) -> None:
        self.directory.events.append(event)

    @contextmanager
    def stage(self, name: str, detail: str) -> Iterator[None]:
        """Tell the reader that a step begins and ends, and keep its seconds."""
        begun = time.monotonic()
        self.say(events.Stage(stage=name, state="started", detail=detail))
        try:
            yield
        except BaseException:
            self.say(events.Stage(stage=name, state="failed", detail=detail, seconds=time.monotonic() - begun))
            raise
        finally:
            self.timings[name] = round(self.timings.get(name, 0.0) + time.monotonic() - begun, 2)
        self.say(events.Stage(stage=name, state="finished", detail=detail, seconds=time.monotonic() - begun))

    def end(self, state: str, message: str) -> RunRecord:
        """Leave the run in its last state; the message is for the person."""
        self.rooms.close()
        self.downloads.close()
        shutil.rmtree(self.directory.path / "work", ignore_errors=True)
        if self.assistant is not None:
            self.assistant.dismiss()
        record = self.directory.update(
            state=state, message=message, finished=time.time(), spent=round(self.budget.spent, 1), timings=self.timings,
            llm_usage=self.assistant.usage if self.assistant else {}, pid=None, pid_started=None,
        )  # fmt: skip
        self.say(events.State(state=state, message=message))
        return record
