"""Names of rows in a sample of the answer that are joined of several columns, such as `12_3_2012-11-02`."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

from mlzero.perception.profile import Profile
from mlzero.perception.tables import load_table
from mlzero.perception.task import JoinedId, Task
from mlzero.predictor.standalone.answers import joined

SEPARATORS = ("_", "-", " ", "/", ":", "|", ".", "")
_MOST = 3  # columns
_LOOKED_AT = 12  # columns with short cells that may be parts
_LONGEST = 24  # characters of a part
_ROWS = 200  # rows that must be named so


def settle(task: Task, profile: Profile, data_dir: Path) -> None:
    """Write into the task's output how its rows are named, where a sample of the answer shows it and no column has it."""
    plan = task.output.value
    sample = profile.table(plan.sample) if plan.sample else None
    test = profile.table(task.test[0].table) if len(task.test) == 1 else None
    if sample is None or test is None or not plan.columns or test.column(sample.names[0]) or plan.layout != "rows":
        return
    asked = load_table(data_dir, sample)[sample.names[0]]
    rows = load_table(data_dir, test)
    if len(asked) != len(rows) or rows.empty:
        return
    known = set(asked.astype(str).str.strip())
    rows = rows.head(_ROWS)
    short = [c for c in rows.columns if rows[c].notna().all() and rows[c].astype(str).str.len().max() <= _LONGEST]
    for size in range(2, _MOST + 1):
        for parts in permutations(short[:_LOOKED_AT], size):
            for separator in SEPARATORS:
                found = JoinedId(parts=list(parts), separator=separator)
                if joined(rows.head(1), found.model_dump()).isin(known).all() and joined(rows, found.model_dump()).isin(known).all():  # fmt: skip
                    plan.joined_id = found
                    told = " and ".join(f'"{part}"' for part in parts)
                    task.output.evidence = (
                        f"{task.output.evidence.removesuffix('.')}; rows are named by {told} as there."
                    )
                    return
