"""`predictor.zip`: everything needed to predict elsewhere."""

from __future__ import annotations

import json
import os
import platform
import shutil
import zipfile
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from mlzero.iterative_coding import metrics
from mlzero.iterative_coding.contract import Evaluation
from mlzero.iterative_coding.outcome import score_text
from mlzero.perception.profile import FILES, ColumnProfile, Profile, TableProfile
from mlzero.perception.relational import load_joined
from mlzero.perception.series_rows import sample_of
from mlzero.perception.tables import load_table
from mlzero.perception.task import FeaturePlan, Task
from mlzero.predictor import standalone
from mlzero.predictor.requirements import used_packages
from mlzero.predictor.standalone.answers import PICTURES
from mlzero.predictor.standalone.command import FORMAT
from mlzero.predictor.standalone.inputs import write_rows

if TYPE_CHECKING:
    import pandas as pd

SAMPLE_ROWS = 20
SAMPLE_FILES = 6  # rows of a sample with files
SAMPLE_FOLDER = "sample_input"
LARGE = 20_000  # rows from which only the beginning of a table is read for the sample
STORED = frozenset({".zip", ".gz", ".png", ".jpg", ".jpeg", ".parquet", ".xz", ".safetensors"})  # packed already
README = """# Your predictor

It predicts {targets} from {count} columns. {score}

## Three commands

With Python {python} (`uv venv --python {python} env` gets it when you have another one):

    python -m venv env
    env/bin/pip install -r requirements.txt
    env/bin/python predict.py {sample} --out {out}

On Windows write `env\\Scripts\\` in place of `env/bin/`. Then give your own {given}; the answer is not needed.

* {endings}
* `--probabilities` adds how likely each label is.
* `--check` looks at versions and columns only.
* `--row NAME=VALUE NAME=VALUE` predicts one row that you type.

From Python:

    from pathlib import Path
    import solution
    rows = solution.load_new(Path("{sample}"), Path("model"))
    answers = solution.predict(rows, Path("model"))

## What is in here

| file | what it is |
|---|---|
| `predict.py` | the command above; what it needs is in `standalone/` |
| `solution.py` | how the data is read, and how the model is trained and used |
| `model/` | the trained model |
| `contract.json` | columns, labels, score and versions |
| `requirements.txt` | the exact packages |
| `{sample}` | a few rows to try |
"""


def package(folder: Path, task: Task, profile: Profile, evaluation: Evaluation, data_dir: Path, out: Path) -> Path:
    """Pack the solution and the model in `folder` into the zip `out`, which appears when it is whole.

    Also leaves in `folder` the sample, `sample_input.csv` or a folder `sample_input` with files, and its rows as the
    training read them in `sample.parquet`, for the proof.

    Parameters
    ----------
    folder
        Holds `solution.py` and `model/`.
    data_dir
        The upload, for a few sample rows.
    """
    source = (folder / "solution.py").read_text(encoding="utf-8")
    packages = used_packages(source, folder / "model", task.output.value.format)
    contract = contract_of(task, profile, evaluation, packages)
    raw, read = sample_rows(task, profile, data_dir)
    files = [f.name for f in task.used_features if f.treat_as in FILES and f.name in read]
    if files:
        raw, read = _with_files(raw, read, files, task, folder / SAMPLE_FOLDER)
    _write_frame(read, folder / "sample.parquet")
    texts = {
        **_program(),
        "solution.py": source,
        "contract.json": json.dumps(contract, ensure_ascii=False, indent=1),
        "requirements.txt": "".join(f"{name}=={version}\n" for name, version in packages.items()),
        "README.md": readme(contract, evaluation),
    }
    listed = folder / SAMPLE_FOLDER / "sample_input.csv" if files else folder / "sample_input.csv"
    if len(raw.columns):
        write_rows(raw, contract, listed)
    partial = out.with_name(f"{out.name}.part")
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED, compresslevel=3) as archive:
        for name, text in texts.items():
            archive.writestr(name, text)
        for path in sorted((folder / SAMPLE_FOLDER).rglob("*")) if files else [listed]:
            if path.is_file():
                how = zipfile.ZIP_STORED if path.suffix.lower() in STORED else zipfile.ZIP_DEFLATED
                archive.write(path, path.relative_to(folder).as_posix(), how)
        for path in sorted((folder / "model").rglob("*")):
            if path.is_file() and not path.is_symlink():
                how = zipfile.ZIP_STORED if path.suffix in STORED else zipfile.ZIP_DEFLATED
                archive.write(path, (Path("model") / path.relative_to(folder / "model")).as_posix(), how)
    os.replace(partial, out)
    return out


