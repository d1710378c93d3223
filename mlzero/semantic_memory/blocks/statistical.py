"""Read the files of statistics programs: SPSS, Stata and SAS."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from mlzero.semantic_memory.blocks.tables import from_records


def read_statistical(
    path: str | Path,
    *,
    labelled: Sequence[str] = (),
    names: Sequence[str] | None = None,
    drop_columns: Sequence[str] = (),
    missing_markers: Sequence[str] = (),
    nrows: int | None = None,
) -> pd.DataFrame:
    """The rows of an SPSS (sav, zsav, por), Stata (dta) or SAS (sas7bdat, xpt) file.

    Parameters
    ----------
    labelled
        Columns whose codes become the labels that the file has for them: 1 becomes "male".

    Other parameters as in `read_delimited`. Values that the file declares missing are NaN.
    """
    import pyreadstat

    readers: dict[str, Any] = {
        ".sav": pyreadstat.read_sav,
        ".zsav": pyreadstat.read_sav,
        ".por": pyreadstat.read_por,
        ".dta": pyreadstat.read_dta,
        ".sas7bdat": pyreadstat.read_sas7bdat,
        ".xpt": pyreadstat.read_xport,
    }
    frame, about = readers[Path(path).suffix.lower()](str(path), row_limit=nrows or 0)
    for name in labelled:
        labels = about.variable_value_labels[name]
        frame[name] = frame[name].map(lambda code, labels=labels: labels.get(code, code), na_action="ignore")
    return from_records(frame, names=names, drop_columns=drop_columns, missing_markers=missing_markers, nrows=nrows)
