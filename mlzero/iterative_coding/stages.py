"""The stages of one attempt: load, split, fit, predict, score. What each needs and leaves is on disk.

::

    <run>/split/           the run's one split: split.json, truth.parquet
    <run>/work/<attempt>/  loaded/ prepared/ from the loading sandbox
    <run>/work/rooms/      frames/ for, model/ and out/ from the training sandboxes
    <attempt>/model/       written by the solution, moved here when all is done
    <attempt>/stdout.log   what it printed
"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from mlzero.errors import UserError
from mlzero.iterative_coding import blend, evaluators
from mlzero.iterative_coding import labels as label_tools
from mlzero.iterative_coding.contract import Check, Emit, Evaluation, Failure
from mlzero.iterative_coding.endings import Broken, contract_broken
from mlzero.iterative_coding.frames import NotAFrame, read_frame, remove_links
from mlzero.iterative_coding.holdout import Holdout
from mlzero.iterative_coding.importance import importance, shuffled
from mlzero.iterative_coding.judge import judge
from mlzero.iterative_coding.kinds import Case, measure_of
from mlzero.iterative_coding.loading import Loading
from mlzero.iterative_coding.media import Media, NotInUpload, file_columns
from mlzero.iterative_coding.setting import Setting
from mlzero.perception.task import CLASSES
from mlzero.predictor.standalone.answers import write_predictions
from mlzero.semantic_memory.recipes.blend import members

if TYPE_CHECKING:
    import pandas as pd

AFTER_STOP = 15.0  # seconds a prediction may still take when the user pressed stop, so that a finished fit is not lost
IMPORTANCE = 15.0  # seconds that looking for the columns that matter may take
SALVAGE = 30.0  # seconds to try what an unfinished fit left


class Stages:
    """One solution on its way through the stages; a context manager.

    Parameters
    ----------
    again
        Whether the solution was measured before, and goes into the sandbox where it was if that is still there.
    cores
        Numbers of the cores that fit and predictions may use; all when none is named.
    """

    def __init__(
        self, setting: Setting, attempt_dir: Path, target_dir: Path, emit: Emit, evaluation: Evaluation, deadline: float,
        *, again: bool = False, cores: Sequence[int] = (),
    ) -> None:  # fmt: skip
        self.again, self.cores = again, cores
        self.setting, self.task, self.emit, self.evaluation = setting, setting.task, emit, evaluation
        self.target_dir = target_dir
        self.solution = target_dir / "solution.py"
        self.source = self.solution.read_text(encoding="utf-8")
        self.until = time.monotonic() + deadline
        self.loading = Loading(setting.run_dir / "work" / attempt_dir.name)
        self.holdout = Holdout(setting.run_dir / "split")
        self.measure = measure_of(setting.task.problem_type.value)
        self.media = Media(setting.data_dir, setting.run_dir)
        self.files = file_columns(setting.task)
        self.train: pd.DataFrame
        self.rows: pd.DataFrame
        self.test: pd.DataFrame | None = None
        self.predicted: pd.DataFrame
        self.known: list[str] = []  # labels that occur, as text

    def __enter__(self) -> Stages:
        rooms = self.setting.rooms
        self.server = rooms.take_again(self.source) if self.again else rooms.take()
        self.server.output.start(self.target_dir / "stdout.log", self.emit.log)
        self.server.take_up(self.source, self.cores)
        self.model_dir = self.server.model
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> bool:
        """Keep the model and end the sandbox, unless it may be needed again; a stage that broke is the failure of the evaluation."""
        keep = error is None and not self.again
        if keep:
            self.server.output.pause()
        else:
            self.server.job.kill()
        remove_links(self.model_dir)
        shutil.rmtree(self.target_dir / "model", ignore_errors=True)
        (self.target_dir / "model").mkdir()
        for part in self.model_dir.iterdir():  # one by one, because the sandbox goes on seeing the folder
            part.rename(self.target_dir / "model" / part.name)
        self.evaluation.memory_mb = round(max(self.evaluation.memory_mb, self.server.guard.peak_mb), 1)
        if keep:
            self.setting.rooms.give_back(self.server, self.source)
        else:
            self.server.__exit__()
        if isinstance(error, Broken):
            self.evaluation.failure = error.failure
        return isinstance(error, Broken)

    # -- stages

    def load(self, *, fresh: bool) -> None:
        """Run load_train, load_test and prepare where the upload is visible, and read what they left."""
        with self.stage("load"):
            if fresh or not self.loading.done:
                peak = self.loading.run(self.setting, self.solution, self.until, self.server.output.fd)
                self.evaluation.memory_mb = max(self.evaluation.memory_mb, peak)
            import pandas  # noqa: F401  (while the libraries of the training sandbox are being imported)

            self.train = self._frame("load", self.loading.train)
            if self.loading.test.exists():
                self.test = self._frame("load", self.loading.test).drop(columns=self.task.targets, errors="ignore")
            shutil.copytree(self.loading.prepared, self.model_dir, symlinks=True, dirs_exist_ok=True)
            remove_links(self.model_dir)
            self._check_train()
            if self.task.problem_type.value in CLASSES:
                self.known = label_tools.domain(self.task.labels, self.train[self.task.targets[0]])
            self.evaluation.rows_test = 0 if self.test is None else len(self.test)
        begun = time.monotonic()
        failure = self.server.wait_ready(self.left, self.setting.stop)
        self.evaluation.seconds["start"] = round(time.monotonic() - begun, 3)
        if failure:
            raise Broken(failure)

    def _check_train(self) -> None:
        train, targets = self.train, self.task.targets
        missing = [t for t in targets if t not in train.columns]
        if missing:
            raise contract_broken("load", f"load_train returned no column {missing[0]!r}, the target.")
        if not train.index.is_unique:
            raise contract_broken("load", "load_train returned the same row number for several rows.")
        if len(train) < 2:
            raise contract_broken("load", f"load_train returned {len(train)} labelled rows.")
        empty = int(train[targets[0]].isna().sum()) if len(targets) == 1 else 0
        if empty:
            raise contract_broken("load", f"load_train returned {empty:,} rows without a value of {targets[0]!r}.")

    def split(self) -> None:
        """Take the run's holdout out of the training rows; the first attempt makes it."""
        problem = self.holdout.take_or_make(self.train, self.task)
        if problem:
            raise contract_broken("load", problem)
        truth = self.holdout.truth
        self.rows = self.train.loc[truth.index].drop(columns=self.task.targets)
        self.train = self.train.drop(index=truth.index)
        self._write_frame("holdout", self.rows)
        self._write_frames()
        self.evaluation.rows_holdout = len(truth)

    def go_on_from(self, model: Path) -> None:
        """Lay an earlier model into the folder of a solution that goes on from one."""
        if continues(self.source):
            shutil.copytree(model, self.model_dir, symlinks=True, dirs_exist_ok=True)
            remove_links(self.model_dir)

    def all_rows(self) -> None:
        """For the last fit: nothing is kept aside."""
        self._write_frames()

    def _write_frames(self) -> None:
        self._write_frame("train", self.train)
        if self.test is not None:
            self._write_frame("test", self.test)
        self.evaluation.rows_train = len(self.train)

    def _write_frame(self, name: str, frame: pd.DataFrame) -> None:
        self.media.linked(frame, self.files).to_parquet(self.server.frames / f"{name}.parquet")

    def fit(self, seconds: float, *, salvage: bool = True) -> None:
        """Fit in a fresh process. When it is cut or breaks, what it saved is tried before giving up."""
        reserve = min(30.0, 2.0 + 0.15 * max(self.left, 0.0))
        limit = self.left - reserve
        with self.stage("fit"):
            if limit <= 1:
                raise Broken(Failure("fit", "timeout", "No time was left to train."))
            command = {"call": "fit", "rows": "train.parquet", "time_limit": min(seconds, limit)}
            before = set(self.model_dir.rglob("*"))
            outcome = self.server.call(
                "fit", "fit", command, min(limit, max(1.5 * seconds, seconds + 10)), self.setting.stop.is_set
            )
            failure = outcome.failure
            if failure is None:
                return
            saved = any(p.is_file() for p in set(self.model_dir.rglob("*")) - before)
            if not (salvage and saved and failure.kind != "contract"):
                raise Broken(failure)
            self._salvage(failure)

    def _salvage(self, failure: Failure) -> None:
        """Whether a model that an unfinished fit left can predict the holdout; else its failure stands."""
        command = {"call": "predict", "rows": "holdout.parquet", "out": "salvage.parquet"}
        seconds = max(2.0, min(SALVAGE, self.left))
        outcome = self.server.call("salvage", "fit", command, seconds, lambda: False)
        if outcome.failure is not None:
            raise Broken(failure)
        self.evaluation.salvaged = True
        self.evaluation.checks.append(Check("fit came to its end", False, f"Training ended early ({failure.message}); what it had saved is used.", fatal=False))  # fmt: skip

    def score(self) -> None:
        """Predict the holdout in a fresh process and measure against the truth."""
        self.predicted = self._predict("holdout", self.rows)
        with self.stage("score"):
            evaluation, metric = self.evaluation, self.evaluation.metric
            case = Case(self.task, self.setting.data_dir, self.train, self.rows, self.holdout.truth, self.predicted)
            try:
                evaluation.score = self.measure.score(metric, case)
                evaluation.baseline, evaluation.baseline_text = self.measure.naive(metric, case)
            except UserError as error:
                raise Broken(Failure("score", "exception", str(error), exception="UserError")) from error
            self.measure.evaluate(case, self.target_dir / "evaluation")
            if self.task.problem_type.value in blend.TYPES:
                self.predicted.to_parquet(self.loading.answers)

    def predict_test(self) -> None:
        """Predict the rows that came with the upload and write them as asked."""
        if self.test is None or self.test.empty:
            return
        predicted = self._predict("test", self.test)
        output = self.task.output.value
        path = self.target_dir / Path(output.file_name).name
        try:
            written = write_predictions(self.test, predicted, output.model_dump(), self.task.facts(), path)
        except (OSError, ValueError) as error:  # a full disk, more rows than a sheet can hold
            message = f"The predictions could not be written: {error}"
            raise Broken(Failure("predict_test", "exception", message, exception=type(error).__name__)) from error
        self.evaluation.predictions = written.name

    def importance(self) -> None:
        """Predict the holdout with one column shuffled at a time, for the page; what goes wrong here harms nothing."""
        asked = None if self.files or self.left < 2 * IMPORTANCE else shuffled(self.rows, self.task)
        if asked is None:
            return
        asked.rows.to_parquet(self.server.frames / "shuffled.parquet")
        with self.stage("explain"), suppress(UserError, NotAFrame):
            command = {"call": "predict", "rows": "shuffled.parquet", "out": "shuffled.parquet"}
            outcome = self.server.call("shuffled", "explain", command, IMPORTANCE, self.setting.stop.is_set)
            if outcome.failure is None:
                answers = read_frame(self.server.out / "shuffled.parquet").reindex(asked.rows.index)
                found = importance(asked, self.task, self.holdout.truth, self.predicted, answers)
                evaluators.write(self.target_dir / "evaluation", "importance", {"columns": found})

    def judge(self) -> None:
        """Add what the judge finds about the score."""
        note = self.holdout.note
        if note:
            self.evaluation.checks.append(Check("split as planned", False, note, fatal=False))
        self.evaluation.checks += judge(
            self.evaluation, self.task, holdout=self.rows, truth=self.holdout.truth, test=self.test,
            model_dir=self.model_dir,
        )  # fmt: skip

    # -- parts of stages

    def _predict(self, which: str, rows: pd.DataFrame) -> pd.DataFrame:
        """Predictions for the frame `which`, in the order of `rows`."""
        stage = f"predict_{which}"
        with self.stage(stage):
            command = {"call": "predict", "rows": f"{which}.parquet", "out": f"{which}.parquet"}
            outcome = self.server.call(stage, stage, command, max(self.left, 2.0), _Patience(self.setting.stop))
            if outcome.failure:
                raise Broken(outcome.failure)
            predicted = self._frame(stage, self.server.out / f"{which}.parquet")
            checks = self.measure.check(predicted, rows, self.task, self.known, which)
            self.evaluation.checks += checks
            for check in checks:
                if check.fatal and not check.passed:
                    raise contract_broken(stage, check.detail)
            return predicted.loc[rows.index]

    def _frame(self, stage: str, path: Path) -> pd.DataFrame:
        """A table from the sandbox, its files named relative to the upload."""
        try:
            frame = read_frame(path)
            return self.media.relative(frame, self.files) if stage == "load" else frame
        except (NotAFrame, NotInUpload) as error:
            raise contract_broken(stage, f"{error}.") from error

    @property
    def left(self) -> float:
        """Seconds until the deadline."""
        return self.until - time.monotonic()

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Tell that a stage begins and ends, and keep its seconds."""
        begun = time.monotonic()
        self.emit.stage(name, "started")
        state = "failed"
        try:
            yield
            state = "finished"
        finally:
            seconds = round(time.monotonic() - begun, 3)
            self.evaluation.seconds[name] = seconds
            self.emit.stage(name, state, seconds, round(self.server.guard.peak_mb, 1))


def continues(source: str) -> bool:
    """Whether a solution says that its fit goes on from a model in its folder."""
    return not members(source) and "\nCONTINUES = True" in source


class _Patience:
    """Says "stopped" only some seconds after the stop: predictions of a finished fit are worth the wait."""

    def __init__(self, stop: threading.Event) -> None:
        self._stop, self._since = stop, 0.0

    def __call__(self) -> bool:
        if not self._stop.is_set():
            return False
        self._since = self._since or time.monotonic()
        return time.monotonic() - self._since > AFTER_STOP
