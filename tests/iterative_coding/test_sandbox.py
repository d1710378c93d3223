"""Choosing a sandbox, and what holds for any program in it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from mlzero.errors import UserError
from mlzero.iterative_coding import sandbox
from mlzero.iterative_coding.fork_server import modules_of
from mlzero.iterative_coding.guard import Limits
from mlzero.iterative_coding.sandbox import Sandbox, bubblewrap, choose


@pytest.fixture(params=["bubblewrap", "restricted"])
def box(request: pytest.FixtureRequest) -> Sandbox:
    try:
        return choose(request.param)
    except UserError as error:
        pytest.skip(str(error))


def said(box: Sandbox, program: str, **options: object) -> str:
    """What a Python program prints inside."""
    read, write = os.pipe()
    with box.start([sys.executable, "-c", program], stdout=write, **options) as job:  # type: ignore[arg-type]
        os.close(write)
        with os.fdopen(read) as file:
            text = file.read()
        job.wait(30)
    return text.strip()


def test_forced_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(sandbox.VARIABLE, "restricted")
    assert choose().name == "restricted" and not choose().isolated
    assert sandbox.describe().endswith(".")
    monkeypatch.setenv(sandbox.VARIABLE, "fortress")
    with pytest.raises(UserError, match="fortress"):
        choose()


def test_falls_back_when_bubblewrap_is_missing_or_forbidden(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'No permissions to create new namespace' >&2; exit 1\n")
    broken.chmod(0o755)
    for folder in (tmp_path, tmp_path / "empty"):
        monkeypatch.setenv("PATH", f"{folder}")
        assert sandbox._choose.__wrapped__("auto").name == "restricted"
        with pytest.raises(UserError, match="bubblewrap"):
            sandbox._choose.__wrapped__("bubblewrap")


def test_packages_writable_folder_and_home(box: Sandbox, tmp_path: Path) -> None:
    text = said(
        box,
        "import pydantic, os; open('x', 'w').write('1'); print(os.environ['HOME'], os.getcwd())",
        writable=[tmp_path],
    )
    assert text == f"{tmp_path} {tmp_path}" and (tmp_path / "x").exists()


def test_inherited_descriptors_and_variables(box: Sandbox) -> None:
    read, write = os.pipe()
    said(box, f"import os; os.write({write}, os.environ['COLOUR'].encode())", env={"COLOUR": "red"}, pass_fds=(write,))
    os.close(write)
    with os.fdopen(read) as file:
        assert file.read() == "red"


def test_limits(box: Sandbox, tmp_path: Path) -> None:
    program = """
try: bytearray(900 << 20); print("memory")
except MemoryError: print("no memory")
try: open("big", "wb").write(bytes(30 << 20)); print("disk")
except OSError: print("no disk")
"""
    assert said(box, program, writable=[tmp_path], memory_mb=500, file_mb=20).split("\n") == ["no memory", "no disk"]


def test_it_ends_with_the_program_that_started_it(box: Sandbox, tmp_path: Path) -> None:
    starter = f"""
import sys, time
from pathlib import Path
from mlzero.iterative_coding.sandbox import choose
job = choose({box.name!r}).start([sys.executable, "-c", "import time\\nwhile True: open('beat', 'w').write(str(time.time())); time.sleep(.05)"], writable=[Path({str(tmp_path)!r})])
time.sleep(60)
"""
    root = Path(sandbox.__file__).parents[3]
    process = subprocess.Popen([sys.executable, "-c", starter], cwd=root)
    try:
        while not (tmp_path / "beat").exists():
            time.sleep(0.05)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    time.sleep(0.3)
    last = (tmp_path / "beat").read_text()
    time.sleep(0.3)
    assert (tmp_path / "beat").read_text() == last


def test_usage_counts_children(box: Sandbox) -> None:
    program = "import os, time; x = bytearray(60 << 20); x[::4096] = b'1' * len(x[::4096]); os.fork(); os.fork(); time.sleep(30)"
    with box.start([sys.executable, "-c", program]) as job:
        until = time.monotonic() + 10
        while time.monotonic() < until and (job.usage()[1] < 4 or job.usage()[0] < 60):
            time.sleep(0.05)
        memory, processes = job.usage()
        assert processes >= 4 and 60 < memory < 200  # shared pages count once
        members = [p.pid for p in psutil.Process(job.pid).children(recursive=True)]
    assert not any(psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE for pid in members)


def test_nothing_is_left_in_the_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    said(choose("restricted"), "import tempfile; tempfile.mkdtemp()")
    assert list(tmp_path.iterdir()) == []


def test_an_interpreter_behind_several_links_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As uv lays it out: .venv/bin/python -> cpython-3.11/bin/python -> (folder link) cpython-3.11.7/bin/python."""
    real, minor, venv = tmp_path / "cpython-3.11.7", tmp_path / "cpython-3.11", tmp_path / "venv"
    (real / "bin").mkdir(parents=True)
    (venv / "bin").mkdir(parents=True)
    (real / "bin" / "python").touch()
    minor.symlink_to(real)
    (venv / "bin" / "python").symlink_to(minor / "bin" / "python")
    for name, value in {
        "executable": venv / "bin" / "python",
        "prefix": venv,
        "exec_prefix": venv,
        "base_prefix": minor,
    }.items():
        monkeypatch.setattr(sys, name, str(value))
    assert {str(real), str(minor), str(venv)} <= set(bubblewrap._python_folders.__wrapped__())


def test_limits_of_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limits = Limits.of_machine(tmp_path)
    assert 100 < limits.memory_mb < psutil.virtual_memory().total / 2**20 and 0 < limits.disk_mb <= 20_000
    monkeypatch.setenv("MLZERO_MEMORY_MB", "90")
    assert Limits.of_machine(tmp_path).memory_mb == 90


@pytest.mark.parametrize(
    ("source", "modules"),
    [
        ("import pandas", []),
        (
            "def fit(a, b, c):\n    from autogluon.tabular import TabularPredictor",
            ["autogluon.tabular", "torch", "lightgbm", "networkx"],
        ),
        ("from autogluon import tabular", ["autogluon.tabular", "torch", "lightgbm", "networkx"]),
        ("import sklearn.linear_model, torchvision", ["sklearn"]),
        ("PRELOAD = ['json', 'torch']\nimport sklearn", ["json", "torch"]),
        ("PRELOAD = [name for name in ()]\nimport sklearn", ["sklearn"]),
        ("def broken(:", []),
    ],
)
def test_what_is_imported_early(source: str, modules: list[str]) -> None:
    assert modules_of(source) == ["pandas", "pyarrow.parquet", *modules]
