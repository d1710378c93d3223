"""Predictions that are pictures or boxes, written as files."""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

BOX_COLUMNS = ("image", "label", "xmin", "ymin", "xmax", "ymax", "score")


def write_pictures(names: list[str], pictures: list[bytes], path: Path) -> Path:
    """Write PNG files named like the pictures they answer, into a folder, or into a zip when `path` ends so.

    Parameters
    ----------
    names
        Of the pictures that were given, with their folders below the place they come from.
    pictures
        Bytes of a PNG file each.
    """
    kept = list(zip(_file_names(names), pictures, strict=True))
    partial = path.with_name(f".part-{path.name}")
    if path.suffix.lower() == ".zip":
        with zipfile.ZipFile(partial, "w", zipfile.ZIP_STORED) as archive:
            for name, data in kept:
                archive.writestr(name, data)
        os.replace(partial, path)
        return path
    for name, data in kept:
        file = partial / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    partial.mkdir(exist_ok=True)
    if path.is_dir():
        shutil.copytree(partial, path, dirs_exist_ok=True)
        shutil.rmtree(partial)
    else:
        path.unlink(missing_ok=True)
        partial.rename(path)
    return path


def pixel_table(names: list[str], pictures: list[bytes], columns: list[str], form: dict[str, Any]) -> pd.DataFrame:
    """One line a pixel of grey pictures: `picture_row_column`, and its brightness from 0 to 1.

    Parameters
    ----------
    names, pictures
        As for `write_pictures`.
    columns
        Names of the two columns.
    form
        `first` number of rows and columns; whether lines go `down` the columns of a picture.
    """
    import io

    import numpy as np
    import pandas as pd
    from PIL import Image

    parts = []
    for name, data in zip(names, pictures, strict=True):
        values = np.asarray(Image.open(io.BytesIO(data)).convert("L"), dtype=float) / 255
        rows, places = np.indices(values.shape) + form["first"]
        if form["down"]:
            values, rows, places = values.T, rows.T, places.T
        stem = PurePosixPath(name.replace("\\", "/")).stem
        ids = [
            f"{stem}_{row}_{place}" for row, place in zip(rows.ravel().tolist(), places.ravel().tolist(), strict=True)
        ]
        parts.append(pd.DataFrame({columns[0]: ids, columns[1]: values.ravel().round(4)}))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)


def _file_names(names: list[str]) -> Iterator[str]:
    """`a/7.jpg` becomes `a/7.png`; names that come twice get a number; none leads out of the folder."""
    taken: set[str] = set()
    for name in names:
        parts = [part for part in PurePosixPath(str(name).replace("\\", "/")).parts if part not in ("/", "..", ".")]
        place = PurePosixPath(*parts) if parts else PurePosixPath("picture")
        stem, number = place.with_suffix(""), 1
        found = f"{stem}.png"
        while found.lower() in taken:
            number += 1
            found = f"{stem}_{number}.png"
        taken.add(found.lower())
        yield found


def boxes_table(rows: pd.DataFrame, predictions: pd.DataFrame, facts: dict[str, Any]) -> pd.DataFrame:
    """One line a box: image, label, corners in pixels, score."""
    import pandas as pd

    name = "picture" if "picture" in rows else facts["id"]
    lines = []
    for image, text in zip(rows[name], predictions[facts["targets"][0]], strict=True):
        for found in json.loads(text):
            left, top, width, height = found["box"]
            corners = (left, top, left + width, top + height)
            lines.append((image, found["label"], *(round(v, 2) for v in corners), round(found["score"], 5)))
    return pd.DataFrame(lines, columns=list(BOX_COLUMNS))


def write_coco(rows: pd.DataFrame, predictions: pd.DataFrame, facts: dict[str, Any], path: Path) -> Path:
    """Write COCO results: a list of image_id, category_id, bbox (left, top, width, height) and score."""
    results = []
    for image, text in zip(rows[facts["id"]], predictions[facts["targets"][0]], strict=True):
        for found in json.loads(text):
            entry = {
                "image_id": int(image) if str(image).isdigit() else image,
                "category_id": found.get("category_id", found["label"]),
                "bbox": [round(float(v), 2) for v in found["box"]], "score": round(float(found["score"]), 5),
            }  # fmt: skip
            results.append(entry)
    partial = path.with_name(f".part-{path.name}")
    partial.write_text(json.dumps(results), encoding="utf-8")
    os.replace(partial, path)
    return path
