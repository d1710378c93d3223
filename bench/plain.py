"""A solution as a plain script: read, fit, predict, in one process without sandbox or measuring harness.

With `--measured` it does what a run does: a fifth of the rows is kept aside, the fit on the others answers for them, and a
second fit on all rows makes the predictions. `overhead.py` runs and times it.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from pathlib import Path
from typing import Any


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("solution", "data", "model", "out"):
        parser.add_argument(name, type=Path)
    parser.add_argument("seconds", type=float, help="for one fit")
    parser.add_argument("--measured", action="store_true")
    given = parser.parse_args()
    solution = imported(given.solution)
    train, test = solution.load_train(given.data), solution.load_test(given.data)
    if given.measured:
        aside = train.sample(frac=0.2, random_state=0)
        place = given.model / "measured"
        place.mkdir(parents=True)
        solution.fit(train.drop(index=aside.index), place, given.seconds)
        solution.predict(aside, place)
    place = given.model / "all"
    place.mkdir(parents=True)
    solution.fit(train, place, given.seconds)
    solution.predict(test, place).to_csv(given.out, index=False)


def imported(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location("solution", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["solution"] = module
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    main()
