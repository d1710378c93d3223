"""Runs inside the sandbox: calls the functions of a solution and leaves results as files.

Started as a plain script, never imported, so it needs nothing but the standard library and pandas::

    python worker.py load  SOLUTION DATA_DIR OUT_DIR PREPARED_DIR
    python worker.py serve SOLUTION FRAMES_DIR MODEL_DIR OUT_DIR READ_FD WRITE_FD

`load` calls load_train, load_test and prepare, then ends. `serve` imports modules once and forks a
fresh process for every call that is asked for on the control pipe, one JSON object a line:

    {"cores": [0, 1]}                                     from now on only these; all when none is named
    {"imports": 1, "modules": ["autogluon.tabular"]}  ->  {"imported": 1}
    {"id": 1, "call": "fit", "rows": "train.parquet", "time_limit": 30}  ->  {"id": 1, "exit": 0, "memory_mb": 512.0}
    {"id": 2, "call": "predict", "rows": "holdout.parquet", "out": "holdout.parquet"}
    {"kill": true}                                        ends the call that is running

The pipe is closed in the forked process. What went wrong in a call stands in OUT_DIR/<call>.json.
"""

import contextlib
import gc
import importlib
import importlib.util
import json
import os
import select
import signal
import sys
import time
import traceback
from pathlib import Path

LIBRARY_FRAMES = 3  # last frames outside the solution that are kept of a traceback
LONGEST_MESSAGE = 2000  # characters


class Contract(Exception):
    """The solution returned something other than what was agreed."""


# -- calling the solution


def solution_module(path):
    """The solution, importable as `solution` so that what it pickles can be read back."""
    spec = importlib.util.spec_from_file_location("solution", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["solution"] = module
    spec.loader.exec_module(module)
    return module


def load(solution, data_dir, out_dir, prepared_dir):
    module = solution_module(solution)
    train = module.load_train(Path(data_dir))
    write_frame(train, out_dir / "train.parquet", "load_train")
    test = module.load_test(Path(data_dir)) if hasattr(module, "load_test") else None
    if test is not None:
        write_frame(test, out_dir / "test.parquet", "load_test")
    if hasattr(module, "prepare"):
        module.prepare(Path(data_dir), prepared_dir)


def fit(solution, command, frames_dir, model_dir, out_dir):
    import pandas as pd

    train = pd.read_parquet(frames_dir / command["rows"])
    solution_module(solution).fit(train, model_dir, float(command["time_limit"]))


def predict(solution, command, frames_dir, model_dir, out_dir):
    import pandas as pd

    rows = pd.read_parquet(frames_dir / command["rows"])
    write_frame(solution_module(solution).predict(rows, model_dir), out_dir / command["out"], "predict")


CALLS = {"fit": fit, "predict": predict}


# -- frames


def write_frame(frame, path, source):
    """Write with the index kept; columns that hold several kinds of values become text."""
    import pandas as pd
    import pyarrow as pa

    if isinstance(frame, pd.Series):
        frame = frame.to_frame()
    if not isinstance(frame, pd.DataFrame):
        raise Contract(f"{source} returned {type(frame).__name__}, not a table")
    twice = frame.columns[frame.columns.duplicated()]
    if len(twice):
        raise Contract(f"{source} returned the column {twice[0]!r} twice")
    frame = frame.rename(columns=str)
    try:
        frame.to_parquet(path)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, TypeError, ValueError):
        for name in frame.select_dtypes("object").columns:
            kept = frame[name].notna()
            frame = frame.assign(**{name: frame[name].astype(object).where(~kept, frame[name].astype(str))})
        frame.to_parquet(path)


# -- telling what went wrong


def describe(error, solution):
    """The error as JSON-able data, with the solution's own frames and the last library frames."""
    frames = [
        f
        for f in traceback.extract_tb(error.__traceback__)
        if f.filename != __file__ and not f.filename.startswith("<frozen")
    ]
    keep = {i for i, f in enumerate(frames) if f.filename == str(solution)}
    keep |= set(range(max(0, len(frames) - LIBRARY_FRAMES), len(frames)))
    chosen = [frames[i] for i in sorted(keep)]
    message = str(error).strip()[:LONGEST_MESSAGE]
    name = type(error).__name__
    text = "".join(traceback.format_list(chosen)) + (f"{name}: {message}" if message else name)
    return {
        "exception": name,
        "message": message,
        "trace": text.replace(str(Path(solution).parent) + os.sep, ""),
        "errno": getattr(error, "errno", None),
        "contract": isinstance(error, Contract),
        "memory": isinstance(error, MemoryError),
    }


