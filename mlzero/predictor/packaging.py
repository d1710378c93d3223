"""`predictor.zip`: everything needed to predict elsewhere."""

from __future__ import annotations

import json
import os
import platform
import zipfile
from pathlib import Path
from typing import Any

from mlzero.iterative_coding import metrics
from mlzero.iterative_coding.contract import Evaluation
from mlzero.perception import numbers
from mlzero.perception.profile import FILES, ColumnProfile, NumberFormat, Profile, TableProfile
from mlzero.perception.task import FeaturePlan, Task
from mlzero.predictor import sample, standalone
from mlzero.predictor.requirements import used_packages
from mlzero.predictor.standalone.command import FORMAT
from mlzero.predictor.standalone.inputs import write_rows
from mlzero.predictor.usage import readme, usage

STORED = frozenset({".zip", ".gz", ".png", ".jpg", ".jpeg", ".parquet", ".xz", ".safetensors"})  # packed already


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
    out
        Returned when it is written.
    """
    source = (folder / "solution.py").read_text(encoding="utf-8")
    packages = used_packages(source, folder / "model", task.output.value.format)
    contract = contract_of(task, profile, evaluation, packages)
    raw, read = sample.sample_rows(task, profile, data_dir)
    files = [f.name for f in task.used_features if f.treat_as in FILES and f.name in read]
    if files:
        raw, read = sample.with_files(raw, read, files, task, folder / sample.FOLDER)
    sample.write_frame(read, folder / "sample.parquet")
    texts = {
        **_program(),
        "solution.py": source,
        "contract.json": json.dumps(contract, ensure_ascii=False, indent=1),
        "requirements.txt": "".join(f"{name}=={version}\n" for name, version in packages.items()),
        "README.md": readme(task, contract, evaluation),
    }
    listed = folder / sample.FOLDER / "sample_input.csv" if files else folder / "sample_input.csv"
    if len(raw.columns):
        write_rows(raw, contract, listed)
    partial = out.with_name(f"{out.name}.part")
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED, compresslevel=3) as archive:
        for name, text in texts.items():
            archive.writestr(name, text)
        tried = (folder / sample.FOLDER).rglob("*") if files else [listed]
        for path in [*sorted(tried), *sorted((folder / "model").rglob("*"))]:
            if path.is_file() and not path.is_symlink():
                how = zipfile.ZIP_STORED if path.suffix.lower() in STORED else zipfile.ZIP_DEFLATED
                archive.write(path, path.relative_to(folder).as_posix(), how)
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
            _column(feature, table.column(feature.name) if table else None, table.rows if table else 0)
            | {"required": feature.name not in known}
            for feature in sample.raw_inputs(task, table)
        ],
        "row_files": task.row_files.value,
        "rows_are_files": task.rows_are_files,
        "ignored": [f.name for f in task.features if f.drop or (task.joins and table and not table.column(f.name))],
        "sample": "test" if task.test else "train",
        "sample_input": usage(task).sample,
        "written": _written(table),
        "python": platform.python_version(),
        "packages": packages,
    }


def _written(table: TableProfile | None) -> dict[str, str | None]:
    """Separator, quotation mark and encoding for rows in the form of the training table."""
    plan = table.read if table else None
    if plan is None or plan.format != "delimited" or len(plan.separator) != 1:
        return {"separator": ",", "quote": '"', "encoding": "utf-8"}
    return {"separator": plan.separator, "quote": plan.quote, "encoding": plan.encoding}


def _column(feature: FeaturePlan, column: ColumnProfile | None, rows: int) -> dict[str, Any]:
    """One input: what it holds, examples, the share of empty cells, a usual value and, of few categories, all of them."""
    found: dict[str, Any] = {"name": feature.name, "kind": feature.treat_as}
    if column is None:
        return found | {"typical": "", "examples": [], "choices": []}
    found["empty"] = round(column.missing / max(1, rows), 3)
    usual = column.top[0][0] if column.top else column.examples[0] if column.examples else ""
    if feature.treat_as == "number" and column.mean is not None:
        usual = _mean(column)
    if feature.treat_as == "category" and column.parts:
        examples = column.examples  # the most frequent cell may be another one, such as "unknown"
        return found | {"typical": examples[0], "examples": examples, "choices": [], "parts": column.parts}
    few = feature.treat_as in ("category", "boolean") and column.unique == len(column.top)
    choices = [value for value, _ in column.top] if few else []
    return found | {"typical": usual, "examples": column.examples, "choices": choices}


def _mean(column: ColumnProfile) -> str:
    """The mean of a column, written as its cells are, such as `1.049,00 DM`."""
    assert column.mean is not None
    plain = f"{column.mean:.0f}" if column.integer else f"{column.mean:.6g}"
    cell = next((text for text in column.examples if any(map(str.isdigit, text))), None)
    if column.number in (None, NumberFormat()) or cell is None:
        return plain
    return numbers.written(cell, column, None).text(column.mean)
