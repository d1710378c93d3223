"""Boxes in pictures: COCO, Pascal VOC, YOLO, tables; which pictures are to be searched; how finds are scored."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from mlzero.iterative_coding.kinds.detection import mean_precision
from mlzero.perception.scan import profile
from mlzero.perception.tables import load_table
from mlzero.perception.understand import infer_task
from mlzero.semantic_memory.blocks.boxes import labelme_box, pictures_to_search

BOX = [4.0, 6.0, 10.0, 8.0]  # of every picture, in pixels


def put(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(np.random.default_rng(0).integers(0, 256, (40, 50, 3), dtype=np.uint8)).save(path)


def pictures(folder: Path, where: str = "train") -> list[str]:
    names = [f"scan_{i}.jpg" for i in range(4)]
    for name in names:
        put(folder / where / name)
        put(folder / "test" / name.replace("scan", "new"))
    return names


def coco(folder: Path) -> None:
    names = pictures(folder)
    content = {
        "images": [{"id": 70 + i, "file_name": name, "width": 50, "height": 40} for i, name in enumerate(names)],
        "annotations": [{"id": i, "image_id": 70 + i, "category_id": 5, "bbox": BOX} for i in range(4)],
        "categories": [{"id": 0, "name": "things"}, {"id": 5, "name": "cell"}],
    }
    (folder / "train/_annotations.coco.json").write_text(json.dumps(content))
    listed = [{"id": 9 + i, "file_name": f"new_{i}.jpg"} for i in range(4)]
    (folder / "test/_images.json").write_text(json.dumps({"images": listed, "categories": content["categories"]}))


def voc(folder: Path) -> None:
    for name in pictures(folder, "JPEGImages"):
        file = folder / "Annotations" / name.replace(".jpg", ".xml")
        file.parent.mkdir(exist_ok=True)
        corners = "<xmin>4</xmin><ymin>6</ymin><xmax>14</xmax><ymax>14</ymax>"
        file.write_text(
            f"<annotation><filename>{name}</filename><object><name>cell</name><bndbox>{corners}</bndbox></object></annotation>"
        )


def labelme(folder: Path) -> None:
    outline = [[4, 6], [14, 6], [14, 14], [4, 14], [9, 10]]
    shapes = [
        {"label": "cell", "shape_type": "rectangle", "points": [[14, 14], [4, 6]]},
        {"label": "cell", "shape_type": "polygon", "points": outline},
    ]
    for number, name in enumerate(pictures(folder)):
        content = {"version": "5.0", "shapes": [shapes[number % 2]], "imagePath": name, "imageData": None}
        (folder / "train" / name.replace(".jpg", ".json")).write_text(json.dumps(content))


def yolo(folder: Path) -> None:
    for name in pictures(folder, "images/train"):
        file = folder / "labels/train" / name.replace(".jpg", ".txt")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"1 {9 / 50} {10 / 40} {10 / 50} {8 / 40}\n")
    (folder / "data.yaml").write_text("names: [dust, cell]\n")


def table(folder: Path) -> None:
    lines = [f"{name},cell,4,6,14,14" for name in pictures(folder)]
    (folder / "boxes.csv").write_text("\n".join(["filename,class,xmin,ymin,xmax,ymax", *lines]) + "\n")


@pytest.mark.parametrize("layout", [coco, voc, labelme, yolo, table])
def test_every_form_of_annotations_is_read(tmp_path: Path, layout: Callable[[Path], None]) -> None:
    layout(tmp_path)
    found = profile(tmp_path)
    task = infer_task(found, tmp_path, "Find the cells in the test pictures.")
    assert (task.problem_type.value, task.metric.value, task.labels) == ("detection", "map50", ["cell"])
    assert task.output.value.format == ("coco" if layout is coco else "csv")
    (source,), (asked,) = task.train, task.test
    rows = load_table(tmp_path, found.table(source.table))  # type: ignore[arg-type]
    assert len(rows) == 4
    for row in rows.itertuples():
        (box,) = json.loads(row.boxes)
        assert box["label"] == "cell" and np.allclose(box["box"], BOX) and Path(row.image).name == row.picture
    new = load_table(tmp_path, found.table(asked.table))  # type: ignore[arg-type]
    assert new["image_id"].tolist() == ([9, 10, 11, 12] if layout is coco else new["picture"].tolist())
    assert new["picture"].tolist() == [f"new_{i}.jpg" for i in range(4)]


@pytest.mark.parametrize("layout", [coco, voc, labelme, yolo, table])
def test_a_damaged_picture_is_left_out(tmp_path: Path, layout: Callable[[Path], None]) -> None:
    layout(tmp_path)
    damaged = next(file for file in sorted(tmp_path.rglob("*.jpg")) if "new" not in file.name)
    damaged.write_bytes(b"no picture")
    found = profile(tmp_path)
    task = infer_task(found, tmp_path, "Find the cells in the test pictures.")
    rows = load_table(tmp_path, found.table(task.train[0].table))  # type: ignore[arg-type]
    assert [file.path for file in found.problems] == [damaged.relative_to(tmp_path).as_posix()]
    assert len(rows) == 3 and damaged.name not in set(rows["picture"])


def test_a_circle_of_labelme_counts_by_its_extent(tmp_path: Path) -> None:
    circle = {"label": "cell", "shape_type": "circle", "points": [[20, 20], [20, 25]]}
    assert labelme_box(circle) == {"label": "cell", "box": [15, 15, 10, 10]}


def test_the_files_of_labelme_are_no_tables(tmp_path: Path) -> None:
    labelme(tmp_path)
    assert {table.read.format for table in profile(tmp_path).tables} == {"made"}


def test_unannotated_pictures_beside_annotated_ones(tmp_path: Path) -> None:
    table(tmp_path)
    for i in range(4):
        (tmp_path / f"test/new_{i}.jpg").rename(tmp_path / f"train/new_{i}.jpg")
    found = profile(tmp_path)
    task = infer_task(found, tmp_path, "Find the cells in the other pictures.")
    new = load_table(tmp_path, found.table(task.test[0].table))  # type: ignore[arg-type]
    assert new["picture"].tolist() == [f"new_{i}.jpg" for i in range(4)]


def test_one_picture_to_search(tmp_path: Path) -> None:
    coco(tmp_path)
    assert pictures_to_search(tmp_path / "test/new_2.jpg")["image_id"].tolist() == [11]


def test_average_precision() -> None:
    real = [[{"label": "a", "box": [0, 0, 10, 10]}, {"label": "a", "box": [20, 0, 10, 10]}]]
    hit = {"label": "a", "box": [1, 0, 10, 10], "score": 0.9}
    miss = {"label": "a", "box": [50, 50, 5, 5], "score": 0.8}
    other = {"label": "a", "box": [20, 0, 10, 10], "score": 0.7}
    assert mean_precision("map50", ["a"], real, [[hit, other]]) == pytest.approx(1.0)
    assert mean_precision("map50", ["a"], real, [[hit]]) == pytest.approx(51 / 101)
    assert mean_precision("map50", ["a"], real, [[hit, miss, other]]) == pytest.approx((51 + 50 * 2 / 3) / 101)
    assert mean_precision("map", ["a"], real, [[hit, other]]) < 0.9
    assert mean_precision("map50", ["a", "b"], real, [[]]) == 0.0
