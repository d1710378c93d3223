"""Folders of files of numbers that belong to the rows of a table: found by their names before anything is read whole."""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from mlzero.perception import vocabulary
from mlzero.perception.kinds.folders import says
from mlzero.perception.kinds.media import PROBED
from mlzero.perception.paths import folder_of, name_of, stem_of
from mlzero.semantic_memory.blocks.documents import decoded_text
from mlzero.semantic_memory.blocks.file_numbers import file_cells
from mlzero.semantic_memory.blocks.number_files import file_key
from mlzero.semantic_memory.blocks.shaping import plain_text
from mlzero.semantic_memory.blocks.tables import unpacked_bytes

if TYPE_CHECKING:
    import pandas as pd

ENDINGS = (".csv", ".tsv", ".txt", ".dat", ".asc", ".xyz", ".xy", ".pdb", ".ent", ".npy", ".prn", ".log")
FEWEST = 8  # files of a set
NAMED = 0.8  # share of the rows that have a file
NAMED_WHOLE = 0.3  # the same where cells hold the endings of the files
_LISTINGS = 12  # tables that are looked at for names of files
_TRIED = 5  # files of a set that are read to see what they hold
_DAY = re.compile(r"\b(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})\b(?![T ]\d)")


@dataclass(frozen=True)
class NumberSet:
    """Files that only differ in what stands for `{}` in their place, such as `train/{}/geometry.xyz`."""

    place: str
    paths: tuple[str, ...]

    @property
    def folder(self) -> str:
        return folder_of(self.place.partition("{}")[0])

    @property
    def name(self) -> str:
        """Of the file, where each row has a folder; else empty."""
        return name_of(self.place) if "{}/" in self.place else ""

    @property
    def about(self) -> tuple[str, ...]:
        """What tells it from other sets of the same rows: its words but those for training and test, and its ending."""
        words = re.findall(r"[^\W\d_]+", self.folder)
        own = [w for w in words if not says(w, vocabulary.TRAIN_NAMES) and not says(w, vocabulary.TEST_NAMES)]
        return (*own, self.place.partition("{}")[2])

    @cached_property
    def keys(self) -> set[str]:
        rest = self.place.partition("{}")[2]
        return {file_key(path.removesuffix(rest) if "/" in rest else name_of(path), self.place) for path in self.paths}


def sets_of(paths: Sequence[str]) -> list[NumberSet]:
    """The sets that files of numbers make, by their paths."""
    paths = [path for path in paths if ending_in(path)]
    alike = Counter((folder_of(folder_of(path)), name_of(path)) for path in paths if folder_of(path))
    by_place: dict[str, list[str]] = defaultdict(list)
    flat: dict[tuple[str, str], list[str]] = defaultdict(list)
    for path in paths:
        above, name = folder_of(folder_of(path)), name_of(path)
        if folder_of(path) and alike[above, name] >= FEWEST:
            by_place[f"{above}/{{}}/{name}".lstrip("/")].append(path)
        else:
            flat[folder_of(path), ending_in(name)].append(path)
    for (folder, ending), files in flat.items():
        shapes: dict[str, list[str]] = defaultdict(list)  # scan_1.csv and scan_2.csv; names without numbers together
        for path in files:
            shapes[re.sub(r"\d+", "#", name_of(path))].append(path)
        rest = [path for same in shapes.values() if len(same) < FEWEST for path in same]
        for shape, same in shapes.items():
            start = shape.partition("#")[0] if "#" in shape else ""
            if len(same) >= FEWEST:
                by_place[f"{folder}/{start}{{}}{ending}".lstrip("/")] += same
        if len(rest) >= FEWEST:
            by_place[f"{folder}/{{}}{ending}".lstrip("/")] += rest
    return [NumberSet(place, tuple(same)) for place, same in by_place.items() if len(same) >= FEWEST]


def ending_in(name: str) -> str:
    """The ending of a file of numbers as its name writes it, such as `.csv.gz`; empty for other files."""
    plain = name.lower().removesuffix(".gz")
    return next((name[len(plain) - len(end) :] for end in ENDINGS if plain.endswith(end)), "")


def belonging(root: Path, paths: Sequence[str], media: Sequence[str]) -> set[str]:
    """Those of the files that hold numbers for the rows of a table that is among the files.

    Parameters
    ----------
    media
        Pictures and recordings of the upload: files called as they are tell about them.
    """
    shown = {stem_of(path).lower() for path in media}
    sets = [
        each for each in sets_of(paths) if 2 * sum(stem_of(p).lower() in shown for p in each.paths) < len(each.paths)
    ]
    if not sets:
        return set()
    within = {path for each in sets for path in each.paths}
    others = sorted((path for path in paths if path not in within), key=lambda path: path.count("/"))
    frames = [frame for path in others[:_LISTINGS] for frame in _first_rows(root / path)]
    named = {each.about for each in sets if any(columns_naming(frame, each) for frame in frames)}
    alike = [each for each in sets if each.about in named]  # also those to predict that no table lists
    return {path for each in alike if _hold_numbers(root, each.paths) for path in each.paths}


def columns_naming(frame: pd.DataFrame, files: NumberSet) -> list[tuple[float, str]]:
    """The columns each of whose cells names a file of its own, with the share of those that are there, the best first."""
    found, keys, ending = [], files.keys, name_of(files.place).partition("{}")[2].lower()
    for column in frame:
        cells = plain_text(frame[column]).dropna()
        if len(cells) < FEWEST or cells.nunique() < 0.98 * len(cells):
            continue
        whole = bool(ending) and float(cells.str.lower().str.strip().str.endswith(ending).mean()) > 0.5
        share = float(cells.map(lambda cell: file_key(cell, files.place) in keys).mean())
        if share >= (NAMED_WHOLE if whole else NAMED):
            found.append((share + whole, str(column)))
    return sorted(found, key=lambda pair: -pair[0])


def _first_rows(path: Path) -> list[pd.DataFrame]:
    """The beginning of the tables of a file; none of one that cannot be read, for whoever reads it says so."""
    from mlzero.perception.readers import reader_for
    from mlzero.semantic_memory import blocks

    reader = reader_for(path)
    frames: list[pd.DataFrame] = []
    if reader is not None and reader.formats[0] in ("delimited", "excel") and os.path.getsize(path):
        with suppress(Exception):
            for found in reader.find(path):
                read = blocks.function(reader.block)
                frames.append(read(path, **reader.arguments(found.plan), nrows=PROBED))
    return frames


def _hold_numbers(root: Path, paths: Sequence[str]) -> bool:
    """Whether most of a few of the files hold rows of numbers, and not those of days: these are series."""
    filled = [path for path in paths if (root / path).stat().st_size]
    tried = filled[:: max(1, len(filled) // _TRIED)][:_TRIED]
    return bool(tried) and sum(holds_numbers(root / path) for path in tried) > 0.5 * len(tried)


def holds_numbers(path: Path) -> bool:
    try:
        names, values, _, _ = file_cells(path)
    except Exception:  # whatever a library says about a broken file, the others decide
        return False
    if path.suffix.lower() == ".npy":
        return len(values) > 0
    lines = [line for line in decoded_text(unpacked_bytes(path, 100_000), cut=True).splitlines() if line.strip()]
    dated = sum(bool(_DAY.search(line)) for line in lines)
    return len(names) > 0 and len(values) >= 0.5 * len(lines) and dated < 0.5 * len(lines)
