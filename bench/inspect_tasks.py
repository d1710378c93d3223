"""Compare what perception understands with what is right: `python bench/inspect_tasks.py FOLDER [--only NAME ...]`.

FOLDER holds one folder a task: `data/` is the upload, `task.yaml` has the goal and the facts (`modality`,
`problem_type`, `target`, `metric.name`, `id_column`, `expected_rows`, `predict_on`). Nothing is trained.
"""

from __future__ import annotations

import argparse
import re
import time
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

import mlzero
from mlzero.api import Inspection
from mlzero.errors import UserError
from mlzero.perception.task import Task

FIELDS = ("target", "type", "modality", "metric", "id", "rows")
TYPES = [  # words of task.yaml, the more special ones first
    ("multilabel", "multilabel"), ("multitarget", "multitarget"), ("similarity", "text_similarity"),
    ("retrieval", "retrieval"), ("named entity", "ner"), ("segmentation", "segmentation"), ("detection", "detection"),
    ("image-to-image", "image_to_image"), ("image to image", "image_to_image"), ("forecasting", "forecasting"),
    ("sequence", "sequence_to_sequence"), ("multiclass", "multiclass"), ("binary", "binary"), ("ordinal", "multiclass"),
    ("regression", "regression"), ("counting", "regression"),
]  # fmt: skip
MODALITIES = ("multimodal", "tabular", "text", "image", "audio", "document", "time series")
SAME_METRIC = {"f1_binary": "f1", "f1_micro_multilabel": "f1_micro", "mean_iou_binary": "mean_iou", "iou": "mean_iou"}
WITHOUT_NAMES = ("segmentation", "detection", "image_to_image")  # the answer is a picture or boxes, not a named column


@dataclass
class Verdict:
    """What was found by field, and which of it is right."""

    found: dict[str, str] = field(default_factory=dict)
    right: dict[str, bool] = field(default_factory=dict)
    wanted: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    failure: str = ""


def judge(facts: dict[str, Any], seen: Inspection) -> Verdict:
    """Field by field, whether the task was understood."""
    task, verdict = seen.task, Verdict()
    kind = next((name for words, name in TYPES if words in facts["problem_type"].lower()), facts["problem_type"])
    modality = next(name for name in MODALITIES if facts["modality"].lower().startswith(name)).replace(" ", "_")
    metric = str(facts["metric"]["name"])
    _note(verdict, "type", task.problem_type.value, kind, task.problem_type.value == kind)
    _note(verdict, "modality", task.modality.value, modality, task.modality.value == modality)
    _note(verdict, "metric", task.metric.value, metric, _metric(task.metric.value) == _metric(metric))
    wanted = _names(facts["target"])
    shown = ", ".join(task.targets)
    _note(verdict, "target", shown, ", ".join(wanted), _target_right(wanted, seen, kind))
    key = facts.get("id_column")
    ids = [key] if isinstance(key, str) else list(key or [])
    _note(verdict, "id", str(task.id.value), ", ".join(ids), _id_right(ids, facts, seen))
    came = facts.get("predict_on", "rows in data/").startswith("rows in data/")
    expected = int(facts["expected_rows"]) if came else 0
    counts = _rows(seen)
    _note(verdict, "rows", str(expected if expected in counts else counts[0]), str(expected), expected in counts)
    return verdict


def _note(verdict: Verdict, name: str, found: str, wanted: str, right: bool) -> None:
    verdict.found[name], verdict.wanted[name], verdict.right[name] = found, wanted, right


def _plain(text: object) -> str:
    return unicodedata.normalize("NFC", str(text)).strip().casefold()


def _metric(name: str) -> str:
    return SAME_METRIC.get(name, name)


def _names(text: Any) -> list[str]:
    """`H1..H48` written out; lists as they are."""
    if isinstance(text, list):
        return [str(name) for name in text]
    span = re.fullmatch(r"(\D*)(\d+)\.\.(\D*)(\d+)", str(text))
    if span is None:
        return [str(text)]
    return [f"{span[1]}{number}" for number in range(int(span[2]), int(span[4]) + 1)]


