"""What one file of numbers holds: a curve (one or several columns in their order) or points in space."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from mlzero.semantic_memory.blocks.documents import decoded_text
from mlzero.semantic_memory.blocks.tables import unpacked_bytes

MOST_BYTES = 4_000_000  # of a file that are read
MOST_COLUMNS = 12  # of a file that are described
MOST_POINTS = 200  # between which distances are measured
MOST_SYMBOLS = 5  # between which nearest distances are measured
FEW_SYMBOLS = 12  # different ones that are counted; more are names, not kinds
QUANTILES = {"min": 0.0, "10 %": 0.1, "median": 0.5, "90 %": 0.9, "max": 1.0}
BANDS = (0.0, 1 / 16, 1 / 8, 1 / 4, 1.0)  # of the highest frequency a curve can show
PARTS = 6  # of equal length, whose means tell the form of a curve
NO_VALUE = ("", "na", "n/a", "null", "none", "-", "?")


def numbers_of_file(path: str | Path) -> dict[str, float]:
    """Summary numbers of a file, by what they are; none of a file that is empty, damaged or holds no numbers."""
    with suppress(Exception):  # every format has its own errors for damaged files
        names, values, symbols, cell = file_cells(Path(path))
        lower = [name.lower() for name in names]
        titled = {*"xyz"} <= {*lower}  # of points, or of a sensor that is read again and again
        axes = [lower.index(axis) for axis in "xyz"] if titled else [0, 1, 2]
        in_space = Path(path).suffix.lower() in (".xyz", ".pdb", ".ent") or len(cell) == 3 or are_elements(symbols)
        found = point_numbers(values[:, axes], symbols, cell) if len(names) >= 3 and (in_space or titled) else {}
        if not (found and in_space):
            return {**found, **symbol_counts(symbols), **curve_numbers(names, values)}
        others = {name: values[:, place] for place, name in enumerate(names) if place not in axes}
        found |= {f"{name} mean": float(each.mean()) for name, each in others.items()}
        return found | {f"{name} sd": float(each.std()) for name, each in others.items()}
    return {}


def file_cells(path: Path) -> tuple[list[str], np.ndarray, list[str], np.ndarray]:
    """Names of the columns, their numbers (rows × columns), a word of each row and the vectors of a lattice (3 × 3).

    Words and vectors are empty where the file has none. Lines that are not written as most of the others are left out.
    """
    names: list[str] = []
    words: list[str] = []
    cell = np.zeros((0, 3))
    if path.suffix.lower() == ".npy":
        values = np.load(path, allow_pickle=False).astype(float)
        values = values.reshape(len(values), -1) if values.ndim in (1, 2) else values.reshape(-1, 1)
    else:
        names, values, words, cell = text_cells(decoded_text(unpacked_bytes(path, MOST_BYTES), cut=True))
    if len(values) <= MOST_COLUMNS < values.shape[1]:
        names, values = [], values.T  # a curve a line
    values = np.where(np.isfinite(values), values, np.nan)[:, :MOST_COLUMNS]
    names = [name or f"column {n}" for n, name in enumerate(names or [""] * values.shape[1], 1)][: values.shape[1]]
    kept = np.isfinite(values).any(axis=0)
    means = np.nanmean(values[:, kept], axis=0)
    values = np.where(np.isnan(values[:, kept]), means, values[:, kept])
    return [names[place] for place in np.flatnonzero(kept)], values, words, cell


def text_cells(text: str) -> tuple[list[str], np.ndarray, list[str], np.ndarray]:
    """What `file_cells` tells, of the text of a file; no names where there is no line of them. Gaps are NaN."""
    lines = [line for line in text.splitlines() if line.strip()]
    if sum(line.startswith(("ATOM ", "HETATM")) for line in lines) > 1:
        lines = atom_lines(lines)
    mark, comma = separator_of(lines[-30:])
    cell, rows = lattice_of(text, [line_cells(line, mark, comma) for line in lines])
    forms = [tuple(type(each) is str for each in row) for row in rows]  # where a line has words
    often = Counter(form for form in forms if not all(form))
    form = max(often, key=lambda form: (often[form], len(form)))
    body = [row for row, its in zip(rows, forms, strict=True) if its == form]
    numeric = [place for place, word in enumerate(form) if not word]
    values = np.array([[row[place] for place in numeric] for row in body], dtype=float)
    above = rows[: rows.index(body[0])]
    header = [str(each).strip("\"' ") for each in above[-1]] if above and all_words(above[-1]) else []
    header = ["" if each == "nan" else each for each in header]
    names = [header[place] for place in numeric] if len(header) == len(form) else []
    told = [place for place, word in enumerate(form) if word]
    words = [str(row[told[-1]]).strip("\"' ") for row in body] if told else []
    return names, values, words, cell


def atom_lines(lines: Sequence[str]) -> list[str]:
    """The atoms of a protein (PDB, whose lines have fixed columns) as `element x y z`."""
    return [
        f"{line[76:78].strip() or line[12:16].strip(' 0123456789')[:1]} {line[30:38]} {line[38:46]} {line[46:54]}"
        for line in lines if line.startswith(("ATOM ", "HETATM"))
    ]  # fmt: skip


def separator_of(lines: Sequence[str]) -> tuple[str | None, bool]:
    """What stands between the cells of lines (None: blanks), and whether decimals are written with a comma."""
    text = "\n".join(lines)
    mark = next((mark for mark in "\t;" if mark in text), None)
    if mark or "," not in text:
        return mark, "." not in text and "," in text
    spaced = all(re.fullmatch(r"[-+]?\d+,\d+([eE][-+]?\d+)?|[^\s,]+", part) for part in text.split())
    blanks = spaced and "." not in text and " " in text.strip()
    return (None, True) if blanks else (",", False)


def line_cells(line: str, mark: str | None, comma: bool) -> list[float | str]:
    """The cells of a line, numbers where they are such; no value is NaN."""
    cells: list[float | str] = []
    for each in line.lstrip("#%/ ").split(mark):
        try:
            cells.append(float(each.replace(",", ".") if comma else each))
        except ValueError:
            cells.append(float("nan") if mark and each.strip().lower() in NO_VALUE else each.strip())
    return cells


def all_words(row: Sequence[float | str]) -> bool:
    """Whether no cell of a line is a number."""
    return all(isinstance(each, str) or np.isnan(each) for each in row)


def lattice_of(text: str, rows: Sequence[list[float | str]]) -> tuple[np.ndarray, list[list[float | str]]]:
    """The vectors of a crystal's lattice (3 × 3; 0 × 3 without), and the lines that do not tell them.

    They stand in lines such as `lattice_vector 1 0 0`, or in one: `Lattice="1 0 0 ..."`.
    """
    told = re.search(r'lattice\s*=\s*"([^"]+)"', text, re.I)
    numbers = told[1].split() if told else []
    if len(numbers) == 9:
        return np.array(numbers, dtype=float).reshape(3, 3), list(rows)
    vectors = [row for row in rows if len(row) == 4 and re.search("lattice|vector|cell", str(row[0]), re.I)]
    if len(vectors) != 3 or any(isinstance(each, str) for vector in vectors for each in vector[1:]):
        return np.zeros((0, 3)), list(rows)
    return np.array([vector[1:] for vector in vectors], dtype=float), [row for row in rows if row not in vectors]


def are_elements(symbols: Sequence[str]) -> bool:
    """Whether words read as symbols of chemical elements."""
    return bool(symbols) and all(re.fullmatch("[A-Z][a-z]?", symbol) for symbol in symbols)


def symbol_counts(symbols: Sequence[str]) -> dict[str, float]:
    """How often each word comes, where there are few different ones."""
    counts = Counter(symbols)
    return {f"count of {word}": float(counts[word]) for word in sorted(counts)} if len(counts) <= FEW_SYMBOLS else {}


def quantiles_of(values: np.ndarray) -> dict[str, np.ndarray]:
    """Smallest, largest and those between, of each column."""
    return dict(zip(QUANTILES, np.quantile(values, list(QUANTILES.values()), axis=0), strict=True))


def curve_numbers(names: Sequence[str], values: np.ndarray) -> dict[str, float]:
    """Level, spread, trend, form and frequencies of each column (rows × columns); a first one that only rises is the axis."""
    found: dict[str, float] = {"rows": float(len(values))}
    steps = np.diff(values[:, 0])
    has_axis = values.shape[1] > 1 and len(values) > 2 and bool((steps > 0).all() or (steps < 0).all())
    axis = values[:, 0] if has_axis else np.arange(len(values), dtype=float)
    about = {
        "mean": values.mean(axis=0), "sd": values.std(axis=0), "first": values[0], "last": values[-1],
        **quantiles_of(values),
    }  # fmt: skip
    if len(values) > 2:
        centred, level = axis - axis.mean(), values - values.mean(axis=0)
        about["slope"] = centred @ level / max(float(centred @ centred), 1e-300)
        about["place of the peak"], about["place of the low"] = axis[values.argmax(axis=0)], axis[values.argmin(axis=0)]
    if len(values) >= 2 * PARTS:
        energy = np.abs(np.fft.rfft(level, axis=0)[1:]) ** 2
        share = energy / np.maximum(energy.sum(axis=0), 1e-300)
        about["main frequency"] = (energy.argmax(axis=0) + 1) / len(values)
        for number, (low, high) in enumerate(itertools.pairwise(BANDS), 1):
            about[f"energy in band {number}"] = share[round(low * len(share)) : round(high * len(share))].sum(axis=0)
        for number, part in enumerate(np.array_split(values, PARTS), 1):
            about[f"mean of part {number}"] = part.mean(axis=0)
    for place, name in enumerate(names):
        kept = ("min", "max") if has_axis and place == 0 else about
        found |= {f"{name} {what}": float(about[what][place]) for what in kept}
    return found


def point_numbers(points: np.ndarray, symbols: Sequence[str], cell: np.ndarray) -> dict[str, float]:
    """Number, extent and distances of points (n × 3), by element where they have symbols; across the faces of a lattice."""
    found: dict[str, float] = {"points": float(len(points)), **symbol_counts(symbols)}
    found |= {f"extent in {axis}": float(size) for axis, size in zip("xyz", np.ptp(points, axis=0), strict=True)}
    found["radius"] = float(np.sqrt(((points - points.mean(axis=0)) ** 2).sum(axis=1).mean()))
    volume = abs(float(np.linalg.det(cell))) if len(cell) == 3 else 0.0
    if volume > 0:
        lengths = np.linalg.norm(cell, axis=1)
        cosines = (cell @ cell.T / np.outer(lengths, lengths))[[1, 0, 0], [2, 2, 1]]
        angles = np.degrees(np.arccos(np.clip(cosines, -1, 1)))
        found |= dict(zip(("lattice a", "lattice b", "lattice c"), map(float, lengths), strict=True))
        found |= dict(zip(("lattice alpha", "lattice beta", "lattice gamma"), map(float, angles), strict=True))
        found |= {"lattice volume": volume, "volume a point": volume / len(points)}
    if len(points) < 2:
        return found
    chosen = np.unique(np.linspace(0, len(points) - 1, MOST_POINTS).astype(int))
    apart = points[chosen][:, None] - points[chosen][None]
    if volume > 0:
        apart -= np.round(apart @ np.linalg.inv(cell)) @ cell
    distances = np.sqrt((apart**2).sum(axis=-1))
    pairs = distances[np.triu_indices(len(chosen), 1)]
    found |= {f"distance {what}": float(length) for what, length in quantiles_of(pairs).items()}
    found["distance mean"] = float(pairs.mean())
    np.fill_diagonal(distances, np.inf)
    nearest = distances.min(axis=1)
    found |= {"nearest point mean": float(nearest.mean()), "nearest point sd": float(nearest.std())}
    kinds: Any = np.array(symbols)[chosen] if len(symbols) == len(points) else np.array([])
    often = sorted(dict(Counter(kinds.tolist()).most_common(MOST_SYMBOLS))) if len(set(symbols)) <= FEW_SYMBOLS else []
    for place, other in enumerate(often):
        closest = distances[:, kinds == other].min(axis=1)
        for one in often[: place + 1]:
            mean = float(closest[kinds == one].mean())  # infinite where an atom is the only one of its kind
            found |= {f"nearest {one} {other}": mean} if np.isfinite(mean) else {}
    return found
