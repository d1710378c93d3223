"""What MLZero costs beside the training itself: `python bench/overhead.py [--rows 5000] [--repeats 3]`.

Each round runs four sides one after the other on the same table, each in a fresh process: `mlzero solve` with one
attempt; the solution it wrote as a plain script (`plain.py`), which fits once; the same with `--measured`, which measures
and fits again as a run does; and `bare.py`, the script a practitioner writes, with the same models and time limit. MLZero's
time is the whole command: reading and understanding, the attempt measured on its holdout, the last fit on all labelled
rows, packing the predictor and proving it in a fresh process.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from make_examples import bicycles

from mlzero.events import AttemptStarted, Best, EventLog
from mlzero.semantic_memory.recipes.models import FAMILIES

BENCH = Path(__file__).resolve().parent
GOAL = "Predict the price sold_for of every bicycle in test.csv, judged by mean absolute error."


def seconds(command: list[str], home: Path) -> float:
    """Wall time of a command; raises CalledProcessError when it fails."""
    begun = time.perf_counter()
    subprocess.run(
        command, check=True, env={**os.environ, "MLZERO_HOME": str(home)}, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )  # fmt: skip
    return time.perf_counter() - begun


def one_round(place: Path, rows: int, time_limit: float) -> dict[str, float]:
    """Both sides once; seconds by name."""
    data = place / "data"
    data.mkdir()
    frame = bicycles(np.random.default_rng(1), rows + rows // 4)
    frame.iloc[:rows].to_csv(data / "train.csv", index=False)
    frame.iloc[rows:].drop(columns="sold_for").to_csv(data / "test.csv", index=False)

    run = place / "run"
    begun = time.time()
    ours = seconds(
        [sys.executable, "-m", "mlzero", "solve", str(data), "--goal", GOAL, "--out", str(run),
         "--time-limit", str(time_limit), "--max-attempts", "1", "--json"],
        place,
    )  # fmt: skip
    told = EventLog(run / "events.jsonl").read()
    fit_seconds = next(event.fit_seconds for event in told if isinstance(event, AttemptStarted))
    timings = json.loads((run / "run.json").read_text(encoding="utf-8"))["timings"]

    plain = [sys.executable, str(BENCH / "plain.py"), str(run / "attempts" / "001" / "solution.py"), str(data)]
    plain_once = seconds([*plain, str(place / "once"), str(place / "once.csv"), str(fit_seconds)], place)
    plain_measured = seconds(
        [*plain, str(place / "measured"), str(place / "measured.csv"), str(fit_seconds), "--measured"], place
    )
    bare = seconds(
        [sys.executable, str(BENCH / "bare.py"), str(data / "train.csv"), str(data / "test.csv"), "sold_for",
         "mean_absolute_error", json.dumps(FAMILIES["quick"]), str(place / "model"), str(place / "bare.csv"),
         str(fit_seconds)],
        place,
    )  # fmt: skip
    first = next(event.time for event in told if isinstance(event, Best)) - begun
    refit = timings.get("refit", 0.0)
    return {
        "mlzero": ours, "plain": plain_once, "plain measured": plain_measured, "bare": bare, "first valid": first,
        "last fit": refit,
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=5_000, help="rows with an answer; a quarter more to predict")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--time-limit", type=float, default=120.0, help="seconds for the whole run of MLZero")
    given = parser.parse_args()
    rounds = []
    for _ in range(given.repeats):
        with tempfile.TemporaryDirectory(prefix="mlzero-bench-") as place:
            rounds.append(one_round(Path(place), given.rows, given.time_limit))
            print("  ".join(f"{name} {value:.1f} s" for name, value in rounds[-1].items()), flush=True)
    middle = {name: statistics.median(r[name] for r in rounds) for name in rounds[0]}
    print(f"median of {len(rounds)}, {given.rows:,} rows: " + ", ".join(f"{n} {v:.1f} s" for n, v in middle.items()))
    for name, ours, theirs in (
        ("mlzero / its solution as a script that measures and fits again", lambda r: r["mlzero"], "plain measured"),
        ("mlzero without its last fit / its solution as a script that fits once", lambda r: r["mlzero"] - r["last fit"], "plain"),
        ("mlzero / the script of a practitioner, which fits once", lambda r: r["mlzero"], "bare"),
    ):  # fmt: skip
        print(f"{name}: {statistics.median(ours(r) / r[theirs] for r in rounds):.2f}")


if __name__ == "__main__":
    main()
