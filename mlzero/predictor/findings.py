"""What the harness left about the best attempt, made ready for the report: figures, pictures, sentences, tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from mlzero.iterative_coding.evaluators import read, rounded
from mlzero.predictor import drawing

HEAT = 5  # shades of a confusion matrix
BARS = 20
EXAMPLES = 8
SERIES = 4
PICTURES, LARGEST = 6, 2_000_000  # examples with pictures, and characters they may take together
PICTURE = re.compile(r"data:image/(?:png|jpeg);base64,[A-Za-z0-9+/]+=*")
PARTS = (("image", "given"), ("true", "real"), ("predicted", "predicted"))


def figures(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Title, picture as SVG, and what it shows."""
    for one in read(folder, "forecast").get("series", [])[:SERIES]:
        words = "The end of the series was kept back; the model knew only its history."
        yield f"{one['name']}: forecast and real", drawing.forecast(one), words
    if len((ahead := read(folder, "steps")).get("step", [])) > 1:
        words = "How far the forecasts are off, by how many steps they look ahead."
        yield "Error by steps ahead", drawing.errors(ahead["step"], ahead["error"]), words
    for target, values in list(read(folder, "predicted_against_true").get("targets", {}).items())[:4]:
        svg = drawing.scatter(values["true"], values["predicted"], target)
        yield f"{target}: predicted and true", svg, "Rows the model never saw; on the dashed line an answer is exact."
    columns = [c for c in read(folder, "importance").get("columns", []) if c["loss"] > 0]
    if columns:
        total = sum(c["loss"] for c in columns)
        shares = [(c["column"], c["loss"] / total) for c in columns[:BARS]]
        words = "What the score loses when the column is shuffled, as a share of what all columns lose together."
        yield "What matters most", drawing.bars(shares, "Share of what is lost"), words
    yield from _by_label(folder)


def _by_label(folder: Path) -> Iterator[tuple[str, str, str]]:
    """A bar for each label, type, class or place."""
    if labels := sorted(read(folder, "label_scores").get("labels", []), key=lambda label: -label["real"]):
        shares = [(label["name"], label["right"] / max(1, label["real"])) for label in labels[:BARS]]
        words = "Of the rows that carry a label, the share that was found."
        yield "Which labels are found", drawing.bars(shares, "Share found"), words
    if types := read(folder, "entities").get("types"):
        shares = [(t["name"], 2 * t["right"] / max(1, t["real"] + t["said"])) for t in types[:BARS]]
        words = "F1 by type: 100% when all that is there is found, and nothing else."
        yield "Which types are found", drawing.bars(shares, "F1"), words
    for name, key, title, words in (
        ("masks", "iou", "Overlap by class", "Pixels that are rightly of a class, as a share of all that are or should be."),
        ("boxes", "precision", "Precision by class", "Average precision of a class, with boxes that overlap at least by half."),
    ):  # fmt: skip
        known = [c for c in read(folder, name).get("classes", []) if c[key] is not None]
        if known:
            yield title, drawing.bars([(str(c["name"]), c[key]) for c in known[:BARS]], title), words
    if first := read(folder, "ranked").get("first"):
        places = [*(f"place {i}" for i in range(1, len(first))), "none of these"]
        shares = [(place, count / max(1, sum(first))) for place, count in zip(places, first, strict=True)]
        words = "Where in its list a query has its first right document: the share of the queries."
        yield "First right document", drawing.bars(shares, "Share of queries"), words


def confusion(folder: Path) -> dict[str, Any] | None:
    """The confusion matrix with a shade for each cell, by its share of the row."""
    data = read(folder, "confusion_matrix")
    if not data:
        return None
    rows = []
    for label, counts in zip(data["labels"], data["matrix"], strict=True):
        total = sum(counts)
        rows.append((label, [(count, round(HEAT * count / total) if total else 0) for count in counts], total))
    return {"labels": data["labels"], "rows": rows}


def pictures(folder: Path) -> list[tuple[str, list[tuple[str, str]]]]:
    """Examples from the best to the worst: name, and captions with pictures as data addresses."""
    found: list[tuple[str, list[tuple[str, str]]]] = []
    size = 0
    for name in ("masks", "boxes", "restored"):
        for example in read(folder, name).get("examples", []):
            parts = [(words, example[key]) for key, words in PARTS if PICTURE.fullmatch(example.get(key, ""))]
            size += sum(len(data) for _, data in parts)
            if parts and size <= LARGEST and len(found) < PICTURES:
                found.append((str(example["name"]), parts))
    return found


def sentences(folder: Path) -> list[list[dict[str, str]]]:
    """The sentences with most mistakes, in pieces with `text`, `state` and `kind`."""
    found: list[list[dict[str, str]]] = read(folder, "sentences").get("sentences", [])
    return found[:EXAMPLES]


def queries(folder: Path) -> list[dict[str, Any]]:
    """Queries from the best to the worst: `query`, `score`, `documents` (`name`, `right`) and `missed`."""
    found: list[dict[str, Any]] = read(folder, "ranked").get("queries", [])
    return found


def worst(folder: Path, columns: Sequence[str]) -> dict[str, Any] | None:
    """The largest misses, with the first few columns the model sees."""
    found = read(folder, "worst_examples")
    examples = found.get("examples", [])[:EXAMPLES]
    if not examples:
        return None
    names = [name for name in columns if name in examples[0]["values"]][:5]
    rows = []
    for example in examples:
        chance = f" (probability of {found['chance_of']}: {example['chance']:.2f})" if "chance" in example else ""
        cells = [_short(rounded(example["values"].get(name, ""))) for name in names]
        rows.append((example["true"], rounded(example["predicted"]) + chance, cells))
    return {"columns": names, "rows": rows}


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59]}…"
