"""How a predictor is used, in words for its README and the report."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mlzero.iterative_coding.contract import Evaluation
from mlzero.iterative_coding.outcome import score_text
from mlzero.perception.profile import FILES
from mlzero.perception.task import CLASSES, Task
from mlzero.predictor import sample
from mlzero.predictor.standalone.answers import PICTURES
from mlzero.predictor.standalone.reasons import KINDS


@dataclass(frozen=True)
class Usage:
    """What stands in the command of a predictor, and what can stand there instead."""

    sample: str  # the rows to try
    given: str  # what a person gives in place of them
    out: str
    endings: str  # a sentence on the names for the file of answers
    files: bool  # pictures, recordings or documents are among what it is given
    classes: bool  # whose probabilities it can add
    reasons: bool  # that it can tell for an answer


def usage(task: Task) -> Usage:
    """The words for a predictor of this task."""
    rows, given = (
        "sample_input.csv",
        "file in place of `sample_input.csv`: CSV, Excel, Parquet or JSON with the same columns",
    )
    if task.rows_are_files:
        given = f"folder of files like those of {task.row_files.value} in place of `sample_input.csv`, or a single file"
    elif task.row_files.value:
        given += f", and the files of its rows ({task.row_files.value}) in a folder beside it"
    files = any(feature.treat_as in FILES for feature in task.used_features)
    if files:
        rows, given = sample.FOLDER, f"folder in place of `{sample.FOLDER}`, or a single file"
    out, endings = (
        "predictions.csv",
        "`--out predictions.xlsx` writes Excel; the ending of the name chooses the format.",
    )
    if task.output.value.format in PICTURES:
        out, endings = "predictions", "The answers are a folder of PNG files; `--out predictions.zip` writes a zip."
    elif task.output.value.format == "coco":
        out, endings = "predictions.json", "`--out boxes.csv` writes a table of boxes in place of COCO results."
    kind = task.problem_type.value
    return Usage(
        rows, given, out, endings, files, classes=kind in CLASSES or kind == "multilabel",
        reasons=kind in KINDS and not files,
    )  # fmt: skip


def readme(task: Task, contract: dict[str, Any], evaluation: Evaluation) -> str:
    """`README.md` for whoever unpacks the zip.

    Parameters
    ----------
    contract
        `contract.json`, for the number of columns and the version of Python.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    folder = FileSystemLoader(Path(__file__).parent)
    environment = Environment(loader=folder, undefined=StrictUndefined, keep_trailing_newline=True, trim_blocks=True)
    return environment.get_template("readme.md.j2").render(
        targets=task.targets, count=len(contract["columns"]), score=score_text(evaluation), usage=usage(task),
        python=".".join(contract["python"].split(".")[:2]),
    )  # fmt: skip