def _program() -> dict[str, str]:
    """`predict.py` and what it needs, by its name in the zip."""
    files = sorted(Path(standalone.__file__).parent.glob("*.py"))
    return {
        file.name if file.name == "predict.py" else f"standalone/{file.name}": file.read_text(encoding="utf-8")
        for file in files
    }


def contract_of(task: Task, profile: Profile, evaluation: Evaluation, packages: dict[str, str]) -> dict[str, Any]:
    """What the predictor takes and gives, as JSON-able data."""
    table = profile.table(task.train[0].table)
    known = task.series.known if task.series else []  # a newer history need not tell what is known of the days to come
    return {
        "format": FORMAT,
        "goal": task.goal,
        "metric": task.metric.value,
        "metric_text": metrics.get(task.metric.value).text,
        "score": evaluation.score,
        "baseline": evaluation.baseline,
        "baseline_text": evaluation.baseline_text,
        "rows_holdout": evaluation.rows_holdout,
        "facts": task.facts(),
        "output": task.output.value.model_dump(),
        "columns": [
            _column(feature, table.column(feature.name) if table else None) | {"required": feature.name not in known}
            for feature in raw_inputs(task, table)
        ],
        "ignored": [f.name for f in task.features if f.drop or (task.joins and table and not table.column(f.name))],
        "sample": "test" if task.test else "train",
        "sample_input": SAMPLE_FOLDER if any(f.treat_as in FILES for f in task.used_features) else "sample_input.csv",
        "written": _written(table),
        "python": platform.python_version(),
        "packages": packages,
    }


def raw_inputs(task: Task, table: TableProfile | None) -> list[FeaturePlan]:
    """The columns that a file of new rows needs: inputs it holds itself, and keys of the tables that are joined."""
    if not task.joins or table is None:
        return task.used_features
    own = [feature for feature in task.used_features if table.column(feature.name)]
    keys = dict.fromkeys(name for plan in task.joins if not plan.onto for name in [*plan.left_on, plan.left_time or ""])
    known = {feature.name for feature in own}
    return own + [FeaturePlan(name=n, treat_as="category") for n in keys if n and n not in known]


def _written(table: TableProfile | None) -> dict[str, str | None]:
    """Separator, quotation mark and encoding for rows in the form of the training table."""
    plan = table.read if table else None
    if plan is None or plan.format != "delimited" or len(plan.separator) != 1:
        return {"separator": ",", "quote": '"', "encoding": "utf-8"}
    return {"separator": plan.separator, "quote": plan.quote, "encoding": plan.encoding}


