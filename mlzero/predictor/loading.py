"""Use a predictor that a run left: its own `predict.py`, in a process of its own."""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
import tempfile
import time
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlzero import config
from mlzero.errors import UserError
from mlzero.iterative_coding.sandbox import Sandbox, choose
from mlzero.predictor.packaging import unpack

if TYPE_CHECKING:
    import pandas as pd

USER_ERROR = 2  # exit status of predict.py for something to correct


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
        self.contract: dict[str, Any] = json.loads((folder / "contract.json").read_text(encoding="utf-8"))

    @property
    def columns(self) -> list[str]:
        """Columns it needs."""
        return [column["name"] for column in self.contract["columns"]]

    @property
    def score(self) -> float | None:
        """On rows the model never saw, by `contract["metric"]`."""
        return self.contract["score"]

    def predict(self, data: pd.DataFrame | str | Path, *, timeout: float = 600.0) -> pd.DataFrame:
        """Predictions in the asked form, ids as text; one row a row of `data`. Raises UserError."""
        import pandas as pd

        with tempfile.TemporaryDirectory(prefix="mlzero-") as place:
            source = Path(place) / "rows.csv" if isinstance(data, pd.DataFrame) else Path(data)
            if isinstance(data, pd.DataFrame):
                data.to_csv(source, index=False)
            report = predict_file(self.folder, source, Path(place) / "out.csv", timeout=timeout)
            return pd.read_csv(report.path, dtype={self.contract["facts"]["id"]: str} if self.contract["facts"]["id"] else None)


def load_predictor(path: Path) -> Predictor:
    """A predictor from `predictor.zip` or its unpacked folder; raises UserError."""
    return Predictor(opened(path))


def predict_file(
    predictor: Path, new_data: Path, out: Path, *, timeout: float = 600.0, sandbox: Sandbox | None = None
) -> PredictionReport:
    """Predict the rows of a file.

    Parameters
    ----------
    predictor
        `predictor.zip` or its unpacked folder.
    out
        File to write, in the format the run was asked for.
    timeout
        Seconds.

    Raises
    ------
    UserError
        With the sentence of the predictor: a missing column, a file that is no table, another Python.
    """
    folder = opened(predictor)
    if not new_data.exists():
        raise UserError(f"There is nothing at {new_data}.", "Check the path of the new data.")
    with tempfile.TemporaryDirectory(prefix="mlzero-predict-") as place:
        work = Path(place)
        given = work / "in" / new_data.name
        given.parent.mkdir()
        shutil.copytree(new_data, given) if new_data.is_dir() else shutil.copyfile(new_data, given)
        status, said = _run(folder, given, work, timeout, sandbox or choose())
        if status == USER_ERROR:
            raise UserError(said[-1] if said else "The new data does not fit this predictor.")
        if status is None:
            raise UserError(f"The prediction took longer than {timeout:.0f} seconds.", "Allow more time or give fewer rows.")
        if status != 0 or not (work / "predictions.out").exists():
            raise UserError("The predictor could not predict these rows.", f"It said: {said[-1] if said else f'status {status}'}")
        out.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(work / "predictions.out", out)
    warnings = [line.removeprefix("Note: ") for line in said if line.startswith("Note: ")]
    return PredictionReport(out, _rows(out, Predictor(folder).contract["output"].get("format", "csv")), warnings)


def opened(path: Path) -> Path:
    """The folder of a predictor; a zip is unpacked once into the cache. Raises UserError."""
    if path.is_dir():
        folder = path
    elif path.is_file() and zipfile.is_zipfile(path):
        folder = config.home() / "cache" / "predictors" / _digest(path)
        if not (folder / "contract.json").exists():
            partial = folder.with_name(f"{folder.name}.part")
            shutil.rmtree(partial, ignore_errors=True)
            try:
                unpack(path, partial)
            except ValueError as error:
                raise UserError(f"{path.name} is not safe to unpack: {error}.", "Use a predictor.zip made by MLZero.") from error
            shutil.rmtree(folder, ignore_errors=True)
            partial.rename(folder)
    else:
        raise UserError(f"There is no predictor at {path}.", "Give the predictor.zip of a run, or its unpacked folder.")
    if not (folder / "contract.json").exists() or not (folder / "predict.py").exists():
        raise UserError(f"{path.name} is not a predictor made by MLZero.", "Give the predictor.zip of a run.")
    return folder


def _run(folder: Path, given: Path, work: Path, timeout: float, sandbox: Sandbox) -> tuple[int | None, list[str]]:
    log = work / "predict.log"
    argv = [sys.executable, str(folder / "predict.py"), str(given), "--out", str(work / "predictions.out")]
    with log.open("wb") as stream, sandbox.start(argv, read_only=[folder], writable=[work], cwd=work, stdout=stream) as job:
        until = time.monotonic() + timeout
        while job.poll() is None and time.monotonic() < until:
            time.sleep(0.05)
        status = job.poll()
    return status, log.read_text(encoding="utf-8", errors="replace").strip().splitlines()


def _rows(path: Path, kind: str) -> int:
    import pandas as pd

    if kind in ("json", "jsonl"):
        return len(pd.read_json(path, lines=kind == "jsonl"))
    if kind == "parquet":
        return len(pd.read_parquet(path))
    if kind == "xlsx":
        return len(pd.read_excel(path))
    return len(pd.read_csv(path, sep="\t" if kind == "tsv" else ",", dtype=str))


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()[:24]
