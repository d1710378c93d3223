"""How calls of a solution end: from an exit status and the worker's report to a Failure."""

from __future__ import annotations

import errno
import re
import signal
from typing import Any

from mlzero.iterative_coding.contract import Failure, FailureKind

OUT_OF_MEMORY = re.compile(
    r"bad[_ ]?alloc|cannot allocate memory|not enough memory|out of memory|unable to allocate", re.I
)
DISK_FULL = frozenset({errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)})


class Broken(Exception):
    """A stage did not end well; ends the attempt."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure
        super().__init__(failure.message)


def contract_broken(stage: str, message: str) -> Broken:
    """What to raise when a solution left something other than what was agreed."""
    return Broken(Failure(stage, "contract", message))


def failure_of(stage: str, status: int, report: dict[str, Any], memory_ran_out: bool) -> Failure | None:
    """What went wrong in a call, or None.

    Parameters
    ----------
    stage
        The stage the call belongs to.
    status
        Exit status, negative for a signal.
    report
        What the worker wrote: `{"problem": None}` after a good end, `{}` when it could not write.
    memory_ran_out
        Whether something speaks for the memory when the program was killed.
    """
    problem = report.get("problem")
    if isinstance(problem, dict):
        return _told(stage, problem)
    if status == 0:
        if "problem" in report:
            return None
        return Failure(stage, "contract", "The program ended itself before it was done.")
    if status in (-signal.SIGKILL, 128 + signal.SIGKILL):
        if memory_ran_out:
            return Failure(stage, "memory", "The system ended the program, most likely because memory ran out.")
        return Failure(stage, "killed", "The program was ended from outside.")
    if status == -getattr(signal, "SIGXFSZ", 25):
        return Failure(stage, "disk", "The program wrote a file that is larger than allowed.")
    if status < 0:
        return Failure(stage, "killed", f"The program crashed ({signal.Signals(-status).name}).")
    return Failure(stage, "killed", f"The program ended with status {status} and left no message.")


def _told(stage: str, problem: dict[str, Any]) -> Failure:
    name, message, trace = (str(problem.get(key) or "") for key in ("exception", "message", "trace"))
    kind: FailureKind = "exception"
    if problem.get("contract"):
        return Failure(stage, "contract", message, trace=trace)
    if problem.get("memory") or problem.get("errno") == errno.ENOMEM or OUT_OF_MEMORY.search(message):
        kind = "memory"
    elif problem.get("errno") in DISK_FULL:
        kind = "disk"
    return Failure(stage, kind, f"{name}: {message}" if message else name, exception=name, trace=trace)
