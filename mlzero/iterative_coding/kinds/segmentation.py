"""Label images: a class a pixel."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mlzero.iterative_coding import evaluators
from mlzero.iterative_coding.contract import Check
from mlzero.iterative_coding.kinds import Case, Measure
from mlzero.iterative_coding.kinds.pictures import PALETTE, SHOWN, as_data, png_checks
from mlzero.semantic_memory.blocks import function

if TYPE_CHECKING:
    import pandas as pd
    from PIL.Image import Image

    from mlzero.perception.task import Task

KEPT = 200  # pictures up to which all masks are kept in memory to show some


class Segmentation(Measure):
    """See `Measure`."""

    def check(
        self, predicted: pd.DataFrame, rows: pd.DataFrame, task: Task, known: list[str], where: str
    ) -> list[Check]:
        return png_checks(predicted, rows, task, where, "mask")

    def score(self, metric: str, case: Case) -> float:
        return measured(metric, [_confusion(*pair, case.task) for pair in _pairs(case)])

    def naive(self, metric: str, case: Case) -> tuple[float, str]:
        """One class everywhere: the most frequent of the training masks, or of two classes the better one."""
        target, mask = case.target, _mask(case.task)
        known = sum(_counts(_read(case.data_dir / path, case.task), case.task) for path in case.train[target].head(300))
        real = [_counts(_read(case.data_dir / path, case.task), case.task) for path in case.truth[target]]
        options = range(len(mask.values)) if len(mask.values) == 2 else [int(np.argmax(known))]
        scores = {}
        for option in options:
            tables = []
            for counts in real:
                table = np.zeros((len(mask.values),) * 2, dtype=np.int64)
                table[:, option] = counts
                tables.append(table)
            scores[option] = measured(metric, tables)
        best = max(scores, key=lambda option: scores[option])
        return scores[best], f"marks every pixel as {case.task.labels[best]}"

    def evaluate(self, case: Case, folder: Path) -> None:
        """`masks.json`: `classes` with `name`, `iou`, `share` and `colour`; `examples` as data addresses."""
        tables, scores = [], []
        shown: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        for i, (real, said) in enumerate(_pairs(case)):
            tables.append(_confusion(real, said, case.task))
            scores.append(measured("mean_iou", tables[-1:]))
            if len(case.truth) <= KEPT:
                shown[i] = (real, said)
        total = np.sum(tables, axis=0)
        overlap, together = np.diag(total), total.sum(0) + total.sum(1) - np.diag(total)
        classes = [
            {
                "name": name, "iou": float(overlap[i] / together[i]) if together[i] else None,
                "share": float(total[i].sum() / max(total.sum(), 1)), "colour": "#{:02x}{:02x}{:02x}".format(*PALETTE[i % len(PALETTE)]),
            }
            for i, name in enumerate(case.task.labels)
        ]  # fmt: skip
        examples = [_example(case, i, *shown[i], scores[i]) for i in evaluators.spread(scores, SHOWN) if i in shown]
        evaluators.write(folder, "masks", {"classes": classes, "examples": examples})


def measured(metric: str, tables: list[np.ndarray]) -> float:
    """A metric of confusion tables (true × predicted pixels), one a picture.

    `iou` is that of the second of two classes, a mean over pictures (1 where neither holds it); the others look at all
    pixels of all pictures together and leave out classes that do not occur in the truth.
    """
    if metric == "iou" and len(tables[0]) == 2:
        unions = [t[1, 1] + t[0, 1] + t[1, 0] for t in tables]
        return float(np.mean([t[1, 1] / union if union else 1.0 for t, union in zip(tables, unions, strict=True)]))
    total = np.sum(tables, axis=0).astype(float)
    hit, real, said = np.diag(total), total.sum(1), total.sum(0)
    if metric == "pixel_accuracy":
        return float(hit.sum() / max(total.sum(), 1))
    present = real > 0
    if metric == "dice":
        present = present & (np.arange(len(real)) > 0) if len(real) == 2 and real[1] else present
        return float(np.mean(2 * hit[present] / (real + said)[present])) if present.any() else 0.0
    return float(np.mean(hit[present] / (real + said - hit)[present])) if present.any() else 0.0


def _mask(task: Task) -> Any:
    assert task.mask is not None
    return task.mask


def _read(source: Path | bytes, task: Task) -> np.ndarray:
    from mlzero.semantic_memory.blocks.dicom import open_picture
    from mlzero.semantic_memory.blocks.files import is_dicom

    mask = _mask(task)
    if isinstance(source, Path) and is_dicom(source):  # the block reads ordinary files only
        stream = io.BytesIO()
        open_picture(source).save(stream, "PNG")
        source = stream.getvalue()
    classes: np.ndarray = function("read_classes")(source, mask.values, mask.ignored, mask.colours)
    return classes


def _pairs(case: Case) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """True and predicted classes of each picture; a prediction of another size is stretched."""
    from PIL import Image

    for path, data in zip(case.truth[case.target], case.predicted[case.target], strict=True):
        real, said = _read(case.data_dir / path, case.task), _read(data, case.task)
        if real.shape != said.shape:
            said = np.asarray(Image.fromarray(said).resize(real.shape[::-1], Image.Resampling.NEAREST))
        yield real, said


def _confusion(real: np.ndarray, said: np.ndarray, task: Task) -> np.ndarray:
    """True × predicted pixels; pixels without a true class are left out, those without a predicted one are wrong."""
    count = len(_mask(task).values)
    known = real < count
    said = np.where(said < count, said, (real + 1) % count)
    codes = real[known].astype(np.int64) * count + said[known]
    return np.bincount(codes, minlength=count * count).reshape(count, count)


def _counts(classes: np.ndarray, task: Task) -> np.ndarray:
    return np.bincount(classes.ravel(), minlength=256)[: len(_mask(task).values)]


def _example(case: Case, place: int, real: np.ndarray, said: np.ndarray, score: float) -> dict[str, Any]:
    from mlzero.semantic_memory.blocks.dicom import open_picture

    row = case.rows.iloc[place]
    with open_picture(case.data_dir / row["image"]) as picture:
        image = as_data(picture)
    pictures = {"image": image, "true": as_data(_drawn(real)), "predicted": as_data(_drawn(said))}
    return {"name": str(row.get("picture", place)), "score": score, **pictures}


def _drawn(classes: np.ndarray) -> Image:
    from PIL import Image

    colours = np.full((256, 3), 230, dtype=np.uint8)
    colours[:255] = np.resize(np.array(PALETTE, dtype=np.uint8), (255, 3))
    return Image.fromarray(colours[classes])


MEASURE = Segmentation()
