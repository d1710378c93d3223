"""Use a predictor that a run left: its own `predict.py`, in a process of its own."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlzero.errors import UserError
from mlzero.iterative_coding.sandbox import Sandbox, choose
from mlzero.predictor.standalone import answers, command, inputs
from mlzero.predictor.unpacking import opened

if TYPE_CHECKING:
    import pandas as pd

USER_ERROR = 2  # exit status of predict.py for something to correct
PREDICTION_SECONDS = 600.0
UNREADABLE = (OSError, ValueError, zipfile.BadZipFile)  # a file that is not what its name says
AGAIN = "Use the predictor.zip of a run as it was downloaded."


@dataclass(frozen=True)
class PredictionReport:
    """A file of predictions."""

    path: Path
    rows: int
    warnings: list[str] = field(default_factory=list)


class Predictor:
    """A predictor in an unpacked folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.contract = read_contract(folder)

    def __repr__(self) -> str:
        return f"<Predictor of {', '.join(self.targets)} from {len(self.columns)} columns>"

    @property
    def targets(self) -> list[str]:
        """What it predicts."""
        return list(self.contract["facts"]["targets"])

    @property
    def columns(self) -> list[str]:
        """Columns it needs."""
        return [column["name"] for column in self.contract["columns"]]

    @property
    def score(self) -> float | None:
        """On rows the model never saw, by `contract["metric"]`."""
        score: float | None = self.contract["score"]
        return score

    def explain(self) -> dict[str, Any]:
        """Goal, targets, labels, columns, metric, score, naive guess, rows it was measured on, versions."""
        told = ("goal", "metric", "score", "baseline", "baseline_text", "rows_holdout", "columns", "python", "packages")
        facts = self.contract["facts"]
        return {key: self.contract[key] for key in told if key in self.contract} | {
            "targets": facts["targets"], "labels": facts["labels"], "problem_type": facts["problem_type"],
        }  # fmt: skip

    def predict(
        self, data: pd.DataFrame | str | Path, *, probabilities: bool = False, timeout: float = PREDICTION_SECONDS
    ) -> pd.DataFrame:
        """Predictions in the asked form, one row a row of `data`.

        Parameters
        ----------
        data
            New rows, or a file of them.
        probabilities
            Also how likely each label is, in columns `probability_<label>`.
        timeout
            Seconds.

        Returns
        -------
        DataFrame
            With the index of `data` when that is a frame.

        Raises
        ------
        UserError
            When the rows do not fit the predictor.
        """
        import pandas as pd

        with tempfile.TemporaryDirectory(prefix="mlzero-") as place:
            source = Path(place) / "rows.csv" if isinstance(data, pd.DataFrame) else Path(data)
            if isinstance(data, pd.DataFrame):
                inputs.write_rows(data, self.contract, source)
            out = Path(place) / "out.parquet"
            predict_file(self.folder, source, out, timeout=timeout, probabilities=probabilities)
            table = pd.read_parquet(out)
        return table.set_axis(data.index) if isinstance(data, pd.DataFrame) else table


def load_predictor(path: Path | str) -> Predictor:
    """A predictor from `predictor.zip` or its unpacked folder; raises UserError."""
    return Predictor(opened(Path(path)))


def read_contract(folder: Path) -> dict[str, Any]:
    """What a predictor takes and gives; raises UserError when it cannot be read here."""
    try:
        return command.read_contract(folder)
    except inputs.InputProblem as problem:
        raise UserError(str(problem)) from problem
    except (OSError, ValueError) as error:
        raise UserError(f"contract.json of {folder.name} cannot be read.", "Use the predictor.zip of a run.") from error


def predict_file(
    predictor: Path,
    new_data: Path,
    out: Path,
    *,
    timeout: float = PREDICTION_SECONDS,
    sandbox: Sandbox | None = None,
    probabilities: bool = False,
) -> PredictionReport:
    """Predict the rows of a file.

    Parameters
    ----------
    predictor
        `predictor.zip` or its unpacked folder.
    new_data
        A file, or a folder, in the form of the training data.
    out
        File to write; its ending chooses the format where it is a known one, else the one the run was asked for.
        Answers that are pictures become a folder of this name, or a zip when it ends so.
    timeout
        Seconds.
    probabilities
        Also write how likely each label is.

    Raises
    ------
    UserError
        With the sentence of the predictor: a missing column, a file that is no table, another Python.
    """
    folder = opened(predictor)
    contract = read_contract(folder)
    kind, name = _written_as(out, contract)
    with tempfile.TemporaryDirectory(prefix="mlzero-predict-") as place:
        work = Path(place).resolve()
        given, written = _copied(new_data, work / "in"), work / name
        options = ["--probabilities"] if probabilities else []
        status, said = _run(
            [folder / "predict.py", given, "--out", written, *options], folder, work, timeout, sandbox or choose()
        )
        _check_end(status, said, written, timeout)
        try:
            rows = _rows(written, kind, contract["output"].get("dialect"))
        except UNREADABLE as error:
            raise UserError(f"What the predictor wrote cannot be read: {error}.", AGAIN) from error
        _move(written, out)
    return PredictionReport(out, rows, [line.removeprefix("Note: ") for line in said if line.startswith("Note: ")])


