"""Solutions for pictures: what they read now and later, and that they learn."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from mlzero.iterative_coding.contract import Machine
from mlzero.perception.scan import profile
from mlzero.perception.understand import infer_task
from mlzero.semantic_memory.blocks import encode_images
from mlzero.semantic_memory.recall import recall
from mlzero.semantic_memory.recipes import recipe
from tests.rendered import module_of

COLOURS = {"red": (220, 40, 40), "green": (20, 110, 40)}


def picture(path: Path, colour: str, seed: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    noise = np.random.default_rng([seed, len(colour)]).integers(-30, 30, (32, 40, 3))
    Image.fromarray(np.clip(np.array(COLOURS[colour]) + noise, 0, 255).astype(np.uint8)).save(path)


def solutions(root: Path, goal: str) -> list[str]:
    found = profile(root)
    task = infer_task(found, root, goal)
    first = recall(task, found).recipes[0]
    assert first.name == "encoded"
    variants = first.ladder(task, found, Machine(2, 8.0), 120)
    return [recipe(variant.recipe).render(task, found, variant) for variant in variants]


def folders(root: Path, each: int = 16) -> None:
    for colour in COLOURS:
        for number in range(each):
            picture(root / "known" / colour / f"{number:02}.png", colour, number)
    for number in range(4):
        picture(root / "new" / f"{number}.jpg", "red", 100 + number)


def test_folders_now_and_later(tmp_path: Path) -> None:
    folders(tmp_path / "data")
    (tmp_path / "data/known/red/00.png").write_bytes(b"no picture")
    (tmp_path / "data/new/2.jpg").write_bytes((tmp_path / "data/new/2.jpg").read_bytes()[:200])
    for source in solutions(tmp_path / "data", "Red or green? csv with photo and colour"):
        module = module_of(source, tmp_path)
        train, test = module.load_train(tmp_path / "data"), module.load_test(tmp_path / "data")
        assert len(train) == 31 and train["label"].value_counts().to_dict() == {"green": 16, "red": 15}
        assert test["file"].tolist() == ["0.jpg", "1.jpg", "2.jpg", "3.jpg"] and test["picture"].isna().tolist()[2]
    later = tmp_path / "later"
    picture(later / "a.png", "green", 1)
    picture(later / "deeper/b.webp", "red", 2)
    (later / "notes.txt").write_text("taken in spring\n")
    assert module.load_new(later, tmp_path)["file"].tolist() == ["a.png", "deeper/b.webp"]
    assert module.load_new(later / "a.png", tmp_path)["file"].tolist() == ["a.png"]


def test_a_table_now_and_later(tmp_path: Path) -> None:
    data, later = tmp_path / "data", tmp_path / "later"
    rows = []
    for number in range(40):
        colour = list(COLOURS)[number % 2]
        picture(data / "pics" / f"{number:03}.png", colour, number)
        rows.append((f"D:\\shop\\{number:03}.png", round(number * 1.37 % 9, 2), colour))
    table = pd.DataFrame(rows, columns=["Photo", "Weight", "Colour"])
    table.to_csv(data / "list.csv", index=False)
    sources = solutions(data, "Predict the Colour")
    assert len(sources) == 3 and "image_vectors" not in sources[0]
    module = module_of(sources[1], tmp_path)
    train = module.load_train(data)
    assert train["Photo picture"].map(lambda path: Path(path).name).tolist() == [f"{n:03}.png" for n in range(40)]
    picture(later / "x/new.png", "red", 1)
    pd.DataFrame({"Photo": ["new.png", "gone.png"], "Weight": [1.5, 2.5]}).to_excel(later / "list.xlsx", index=False)
    for path in (later, later / "list.xlsx"):
        found = module.load_new(path, tmp_path)
        assert found["Photo picture"].notna().tolist() == [True, False] and found["Weight"].tolist() == [1.5, 2.5]


def test_vectors_of_what_cannot_be_read_are_empty(tmp_path: Path) -> None:
    from mlzero.semantic_memory.blocks.encode_images import image_features, square_picture

    picture(tmp_path / "a.png", "red", 0)
    (tmp_path / "b.png").write_bytes((tmp_path / "a.png").read_bytes()[:90])
    Image.new("RGBA", (5, 9), (0, 0, 0, 0)).save(tmp_path / "clear.png")
    found = image_features([str(tmp_path / "a.png"), str(tmp_path / "b.png"), None])
    assert np.isfinite(found[0]).all() and np.isnan(found[1:]).all() and found.dtype == np.float32
    clear = square_picture(str(tmp_path / "clear.png"), 32)
    assert clear is not None and clear.shape == (32, 32, 3) and clear.min() == 1.0


@pytest.mark.parametrize("around", [(30, 160, 60), (235, 235, 235)])
def test_a_thing_alone_is_the_same_before_any_background(tmp_path: Path, around: tuple[int, int, int]) -> None:
    from mlzero.semantic_memory.blocks.foreground import thing_alone

    noise = np.random.default_rng(0).integers(-15, 15, (120, 160, 3))
    pixels = np.clip(np.array(around) + noise, 0, 255).astype(np.uint8)
    pixels[70:110, 20:60] = (200, 30, 40)
    Image.fromarray(pixels).save(tmp_path / "a.png")
    alone = thing_alone(str(tmp_path / "a.png"), 64)
    assert alone is not None and alone.shape == (64, 64, 3)
    red = np.array([200, 30, 40]) / 127.5 - 1
    assert np.abs(alone[20:44, 20:44] - red).max() < 0.05  # the thing fills the middle
    assert np.abs(alone[[0, -1]]).max() < 0.1  # and nothing is left at the border


def test_without_a_thing_the_middle_is_looked_at(tmp_path: Path) -> None:
    from mlzero.semantic_memory.blocks.foreground import thing_alone

    pixels = np.zeros((80, 80, 3), np.uint8)
    Image.fromarray(pixels).save(tmp_path / "a.png")
    alone = thing_alone(str(tmp_path / "a.png"), 32)
    assert alone is not None and alone.shape == (32, 32, 3) and np.allclose(alone, -1, atol=0.01)
    assert thing_alone(None, 32) is None


@pytest.mark.slow
def test_weights_of_labels_are_set_on_rows_not_learnt_from(tmp_path: Path) -> None:
    """Macro F1 does not reward the most likely label."""
    folders(tmp_path / "data", each=20)
    source = solutions(tmp_path / "data", "Red or green? Macro F1.")[0]
    module = module_of(source, tmp_path)
    train = module.load_train(tmp_path / "data")
    model_dir = tmp_path / "model"
    model_dir.mkdir()
    module.fit(train.drop(index=train.index[:6]), model_dir, 40)
    answers = module.predict(train.iloc[:6].drop(columns="label"), model_dir)
    assert answers["label"].tolist() == train["label"].iloc[:6].tolist()


def test_what_reads_the_pictures_is_warm_before_it_is_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Session:
        def get_outputs(self) -> list[SimpleNamespace]:
            return [SimpleNamespace(shape=[None, 4])]

        def run(self, _: None, given: dict[str, np.ndarray]) -> list[np.ndarray]:
            return [np.zeros((len(given["pictures"]), 4))]

    def look(path: str | None, size: int) -> np.ndarray:
        seen.append(size)
        return np.zeros((size, size, 3), np.float32)

    seen: list[int] = []
    monkeypatch.setattr(encode_images, "network_session", lambda _: Session())
    assert encode_images.affordable_size(["a.png"] * 8, Path("encoder"), (64, 32), 100.0, look=look) == 64
    assert seen[0] == 32
