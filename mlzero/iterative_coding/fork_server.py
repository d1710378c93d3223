"""The training sandbox seen from outside: one for every attempt, one fresh process a call."""

from __future__ import annotations

import ast
import json
import os
import select
import shutil
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mlzero.iterative_coding.contract import Failure
from mlzero.iterative_coding.endings import failure_of
from mlzero.iterative_coding.frames import read_report
from mlzero.iterative_coding.guard import Guard, Limits
from mlzero.iterative_coding.output import Output
from mlzero.iterative_coding.sandbox import Sandbox
from mlzero.semantic_memory.hub import VARIABLE, cache

WORKER = Path(__file__).with_name("worker.py")
IMPORTED_LATER = {"autogluon.tabular": ("torch", "lightgbm", "networkx")}  # by a fit or a load, in every process anew
HEAVY = ("autogluon.tabular", "autogluon.timeseries", "autogluon.multimodal", "torch", "sklearn", "lightgbm", "scipy")
ALWAYS = ("pandas", "pyarrow.parquet")
TICK = 0.05  # seconds


@dataclass
class Outcome:
    """How a call ended."""

    seconds: float
    memory_mb: float
    failure: Failure | None


class ForkServer:
    """Imports the heavy libraries once, then forks for `fit` and every `predict`; a context manager.

    It can be started before there is a solution, so that the libraries are imported while something else goes on.

    Parameters
    ----------
    folder
        Made anew; holds `frames/` (what calls read, the solution included; read-only inside), `model/` and `out/`.
    readable
        Further folders that calls may read.
    """

    def __init__(self, sandbox: Sandbox, folder: Path, limits: Limits, readable: Sequence[Path]) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        self.frames, self.out = folder / "frames", folder / "out"
        self.solution = self.frames / "solution.py"
        self.model = folder / "model"
        for part in (self.frames, self.out, self.model):
            part.mkdir(parents=True)
        self.output = Output()
        their_read, self._write = os.pipe()
        self._read, their_write = os.pipe()
        argv = [sys.executable, "-I", "-u", str(WORKER), "serve", str(self.solution)]
        argv += [*map(str, (self.frames, self.model, self.out)), str(their_read), str(their_write)]
        try:
            self.job = sandbox.start(
                argv, read_only=[WORKER, self.frames, *readable], writable=[self.model, self.out], cwd=self.out, env={VARIABLE: str(cache())},
                memory_mb=limits.memory_mb, file_mb=limits.disk_mb, pass_fds=(their_read, their_write),
                stdout=self.output.fd,
            )  # fmt: skip
        except BaseException:
            self._close()
            raise
        finally:
            os.close(their_read)
            os.close(their_write)
        self.guard = Guard(self.job, [self.model, self.out], limits)
        self._buffer = b""
        self._closed = False
        self._calls = 0
        self._imports = 0

    def preload(self, modules: Sequence[str]) -> None:
        """Import these before the next call; returns at once."""
        self._imports += 1
        self._send({"imports": self._imports, "modules": list(modules)})

    def take_up(self, source: str, cores: Sequence[int] = ()) -> None:
        """Work on this solution from now on, on these cores or on all."""
        self.solution.write_text(source, encoding="utf-8")
        self._send({"cores": list(cores)})
        self.preload(modules_of(source))

    def clear(self) -> None:
        """Empty its folders for another use."""
        for folder in (self.frames, self.model, self.out):
            for part in folder.iterdir():
                shutil.rmtree(part) if part.is_dir() and not part.is_symlink() else part.unlink()

    def __enter__(self) -> ForkServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.job.kill()
        self._close()
        shutil.rmtree(self.frames.parent, ignore_errors=True)

    def _close(self) -> None:
        self.output.close()
        os.close(self._read)
        os.close(self._write)

    def wait_ready(self, seconds: float, stop: threading.Event) -> Failure | None:
        """Wait until the libraries are imported."""
        return self._answer("imported", self._imports, seconds, "fit", stop.is_set)[1]

    def call(
        self, name: str, stage: str, command: dict[str, Any], seconds: float, stopped: Callable[[], bool]
    ) -> Outcome:
        """Run one call in a fresh process and wait for its end.

        Parameters
        ----------
        name
            Names the report the call leaves.
        command
            What the worker is asked, see worker.py.
        seconds
            After these the call is ended.
        stopped
            Asked often; True ends the call.
        """
        self._calls += 1
        report = self.out / f"{name}.json"
        for stale in (report, self.out / str(command.get("out", "none"))):
            with suppress(FileNotFoundError):
                stale.unlink()
        begun = time.monotonic()
        self._send({"id": self._calls, "name": name, **command})
        answer, cut = self._answer("id", self._calls, seconds, stage, stopped)
        if cut is not None:
            self._end_call()
        memory = max(self.guard.peak_mb, float(answer.get("memory_mb", 0.0)) if answer else 0.0)
        failure = cut
        if answer is not None:
            failure = failure_of(
                stage, int(answer.get("exit", 1)), read_report(report), self.guard.memory_ran_out(memory)
            )
        return Outcome(time.monotonic() - begun, memory, failure)

    def _end_call(self) -> None:
        """Kill what the call started; the server itself stays for the next call."""
        self._send({"kill": True})
        answer, _ = self._answer("id", self._calls, 5.0, "", lambda: False)
        if answer is None:
            self.job.kill()

    def _send(self, command: dict[str, Any]) -> None:
        with suppress(BrokenPipeError):  # its end is noticed while waiting for the answer
            os.write(self._write, json.dumps(command).encode() + b"\n")

    def _answer(
        self, key: str, value: Any, seconds: float, stage: str, stopped: Callable[[], bool]
    ) -> tuple[dict[str, Any] | None, Failure | None]:
        """The answer whose `key` is `value`, or the reason to wait no longer."""
        until = time.monotonic() + seconds
        while True:
            for answer in self._received():
                if answer.get(key) == value:
                    return answer, None
            broken = self.guard.look()
            if broken is not None:
                return None, Failure(stage, *broken)
            if stopped():
                return None, Failure(stage, "stopped", "Stopped on request.")
            if time.monotonic() > until:
                return None, Failure(stage, "timeout", f"It was not done after {seconds:.0f} seconds.")
            if self.job.poll() is not None and (self._closed or not self._readable(0)):
                return None, failure_of(stage, self.job.poll() or 1, {}, self.guard.memory_ran_out())

    def _received(self) -> list[dict[str, Any]]:
        """Answers that came in, after a short wait."""
        if self._closed:
            time.sleep(TICK)
            return []
        if not self._readable(TICK):
            return []
        chunk = os.read(self._read, 65536)
        self._closed = not chunk
        *lines, self._buffer = (self._buffer + chunk).split(b"\n")
        found = []
        for line in lines:
            with suppress(ValueError):
                value = json.loads(line)
                if isinstance(value, dict):
                    found.append(value)
        return found

    def _readable(self, seconds: float) -> bool:
        return bool(select.select([self._read], [], [], seconds)[0])


def modules_of(source: str) -> list[str]:
    """What to import before the first call: the solution's own `PRELOAD`, else the heavy libraries it names.

    The text is parsed, not run; a file that cannot be parsed preloads only pandas.
    """
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return list(ALWAYS)
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "PRELOAD" for t in node.targets):
            with suppress(ValueError):
                return [*ALWAYS, *(str(name) for name in ast.literal_eval(node.value))]
    named: set[str] = set()
    for part in ast.walk(tree):
        if isinstance(part, ast.Import):
            named |= {alias.name for alias in part.names}
        elif isinstance(part, ast.ImportFrom) and part.module and not part.level:
            named |= {part.module, *(f"{part.module}.{alias.name}" for alias in part.names)}
    heavy = [h for h in HEAVY if any(n == h or n.startswith(h + ".") for n in named)]
    return [*ALWAYS, *dict.fromkeys([*heavy, *(later for h in heavy for later in IMPORTED_LATER.get(h, ()))])]
