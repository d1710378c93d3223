"""Attempts written by a language model: thought up beside the training, checked before they cost a run."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from mlzero import events
from mlzero.episodic_memory.lessons import Lessons
from mlzero.iterative_coding import edits, inspection
from mlzero.iterative_coding.contract import AUTHOR, MODEL, STAGES, Attempt, Machine, Variant, best_of
from mlzero.iterative_coding.menu import Menu, menu_of
from mlzero.iterative_coding.outcome import why_not_valid
from mlzero.iterative_coding.output import tail
from mlzero.iterative_coding.sketch import sketch
from mlzero.llm.facts import attempts_words, data_words, task_words
from mlzero.llm.faults import ModelFailed
from mlzero.llm.model import LanguageModel
from mlzero.llm.prompts import render
from mlzero.perception.profile import Profile
from mlzero.perception.task import Task
from mlzero.semantic_memory import knowledge

READS = "reads"  # the option that says that it reads the data in its own way
PATIENCE = 2  # attempts of the model in a row that bring nothing, until it is asked no more
SHOWN = 9000  # characters of a solution that a model sees
ANSWER = 1800  # tokens
CHOICE = 120  # tokens of an answer that only chooses
TOOLS = 700  # tokens of cards and API
UNUSABLE = 3  # answers that cannot be run, until the model is asked no more


@dataclass(frozen=True)
class Proposal:
    """An attempt ready to run."""

    variant: Variant
    source: str
    parent: int


@dataclass
class Ideas:
    """A model at work on the attempts of one run.

    Parameters
    ----------
    model, lessons
        Who is asked, and what earlier runs taught.
    folder
        Gives the folder of an attempt.
    machine
        What there is to train on.
    say
        Where notes go.
    """

    model: LanguageModel
    lessons: Lessons
    folder: Callable[[int], Path]
    machine: Machine
    say: Callable[[events.Event], object]
    hints: list[str] = field(default_factory=list)
    urgent: bool = False  # a hint waits for an idea that follows it
    _thread: threading.Thread | None = None
    _ready: Proposal | None = None
    _over: bool = False
    _unusable: int = 0
    _goal: tuple[Task, Profile] | None = None

    @property
    def waits(self) -> bool:
        """Whether the model thinks only when nothing trains: it would take the cores."""
        return self.model.connection.here and not self.urgent

    def about(self, task: Task, profile: Profile) -> None:
        """The task in force; what was thought up for another one is dropped."""
        if self._goal is None or self._goal[0] != task:
            self._goal, self._ready, self._over = (task, profile), None, False

    def hint(self, text: str) -> None:
        """Something the user wants the next idea to follow; it has precedence over what is planned."""
        self.hints.append(text)
        self.urgent, self._over, self._ready, self._thread = True, False, None, None

    def think(self, attempts: list[Attempt]) -> None:
        """Begin an idea from the attempts on the task in force, unless one is under way or nothing more is to be had."""
        if self._ready is not None or (self._thread and self._thread.is_alive()) or self._exhausted(attempts):
            return
        base = (best_of(attempts) if self._weak else None) or _base(attempts)
        if base is None or self._goal is None:
            return
        arguments = (base, list(attempts), *self._goal)
        self._thread = threading.Thread(target=self._think, args=arguments, name="ideas", daemon=True)
        self._thread.start()

    def take(self, seconds: float) -> Proposal | None:
        """The idea, when it is ready within `seconds`."""
        if self._thread is not None:
            self._thread.join(seconds)
        found, self._ready = self._ready, None
        if found is not None:
            self.urgent = False
        return found

    # -- inside

    def _exhausted(self, attempts: list[Attempt]) -> bool:
        """Whether the model has nothing more to give: it said so, fails, or brings no gain."""
        if self._over or self.model.deaf or self._unusable >= UNUSABLE:
            return True
        if self.urgent:
            return False
        own = [a for a in attempts if a.variant.by_model]
        best = best_of(attempts)
        return len(own) >= PATIENCE and all(a is not best for a in own[-PATIENCE:])

    @property
    def _weak(self) -> bool:
        """Whether the model chooses from a menu: it is a small one, or what it wrote could not be used."""
        return self.model.connection.small or self._unusable > 0

    def _think(self, base: Attempt, attempts: list[Attempt], task: Task, profile: Profile) -> None:
        """Ask, check, ask once more when the answer cannot be used."""
        try:
            parent = (self.folder(base.number) / "solution.py").read_text(encoding="utf-8")
            broken = not _valid(base)
            if self._weak and not broken:
                if menu := menu_of(parent, numbers_of(task)).without(self._tried(attempts)):
                    self._choose(menu, base, attempts, task)
                return  # a later attempt may have something to choose from
            if broken:
                purpose, question = "repair", self._repair(base, parent, task, profile)
            else:
                purpose, question = "improve", self._improve(base, parent, attempts, task, profile)
            answer = self.model.ask(purpose, question, most_tokens=ANSWER)
            if re.search(r"IDEA:\W*none\b", answer, re.I):
                self._over = True
                return
            reading = broken and why_not_valid(base).stage == "load"
            try:
                source = usable(answer, parent, reading=reading)
            except ValueError as problem:
                again = render("again", question=question, problem=str(problem), answer=answer)
                answer = self.model.ask(f"{purpose} again", again, most_tokens=ANSWER)
                source = usable(answer, parent, reading=reading)
            variant = _variant(answer, base, attempts)
            if reading and inspection.reading_differs(source, parent):
                variant = replace(variant, options=variant.options | {READS: True})
            self._propose(Proposal(variant, source, base.number))
        except ModelFailed as failure:
            self.say(events.Note(text=f"No idea from the language model: {failure}"))
        except ValueError as problem:
            self._unusable += 1
            self.say(events.Note(text=f"The language model's code was not run: {problem}"))

    def _choose(self, menu: Menu, base: Attempt, attempts: list[Attempt], task: Task) -> None:
        """Let the model choose from a menu; once more when that cannot be used, then by numbers alone where there are any."""

        def question(menu: Menu) -> str:
            return render(
                "choose", **task_words(task), goal=task.goal, attempts=attempts_words(attempts),
                hints="\n".join(self.hints), parent=base.number, lines=menu.lines, columns=menu.columns,
            )  # fmt: skip

        answer = self.model.ask("choose", question(menu), most_tokens=CHOICE)
        try:
            source, words = self._chosen(menu, answer, attempts)
        except ValueError as problem:
            menu = replace(menu, columns=[]) if menu.choices else menu
            again = render("again", question=question(menu), problem=str(problem), answer=answer)
            answer = self.model.ask("choose again", again, most_tokens=CHOICE)
            source, words = self._chosen(menu, answer, attempts)
        variant = replace(_variant(answer, base, attempts), title=f"{words[:1].upper()}{words[1:]}"[:80])
        self._propose(Proposal(variant, source, base.number))

    def _chosen(self, menu: Menu, answer: str, attempts: list[Attempt]) -> tuple[str, str]:
        """The solution an answer makes of the menu's, and the choice in words; raises ValueError with what is wrong."""
        source, words = menu.apply(answer)
        inspection.inspect(source, menu.source)
        if source in self._tried(attempts):
            raise edits.DoesNotFit("That was tried already. Choose something else.")
        return source, words

    def _tried(self, attempts: list[Attempt]) -> set[str]:
        files = [self.folder(attempt.number) / "solution.py" for attempt in attempts]
        return {file.read_text(encoding="utf-8") for file in files if file.exists()}

    def _propose(self, proposal: Proposal) -> None:
        if threading.current_thread() is self._thread:  # else a hint came in between
            self._ready = proposal

    def _improve(self, base: Attempt, parent: str, attempts: list[Attempt], task: Task, profile: Profile) -> str:
        words = task_words(task)
        query = f"{task.goal} {words['problem']} {words['metric']} {' '.join(self.hints)} accuracy hyperparameters"
        return render(
            "improve", **words, facts=data_words(task, profile), attempts=attempts_words(attempts), hints="\n".join(self.hints),
            guides=_joined(knowledge.guides(query, 700)), lessons="\n".join(self.lessons.advice("", base.variant.recipe)),
            tools=_joined(knowledge.tools(parent, base.variant.recipe, query, TOOLS)), parent=base.number,
            sketch=sketch(parent, SHOWN), fit_seconds=round(base.variant.fit_seconds), cores=self.machine.cores,
        )  # fmt: skip

    def _repair(self, base: Attempt, parent: str, task: Task, profile: Profile) -> str:
        failure = why_not_valid(base)
        signature = base.diagnosis.signature if base.diagnosis else ""
        rule = "`prepare` stays as it is." if failure.stage == "load" else "change how it learns and predicts, never how data is read (what is marked fixed)."  # fmt: skip
        return render(
            "repair", **task_words(task), facts=data_words(task, profile), stage=STAGES[failure.stage],
            trace=f"{failure.message}\n{failure.trace}"[-2500:], log=tail(self.folder(base.number) / "stdout.log", 1200),
            hints="\n".join(self.hints), lessons="\n".join(self.lessons.advice(signature, base.variant.recipe)),
            tools=_joined(knowledge.tools(parent, base.variant.recipe, failure.message, TOOLS)),
            sketch=sketch(parent, SHOWN), reading_rule=rule, fit_seconds=round(base.variant.fit_seconds),
            cores=self.machine.cores,
        )  # fmt: skip


