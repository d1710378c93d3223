"""Scores of label images and restored pictures, and how predictions that are pictures or boxes are written."""

from __future__ import annotations

import base64
import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from mlzero.iterative_coding.kinds import measure_of, restoration
from mlzero.iterative_coding.kinds.pictures import as_data, picture_of
from mlzero.iterative_coding.kinds.segmentation import measured
from mlzero.predictor.standalone.answers import write_predictions

TABLE = np.array([[50, 10], [20, 20]])  # true x predicted pixels


def png(value: int = 0) -> bytes:
    file = io.BytesIO()
    Image.fromarray(np.full((4, 6), value, dtype=np.uint8)).save(file, "PNG")
    return file.getvalue()


@pytest.mark.parametrize(
    ("metric", "wanted"),
    [("iou", 20 / 50), ("mean_iou", (20 / 50 + 50 / 80) / 2), ("dice", 40 / 70), ("pixel_accuracy", 0.7)],
)
def test_overlap_is_as_worked_out_by_hand(metric: str, wanted: float) -> None:
    assert measured(metric, [TABLE]) == pytest.approx(wanted)


def test_iou_is_a_mean_over_pictures_and_one_where_there_is_nothing() -> None:
    empty = np.array([[100, 0], [0, 0]])
    assert measured("iou", [TABLE, empty]) == pytest.approx((0.4 + 1.0) / 2)


def test_classes_that_do_not_occur_are_left_out() -> None:
    table = np.zeros((3, 3), dtype=int)
    table[:2, :2] = TABLE
    assert measured("mean_iou", [table]) == pytest.approx(measured("mean_iou", [TABLE]))


def test_errors_of_restored_pictures_are_of_pixels_from_0_to_1() -> None:
    black, grey = (Image.fromarray(np.full((4, 4), v, dtype=np.uint8)) for v in (0, 51))
    assert restoration.measured("rmse", [restoration.errors_of(black, grey)]) == pytest.approx(0.2)
    assert restoration.measured("psnr", [restoration.errors_of(black, grey)]) == pytest.approx(20 * np.log10(5))
    assert restoration.measured("mae", [restoration.errors_of(black, grey)]) == pytest.approx(0.2)


def test_what_is_no_picture() -> None:
    assert picture_of(b"no") is None and picture_of("text") is None and picture_of(png()) is not None
    assert measure_of("segmentation") is not measure_of("detection")


def test_pictures_are_written_under_the_names_of_the_given_ones(tmp_path: Path) -> None:
    rows = pd.DataFrame({"picture": ["a/1.jpg", "a/1.png", "../b.tif"], "image": ["x"] * 3})
    answers = pd.DataFrame({"mask": [png(1), png(2), png(3)]})
    facts = {"targets": ["mask"], "id": "picture", "labels": [], "positive_label": None, "problem_type": "segmentation"}
    folder = write_predictions(rows, answers, {"format": "masks"}, facts, tmp_path / "predictions")
    assert sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*.png")) == ["a/1.png", "a/1_2.png", "b.png"]
    packed = write_predictions(rows, answers, {"format": "masks"}, facts, tmp_path / "predictions.zip")
    assert sorted(zipfile.ZipFile(packed).namelist()) == ["a/1.png", "a/1_2.png", "b.png"]


def test_boxes_are_written_as_coco_results_or_a_table(tmp_path: Path) -> None:
    found = [{"label": "cell", "category_id": 4, "box": [1, 2, 3, 4], "score": 0.5}]
    rows = pd.DataFrame({"picture": ["a.png", "b.png"], "image_id": [7, 9], "image": ["x", "y"]})
    answers = pd.DataFrame({"boxes": [json.dumps(found), "[]"]})
    facts = {
        "targets": ["boxes"],
        "id": "image_id",
        "labels": ["cell"],
        "positive_label": None,
        "problem_type": "detection",
    }
    coco = write_predictions(rows, answers, {"format": "coco"}, facts, tmp_path / "predictions.json")
    assert json.loads(coco.read_text()) == [{"image_id": 7, "category_id": 4, "bbox": [1, 2, 3, 4], "score": 0.5}]
    table = write_predictions(rows, answers, {"format": "csv"}, facts, tmp_path / "predictions.csv")
    assert table.read_text().splitlines() == ["image,label,xmin,ymin,xmax,ymax,score", "a.png,cell,1,2,4,6,0.5"]


def test_example_pictures_are_small() -> None:
    noise = Image.fromarray(np.random.default_rng(0).integers(0, 256, (900, 600, 3), dtype=np.uint8))
    flat = Image.new("P", (600, 900))
    kinds = [(as_data(noise), "jpeg"), (as_data(flat), "png")]
    for address, kind in kinds:
        begin, _, data = address.partition(",")
        assert begin == f"data:image/{kind};base64" and len(data) < 150_000
        with Image.open(io.BytesIO(base64.b64decode(data))) as small:
            assert small.size == (213, 320)
