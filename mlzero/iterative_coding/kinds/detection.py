"""Boxes around things in pictures."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mlzero.iterative_coding import evaluators
from mlzero.iterative_coding.contract import Check
from mlzero.iterative_coding.kinds import Case, Measure
from mlzero.iterative_coding.kinds.pictures import PALETTE, SHOWN, as_data, row_checks

if TYPE_CHECKING:
    import pandas as pd
    from PIL.Image import Image

    from mlzero.perception.task import Task

MOST = 100  # boxes a picture that count, the surest first, as COCO has it
OVERLAPS = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
SHOWN_FROM = 0.3  # score from which a box is drawn


class Detection(Measure):
    """See `Measure`."""

    def check(
        self, predicted: pd.DataFrame, rows: pd.DataFrame, task: Task, known: list[str], where: str
    ) -> list[Check]:
        checks = row_checks(predicted, rows, task, where)
        if all(check.passed for check in checks):
            problems = [p for text in predicted[task.targets[0]] if (p := _problem(text, task.labels))]
            told = problems[0] if problems else "Every answer is a list of boxes with a known label and a score."
            checks.append(Check(f"{where}: boxes", not problems, told))
        return checks

    def score(self, metric: str, case: Case) -> float:
        target = case.target
        return mean_precision(metric, case.task.labels, _boxes(case.truth[target]), _boxes(case.predicted[target]))

    def naive(self, metric: str, case: Case) -> tuple[float, str]:
        """Boxes of usual size of the most frequent class, side by side over every picture."""
        from mlzero.semantic_memory.blocks.dicom import open_picture

        target, label = case.target, case.task.labels[0]
        sizes = [box["box"][2:] for text in case.train[target] for box in json.loads(text) if box["label"] == label]
        width, height = np.median(np.array(sizes or [[32.0, 32.0]]), axis=0)
        said = []
        for path in case.rows["image"]:
            with open_picture(case.data_dir / path) as picture:
                across, down = picture.size
            columns, lines = (max(1, min(10, round(a / b))) for a, b in ((across, width), (down, height)))
            said.append([
                {"label": label, "score": 1.0 - 0.001 * (i * columns + j),
                 "box": [(j + 0.5) * across / columns - width / 2, (i + 0.5) * down / lines - height / 2, width, height]}
                for i in range(lines) for j in range(columns)
            ])  # fmt: skip
        score = mean_precision(metric, case.task.labels, _boxes(case.truth[target]), said)
        return score, f"sees boxes of usual size of {label} side by side everywhere"

    def evaluate(self, case: Case, folder: Path) -> None:
        """`boxes.json`: `classes` with `name`, `precision`, `count` and `colour`; `examples` as data addresses."""
        target = case.target
        real, said = _boxes(case.truth[target]), _boxes(case.predicted[target])
        classes = [
            {
                "name": label, "precision": precision(label, 0.5, real, said),
                "count": sum(box["label"] == label for boxes in real for box in boxes),
                "colour": "#{:02x}{:02x}{:02x}".format(*PALETTE[i % len(PALETTE)]),
            }
            for i, label in enumerate(case.task.labels)
        ]  # fmt: skip
        scores = [mean_precision("map50", case.task.labels, [a], [b]) for a, b in zip(real, said, strict=True)]
        examples = []
        for i in evaluators.spread(scores, SHOWN):
            path = case.data_dir / case.rows["image"].iloc[i]
            sure = [box for box in said[i] if box["score"] >= SHOWN_FROM]
            examples.append({
                "name": str(case.rows.iloc[i].get("picture", i)), "score": scores[i],
                "true": as_data(_drawn(path, real[i], case.task.labels)), "predicted": as_data(_drawn(path, sure, case.task.labels)),
            })  # fmt: skip
        evaluators.write(folder, "boxes", {"classes": classes, "examples": examples})


def mean_precision(metric: str, labels: list[str], real: list[list[dict]], said: list[list[dict]]) -> float:
    """Average precision over classes that occur, at an overlap of a half (`map50`) or the mean of ten (`map`) [1].

    [1] Lin et al. 2014, "Microsoft COCO": precision at 101 recalls, the largest at no lower recall.
    """
    present = [label for label in labels if any(box["label"] == label for boxes in real for box in boxes)]
    overlaps = (0.5,) if metric == "map50" else OVERLAPS
    values = [precision(label, overlap, real, said) or 0.0 for label in present for overlap in overlaps]
    return float(np.mean(values)) if values else 0.0


def precision(label: str, overlap: float, real: list[list[dict]], said: list[list[dict]]) -> float | None:
    """Average precision of one class; None when it does not occur."""
    wanted = [np.array([b["box"] for b in boxes if b["label"] == label], dtype=float).reshape(-1, 4) for boxes in real]
    total = sum(map(len, wanted))
    if not total:
        return None
    found: list[tuple[float, bool]] = []
    for boxes, true in zip(said, wanted, strict=True):
        best = sorted(boxes, key=lambda box: -box["score"])[:MOST]
        own = [box for box in best if box["label"] == label]
        free = np.ones(len(true), dtype=bool)
        for box in own:
            shares = np.where(free, _overlaps(np.array(box["box"], dtype=float), true), 0.0)
            hit = bool(len(shares)) and shares.max() >= overlap
            if hit:
                free[shares.argmax()] = False
            found.append((box["score"], hit))
    found.sort(key=lambda pair: -pair[0])
    hits = np.cumsum([hit for _, hit in found])
    if not len(hits):
        return 0.0
    recall, exact = hits / total, hits / np.arange(1, len(hits) + 1)
    exact = np.maximum.accumulate(exact[::-1])[::-1]
    places = np.searchsorted(recall, np.linspace(0, 1, 101))
    return float(np.append(exact, 0.0)[np.minimum(places, len(exact))].mean())


def _overlaps(box: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Intersection over union of a box (left, top, width, height) with others."""
    if not len(others):
        return np.zeros(0)
    low = np.maximum(box[:2], others[:, :2])
    high = np.minimum(box[:2] + box[2:], others[:, :2] + others[:, 2:])
    both = np.prod(np.clip(high - low, 0, None), axis=1)
    return both / np.maximum(box[2] * box[3] + others[:, 2] * others[:, 3] - both, 1e-9)


