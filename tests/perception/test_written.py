"""Documents as rows: in folders of classes, or named by a table; a few are descriptions."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest

from mlzero.iterative_coding.contract import Machine
from mlzero.perception.scan import profile
from mlzero.perception.task import Task
from mlzero.perception.understand import infer_task
from mlzero.semantic_memory.blocks.documents import document_text
from mlzero.semantic_memory.blocks.encode_documents import document_vectors
from mlzero.semantic_memory.recall import recall
from tests.perception.real_files import pdf
from tests.uploads.files import scanned

WORDS = {"invoice": "please pay the amount due by bank transfer", "letter": "dear aunt we hope you are well and warm"}


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".pdf":
        path.write_bytes(pdf(text))
    elif path.suffix == ".docx":
        with zipfile.ZipFile(path, "w") as packed:
            packed.writestr("word/document.xml", f"<w:p><w:t>{text}</w:t></w:p>")
    else:
        path.write_text(text)


def understood(root: Path, goal: str) -> Task:
    found = profile(root)
    task = infer_task(found, root, goal)
    recipe = recall(task, found).recipes[0]
    source = recipe.render(task, found, recipe.ladder(task, found, Machine(2, 8.0), 60)[0])
    assert "document_vectors(" in source
    compile(source, "solution.py", "exec")
    return task


@pytest.mark.parametrize("ending", ["pdf", "docx"])
def test_folders_of_classes(tmp_path: Path, ending: str) -> None:
    for kind, text in WORDS.items():
        for n in range(8):
            write(tmp_path / "sorted" / kind / f"{n}.{ending}", f"{text} {n}")
    for n in range(4):
        write(tmp_path / "new" / f"{n}.{ending}", "please pay")
    task = understood(tmp_path, "Sort the new documents: invoice or letter?")
    assert task.target.value == "label" and set(task.labels) == set(WORDS)
    assert task.modality.value == "document" and task.test[0].table == "new/"


@pytest.mark.parametrize("ending", ["pdf", "docx"])
def test_named_by_a_table(tmp_path: Path, ending: str) -> None:
    lines = ["paper,kind"]
    for n in range(24):
        kind = list(WORDS)[n % 2]
        write(tmp_path / "papers" / f"p{n}.{ending}", f"{WORDS[kind]} {n}")
        lines.append(f"p{n}.{ending},{kind}")
    (tmp_path / "kinds.csv").write_text("\n".join(lines))
    task = understood(tmp_path, "Find the kind of a paper")
    assert task.target.value == "kind" and [f.treat_as for f in task.used_features] == ["document"]


def test_a_few_documents_describe(tmp_path: Path) -> None:
    write(tmp_path / "task.pdf", "Predict the price.")
    (tmp_path / "a.csv").write_text("size,price\n" + "".join(f"{n},{n * 2.5}\n" for n in range(30)))
    found = profile(tmp_path)
    assert [document.path for document in found.documents] == ["task.pdf"]
    assert [table.key for table in found.tables] == ["a.csv"]


def test_vectors_and_texts(tmp_path: Path) -> None:
    write(tmp_path / "a.pdf", "Pay now")
    write(tmp_path / "b.rtf", r"{\rtf1 Pay \b now\b0 }")
    (tmp_path / "c.pdf").write_bytes(b"%PDF broken")
    assert document_text(tmp_path / "a.pdf").strip() == "Pay now"
    assert document_text(tmp_path / "b.rtf").split() == ["Pay", "now"]
    first, second, broken = document_vectors([tmp_path / "a.pdf", tmp_path / "b.rtf", tmp_path / "c.pdf"])
    np.testing.assert_allclose(first, second)
    assert np.isnan(broken).all()


def test_a_scanned_page_is_read_where_something_reads_pictures(tmp_path: Path) -> None:
    pytest.importorskip("rapidocr", reason="RapidOCR is optional")
    scanned("dear aunt we hope you are well", tmp_path / "a.pdf")
    assert "hope you are" in document_text(tmp_path / "a.pdf")
