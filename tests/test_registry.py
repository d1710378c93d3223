import sqlite3
import subprocess
import sys
import threading
import time

import psutil
import pytest

from mlzero.errors import UserError
from mlzero.registry import Registry
from mlzero.runs import ENDED, RunDirectory, RunSettings


class Work:
    """Runs that last until they are let go."""

    def __init__(self):
        self.go = threading.Event()
        self.began = []

    def __call__(self, directory: RunDirectory):
        self.began.append(directory.id)
        directory.claim()
        while not self.go.wait(0.02) and not directory.stop_file.exists():
            pass
        directory.update(state="stopped" if directory.stop_file.exists() else "done")


@pytest.fixture
def work():
    work = Work()
    yield work
    work.go.set()


def submit(registry, owner="ann"):
    run = registry.draft(owner)
    registry.submit(run.id, goal="g", settings=RunSettings())
    return run.id


def wait_for(condition):
    deadline = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < deadline, "did not happen"
        time.sleep(0.01)


def wait_for_the_end(registry, run):
    wait_for(lambda: RunDirectory(registry.runs / run).record().state in ENDED)


def test_runs_beyond_the_slots_wait_their_turn(tmp_path, work):
    registry = Registry(tmp_path, work, slots=1)
    first, second, third = (submit(registry) for _ in range(3))
    wait_for(lambda: work.began == [first])
    assert [registry.position(run) for run in (first, second, third)] == [None, 1, 2]
    registry.stop(second)
    assert registry.get(second, "ann").record().state == "stopped"
    assert registry.position(third) == 1
    work.go.set()
    wait_for_the_end(registry, third)
    assert work.began == [first, third]


def test_a_second_start_leaves_the_run_as_it_is(tmp_path, work):
    registry = Registry(tmp_path, work, slots=1)
    run = submit(registry)
    wait_for(lambda: RunDirectory(registry.runs / run).record().state == "running")
    registry.submit(run, goal="another", settings=RunSettings())
    record = RunDirectory(registry.runs / run).record()
    assert (record.state, record.goal, registry.position(run)) == ("running", "g", None)


def test_an_owner_sees_only_their_runs(tmp_path, work):
    registry = Registry(tmp_path, work, slots=1)
    run = submit(registry, "ann")
    assert registry.get(run, "ann") is not None
    assert registry.get(run, "bob") is None
    assert registry.get("nothing", "ann") is None
    assert registry.list("bob") == []


def test_drafts_are_not_history(tmp_path, work):
    registry = Registry(tmp_path, work, slots=1)
    registry.draft("ann")
    run = submit(registry)
    assert [record.id for record in registry.list("ann")] == [run]


def test_stop_reaches_a_run_at_work(tmp_path, work):
    registry = Registry(tmp_path, work, slots=1)
    run = submit(registry)
    wait_for(lambda: run in work.began)
    registry.stop(run)
    wait_for_the_end(registry, run)
    assert registry.get(run, "ann").record().state == "stopped"


def test_the_database_is_filled_again_from_the_directories(tmp_path, work):
    work.go.set()
    registry = Registry(tmp_path, work, slots=1)
    run = submit(registry)
    wait_for_the_end(registry, run)
    for file in tmp_path.glob("registry.sqlite*"):
        file.unlink()
    again = Registry(tmp_path, work, slots=1)
    assert [record.id for record in again.list("ann")] == [run]


def test_after_a_crash_the_run_is_interrupted_and_can_be_resumed(tmp_path, work):
    path = tmp_path / "runs" / "abc"
    crashed = RunDirectory.create(path, owner="ann")
    crashed.write(crashed.record().model_copy(update={"state": "running", "pid": 1, "pid_started": 0.0}))
    registry = Registry(tmp_path, work, slots=1)
    assert registry.get("abc", "ann").record().state == "interrupted"
    assert work.began == []
    work.go.set()
    registry.resume("abc")
    wait_for_the_end(registry, "abc")
    assert registry.get("abc", "ann").record().state == "done"


def test_only_an_ended_run_is_resumed(tmp_path, work):
    registry = Registry(tmp_path, work, slots=1)
    run = submit(registry)
    wait_for(lambda: registry.get(run, "ann").record().state == "running")
    with pytest.raises(UserError, match="running"):
        registry.resume(run)


def test_delete_removes_everything(tmp_path, work):
    registry = Registry(tmp_path, work, slots=1)
    run = submit(registry)
    wait_for(lambda: run in work.began)
    registry.delete(run)
    assert not (tmp_path / "runs" / run).exists()
    assert registry.get(run, "ann") is None


@pytest.mark.parametrize("told", [True, False])
def test_a_run_that_breaks_the_engine_frees_its_slot(tmp_path, told):
    def broken(directory):
        if told:
            directory.update(state="failed")
        raise RuntimeError("bug")

    registry = Registry(tmp_path, broken, slots=1)
    first, second = submit(registry), submit(registry)
    wait_for_the_end(registry, first)
    wait_for_the_end(registry, second)


def test_what_waits_in_another_process_is_left_to_it_while_it_lives(tmp_path, work):
    first = Registry(tmp_path, work, slots=0)
    run = submit(first)
    (first.get(run, "ann").perception_dir).mkdir(exist_ok=True)
    working = first.get(run, "ann").perception_dir / "working"
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        mark = f"{other.pid} {psutil.Process(other.pid).create_time()}"
        working.write_text(mark)
        with sqlite3.connect(tmp_path / "registry.sqlite") as database:
            database.execute("update runs set server = ?", (mark,))
        second = Registry(tmp_path, work, slots=1)
        time.sleep(0.2)
        assert work.began == [] and second.position(run) is None and working.exists()
        other.communicate(b"\n")
    Registry(tmp_path, work, slots=1)
    wait_for(lambda: work.began == [run])
    assert not working.exists()


@pytest.mark.parametrize("content", ["", "{", '{"id": "bad", "owner": "ann", "state": "of a newer version"}'])
def test_a_run_that_cannot_be_read_harms_no_other(tmp_path, work, content):
    work.go.set()
    registry = Registry(tmp_path, work, slots=1)
    good, bad = submit(registry), registry.draft("ann")
    (bad.path / "run.json").write_text(content)
    assert [record.id for record in registry.list("ann", drafts=True)] == [good]
    assert [record.id for record in Registry(tmp_path, work, slots=1).list("ann", drafts=True)] == [good]


def test_a_registry_of_an_older_kind_is_filled_again(tmp_path, work):
    run = submit(Registry(tmp_path, work, slots=0))
    with sqlite3.connect(tmp_path / "registry.sqlite") as database:
        database.execute("drop table runs")
        database.execute("create table runs (id text primary key, owner text, created real, queued real)")
        database.execute("pragma user_version = 0")
    again = Registry(tmp_path, work, slots=1)
    wait_for(lambda: work.began == [run])
    assert [r.id for r in again.list("ann")] == [run]
