"""Files of numbers that belong to the rows of a table become inputs, now and later."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from mlzero.iterative_coding.contract import Machine
from mlzero.perception.profile import Profile
from mlzero.perception.scan import profile
from mlzero.perception.tables import load_table
from mlzero.perception.task import Task
from mlzero.perception.understand import infer_task
from mlzero.semantic_memory.recall import recall
from tests.rendered import module_of

GOAL = "Predict the power"


def written(folder: Path, files: str, cells: str, count: int = 24, table: str = "train.csv") -> pd.DataFrame:
    """A table with a row a file: its `name` as in `cells`, and the slope of the curve in the file as `power`."""
    rows = []
    for n in range(1, count + 1):
        path = folder / files.format(n)
        path.parent.mkdir(parents=True, exist_ok=True)
        slope = n * 7 % 11
        curve = np.arange(30)[:, None] * [1.0, slope]
        if path.suffix == ".npy":
            np.save(path, curve[:, 1])
        else:
            pd.DataFrame(curve, columns=["t", "volt"]).to_csv(path, index=False)
        rows.append((cells.format(n), n % 3, slope + 0.5))
    frame = pd.DataFrame(rows, columns=["name", "room", "power"])
    frame.to_csv(folder / table, index=False)
    return frame


def understood(folder: Path, **overrides: str) -> tuple[Profile, Task]:
    found = profile(folder)
    return found, infer_task(found, folder, GOAL, overrides)


@pytest.mark.parametrize(
    ("files", "cells"),
    [
        ("train/{}/curve.csv", "{}"),  # the cell names the folder
        ("signals/scan_{}.csv", "scan_{}.csv"),
        ("signals/scan_{}.txt", "C:\\lab\\scan_{}"),
        ("signals/sensor_{:04}.csv", "{}"),
        ("{:03}.npy", "{}"),  # beside the table
    ],
)
def test_a_file_of_each_row_is_an_input(tmp_path: Path, files: str, cells: str) -> None:
    rows = written(tmp_path, files, cells)
    found, task = understood(tmp_path)
    assert [table.key for table in found.tables] == ["train.csv"]
    assert (task.target.value, task.id.value, task.problem_type.value) == ("power", "name", "regression")
    assert task.row_files.value and task.row_files.alternatives == [None] and '"name"' in task.row_files.evidence
    slopes = [f.name for f in task.used_features if f.name.endswith(" slope")]
    assert len(slopes) == 1 and {file.kind for file in found.files} == {"table", "numbers"}
    assert load_table(tmp_path, found.tables[0])[slopes[0]].tolist() == pytest.approx(list(rows["power"] - 0.5))


@pytest.mark.parametrize("files", ["{}/curve.csv", "curves_{}.csv"])
def test_the_same_names_in_folders_for_learning_and_for_the_rows_asked(tmp_path: Path, files: str) -> None:
    known = written(tmp_path, f"train/{files}", "{}", 24)
    written(tmp_path, f"test/{files}", "{}", 12, "test.csv")
    asked = known[::-1][:12].reset_index(drop=True).assign(name=range(1, 13))  # other curves under the same names
    for n in range(1, 13):
        (tmp_path / "test" / files.format(n)).write_bytes((tmp_path / "train" / files.format(25 - n)).read_bytes())
    asked.drop(columns="power").to_csv(tmp_path / "test.csv", index=False)
    found, task = understood(tmp_path)
    assert [source.table for source in task.test] == ["test.csv"]
    slope = next(f.name for f in task.used_features if f.name.endswith(" slope"))
    tables = {table.key: load_table(tmp_path, table) for table in found.tables}
    assert tables["train.csv"][slope].tolist() == pytest.approx(list(known["power"] - 0.5))
    assert tables["test.csv"][slope].tolist() == pytest.approx(list(asked["power"] - 0.5))


@pytest.mark.parametrize(
    ("files", "cells", "named"),
    [("{}/curve.csv", "{}", "1"), ("scan_{}.csv", "scan_{}.csv", "scan_1.csv"), ("scan_{}.csv", "{}", "1")],
)
def test_files_to_predict_that_only_a_sample_of_the_answers_lists(
    tmp_path: Path, files: str, cells: str, named: str
) -> None:
    written(tmp_path, f"train/{files}", cells)
    asked = written(tmp_path, f"test/{files}", cells, 10, "sample_submission.csv")
    asked[["name", "power"]].assign(power=0).to_csv(tmp_path / "sample_submission.csv", index=False)
    found, task = understood(tmp_path)
    assert [source.table for source in task.test] == ["test/"] and task.output.value.columns == ["name", "power"]
    table = found.table("test/")
    assert table is not None and not [
        file for file in found.files if file.path.startswith("test/") and file.kind == "table"
    ]
    rows = load_table(tmp_path, table)
    slope = next(f.name for f in task.used_features if f.name.endswith(" slope"))
    assert rows.set_index("name").loc[named, slope] == pytest.approx(asked["power"][0] - 0.5)


def test_missing_and_damaged_files_are_told(tmp_path: Path) -> None:
    written(tmp_path, "signals/{}.csv", "{}.csv")
    (tmp_path / "signals/3.csv").unlink()
    (tmp_path / "signals/5.csv").write_text("")
    (tmp_path / "signals/6.csv").write_bytes(b"\x00\xff\x80 nothing")
    found, task = understood(tmp_path)
    notes = " ".join(found.tables[0].notes)
    assert '1 row has no such file, such as the one whose "name" is 3.csv' in notes
    assert "2 of these files hold no numbers or are damaged, such as signals/5.csv" in notes
    assert load_table(tmp_path, found.tables[0])["name file: volt mean"].isna().sum() == 3
    assert any(f.name == "name file: volt mean" for f in task.used_features)


def test_they_can_be_left_out(tmp_path: Path) -> None:
    written(tmp_path, "signals/{}.csv", "{}.csv")
    _, task = understood(tmp_path, row_files="none")
    assert [f.name for f in task.used_features] == ["room"]
    assert task.row_files.value is None and task.row_files.evidence == "Set by you."
    assert task.row_files.alternatives == ["name file"], "so that they can be taken up again"


def test_two_files_of_a_row(tmp_path: Path) -> None:
    written(tmp_path, "left/{}.csv", "{}")
    written(tmp_path, "right/{}.csv", "{}")
    _, task = understood(tmp_path)
    names = {f.name for f in task.used_features}
    assert {"left: volt slope", "right: volt slope"} <= names


def days_of_shops(folder: Path) -> None:
    """A series a shop: its days are rows of their own."""
    for n in range(1, 13):
        days = pd.date_range("2023-01-01", periods=40).strftime("%Y-%m-%d")
        path = folder / f"sales/{n}.csv"
        path.parent.mkdir(exist_ok=True)
        pd.DataFrame({"day": days, "sold": np.arange(40) * n}).to_csv(path, index=False)
    pd.DataFrame({"shop": range(1, 13), "size": range(12), "power": range(12)}).to_csv(folder / "shops.csv")


def texts(folder: Path) -> None:
    for n in range(1, 25):
        path = folder / f"reviews/{n}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"Room {n} was fine\nand we paid 20 for it\nbut we will not come back\n")
    pd.DataFrame({"review": [f"{n}.txt" for n in range(1, 25)], "power": range(24)}).to_csv(folder / "train.csv")


def boxes_of_pictures(folder: Path) -> None:
    for n in range(1, 13):
        for path in (folder / f"images/{n}.png", folder / f"labels/{n}.txt"):
            path.parent.mkdir(exist_ok=True)
        Image.new("RGB", (8, 8)).save(folder / f"images/{n}.png")
        (folder / f"labels/{n}.txt").write_text("0 0.5 0.5 0.2 0.2\n1 0.3 0.3 0.1 0.1\n")
    pd.DataFrame({"image": [f"{n}.png" for n in range(1, 13)], "power": range(12)}).to_csv(folder / "train.csv")


def tables_that_no_other_names(folder: Path) -> None:
    for n in range(1, 13):
        pd.DataFrame({"size": range(20), "power": range(20)}).to_csv(folder / f"part_{n}.csv", index=False)


@pytest.mark.parametrize("write", [days_of_shops, texts, boxes_of_pictures, tables_that_no_other_names])
def test_other_files_are_not_taken(tmp_path: Path, write: Callable[[Path], None]) -> None:
    write(tmp_path)
    found = profile(tmp_path)
    assert not [file.path for file in found.files if file.kind == "numbers"]
    assert not [table.key for table in found.tables if table.read.maker == "number_files"]


def test_the_solution_reads_them_now_and_later(tmp_path: Path) -> None:
    data, later = tmp_path / "data", tmp_path / "later"
    data.mkdir()
    rows = written(data, "train/{}/curve.csv", "{}")
    found, task = understood(data)
    later.mkdir()
    written(later, "new/{}/curve.csv", "{}", 9, "rows.csv")
    recipe = recall(task, found).recipes[0]
    module = module_of(recipe.render(task, found, recipe.ladder(task, found, Machine(2, 8.0), 60)[0]), tmp_path)
    slope, wanted = "curve.csv: volt slope", pytest.approx(list(rows["power"] - 0.5)[:9])
    assert module.load_train(data)[slope].tolist()[:9] == wanted
    for path in (later / "rows.csv", later):
        read = module.load_new(path, tmp_path)
        assert read[slope].tolist() == wanted, path
        assert {*read} - {*module.KINDS} == {"name", "power"}, "nothing that nobody asked for"
    one = module.load_new(later / "new/3/curve.csv", tmp_path)
    assert one["name"].tolist() == ["3"] and one[slope].tolist() == pytest.approx([rows["power"][2] - 0.5])
    (later / "rows.csv").unlink()
    alone = module.load_new(later, tmp_path)  # a row a file
    assert sorted(alone["name"]) == [str(n) for n in range(1, 10)] and alone[slope].notna().all()
    module.load_train(data).drop(columns="power").head(4).to_csv(tmp_path / "read.csv", index=False)
    assert module.load_new(tmp_path / "read.csv", tmp_path)[slope].tolist() == pytest.approx(
        list(rows["power"] - 0.5)[:4]
    )
    pd.DataFrame({"name": [77, 78], "room": [1, 2]}).to_csv(tmp_path / "none.csv", index=False)
    with pytest.raises(ValueError, match=r"none.csv has no row with a file of its own.*train/\{\}/curve.csv"):
        module.load_new(tmp_path / "none.csv", tmp_path)