def _boxes(texts: pd.Series) -> list[list[dict]]:
    return [json.loads(text) for text in texts]


def _problem(text: object, labels: list[str]) -> str:
    """What is wrong with predicted boxes, as a sentence; empty when nothing is."""
    try:
        boxes: Any = json.loads(text) if isinstance(text, str) else None
    except ValueError:
        boxes = None
    if not isinstance(boxes, list):
        return "An answer is no JSON list of boxes."
    for box in boxes:
        if not isinstance(box, dict) or box.get("label") not in labels:
            return f"A box has the label {box.get('label') if isinstance(box, dict) else box!r}, which does not occur in the data."
        numbers = [*(box.get("box") or []), box.get("score")]
        if len(numbers) != 5 or not all(isinstance(n, int | float) and math.isfinite(n) for n in numbers):
            return "A box lacks its four finite numbers or its score."
        if numbers[2] <= 0 or numbers[3] <= 0:
            return "A box has no area."
    return ""


def _drawn(path: Path, boxes: list[dict], labels: list[str]) -> Image:
    from PIL import ImageDraw

    from mlzero.semantic_memory.blocks.dicom import open_picture

    with open_picture(path) as picture:
        canvas = picture.convert("RGB")
    pen, width = ImageDraw.Draw(canvas), max(2, round(max(canvas.size) / 200))
    for box in boxes:
        left, top, across, down = box["box"]
        colour = PALETTE[labels.index(box["label"]) % len(PALETTE)] if box["label"] in labels else (0, 0, 0)
        pen.rectangle((left, top, left + across, top + down), outline=colour, width=width)
    return canvas


MEASURE = Detection()