def guarded(report, solution, function, *arguments):
    """Call, write the report, and return the exit status."""
    problem = None
    try:
        function(*arguments)
    except BaseException as error:
        problem = describe(error, solution)
        with contextlib.suppress(Exception):  # whatever the solution has made of the streams
            traceback.print_exc()
    with contextlib.suppress(OSError):
        report.write_text(json.dumps({"problem": problem}), encoding="utf-8")
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    return 1 if problem else 0


# -- the server that forks


class Server:
    """Imports once, forks for every call; one call at a time."""

    def __init__(self, solution, frames_dir, model_dir, out_dir, requests, answers):
        self.solution = solution
        self.folders = (frames_dir, model_dir, out_dir)
        self.requests, self.answers = requests, answers
        self.buffer = b""
        self.cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else ()

    def run(self):
        adopt_orphans()
        while True:
            command = self.receive(None)
            if command is None:
                break
            if "cores" in command:
                self.keep_to(command["cores"])
            if "modules" in command:
                self.preload(command["modules"])
                self.answer({"imported": command["imports"]})
            if "call" in command:
                self.answer(self.call(command))
        end_descendants()

    def keep_to(self, cores):
        """Use only these cores, or all that were there at first; where the system cannot do that, all."""
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, cores or self.cores)

    def preload(self, modules):
        for name in modules:
            try:
                importlib.import_module(name)
            except Exception as error:
                print(f"Could not import {name} early: {error}")
        gc.collect()
        gc.freeze()

    def call(self, command):
        child = os.fork()
        if child == 0:
            self.become(command)
        while True:
            done, status, usage = os.wait4(child, os.WNOHANG)
            if done:
                break
            asked = self.receive(0.02)
            if asked is None or asked.get("kill"):
                end_descendants(but_wait_for=child)
                _, status, usage = os.wait4(child, 0)
                break
        end_descendants()
        scale = 1024 if sys.platform == "linux" else 1024**2
        return {"id": command["id"], "exit": os.waitstatus_to_exitcode(status), "memory_mb": usage.ru_maxrss / scale}

    def become(self, command):
        """The forked process: make the call and end. Never returns."""
        status = 1
        try:
            os.close(self.requests)
            os.close(self.answers)
            os.setsid()
            end_with_parent()
            call = CALLS[command["call"]]
            report = self.folders[2] / f"{command['name']}.json"
            status = guarded(report, self.solution, call, self.solution, command, *self.folders)
        finally:
            os._exit(status)

    def receive(self, timeout):
        """The next command; {} when there is none within `timeout` seconds, None when the pipe was closed."""
        while b"\n" not in self.buffer:
            ready, _, _ = select.select([self.requests], [], [], timeout)
            if not ready:
                return {}
            chunk = os.read(self.requests, 65536)
            if not chunk:
                return None
            self.buffer += chunk
        line, _, self.buffer = self.buffer.partition(b"\n")
        return json.loads(line)

    def answer(self, value):
        os.write(self.answers, json.dumps(value).encode() + b"\n")


def control_process(option, value):
    """Linux's prctl; nothing elsewhere."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def adopt_orphans():
    """Processes whose parent ends become children of this one, so that none escapes."""
    control_process(36, 1)


def end_with_parent():
    control_process(1, int(signal.SIGKILL))


def end_descendants(but_wait_for=None):
    """Kill everything below this process; collect all but one child, whose status the caller wants."""
    import psutil

    me = psutil.Process()
    for _ in range(100):
        left = me.children(recursive=True)
        for process in left:
            with contextlib.suppress(psutil.Error):
                process.kill()
        for process in left:
            if process.pid != but_wait_for:
                with contextlib.suppress(OSError):
                    os.waitpid(process.pid, os.WNOHANG)
        if all(process.pid == but_wait_for for process in left):
            return
        time.sleep(0.01)


def main(arguments):
    kind, solution = arguments[0], Path(arguments[1])
    sys.path.append(str(solution.parent))
    if kind == "load":
        data_dir, out_dir, prepared_dir = map(Path, arguments[2:5])
        return guarded(out_dir / "load.json", solution, load, solution, data_dir, out_dir, prepared_dir)
    frames_dir, model_dir, out_dir = map(Path, arguments[2:5])
    Server(solution, frames_dir, model_dir, out_dir, int(arguments[5]), int(arguments[6])).run()
    return 0


if __name__ == "__main__":
    status = main(sys.argv[1:])
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)  # what libraries still run in threads could abort an orderly end
