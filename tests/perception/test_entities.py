"""Sentences with tags in the forms they come in, and the task that is made of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mlzero.perception.scan import profile
from mlzero.perception.understand import infer_task
from mlzero.semantic_memory.blocks.sentences import read_sentences

SENTENCES = [
    (["Anna", "lives", "in", "Graz", "."], ["B-PER", "O", "O", "B-LOC", "O"]),
    (["New", "York", "is", "big", "!"], ["B-LOC", "I-LOC", "O", "O", "O"]),
    (["Nothing", "here", ",", "really", "."], ["O", "O", "O", "O", "O"]),
] * 5
WORDS = [" ".join(words) for words, _ in SENTENCES]
TAGS = [" ".join(tags) for _, tags in SENTENCES]


def _lines(separator: str, head: str = "", middle: str = "", tagged: bool = True) -> str:
    blocks = [
        "\n".join(separator.join([w, *([middle] if middle else []), *([t] if tagged else [])]) for w, t in zip(*s, strict=True))
        for s in SENTENCES
    ]  # fmt: skip
    return head + "\n\n".join(blocks) + "\n"


def _words(mark: str = ",") -> str:
    lines = [mark.join(["Sentence #", "Word", "POS", "Tag"])]
    for i, (words, tags) in enumerate(SENTENCES):
        lines += [
            mark.join([f"Sentence: {i + 1}" if j == 0 else "", f'"{w}"' if w == "," else w, "X", t])
            for j, (w, t) in enumerate(zip(words, tags, strict=True))
        ]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.conll", _lines("\t")),
        ("a.txt", _lines(" ")),
        ("a.conll", _lines(" ", head="-DOCSTART- -X- -X- O\n\n", middle="NN I-NP")),
        ("a.iob", _lines("\t", head="# id = 1\n").replace("\n", "\r\n")),
        ("a.csv", _words()),
        ("a.tsv", _words("\t").replace('","', ",")),
        ("a.jsonl", "\n".join(json.dumps({"id": i, "tokens": w, "ner_tags": t}) for i, (w, t) in enumerate(SENTENCES))),
        ("a.json", json.dumps([{"words": w, "labels": t} for w, t in SENTENCES])),
        ("a.csv", "sentence,tags\n" + "\n".join(f'"{w}",{t}' for w, t in zip(WORDS, TAGS, strict=True))),
    ],
)
def test_reads_the_usual_forms(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    frame = read_sentences(tmp_path / name)
    assert frame["tokens"].tolist() == WORDS
    assert frame["tags"].tolist() == TAGS
    found = profile(tmp_path)
    assert [(table.key, table.rows, table.column("tags").kind) for table in found.tables] == [(name, 15, "tags")]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("b.jsonl", "\n".join(json.dumps({"id": i, "tokens": words}) for i, (words, _) in enumerate(SENTENCES))),
        ("b.conll", _lines("\t", tagged=False)),
        ("b.csv", "id,tokens\n" + "\n".join(f'{i},"{words}"' for i, words in enumerate(WORDS))),
        ("b.csv", "id,text\n" + "\n".join(f'{i},"{words}"' for i, words in enumerate(WORDS))),
    ],
)
def test_reads_sentences_without_tags(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert read_sentences(tmp_path / name)["tokens"].tolist() == WORDS


def test_splits_running_text(tmp_path: Path) -> None:
    (tmp_path / "b.csv").write_text('text\n"Anna lives in Graz, not in Linz."\n"@bob said: no!"\n', encoding="utf-8")
    assert read_sentences(tmp_path / "b.csv")["tokens"].tolist() == [
        "Anna lives in Graz , not in Linz .", "@bob said : no !"
    ]  # fmt: skip


def test_task_learns_from_all_tagged_files(tmp_path: Path) -> None:
    (tmp_path / "train.conll").write_text(_lines("\t"), encoding="utf-8")
    (tmp_path / "dev.conll").write_text(_lines("\t"), encoding="utf-8")
    lines = [json.dumps({"id": f"s{i}", "tokens": words}) for i, (words, _) in enumerate(SENTENCES)]
    (tmp_path / "new.jsonl").write_text("\n".join(lines), encoding="utf-8")
    found = profile(tmp_path)
    task = infer_task(found, tmp_path, "Mark people and places in new.jsonl: csv with id and tags, F1 counts")
    assert task.problem_type.value == "ner"
    assert [source.table for source in task.train] == ["dev.conll", "train.conll"]
    assert [source.table for source in task.test] == ["new.jsonl"]
    assert (task.metric.value, task.id.value) == ("entity_f1", "id")
    assert task.output.value.columns == ["id", "tags"]
    assert set(task.labels) == {"O", "B-PER", "B-LOC", "I-LOC"}


def test_leaves_other_uploads_alone(tmp_path: Path) -> None:
    rows = "\n".join(f"{i},{'yes' if i % 2 else 'no'},{i * 3}" for i in range(30))
    (tmp_path / "train.csv").write_text(f"id,label,word\n{rows}\n", encoding="utf-8")
    (tmp_path / "README.txt").write_text("O what a day\n\nThe column label is asked for.\n", encoding="utf-8")
    found = profile(tmp_path)
    assert [table.read.format for table in found.tables] == ["delimited"]
    assert infer_task(found, tmp_path, "predict label").problem_type.value == "binary"
