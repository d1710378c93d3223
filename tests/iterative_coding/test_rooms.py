"""Sandboxes that are started before they are needed."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from mlzero.iterative_coding.guard import Limits
from mlzero.iterative_coding.rooms import Rooms
from mlzero.iterative_coding.sandbox import choose

FITS = """
from pathlib import Path

def fit(train, model_dir, time_limit):
    Path(model_dir, "lines.txt").write_text(str(len(train)))
"""


def test_the_one_that_waits_is_taken_and_works(tmp_path: Path) -> None:
    import pandas as pd

    with Rooms(choose(), tmp_path, Limits(3000, 500)) as rooms:
        rooms.prepare(["json"])
        waiting = rooms._waiting
        with rooms.take() as server:
            assert server is waiting
            server.take_up(FITS)
            pd.DataFrame({"a": [1, 2, 3]}).to_parquet(server.frames / "train.parquet")
            assert server.wait_ready(30, threading.Event()) is None
            outcome = server.call("fit", "fit", {"call": "fit", "rows": "train.parquet", "time_limit": 5}, 30, lambda: False)  # fmt: skip
            assert outcome.failure is None
            assert (server.model / "lines.txt").read_text() == "3"


def test_one_that_has_died_is_replaced(tmp_path: Path) -> None:
    with Rooms(choose(), tmp_path, Limits(3000, 500)) as rooms:
        rooms.prepare(["json"])
        waiting = rooms._waiting
        assert waiting is not None
        waiting.job.kill()
        with rooms.take() as server:
            server.take_up(FITS)
            assert server is not waiting and server.wait_ready(30, threading.Event()) is None


def test_a_solution_is_fitted_again_where_it_was_measured(tmp_path: Path) -> None:
    with Rooms(choose(), tmp_path, Limits(3000, 500)) as rooms:
        server = rooms.take()
        for folder in (server.frames, server.model, server.out):
            (folder / "left").mkdir()
            (folder / "left" / "behind.txt").touch()
        rooms.give_back(server, FITS)
        with rooms.take_again(FITS) as again:
            assert again is server
            assert not any(any(folder.iterdir()) for folder in (again.frames, again.model, again.out))


@pytest.mark.parametrize("killed", [False, True])
def test_no_other_solution_gets_a_used_sandbox(killed: bool, tmp_path: Path) -> None:
    with Rooms(choose(), tmp_path, Limits(3000, 500)) as rooms:
        server = rooms.take()
        rooms.give_back(server, FITS)
        if killed:
            server.job.kill()
        with rooms.take_again(FITS if killed else FITS + "# of another attempt") as other:
            assert other is not server and server.job.poll() is not None
            assert not server.frames.parent.exists()
        rooms.give_back(rooms.take(), FITS)
    assert not any((tmp_path / "work" / "rooms").iterdir())


def test_closing_ends_the_one_that_waits(tmp_path: Path) -> None:
    rooms = Rooms(choose(), tmp_path, Limits(3000, 500))
    rooms.prepare(["json"])
    waiting = rooms._waiting
    rooms.close()
    assert waiting is not None and waiting.job.poll() is not None
    assert not any((tmp_path / "work" / "rooms").iterdir())


def test_works_where_no_home_can_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("MLZERO_HOME", str(tmp_path / "file" / "home"))
    with Rooms(choose(), tmp_path, Limits(3000, 500)) as rooms, rooms.take() as server:
        server.take_up(FITS)
        assert server.wait_ready(30, threading.Event()) is None


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("os.close(1); os.close(2); sys.stdout = sys.stderr = None", ""),
        ("sys.stdout.close(); sys.stderr.close(); raise ValueError('after all')", "ValueError: after all"),
        ("os.closerange(0, 1000); print('where to?')", "Bad file descriptor"),
    ],
)
def test_a_solution_may_close_its_streams(lines: str, said: str, tmp_path: Path) -> None:
    import pandas as pd

    with Rooms(choose(), tmp_path, Limits(3000, 500)) as rooms, rooms.take() as server:
        server.take_up(f"import os, sys\n\ndef fit(train, model_dir, time_limit):\n    {lines}\n")
        pd.DataFrame({"a": [1]}).to_parquet(server.frames / "train.parquet")
        assert server.wait_ready(30, threading.Event()) is None
        call = {"call": "fit", "rows": "train.parquet", "time_limit": 5}
        failure = server.call("fit", "fit", call, 30, lambda: False).failure
    assert said in failure.message if failure else not said


COUNTS = """
import os
from pathlib import Path

def fit(train, model_dir, time_limit):
    Path(model_dir, "cores.txt").write_text(str(sorted(os.sched_getaffinity(0))))
"""


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="cores can be given on Linux only")
def test_a_sandbox_keeps_to_its_cores_and_gets_all_back(tmp_path: Path) -> None:
    import pandas as pd

    every = sorted(os.sched_getaffinity(0))
    with Rooms(choose(), tmp_path, Limits(3000, 500)) as rooms, rooms.take() as server:
        for cores, seen in ((every[-1:], every[-1:]), ((), every)):
            server.take_up(COUNTS, cores)
            pd.DataFrame({"a": [1]}).to_parquet(server.frames / "train.parquet")
            assert server.wait_ready(30, threading.Event()) is None
            server.call("fit", "fit", {"call": "fit", "rows": "train.parquet", "time_limit": 5}, 30, lambda: False)
            assert (server.model / "cores.txt").read_text() == str(seen)
