"""What earlier runs taught: which change mended a fault, and which variant was best on similar tasks."""

from __future__ import annotations

import json
import logging
import math
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mlzero import config
from mlzero.episodic_memory.journal import Journal
from mlzero.iterative_coding.contract import Attempt, Evaluation, Variant
from mlzero.perception.task import Task

log = logging.getLogger(__name__)

VERSION = 3  # of the schema; an older file is emptied
SCHEMA = """
create table remedies (
    signature text, recipe text, changes text, title text, idea text, cause text, run text, time real,
    primary key (signature, recipe)
);
create table outcomes (
    run text, attempt integer, problem_type text, size integer, recipe text, variant text, gain real, time real,
    primary key (run, attempt)
);
create table advice (
    owner text, signature text, recipe text, cause text, fix text, run text, time real,
    primary key (owner, signature, recipe)
);
"""
SHARED = ("remedies", "outcomes")  # tables that serve everybody
TABLES = (*SHARED, "advice")
CLEAR_WIN = 2  # runs by which a variant must be ahead before the order of trying changes


@dataclass(frozen=True)
class Remedy:
    """A change of a variant's options that mended a fault, and the run that found it."""

    changes: dict[str, Any]  # options that got another value; None: taken away
    title: str
    idea: str
    run: str

    def applied(self, variant: Variant) -> Variant | None:
        """The variant with the change; None when it has it already."""
        changes = dict(self.changes)
        share = changes.pop("sample_share", None)
        rows = variant.options.get("rows")
        if share and rows:
            changes["sample_rows"] = max(1, round(share * rows))
        options = {k: v for k, v in (variant.options | changes).items() if v is not None}
        if options == variant.options:
            return None
        return Variant(
            variant.recipe, f"{variant.name.split('-')[0]}-remembered", self.title, f"{self.idea} It helped in an earlier run.",
            options, variant.fit_seconds, min(variant.min_seconds, 5.0),
        )  # fmt: skip


@dataclass(frozen=True)
class Lesson:
    """A remedy as shown to people."""

    cause: str
    title: str
    recipe: str
    run: str
    time: float  # seconds since 1970


