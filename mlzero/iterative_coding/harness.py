"""Runs a solution in the sandbox and measures it. Split, truth and score live on this side only."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Sequence
from pathlib import Path

from mlzero.iterative_coding import metrics
from mlzero.iterative_coding.contract import Emit, Evaluation, Failure
from mlzero.iterative_coding.fork_server import modules_of
from mlzero.iterative_coding.rooms import Rooms
from mlzero.iterative_coding.setting import Setting
from mlzero.iterative_coding.stages import Stages
from mlzero.perception.task import Task


class Harness:
    """Measures the solutions of one run on the same rows.

    Parameters
    ----------
    rooms
        Where solutions run.
    data_dir, run_dir
        The upload (read-only to solutions) and the folder of the run (not visible to them).
    task
        What is wanted.
    stop
        Set when the user wants the run to end.
    """

    def __init__(
        self,
        rooms: Rooms,
        data_dir: Path,
        run_dir: Path,
        task: Task,
        stop: threading.Event,
    ) -> None:
        self.setting = Setting(rooms, data_dir.resolve(), run_dir.resolve(), task, stop)
        self.metric = metrics.get(task.metric.value)

    def evaluate(
        self,
        attempt: int,
        attempt_dir: Path,
        emit: Emit,
        *,
        fit_seconds: float,
        deadline_seconds: float,
        more: bool = True,
        cores: Sequence[int] = (),
    ) -> Evaluation:
        """Load, split, fit, predict in fresh processes, score. Every failure is in the result, none is raised.

        Parameters
        ----------
        attempt_dir
            Holds `solution.py`; gets model, log, predictions and `result.json`.
        fit_seconds
            The time limit the solution is told. It may overrun by half before it is cut and salvaged.
        deadline_seconds
            Seconds until everything is killed.
        more
            Whether another attempt may follow, whose sandbox can be started.
        cores
            Numbers of the cores it may use; all when none is named.
        """
        attempt_dir = attempt_dir.resolve()
        evaluation = Evaluation(attempt, self.metric.name, self.metric.higher_is_better)
        with Stages(self.setting, attempt_dir, attempt_dir, emit, evaluation, deadline_seconds, cores=cores) as work:
            work.load(fresh=True)
            work.split()
            work.fit(fit_seconds)
            if more:
                self.setting.rooms.prepare(modules_of(work.source))
            work.score()
            work.predict_test()
            work.judge()
            work.importance()
        save(evaluation, attempt_dir)
        return evaluation

    def not_run(self, attempt: int, failure: Failure) -> Evaluation:
        """The evaluation of a solution that could not even be started."""
        return Evaluation(attempt, self.metric.name, self.metric.higher_is_better, failure=failure)

    def refit(
        self, attempt_dir: Path, final_dir: Path, emit: Emit, *, fit_seconds: float, deadline_seconds: float
    ) -> Evaluation:
        """Fit the attempt's solution on all labelled rows and predict the test rows.

        A solution with `CONTINUES = True` finds the model of the attempt in its folder and goes on from there.

        The result has the score and checks of the attempt; its failure and files are its own.
        """
        attempt_dir, final_dir = attempt_dir.resolve(), final_dir.resolve()
        final_dir.mkdir(parents=True, exist_ok=True)
        evaluation = Evaluation.from_json(json.loads((attempt_dir / "result.json").read_text(encoding="utf-8")))
        evaluation.seconds, evaluation.memory_mb, evaluation.failure, evaluation.predictions = {}, 0.0, None, None
        evaluation.salvaged = False
        shutil.copyfile(attempt_dir / "solution.py", final_dir / "solution.py")
        with Stages(self.setting, attempt_dir, final_dir, emit, evaluation, deadline_seconds, again=True) as work:
            work.load(fresh=False)
            work.go_on_from(attempt_dir / "model")
            work.all_rows()
            work.fit(fit_seconds, salvage=False)
            work.predict_test()
        save(evaluation, final_dir)
        return evaluation


def save(evaluation: Evaluation, folder: Path) -> None:
    """Leave the evaluation in the folder of its attempt."""
    (folder / "result.json").write_text(
        json.dumps(evaluation.to_json(), ensure_ascii=False, indent=1), encoding="utf-8"
    )