def usable(answer: str, parent: str, *, reading: bool = False) -> str:
    """The solution that an answer makes of its parent; raises ValueError with what is wrong about it."""
    source = edits.apply(answer, parent)
    if source == parent:
        raise edits.DoesNotFit("The edits change nothing.")
    inspection.inspect(source, parent, reading=reading)
    return source


def _base(attempts: list[Attempt]) -> Attempt | None:
    """What to work on: the model's own last failure, once; else the best attempt, else the last failure."""
    own = [a for a in attempts if a.variant.by_model]
    if own and not _valid(own[-1]):
        before = next((a for a in attempts if a.number == own[-1].parent), None)
        if before is None or _valid(before):  # it was no repair itself
            return own[-1]
    return best_of(attempts) or (attempts[-1] if attempts else None)


def _valid(attempt: Attempt) -> bool:
    return attempt.evaluation is not None and attempt.evaluation.valid


def _variant(answer: str, base: Attempt, attempts: list[Attempt]) -> Variant:
    """How the attempt is shown: title and reason in the model's own words."""

    def said(word: str) -> str:
        found = re.search(rf"^\W*{word}\W*:\s*(.+)$", answer, re.M | re.I)
        return " ".join(found.group(1).strip(" *`").split())[:200] if found else ""

    title = said("IDEA") or "An idea of the language model"
    reason = said("WHY") or said("FIX") or "Suggested by the language model."
    if gain := said("GAIN"):
        reason = f"{reason.rstrip('.')}. It expects {gain}"
    return replace(
        base.variant, name=f"model-{1 + sum(a.variant.by_model for a in attempts)}", title=title[:80], idea=reason,
        options=base.variant.options | {AUTHOR: MODEL}, min_seconds=min(base.variant.min_seconds, 5.0),
    )  # fmt: skip


def numbers_of(task: Task) -> list[str]:
    """The columns of numbers that a solution learns from."""
    return [feature.name for feature in task.used_features if feature.treat_as == "number"]


def _joined(passages: list[knowledge.Passage]) -> str:
    return "\n\n".join(map(str, passages))
