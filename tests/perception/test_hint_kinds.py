"""Hints about pictures, series and texts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from mlzero.iterative_coding.contract import Machine
from mlzero.perception import hints
from mlzero.perception.profile import Profile
from mlzero.perception.scan import profile
from mlzero.perception.task import Inferred, Task
from mlzero.perception.understand import infer_task
from mlzero.semantic_memory.recipes.encoded import Encoded
from mlzero.semantic_memory.recipes.forecasting import plan_of
from mlzero.semantic_memory.recipes.texts import in_english

Known = tuple[Task, Profile]


def understood(folder: Path, goal: str) -> Known:
    found = profile(folder)
    return infer_task(found, folder, goal), found


@pytest.fixture(scope="module")
def series(tmp_path_factory: pytest.TempPathFactory) -> Known:
    folder = tmp_path_factory.mktemp("series")
    days = pd.date_range("2023-01-01", periods=300).strftime("%Y-%m-%d")
    frame = pd.DataFrame({"day": list(days) * 2, "shop": ["a"] * 300 + ["b"] * 300, "sold": np.arange(600) % 7})
    frame.to_csv(folder / "sales.csv", index=False)
    return understood(folder, "Forecast sold for the next 14 days for each shop.")


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Known:
    folder = tmp_path_factory.mktemp("pictures")
    for i in range(24):
        (folder / "ab"[i % 2]).mkdir(exist_ok=True)
        Image.new("RGB", (40, 40), (10 * i, 90, 200)).save(folder / "ab"[i % 2] / f"{i}.png")
    return understood(folder, "Classify the pictures.")


@pytest.fixture(scope="module")
def remarks(tmp_path_factory: pytest.TempPathFactory) -> Known:
    folder = tmp_path_factory.mktemp("remarks")
    texts = [f"the food was good and we came back to it for the time number {i}" for i in range(60)]
    pd.DataFrame({"remark": texts, "liked": ["yes", "no"] * 30}).to_csv(folder / "remarks.csv", index=False)
    return understood(folder, "Did they like it?")


@pytest.mark.parametrize(
    ("text", "season"),
    [("the seasonality is weekly", 7), ("Use a season of 30 days", 30), ("season of 28 steps please", 28),
     ("Die Saison ist wöchentlich", 7), ("saison de 2 semaines", 14)],
)  # fmt: skip
def test_the_season_of_series(text: str, season: int, series: Known) -> None:
    reading = hints.interpret(text, *series)
    assert reading.preferences is not None and reading.preferences.seasons == [season], reading.answer
    assert f"a season of {season} steps" in reading.answer and not reading.needs_model
    task = series[0].model_copy(update={"preferences": reading.preferences})
    assert plan_of(task).seasons == [season]


def test_a_season_shorter_than_two_steps_is_declined(series: Known) -> None:
    reading = hints.interpret("the season is 1 step", *series)
    assert reading.preferences is None and "longer than one step" in reading.answer


@pytest.mark.parametrize(
    "text", ["rotate the images", "The pictures can be turned upside down", "Drehe die Bilder", "旋转图片"]
)
def test_pictures_that_may_be_turned(text: str, pictures: Known) -> None:
    reading = hints.interpret(text, *pictures)
    assert reading.preferences is not None and reading.preferences.turned, reading.answer
    assert "from four sides" in reading.answer


@pytest.mark.parametrize(
    ("text", "foreground"),
    [("ignore the background", True), ("please remove the background of the images", True), ("crop away the background", True),
     ("the background is irrelevant", True), ("do not look at the background", True), ("focus on the foreground", True),
     ("Der Hintergrund ist egal", True), ("Ignoriere den Hintergrund", True), ("ignora el fondo", True),
     ("Hintergründe bitte ausblenden", True), ("忽略背景", True), ("do not ignore the background", False)],
)  # fmt: skip
def test_the_background_of_pictures(text: str, foreground: bool, pictures: Known) -> None:
    reading = hints.interpret(text, *pictures)
    assert reading.preferences is not None and reading.preferences.foreground is foreground, reading.answer
    assert not reading.needs_model and ("border" if foreground else "whole pictures") in reading.answer
    task = pictures[0].model_copy(update={"preferences": reading.preferences})
    for variant in Encoded().ladder(task, pictures[1], Machine(2, 8.0), 120):
        assert ("look=thing_alone" in Encoded().render(task, pictures[1], variant)) is foreground


@pytest.mark.parametrize(
    ("kind", "said"), [("segmentation", "a class"), ("detection", "boxes"), ("image_to_image", "Every pixel")]
)
def test_where_the_background_belongs_to_the_answer(kind: str, said: str, pictures: Known) -> None:
    task = pictures[0].model_copy(update={"problem_type": Inferred(value=kind)})
    reading = hints.interpret("ignore the background", task, pictures[1])
    assert reading.preferences is None and said in reading.answer and not reading.needs_model


@pytest.mark.parametrize(
    ("text", "language"),
    [("German text", "German"), ("the texts are in German", "German"), ("Die Texte sind deutsch", "German"),
     ("los textos están en español", "Spanish"), ("tweets in several languages", "several languages"),
     ("English language comments", "English")],
)  # fmt: skip
def test_the_language_of_texts(text: str, language: str, remarks: Known) -> None:
    reading = hints.interpret(text, *remarks)
    assert reading.preferences is not None and reading.preferences.language == language, reading.answer
    task = remarks[0].model_copy(update={"preferences": reading.preferences})
    assert in_english(task, remarks[1]) == (language == "English")


@pytest.mark.parametrize("text", ["use more epochs", "mehr Epochen bitte", "más épocas", "plus d'époques"])
def test_more_epochs_are_more_time(text: str, pictures: Known) -> None:
    reading = hints.interpret(text, *pictures)
    assert reading.preferences is not None and reading.preferences.more_time, reading.answer


@pytest.mark.parametrize(
    "text", ["rotate the images", "ignore the background", "the seasonality is weekly", "German text"]
)
def test_what_does_not_fit_the_data_needs_a_language_model(text: str, tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {"age": [i * 7 % 13 for i in range(60)], "branch": list("abc") * 20, "left": ["yes", "no"] * 30}
    )
    frame.to_csv(tmp_path / "members.csv", index=False)
    reading = hints.interpret(text, *understood(tmp_path, "Who has left?"))
    assert reading.preferences is None and reading.needs_model
