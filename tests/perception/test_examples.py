import json

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from mlzero.perception import examples
from mlzero.perception.scan import profile
from mlzero.perception.understand import infer_task

from .real_files import pdf


def examples_of(data, goal, folder):
    found = profile(data)
    examples.write(folder, data, found, infer_task(found, data, goal))
    return json.loads((folder / "examples.json").read_text())


def test_rows_of_a_table_answers_first(tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    table = pd.DataFrame({"size": np.arange(60), "colour": ["red", "blue"] * 30, "sold": ["yes", "no", "no"] * 20})
    table.to_csv(data / "shop.csv", index=False)
    found = examples_of(data, "Predict sold", tmp_path)
    assert found["kind"] == "rows" and len(found["items"]) == 5
    assert next(iter(found["items"][0])) == "sold"
    assert {item["sold"] for item in found["items"]} == {"yes", "no"}


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        (46.0, "46"), (4.5, "4.5"), (1e20, "1e+20"), (float("nan"), ""), (None, ""), (pd.NaT, ""), ([1, 2], "[1, 2]"),
        (pd.Timestamp("2024-02-26"), "2024-02-26"), (pd.Timestamp("2024-02-26 10:30"), "2024-02-26 10:30:00"),
    ],
)  # fmt: skip
def test_cells_are_shown_as_people_write_them(cell, shown):
    assert examples._short(cell) == shown


def test_pictures_of_every_class(tmp_path):
    data = tmp_path / "data"
    for label, colour in (("cat", "red"), ("dog", "blue"), ("cow", "green")):
        (data / "train" / label).mkdir(parents=True)
        for number in range(12):
            picture = Image.effect_noise((300, 200 + number), 60).convert("RGB")
            picture.paste(colour, (50, 50, 150, 150))
            picture.save(data / "train" / label / f"{label}{number}.png")
    found = examples_of(data, "Which animal is in the picture?", tmp_path)
    assert found["kind"] == "pictures"
    assert {item["caption"] for item in found["items"]} == {"cat", "dog", "cow"}
    for item in found["items"]:
        with Image.open(tmp_path / "examples" / item["file"]) as picture:
            assert max(picture.size) == examples.SIDE


def test_documents_are_named_from_the_folder_of_the_data(tmp_path):
    data = tmp_path / "data"
    for number in range(24):
        path = data / ("invoice", "letter")[number % 2] / f"{number}.pdf"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(pdf(f"text number {number}"))
    found = examples_of(data, "Is it an invoice or a letter?", tmp_path)
    assert found["kind"] == "rows"
    assert all((data / item["document"]).is_file() and str(data) not in item["document"] for item in found["items"])
