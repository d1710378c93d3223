"""What users of such tools reported about label images and named entities: each fault with the right value.

Masks of several forms are told apart (more in test_pairs.py and test_masks.py); sentences with tags come as CoNLL, in
other schemes, or as spans with exact keys.

Not here: instance segmentation and settings of the library that break it, since neither is offered.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from mlzero.perception.scan import profile
from mlzero.perception.task import Task
from mlzero.perception.understand import infer_task


def understood(root: Path, goal: str) -> Task:
    return infer_task(profile(root), root, goal)


def _label_image(kind: str, values: np.ndarray) -> Image.Image:
    """Classes 0, 1, 2 as grey values, as a palette, or as colours."""
    if kind == "grey":
        return Image.fromarray(values.astype(np.uint8))
    if kind == "palette":
        image = Image.fromarray(values.astype(np.uint8), mode="P")
        image.putpalette([0, 0, 0, 255, 0, 0, 0, 255, 0] + [0] * 759)
        return image
    colours = np.array([[0, 0, 0], [255, 0, 0], [0, 255, 0]], dtype=np.uint8)
    return Image.fromarray(colours[values])


@pytest.mark.parametrize("kind", ["grey", "palette", "colour"])
def test_label_images_of_every_kind(tmp_path: Path, kind: str) -> None:
    dice = np.random.default_rng(0)
    for folder in ("images", "masks"):
        (tmp_path / folder).mkdir()
    for n in range(8):
        values = np.zeros((40, 40), dtype=int)
        values[5:20, 5:20], values[25:35, 10:30] = 1, 2
        picture = dice.integers(0, 60, (40, 40, 3)) + 80 * values[..., None]
        Image.fromarray(picture.astype(np.uint8)).save(tmp_path / "images" / f"p{n}.png")
        _label_image(kind, values).save(tmp_path / "masks" / f"p{n}.png")
    task = understood(tmp_path, "Label every pixel of the pictures")
    assert task.problem_type.value == "segmentation"
    assert task.mask is not None
    assert len(task.mask.values) == 3


SENTENCES = [
    (["Ann", "Lee", "lives", "in", "Graz", "."], ["B-PER", "I-PER", "O", "O", "B-LOC", "O"]),
    (["Bob", "left", "Wels", "for", "Linz", "."], ["B-PER", "O", "B-LOC", "O", "B-LOC", "O"]),
]


def _conll(root: Path) -> None:
    lines = [f"{word} {tag}" for _ in range(10) for words, tags in SENTENCES for word, tag in [*zip(words, tags, strict=True), ("", "")]]  # fmt: skip
    (root / "train.conll").write_text("\n".join(line.strip() for line in lines) + "\n")


def _tab_separated(root: Path) -> None:
    lines = [f"{word}\t{tag}" for _ in range(10) for words, tags in SENTENCES for word, tag in [*zip(words, tags, strict=True), ("", "")]]  # fmt: skip
    (root / "train.txt").write_text("\n".join(line.strip() for line in lines) + "\n")


def _records(root: Path) -> None:
    rows = [{"id": n, "tokens": words, "tags": tags} for n, (words, tags) in enumerate(SENTENCES * 10)]
    (root / "train.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.mark.parametrize("write", [_conll, _tab_separated, _records], ids=["conll", "tabs", "records"])
def test_sentences_with_tags(tmp_path: Path, write) -> None:
    write(tmp_path)
    task = understood(tmp_path, "Find people and places in the sentences")
    assert task.problem_type.value == "ner"
