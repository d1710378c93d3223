"""The loading sandbox: the only one that has the upload in sight. It reads, and never trains."""

from __future__ import annotations

import shutil
import sys
import time
from pathlib import Path

from mlzero.iterative_coding.contract import Failure
from mlzero.iterative_coding.endings import Broken, failure_of
from mlzero.iterative_coding.fork_server import WORKER
from mlzero.iterative_coding.frames import read_report
from mlzero.iterative_coding.guard import Guard
from mlzero.iterative_coding.setting import Setting

TICK = 0.05  # seconds


class Loading:
    """What `load_train`, `load_test` and `prepare` of one attempt left.

    Attributes
    ----------
    train, test
        Files of rows as they were read; there need be no `test`.
    prepared
        The folder that `prepare` wrote to.
    answers
        File for what the attempt answered on the holdout.
    """

    def __init__(self, folder: Path) -> None:
        self._loaded, self.prepared = folder / "loaded", folder / "prepared"
        self._report = self._loaded / "load.json"
        self.train, self.test = self._loaded / "train.parquet", self._loaded / "test.parquet"
        self.answers = folder / "answers.parquet"

    @property
    def done(self) -> bool:
        """Whether an earlier call left its report."""
        return self._report.exists()

    def run(self, setting: Setting, solution: Path, until: float, stdout: int) -> float:
        """Call the functions of the solution; returns the memory in MB at its peak.

        Parameters
        ----------
        until
            By `time.monotonic()`; whatever still runs then is ended.
        stdout
            File descriptor for what is printed.

        Raises
        ------
        Broken
            When it fails, takes too long or uses too much, or when the user stops the run.
        """
        for folder in (self._loaded, self.prepared):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
        data, limits = setting.data_dir, setting.rooms.limits
        argv = [sys.executable, "-I", "-u", *map(str, (WORKER, "load", solution, data, self._loaded, self.prepared))]
        with setting.rooms.sandbox.start(
            argv, read_only=[WORKER, solution, data], writable=[self._loaded, self.prepared],
            memory_mb=limits.memory_mb, file_mb=limits.disk_mb, stdout=stdout,
        ) as job:  # fmt: skip
            guard = Guard(job, [self._loaded, self.prepared], limits)
            while job.poll() is None:
                if cut := guard.look():
                    raise Broken(Failure("load", *cut))
                if setting.stop.is_set():
                    raise Broken(Failure("load", "stopped", "Stopped on request."))
                if time.monotonic() >= until:
                    raise Broken(Failure("load", "timeout", "Reading the data took all the time there was."))
                time.sleep(TICK)
            failure = failure_of("load", job.wait(), read_report(self._report), guard.memory_ran_out())
        if failure:
            raise Broken(failure)
        return guard.peak_mb
