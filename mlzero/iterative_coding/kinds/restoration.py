"""Pictures whose answer is a picture: cleaned, sharpened, coloured."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mlzero.iterative_coding import evaluators
from mlzero.iterative_coding.contract import Check
from mlzero.iterative_coding.kinds import Case, Measure
from mlzero.iterative_coding.kinds.pictures import SHOWN, as_data, picture_of, png_checks

if TYPE_CHECKING:
    import pandas as pd
    from PIL.Image import Image

    from mlzero.perception.task import Task


class Restoration(Measure):
    """See `Measure`. Pixels are numbers from 0 to 1."""

    def check(
        self, predicted: pd.DataFrame, rows: pd.DataFrame, task: Task, known: list[str], where: str
    ) -> list[Check]:
        return png_checks(predicted, rows, task, where, "answer")

    def score(self, metric: str, case: Case) -> float:
        both = zip(case.truth[case.target], case.predicted[case.target], strict=True)
        pairs = [(_opened(case.data_dir / path), picture_of(data)) for path, data in both]
        return measured(metric, [errors_of(real, said) for real, said in pairs])

    def naive(self, metric: str, case: Case) -> tuple[float, str]:
        pairs = zip(case.truth[case.target], case.rows["image"], strict=True)
        errors = [errors_of(_opened(case.data_dir / real), _opened(case.data_dir / given)) for real, given in pairs]
        return measured(metric, errors), "leaves the picture as it is"

    def evaluate(self, case: Case, folder: Path) -> None:
        """`restored.json`: `examples`, each with `name`, `score` and pictures as data addresses."""
        target = case.target
        reals = [_opened(case.data_dir / path) for path in case.truth[target]]
        saids = [picture_of(data) for data in case.predicted[target]]
        scores = [-float(np.sqrt(errors_of(*pair)[0])) for pair in zip(reals, saids, strict=True)]
        examples = [
            {
                "name": str(case.rows.iloc[i].get("picture", i)), "score": -scores[i],
                "image": as_data(_opened(case.data_dir / case.rows["image"].iloc[i])), "true": as_data(reals[i]),
                "predicted": as_data(said),
            }
            for i in evaluators.spread(scores, SHOWN)
            if (said := saids[i]) is not None
        ]  # fmt: skip
        evaluators.write(folder, "restored", {"examples": examples})


def _opened(path: Path) -> Image:
    from mlzero.semantic_memory.blocks.dicom import open_picture

    with open_picture(path) as picture:
        return picture.convert("RGB" if picture.mode in ("RGB", "RGBA", "P", "CMYK", "YCbCr") else "L")


def errors_of(real: Image, said: Image | None) -> tuple[float, float, int]:
    """Mean squared and mean absolute difference of the pixels, and how many there are."""
    from PIL import Image

    assert said is not None
    said = said.convert(real.mode)
    if said.size != real.size:
        said = said.resize(real.size, Image.Resampling.BILINEAR)
    off = (np.asarray(real, dtype=np.float32) - np.asarray(said, dtype=np.float32)) / 255
    return float((off**2).mean()), float(np.abs(off).mean()), off.size


def measured(metric: str, errors: list[tuple[float, float, int]]) -> float:
    """RMSE and mean absolute error over all pixels together; PSNR as a mean over the pictures."""
    squared, absolute, sizes = (np.array(column, dtype=float) for column in zip(*errors, strict=True))
    if metric == "psnr":
        return float(np.mean(10 * np.log10(1 / np.maximum(squared, 1e-10))))
    if metric == "mae":
        return float(np.average(absolute, weights=sizes))
    return float(np.sqrt(np.average(squared, weights=sizes)))


MEASURE = Restoration()