def sample_rows(task: Task, profile: Profile, data_dir: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A few rows without the answer: cells as they stand in the file, and the same rows as they are read."""
    if task.series is not None:
        return sample_of(task, profile, data_dir, SAMPLE_ROWS)
    source = (task.test or task.train)[0]
    table = profile.table(source.table)
    assert table is not None, source.table
    nrows = None if table.rows < LARGE else 1000
    raw, read = (load_table(data_dir, table, nrows=nrows, convert=convert) for convert in (False, True))
    targets = [name for name in task.targets if name in read]
    if targets and source.rows == "unlabelled":
        read = read[read[targets].isna().all(axis=1)]
    elif targets and not task.test:
        read = read.dropna(subset=targets)
    naming = [c.source_name for c in table.columns if c.media is not None and table.read.format != "made"]
    inputs = [feature.name for feature in raw_inputs(task, table)]
    names = [*([task.id.value] if task.id.value else []), *naming, *inputs]
    keep = [name for name in dict.fromkeys(names) if name in read]
    read = read[keep].head(SAMPLE_ROWS)
    raw = raw.loc[read.index, [name for name in keep if name in raw]]
    return raw, load_joined(read, task, profile, data_dir) if task.joins else read


def _with_files(
    raw: pd.DataFrame, read: pd.DataFrame, columns: list[str], task: Task, folder: Path
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Copy the files of a few rows into a folder; the rows with the files' new places, in the order of their names.

    Rows that only stand for files need no table beside them: then the first of the frames has no columns, and a file
    that cannot be read is an empty one.
    """
    shutil.rmtree(folder, ignore_errors=True)
    read, key = read.head(SAMPLE_FILES).copy(), task.id.value
    raw = raw.loc[read.index].copy()
    alone = len(columns) == 1 and set(read.columns) <= {columns[0], key} and columns[0] in raw
    for column in columns:
        places = {}
        if alone and key in read:
            read[column] = read[column].fillna(read[key])
        for row, cell in read[column].dropna().items():
            name = str(read.at[row, key]) if alone and key is not None and key in read else ""
            named = name if "." in name else Path(cell).name
            place = folder / PurePosixPath(named).relative_to(PurePosixPath(named).anchor)
            if ".." in place.parts or place.exists():
                place = folder / f"{row}_{Path(cell).name}"
            place.parent.mkdir(parents=True, exist_ok=True)
            if Path(cell).is_file():
                shutil.copyfile(cell, place)
            else:
                place.touch()
            places[row] = place.relative_to(folder.parent).as_posix()
        read[column] = read[column].index.map(places).astype(object)
        if column in raw:
            raw[column] = [
                Path(p).relative_to(folder.name).as_posix() if isinstance(p, str) else p for p in read[column]
            ]
    if alone:
        read = read.iloc[sorted(range(len(read)), key=lambda i: Path(str(read[columns[0]].iloc[i])))]
        raw = raw[[]]
    return raw, read


def _write_frame(frame: pd.DataFrame, path: Path) -> None:
    """Parquet, where a column that mixes kinds of values becomes text."""
    import pyarrow as pa

    try:
        frame.to_parquet(path)
    except (pa.ArrowException, TypeError, ValueError):
        texts = {name: frame[name].astype(str).where(frame[name].notna()) for name in frame.select_dtypes("object")}
        frame.assign(**texts).to_parquet(path)


def readme(contract: dict[str, Any], evaluation: Evaluation) -> str:
    """Plain words for whoever unpacks the zip."""
    return README.format(
        targets=", ".join(f"`{name}`" for name in contract["facts"]["targets"]),
        count=len(contract["columns"]),
        score=score_text(evaluation),
        python=".".join(contract["python"].split(".")[:2]),
        **_words(contract),
    )


def _words(contract: dict[str, Any]) -> dict[str, str]:
    """What the README says about the sample, the new data and the file of answers."""
    sample, kind = contract["sample_input"], contract["output"]["format"]
    given = f"file in place of `{sample}`: CSV, Excel, Parquet or JSON with the same columns"
    if sample == SAMPLE_FOLDER:
        given = f"folder in place of `{sample}`, or a single file"
    out, endings = (
        "predictions.csv",
        "`--out predictions.xlsx` writes Excel; the ending of the name chooses the format.",
    )
    if kind in PICTURES:
        out, endings = "predictions", "The answers are a folder of PNG files; `--out predictions.zip` writes a zip."
    elif kind == "coco":
        out, endings = "predictions.json", "`--out boxes.csv` writes a table of boxes in place of COCO results."
    return {"sample": sample, "given": given, "out": out, "endings": endings}


def _column(feature: FeaturePlan, column: ColumnProfile | None) -> dict[str, Any]:
    """One input: what it holds, examples, a usual value and, of few categories, all of them."""
    found: dict[str, Any] = {"name": feature.name, "kind": feature.treat_as}
    if column is None:
        return found | {"typical": "", "examples": [], "choices": []}
    usual = column.top[0][0] if column.top else column.examples[0] if column.examples else ""
    marks = column.number is not None and column.number != type(column.number)()  # written as `1.049,00 DM`
    if feature.treat_as == "number" and column.mean is not None and not marks:
        usual = f"{column.mean:.0f}" if column.integer else f"{column.mean:.6g}"
    few = feature.treat_as in ("category", "boolean") and column.unique == len(column.top)
    choices = [value for value, _ in column.top] if few else []
    return found | {"typical": usual, "examples": column.examples, "choices": choices}
