"""Small uploads with the traps that solutions must cope with."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest

from mlzero.perception.profile import Profile
from mlzero.perception.scan import profile
from mlzero.perception.task import Task
from mlzero.perception.understand import infer_task


class Upload(NamedTuple):
    root: Path
    profile: Profile
    task: Task


def table(rows: int, kind: str) -> pd.DataFrame:
    """Odd names, money, dates by the day first, clock times, free text, gaps; the answer depends on some of them."""
    dice = np.random.default_rng(7)
    size = dice.normal(100, 30, rows).round(1)
    begun = pd.Timestamp("2021-03-01") + pd.to_timedelta(np.arange(rows), "D")
    words = np.array("red green blue quick slow large small old new good bad long short loud".split())
    frame = pd.DataFrame({
        "order": [f"A-{10_000 + n}" for n in range(rows)],
        'size "net" [m²], {x}': np.where(dice.random(rows) < 0.1, np.nan, size),
        "paid": [f"${value:,.2f}" for value in dice.uniform(500, 5000, rows)],
        "day": begun.strftime("%d/%m/%Y"),
        "at": dice.integers(0, 24, rows) * 100 + dice.integers(0, 60, rows),
        "colour": dice.choice(["red", "blue", "ocean green"], rows),
        "remark": [" ".join(dice.choice(words, 16)) for _ in range(rows)],
    })  # fmt: skip
    strong = size + 40 * (frame["colour"] == "red") + dice.normal(0, 8, rows)
    if kind == "number":
        frame["answer"] = (np.exp(strong / 40) * 100).round(2)
    elif kind == "yes or no":
        frame["answer"] = np.where(strong > 130, "yes", "no")
    elif kind == "grades":
        frame["answer"] = pd.cut(strong, [-1e9, 70, 100, 130, 1e9], labels=False) + 1
        frame.loc[0, "answer"] = 9  # a label seen once
    elif kind == "several labels":
        red = (frame["colour"] == "red") ^ (dice.random(rows) < 0.08)  # a perfect copy would be left out as a leak
        frame["big"], frame["red"] = np.where(size > 100, "yes", "no"), np.where(red, "yes", "no")
    return frame


@pytest.fixture
def upload(tmp_path: Path) -> Any:
    """Makes an upload: `upload("number", goal, rows=…, later=…)`; `later` rows come as a file without the answer."""

    def make(kind: str, goal: str, rows: int = 240, later: int = 0, **overrides: str) -> Upload:
        root = tmp_path / "data"
        root.mkdir()
        frame = table(rows + later, kind)
        frame.iloc[:rows].to_csv(root / "history.csv", index=False)
        if later:
            answers = [name for name in ("answer", "big", "red") if name in frame]
            frame.iloc[rows:].drop(columns=answers).to_csv(root / "new.csv", index=False)
        found = profile(root)
        return Upload(root, found, infer_task(found, root, goal, overrides))

    return make
