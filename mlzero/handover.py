"""What a run hands over: predictions, a predictor proven to load, a report."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable
from pathlib import Path

from mlzero import events
from mlzero.episodic_memory.journal import Journal
from mlzero.iterative_coding.contract import Evaluation
from mlzero.iterative_coding.sandbox import Sandbox
from mlzero.perception.profile import Profile
from mlzero.perception.task import Task
from mlzero.predictor.packaging import package
from mlzero.predictor.proof import prove
from mlzero.predictor.report import write_report
from mlzero.runs import RunDirectory

log = logging.getLogger(__name__)


def hand_over(
    directory: RunDirectory,
    model_from: Path,
    task: Task,
    profile: Profile,
    journal: Journal,
    evaluation: Evaluation,
    sandbox: Sandbox,
    say: Callable[[events.Event], object],
) -> dict[str, str]:
    """Write the files of a run's end; name -> path relative to the run folder.

    A predictor that does not predict the same numbers from its own zip, in a fresh process, is not
    offered: the reason goes to the events.

    Parameters
    ----------
    model_from
        The folder whose `solution.py` and `model/` are handed over.
    evaluation
        Of the best attempt; `predictions` names the file of rows to predict inside `model_from`.
    """
    files: dict[str, str] = {}
    if evaluation.predictions:
        files["predictions"] = _take(model_from / evaluation.predictions, directory.path)
    try:
        proven = _predictor(directory, model_from, task, profile, evaluation, sandbox, say)
    except Exception as error:  # predictions and report are worth having all the same
        log.exception("packing %s", directory.path.name)
        proven = None
        text = f"The predictor could not be packed ({type(error).__name__}); the log has the details."
        say(events.Note(text=text, caveat=True))
    if proven:
        files["predictor"] = proven.name
    best = journal.best()
    report = directory.path / "report.html"
    try:
        write_report(
            directory.record().model_dump(mode="json"),
            directory.events.read(),
            task,
            profile,
            journal.attempts,
            directory.attempt(best.number) / "evaluation" if best else model_from / "evaluation",
            report,
        )
        files["report"] = report.name
    except Exception as error:  # the predictor is worth having all the same
        log.exception("report of %s", directory.path.name)
        say(events.Note(text=f"The report could not be written ({type(error).__name__}); the log has the details."))
    return files


def _predictor(
    directory: RunDirectory, model_from: Path, task: Task, profile: Profile, evaluation: Evaluation, sandbox: Sandbox,
    say: Callable[[events.Event], object],
) -> Path | None:  # fmt: skip
    """The zip, when it holds what it promises."""
    archive = package(model_from, task, profile, evaluation, directory.data, directory.path / "predictor.zip")
    proof = prove(archive, model_from, sandbox)
    if proof.ok:
        say(events.Note(text=proof.text))
        return archive
    archive.rename(archive.with_suffix(".unproven.zip"))
    say(events.Note(text=f"The predictor is not offered for download: {proof.text}", caveat=True))
    return None


def _take(source: Path, folder: Path) -> str:
    """Copy the predictions into the run's folder; the name of the one file to offer: of many pictures a zip."""
    target = folder / source.name
    if not source.is_dir():
        shutil.copyfile(source, target)
        return source.name
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target)
    return Path(shutil.make_archive(str(target), "zip", target)).name
