"""Uploads of pictures, recordings, documents and files of numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import soundfile
from PIL import Image, ImageDraw, ImageFont

from tests.perception.real_files import pdf
from tests.uploads import Wanted

COLOURS = {"red": (220, 40, 40), "green": (20, 110, 40), "blue": (40, 60, 220)}
RATE = 8000


def save(path: Path, pixels: np.ndarray) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8)).save(path)


def plain(colour: str, dice: np.random.Generator, size: int = 32) -> np.ndarray:
    """A noisy picture in one colour."""
    return np.array(COLOURS[colour]) + dice.integers(-30, 30, (size, size, 3))


def scene(dice: np.random.Generator, size: int = 64) -> tuple[np.ndarray, np.ndarray, list[float]]:
    """A bright disc or a red square on dark noise; the class of each pixel (0, 1 or 2) and its box."""
    half, (y, x), square = int(dice.integers(8, 14)), dice.integers(16, size - 16, 2), int(dice.integers(0, 2))
    rows, columns = np.mgrid[:size, :size] - np.array([y, x])[:, None, None]
    inside = (np.maximum(abs(rows), abs(columns)) <= half) if square else (rows**2 + columns**2 <= half**2)
    paint = np.array([120, -20, -20] if square else [90, 90, 90])
    picture = dice.normal(70, 25, (size, size, 3)) + paint * inside[..., None]
    return picture, inside * (1 + square), [float(x - half), float(y - half), 2.0 * half + 1, 2.0 * half + 1]


def pictures_in_folders(folder: Path) -> Wanted:
    dice = np.random.default_rng(0)
    for colour in COLOURS:
        for n in range(14):
            save(folder / f"known/{colour}/{n:02}.png", plain(colour, dice))
    for n in range(6):
        save(folder / f"new/{n}.jpg", plain(list(COLOURS)[n % 3], dice))
    return Wanted("Which colour has each new picture?", "multiclass", "new", hints=("ignore the background",))


def labels_of_pictures(folder: Path) -> Wanted:
    dice, rows = np.random.default_rng(1), []
    for n in range(44):
        red, blue = dice.integers(0, 2, 2)
        picture = plain("green", dice)
        picture[:16] = plain("red", dice)[:16] if red else picture[:16]
        picture[16:] = plain("blue", dice)[16:] if blue else picture[16:]
        save(folder / f"pics/{n:03}.png", picture)
        rows.append((f"{n:03}.png", red, blue))
    frame = pd.DataFrame(rows, columns=["photo", "red", "blue"])
    frame[:36].to_csv(folder / "labels.csv", index=False)
    frame[36:][["photo"]].to_csv(folder / "test.csv", index=False)
    return Wanted("Predict red and blue of each photo.", "multilabel", "test.csv")


def things_in_pictures(folder: Path) -> Wanted:
    dice, rows = np.random.default_rng(2), []
    for n in range(50):
        picture, count = dice.normal(60, 10, (48, 48, 3)), int(dice.integers(0, 13))
        for place in dice.choice(16, count, replace=True):
            y, x = 12 * (place // 4) + 3, 12 * (place % 4) + 3
            picture[y : y + 7, x : x + 7] += 70
        save(folder / f"cells/{n:02}.png", picture)
        rows.append((f"{n:02}.png", count))
    frame = pd.DataFrame(rows, columns=["file", "cells"])
    frame[:42].to_csv(folder / "counts.csv", index=False)
    frame[42:][["file"]].to_csv(folder / "test.csv", index=False)
    return Wanted("How many cells are in each picture? Mean absolute error.", "regression", "test.csv")


def marked_pictures(folder: Path) -> Wanted:
    dice = np.random.default_rng(3)
    for n in range(14):
        picture, classes, _ = scene(dice)
        save(folder / f"train/images/{n}.jpg", picture)
        save(folder / f"train/masks/{n}.png", classes)
    for n in range(3):
        save(folder / f"test/new{n}.jpg", scene(dice)[0])
    return Wanted(
        "Mark what is to see in the test pictures: 0 nothing, 1 disc, 2 square. Mean IoU.", "segmentation", "test"
    )


def boxes_in_pictures(folder: Path) -> Wanted:
    dice, lines = np.random.default_rng(4), ["filename,class,xmin,ymin,xmax,ymax"]
    for n in range(20):
        picture, classes, (x, y, across, down) = scene(dice)
        save(folder / f"train/scan_{n}.jpg", picture)
        lines.append(f"scan_{n}.jpg,{['', 'disc', 'square'][classes.max()]},{x},{y},{x + across},{y + down}")
    for n in range(3):
        save(folder / f"test/new_{n}.jpg", scene(dice)[0])
    (folder / "boxes.csv").write_text("\n".join(lines) + "\n")
    return Wanted("Find the discs and squares in the test pictures.", "detection", "test")


def pictures_to_clean(folder: Path) -> Wanted:
    dice = np.random.default_rng(5)
    for n in range(12):
        clean = np.full((48, 64), 235.0)
        for _ in range(5):
            y, x = dice.integers(2, 42), dice.integers(2, 40)
            clean[y : y + 3, x : x + 20] = 30
        noisy = 0.5 * clean + 70 + dice.normal(0, 8, clean.shape)
        if n < 10:
            save(folder / f"train/clean/{n}.png", clean)
        save(folder / f"{'train/noisy' if n < 10 else 'test/noisy'}/{n}.png", noisy)
    return Wanted("Clean the noisy pages in test. RMSE.", "image_to_image", "test/noisy")


def adverts_with_several_pictures(folder: Path) -> Wanted:
    dice, rows = np.random.default_rng(6), []
    for n in range(90):
        price, nice, colours = float(dice.uniform(10, 90)), bool(dice.random() < 0.5), dice.choice(list(COLOURS), 2)
        for place, colour in enumerate(colours):
            save(folder / f"photos/{n}_{place}.png", plain(colour, dice))
        text = f"{'a lovely and friendly' if nice else 'an old and broken'} thing, number {n}, that I have had in the house for {n % 7} years"
        sold = colours[0] == "red" or (nice and colours[1] == "blue")
        rows.append((n, f"{n}_0.png", f"{n}_1.png", text, round(price, 2), "yes" if sold else "no"))
    frame = pd.DataFrame(rows, columns=["advert", "photo_1", "photo_2", "description", "price", "sold"])
    frame[:76].to_csv(folder / "train.csv", index=False)
    frame[76:].drop(columns="sold").to_csv(folder / "test.csv", index=False)
    return Wanted(
        "Will the things be sold?", "binary", "test.csv", attempts=2, seconds=150, hints=("use linear models",)
    )


def sound(dice: np.random.Generator, *hertz: float) -> np.ndarray:
    """A quarter of a second of tones in noise."""
    moments = np.arange(RATE // 4) / RATE
    tones = [0.3 * np.sin(2 * np.pi * h * dice.uniform(0.95, 1.05) * moments) for h in hertz]
    return np.asarray(sum(tones, dice.normal(0, 0.02, len(moments))))


def recordings_in_folders(folder: Path) -> Wanted:
    dice, tones = np.random.default_rng(7), {"low": 150, "high": 1200}
    for n in range(32):
        name = list(tones)[n % 2]
        path = folder / (f"known/{name}/{n}.wav" if n < 28 else f"new/{n}.wav")
        path.parent.mkdir(parents=True, exist_ok=True)
        soundfile.write(path, sound(dice, tones[name]), RATE)
    return Wanted("Is the tone low or high?", "binary", "new")


def labels_of_recordings(folder: Path) -> Wanted:
    dice, rows = np.random.default_rng(8), []
    (folder / "clips").mkdir()
    for n in range(44):
        hum, beep = dice.integers(0, 2, 2)
        soundfile.write(folder / f"clips/{n}.wav", sound(dice, *[150] * hum, *[1500] * beep), RATE)
        rows.append((f"{n}.wav", hum, beep))
    frame = pd.DataFrame(rows, columns=["clip", "hum", "beep"])
    frame[:36].to_csv(folder / "train.csv", index=False)
    frame[36:][["clip"]].to_csv(folder / "test.csv", index=False)
    return Wanted("Which clips hold hum and beep?", "multilabel", "test.csv")


WRITTEN = {"invoice": "please pay the amount due by bank transfer", "letter": "dear aunt we hope you are well and warm"}


def scanned(text: str, path: Path) -> None:
    """A page that is a picture of a line of text."""
    page = Image.new("RGB", (900, 300), "white")
    ImageDraw.Draw(page).text((30, 120), text, "black", ImageFont.load_default(32))
    page.save(path)


def documents_in_folders(folder: Path) -> Wanted:
    """PDF files with a text layer; the last of the new ones is scanned."""
    for n in range(28):
        kind = list(WRITTEN)[n % 2]
        path = folder / (f"sorted/{kind}/{n}.pdf" if n < 24 else f"new/{n}.pdf")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(pdf(f"{WRITTEN[kind]} number {n}"))
    scanned(WRITTEN["letter"], folder / "new/27.pdf")
    return Wanted("Sort the new documents: invoice or letter?", "binary", "new")


def crystals_of_rows(folder: Path) -> Wanted:
    """The same ids for learning and for the rows asked; only the files tell the gap."""
    dice = np.random.default_rng(9)
    for part, count in (("train", 140), ("test", 30)):
        rows = []
        for n in range(1, count + 1):
            size, share = dice.uniform(4, 9), dice.uniform(0.1, 0.9)
            symbols = np.where(dice.random(20) < share, "Ga", "Al")
            lines = [f"lattice_vector {' '.join(map(str, size * axis))}" for axis in np.eye(3)]
            lines += [
                "atom " + " ".join(f"{x:.4f}" for x in place) + f" {symbol}"
                for place, symbol in zip(dice.uniform(0, size, (20, 3)), symbols, strict=True)
            ]
            (folder / f"{part}/{n}").mkdir(parents=True)
            (folder / f"{part}/{n}/geometry.xyz").write_text("\n".join(["# a crystal", *lines]) + "\n")
            rows.append((n, int(dice.integers(1, 200)), round(size - 0.2 * (symbols == "Ga").sum(), 3)))
        frame = pd.DataFrame(rows, columns=["id", "spacegroup", "gap"])
        (frame if part == "train" else frame.drop(columns="gap")).to_csv(folder / f"{part}.csv", index=False)
    return Wanted("Predict the gap of the crystals in test.csv. RMSE.", "regression", "test.csv")


def curves_in_folders(folder: Path) -> Wanted:
    """Measured curves that differ in their rhythm, a folder an activity; one file is empty."""
    dice, rhythms = np.random.default_rng(10), {"resting": 0.2, "walking": 1.5, "running": 4.0}
    for n in range(100):
        name = list(rhythms)[n % 3]
        path = folder / (f"known/{name}/{n:03}.csv" if n < 90 else f"new/{n:03}.csv")
        path.parent.mkdir(parents=True, exist_ok=True)
        moments = np.arange(int(dice.integers(60, 100))) / 20
        swing = np.sin(2 * np.pi * rhythms[name] * dice.uniform(0.8, 1.2) * moments + dice.uniform(0, 6))
        rows = pd.DataFrame({"t": moments, "hip": swing + dice.normal(0, 0.4, len(moments))})
        rows.round(3).to_csv(path, index=False)
    (folder / "known/running/002.csv").write_text("")
    return Wanted("Which activity is it in each new file?", "multiclass", "new")


MAKERS = [
    pictures_in_folders, labels_of_pictures, things_in_pictures, marked_pictures, boxes_in_pictures, pictures_to_clean,
    adverts_with_several_pictures, recordings_in_folders, labels_of_recordings, documents_in_folders,
    crystals_of_rows, curves_in_folders,
]  # fmt: skip
