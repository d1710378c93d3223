"""The language model at the service of one run: what it may do there, and what that costs."""

from __future__ import annotations

import threading
from typing import Any

from mlzero.episodic_memory.lessons import Lessons
from mlzero.errors import UserError
from mlzero.iterative_coding.contract import Attempt, Machine
from mlzero.iterative_coding.ideas import Ideas
from mlzero.iterative_coding.sandbox import Sandbox
from mlzero.llm import providers, resolve
from mlzero.llm.hint_reader import HintReader
from mlzero.llm.meter import Meter
from mlzero.llm.model import LanguageModel
from mlzero.llm.review import Correction, review
from mlzero.perception import child, override
from mlzero.perception.profile import Profile
from mlzero.perception.task import Task
from mlzero.runs import RunDirectory


def connect(directory: RunDirectory, sandbox: Sandbox, lessons: Lessons, machine: Machine) -> Assistant | None:
    """The assistant that the run's settings ask for; None when there is none: a run never fails for want of it."""
    record = directory.record()
    try:
        connection = resolve(record.settings.llm, record.owner)
    except UserError as error:
        directory.note(f"{error.message} The run goes on without a language model, by MLZero's own rules.")
        return None
    if connection is None:
        return None
    threading.Thread(target=providers.load, args=(connection,), daemon=True).start()  # while the data is read
    meter = Meter.resumed(connection.caps, record.llm_usage)
    model = LanguageModel(connection, record.owner, meter, directory.events.append, directory.path / "llm")
    if not sandbox.isolated:
        directory.note(f"A language model writes code in this run. {sandbox.description}")
    return Assistant(model, directory, lessons, machine)


class Assistant:
    """A connected language model with the work it does in a run.

    Attributes
    ----------
    ideas
        Attempts that it writes.
    interpret
        Reads a hint, by rules where they suffice.
    """

    def __init__(self, model: LanguageModel, directory: RunDirectory, lessons: Lessons, machine: Machine) -> None:
        self._model, self._directory = model, directory
        self.ideas = Ideas(model, lessons, directory.attempt, machine, directory.events.append)
        self.interpret = HintReader(model)

    def reviewed(self, profile: Profile, task: Task) -> Task:
        """The task with those corrections of the model that hold against the data; they are kept in the settings."""
        for found in review(self._model, task, profile):
            try:
                task = self._corrected(found, profile)
            except UserError as error:
                text = f"The language model would set {found.field} to {found.value}, but {error.message}"
            else:
                text = f"The language model set {found.field} to {found.value}: {found.reason}"
            self._directory.note(text)
        return task

    def _corrected(self, found: Correction, profile: Profile) -> Task:
        record = self._directory.record()
        overrides = override.merged(record.settings.overrides, {found.field: found.value}, profile)
        _, corrected = child.perceive(self._directory.path, record.goal, overrides)
        self._directory.update(settings=record.settings.model_copy(update={"overrides": overrides}))
        return corrected

    def count(self, attempt: Attempt, *, best: bool) -> None:
        """Count an attempt that has been judged, when the model wrote it; `best`: it is the best so far."""
        if attempt.variant.by_model:
            usage = self._model.meter.usage
            usage.attempts += 1
            usage.valid += attempt.evaluation is not None and attempt.evaluation.valid
            usage.won += best

    @property
    def usage(self) -> dict[str, Any]:
        """Calls, tokens, dollars and attempts so far, as `llm_usage` of the run."""
        return self._model.meter.to_json()

    def dismiss(self) -> None:
        """The run has ended: answers that still come in are counted and not told."""
        self._model.closed = True
