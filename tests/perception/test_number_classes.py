"""Files of numbers in folders: a row a file where the folder is its class, and tables where it is not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from mlzero.errors import UserError
from mlzero.iterative_coding.contract import Machine
from mlzero.perception import child
from mlzero.perception.profile import Profile
from mlzero.perception.rereading import settled
from mlzero.perception.scan import profile
from mlzero.perception.tables import load_table
from mlzero.perception.task import Task
from mlzero.perception.understand import infer_task
from mlzero.runs import RunDirectory
from mlzero.semantic_memory.recall import recall
from tests.rendered import module_of

ACTIVITIES = ("running", "sitting", "walking")
GOAL = "Which activity is it?"


def curve(pitch: int, dice: np.random.Generator) -> pd.DataFrame:
    """Three columns of 40 moments: the time, a wave and noise."""
    moments = np.arange(40) / 20
    return pd.DataFrame(
        {
            "t": moments,
            "acc": np.sin(moments * (2 + 3 * pitch)) + dice.normal(0, 0.1, 40),
            "gyro": dice.normal(0, 1, 40),
        }
    ).round(4)


def write(path: Path, rows: pd.DataFrame, header: bool = True) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".npy":
        np.save(path, rows.to_numpy())
    elif path.suffix == ".xyz":
        lines = [f"C {' '.join(map(str, place))}" for place in rows.to_numpy()]
        path.write_text("\n".join([str(len(lines)), "", *lines]) + "\n")
    else:
        rows.to_csv(path, index=False, header=header, sep="\t" if path.suffix == ".txt" else ",")


def curves(folder: Path, name: str = "{:03}.csv", count: int = 6, classes: tuple[str, ...] = ACTIVITIES) -> None:
    dice = np.random.default_rng(0)
    for pitch, label in enumerate(classes):
        for n in range(count):
            write(folder / label / name.format(n), curve(pitch, dice))


def understood(folder: Path, goal: str = GOAL, **overrides: str) -> tuple[Profile, Task]:
    found = settled(profile(folder), folder, goal, overrides)
    return found, infer_task(found, folder, goal, overrides)


@pytest.mark.parametrize("name", ["{:03}.csv", "rec_{}.txt", "{}.npy", "{}.xyz", "s1/scan{}.csv"])
@pytest.mark.parametrize(
    "goal", [GOAL, "", "Is it running, sitting or walking?", "Predict the activity in each acc curve"]
)
def test_a_row_a_file_whose_folder_is_the_answer(tmp_path: Path, name: str, goal: str) -> None:
    curves(tmp_path, name)
    found, task = understood(tmp_path, goal)
    assert [(table.key, table.rows) for table in found.tables] == [(".", 18)]
    assert (task.target.value, task.id.value, task.problem_type.value) == ("label", "file", "multiclass")
    assert task.labels == list(ACTIVITIES) and not {"file", "label"} & {f.name for f in task.used_features}
    assert task.row_files.value == "running, sitting, walking" and task.row_files.alternatives == [None]
    assert '"running", "sitting", "walking"' in task.row_files.evidence
    assert {file.kind for file in found.files} == {"numbers"}
    assert load_table(tmp_path, found.tables[0])["label"].tolist() == [a for a in ACTIVITIES for _ in range(6)]


@pytest.mark.parametrize(("known", "asked"), [("", "new/"), ("train/", "test/"), ("data/", "unlabelled/")])
def test_files_to_predict_in_a_folder_beside(tmp_path: Path, known: str, asked: str) -> None:
    curves(tmp_path / known)
    (tmp_path / "README.txt").write_text("What was measured, and how.\n\nTwenty times a second, on the hip.\n")
    for n in range(4):
        write(tmp_path / asked / f"{n}.csv", curve(0, np.random.default_rng(9)))
    found, task = understood(tmp_path)
    assert [source.table for source in task.train] == [known or "."] and [s.table for s in task.test] == [asked]
    rows = load_table(tmp_path, found.table(asked))  # type: ignore[arg-type]
    assert rows["file"].tolist() == [f"{n}.csv" for n in range(4)] and rows["acc sd"].notna().all()
    assert task.output.value.columns == ["file", "label"]


def test_a_labelled_test_folder_and_a_sample_of_the_answer(tmp_path: Path) -> None:
    curves(tmp_path / "train")
    curves(tmp_path / "test", count=3)
    assert [source.table for source in understood(tmp_path)[1].test] == ["test/"]
    (tmp_path / "test" / "sitting").rename(tmp_path / "moved")
    for folder in ("running", "walking"):
        for path in (tmp_path / "test" / folder).iterdir():
            path.rename(tmp_path / "test" / f"{folder}{path.name}")
        (tmp_path / "test" / folder).rmdir()
    for path in (tmp_path / "moved").iterdir():
        path.rename(tmp_path / "test" / path.name)
    (tmp_path / "moved").rmdir()
    names = sorted(path.stem for path in (tmp_path / "test").iterdir())
    pd.DataFrame({"file": names, "label": "walking"}).to_csv(tmp_path / "sample_submission.csv", index=False)
    found, task = understood(tmp_path)
    assert [source.table for source in task.test] == ["test/"] and task.output.value.columns == ["file", "label"]
    assert sorted(load_table(tmp_path, found.table("test/"))["file"]) == names  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["{}_{:02}.csv", "recs/{}-{:02}.txt", "train/{}{}.csv"])
def test_classes_in_the_names_of_files(tmp_path: Path, name: str) -> None:
    dice = np.random.default_rng(0)
    for pitch, label in enumerate(ACTIVITIES):
        for n in range(8):
            write(tmp_path / name.format(label, n), curve(pitch, dice))
    for n in range(4):
        write(tmp_path / f"test/{n}{name[-4:]}", curve(0, dice))
    _, task = understood(tmp_path)
    assert (
        task.target.value == "label" and task.labels == list(ACTIVITIES) and [s.table for s in task.test] == ["test/"]
    )
    assert "the word in its name the answer" in task.row_files.evidence


def test_damaged_files_are_told(tmp_path: Path) -> None:
    curves(tmp_path)
    (tmp_path / "running/000.csv").write_text("")
    (tmp_path / "sitting/000.csv").write_text("not recorded\n")
    found, _ = understood(tmp_path)
    assert "2 of the files hold no numbers or are damaged, such as running/000.csv." in found.tables[0].notes
    assert load_table(tmp_path, found.tables[0])["acc mean"].isna().sum() == 2


def test_a_note_beside_the_folders_is_no_row(tmp_path: Path) -> None:
    curves(tmp_path, "{}.txt")
    (tmp_path / "README.txt").write_text("What was measured, and how.\n\nTwenty times a second, on the hip.\n")
    assert understood(tmp_path)[0].tables[0].rows == 18


def test_another_goal_reads_the_upload_anew(tmp_path: Path) -> None:
    run = RunDirectory.create(tmp_path / "run")
    curves(run.data)
    found, task = child.perceive(run.path, GOAL, {})
    assert len(found.tables) == 1 and task.target.value == "label"
    found, task = child.perceive(run.path, "Predict the gyro from the other columns", {})
    assert len(found.tables) == 18 and task.target.value == "gyro"


# -- what is not taken


def regions(folder: Path) -> None:
    """Tables of cases, numbers only."""
    dice = np.random.default_rng(1)
    for region in ("north", "south"):
        for n in range(6):
            rows = pd.DataFrame(dice.integers(0, 90, (30 + n, 3)), columns=["size", "staff", "units"])
            write(folder / f"{region}/shop{n}.csv", rows)


def years(folder: Path) -> None:
    curves(folder, classes=("2020", "2021", "2022"))


def months(folder: Path) -> None:
    curves(folder, classes=("january", "february"))


def splits(folder: Path) -> None:
    curves(folder, classes=("train", "test"))


def parts(folder: Path) -> None:
    curves(folder, classes=("part1", "part2"))


def parts_of_names(folder: Path) -> None:
    curves(folder, "train_{}.csv", classes=("all",))
    curves(folder, "test_{}.csv", classes=("all",))


def two_words(folder: Path) -> None:
    """A person and an activity in each name: either could be meant."""
    for person in ("ann", "bob"):
        curves(folder, f"{person}_walk_{{}}.csv", classes=("all",))
        curves(folder, f"{person}_rest_{{}}.csv", classes=("all",))


def few(folder: Path) -> None:
    curves(folder, count=4)


def different(folder: Path) -> None:
    """Relational tables in folders."""
    for folder_name in ("shop", "warehouse"):
        for n, name in enumerate(("sales", "staff", "stock", "prices", "rent", "hours")):
            write(folder / f"{folder_name}/{name}.csv", pd.DataFrame({name: range(20), f"of_{n}": range(20)}))


def words(folder: Path) -> None:
    """Tables of cases, with a word each."""
    for region in ("north", "south"):
        for n in range(6):
            write(
                folder / f"{region}/{n}.csv",
                pd.DataFrame({"name": ["a", "b"] * 9, "size": range(18), "sold": range(18)}),
            )


def days(folder: Path) -> None:
    """A series a file."""
    for region in ("north", "south"):
        for n in range(6):
            day = pd.date_range("2023-01-01", periods=40).strftime("%Y-%m-%d")
            write(folder / f"{region}/{n}.csv", pd.DataFrame({"day": day, "load": np.sin(np.arange(40))}))


def beside_a_table(folder: Path) -> None:
    curves(folder)
    write(folder / "people.csv", pd.DataFrame({"person": range(18), "age": range(20, 38)}))


def boxes_of_pictures(folder: Path) -> None:
    for part in ("left", "right"):
        for n in range(6):
            for path in (folder / f"images/{part}/{n}.png", folder / f"labels/{part}/{n}.txt"):
                path.parent.mkdir(parents=True, exist_ok=True)
            Image.new("RGB", (8, 8)).save(folder / f"images/{part}/{n}.png")
            (folder / f"labels/{part}/{n}.txt").write_text("0 0.5 0.5 0.2 0.2\n1 0.3 0.3 0.1 0.1\n")


def texts(folder: Path) -> None:
    for label in ("good", "bad"):
        for n in range(6):
            path = folder / f"{label}/{n}.txt"
            path.parent.mkdir(exist_ok=True)
            path.write_text(f"Room {n} was {label}\nand we paid 20 for it\nbut we will not come back\n")


@pytest.mark.parametrize(
    "make",
    [
        years,
        months,
        splits,
        parts,
        parts_of_names,
        two_words,
        few,
        different,
        words,
        days,
        beside_a_table,
        boxes_of_pictures,
        texts,
    ],
)
def test_other_folders_are_not_taken(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path)
    found = settled(profile(tmp_path), tmp_path, GOAL, {})
    assert found.by_folder is None and not [file.path for file in found.files if file.kind == "numbers"]


@pytest.mark.parametrize(
    ("make", "goal", "why"),
    [
        (regions, "Predict the units", 'names "units"'),
        (regions, "How many units does each shop sell?", 'names "units"'),
        (regions, "Which units will be sold?", 'names "units"'),
        (regions, "Which shops sell most?", 'speaks of "sell"'),
        (regions, "", "nothing says"),
        (curves, "Forecast the next 10 steps", 'speaks of "forecast"'),
        (curves, "Predict the gyro from the other columns", 'names "gyro"'),
    ],
)
def test_a_goal_about_their_rows_makes_tables_of_them(
    tmp_path: Path, make: Callable[[Path], None], goal: str, why: str
) -> None:
    make(tmp_path)
    found = settled(profile(tmp_path), tmp_path, goal, {})
    assert len(found.tables) == len(found.files)
    task = infer_task(found, tmp_path, goal)
    if task.problem_type.value != "forecasting":
        assert task.row_files.value is None and why in task.row_files.evidence, "the card tells why"
        assert task.row_files.alternatives == [", ".join(found.by_folder.labels)]  # type: ignore[union-attr]
        assert all(source.table.endswith(".csv") for source in task.train)


def test_a_goal_or_a_correction_makes_rows_of_files_that_look_like_tables(tmp_path: Path) -> None:
    regions(tmp_path)
    assert understood(tmp_path, "Is it north or south?")[1].target.value == "label"
    found, task = understood(tmp_path, "Predict the units", row_files="north, south")
    assert task.target.value == "label" and task.row_files.evidence == "Set by you." and len(found.tables) == 1


@pytest.mark.parametrize("given", [{"row_files": "none"}, {"target": "gyro"}])
def test_a_correction_makes_tables_of_them(tmp_path: Path, given: dict[str, str]) -> None:
    curves(tmp_path)
    found, task = understood(tmp_path, **given)
    assert len(found.tables) == 18 and task.target.value == "gyro"
    assert settled(found, tmp_path, GOAL, {}).tables[0].key == ".", "and back again"


def test_where_nothing_is_left_it_is_told_what_to_ask(tmp_path: Path) -> None:
    for label in ("north", "south"):
        for n in range(6):
            write(tmp_path / f"{label}/{n}.csv", pd.DataFrame({"value": np.random.default_rng(n).normal(0, 1, 30)}))
    with pytest.raises(UserError, match="No column is left") as told:
        understood(tmp_path, "Predict the value")
    assert 'which of "north", "south" is it?' in told.value.fix
    assert understood(tmp_path, 'which of "north", "south" is it?')[1].target.value == "label"


def test_the_solution_reads_them_now_and_later(tmp_path: Path) -> None:
    data, later = tmp_path / "data", tmp_path / "later"
    curves(data)
    curves(later, count=1)
    found, task = understood(data)
    recipe = recall(task, found).recipes[0]
    module = module_of(recipe.render(task, found, recipe.ladder(task, found, Machine(2, 8.0), 60)[0]), tmp_path)
    rows = module.load_train(data)
    assert len(rows) == 18 and set(rows["label"]) == set(ACTIVITIES)
    folder = module.load_new(later, tmp_path)
    assert folder["file"].tolist() == [f"{name}/000.csv" for name in ACTIVITIES] and set(module.KINDS) < set(folder)
    one = module.load_new(later / "sitting/000.csv", tmp_path)
    assert one["file"].tolist() == ["000.csv"] and one["acc sd"].tolist() == pytest.approx(
        folder["acc sd"].tolist()[1:2]
    )
    rows.drop(columns="label").head(4).to_csv(tmp_path / "read.csv", index=False)
    assert module.load_new(tmp_path / "read.csv", tmp_path)["acc sd"].tolist() == pytest.approx(
        rows["acc sd"].tolist()[:4]
    )
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match=r"empty holds no file of numbers .* end with \.csv"):
        module.load_new(tmp_path / "empty", tmp_path)
