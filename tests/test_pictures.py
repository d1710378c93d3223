"""Pictures from the folder to the predictor: shapes on noise, marked, found and cleaned."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import mlzero
from mlzero.predictor.loading import predict_file
from mlzero.runs import RunDirectory

pytestmark = pytest.mark.slow

SIZE = 64


def disc(dice: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """A bright disc on dark noise, and where it is."""
    radius, (y, x) = int(dice.integers(8, 16)), dice.integers(16, SIZE - 16, 2)
    rows, columns = np.mgrid[:SIZE, :SIZE]
    inside = (rows - y) ** 2 + (columns - x) ** 2 <= radius**2
    picture = dice.normal(70, 25, (SIZE, SIZE, 3)) + 90 * inside[..., None]
    return np.clip(picture, 0, 255).astype(np.uint8), inside


def save(path: Path, pixels: np.ndarray) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(pixels).save(path)


def test_a_disc_is_marked_in_new_pictures(tmp_path: Path) -> None:
    dice, data = np.random.default_rng(0), tmp_path / "data"
    for i in range(12):
        picture, inside = disc(dice)
        save(data / f"train/images/{i}.jpg", picture)
        save(data / f"train/masks/{i}_mask.png", inside.astype(np.uint8) * 255)
    truth = {}
    for i in range(3):
        picture, truth[f"new{i}"] = disc(dice)
        save(data / f"test/new{i}.jpg", picture)
    run = mlzero.solve(
        data,
        "Mark the disc in the test pictures. IoU.",
        out=tmp_path / "run",
        time_limit=60,
        max_attempts=1,
        llm="none",
    )
    record = run.record
    assert record.state == "done" and record.metric == "iou" and record.files["predictions"] == "predictions.zip"
    assert record.score is not None and record.baseline is not None and record.score > record.baseline + 0.1
    written = sorted((tmp_path / "run/predictions").iterdir())
    assert [file.name for file in written] == ["new0.png", "new1.png", "new2.png"]
    for file in written:
        mask = np.array(Image.open(file))
        assert mask.shape == (SIZE, SIZE) and set(np.unique(mask)) <= {0, 255}
    assert RunDirectory(run.path).record().files["predictor"] == "predictor.zip"
    assert run.predictor_path is not None
    report = predict_file(run.predictor_path, data / "test", tmp_path / "masks")
    assert report.rows == 3 and not report.warnings
    for file in written:
        assert (tmp_path / "masks" / file.name).read_bytes() == file.read_bytes()
    predict_file(run.predictor_path, data / "test/new1.jpg", tmp_path / "one.zip")
    assert (tmp_path / "one.zip").is_file()
    assert (run.path / "best/evaluation/masks.json").is_file()
