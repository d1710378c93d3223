"""`predictor.zip`: everything needed to predict elsewhere, and the proof that it does."""

from __future__ import annotations

import ast
import json
import os
import platform
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlzero.iterative_coding.contract import Evaluation
from mlzero.iterative_coding.sandbox import Sandbox
from mlzero.perception.profile import Profile
from mlzero.perception.tables import load_table
from mlzero.perception.task import Task
from mlzero.predictor import standalone

if TYPE_CHECKING:
    import pandas as pd

FORMAT = 1
SAMPLE_ROWS = 20
PROOF_SECONDS = 120.0
STORED = frozenset({".zip", ".gz", ".png", ".jpg", ".parquet", ".xz"})  # packed already
PACKAGES = {
    "autogluon": ["autogluon.tabular"], "pandas": ["pandas"], "numpy": ["numpy"], "sklearn": ["scikit-learn"],
    "python_calamine": ["python-calamine"], "pyarrow": ["pyarrow"], "scipy": ["scipy"],
}  # fmt: skip
MODEL_PACKAGES = {
    "LightGBM": ["lightgbm"], "CatBoost": ["catboost"], "XGBoost": ["xgboost"], "NeuralNetTorch": ["torch"],
    "NeuralNetFastAI": ["fastai", "torch"], "RandomForest": ["scikit-learn"], "ExtraTrees": ["scikit-learn"],
    "LinearModel": ["scikit-learn"], "KNeighbors": ["scikit-learn"],
}  # fmt: skip
README = """# Your predictor

{headline}

{score}

## Use it

    python -m venv env
    env/bin/pip install -r requirements.txt          (Windows: env\\Scripts\\pip)
    env/bin/python predict.py NEW_DATA --out predictions.csv

Python {python} is needed. `NEW_DATA` is a file in the form of the training data without the answer; `sample_input.csv`
shows that form. One row can be typed: `python predict.py --row NAME=VALUE --row ...`.

## What is in here

| file | what it is |
|---|---|
| predict.py | the command above |
| solution.py | how the data is read and the model is trained and used |
| model/ | the trained model |
| contract.json | columns, labels and versions |
| requirements.txt | the exact packages |
| sample_input.csv | a few rows to try |
"""


@dataclass(frozen=True)
class Proof:
    """Whether the predictor worked from its zip, in a fresh process."""

    ok: bool
    text: str  # one sentence


def package(folder: Path, task: Task, profile: Profile, evaluation: Evaluation, data_dir: Path, out: Path) -> Path:
    """Pack the solution and model in `folder` into the zip `out`.

    Parameters
    ----------
    folder
        Holds `solution.py` and `model/`.
    data_dir
        The upload, for a few sample rows.
    """
    source = (folder / "solution.py").read_text(encoding="utf-8")
    packages = used_packages(source, folder / "model")
    contract = contract_of(task, profile, evaluation, packages)
    partial = out.with_suffix(".part")
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED, compresslevel=3) as archive:
        archive.writestr("solution.py", source)
        archive.write(standalone.__file__, "predict.py")
        archive.writestr("contract.json", json.dumps(contract, ensure_ascii=False, indent=1))
        archive.writestr("requirements.txt", "".join(f"{name}=={version}\n" for name, version in packages.items()))
        archive.writestr("README.md", _readme(contract))
        archive.writestr("sample_input.csv", sample_rows(task, profile, data_dir).to_csv(index=False))
        for path in sorted((folder / "model").rglob("*")):
            if path.is_file() and not path.is_symlink():
                how = zipfile.ZIP_STORED if path.suffix in STORED else zipfile.ZIP_DEFLATED
                archive.write(path, (Path("model") / path.relative_to(folder / "model")).as_posix(), how)
    os.replace(partial, out)
    return out


def contract_of(task: Task, profile: Profile, evaluation: Evaluation, packages: dict[str, str]) -> dict[str, Any]:
    """What the predictor takes and gives, as JSON-able data."""
    table = profile.table(task.train[0].table)
    columns = []
    for feature in task.used_features:
        column = table.column(feature.name) if table else None
        typical = column.top[0][0] if column and column.top else column.examples[0] if column and column.examples else ""
        if column and feature.treat_as == "number" and column.mean is not None:
            typical = f"{round(column.mean) if column.integer else column.mean:.6g}"
        columns.append({
            "name": feature.name, "kind": feature.treat_as, "required": True, "typical": typical,
            "examples": column.examples[:5] if column else [],
            "choices": [value for value, _ in column.top] if column and feature.treat_as in ("category", "boolean") and column.unique <= 30 else [],
        })  # fmt: skip
    return {
        "format": FORMAT,
        "goal": task.goal,
        "metric": task.metric.value,
        "score": evaluation.score,
        "baseline": evaluation.baseline,
        "rows_holdout": evaluation.rows_holdout,
        "facts": {
            "targets": task.targets, "id": task.id.value, "labels": task.labels,
            "positive_label": task.positive_label.value, "problem_type": task.problem_type.value,
        },
        "output": task.output.value.model_dump(),
        "columns": columns,
        "ignored": [feature.name for feature in task.features if feature.drop],
        "python": platform.python_version(),
        "packages": packages,
    }  # fmt: skip


