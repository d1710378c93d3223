"""Pictures, their label images and pictures to come, as rows; label images as arrays of classes and back."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from PIL import Image

from mlzero.semantic_memory.blocks.files import MEDIA, unnamed_dicom

IGNORED = 255  # in arrays of classes: pixels that count for nothing


def pictures_below(root: Path, folder: str = "", name: str = "{}") -> dict[str, Path]:
    """Pictures below a folder by what identifies them: their place below it and the variable part of their name.

    Parameters
    ----------
    folder
        Relative to `root`; a part `*` stands for any folder and belongs to what identifies a picture.
    name
        How the files are called, without ending: `{}_mask` finds `7_mask.png` as `7`.
    """
    before, after = name.split("{}")
    parts = [part for part in folder.split("/") if part not in ("", ".")]
    found: dict[str, Path] = {}
    for path in sorted(root.glob("/".join([*parts, "**/*"]))):
        stem = path.stem
        fits = stem.startswith(before) and stem.endswith(after) and len(stem) > len(before) + len(after)
        if fits and (path.suffix.lower() in MEDIA["image"] or unnamed_dicom(str(path))) and path.is_file():
            own = path.relative_to(root).parts
            free = [part for part, wanted in zip(own, parts, strict=False) if wanted == "*"]
            key = "/".join([*free, *own[len(parts) : -1], stem[len(before) : len(stem) - len(after)]])
            found.setdefault(key, path)
    return found


def pictures_with_labels(
    path: str | Path, *, pictures: str = "", labels: str | None = None, picture_name: str = "{}", label_name: str = "{}",
    target: str = "mask", unlabelled: bool = False, nrows: int | None = None,
) -> pd.DataFrame:  # fmt: skip
    """One row a picture: its name in `picture`, its path in `image` and that of its label image in the target column.

    Parameters
    ----------
    pictures, labels
        The two folders below `path`; without `labels` there is no target column.
    picture_name, label_name
        How the files of each are called, as in `pictures_below`.
    unlabelled
        Only the pictures that have no label image, without the target column.
    """
    root = Path(path)
    found = pictures_below(root, pictures, picture_name)
    answers = {} if labels is None else pictures_below(root, labels, label_name)
    if labels == pictures:  # side by side: a label image is no picture
        found = {key: file for key, file in found.items() if file not in set(answers.values())}
    if labels is not None:
        found = {key: file for key, file in found.items() if (key in answers) != unlabelled}
    rows = pd.DataFrame({"picture": [f"{key}{found[key].suffix}" for key in found]}, dtype=object)
    if picture_name != "{}":
        rows["picture"] = [f"{Path(key).parent / file.name}".removeprefix("./") for key, file in found.items()]
    rows["image"] = [str(file) for file in found.values()]
    if labels is not None and not unlabelled:
        rows[target] = [str(answers[key]) for key in found]
    return rows if nrows is None else rows.head(nrows)


def pictures_to_come(path: str | Path, but_not: Sequence[str] = ()) -> pd.DataFrame:
    """Rows for later pictures: of a folder, one file, or a table that names files beside it.

    Parameters
    ----------
    but_not
        Names of folders that hold label images; skipped where there are other pictures too.
    """
    source = Path(path)
    if source.is_dir():
        every = pictures_below(source)
        files = [file for file in every.values() if not set(but_not) & set(file.relative_to(source).parts[:-1])]
        files = files or list(every.values())
        tables = [file for file in sorted(source.iterdir()) if file.suffix.lower() in (".csv", ".tsv")]
        if not files and tables:
            return pictures_to_come(tables[0])
        names = [file.relative_to(source).as_posix() for file in files]
    elif source.suffix.lower() in MEDIA["image"]:
        names, files = [source.name], [source]
    else:
        table = pd.read_csv(source, sep=None, engine="python", dtype=str)
        endings = {n: table[n].astype(str).str.lower().str.endswith(MEDIA["image"]).mean() for n in table}
        column = max(endings, key=lambda n: endings[n], default=None)
        if column is None or endings[column] == 0:
            raise ValueError("no column names picture files")
        beside = {file.name: file for file in pictures_below(source.parent).values()}
        names = [cell.replace("\\", "/") for cell in table[column].dropna()]
        files = [beside.get(name.rsplit("/", 1)[-1], source.parent / name) for name in names]
        names = [name.rsplit("/", 1)[-1] for name in names]
        absent = [file for file in files if not file.is_file()]
        if absent:
            raise ValueError(f"{absent[0].name} is not there")
    if not files:
        raise ValueError("there are no pictures in it")
    return pd.DataFrame({"picture": names, "image": [str(file) for file in files]}, dtype=object)


def read_picture(path: str | Path) -> np.ndarray:
    """A picture as height × width × 3 bytes; of deeper ones the brightest value becomes 255."""
    with Image.open(path) as picture:
        if picture.mode.startswith(("I", "F")):
            deep = np.asarray(picture, dtype=np.float32)
            low, high = float(deep.min()), float(deep.max())
            grey = ((deep - low) * (255.0 / max(high - low, 1e-6))).astype(np.uint8)
            return np.repeat(grey[:, :, None], 3, axis=2)
        return np.array(picture.convert("RGB"))


def read_classes(
    source: str | Path | bytes, values: Sequence[int], ignored: Sequence[int] = (), colours: Mapping[str, int] | None = None
) -> np.ndarray:  # fmt: skip
    """A label image as height × width positions in `values`; `IGNORED` where a pixel holds none of them.

    Parameters
    ----------
    source
        A file, or the bytes of one.
    values, ignored
        Pixel values that are classes, and those that count for nothing.
    colours
        `"255,0,0"` -> value, for label images in colour.
    """
    with Image.open(io.BytesIO(source) if isinstance(source, bytes) else source) as picture:
        if colours:
            pixels = np.array(picture.convert("RGB")).astype(np.int32)
        else:
            pixels = np.array(picture)
            pixels = pixels * np.uint8(255) if pixels.dtype == bool and max(values) > 1 else pixels
            pixels = pixels[..., 0] if pixels.ndim == 3 else pixels
    if colours:
        known = np.array([[int(part) for part in colour.split(",")] for colour in colours])
        meant = np.array(list(colours.values()))
        codes, places = np.unique(pixels @ np.array([65536, 256, 1]), return_inverse=True)
        colour_of = np.stack([codes >> 16, codes >> 8 & 255, codes & 255], axis=1)
        nearest = np.abs(colour_of[:, None] - known).sum(axis=2).argmin(axis=1)
        pixels = meant[nearest][places].reshape(pixels.shape[:2])
    elif len(values) == 2 and not ignored:  # also where lossy files blur the two values
        return (pixels > (values[0] + values[1]) / 2).astype(np.uint8)
    classes = np.full(pixels.shape, IGNORED, dtype=np.uint8)
    for position, value in enumerate(values):
        classes[pixels == value] = position
    return classes


def classes_png(classes: np.ndarray, values: Sequence[int], colours: Mapping[str, int] | None = None) -> bytes:
    """The bytes of a PNG label image, from positions in `values`: grey values, or colours where there are some."""
    pixels = np.array(values)[classes]
    if colours:
        table = {value: [int(part) for part in colour.split(",")] for colour, value in colours.items()}
        pixels = np.array([table[value] for value in values])[classes]
    file = io.BytesIO()
    Image.fromarray(pixels.astype(np.uint8 if max(values) < 256 else np.uint16)).save(file, "PNG")
    return file.getvalue()
