"""Look at a text table too large to be read whole: one pass that counts rows and gaps and keeps rows spread over the file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mlzero.perception.profile import ReadPlan
from mlzero.perception.readers import Found
from mlzero.perception.sniff import compression_of, open_bytes

if TYPE_CHECKING:
    import pandas as pd

LARGE_BYTES = 200_000_000  # unpacked; up to this size a table is profiled whole
SAMPLE_ROWS = 200_000
_PACKED = 5  # unpacked bytes a packed byte, roughly


@dataclass
class Sample:
    """Rows drawn from all over a file, as text."""

    frame: pd.DataFrame
    rows: int  # of the file
    empty: dict[str, int]  # empty cells by column, of the file


def is_large(path: Path, plan: ReadPlan) -> bool:
    """Whether the table is to be profiled on a sample. Separators of several signs are always read whole."""
    size = path.stat().st_size * (_PACKED if compression_of(path) else 1)
    return plan.format == "delimited" and size > LARGE_BYTES and len(plan.separator) == 1


def take(path: Path, found: Found) -> Sample:
    """Stream over the file once and keep about 200,000 rows."""
    import numpy as np
    import pyarrow as pa
    from pyarrow import csv

    plan = found.plan
    share = SAMPLE_ROWS / _rows_estimate(path)
    chance = np.random.default_rng(0)  # every n-th row would fall in step with rows that come in turns
    kept: list[pa.RecordBatch] = []
    rows, empty = 0, dict.fromkeys(found.names, 0)
    with open_bytes(path) as file:
        batches = csv.open_csv(
            file,
            csv.ReadOptions(
                column_names=found.names,
                encoding=plan.encoding,
                skip_rows=plan.skip_rows + plan.has_header,
                block_size=1 << 24,
            ),
            csv.ParseOptions(
                delimiter=plan.separator,
                quote_char=plan.quote or False,
                newlines_in_values=plan.quote is not None,
                invalid_row_handler=lambda row: "skip",
            ),
            csv.ConvertOptions(
                column_types=dict.fromkeys(found.names, pa.string()),
                null_values=[""],
                strings_can_be_null=True,
                quoted_strings_can_be_null=True,
            ),
        )
        for batch in batches:
            for name, column in zip(found.names, batch.columns, strict=True):
                empty[name] += column.null_count
            kept.append(batch.filter(pa.array(chance.random(batch.num_rows) < share)))
            rows += batch.num_rows
    frame = pa.Table.from_batches(kept).to_pandas().fillna(np.nan)
    return Sample(frame, rows - plan.footer_rows, empty)


def _rows_estimate(path: Path) -> float:
    with open_bytes(path) as file:
        head = file.read(1_000_000)
    size = path.stat().st_size * (_PACKED if compression_of(path) else 1)
    return size / (len(head) / max(1, head.count(b"\n") or head.count(b"\r")))
