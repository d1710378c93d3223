"""What a small language model brings: `python bench/small_model.py --endpoint URL --model NAME --tasks FOLDER [--only NAME ...]`.

FOLDER holds one folder a task: `data/` is the upload and `task.yaml` has the `goal`. Each task is run twice, one run
after the other: by MLZero's own rules alone, and with the model at an OpenAI-compatible endpoint. A line a task says
how it ended both times, on rows the models never saw; what was asked of the model; and of the attempts that the model
wrote (the recipe's are not counted) how many were valid and how many were the best when they were measured.

With `--once` there is only the run with the model, and "alone" is the best of the attempts that the rules planned in
it: half the time, and nothing of chance between the two. A model that thinks on the same cores does so after those.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

import mlzero
from mlzero.errors import NoSolution, UserError
from mlzero.iterative_coding.blend import is_blend
from mlzero.iterative_coding.contract import best_of
from mlzero.iterative_coding.metrics import get
from mlzero.llm.connection import Connection, save
from mlzero.runs import RunDirectory

HEAD = "| task | metric | alone | with the model | better | calls | tokens | asking, s | run, s | its attempts | valid | won |"


@dataclass
class Outcome:
    """How one run ended."""

    valid: bool
    score: float | None
    metric: str
    seconds: float
    usage: dict[str, Any]
    planned: float | None = None  # score of the best attempt that the rules wrote


def solve(task: Path, out: Path, llm: str, time_limit: float) -> Outcome:
    """One run of a task."""
    goal = yaml.safe_load((task / "task.yaml").read_text(encoding="utf-8"))["goal"]
    begun = time.monotonic()
    try:
        run = mlzero.solve(task / "data", goal, out=out, time_limit=time_limit, llm=llm)
    except (NoSolution, UserError) as error:
        print(f"{task.name}, {llm}: {error}", flush=True)
        return Outcome(False, None, "", time.monotonic() - begun, {})
    record, seconds = run.record, time.monotonic() - begun
    best = best_of(
        [a for a in RunDirectory(run.path).journal().comparable() if not (a.variant.by_model or is_blend(a))]
    )
    score = best.evaluation.score if best and best.evaluation else None
    return Outcome("predictor" in record.files, record.score, record.metric, seconds, record.llm_usage, score)


def planned(run: Outcome) -> Outcome:
    """How the run would have ended without the attempts of the model."""
    return Outcome(run.planned is not None, run.planned, run.metric, run.seconds, {})


def line(name: str, alone: Outcome, helped: Outcome) -> str:
    """A row of the table."""
    usage = helped.usage
    scores = [f"{o.score:.4g}" if o.valid and o.score is not None else "not valid" for o in (alone, helped)]
    tokens = usage.get("input_tokens", 0) + usage.get("output_tokens", 0)
    return " | ".join([
        f"| {name}", helped.metric or alone.metric, *scores, comparison(alone, helped), str(usage.get("calls", 0)), f"{tokens:,}",
        f"{usage.get('seconds', 0.0):.0f}", f"{helped.seconds:.0f}", *(str(usage.get(k, 0)) for k in ("attempts", "valid", "won")),
    ]) + " |"  # fmt: skip


def comparison(alone: Outcome, helped: Outcome) -> str:
    """Whether the run with the model ended better: "yes", "no" or "same"."""
    if not (alone.valid and helped.valid) or alone.score is None or helped.score is None:
        return "yes" if helped.valid and not alone.valid else "no" if alone.valid else "same"
    gain = (helped.score - alone.score) * (1 if get(helped.metric).higher_is_better else -1)
    return "same" if abs(gain) < 1e-9 else "yes" if gain > 0 else "no"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--endpoint", required=True, help="such as http://127.0.0.1:8099/v1")
    parser.add_argument("--model", required=True, help="as the endpoint calls it")
    parser.add_argument("--tasks", type=Path, required=True)
    parser.add_argument("--only", nargs="*", default=[], help="names of tasks")
    parser.add_argument("--time-limit", type=float, default=240.0, help="seconds of each run")
    parser.add_argument("--once", action="store_true", help="only the run with the model")
    parser.add_argument("--out", type=Path, help="where the runs are kept; nowhere by default")
    given = parser.parse_args()
    names = given.only or sorted(path.parent.name for path in given.tasks.glob("*/task.yaml"))
    tasks = [given.tasks / name for name in names]
    outcomes: list[tuple[Outcome, Outcome]] = []
    with tempfile.TemporaryDirectory(prefix="mlzero-bench-") as scratch:
        place = given.out or Path(scratch)
        os.environ["MLZERO_HOME"] = str(Path(scratch) / "home")
        save("", Connection(provider="openai", model=given.model, base_url=given.endpoint, timeout=150))
        print(HEAD + "\n|" + "---|" * (HEAD.count("|") - 1), flush=True)
        for task in tasks:
            alone = None if given.once else solve(task, place / task.name / "none", "none", given.time_limit)
            helped = solve(task, place / task.name / "auto", "auto", given.time_limit)
            outcomes.append((alone or planned(helped), helped))
            print(line(task.name, *outcomes[-1]), flush=True)
    total = {key: sum(helped.usage.get(key, 0) for _, helped in outcomes) for key in ("attempts", "valid", "won")}
    print(
        f"valid {sum(o.valid for _, o in outcomes)} of {len(outcomes)} with the model, {sum(o.valid for o, _ in outcomes)} without; "
        f"attempts of the model: {total['attempts']}, valid {total['valid']}, best when measured {total['won']}"
    )


if __name__ == "__main__":
    main()
