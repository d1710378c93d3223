"""One run, top to bottom: perceive, recall, write, execute, judge, remember; then hand over."""

from __future__ import annotations

import math
import shutil
import threading
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from mlzero import config, events
from mlzero.assistant import Assistant, connect
from mlzero.budget import Budget
from mlzero.episodic_memory.journal import Journal
from mlzero.episodic_memory.lessons import Lessons
from mlzero.errors import NoSolution, Stopped, UserError
from mlzero.handover import hand_over
from mlzero.iterative_coding import blend, metrics, search
from mlzero.iterative_coding.coder import Coder, RecipeCoder
from mlzero.iterative_coding.contract import Attempt, Evaluation
from mlzero.iterative_coding.faults import diagnose
from mlzero.iterative_coding.guard import Limits
from mlzero.iterative_coding.harness import Harness, save
from mlzero.iterative_coding.ideas import Ideas
from mlzero.iterative_coding.outcome import score_text, why_no_solution, why_not_valid
from mlzero.iterative_coding.rooms import Rooms
from mlzero.iterative_coding.sandbox import Sandbox, choose
from mlzero.iterative_coding.search import Search, Step
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
from mlzero.stopwatch import Stopwatch
from mlzero.trials import GRACE, Trial, Trials

UNUSED = 0.25  # share of a run's time from which it is told why no more attempts come


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
        self.lanes = config.lanes()
        self.rooms = Rooms(sandbox, directory.path, Limits.of_machine(directory.path, shared_by=len(self.lanes)))
        self.downloads = hub.Downloads(directory.note)
        self.machine = config.machine()
        self.stopwatch = Stopwatch(self.say, directory.record().timings)
        self.trials = Trials(
            directory, self.coder, self.downloads, self.budget, self.stop.is_set, self.stopwatch, self.say, self.lanes
        )
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
                self.finish(profile, mailbox.task)
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
        with self.stopwatch.stage("perceive", "Reading the data and working out what is wanted"):
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
        self.take_back_means(journal)  # of an earlier end
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
            steps = policy.round(journal.comparable(), self.budget.left, len(self.lanes), again=hint.changes_task)
            if not steps:
                for given in waiting if hint in waiting else [*waiting, hint]:
                    mailbox.too_late(given)
                self.say_why_over(policy, journal)
                return
            if journal.best() is None:
                self.forget_split()  # nothing to compare with yet, and a sample lacks most of the rows kept aside
            trials = []
            for step in steps:
                attempt = Attempt(journal.next_number(), step.variant, parent=step.parent)
                journal.add(attempt)
                trials.append(Trial(attempt, step.source))
            first = trials[0].attempt
            first.hint = hint.text or None
            for given in self.followed(hint, waiting, steps[0]):
                mailbox.taken(given, first.number)
            self.trials.run(trials, profile, mailbox.task, harness, kept=self.kept(journal, mailbox.task))
            for trial in trials:
                self.remember(journal, trial.attempt, mailbox.task)

    def say_why_over(self, policy: Search, journal: Journal) -> None:
        """Tell why there are no more attempts, where a good part of the time is left."""
        left = self.budget.left
        if left < UNUSED * self.budget.total:
            return
        if found := policy.left_out(journal.comparable(), left):
            variant, lacks = found
            more = math.ceil((self.budget.total + lacks) / 30) / 2
            text = (
                f'"{variant.title}" was not tried: it and its last fit need {left + lacks:.0f} seconds, and {left:.0f} were '
                f"left. A run of {more:g} minutes has the time."
            )
        else:
            text = "All that is planned for this kind of data was tried before the time was up."
        self.say(events.Note(text=text))

    @staticmethod
    def followed(hint: Taken, waiting: list[Taken], step: Step) -> list[Taken]:
        """The hints that a step takes in; those that only an idea of the language model can follow wait for one."""
        now = [] if hint in waiting else [hint]
        if step.source is not None:
            now += waiting
            waiting.clear()
        return now

    def remember(self, journal: Journal, attempt: Attempt, task: Task) -> None:
        """Write the attempt into the run and into the memory across runs."""
        best = journal.best() is attempt
        changes: dict[str, Any] = {"attempts": journal.summaries(), "timings": self.stopwatch.seconds}
        if best and attempt.evaluation:
            changes |= self.new_best(attempt.number, attempt.evaluation)
        if self.assistant is not None:
            self.assistant.count(attempt, best=best)
            changes["llm_usage"] = self.assistant.usage
        self.directory.update(**changes)
        self.directory.keep_journal(journal)
        if not blend.is_blend(attempt):
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
        if journal.best() is None:
            if self.stop.is_set():
                raise Stopped("Stopped before a predictor was ready.")
            raise NoSolution(why_no_solution(journal.attempts))
        if not self.stop.is_set():
            self.blend(journal, task)
        model_from, evaluation = self.final_model(journal, task)
        with self.stopwatch.stage("package", "Packing the predictor and trying it in a fresh process"):
            files = hand_over(self.directory, model_from, task, profile, journal, evaluation, self.sandbox, self.say)
        self.directory.update(files=files, timings=self.stopwatch.seconds)
        self.say(events.Result(files=files))

    def blend(self, journal: Journal, task: Task) -> None:
        """Add the mean of the best attempts as one more, when it is clearly better and all of them can be fitted again."""
        attempts = journal.comparable()
        room = self.budget.left - search.CLOSING - blend.MOST * search.last_overhead(attempts)
        found = blend.find(attempts, task, self.directory.path, self.directory.data, room)
        if found is None:
            return
        attempt = found.attempt(journal.next_number())
        assert attempt.evaluation is not None
        folder = self.directory.attempt(attempt.number)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        found.write(folder, self.directory.attempt)
        save(attempt.evaluation, folder)
        journal.add(attempt)
        self.trials.begin(attempt)
        self.say(events.Code(attempt=attempt.number, source=(folder / "solution.py").read_text(encoding="utf-8")))
        self.trials.tell(attempt.number, attempt.evaluation)
        self.remember(journal, attempt, task)

    def final_model(self, journal: Journal, task: Task) -> tuple[Path, Evaluation]:
        """The folder of the model to hand over, fitted on all labelled rows where there is time, and its evaluation."""
        best = journal.best()
        assert best is not None and best.evaluation is not None
        measured = self.directory.attempt(best.number)
        source = (measured / "solution.py").read_text(encoding="utf-8")
        seconds = search.refit_seconds(best, journal.comparable(), self.budget.left, continues=continues(source))
        takes = best.evaluation.seconds.get("fit", 0.0) + search.last_overhead(journal.comparable()) + search.CLOSING
        why = (
            "the run was stopped before the last fit on all rows" if self.stop.is_set()
            else f"the last fit on all rows and packing take {takes:.0f} seconds, and {self.budget.left:.0f} were left"
        )  # fmt: skip
        if seconds and not self.stop.is_set():
            final = self.refit(best, task, seconds)
            if final.failure is None:
                kept = replace(best.evaluation, predictions=final.predictions, rows_test=final.rows_test)
                return self.directory.final, kept
            why = f"the last fit on all rows did not end well ({final.failure.message.rstrip('.')})"
        if not blend.is_blend(best):
            self.say(
                events.Note(text=f"The predictor has not learnt from the rows it was measured on: {why}.", caveat=True)
            )
            return measured, best.evaluation
        self.say(events.Note(text=f"The best attempt alone is handed over, not a mean of several: {why}."))
        self.take_back_means(journal)  # their members were measured one by one, so they have no model yet
        return self.final_model(journal, task)

    def take_back_means(self, journal: Journal) -> None:
        """Go on as if only single attempts had been measured."""
        single = [attempt for attempt in journal.attempts if not blend.is_blend(attempt)]
        if len(single) == len(journal.attempts):
            return
        journal.attempts = single
        best = journal.best()
        found = self.new_best(best.number, best.evaluation) if best and best.evaluation else {}
        self.directory.update(attempts=journal.summaries(), **found)
        self.directory.keep_journal(journal)

    def refit(self, best: Attempt, task: Task, seconds: float) -> Evaluation:
        """The best solution once more, on all labelled rows."""
        final = self.directory.final
        shutil.rmtree(final, ignore_errors=True)
        final.mkdir()
        with self.stopwatch.stage("refit", "Training the best solution once more on all labelled rows"):
            return self.harness(task).refit(
                self.directory.attempt(best.number), final, Telling(best.number, final, self.say), fit_seconds=seconds,
                deadline_seconds=self.trials.deadline(),
            )  # fmt: skip

    # -- small parts

    @property
    def ideas(self) -> Ideas | None:
        """Attempts written by a language model, when one is connected."""
        return self.assistant.ideas if self.assistant else None

    def policy(self, profile: Profile, task: Task) -> Search:
        """Which attempts come, for a task; raises UserError when no recipe carries it."""
        with self.stopwatch.stage("recall", "Choosing the tools for this task"):
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

    def kept(self, journal: Journal, task: Task) -> float:
        """Seconds an attempt leaves for the last fit of the best so far: a forecast without the latest rows is a poor one."""
        best = journal.best()
        if not task.series or best is None or best.evaluation is None:
            return 0.0
        return 1.5 * (best.evaluation.seconds.get("fit", 0.0) + search.overhead(journal.comparable())) + GRACE

    def forget_split(self) -> None:
        """The question changed: scores before and after cannot be compared."""
        shutil.rmtree(self.directory.path / "split", ignore_errors=True)

    def say(self, event: events.Event) -> None:
        self.directory.events.append(event)

    def end(self, state: str, message: str) -> RunRecord:
        """Leave the run in its last state; the message is for the person."""
        self.trials.close()
        self.rooms.close()
        self.downloads.close()
        shutil.rmtree(self.directory.path / "work", ignore_errors=True)
        if self.assistant is not None:
            self.assistant.dismiss()
        record = self.directory.update(
            state=state, message=message, finished=time.time(), spent=round(self.budget.spent, 1), timings=self.stopwatch.seconds,
            llm_usage=self.assistant.usage if self.assistant else {}, pid=None, pid_started=None,
        )  # fmt: skip
        self.say(events.State(state=state, message=message))
        return record
