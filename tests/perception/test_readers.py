"""Formats of other programs: each table is found, read with the right types, and read again the same."""

from __future__ import annotations

import gzip
import json
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat
import pytest
import zstandard

from mlzero.perception.profile import Profile
from mlzero.perception.scan import profile
from mlzero.perception.tables import load_table

ROWS = pd.DataFrame(
    {
        "code": ["007", "010", "034", "101", "512"],
        "size": [1.5, 2.0, np.nan, 4.25, 3.0],
        "count": [1, 2, 3, 4, 5],
        "kind": ["a", "b", "a", "b", "c"],
    }
)


def _page(rows: pd.DataFrame) -> str:
    return f"<html><body><p>Stock</p>{rows.to_html(index=False, na_rep='')}</body></html>"


def _sheet_of_opendocument(path: Path) -> None:
    def cell(value: object) -> str:
        if isinstance(value, str):
            return f'<table:table-cell office:value-type="string"><text:p>{value}</text:p></table:table-cell>'
        if value != value:
            return "<table:table-cell/>"
        return f'<table:table-cell office:value-type="float" office:value="{value}"><text:p>{value}</text:p></table:table-cell>'

    lines = [list(ROWS.columns), *ROWS.to_numpy().tolist()]
    body = "".join(f"<table:table-row>{''.join(map(cell, line))}</table:table-row>" for line in lines)
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
    )
    content = f'<?xml version="1.0"?><office:document-content {spaces}><office:body><office:spreadsheet><table:table table:name="Stock">{body}</table:table></office:spreadsheet></office:body></office:document-content>'
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        packed.writestr("content.xml", content)
        packed.writestr("META-INF/manifest.xml", '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>')  # fmt: skip


def _database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        ROWS.to_sql("stock", database, index=False)


def _xml(path: Path) -> None:
    ROWS.to_xml(path, index=False, root_name="stock", row_name="item")


WRITERS: dict[str, Callable[[Path], object]] = {
    "a.sav": lambda path: pyreadstat.write_sav(ROWS, str(path)),
    "a.zsav": lambda path: pyreadstat.write_sav(ROWS, str(path), compress=True),
    "a.dta": lambda path: pyreadstat.write_dta(ROWS, str(path)),
    "a.xpt": lambda path: pyreadstat.write_xport(ROWS, str(path)),
    "a.orc": lambda path: ROWS.to_orc(path),
    "a.db": _database,
    "a.sqlite": _database,
    "a.html": lambda path: path.write_text(_page(ROWS)),
    "a.xml": _xml,
    "a.ods": _sheet_of_opendocument,
    "saved as a page.xls": lambda path: path.write_text(_page(ROWS)),
    "saved as text.xls": lambda path: ROWS.to_csv(path, sep="\t", index=False),
    "a.csv.zst": lambda path: path.write_bytes(zstandard.compress(ROWS.to_csv(index=False).encode())),
    "a.csv.gz": lambda path: path.write_bytes(gzip.compress(ROWS.to_csv(index=False).encode())),
    "a.jsonl.zst": lambda path: path.write_bytes(
        zstandard.compress(ROWS.to_json(orient="records", lines=True).encode())
    ),
    "nested.json": lambda path: path.write_text(
        json.dumps({"status": "ok", "data": {"items": ROWS.replace({np.nan: None}).to_dict("records")}})
    ),
    "by key.json": lambda path: path.write_text(
        json.dumps({f"id{i}": row for i, row in enumerate(ROWS.replace({np.nan: None}).to_dict("records"))})
    ),
}


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_gives_the_same_rows(tmp_path: Path, name: str) -> None:
    WRITERS[name](tmp_path / name)
    found = profile(tmp_path)
    (table,) = _tables(found)
    assert [name for name in table.names if name != "key"] == list(ROWS.columns)
    assert table.rows == 5
    frame = load_table(tmp_path, table)
    assert frame["code"].tolist() == ROWS["code"].tolist(), "zeros in front stay"
    np.testing.assert_allclose(frame["size"].astype(float), ROWS["size"])
    assert frame["count"].astype(int).tolist() == [1, 2, 3, 4, 5]
    assert frame["kind"].tolist() == ROWS["kind"].tolist()
    pd.testing.assert_frame_equal(load_table(tmp_path, table, nrows=2), frame.head(2), check_dtype=False)


def _tables(found: Profile) -> list:
    assert not found.problems
    return found.tables


def test_codes_become_labels(tmp_path: Path) -> None:
    frame = pd.DataFrame({"sex": [1.0, 2, 2, 1, np.nan], "mood": [0.0, 3, 5, 10, 7]})
    labels = {"sex": {1: "male", 2: "female"}, "mood": {0: "low", 10: "high"}}
    pyreadstat.write_sav(frame, str(tmp_path / "a.sav"), variable_value_labels=labels)
    (table,) = profile(tmp_path).tables
    loaded = load_table(tmp_path, table)
    assert loaded["sex"].tolist()[:4] == ["male", "female", "female", "male"]
    assert loaded["mood"].tolist() == [0, 3, 5, 10, 7], "a scale with names at its ends only stays a number"


def test_every_table_of_a_database(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "shop.db")) as database:
        ROWS.to_sql("stock", database, index=False)
        ROWS.head(3).to_sql('odd "name"', database, index=False)
        database.execute("create table empty (a)")
    assert [table.key for table in profile(tmp_path).tables] == ["shop.db#stock", 'shop.db#odd "name"']


def test_cells_over_several_rows_and_columns(tmp_path: Path) -> None:
    rows = "".join(f"<tr><td>town {i}</td><td>{i}</td><td>{i * 2}</td></tr>" for i in range(4))
    page = f"<table><tr><th rowspan=2>town</th><th colspan=2>people</th></tr><tr><th>men</th><th>women</th></tr>{rows}</table>"
    (tmp_path / "a.html").write_text(page)
    (table,) = profile(tmp_path).tables
    assert table.rows == 4
    assert [name.split()[-1] for name in table.names] == ["town", "men", "women"]


@pytest.mark.parametrize(
    "text",
    [
        "<labels><label name='a'/><label name='b'/><label name='c'/></labels>",
        "<annotation><filename>a.jpg</filename><size><width>3</width></size><object><name>x</name></object></annotation>",
        "<note>See the other file, and predict the price.</note>",
    ],
)
def test_xml_that_is_no_table(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.xml").write_text(text)
    found = profile(tmp_path)
    assert not found.tables and not found.problems
    assert found.files[0].kind == "document"


def test_entities_are_not_looked_up(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("hidden words")
    items = "".join(f"<item><a>&x;</a><b>{i}</b></item>" for i in range(5))
    (tmp_path / "a.xml").write_text(f'<!DOCTYPE r [<!ENTITY x SYSTEM "file://{tmp_path}/secret.txt">]><r>{items}</r>')
    found = profile(tmp_path)
    assert "hidden words" not in "".join(table.model_dump_json() for table in found.tables)
