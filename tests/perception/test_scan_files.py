"""Kinds of files, documents, and files that cannot be read."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pandas as pd
import pytest

from mlzero.perception.scan import profile
from mlzero.perception.tables import load_table


def test_kinds_and_documents(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.csv").write_text("x,y\n1,2\n3,4\n")
    (tmp_path / "data" / ".DS_Store").write_bytes(b"\0")
    (tmp_path / "one.jpg").write_bytes(b"\xff\xd8\xff")
    (tmp_path / "one.wav").write_bytes(b"RIFF")
    (tmp_path / "more.zip").write_bytes(b"PK")
    (tmp_path / "model.bin").write_bytes(b"\0\1")
    (tmp_path / "README").write_text(
        "What this is.\n\nOne row, one house, and a price, of course.\nAsk Ann, Bob, or Cy.\n"
    )
    (tmp_path / "page.html").write_text("<html><script>x()</script><h1>Goal</h1><p>Predict &amp; win</p></html>")
    (tmp_path / "labels.xml").write_text("<labels><label name='a'/></labels>")
    (tmp_path / "tags.conll").write_text("Ann\tB-PER\nruns\tO\n\nBob\tB-PER\n")
    with zipfile.ZipFile(tmp_path / "task.docx", "w") as archive:
        archive.writestr("word/document.xml", "<w:p><w:t>Predict the price.</w:t></w:p>")
    found = profile(tmp_path)
    assert {file.path: file.kind for file in found.files} == {
        "README": "document",
        "data/a.csv": "table",
        "labels.xml": "document",
        "model.bin": "other",
        "more.zip": "archive",
        "one.jpg": "image",
        "one.wav": "audio",
        "page.html": "document",
        "tags.conll": "table",
        "task.docx": "document",
    }
    texts = {document.path: document.text.strip() for document in found.documents}
    assert texts["task.docx"] == "Predict the price."
    assert "Predict & win" in texts["page.html"] and "x()" not in texts["page.html"]
    assert {table.key for table in found.tables} == {"data/a.csv", "tags.conll"}


def test_one_file_is_a_folder_of_one(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x,y\n1,2\n3,4\n")
    (tmp_path / "b.csv").write_text("x,y\n1,2\n3,4\n")
    found = profile(tmp_path / "a.csv")
    assert [table.key for table in found.tables] == ["a.csv"]
    assert load_table(Path(found.root), found.tables[0]).shape == (2, 2)


def test_many_texts_are_no_descriptions(tmp_path: Path) -> None:
    for i in range(40):
        (tmp_path / f"review{i}.txt").write_text("Great;film\nloved;it\nagain;soon\nand;so on\n")
    (tmp_path / "readme.md").write_text("Reviews, one a file.")
    found = profile(tmp_path)
    assert not found.tables
    assert [document.path for document in found.documents] == ["readme.md"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", b""),
        ("a.csv", b"\x00\x01\x02\x03" * 500),
        ("a.csv", b"\n\n\n"),
        ("a.csv", b"only a name\n"),
        ("a.csv", b"a,b\n"),
        ("a.csv", b'a,b\n1,"never closed\n2,3\n'),
        ("a.csv", b"a,b\n1,2,3,4\n5\n,,,,,\n"),
        ("a.xlsx", b"PK\x03\x04 no workbook"),
        ("a.xls", b"\xd0\xcf\x11\xe0 broken"),
        ("a.parquet", b"PAR1 broken"),
        ("a.json", b'{"a": [1, 2'),
        ("a.json", b"[]"),
        ("a.json", b'{"name": "x", "version": 2}'),
        ("a.json", b"\xff\xfe"),
        ("a.jsonl", b'{"a": 1}\n{"a": \n'),
        ("a.arff", b"@relation x\n@data\n1,2\n"),
        ("a.pdf", b"%PDF-1.4 broken"),
        ("a.docx", b"PK broken"),
        ("a.csv.gz", b"\x1f\x8b\x08 broken"),
        ("a.txt", b""),
        ("a", b"\x00\xff\x00"),
        ("a.tsv", "ä;ö\n".encode("utf-16-le")),
    ],
)
def test_no_file_stops_the_scan(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    (tmp_path / "good.csv").write_text("x,y\n1,2\n3,4\n")
    found = profile(tmp_path)
    assert "good.csv" in [table.key for table in found.tables]
    for table in found.tables:
        assert len(load_table(tmp_path, table)) == table.rows
    for file in found.problems:
        assert file.problem and file.problem.endswith(".") and "\n" not in file.problem


def test_a_large_table_is_described_by_a_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pd.DataFrame(
        {
            "id": range(50_000),
            "code": [f"{i % 50:04d}" for i in range(50_000)],
            "target": [i % 2 for i in range(50_000)],
        }
    )
    frame["target"] = frame["target"].astype("Int64").mask(frame["id"] >= 49_000)
    frame["note"] = 'say "hi", twice'
    frame.to_csv(tmp_path / "a.csv", index=False)
    whole = profile(tmp_path).tables[0]
    monkeypatch.setattr("mlzero.perception.sample.LARGE_BYTES", 1000)
    monkeypatch.setattr("mlzero.perception.sample.SAMPLE_ROWS", 1000)
    large = profile(tmp_path).tables[0]
    assert large.rows == whole.rows == 50_000
    assert large.column("target").missing == 1000
    assert [column.kind for column in large.columns] == [column.kind for column in whole.columns]
    assert large.read.text_columns == ["code"]
    assert any("large" in note for note in large.notes)
    assert load_table(tmp_path, large).equals(load_table(tmp_path, whole))
