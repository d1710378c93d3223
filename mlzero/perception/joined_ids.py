"""Names of rows in a sample of the answer that are joined of several columns, such as `12_3_2012-11-02`."""

from __future__ import annotations

from itertools import permutations, product
from pathlib import Path
from typing import TYPE_CHECKING

from mlzero.perception.profile import Profile
from mlzero.perception.tables import load_table
from mlzero.perception.task import JoinedId, Task
from mlzero.predictor.standalone.answers import joined

if TYPE_CHECKING:
    import pandas as pd

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
    found = _parts_of(rows, asked.astype(str).str.strip())
    if found is None:
        return
    plan.joined_id = found
    told = " and ".join(f'"{part}"' for part in found.parts)
    task.output.evidence = f"{task.output.evidence.removesuffix('.')}; rows are named by {told} as there."


def _parts_of(rows: pd.DataFrame, asked: pd.Series) -> JoinedId | None:
    """The columns whose cells make the names; rather such that make them in the order of the rows, else exactly these names."""
    import numpy as np

    places = np.random.default_rng(0).permutation(len(rows))[:_ROWS]
    some, there, known = rows.iloc[places], asked.to_numpy()[places], set(asked)
    short = [c for c in some.columns if some[c].notna().all() and some[c].astype(str).str.len().max() <= _LONGEST]
    first = {name: joined(some.head(1), {"parts": [name], "separator": ""}).iloc[0] for name in short[:_LOOKED_AT]}
    any_order = None
    for size in range(2, _MOST + 1):
        for parts, separator in product(permutations(first, size), SEPARATORS):
            if separator.join(first[part] for part in parts) in known:
                found = JoinedId(parts=list(parts), separator=separator)
                form = found.model_dump()
                names = joined(some, form)
                if (names == there).all():
                    return found
                if any_order is None and names.isin(known).all() and set(joined(rows, form)) == known:
                    any_order = found
    return any_order