def used_packages(source: str, model_dir: Path) -> dict[str, str]:
    """Distributions the solution and its models need, with the installed versions."""
    imported = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            imported |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            imported.add(node.module.split(".")[0])
    wanted = [name for module in sorted(imported) for name in PACKAGES.get(module, [])]
    if "calamine" in source:
        wanted.append("python-calamine")
    if "parquet" in source:
        wanted.append("pyarrow")
    folders = {part for path in model_dir.rglob("*.pkl") for part in path.parts}
    for prefix, names in MODEL_PACKAGES.items():
        if any(folder.startswith(prefix) for folder in folders):
            wanted += names
    found: dict[str, str] = {}
    for name in dict.fromkeys(wanted):
        try:
            found[name] = metadata.version(name).partition("+")[0]
        except metadata.PackageNotFoundError:
            continue
    return dict(sorted(found.items()))


def sample_rows(task: Task, profile: Profile, data_dir: Path) -> pd.DataFrame:
    """A few rows without the answer, written plainly."""
    source = (task.test or task.train)[0]
    table = profile.table(source.table)
    assert table is not None
    wanted = [f.name for f in task.used_features]
    rows = load_table(data_dir, table, nrows=None if table.rows < 20_000 else 1000)
    if source.rows == "unlabelled":
        rows = rows[rows[task.targets].isna().all(axis=1)]
    keep = [name for name in dict.fromkeys([*([task.id.value] if task.id.value else []), *wanted]) if name in rows]
    return rows[keep].head(SAMPLE_ROWS)


def prove(archive: Path, model_from: Path, sandbox: Sandbox) -> Proof:
    """Unpack the zip elsewhere and predict its sample rows in a fresh process.

    The folder it was trained in is out of sight (with an isolated sandbox) or not mentioned (without).
    """
    with tempfile.TemporaryDirectory(prefix="mlzero proof ") as place:
        folder = Path(place) / "my predictor"
        unpack(archive, folder)
        log = folder / "proof.log"
        with log.open("wb") as stream:
            argv = [sys.executable, "predict.py", "sample_input.csv", "--out", "proof.csv"]
            with sandbox.start(argv, writable=[folder], cwd=folder, stdout=stream) as job:
                status = _wait(job, PROOF_SECONDS)
        said = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        if status != 0:
            why = "it took too long" if status is None else said[-1][:300] if said else f"it ended with status {status}"
            return Proof(False, f"Unpacked in another folder it did not predict: {why}.")
        written = (folder / "proof.csv").stat().st_size
    size = archive.stat().st_size / 1e6
    return Proof(written > 0, f"The predictor ({size:.1f} MB) was unpacked in another folder and predicts there in a fresh process.")


def unpack(archive: Path, folder: Path) -> None:
    """Unpack a predictor; refuses members that would leave the folder (ValueError)."""
    with zipfile.ZipFile(archive) as members:
        for member in members.infolist():
            target = (folder / member.filename).resolve()
            if not target.is_relative_to(folder.resolve()) or (member.external_attr >> 16) & 0o170000 == 0o120000:
                raise ValueError(f"{member.filename} would be written outside of its folder")
        members.extractall(folder)


def _wait(job: Any, seconds: float) -> int | None:
    import time

    until = time.monotonic() + seconds
    while job.poll() is None:
        if time.monotonic() > until:
            return None
        time.sleep(0.05)
    return int(job.wait())


def _readme(contract: dict[str, Any]) -> str:
    facts = contract["facts"]
    score = "" if contract["score"] is None else (
        f"On {contract['rows_holdout']:,} rows the model never saw it reached {contract['metric']} {contract['score']:.4g}"
        + (f"; a naive guess reaches {contract['baseline']:.4g}." if contract["baseline"] is not None else ".")
    )
    return README.format(headline=f"It predicts {', '.join(facts['targets'])}.", score=score, python=".".join(contract["python"].split(".")[:2]))
