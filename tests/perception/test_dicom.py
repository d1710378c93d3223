"""Pictures of medical devices: from a folder of them to rows, and to what a solution opens."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import numpy as np
import pydicom
import pytest
from PIL import Image
from pydicom.encaps import encapsulate
from pydicom.uid import JPEGLosslessSV1, RLELossless

from mlzero.iterative_coding.contract import Machine, Variant
from mlzero.iterative_coding.inspection import definitions
from mlzero.iterative_coding.kinds import Case
from mlzero.iterative_coding.kinds.segmentation import MEASURE
from mlzero.perception import examples
from mlzero.perception.kinds import pictures
from mlzero.perception.profile import FileProfile
from mlzero.perception.scan import profile
from mlzero.perception.tables import load_table
from mlzero.perception.understand import infer_task
from mlzero.predictor.requirements import used_packages
from mlzero.semantic_memory.blocks.dicom import open_picture
from mlzero.semantic_memory.blocks.encode_images import square_picture
from mlzero.semantic_memory.recipes.encoded import Encoded
from mlzero.semantic_memory.recipes.segmentation import Segmentation
from tests.perception.real_files import PATIENT, scan


def ramp(count: int = 16) -> np.ndarray:
    return np.tile(np.arange(count, dtype=np.int16) * 100, (count, 1))


def folders(root: Path, name: str) -> None:
    dice = np.random.default_rng(0)
    for place, folder in enumerate(("ill", "well")):
        for number in range(8):
            scan(root / folder / name.format(number), dice.integers(0, 500 + 1500 * place, (40, 32)).astype(np.int16))


@pytest.mark.parametrize(
    ("tags", "first", "last"),
    [
        ({}, 0, 255),
        ({"PhotometricInterpretation": "MONOCHROME1"}, 255, 0),
        ({"WindowCenter": 750.5, "WindowWidth": 301}, 0, 255),
        ({"RescaleSlope": 2, "RescaleIntercept": -1000, "WindowCenter": [2000.5, 0], "WindowWidth": [6001, 1]}, 0, 128),
    ],
)
def test_values_become_grey_as_the_file_says(tmp_path: Path, tags: dict[str, Any], first: int, last: int) -> None:
    grey = np.asarray(open_picture(scan(tmp_path / "a.dcm", ramp(), **tags)))
    assert grey.dtype == np.uint8 and grey.shape == (16, 16)
    assert grey[0, 0] == pytest.approx(first, abs=1 + 43 * bool("RescaleSlope" in tags))
    assert grey[0, -1] == pytest.approx(last, abs=1)
    if tags.get("WindowWidth") == 301:
        assert grey[0].tolist()[5:11] == [0, 0, 85, 170, 255, 255]


def test_colour_and_packed_pictures(tmp_path: Path) -> None:
    colours = np.zeros((6, 5, 3), np.uint8)
    colours[..., 0] = 200
    tags = {"SamplesPerPixel": 3, "PhotometricInterpretation": "RGB", "PlanarConfiguration": 0, "Rows": 6, "Columns": 5}
    tags |= {"BitsAllocated": 8, "BitsStored": 8, "HighBit": 7, "PixelData": colours.tobytes()}
    picture = open_picture(scan(tmp_path / "a.dcm", ramp(), **tags))
    assert picture.mode == "RGB" and picture.size == (5, 6) and picture.getpixel((2, 2)) == (200, 0, 0)
    content = pydicom.dcmread(scan(tmp_path / "b.dcm", ramp()))
    content.compress(RLELossless)
    content.save_as(tmp_path / "b.dcm")
    assert np.array_equal(open_picture(tmp_path / "b.dcm"), open_picture(scan(tmp_path / "c.dcm", ramp())))


@pytest.mark.parametrize("name", ["{}.dcm", "IM{:04}", "1.2.840.113619.{}"])
def test_folders_of_them_are_classes(tmp_path: Path, name: str) -> None:
    folders(tmp_path, name)
    found = profile(tmp_path)
    task = infer_task(found, tmp_path, "Who is ill?")
    assert (task.problem_type.value, task.modality.value, task.labels) == ("binary", "image", ["ill", "well"])
    assert not found.problems and [f.name for f in task.used_features] == ["picture"]
    rows = load_table(tmp_path, found.tables[0])
    assert len(rows) == 16 and set(rows["label"]) == {"ill", "well"}
    pictures = [square_picture(path, 24) for path in rows["picture"]]
    assert all(picture is None for picture in pictures), "the block of ordinary solutions knows no DICOM"


def test_a_table_that_names_them(tmp_path: Path) -> None:
    folders(tmp_path / "scans", "{}.dcm")
    lines = [f"{folder}/{n}.dcm,{folder}" for folder in ("ill", "well") for n in range(8)]
    (tmp_path / "labels.csv").write_text("\n".join(["scan,state", *lines]))
    found = profile(tmp_path)
    task = infer_task(found, tmp_path, "Predict the state")
    assert task.modality.value == "image" and load_table(tmp_path, found.tables[0])["scan picture"].notna().all()


def test_a_solution_opens_them_and_says_that_it_needs_pydicom(tmp_path: Path) -> None:
    folders(tmp_path, "IM{:04}")
    found = profile(tmp_path)
    task = infer_task(found, tmp_path, "Who is ill?")
    source = Encoded().render(task, found, Variant("encoded", "plain", "", "", {"encoders": "plain", "rows": 16}))
    assert "pydicom" in used_packages(source, tmp_path / "model")
    assert "open_picture" in definitions(source), "and nothing is defined twice, which is refused"
    space: dict[str, Any] = {"__name__": "solution", "__file__": str(tmp_path / "solution.py")}
    exec(compile(source, "solution.py", "exec"), space)
    picture = space["square_picture"](str(tmp_path / "ill" / "IM0003"), 24)
    assert picture.shape == (24, 24, 3) and picture.min() < -0.5 and picture.max() > 0.5

    for place, folder in enumerate(("a", "b")):
        (tmp_path / "png" / folder).mkdir(parents=True)
        for number in range(8):
            Image.new("L", (8, 8), 20 * number + place).save(tmp_path / "png" / folder / f"{number}.png")
    plain = profile(tmp_path / "png")
    task = infer_task(plain, tmp_path / "png", "Which one?")
    source = Encoded().render(task, plain, Variant("encoded", "plain", "", "", {"encoders": "plain", "rows": 16}))
    assert "pydicom" not in source


@pytest.mark.parametrize("name", ["{}.dcm", "IM{:04}"])
def test_with_a_label_image_each(tmp_path: Path, name: str) -> None:
    (tmp_path / "masks").mkdir()
    for number in range(8):
        mask = np.zeros((40, 32), np.uint8)
        mask[4 : 10 + 2 * number, 5:20] = 255
        file = scan(tmp_path / "scans" / name.format(number), (mask.astype(np.int16) + 40) * 3)
        Image.fromarray(mask).save(tmp_path / "masks" / f"{file.stem}.png")
    found = profile(tmp_path)
    task = infer_task(found, tmp_path, "Find the lesion in each scan")
    assert task.problem_type.value == "segmentation"
    assert len(load_table(tmp_path, found.tables[0])) == 8
    variant = Segmentation().ladder(task, found, Machine(2, 8.0), 120.0)[0]
    source = Segmentation().render(task, found, variant)
    assert "with open_picture(path) as picture" in source and " Image.open(" not in source


def test_small_pictures_for_the_page(tmp_path: Path) -> None:
    folders(tmp_path / "data", "{}.dcm")
    found = profile(tmp_path / "data")
    task = infer_task(found, tmp_path / "data", "Who is ill?")
    (tmp_path / "shown").mkdir()
    examples.write(tmp_path / "shown", tmp_path / "data", found, task)
    assert len(list((tmp_path / "shown").rglob("*.png"))) == examples.COUNT


def test_only_the_first_of_several_pictures(tmp_path: Path) -> None:
    folders(tmp_path, "{}.dcm")
    several = np.stack([ramp(), ramp()[:, ::-1]])
    first = open_picture(scan(tmp_path / "ill" / "0.dcm", several))
    assert np.asarray(first)[0, 0] == 0 and np.asarray(first)[0, -1] == 255
    said = "A DICOM file holds several pictures, such as ill/0.dcm; the first of each is used."
    assert said in profile(tmp_path).notes


def test_what_holds_no_picture_is_told_and_no_name_of_a_patient(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, recwarn: pytest.WarningsRecorder
) -> None:
    caplog.set_level(logging.DEBUG)
    folders(tmp_path, "{}.dcm")
    scan(tmp_path / "ill" / "0.dcm", ramp(), PixelData=b"\0" * 6, PatientComments=f"{PATIENT} was here")
    whole = (tmp_path / "ill" / "1.dcm").read_bytes()
    (tmp_path / "ill" / "1.dcm").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "well" / "0.dcm").write_bytes(b"\0" * 128 + b"DICM" + bytes(60))
    found = profile(tmp_path)
    assert {f.path for f in found.problems} == {"ill/0.dcm", "ill/1.dcm", "well/0.dcm"}
    assert {f.problem for f in found.problems} == {"The DICOM file holds no picture that can be read."}
    task = infer_task(found, tmp_path, "Who is ill?")
    told = [found.model_dump_json(), json.dumps(task.model_dump(mode="json")), caplog.text]
    told += [str(warning.message) for warning in recwarn]
    assert not any("Zacharias" in text or "Quendolin" in text or "4711" in text for text in told)


def test_a_window_that_is_no_number_is_told(tmp_path: Path) -> None:
    path = scan(tmp_path / "a.dcm", ramp(), WindowCenter="12", WindowWidth="34")
    path.write_bytes(path.read_bytes().replace(b"12", b"xy"))
    with pytest.raises(OSError, match="no picture can be read"):
        open_picture(path)


def test_a_damaged_photograph_in_a_folder_called_so_is_none_of_them(tmp_path: Path) -> None:
    (tmp_path / "DICOM").mkdir()
    (tmp_path / "DICOM" / "a.png").write_bytes(b"no picture")
    said = pictures.problem_of(tmp_path / "DICOM" / "a.png")
    assert said is not None and "DICOM" not in said


def test_of_very_many_files_it_is_told_how_many_were_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "_FRAMES_ASKED", 2)
    files = [
        FileProfile(path=scan(tmp_path / f"{n}.dcm", np.stack([ramp()] * 2)).name, kind="image", bytes=9)
        for n in range(4)
    ]
    said = pictures.frames_note(tmp_path, files)
    assert said == "Of 2 DICOM files looked at, 2 hold several pictures, such as 0.dcm; the first of each is used."


def test_label_images_of_this_kind_are_read_to_measure_as_a_solution_reads_them(tmp_path: Path) -> None:
    for number in range(8):
        mask = np.zeros((40, 32), np.int16)
        mask[4 : 10 + 2 * number, 5:20] = 1
        scan(tmp_path / "data" / "scans" / f"{number}.dcm", (mask * 255 + 40) * 3)
        scan(tmp_path / "data" / "masks" / f"{number}.dcm", mask)
    found = profile(tmp_path / "data")
    task = infer_task(found, tmp_path / "data", "Find the lesion in each scan")
    assert task.problem_type.value == "segmentation"
    rows = load_table(tmp_path / "data", found.tables[0])
    rows["mask"] = [Path(path).relative_to(tmp_path / "data").as_posix() for path in rows["mask"]]
    case = Case(task, tmp_path / "data", rows, rows.drop(columns="mask"), rows[["mask"]], rows[["mask"]])
    score, _ = MEASURE.naive(task.metric.value, case)
    assert 0 < score < 1


def test_boxes_in_shares_of_such_pictures_are_told_as_not_read(tmp_path: Path) -> None:
    (tmp_path / "labels").mkdir()
    for number in range(4):
        scan(tmp_path / "images" / f"{number}.dcm", ramp())
        (tmp_path / "labels" / f"{number}.txt").write_text("0 0.5 0.5 0.2 0.3\n")
    assert any("labels are not read: beside DICOM" in note for note in profile(tmp_path).notes)


@pytest.mark.parametrize("name", ["DICOMDIR", "cover.dcm"])
def test_a_file_beside_the_classes_that_holds_no_picture(tmp_path: Path, name: str) -> None:
    folders(tmp_path, "IM{:04}")
    (tmp_path / name).write_bytes(b"\0" * 128 + b"DICM" + b"\0" * 80)
    found = profile(tmp_path)
    task = infer_task(found, tmp_path, "Who is ill?")
    assert task.labels == ["ill", "well"] and [f.name for f in task.used_features] == ["picture"]
    assert found.tables[0].rows == (16 if name == "DICOMDIR" else 17)


def test_numbers_of_pictures_with_a_gap(tmp_path: Path) -> None:
    for number in range(12):
        scan(tmp_path / "scans" / f"{number}.dcm", ramp())
    lines = [f"{number}.0,{number % 2}" for number in range(12)]
    (tmp_path / "labels.csv").write_text("\n".join(["id,state", *lines, ",1"]))
    found = profile(tmp_path)
    assert load_table(tmp_path, found.tables[0])["id picture"].notna().sum() == 12
    assert found.tables[0].notes == ['1 cells of "id" are empty, so these rows have no file.']


def test_pictures_packed_in_a_way_that_cannot_be_read_say_so(tmp_path: Path) -> None:
    content = pydicom.dcmread(scan(tmp_path / "a.dcm", ramp()))
    content.file_meta.TransferSyntaxUID = JPEGLosslessSV1
    content.PixelData = encapsulate([b"\xff\xd8\x00\x01" * 20])
    content["PixelData"].VR, content["PixelData"].is_undefined_length = "OB", True
    content.save_as(tmp_path / "a.dcm")
    problem = pictures.problem_of(tmp_path / "a.dcm")
    assert problem is not None and "it is compressed as JPEG Lossless" in problem
