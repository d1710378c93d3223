"""Folders of pictures, and tables that list some."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from mlzero.errors import UserError
from mlzero.perception.kinds import pictures
from mlzero.perception.profile import FileProfile, Profile
from mlzero.perception.scan import profile
from mlzero.perception.tables import load_table
from mlzero.perception.task import Task
from mlzero.perception.understand import infer_task
from mlzero.perception.unpack import lay_out
from mlzero.semantic_memory.blocks.files import file_rows

COLOURS = {"red": (220, 40, 40), "dark green": (20, 110, 40), "blue": (40, 60, 210)}


def picture(path: Path, colour: str, seed: int = 0) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    noise = np.random.default_rng([seed, len(colour)]).integers(-20, 20, (24, 32, 3))
    Image.fromarray(np.clip(np.array(COLOURS[colour]) + noise, 0, 255).astype(np.uint8)).save(path)


def classes(root: Path, each: int = 8) -> None:
    for colour in COLOURS:
        for number in range(each):
            picture(root / colour / f"{number:03}.png", colour, number)


def understood(root: Path, goal: str, **overrides: str) -> tuple[Profile, Task]:
    found = profile(root)
    return found, infer_task(found, root, goal, overrides)


def test_the_same_pictures_in_two_folders_are_classes(tmp_path: Path) -> None:
    for folder in ("cats", "dogs"):
        for number in range(8):
            picture(tmp_path / folder / f"{number}.png", "red", number)
    _, task = understood(tmp_path, "Tell cats from dogs")
    assert (task.problem_type.value, task.labels) == ("binary", ["cats", "dogs"])


def test_a_picture_that_is_gone_or_shorter_by_now_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "MANY", 0)
    (tmp_path / "short.png").write_bytes(b"\x89PNG")
    files = [FileProfile(path=name, kind="image", bytes=4000) for name in ("gone.png", "short.png")]
    pictures.check(tmp_path, files)
    assert all(file.problem for file in files)


def test_rows_of_files_are_in_the_order_of_folders(tmp_path: Path) -> None:
    for name in ("b/1.png", "b.c/2.png", "a.png", "b/x/3.png", "B/4.png"):
        picture(tmp_path / name, "red")
    rows = file_rows(tmp_path, media="image", column="picture", folders=["label"], without=["b/1.png"], bare=True)
    assert rows["file"].tolist() == ["B/4", "a", "b/1", "b/x/3", "b.c/2"]
    assert rows["label"].tolist() == ["B", None, "b", "b", "b.c"]
    assert rows["picture"].tolist()[1:3] == [str(tmp_path / "a.png"), None]


@pytest.mark.parametrize("folder", ["", "train", "some photos/sorted"])
def test_folders_are_classes(tmp_path: Path, folder: str) -> None:
    classes(tmp_path / folder)
    (tmp_path / "Thumbs.db").write_bytes(b"\\0" * 40)
    found, task = understood(tmp_path, "Which colour is it?")
    assert (task.modality.value, task.problem_type.value, task.metric.value) == ("image", "multiclass", "accuracy")
    assert set(task.labels) == set(COLOURS) and task.target.value == "label" and task.id.value == "file"
    assert [f.name for f in task.used_features] == ["picture"] and found.tables[0].rows == 24


@pytest.mark.parametrize("asked", ["new", "to sort", "unsorted", "test"])
def test_a_folder_beside_them_is_predicted(tmp_path: Path, asked: str) -> None:
    classes(tmp_path / "known")
    for number in range(5):
        picture(tmp_path / asked / f"IMG_{number:04}.jpg", "blue", number)
    _, task = understood(tmp_path, "Sort the new pictures. I need a list with photo and colour.")
    assert [source.table for source in task.train] == ["known/"] and [s.table for s in task.test] == [f"{asked}/"]
    assert task.output.value.columns == ["photo", "colour"]


def test_classes_in_a_zip(tmp_path: Path) -> None:
    classes(tmp_path / "in/photos")
    picture(tmp_path / "in/unknown/1.png", "red")
    (tmp_path / "upload").mkdir()
    with zipfile.ZipFile(tmp_path / "upload/all.zip", "w") as archive:
        for path in (tmp_path / "in").rglob("*.png"):
            archive.write(path, path.relative_to(tmp_path / "in"))
    lay_out(tmp_path / "upload", tmp_path / "data")
    _, task = understood(tmp_path / "data", "蚂蚁还是蜜蜂?输出csv(image, class)。")
    assert set(task.labels) == set(COLOURS) and task.test and task.output.value.columns == ["image", "class"]


def test_pictures_and_masks_are_no_classes(tmp_path: Path) -> None:
    for folder in ("images", "masks"):
        for number in range(8):
            picture(tmp_path / folder / f"{number}.png", "red", number)
    assert not [t for t in profile(tmp_path).tables if t.column("label")]


def listing(root: Path, cells: str) -> pd.DataFrame:
    rows = []
    for number in range(30):
        colour = list(COLOURS)[number % 3]
        picture(root / "photos" / f"{number:04}.png", colour, number)
        rows.append((cells.format(n=number), colour))
    return pd.DataFrame(rows, columns=["Path", "Colour"])


@pytest.mark.parametrize(
    "cells", ["C:\\Users\\me\\old\\{n:04}.png", "/home/x/{n:04}.PNG", "{n:04}.png", "{n:04}.jpg", "{n:04}", "{n}"]
)
def test_a_table_lists_pictures(tmp_path: Path, cells: str) -> None:
    listing(tmp_path, cells).to_csv(tmp_path / "labels.csv", index=False, sep=";")
    (tmp_path / "photos/0003.png").write_bytes((tmp_path / "photos/0003.png").read_bytes()[:300])
    (tmp_path / "photos/0004.png").unlink()
    found, task = understood(tmp_path, "Fill in the colour")
    column = found.tables[0].column("Path picture")
    assert column is not None and column.kind == "image" and column.media is not None
    assert column.media.absent == 2 and column.media.unreadable == ["photos/0003.png"]
    assert len(found.tables) == 1 and len(found.tables[0].notes) == 2
    assert (task.target.value, task.id.value, task.modality.value) == ("Colour", "Path", "image")
    assert [f.name for f in task.used_features] == ["Path picture"] and found.problems


def test_several_columns_of_pictures_beside_numbers(tmp_path: Path) -> None:
    table = listing(tmp_path, "{n:04}.png").rename(columns={"Path": "front"})
    table.insert(1, "back", table["front"].iloc[::-1].to_numpy())
    table["weight"] = np.random.default_rng(0).normal(5, 1, 30).round(2)
    table.to_csv(tmp_path / "parts.csv", index=False)
    _, task = understood(tmp_path, "Predict the Colour")
    assert {f.name for f in task.used_features} == {"front picture", "back picture", "weight"}
    assert task.modality.value == "multimodal"


def test_counting_is_regression(tmp_path: Path) -> None:
    table = listing(tmp_path, "{n:04}.png")
    table["Cells"] = np.random.default_rng(0).integers(0, 90, 30)
    table[["Path", "Cells"]].to_csv(tmp_path / "counts.csv", index=False)
    _, task = understood(tmp_path, "How many cells are in a picture? Count them.")
    assert (task.problem_type.value, task.modality.value, task.target.value) == ("regression", "image", "Cells")


def test_pictures_to_predict_in_a_folder_beside_a_table(tmp_path: Path) -> None:
    listing(tmp_path, "{n:04}.png").rename(columns={"Path": "image"}).to_csv(tmp_path / "train.csv", index=False)
    for number in range(6):
        picture(tmp_path / "test" / f"t{number}.png", "red", number)
    pd.DataFrame({"image": [f"t{n}.png" for n in range(6)], "Colour": "red"}).to_csv(
        tmp_path / "sample_submission.csv", index=False
    )
    _, task = understood(tmp_path, "Predict the colour of the test pictures")
    assert [s.table for s in task.train] == ["train.csv"] and [s.table for s in task.test] == ["test/"]
    assert task.id.value == "image" and task.output.value.columns == ["image", "Colour"]


@pytest.mark.parametrize("ending", [".png", ""])
@pytest.mark.parametrize("answers", ["train.csv", "labels.csv"])
def test_the_same_names_in_two_folders(tmp_path: Path, answers: str, ending: str) -> None:
    for folder, count in (("train", 18), ("test", 18)):
        for number in range(count):
            picture(tmp_path / folder / f"p{number}.png", list(COLOURS)[number % 3], number)
    names = [f"p{number}{ending}" for number in range(18)]
    pd.DataFrame({"id": names, "colour": np.resize(list(COLOURS), 18)}).to_csv(tmp_path / answers, index=False)
    pd.DataFrame({"id": names, "colour": "red"}).to_csv(tmp_path / "sample_submission.csv", index=False)
    found, task = understood(tmp_path, "Which colour have the pictures in test?")
    assert [s.table for s in task.train] == [answers] and [s.table for s in task.test] == ["test/"]
    train, test = (found.table(key) for key in (answers, "test/"))
    assert train is not None and test is not None
    assert {Path(path).parent.name for path in load_table(tmp_path, train)["id picture"]} == {"train"}
    asked = load_table(tmp_path, test)
    assert {Path(path).parent.name for path in asked["id picture"]} == {"test"}
    assert sorted(asked["id"]) == sorted(names), "called as the sample calls them"


def test_pictures_without_answers_are_told(tmp_path: Path) -> None:
    for number in range(8):
        picture(tmp_path / f"p{number}.png", "red", number)
    with pytest.raises(UserError, match="no column that could be predicted"):
        understood(tmp_path, "Find the cars")


def test_names_stay_text(tmp_path: Path) -> None:
    for place, folder in enumerate(("0", "1", "none")):
        for number in range(6):
            picture(tmp_path / folder / f"{number}.png", "red", 100 * place + number)
    found, task = understood(tmp_path, "How many are there?")
    rows = load_table(tmp_path, found.tables[0])
    assert set(rows["label"]) == {"0", "1", "none"} == set(task.labels) and rows["file"].iloc[0] == "0/0.png"
