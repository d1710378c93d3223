"""Pictures and the boxes in them as rows, from COCO, Pascal VOC, LabelMe, YOLO and tables of boxes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pandas as pd
from PIL import Image

from mlzero.semantic_memory.blocks.label_images import pictures_below, pictures_to_come


def pictures_with_boxes(
    path: str | Path, *, form: str, annotations: str, pictures: str = "", classes: Sequence[str] = (),
    columns: Sequence[str] = (), separator: str = ",", categories: Mapping[str, int] | None = None,
    without: Sequence[str] = (), nrows: int | None = None,
) -> pd.DataFrame:  # fmt: skip
    """One row a picture: its name, its number `image_id`, its path in `image` and the `boxes` in it as JSON text.

    Each box is `{"label": …, "box": [left, top, width, height]}` in pixels.

    Parameters
    ----------
    form
        How boxes are written: `coco` (a JSON file), `voc` (an XML file a picture), `labelme` (a JSON file a picture),
        `yolo` (a text file a picture) or `table` (a line a box).
    annotations, pictures
        The file or folder with the boxes, and the folder with the pictures, both below `path`.
    classes
        Of YOLO, the names behind the numbers.
    categories
        Of COCO, the numbers of the labels where they differ from those in the file.
    columns
        Of a table: picture, label, then xmin, ymin, xmax, ymax, or x, y, width, height when the third is marked `+name`;
        or one column in their place, whose cells hold all four, `[10, 20, 30, 40]`. An empty label: the boxes have none.
    without
        Pictures below `path` that cannot be read: they are left out.
    """
    root = Path(path)
    damaged = {root / name for name in without}
    files = {file.name.lower(): file for file in pictures_below(root / pictures).values() if file not in damaged}
    source = root / annotations
    numbers: dict[Path, Any] = {}
    if form == "coco":
        found, numbers = coco_boxes(source, files, categories or {})
    elif form == "voc":
        found = voc_boxes(source, files)
    elif form == "labelme":
        found = labelme_boxes(source, files)
    elif form == "yolo":
        found = yolo_boxes(source, files, classes)
    else:
        found = table_boxes(source, files, columns, separator)
    order = sorted(found)
    rows = pd.DataFrame({"picture": [file.name for file in order]}, dtype=object)
    rows["image_id"] = [numbers.get(file, file.name) for file in order]
    rows["image"] = [str(file) for file in order]
    rows["boxes"] = [json.dumps(found[file], ensure_ascii=False) for file in order]
    return rows if nrows is None else rows.head(nrows)


def base_name(written: str) -> str:
    """The name of a file without its folders, in small letters."""
    return written.replace("\\", "/").rsplit("/", 1)[-1].lower()


def coco_boxes(
    source: Path, files: Mapping[str, Path], categories: Mapping[str, int]
) -> tuple[dict[Path, list[dict[str, Any]]], dict[Path, Any]]:
    """Boxes by picture of a COCO file, and the numbers that it gives the pictures; `files` by their names."""
    content = json.loads(source.read_text(encoding="utf-8-sig"))
    names = {entry["id"]: entry["name"] for entry in content["categories"]}
    names |= {number: name for name, number in categories.items()}
    place: dict[Any, Path] = {}
    numbers: dict[Path, Any] = {}
    found: dict[Path, list[dict[str, Any]]] = {}
    for entry in content["images"]:
        file = files.get(base_name(str(entry["file_name"])))
        if file is not None:
            place[entry["id"]], numbers[file], found[file] = file, entry["id"], []
    for entry in content["annotations"]:
        if entry["image_id"] in place and entry.get("bbox") and not entry.get("iscrowd"):
            box = {"label": str(names[entry["category_id"]]), "box": [float(v) for v in entry["bbox"]]}
            found[place[entry["image_id"]]].append(box)
    return found, numbers


def voc_boxes(folder: Path, files: Mapping[str, Path]) -> dict[Path, list[dict[str, Any]]]:
    """Boxes by picture of Pascal VOC files, one a picture, called like it or naming it."""
    by_stem = {file.stem.lower(): file for file in files.values()}
    found = {}
    for source in sorted(folder.rglob("*.xml")):
        tree = ElementTree.parse(source).getroot()
        file = by_stem.get(source.stem.lower()) or files.get(base_name(tree.findtext("filename") or ""))
        if file is not None:
            found[file] = [voc_box(entry) for entry in tree.iter("object")]
    return found


def labelme_boxes(folder: Path, files: Mapping[str, Path]) -> dict[Path, list[dict[str, Any]]]:
    """Boxes by picture of LabelMe files, one a picture, called like it or naming it; outlines count by their extent."""
    by_stem = {file.stem.lower(): file for file in files.values()}
    found: dict[Path, list[dict[str, Any]]] = {}
    for source in sorted(folder.rglob("*.json")):
        content = json.loads(source.read_text(encoding="utf-8-sig"))
        if not isinstance(content, dict) or "shapes" not in content:
            continue
        file = by_stem.get(source.stem.lower()) or files.get(base_name(str(content.get("imagePath") or "")))
        if file is not None:
            found[file] = [labelme_box(shape) for shape in content["shapes"] if len(shape.get("points") or []) > 1]
    return found


def labelme_box(shape: Mapping[str, Any]) -> dict[str, Any]:
    """A rectangle, outline or circle (its middle and a point on it) of a LabelMe file."""
    points = [(float(x), float(y)) for x, y in shape["points"]]
    if shape.get("shape_type") == "circle":
        (x, y), (a, b) = points[:2]
        radius = ((x - a) ** 2 + (y - b) ** 2) ** 0.5
        points = [(x - radius, y - radius), (x + radius, y + radius)]
    (left, right), (top, bottom) = ((min(side), max(side)) for side in zip(*points, strict=True))
    return {"label": str(shape.get("label") or "").strip(), "box": [left, top, right - left, bottom - top]}


def yolo_boxes(folder: Path, files: Mapping[str, Path], classes: Sequence[str]) -> dict[Path, list[dict[str, Any]]]:
    """Boxes by picture of YOLO files: lines of class, middle, width and height in shares of the picture."""
    by_stem = {file.stem.lower(): file for file in files.values()}
    found: dict[Path, list[dict[str, Any]]] = {}
    for source in sorted(folder.rglob("*.txt")):
        file = by_stem.get(source.stem.lower())
        if file is None:
            continue
        with Image.open(file) as picture:
            width, height = picture.size
        found[file] = []
        for line in source.read_text(encoding="utf-8-sig").splitlines():
            parts = line.split()
            if len(parts) >= 5:
                x, y, w, h = (float(part) for part in parts[1:5])
                number = int(float(parts[0]))
                label = classes[number] if number < len(classes) else str(number)
                box = [(x - w / 2) * width, (y - h / 2) * height, w * width, h * height]
                found[file].append({"label": label, "box": box})
    return found


def table_boxes(
    source: Path, files: Mapping[str, Path], columns: Sequence[str], separator: str
) -> dict[Path, list[dict[str, Any]]]:
    """Boxes by picture of a table with a line a box; `columns` as in `pictures_with_boxes`."""
    by_stem = {file.stem.lower(): file for file in files.values()}
    name, label, *places = (column.removeprefix("+") for column in columns)
    table = pd.read_csv(source, sep=separator, dtype={name: str, **({label: str} if label else {})})
    if len(places) == 1:
        sides = table[places[0]].astype(str).str.findall(r"-?\d+(?:\.\d+)?")
        four = pd.DataFrame([cell if len(cell) == 4 else [None] * 4 for cell in sides], index=table.index, dtype=float)
    else:
        four = table[places].set_axis(range(4), axis=1)
    labels = table[label] if label else pd.Series("object", index=table.index)
    found: dict[Path, list[dict[str, Any]]] = {}
    for cell, of, a, b, c, d in pd.concat([table[name], labels, four], axis=1).itertuples(index=False):
        base = base_name(str(cell))
        file = files.get(base) or by_stem.get(base) or by_stem.get(base.rsplit(".", 1)[0])
        if file is None:
            continue
        boxes = found.setdefault(file, [])
        if pd.notna(a) and pd.notna(of):
            size = [c, d] if columns[2].startswith("+") else [c - a, d - b]
            boxes.append({"label": of, "box": [float(v) for v in (a, b, *size)]})
    return found


def voc_box(entry: ElementTree.Element) -> dict[str, Any]:
    """An object of a Pascal VOC file."""
    a, b, c, d = (float(entry.findtext(f"bndbox/{side}") or 0) for side in ("xmin", "ymin", "xmax", "ymax"))
    return {"label": (entry.findtext("name") or "").strip(), "box": [a, b, c - a, d - b]}


def pictures_to_search(
    path: str | Path, pictures: str = "", but_not: Mapping[str, Any] | None = None, nrows: int | None = None
) -> pd.DataFrame:
    """Rows for pictures whose boxes are wanted; a COCO file beside them gives their numbers, else names serve.

    Parameters
    ----------
    path, pictures
        A folder below a path, a single picture, or a table that names some.
    but_not
        How annotated pictures are read (see `pictures_with_boxes`): they are left out.
    """
    source = Path(path) / pictures if pictures else Path(path)
    rows = pictures_to_come(source)
    rows["image_id"] = rows["picture"]
    folder = source if source.is_dir() else source.parent
    for file in sorted(folder.rglob("*.json")):
        content = json.loads(file.read_text(encoding="utf-8-sig"))
        if isinstance(content, dict) and isinstance(content.get("images"), list):
            known = {str(e["file_name"]).rsplit("/", 1)[-1].lower(): e["id"] for e in content["images"] if "id" in e}
            numbers = [known.get(Path(name).name.lower()) for name in rows["image"]]
            if source.is_dir() and any(number is not None for number in numbers):
                kept = [number is not None for number in numbers]
                rows, numbers = rows[kept].reset_index(drop=True), [n for n in numbers if n is not None]
            rows["image_id"] = [
                name if number is None else number for number, name in zip(numbers, rows["picture"], strict=True)
            ]
            break
    if but_not:
        annotated = set(pictures_with_boxes(path, **but_not)["image"])
        annotated |= {str(Path(path) / name) for name in but_not.get("without", ())}
        rows = rows[~rows["image"].isin(annotated)].reset_index(drop=True)
    rows = rows[["picture", "image_id", "image"]]
    return rows if nrows is None else rows.head(nrows)
