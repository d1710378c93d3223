"""What the memory of earlier runs saves: `python bench/episodic.py [--rows 10000]`.

Two runs on a machine that is too small: a fit of more than a quarter of the rows runs out of memory. The first run
steps down until an attempt works. The second one, on another table of the same size, meets the same fault and looks up
what ended it. A third one has an empty memory again, for comparison. Each line says how many attempts it took until one
was valid, and how many seconds.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

import numpy as np
from make_examples import bicycles

from mlzero import engine
from mlzero.episodic_memory.lessons import Lessons
from mlzero.events import Best, EventLog, State
from mlzero.iterative_coding.coder import RecipeCoder
from mlzero.iterative_coding.contract import Variant
from mlzero.perception.profile import Profile
from mlzero.perception.task import Task
from mlzero.runs import RunDirectory, RunSettings

GOAL = "Predict the price sold_for of every bicycle in test.csv, judged by mean absolute error."
START = '    """Train within about `time_limit` seconds and leave the predictor in `model_dir`."""\n'


class Cramped(RecipeCoder):
    """The built-in coder on a machine where a fit of more than `most` rows runs out of memory."""

    def __init__(self, lessons: Lessons, most: int) -> None:
        super().__init__(lessons)
        self.most = most

    def write(self, task: Task, profile: Profile, variant: Variant) -> str:
        source = super().write(task, profile, variant)
        broken = f'    if len(train) > {self.most}:\n        raise MemoryError("Unable to allocate the table")\n'
        if START not in source:
            raise ValueError("the solution's fit has another docstring than this script looks for")
        return source.replace(START, START + broken, 1)


def one_run(place: Path, seed: int, rows: int, seconds: float) -> tuple[int, float]:
    """Attempts and seconds until the first valid one."""
    run = RunDirectory.create(place)
    frame = bicycles(np.random.default_rng(seed), rows + rows // 4)
    frame.iloc[:rows].to_csv(run.data / "train.csv", index=False)
    frame.iloc[rows:].drop(columns="sold_for").to_csv(run.data / "test.csv", index=False)
    run.update(goal=GOAL, settings=RunSettings(time_limit=seconds, max_attempts=8, llm="none"), state="queued")
    engine.run(run, coder=Cramped(Lessons.open(), rows // 4))
    told = EventLog(run.path / "events.jsonl").read()
    first = next(event for event in told if isinstance(event, Best))
    return first.attempt, first.time - next(event.time for event in told if isinstance(event, State))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--time-limit", type=float, default=120.0, help="seconds of each run")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mlzero-bench-") as folder:
        for name, home, seed in (
            ("first run", "home", 1),
            ("second run", "home", 2),
            ("second table, empty memory", "other", 2),
        ):
            os.environ["MLZERO_HOME"] = str(Path(folder) / home)
            attempts, seconds = one_run(Path(folder) / name.replace(" ", "_"), seed, given.rows, given.time_limit)
            print(f"{name}: valid at attempt {attempts}, after {seconds:.1f} s", flush=True)


if __name__ == "__main__":
    main()
