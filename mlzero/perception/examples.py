"""A few examples of what is to be learnt, ready to be shown: small pictures, recordings, texts, series or rows."""

from __future__ import annotations

import json
import shutil
from collections.abc import Hashable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mlzero.perception.profile import FILES, Profile
from mlzero.perception.task import Task

if TYPE_CHECKING:
    import pandas as pd
    from PIL import Image

COUNT = 6
ROWS = 5  # of a plain table
SERIES, POINTS = 3, 400
READ = 20_000  # rows of the table among which examples are chosen
SIDE = 220  # pixels of a small picture
LONGEST = 400  # characters of a text
LARGEST = 1e15  # beyond this a whole number is written with its power of ten
COLOURS = ("#1a9484", "#c4673a", "#3a6cc4", "#b8a12a", "#8a4fb0", "#d1495b", "#5f7a2f", "#2f7a78")
SEED = 3


def write(folder: Path, data_dir: Path, profile: Profile, task: Task) -> None:
    """Leave `examples.json` in the folder, and small pictures in `examples/` beside it.

    `examples.json` holds `kind` (pictures, recordings, series or rows) and `items`.
    """
    from mlzero.perception.tables import load_table
    from mlzero.semantic_memory.blocks.columns import one_spelling

    shutil.rmtree(folder / "examples", ignore_errors=True)
    (folder / "examples.json").unlink(missing_ok=True)
    table = profile.table(task.train[0].table) if task.train else None
    if table is None:
        return
    frame = load_table(data_dir, table, nrows=min(table.rows, READ), as_written=task.as_written)
    if task.spelled:
        frame[task.targets[0]] = one_spelling(frame[task.targets[0]], task.spelled)
    kinds = {f.treat_as: f.name for f in reversed(task.used_features) if f.name in frame}
    if task.series is not None:
        found: dict[str, Any] = {"kind": "series", "items": _series(frame, task)}
    elif "image" in kinds:
        (folder / "examples").mkdir()
        found = {"kind": "pictures", "items": _pictures(frame, kinds["image"], task, folder / "examples")}
    elif "audio" in kinds:
        rows = _spread(frame.dropna(subset=[kinds["audio"]]), task)
        files = [Path(path).relative_to(data_dir).as_posix() for path in rows[kinds["audio"]]]
        captions = [_answer(row, task) for row in rows.to_dict("records")]
        found = {
            "kind": "recordings",
            "items": [{"file": f, "caption": c} for f, c in zip(files, captions, strict=True)],
        }
    else:
        names = [*task.targets, *(f.name for f in task.used_features)]
        rows = _spread(frame[[name for name in names if name in frame]], task).head(ROWS)
        for feature in task.used_features:
            if feature.treat_as in FILES and feature.name in rows:
                rows[feature.name] = [_below(cell, data_dir) for cell in rows[feature.name]]
        found = {"kind": "rows", "items": [{k: _short(v) for k, v in row.items()} for row in rows.to_dict("records")]}
    if found["items"]:
        (folder / "examples.json").write_text(json.dumps(found, ensure_ascii=False), encoding="utf-8")


def _below(cell: object, data_dir: Path) -> object:
    """A path in a cell as seen from the folder of the data; other cells as they are."""
    if isinstance(cell, str) and Path(cell).is_relative_to(data_dir):
        return Path(cell).relative_to(data_dir).as_posix()
    return cell


def _spread(frame: pd.DataFrame, task: Task) -> pd.DataFrame:
    """Rows with an answer, different ones where there are classes."""
    targets = [name for name in task.targets if name in frame]
    known = frame.dropna(subset=targets)
    known = known.iloc[np.random.default_rng(SEED).permutation(len(known))]
    if task.problem_type.value in ("binary", "multiclass") and targets:
        first = ~known.duplicated(subset=targets)
        known = known.loc[[*known.index[first], *known.index[~first]]]
    return known.head(COUNT)


def _pictures(frame: pd.DataFrame, column: str, task: Task, folder: Path) -> list[dict[str, str]]:
    from PIL import ImageOps

    from mlzero.semantic_memory.blocks.dicom import open_picture

    found = []
    for number, row in enumerate(_spread(frame.dropna(subset=[column]), task).to_dict("records")):
        try:
            with open_picture(row[column]) as opened:
                size = opened.size
                picture = ImageOps.exif_transpose(opened).convert("RGB")
            picture.thumbnail((SIDE, SIDE))
            _draw_answer(picture, row, task, picture.width / max(1, size[0]))
        except (OSError, ValueError, SyntaxError):
            continue  # a broken picture is listed among the problems of the upload
        name = f"{number}.png"
        picture.save(folder / name)
        found.append({"file": name, "caption": _answer(row, task)})
    return found


def _draw_answer(picture: Image.Image, row: dict[Hashable, Any], task: Task, scale: float) -> None:
    """Lay classes of pixels or boxes over the picture."""
    from PIL import Image, ImageColor, ImageDraw

    from mlzero.semantic_memory.blocks.dicom import open_picture

    target = task.targets[0]
    if task.problem_type.value == "detection":
        labels = list(task.labels)
        brush = ImageDraw.Draw(picture)
        for entry in json.loads(row[target]):
            left, top, width, height = (value * scale for value in entry["box"])
            place = labels.index(entry["label"]) if entry["label"] in labels else 0
            brush.rectangle((left, top, left + width, top + height), outline=COLOURS[place % len(COLOURS)], width=2)
    elif task.problem_type.value == "segmentation" and task.mask is not None and not task.mask.colours:
        with open_picture(row[target]) as opened:
            mask = np.asarray(opened.resize(picture.size, Image.Resampling.NEAREST))
        if mask.ndim == 2:
            pixels = np.asarray(picture).astype(float)
            for place, value in enumerate(task.mask.values[1:]):
                colour = np.array(ImageColor.getrgb(COLOURS[place % len(COLOURS)]))
                pixels[mask == value] = 0.5 * pixels[mask == value] + 0.5 * colour
            picture.paste(Image.fromarray(pixels.astype(np.uint8)))


def _series(frame: pd.DataFrame, task: Task) -> list[dict[str, Any]]:
    """The ends of some series: name, times as text, values."""
    assert task.series is not None
    target, time, item = task.targets[0], task.series.time, task.series.item
    if target not in frame or (time and time not in frame):
        return []
    groups = frame.groupby(item, sort=False) if item else [("", frame)]
    found = []
    for name, rows in list(groups)[:SERIES]:
        ends = (rows.sort_values(time) if time else rows).dropna(subset=[target]).tail(POINTS)
        times = ends[time].astype(str) if time else range(len(ends))
        label = " ".join(map(str, name)) if isinstance(name, tuple) else str(name)
        found.append({"name": label, "times": list(times), "values": ends[target].astype(float).tolist()})
    return found


def _answer(row: dict[Hashable, Any], task: Task) -> str:
    """The answer of a row in words; empty where it is drawn."""
    if task.problem_type.value in ("segmentation", "detection", "image_to_image"):
        return ""
    return ", ".join(_short(row[name]) for name in task.targets)


def _short(value: Any) -> str:
    """A cell as people write it: nothing where it is missing, whole numbers and days without an empty rest."""
    import pandas as pd

    if pd.api.types.is_scalar(value) and pd.isna(value):
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < LARGEST:
        value = int(value)
    text = " ".join(str(value).removesuffix(" 00:00:00").split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
