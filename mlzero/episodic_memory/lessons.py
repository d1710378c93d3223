"""What earlier runs taught: which change mended a fault, and what worked on similar tasks."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from mlzero import config
from mlzero.episodic_memory.journal import Journal
from mlzero.iterative_coding.contract import Attempt, Variant
from mlzero.perception.task import Task

SCHEMA = """
create table if not exists remedies (
    signature text, recipe text, variant text, run text, time real, primary key (signature, recipe)
);
create table if not exists outcomes (
    run text, attempt integer, problem_type text, metric text, rows integer, recipe text, variant text,
    score real, baseline real, seconds real, time real, primary key (run, attempt)
);
"""


@dataclass(frozen=True)
class Lesson:
    """A remedy as shown to people."""

    signature: str
    recipe: str
    title: str
    run: str
    time: float


class Lessons:
    """An SQLite store that several processes may use at once."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = threading.Lock()
        self._database = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=30)
        self._database.execute("pragma journal_mode=wal")
        self._database.executescript(SCHEMA)

    @classmethod
    def open(cls) -> Lessons:
        """The store under `config.home()`."""
        return cls(config.home() / "memory.sqlite")

    def record(self, run: str, journal: Journal, attempt: Attempt, task: Task) -> None:
        """Keep what an attempt taught: its outcome, and that it mended its parent's fault when it did."""
        evaluation = attempt.evaluation
        if evaluation is None or not evaluation.valid:
            return
        variant = json.dumps(asdict(attempt.variant))
        with self._lock:
            self._database.execute(
                "insert or replace into outcomes values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (run, attempt.number, task.problem_type.value, evaluation.metric, evaluation.rows_train, attempt.variant.recipe,
                 attempt.variant.name, evaluation.score, evaluation.baseline, sum(evaluation.seconds.values()), time.time()),
            )  # fmt: skip
            parent = next((a for a in journal.attempts if a.number == attempt.parent), None)
            if parent is not None and parent.diagnosis is not None:
                self._database.execute(
                    "insert or replace into remedies values (?, ?, ?, ?, ?)",
                    (parent.diagnosis.signature, attempt.variant.recipe, variant, run, time.time()),
                )

    def remedy(self, signature: str, recipe: str) -> Variant | None:
        """The variant that mended this fault before."""
        with self._lock:
            row = self._database.execute(
                "select variant from remedies where signature = ? and recipe = ?", (signature, recipe)
            ).fetchone()
        return Variant(**json.loads(row[0])) if row else None

    def remedies(self) -> list[Lesson]:
        """Everything learnt about faults, the newest first."""
        with self._lock:
            rows = self._database.execute("select signature, recipe, variant, run, time from remedies order by time desc").fetchall()
        return [Lesson(s, r, json.loads(v)["title"], run, t) for s, r, v, run, t in rows]

    def count(self) -> int:
        """Remedies and outcomes kept."""
        with self._lock:
            row = self._database.execute("select (select count(*) from remedies) + (select count(*) from outcomes)").fetchone()
        return int(row[0])

    def clear(self) -> None:
        with self._lock:
            self._database.executescript("delete from remedies; delete from outcomes;")
