"""The proof that a predictor works away from home, before it is offered."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlzero.iterative_coding.sandbox import Sandbox
from mlzero.predictor.standalone import answers
from mlzero.predictor.unpacking import unpack

if TYPE_CHECKING:
    import pandas as pd

SECONDS = 180.0
FEW_PIXELS = 0.01  # share of the pixels of a picture that may differ, see `_alike`
CLOSE = 1e-3  # numbers may differ by this share, for other orders of the same sums
DRIVER = """
import sys
sys.modules["mlzero"] = None
import pandas as pd
from standalone import command
sample = command.read_contract().get("sample_input", "sample_input.csv")
status = command.main([sample, "--out", "answers.parquet", "--probabilities"])
if status == 0:
    answers = sys.modules["solution"].predict(pd.read_parquet("as_trained.parquet"), command.HERE / "model")
    answers.to_parquet("expected.parquet")
command.leave(status)
"""  # as if MLZero were not installed: its command on the raw rows, then the model on the same rows as the training read them


@dataclass(frozen=True)
class Proof:
    """Whether the predictor worked from its zip, in a fresh process."""

    ok: bool
    text: str  # one sentence


def prove(archive: Path, model_from: Path, sandbox: Sandbox) -> Proof:
    """Unpack the zip elsewhere, predict its sample rows with its own command, compare the answers.

    They must be what the model answers to the same rows as the training read them and, when the sample is
    of rows that came with the upload, what the run wrote for those. The folder it was trained in is out of
    sight with an isolated sandbox.

    Parameters
    ----------
    model_from
        The folder that was packed: `solution.py`, `model/`, the `sample.parquet` that `package` left and
        the predictions of the run where it made some.
    """
    with tempfile.TemporaryDirectory(prefix="mlzero proof ") as place:
        folder = Path(place).resolve() / "my predictor"
        unpack(archive, folder)
        shutil.copyfile(model_from / "sample.parquet", folder / "as_trained.parquet")
        log = folder / "log"
        command = [sys.executable, "-c", DRIVER]
        with log.open("wb") as stream, sandbox.start(command, writable=[folder], cwd=folder, stdout=stream) as job:
            try:
                status: int | None = job.wait(SECONDS)
            except subprocess.TimeoutExpired:
                status = None
        if status != 0:
            said = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
            why = "it took too long" if status is None else said[-1][:300] if said else f"it ended with status {status}"
            return Proof(False, f"Unpacked in another folder it did not predict: {why}")
        contract = json.loads((folder / "contract.json").read_text(encoding="utf-8"))
        problem = differences(folder, contract) or _differences_to_run(folder, contract, model_from)
    if problem:
        return Proof(False, problem)
    size = archive.stat().st_size / 1e6
    return Proof(
        True,
        f"The predictor ({size:.1f} MB) was unpacked in another folder and gives the same answers there in a fresh process.",
    )


def differences(folder: Path, contract: dict[str, Any]) -> str:
    """One sentence about the first answer that depends on how the rows were read; empty when none does."""
    import pandas as pd

    rows, expected = pd.read_parquet(folder / "as_trained.parquet"), pd.read_parquet(folder / "expected.parquet")
    table = answers.format_predictions(rows, expected, contract["output"], contract["facts"])
    more = [n for n in expected.columns if n.startswith(answers.PREFIX) and n not in table]
    given, wanted = pd.read_parquet(folder / "answers.parquet"), table.join(expected[more].reset_index(drop=True))
    if contract["facts"]["problem_type"] == "detection":  # a picture's number stands in a file that stays at home
        first = wanted.columns[0]
        given, wanted = given.drop(columns=first), wanted.drop(columns=first)
    return first_difference(given, wanted)


def _differences_to_run(folder: Path, contract: dict[str, Any], model_from: Path) -> str:
    """The same for what the run wrote, when the sample rows are the first of those it predicted."""
    import pandas as pd

    output = contract["output"]
    written = model_from / Path(output["file_name"]).name
    boxes = output["format"] == "coco" or contract["facts"]["problem_type"] == "detection"
    own_form = boxes or output.get("pixels")  # no line a row
    if contract["sample"] != "test" or not written.is_file() or own_form:
        return ""
    given = answers.write_table(
        pd.read_parquet(folder / "answers.parquet").head(len(pd.read_parquet(folder / "as_trained.parquet"))),
        output["format"], folder / "again", output.get("dialect"),
    )  # fmt: skip
    ours, theirs = (answers.read_table(path, output["format"], output.get("dialect")) for path in (given, written))
    theirs = theirs.head(len(ours))
    return first_difference(ours[[name for name in theirs if name in ours]], theirs)


def first_difference(given: pd.DataFrame, wanted: pd.DataFrame) -> str:
    """One sentence about the first answer that is another; empty when all are the same."""
    if len(given) != len(wanted):
        return f"Unpacked in another folder it gives {len(given)} answers for {len(wanted)} rows."
    if list(given.columns) != list(wanted.columns):
        return "Unpacked in another folder it gives other columns than in the run."
    for name in wanted:
        wrong = ~_same(given[name], wanted[name])
        if wrong.any():
            row = int(wrong.to_numpy().argmax())
            if isinstance(wanted[name].iloc[row], bytes):
                return f"Unpacked in another folder it gives another picture for {name} in sample row {row + 1}."
            return (
                f"Unpacked in another folder it gives {given[name].iloc[row]} for {name} in sample row {row + 1}, "
                f"where the run's model gives {wanted[name].iloc[row]}."
            )
    return ""


def _same(given: pd.Series, wanted: pd.Series) -> pd.Series:
    """Row by row: the same text, pictures that are alike, or numbers that are close, also when written as text.

    A comma may be the decimal mark of such a text.
    """
    import numpy as np
    import pandas as pd

    if wanted.map(lambda value: isinstance(value, bytes)).any():
        return pd.Series([_alike(*pair) for pair in zip(given, wanted, strict=True)], index=wanted.index)
    plain = (column.map(lambda v: v.replace(",", ".") if isinstance(v, str) else v) for column in (given, wanted))
    first, second = (pd.to_numeric(column, errors="coerce").astype(float) for column in plain)
    close = np.isclose(first, second, rtol=CLOSE, atol=CLOSE / 100)
    return (given.astype(str) == wanted.astype(str)) | close | (given.isna() & wanted.isna())


def _alike(given: object, wanted: object) -> bool:
    """Whether two pictures, as PNG bytes, differ in few pixels: other orders of the same sums turn some at a border."""
    import numpy as np
    from PIL import Image

    if given == wanted or not (isinstance(given, bytes) and isinstance(wanted, bytes)):
        return given == wanted
    first, second = (np.asarray(Image.open(io.BytesIO(value))) for value in (given, wanted))
    return first.shape == second.shape and float(np.mean(first != second)) <= FEW_PIXELS
