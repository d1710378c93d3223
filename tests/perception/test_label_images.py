"""Pictures with label images, and pictures answered by pictures: pairs, values, classes, rows to predict."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from mlzero.errors import UserError
from mlzero.perception.scan import profile
from mlzero.perception.tables import load_table
from mlzero.perception.task import Task
from mlzero.perception.understand import infer_task
from mlzero.semantic_memory.blocks.label_images import classes_png, pictures_to_come, read_classes

DICE = np.random.default_rng(0)


def put(path: Path, pixels: np.ndarray) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(pixels).save(path)


def photo() -> np.ndarray:
    return DICE.integers(0, 256, (24, 32, 3), dtype=np.uint8)


def labels(values: list[int]) -> np.ndarray:
    return np.array(values, dtype=np.uint8)[DICE.integers(0, len(values), (24, 32))]


def understood(folder: Path, goal: str = "") -> Task:
    return infer_task(profile(folder), folder, goal)


def two_folders(folder: Path) -> None:
    for i in range(4):
        put(folder / f"train/images/a{i}.png", photo())
        put(folder / f"train/masks/a{i}.png", labels([0, 255]))
        put(folder / f"test/images/b{i}.png", photo())


def suffix_elsewhere(folder: Path) -> None:
    for i in range(4):
        put(folder / f"frames/a{i}.jpg", photo())
        put(folder / f"annotations/a{i}_L.png", labels([0, 255]))
        put(folder / f"new/b{i}.jpg", photo())


def side_by_side(folder: Path) -> None:
    for i in range(4):
        put(folder / f"learn/a{i}.jpg", photo())
        put(folder / f"learn/a{i}_mask.png", labels([0, 255]))
        put(folder / f"predict/b{i}.jpg", photo())


def other_way_round(folder: Path) -> None:
    for i in range(4):
        put(folder / f"images/train/a{i}.png", photo())
        put(folder / f"labels/train/a{i}.png", labels([0, 255]))
        put(folder / f"images/test/b{i}.png", photo())


def numbered(folder: Path) -> None:
    for i in range(4):
        put(folder / f"scans/image_{i:03}.png", photo())
        put(folder / f"truth/mask_{i:03}.png", labels([0, 255]))
        put(folder / f"todo/image_{i + 50:03}.png", photo())


@pytest.mark.parametrize("layout", [two_folders, suffix_elsewhere, side_by_side, other_way_round, numbered])
def test_pairs_by_folder_and_name(tmp_path: Path, layout: Callable[[Path], None]) -> None:
    layout(tmp_path)
    found = profile(tmp_path)
    task = infer_task(found, tmp_path, "Mark the cells in the new pictures.")
    assert task.problem_type.value == "segmentation" and task.metric.value == "iou"
    assert task.mask is not None and task.mask.values == [0, 255]
    (source,), (asked,) = task.train, task.test
    table, new = found.table(source.table), found.table(asked.table)
    assert table is not None and new is not None
    rows, rows_new = load_table(tmp_path, table), load_table(tmp_path, new)
    assert len(rows) == 4 and list(rows) == ["picture", "image", "mask"]
    for row in rows.itertuples():
        assert Path(row.image).name == row.picture
        assert set(np.unique(read_classes(row.mask, [0, 255]))) == {0, 1}
        assert re.findall(r"\d+", Path(row.mask).stem) == re.findall(r"\d+", Path(row.image).stem)
    assert list(rows_new) == ["picture", "image"] and len(rows_new) == 4


def test_classes_and_what_is_not_counted(tmp_path: Path) -> None:
    two_folders(tmp_path)
    for i in range(4):
        put(tmp_path / f"train/masks/a{i}.png", labels([0, 1, 2, 3]))
    (tmp_path / "classes.txt").write_text("0 road\n1 tree\n2 car\n3 void\n")
    task = understood(tmp_path, "Mean IoU over the classes.")
    assert task.mask is not None and task.metric.value == "mean_iou"
    assert (task.mask.values, task.mask.names, task.mask.ignored) == ([0, 1, 2], ["road", "tree", "car"], [3])
    assert any("left out" in note for note in task.notes)
    (tmp_path / "classes.txt").unlink()
    (tmp_path / "classes.json").write_text('["road", "tree", "car"]')
    task = understood(tmp_path, "Label the pixels (3 is not evaluated).")
    assert task.mask is not None and (task.mask.values, task.mask.ignored) == ([0, 1, 2], [3])


def test_colours_are_classes_named_by_a_table(tmp_path: Path) -> None:
    two_folders(tmp_path)
    palette = np.array([[0, 0, 0], [128, 0, 0], [0, 128, 0]], dtype=np.uint8)
    for i in range(4):
        put(tmp_path / f"train/masks/a{i}.png", palette[DICE.integers(0, 3, (24, 32))])
    (tmp_path / "class_colors.csv").write_text("name,r,g,b\nsoil,0,0,0\nweed,128,0,0\ncrop,0,128,0\n")
    task = understood(tmp_path)
    assert task.mask is not None and sorted(task.mask.names) == ["crop", "soil", "weed"]
    file = tmp_path / "train/masks/a0.png"
    classes = read_classes(file, task.mask.values, task.mask.ignored, task.mask.colours)
    again = classes_png(classes, task.mask.values, task.mask.colours)
    file.with_name("again.png").write_bytes(again)
    with Image.open(file) as first, Image.open(file.with_name("again.png")) as second:
        assert np.array_equal(np.array(first), np.array(second))


def test_black_looking_masks_and_lossy_ones(tmp_path: Path) -> None:
    two_folders(tmp_path)
    for i in range(4):
        put(tmp_path / f"train/masks/a{i}.png", labels([0, 1]))
    task = understood(tmp_path)
    assert task.mask is not None and task.mask.values == [0, 1]
    for i in range(4):
        (tmp_path / f"train/masks/a{i}.png").unlink()
        block = np.zeros((240, 320), dtype=np.uint8)
        block[40:200, 60:200] = 255
        put(tmp_path / f"train/masks/a{i}.jpg", block)
    task = understood(tmp_path)
    assert task.mask is not None and task.mask.values == [0, 255]


def test_pictures_answered_by_pictures(tmp_path: Path) -> None:
    for i in range(4):
        clean = np.repeat(np.linspace(0, 255, 32, dtype=np.uint8)[None], 24, axis=0)
        noisy = np.clip(clean + DICE.normal(0, 25, clean.shape), 0, 255).astype(np.uint8)
        put(tmp_path / f"train/{i}.png", noisy)
        put(tmp_path / f"train_cleaned/{i}.png", clean)
        put(tmp_path / f"test/{i + 9}.png", noisy)
    task = understood(tmp_path, "Remove the noise of the scans in test. RMSE of the pixels.")
    assert (task.problem_type.value, task.metric.value, task.target.value) == ("image_to_image", "rmse", "restored")
    assert task.output.value.format == "images"
    assert [s.table for s in task.train] == ["train with train_cleaned"] and [s.table for s in task.test] == [
        "pictures of test"
    ]


def test_a_split_that_the_user_sets_is_said_to_be_theirs(tmp_path: Path) -> None:
    two_folders(tmp_path)
    task = infer_task(profile(tmp_path), tmp_path, "", {"split": "random:0.4", "metric": "dice"})
    assert (task.split.value.fraction, task.split.evidence, task.metric.value) == (0.4, "Set by you.", "dice")


def test_classes_of_pictures_are_no_pairs(tmp_path: Path) -> None:
    for i in range(6):
        put(tmp_path / f"cats/{i}.png", photo())
        put(tmp_path / f"dogs/{i}.png", photo())
    found = profile(tmp_path)
    assert not any(table.read.maker == "pictures_with_labels" for table in found.tables)


def test_too_few_whole_pairs_are_an_error(tmp_path: Path) -> None:
    for i in range(3):
        put(tmp_path / f"images/a{i}.png", photo())
        put(tmp_path / f"masks/a{i}.png", labels([0, 255]))
    (tmp_path / "images/a0.png").write_bytes(b"")
    with pytest.raises(UserError, match="Only 2"):
        understood(tmp_path)


def test_pictures_to_come(tmp_path: Path) -> None:
    two_folders(tmp_path)
    assert len(pictures_to_come(tmp_path / "test")) == 4
    assert len(pictures_to_come(tmp_path / "train", but_not=["masks"])) == 4
    assert pictures_to_come(tmp_path / "test/images/b0.png")["picture"].tolist() == ["b0.png"]
    (tmp_path / "test/images/list.csv").write_text("file;note\nb1.png;x\nb3.png;y\n")
    assert pictures_to_come(tmp_path / "test/images/list.csv")["picture"].tolist() == ["b1.png", "b3.png"]
    with pytest.raises(ValueError, match="no pictures"):
        (tmp_path / "empty").mkdir()
        pictures_to_come(tmp_path / "empty")