class Lessons:
    """An SQLite store that several processes may use at once. What cannot be read or written is only logged.

    Remedies and outcomes hold options of recipes and serve everybody. Advice is in words that a language model chose,
    possibly about the data: only the owner of the run gets it back.
    """

    def __init__(self, path: Path, owner: str = "") -> None:
        self._owner = owner
        self._lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._database = _opened(path)
        except (OSError, sqlite3.OperationalError) as error:  # locked, no room, no right to write
            log.warning("The lessons of earlier runs are out of reach (%s); this run does without them.", error)
            self._database = _opened(Path(":memory:"))
        except sqlite3.DatabaseError as error:
            log.warning("The lessons of earlier runs cannot be read (%s); %s is put aside.", error, path.name)
            path.replace(path.with_suffix(".damaged"))
            self._database = _opened(path)

    @classmethod
    def open(cls, owner: str = "") -> Lessons:
        """The store under `config.home()`."""
        return cls(config.home() / "memory.sqlite", owner)

    def record(self, run: str, journal: Journal, attempt: Attempt, task: Task) -> None:
        """Keep what a valid attempt taught: its gain over the naive guess, and every fault it ended."""
        evaluation = attempt.evaluation
        if evaluation is None or not evaluation.valid:
            return
        variant, now = attempt.variant, time.time()
        rows = variant.options.get("rows") or evaluation.rows_train
        outcome = (
            run,
            attempt.number,
            task.problem_type.value,
            _size(rows),
            variant.recipe,
            variant.name,
            _gain(evaluation),
            now,
        )
        failed_before = list(_mended(journal, attempt))
        advice = [
            (self._owner, fault.signature, variant.recipe, fault.cause, f"{variant.title}. {variant.idea}", run, now)
            for failed in failed_before
            if (fault := failed.diagnosis) and variant.by_model
        ]
        remedies = [
            (fault.signature, variant.recipe, json.dumps(changes), variant.title, variant.idea, fault.cause, run, now)
            for failed in failed_before
            if (fault := failed.diagnosis) and (changes := _changes(failed.variant, variant))
        ]
        try:
            with self._lock, self._database:
                self._database.execute("insert or replace into outcomes values (?, ?, ?, ?, ?, ?, ?, ?)", outcome)
                self._database.executemany("insert or replace into advice values (?, ?, ?, ?, ?, ?, ?)", advice)
                self._database.executemany("insert or replace into remedies values (?, ?, ?, ?, ?, ?, ?, ?)", remedies)
        except sqlite3.Error as error:
            log.warning("What this attempt taught could not be kept: %s", error)

    def remedy(self, signature: str, recipe: str) -> Remedy | None:
        """The change that mended this fault before."""
        rows = self._read(
            "select changes, title, idea, run from remedies where signature = ? and recipe = ?", signature, recipe
        )
        return Remedy(json.loads(rows[0][0]), *rows[0][1:]) if rows else None

    def advice(self, signature: str, recipe: str, most: int = 3) -> list[str]:
        """What mended faults of this recipe in earlier runs of the owner, in words: the same fault first, then the newest."""
        rows = self._read(
            "select cause, fix from advice where owner = ? and recipe = ? order by signature = ? desc, time desc limit ?",
            self._owner, recipe, signature, most,
        )  # fmt: skip
        return [f"Fault: {cause} What mended it: {fix}" for cause, fix in rows]

    def ordered(self, ladder: list[Variant], task: Task) -> list[Variant]:
        """The ladder with the variant that won clearly on similar tasks right after the first, quick one.

        Similar are tasks of the same kind with about as many rows; a win is the best gain among several variants
        of one run.
        """
        if len(ladder) < 3:
            return ladder
        rows = ladder[0].options.get("rows", 0)
        found = self._read(
            "select run, variant, gain from outcomes where problem_type = ? and size = ? and recipe = ?",
            task.problem_type.value, _size(rows), ladder[0].recipe,
        )  # fmt: skip
        wins = _wins(found, {variant.name for variant in ladder[1:]})
        leader = max(ladder[1:], key=lambda variant: wins[variant.name])
        if wins[leader.name] < wins[ladder[1].name] + CLEAR_WIN:
            return ladder
        return [ladder[0], leader, *(v for v in ladder[1:] if v is not leader)]

    def remedies(self) -> list[Lesson]:
        """Everything learnt about faults, the newest first."""
        return [
            Lesson(*row)
            for row in self._read(
                "select cause, title, recipe, run, time from remedies union all "
                "select cause, fix, recipe, run, time from advice where owner = ? order by 5 desc",
                self._owner,
            )
        ]

    def count(self) -> int:
        """Everything kept that the owner may see."""
        rows = [row for table in SHARED for row in self._read(f"select count(*) from {table}")]
        rows += self._read("select count(*) from advice where owner = ?", self._owner)
        return sum(int(row[0]) for row in rows)

    def clear(self) -> None:
        """Forget what all runs share, and the owner's own advice; that of others stays theirs."""
        with self._lock, self._database:
            for table in SHARED:
                self._database.execute(f"delete from {table}")
            self._database.execute("delete from advice where owner = ?", (self._owner,))

    def _read(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        try:
            with self._lock:
                return self._database.execute(query, values).fetchall()
        except sqlite3.Error as error:
            log.warning("What earlier runs taught could not be read: %s", error)
            return []


def _opened(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, check_same_thread=False, timeout=30)
    try:
        database.execute("pragma journal_mode=wal")
        database.execute("begin immediate")
        if database.execute("pragma user_version").fetchone()[0] != VERSION:
            for table in TABLES:
                database.execute(f"drop table if exists {table}")
            for statement in SCHEMA.split(";"):
                database.execute(statement)
            database.execute(f"pragma user_version = {VERSION}")
        database.commit()
    except sqlite3.DatabaseError:
        database.close()
        raise
    return database


def _size(rows: float) -> int:
    """Tables within a factor of about three of each other count as alike."""
    return round(2 * math.log10(max(rows, 1)))


def _gain(evaluation: Evaluation) -> float:
    """How much better than the naive guess, in parts of it."""
    if evaluation.score is None or evaluation.baseline is None:
        return 0.0
    gain = (evaluation.score - evaluation.baseline) / max(abs(evaluation.baseline), 1e-9)
    return gain if evaluation.higher_is_better else -gain


def _mended(journal: Journal, attempt: Attempt) -> Iterable[Attempt]:
    """The failed attempts that led to this one, the last first."""
    by_number = {a.number: a for a in journal.attempts}
    above = by_number.get(attempt.parent or 0)
    while above is not None and above.diagnosis is not None:
        yield above
        above = by_number.get(above.parent or 0)


def _changes(before: Variant, after: Variant) -> dict[str, Any]:
    """Options that differ; a number of rows is kept as a share, for other tables have other numbers."""
    if before.recipe != after.recipe or after.by_model:
        return {}
    keys = {*before.options, *after.options} - {"rows", "sample_rows"}
    changes = {k: after.options.get(k) for k in sorted(keys) if before.options.get(k) != after.options.get(k)}
    sample, rows = after.options.get("sample_rows"), after.options.get("rows")
    if sample and rows and sample != before.options.get("sample_rows"):
        changes["sample_share"] = sample / rows
    return changes


def _wins(outcomes: list[tuple[Any, ...]], names: set[str]) -> Counter[str]:
    """How often each variant was the best of a run that tried several of them."""
    runs: dict[str, dict[str, float]] = {}
    for run, name, gain in outcomes:
        if name in names:
            runs.setdefault(run, {})[name] = gain
    return Counter(max(gains, key=gains.__getitem__) for gains in runs.values() if len(gains) > 1)