def reasons_for(
    predictor: Path, new_data: Path, row: int, *, timeout: float = PREDICTION_SECONDS, sandbox: Sandbox | None = None
) -> dict[str, Any]:
    """Why the predictor answers as it does for one row of a file, as `standalone.reasons.reasons` tells it.

    Parameters
    ----------
    row
        Counted from 1, blank ones of the file among them.

    Raises
    ------
    UserError
        With the sentence of the predictor: no such row, answers without reasons, a file that does not fit.
    """
    folder = opened(predictor)
    if not (folder / "standalone" / "reasons.py").is_file():
        raise UserError("This predictor was made before predictors could tell reasons.", "Run again for one that can.")
    with tempfile.TemporaryDirectory(prefix="mlzero-reasons-") as place:
        work = Path(place).resolve()
        given, written = _copied(new_data, work / "in"), work / "reasons.json"
        argv = [folder / "predict.py", given, "--why", row, "--out", written]
        status, said = _run(argv, folder, work, timeout, sandbox or choose())
        _check_end(status, said, written, timeout)
        try:
            found: dict[str, Any] = json.loads(written.read_text(encoding="utf-8"))
        except UNREADABLE as error:
            raise UserError(f"What the predictor wrote cannot be read: {error}.", AGAIN) from error
    return found


def _copied(new_data: Path, place: Path) -> Path:
    """A copy under its own name in a new folder; raises UserError when there is nothing to copy."""
    if not new_data.exists():
        raise UserError(f"There is nothing at {new_data}.", "Check the path of the new data.")
    copy = place / (new_data.resolve().name or "data")
    place.mkdir()
    try:
        shutil.copytree(new_data, copy) if new_data.is_dir() else shutil.copyfile(new_data, copy)
    except OSError as error:
        raise UserError(f"{new_data} cannot be read.", "Give a file or folder that can be opened.") from error
    return copy


def _check_end(status: int | None, said: list[str], written: Path, timeout: float) -> None:
    """Raise UserError unless the predictor came to its end and wrote its answers."""
    if status is None:
        raise UserError(f"The prediction took longer than {timeout:g} seconds.", "Allow more time or give fewer rows.")
    if status == USER_ERROR and said:
        raise UserError(said[-1])  # says what to do, too
    if status == USER_ERROR:
        raise UserError("The new data does not fit this predictor.", "Give rows in the form of the training data.")
    if status != 0 or not _is_plain(written):
        raise UserError(
            "The predictor could not predict these rows.", f"It said: {said[-1][:300] if said else f'status {status}'}"
        )


def _move(written: Path, out: Path) -> None:
    """Put the answers where they are wanted; pictures go into a folder that is there."""
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        if written.is_dir() and out.is_dir():
            shutil.copytree(written, out, dirs_exist_ok=True)
        elif out.is_dir():
            raise UserError(f"{out} is a folder.", "Name the file to write.")
        else:
            shutil.move(written, out)
    except OSError as error:
        raise UserError(f"{out} cannot be written: {error.strerror or error}.", "Choose another file.") from error


def _run(argv: list[Any], folder: Path, work: Path, timeout: float, sandbox: Sandbox) -> tuple[int | None, list[str]]:
    """Exit status, None when the time was up, and what was said."""
    log = work / "predict.log"
    program = [sys.executable, "-B", *map(str, argv)]
    with (
        log.open("wb") as stream,
        sandbox.start(program, read_only=[folder], writable=[work], cwd=work, stdout=stream) as job,
    ):
        try:
            status = job.wait(timeout)
        except subprocess.TimeoutExpired:
            status = None
    return status, log.read_text(encoding="utf-8", errors="replace").strip().splitlines()


def usual_name(predictor: Path) -> str:
    """How one file of this predictor's answers is best called."""
    kind = read_contract(opened(predictor))["output"].get("format", "csv")
    if kind in answers.PICTURES:
        return "predictions.zip"
    return "predictions.json" if kind == "coco" else "predictions.csv"


def _written_as(out: Path, contract: dict[str, Any]) -> tuple[str, str]:
    """The format of the answers and the name they are first written under; a folder has no ending."""
    kind = answers.format_of(out, contract["output"].get("format", "csv"))
    if kind in answers.PICTURES:
        return kind, "predictions.zip" if out.suffix.lower() == ".zip" else "predictions"
    return kind, "predictions.json" if kind == "coco" else f"predictions.{kind}"


def _is_plain(path: Path) -> bool:
    """Whether it is a file, or a folder of files, without links."""
    if path.is_symlink() or not path.exists():
        return False
    return path.is_file() or not any(inner.is_symlink() for inner in path.rglob("*"))


def _rows(path: Path, kind: str, dialect: dict[str, Any] | None) -> int:
    """Rows of a file of predictions, or pictures of a folder or zip."""
    if path.is_dir():
        return sum(inner.is_file() for inner in path.rglob("*"))
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            return len(archive.namelist())
    if kind == "coco":
        return len(json.loads(path.read_text(encoding="utf-8")))
    return len(answers.read_table(path, kind, dialect))