def _target_right(wanted: list[str], seen: Inspection, kind: str) -> bool:
    """By the column in the data or in the answer; a column without a name in the data is right if it is one."""
    task = seen.task
    if kind in WITHOUT_NAMES:
        return len(task.targets) == 1 and task.problem_type.value == kind
    answer = [_plain(name) for name in task.output.value.columns]
    names = [_plain(name) for name in wanted]
    if names == [_plain(name) for name in task.targets] or names == answer[-len(names) :]:
        return True
    known = {_plain(column.name) for table in seen.profile.tables for column in table.columns}
    unnamed = all(re.fullmatch(r"col_\d+", name) for name in task.targets)
    return unnamed and not set(names) & known and len(task.targets) == len(names)


def _id_right(ids: list[str], facts: dict[str, Any], seen: Inspection) -> bool:
    """By the column in the data or at the front of the answer; pictures are named by their files."""
    task = seen.task
    if not ids:
        return True
    names = [_plain(name) for name in ids]
    if names in ([_plain(task.id.value)], [_plain(name) for name in task.output.value.columns[: len(names)]]):
        return True
    known = {_plain(column.name) for table in seen.profile.tables for column in table.columns}
    later = not str(facts.get("predict_on", "")).startswith("rows in data/")
    return later and not set(names) & known and task.id.value is None


def _rows(seen: Inspection) -> list[int]:
    """Rows to predict that came with the upload; several numbers where lines and rows differ."""
    task = seen.task
    count = 0
    for source in task.test:
        table = seen.profile.table(source.table)
        if table is None:
            continue
        gaps = [column.missing for name in task.targets if (column := table.column(name))]
        count += min(gaps, default=table.rows) if source.rows == "unlabelled" else table.rows
    counts = [count]
    if task.series is not None:
        counts += _series_rows(task, count)
        sample = seen.profile.table(task.output.value.sample or "")
        counts += [sample.rows] if sample else []
    return counts


def _series_rows(task: Task, count: int) -> list[int]:
    assert task.series is not None
    horizon = task.series.horizon
    return [horizon, count // horizon, count * horizon] if task.series.item else [horizon]


def inspect(folder: Path) -> Verdict:
    facts = yaml.safe_load((folder / "task.yaml").read_text(encoding="utf-8"))
    begun = time.monotonic()
    try:
        verdict = judge(facts, mlzero.inspect(folder / "data", facts["goal"]))
    except UserError as error:
        verdict = Verdict(right=dict.fromkeys(FIELDS, False), failure=str(error))
    verdict.seconds = time.monotonic() - begun
    return verdict


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME")
    asked = parser.parse_args()
    folders = [path.parent for path in sorted(asked.folder.glob("*/task.yaml"))]
    folders = [path for path in folders if not asked.only or path.name in asked.only]
    print(f"{'task':30}" + "".join(f"{name:10}" for name in FIELDS) + "seconds")
    totals = dict.fromkeys(FIELDS, 0)
    wrong: list[str] = []
    whole = 0
    for folder in folders:
        verdict = inspect(folder)
        whole += all(verdict.right.values())
        marks = "".join(f"{'right' if verdict.right[name] else 'WRONG':10}" for name in FIELDS)
        print(f"{folder.name:30}{marks}{verdict.seconds:7.1f}", flush=True)
        if verdict.failure:
            wrong.append(f"{folder.name}: {verdict.failure}")
        for name in FIELDS:
            totals[name] += verdict.right[name]
            if not verdict.right[name] and not verdict.failure:
                wrong.append(f"{folder.name}: {name} is {verdict.found[name]}, should be {verdict.wanted[name]}")
    print(f"{'right':30}" + "".join(f"{f'{totals[name]}/{len(folders)}':10}" for name in FIELDS))
    print(f"{whole} of {len(folders)} tasks right in every field\n")
    print("\n".join(wrong))


if __name__ == "__main__":
    main()
