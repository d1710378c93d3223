from __future__ import annotations

from pathlib import Path

import pytest

from mlzero.ui.previews import head, separator_of


@pytest.mark.parametrize(
    ("name", "content", "rows"),
    [
        ("a.csv", "id,y\n1,yes\n2,no\n", [{"id": "1", "y": "yes"}, {"id": "2", "y": "no"}]),
        ("a.csv", '\ufeffid,y\n007,"a\nb"\n', [{"id": "007", "y": "a\nb"}]),
        ("a.tsv", "id\ty\n1\tx,y\n", [{"id": "1", "y": "x,y"}]),
        ("a.jsonl", '{"id": 1, "y": [1]}\n\n{"id": 2, "y": null}\n', [{"id": "1", "y": "[1]"}, {"id": "2", "y": ""}]),
        ("a.json", '[{"id": "é"}]', [{"id": "é"}]),
        ("a.csv", "id,p,q\n0012345,0.8304720520973206,9.1e-06\n", [{"id": "0012345", "p": "0.8305", "q": "less than 0.0001"}]),
        ("a.jsonl", '{"p": 1523.4567891, "q": "v1.234567"}\n', [{"p": "1523.46", "q": "v1.234567"}]),
        ("a.json", "[1, 2]", [{"value": "1"}, {"value": "2"}]),
    ],
)  # fmt: skip
def test_first_rows_of_each_format(tmp_path: Path, name: str, content: str, rows: list[dict[str, str]]) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    found = head(tmp_path / name)
    assert found is not None and found.rows == rows and found.note == f"All rows: {len(rows)}."


def test_semicolons_part_columns_where_the_answers_are_written_so(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("\ufeffKunde;Risiko\n7;0,25\n", encoding="utf-8")
    found = head(tmp_path / "a.csv", separator=separator_of({"dialect": {"separator": ";"}}))
    assert found is not None and found.rows == [{"Kunde": "7", "Risiko": "0,25"}]
    assert separator_of({"dialect": None}) == separator_of({}) == ","


def test_says_when_there_is_more(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x\n" + "1\n" * 50)
    found = head(tmp_path / "a.csv", 5)
    assert found is not None and len(found.rows) == 5 and "more" in found.note


@pytest.mark.parametrize(
    ("name", "content"), [("a.parquet", b"PAR1"), ("a.csv", b"\xff\xfe\x00"), ("a.json", b"{"), ("gone.csv", None)]
)
def test_no_preview_of_what_cannot_be_read(tmp_path: Path, name: str, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    assert head(tmp_path / name) is None
