"""What users of such tools reported about label images and named entities: each fault with the right value.

Masks of several forms are told apart (more in test_label_images.py); sentences with tags come as CoNLL, with tabs, as
records, or as spans with keys of many names (more in test_entities.py).

Not here: instance segmentation and settings of the library that break it, since neither is offered.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from mlzero.iterative_coding.contract import Machine
from mlzero.perception.scan import profile
from mlzero.perception.tables import load_table
from mlzero.perception.task import Task
from mlzero.perception.understand import infer_task
from mlzero.semantic_memory.blocks.spans import tagged_texts
from mlzero.semantic_memory.recall import recall
from tests.rendered import module_of


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
    assert set(task.labels) == {"O", "B-PER", "I-PER", "B-LOC"}
    assert [source.table for source in task.train] == [path.name for path in tmp_path.iterdir()]


TEXTS = ["Ann Lee lives in Graz.", "Bob left Wels for Linz."]
PLACES = [[(0, 7, "PER"), (17, 21, "LOC")], [(0, 3, "PER"), (9, 13, "LOC"), (18, 22, "LOC")]]


def _spans(start: str, end: str, kind: str) -> list[list[dict[str, int | str]]]:
    return [[{start: first, end: last, kind: name} for first, last, name in spans] for spans in PLACES]


def _span_records(root: Path) -> None:
    rows = [
        {"text": text, "entities": spans} for text, spans in zip(TEXTS, _spans("start", "end", "label"), strict=True)
    ]
    (root / "train.json").write_text(json.dumps(rows * 10))


def _span_lists(root: Path) -> None:
    rows = [{"id": n, "text": text, "label": spans} for n, (text, spans) in enumerate([*zip(TEXTS, PLACES, strict=True)] * 10)]  # fmt: skip
    (root / "train.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def _span_cells(root: Path) -> None:
    spans = map(json.dumps, _spans("start", "end", "entity_group"))
    pd.DataFrame({"text_snippet": TEXTS, "entity_annotations": spans}).loc[[0, 1] * 10].to_csv(
        root / "train.csv", index=False
    )


def _span_rows(root: Path) -> None:
    rows = [(f"{n}. {text}", first + len(f"{n}. "), last + len(f"{n}. "), name)
            for n in range(10) for text, spans in zip(TEXTS, PLACES, strict=True) for first, last, name in spans]  # fmt: skip
    pd.DataFrame(rows, columns=["sentence", "begin", "end", "type"]).to_csv(root / "train.csv", index=False)


@pytest.mark.parametrize("write", [_span_records, _span_lists, _span_cells, _span_rows])
def test_spans_of_every_form(tmp_path: Path, write) -> None:
    write(tmp_path)
    data = profile(tmp_path)
    task = infer_task(data, tmp_path, "Find people and places in the sentences")
    assert task.problem_type.value == "ner"
    assert set(task.labels) == {"O", "B-PER", "I-PER", "B-LOC"}
    frame = load_table(tmp_path, data.tables[0])
    assert len(frame) == 20
    skipped = 2 if write is _span_rows else 0  # the number of the sentence and its full stop
    for number in (0, 1):
        words, tags = SENTENCES[number]
        assert frame["tokens"][number].split()[skipped:] == words
        assert frame["tags"][number].split()[skipped:] == tags


def test_the_solution_reads_spans_now_and_sentences_later(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    _span_cells(tmp_path / "data")
    data = profile(tmp_path / "data")
    task = infer_task(data, tmp_path / "data", "Find people and places in the sentences")
    recipe = recall(task, data).recipes[0]
    source = recipe.render(task, data, recipe.ladder(task, data, Machine(2, 8.0), 60.0)[0])
    solution = module_of(source, tmp_path)
    train = solution.load_train(tmp_path / "data")
    assert train["tags"][0].split() == SENTENCES[0][1]
    (tmp_path / "later.csv").write_text("text_snippet\nEva likes Rome.\nTom stays at home.\n")
    assert solution.load_new(tmp_path / "later.csv", tmp_path)["tokens"].tolist() == [
        "Eva likes Rome .",
        "Tom stays at home .",
    ]


@pytest.mark.parametrize(
    ("spans", "tags"),
    [
        ([(0, 8, "PER"), (16, 21, "LOC")], ["B-PER", "I-PER", "O", "O", "B-LOC", "O"]),
        ([(0, 6, "PER"), (17, 20, "LOC")], ["B-PER", "I-PER", "O", "O", "B-LOC", "O"]),
        ([(7, 8, "PER"), (17, 21, "big city")], ["O", "O", "O", "O", "B-big_city", "O"]),
        ([(0, 7, "PER"), (4, 7, "NAME")], ["B-PER", "I-PER", "O", "O", "O", "O"]),
    ],
    ids=["blanks at its edges", "the last sign counts", "nothing but a blank", "two that overlap"],
)
def test_places_that_are_not_exact(spans: list[tuple[int, int, str]], tags: list[str]) -> None:
    frame = tagged_texts(pd.DataFrame(index=[0]), TEXTS[:1], [spans])
    assert frame["tokens"][0] == "Ann Lee lives in Graz ."
    assert frame["tags"][0].split() == tags


def test_beginning_and_end_of_something_else_are_no_entities(tmp_path: Path) -> None:
    rows = [("A bridge over the river", 1990 + n, 1995 + n, ["bridge", "road"][n % 2], n % 7) for n in range(40)]
    pd.DataFrame(rows, columns=["note", "start", "end", "type", "cost"]).to_csv(tmp_path / "works.csv", index=False)
    assert understood(tmp_path, "Predict type").target.value == "type"
