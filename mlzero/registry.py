"""The runs of one server: owners, queue, threads. What a run *is* stands in its directory.

The SQLite file beside the runs only says who owns which run and in what order they wait; it is
filled again from the directories when it is lost.
"""

from __future__ import annotations

import functools
import logging
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from mlzero import config, processes
from mlzero.errors import UserError
from mlzero.perception import child
from mlzero.runs import ENDED, RunDirectory, RunRecord, RunSettings, new_run_id, record_in

log = logging.getLogger(__name__)

SCHEMA = """
create table if not exists runs (
    id text primary key, owner text not null, created real not null, queued real, server text
)
"""
VERSION = 1  # of the schema; an older file is filled again from the directories


class Registry:
    """Owners, queue and worker threads over a folder of runs.

    Parameters
    ----------
    root
        The folder that holds `runs/` and `registry.sqlite`.
    work
        What runs a run from its directory to its end (the engine).
    slots
        Runs at work at the same time; the others wait.
    """

    def __init__(self, root: Path, work: Callable[[RunDirectory], Any], slots: int) -> None:
        self.root = root
        self.runs = root / "runs"
        self.runs.mkdir(parents=True, exist_ok=True)
        self._work = work
        self._slots = slots
        self._lock = threading.RLock()
        self._active: dict[str, threading.Thread] = {}
        self._perceiving: dict[str, int] = {}
        self._turns: dict[str, threading.Lock] = {}
        self._database = sqlite3.connect(root / "registry.sqlite", check_same_thread=False, isolation_level=None)
        self._database.execute("pragma journal_mode=wal")
        if self._database.execute("pragma user_version").fetchone()[0] < VERSION:
            self._database.execute("drop table if exists runs")
            self._database.execute(f"pragma user_version = {VERSION}")
        self._database.execute(SCHEMA)
        self._rebuild()
        self._dispatch()

    # -- runs

    def draft(self, owner: str) -> RunDirectory:
        """A new run that waits for its data and goal."""
        directory = RunDirectory.create(self.runs / new_run_id(), owner=owner)
        self._insert(directory.record())
        return directory

    def get(self, run_id: str, owner: str) -> RunDirectory | None:
        """The run, when it exists and belongs to `owner`; no difference is made between the two."""
        row = self._database.execute("select owner from runs where id = ?", (run_id,)).fetchone()
        return self._directory(run_id) if row and row[0] == owner and self._exists(run_id) else None

    def list(self, owner: str, *, drafts: bool = False) -> list[RunRecord]:
        """Runs of one owner, the newest first."""
        records = [record_in(self.runs / run_id) for run_id in self._owned(owner) if self._exists(run_id)]
        return [r for r in records if r and (drafts or r.state != "draft")]

    def unreadable(self, owner: str) -> dict[str, str]:
        """Runs of one owner that `list` leaves out because nothing can be read of them: id -> why."""
        found = {}
        for run_id in self._owned(owner):
            try:
                RunDirectory(self.runs / run_id).record()
            except FileNotFoundError:  # deleted
                continue
            except UserError as error:
                found[run_id] = str(error)
        return found

    def delete(self, run_id: str) -> None:
        """Stop the run if need be and remove everything it left."""
        thread = self._active.get(run_id)
        if thread is not None:
            self._directory(run_id).ask_to_stop()
            thread.join(60)
        with self._lock:
            self._database.execute("delete from runs where id = ?", (run_id,))
            shutil.rmtree(self.runs / run_id, ignore_errors=True)

    # -- understanding

    def perceive(self, run_id: str, goal: str, overrides: dict[str, str] | None = None) -> None:
        """Begin to understand the upload; a later call replaces an earlier one. Returns at once."""
        directory = self._directory(run_id)
        with self._lock:
            turn = self._perceiving[run_id] = self._perceiving.get(run_id, 0) + 1
            directory.perception_dir.mkdir(exist_ok=True)
            (directory.perception_dir / "working").write_text(processes.mark(), encoding="utf-8")

        def understand() -> None:
            with self._turns.setdefault(run_id, threading.Lock()):
                if self._perceiving.get(run_id) != turn:
                    return
                with suppress(UserError):  # it stands in perception/error.json, which the page shows
                    child.perceive(directory.path, goal, overrides or {})

        threading.Thread(target=understand, name=f"perceive-{run_id[:6]}", daemon=True).start()

    # -- queue

    def submit(self, run_id: str, *, goal: str, settings: RunSettings) -> None:
        """Put a draft into the queue; one that was started already, as from another window, goes on as it is."""
        directory = self._directory(run_id)
        with self._lock:
            if directory.record().state != "draft":
                return
            directory.update(goal=goal, settings=settings, state="queued")
        for hint in settings.hints:
            directory.add_hint(hint)
        self._enqueue(run_id)

    def resume(self, run_id: str) -> None:
        """Queue an interrupted, stopped or failed run again; it goes on from what is on disk."""
        directory = self._directory(run_id)
        record = directory.record()
        if record.state not in ENDED:
            raise UserError(f"The run is {record.state}.", "Only a run that has ended can be resumed.")
        directory.stop_file.unlink(missing_ok=True)
        directory.write(record.model_copy(update={"state": "queued", "message": "", "pid": None}))
        self._enqueue(run_id)

    def position(self, run_id: str) -> int | None:
        """Place in the queue from 1, or None when the run does not wait."""
        waiting = self._waiting()
        return waiting.index(run_id) + 1 if run_id in waiting else None

    def stop(self, run_id: str) -> None:
        """End the run soon with the best it has; a waiting run leaves the queue."""
        directory = self._directory(run_id)
        with self._lock:
            if run_id in self._waiting():
                self._database.execute("update runs set queued = null where id = ?", (run_id,))
                directory.update(state="stopped", message="Stopped before it began.", finished=time.time())
                return
        directory.ask_to_stop()

    def hint(self, run_id: str, text: str) -> str:
        """Leave a hint; the run answers in its events."""
        return self._directory(run_id).add_hint(text)

    # -- inside

    def _directory(self, run_id: str) -> RunDirectory:
        return _directory(self.runs / run_id)

    def _owned(self, owner: str) -> Sequence[str]:
        """Runs of one owner, the newest first."""
        rows = self._database.execute("select id from runs where owner = ? order by created desc", (owner,))
        return [run_id for (run_id,) in rows.fetchall()]

    def _exists(self, run_id: str) -> bool:
        return (self.runs / run_id / "run.json").exists()

    def _waiting(self) -> Sequence[str]:
        """Runs in the queue of this process; others on the same folder have their own."""
        rows = self._database.execute(
            "select id from runs where queued is not null and server = ? order by queued", (processes.mark(),)
        )
        return [row[0] for row in rows.fetchall() if row[0] not in self._active]

    def _enqueue(self, run_id: str) -> None:
        self._database.execute(
            "update runs set queued = ?, server = ? where id = ?", (time.time(), processes.mark(), run_id)
        )
        self._dispatch()

    def _dispatch(self) -> None:
        with self._lock:
            for run_id in self._waiting()[: max(0, self._slots - len(self._active))]:
                thread = threading.Thread(target=self._worker, args=(run_id,), name=f"run-{run_id[:6]}", daemon=True)
                self._active[run_id] = thread
                thread.start()

    def _worker(self, run_id: str) -> None:
        directory = self._directory(run_id)
        try:
            if directory.record().state == "queued":  # else another process took it up
                self._work(directory)
        except Exception:
            log.exception("run %s", run_id)
            with suppress(FileNotFoundError, UserError):  # deleted or damaged meanwhile
                if directory.record().state not in ENDED:  # the engine could not even say so
                    text = "Something went wrong inside MLZero. The log has the details."
                    directory.update(state="failed", message=text, finished=time.time())
        finally:
            with self._lock:
                self._active.pop(run_id, None)
                self._database.execute("update runs set queued = null where id = ?", (run_id,))
            self._dispatch()

    def _insert(self, record: RunRecord) -> None:
        queued = record.created if record.state == "queued" else None
        self._database.execute(
            "insert or ignore into runs values (?, ?, ?, ?, null)", (record.id, record.owner, record.created, queued)
        )

    def _rebuild(self) -> None:
        """Know every run on disk; those whose process died are kept as interrupted, those that it left waiting wait here."""
        for path in self.runs.iterdir():
            record = record_in(path) if (path / "run.json").exists() else None
            if record is None:
                continue
            directory = self._directory(path.name)
            self._insert(record)
            if record.state == "interrupted":
                directory.write(record)
                self._database.execute("update runs set queued = null where id = ?", (record.id,))
            working = directory.perception_dir / "working"
            if working.exists() and not processes.alive(working.read_text(encoding="utf-8")):
                working.unlink(missing_ok=True)
        left = self._database.execute("select id, server from runs where queued is not null").fetchall()
        for run_id, server in left:
            if not (server and processes.alive(server)):
                self._database.execute(
                    "update runs set server = ? where id = ? and server is ?", (processes.mark(), run_id, server)
                )


@functools.lru_cache(maxsize=4096)
def _directory(path: Path) -> RunDirectory:
    """One object a run and process, so that its event log has one writer."""
    return RunDirectory(path)


@functools.cache
def _registry(root: Path) -> Registry:
    from mlzero import engine

    return Registry(root, engine.run, slots=max(1, config.machine().cores // 2))


def registry() -> Registry:
    """The registry of this process for `config.home()`."""
    return _registry(config.home())
