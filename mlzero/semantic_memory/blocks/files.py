"""Rows for files: one row a file of a folder, or paths for the cells of a table that name files."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from mlzero.semantic_memory.blocks.new_rows import read_new_table
from mlzero.semantic_memory.blocks.shaping import plain_text

MEDIA = {
    "image": (
        ".jpg", ".jpeg", ".jfif", ".png", ".gif", ".bmp", ".tif", ".tiff", ".webp", ".ppm", ".pgm", ".pbm", ".jp2",
        ".heic", ".avif", ".dcm", ".dicom", ".ima",
    ),
    "audio": (".wav", ".mp3", ".flac", ".ogg", ".m4a", ".aac", ".opus", ".aiff", ".aif", ".wma"),
    "document": (".pdf", ".docx", ".txt", ".md", ".html", ".htm", ".rtf"),
}  # fmt: skip


def files_below(folder: Path, media: str) -> list[str]:
    """Files of a kind below a folder, as paths from there with `/`, in their order, without what systems leave behind."""
    found = []
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".") and name != "__MACOSX"]
        above = Path(place).relative_to(folder).parts
        found += [
            (*above, name) for name in names
            if not name.startswith(".") and (
                name.lower().endswith(MEDIA[media]) or (media == "image" and unnamed_dicom(os.path.join(place, name)))
            )
        ]  # fmt: skip
    return ["/".join(parts) for parts in sorted(found)]


def unnamed_dicom(path: str) -> bool:
    """Whether a file without an ending, or with a number for one, is a DICOM file; `DICOMDIR` only lists others."""
    name = os.path.basename(path)
    if not re.fullmatch(r"[^.]+|.*\.\d+", name) or name.upper() == "DICOMDIR" or not os.path.isfile(path):
        return False
    try:
        return is_dicom(path)
    except OSError:
        return False


def is_dicom(path: str | Path) -> bool:
    """Whether a file begins as a DICOM file does."""
    with open(path, "rb") as file:
        return file.read(132)[128:] == b"DICM"


def file_rows(
    path: str | Path,
    *,
    media: str,
    column: str,
    name: str = "file",
    folders: Sequence[str] = (),
    pattern: str = "",
    skip: Sequence[str] = (),
    without: Sequence[str] = (),
    bare: bool = False,
    nrows: int | None = None,
) -> pd.DataFrame:
    """One row a file below a folder: its name, its path, and what its folders or its name tell.

    Parameters
    ----------
    media
        `image`, `audio` or `document`: which files count.
    column, name
        Names of the columns with the path and with the file's name below the folder.
    folders
        Columns for the folders on the way, from the top; an empty name for a folder that tells nothing.
    pattern
        Regular expression with named groups for the file's name without its ending; each group is a column.
    skip
        Folders that are left out.
    without
        Files that cannot be read: their rows have no path.
    bare
        Whether names go without their endings.
    """
    top, damaged = os.path.join(path, ""), set(without)
    parts = [place.split("/") for place in files_below(Path(path), media)[:nrows]]
    parts = [each for each in parts if each[0] not in skip]
    places = ["/".join(each) for each in parts]
    rows: dict[str, list[Any]] = {name: [os.path.splitext(place)[0] for place in places] if bare else places}
    rows[column] = [None if place in damaged else top + place for place in places]
    for depth, level in enumerate(folders):
        if level:
            rows[level] = [each[depth] if depth < len(each) - 1 else None for each in parts]
    told = re.compile(pattern)
    found = [told.search(os.path.splitext(each[-1])[0]) for each in parts] if pattern else []
    for group in told.groupindex:
        rows[group] = [match[group] if match else None for match in found]
    return pd.DataFrame(rows, dtype=object)


def locate_files(rows: pd.DataFrame, base: Path, files: Mapping[str, Mapping[str, Any]]) -> pd.DataFrame:
    """The rows with columns of paths added, for files below `base` that cells name; no path where there is none.

    Parameters
    ----------
    files
        By new column: `media`, the `column` whose cells name the files, and where it matters the usual `folder`
        and the files that cannot be read, `without`.

    Cells may hold folders of another computer or another ending, and leave out the ending or zeros at the beginning.
    Where files are numbered behind what a cell names (`ab12-1.jpg`, `ab12-2.jpg` for `ab12`) it is the first of them.
    """
    for column, how in files.items():
        if how["column"] not in rows:
            continue
        names, stems, numbers = dict[str, list[str]](), dict[str, list[str]](), dict[str, list[str]]()
        several = dict[str, list[str]]()
        for place in files_below(base, how["media"]):
            name = place.rpartition("/")[2].lower()
            stem = os.path.splitext(name)[0]
            names.setdefault(name, []).append(place)
            stems.setdefault(stem, []).append(place)
            if stem.isdecimal():
                numbers.setdefault(str(int(stem)), []).append(place)
            if (common := unnumbered(stem)) != stem:
                several.setdefault(common, []).append(place)
        usual, without = base / how.get("folder", ""), set(how.get("without", ()))
        paths = []
        for cell in plain_text(rows[how["column"]]):
            parts = [part.lower() for part in re.split(r"[\\/]+", cell.strip())] if cell else [""]
            name = parts[-1]
            stem = name.rpartition(".")[0] if name.endswith(MEDIA[how["media"]]) else name
            number = str(int(stem)) if stem.isdecimal() else stem
            found = names.get(name) or stems.get(stem) or numbers.get(number) or []
            if not found and stem in several:
                found = [min(several[stem], key=lambda place: (len(place), place))]
            best = found[0] if found else None
            if len(found) > 1:
                best = max(found, key=lambda p: (shared_end(base / p, parts), usual in (base / p).parents))
            paths.append(None if best is None or best in without else os.path.join(base, best))
        rows = rows.assign(**{column: pd.Series(paths, index=rows.index, dtype=object)})
    return rows


def unnumbered(stem: str) -> str:
    """What the numbered files of one row have in common: `ab12` of `ab12-1`, `ab12_2` and `ab12 (3)`."""
    return re.sub(r"(?<=[^\W_])[-_ ]+\(?\d{1,3}\)?$", "", stem)


def shared_end(file: Path, parts: Sequence[str]) -> int:
    """How many folders above a file are those that `parts`, a path in lower case, has there."""
    count = 0
    for ours, theirs in zip(reversed(file.parts[:-1]), reversed(parts[:-1]), strict=False):
        if ours.lower() != theirs:
            break
        count += 1
    return count


def read_new_files(
    path: str | Path, columns: Sequence[str], files: Mapping[str, Mapping[str, Any]], **written: Any
) -> pd.DataFrame:
    """Rows of later files: one file, a folder of them, or a table (in a folder or by itself) with its files beside it.

    Parameters
    ----------
    columns
        Further columns that a table has to give.
    files
        As for `locate_files`; `bare` says that files without a table are called without their endings.
    written
        How the training table was written, see `read_new_table`.

    Raises
    ------
    ValueError
        When there is neither a file of the kind nor a table that names some.
    """
    path = Path(path)
    column, how = next(iter(files.items()))
    known = path.name.lower().endswith(MEDIA[how["media"]])
    if path.is_file() and (known or (how["media"] == "image" and unnamed_dicom(str(path)))):
        name = path.stem if how.get("bare") else path.name
        return pd.DataFrame({how["column"]: [name], column: [str(path)]}, dtype=object)
    listed = [how["column"] for how in files.values()]
    formats = {".csv", ".tsv", ".xlsx", ".xls", ".parquet", ".json", ".jsonl", ".txt"} - {*MEDIA[how["media"]]}
    tables = [path] if path.is_file() else sorted(file for file in path.glob("*.*") if file.suffix.lower() in formats)
    for table in tables:
        try:
            rows = read_new_table(table, [*listed, *columns], **written)
        except ValueError:
            continue  # a note beside the files
        if listed[0] in rows:
            rows = locate_files(rows, table.parent, files)
            if table is path or rows[column].notna().any():
                return rows
    if path.is_dir() and len(files) == 1 and files_below(path, how["media"]):
        return file_rows(path, media=how["media"], column=column, name=how["column"], bare=how.get("bare", False))
    raise ValueError(f"{path.name} holds neither {how['media']} files nor a table that names some in {listed[0]!r}.")
