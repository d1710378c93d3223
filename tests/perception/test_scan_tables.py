"""Files as people have them, and the table that must come out."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
from datetime import date
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from mlzero.perception.profile import TableProfile
from mlzero.perception.scan import profile
from mlzero.perception.tables import load_table, read_call


def only_table(folder: Path) -> TableProfile:
    found = profile(folder)
    assert not found.problems, found.problems
    assert len(found.tables) == 1
    return found.tables[0]


def rows(*lines: str) -> str:
    return "\n".join(lines) + "\n"


PLAIN = rows("name,age,city", "Ann,31,Oslo", "Bob,45,Rome", "Cy,28,Oslo", "Di,39,Bonn", "Ed,51,Rome")
CASES: list[tuple[str, str, bytes, list[str], int, dict[str, str]]] = [
    # id, file name, content, names, rows, kinds of some columns
    ("plain", "a.csv", PLAIN.encode(), ["name", "age", "city"], 5, {"age": "number", "city": "category"}),
    ("bom", "a.csv", b"\xef\xbb\xbf" + PLAIN.encode(), ["name", "age", "city"], 5, {"age": "number"}),
    ("utf-16", "a.csv", PLAIN.encode("utf-16"), ["name", "age", "city"], 5, {"age": "number"}),
    ("old mac lines", "a.csv", PLAIN.replace("\n", "\r").encode(), ["name", "age", "city"], 5, {"age": "number"}),
    ("windows lines", "a.csv", PLAIN.replace("\n", "\r\n").encode(), ["name", "age", "city"], 5, {"age": "number"}),
    ("no last line end", "a.csv", PLAIN.rstrip().encode(), ["name", "age", "city"], 5, {}),
    ("blank lines", "a.csv", PLAIN.replace("\nCy", "\n\n\nCy").encode(), ["name", "age", "city"], 5, {"age": "number"}),
    ("gz", "a.csv.gz", gzip.compress(PLAIN.encode()), ["name", "age", "city"], 5, {"age": "number"}),
    ("bz2", "a.csv.bz2", bz2.compress(PLAIN.encode()), ["name", "age", "city"], 5, {"age": "number"}),
    ("xz", "a.csv.xz", lzma.compress(PLAIN.encode()), ["name", "age", "city"], 5, {"age": "number"}),
    ("gz under a plain name", "a.csv", gzip.compress(PLAIN.encode()), ["name", "age", "city"], 5, {"age": "number"}),
    ("tabs", "a.tsv", PLAIN.replace(",", "\t").encode(), ["name", "age", "city"], 5, {"age": "number"}),
    ("tabs called csv", "a.csv", PLAIN.replace(",", "\t").encode(), ["name", "age", "city"], 5, {"age": "number"}),
    ("bars", "a.txt", PLAIN.replace(",", "|").encode(), ["name", "age", "city"], 5, {"age": "number"}),
    ("sep line", "a.csv", ("sep=;\n" + PLAIN.replace(",", ";")).encode(), ["name", "age", "city"], 5, {"age": "number"}),
    ("blanks after commas", "a.csv", PLAIN.replace(",", ", ").encode(), ["name", "age", "city"], 5, {"age": "number"}),
    (
        "blanks between",
        "a.dat",
        rows(*[f"{i}.5  {i * 7 % 11}.25   {i % 3}" for i in range(1, 30)]).encode(),
        ["col_1", "col_2", "col_3"],
        29,
        {"col_1": "number"},
    ),
    (
        "semicolons and decimal commas",
        "a.csv",
        rows("ort;menge;preis", "Köln;1,5;1.200,50", "Bonn;2,25;800,00", "Ulm;3,125;12.000,10", "Jena;0,5;7,99").encode("cp1252"),
        ["ort", "menge", "preis"],
        4,
        {"menge": "number", "preis": "number"},
    ),
    (
        "quoted line breaks",
        "a.csv",
        rows('id,text,label', '1,"two\nlines, one cell",a', '2,"say ""hi""",b', '3,plain,a', '4,"x\n\ny",b').encode(),
        ["id", "text", "label"],
        4,
        {"label": "category"},
    ),
    (
        "stray quotes",
        "a.tsv",
        rows("text\tlabel", '"Hello" he said\tx', 'no "end here\ty', '" lone\tx', "plain words\ty", "more words\tx").encode(),
        ["text", "label"],
        5,
        {"label": "category"},
    ),
    (
        "no header, words and numbers",
        "a.csv",
        rows("A cat sits.,A cat sat.,4.5", "A dog runs.,The sun is up.,0.2", "It rains.,Rain falls.,4.9", "Hi.,Hello.,5.0").encode(),
        ["col_1", "col_2", "col_3"],
        4,
        {"col_3": "number"},
    ),
    (
        "no header, only words",
        "messages",
        rows("ham\tsee you at noon then", "spam\twin a prize now", "ham\tok", "ham\tcall me later", "spam\tfree entry").encode(),
        ["col_1", "col_2"],
        5,
        {"col_1": "category"},
    ),
    (
        "header over words",
        "a.csv",
        rows("comment,sentiment", "I liked this film a lot,good", "What a waste of time,bad", "Never again for me,bad").encode(),
        ["comment", "sentiment"],
        3,
        {},
    ),
    ("header over empty columns", "a.csv", rows("key,m1,m2", "k1,,", "k2,,", "k3,,").encode(), ["key", "m1", "m2"], 3, {"m1": "empty"}),
    (
        "years as names",
        "a.csv",
        rows("land,2018,2019,2020", "Peru,1,2,3", "Chad,4,5,6", "Fiji,7,8,9").encode(),
        ["land", "2018", "2019", "2020"],
        3,
        {"2018": "number"},
    ),
    (
        "title lines above",
        "a.csv",
        rows("Sales report", "Made on 3 May", "", "shop,sold,price", "A,1,2.5", "B,2,3.5", "C,3,4.5", "D,4,5.5", "E,5,6.5").encode(),
        ["shop", "sold", "price"],
        5,
        {"price": "number"},
    ),
    (
        "units below the header",
        "a.csv",
        rows("sample,length,mass", ",[cm],[kg]", "a,1.5,2", "b,2.5,3", "c,3.5,4").encode(),
        ["sample", "length", "mass"],
        3,
        {"length": "number", "mass": "number"},
    ),
    (
        "notes and a total below",
        "a.csv",
        rows("shop,sold,price,stock", "A,1,2.5,7", "B,2,3.5,8", "C,3,4.5,9", "Total,6,10.5,24", "Source: till,,,").encode(),
        ["shop", "sold", "price", "stock"],
        3,
        {"sold": "number"},
    ),
    (
        "header repeated",
        "a.csv",
        rows("x,y", "1,2", "3,4", "x,y", "5,6", "x,y", "7,8").encode(),
        ["x", "y"],
        4,
        {"x": "number"},
    ),
    ("repeated names", "a.csv", rows("x,x,y", "1,2,3", "3,4,5", "5,6,8").encode(), ["x", "x_2", "y"], 3, {"x_2": "number"}),
    ("unnamed index", "a.csv", rows(",x,y", "0,1.5,a", "1,2.5,b", "2,3.5,a").encode(), ["col_1", "x", "y"], 3, {"x": "number"}),
    ("row names as R writes", "a.csv", rows('"x","y"', '"1",1.5,"a"', '"2",2.5,"b"', '"3",3.5,"a"').encode(), ["row", "x", "y"], 3, {}),
    ("separator at line ends", "a.csv", rows("x;y;", "1;2;", "3;4;", "5;6;").encode(), ["x", "y"], 3, {"x": "number"}),
    ("one column", "a.csv", rows("value", "1", "2", "", "4").encode(), ["value"], 4, {}),
    ("Chinese", "表.csv", rows("城市,人口", "北京,2154", "上海,2424", "广州,1490").encode("gb18030"), ["城市", "人口"], 3, {"人口": "number"}),
    ("Russian", "a.csv", rows("город;число", "Москва;12", "Казань;3", "Тверь;5", "Омск;4").encode("cp1251"), ["город", "число"], 4, {"число": "number"}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "content", "names", "count", "kinds"), [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
def test_text_tables(
    tmp_path: Path, name: str, content: bytes, names: list[str], count: int, kinds: dict[str, str]
) -> None:
    (tmp_path / name).write_bytes(content)
    table = only_table(tmp_path)
    assert table.names == names
    assert table.rows == count
    for column, kind in kinds.items():
        assert table.column(column).kind == kind, table.column(column)
    frame = load_table(tmp_path, table)
    assert list(frame.columns) == names
    assert list(frame.index) == list(range(count))
    for column in table.columns:
        assert int(frame[column.name].isna().sum()) == column.missing
        if column.kind == "number":
            assert pd.api.types.is_numeric_dtype(frame[column.name])


def test_what_cells_become(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(
        rows(
            "id;amount;share;when;ok;note;year",
            "007;1.049,00 DM;12%;03.02.2021;ja;gut;1999",
            "012;250,00 DM;7%;14.11.2020;nein;-;2001",
            "100;18.424,50 DM;?;28.02.2021;ja;n/a;9999",
            "055;99,00 DM;100%;01.01.2022;nein;naja;2003",
            "555;1.200,00 DM;3%;02.03.2021;ja;gut;2005",
            "556;1.300,00 DM;4%;05.03.2021;ja;gut;9999",
            "557;1.300,00 DM;4%;06.03.2021;ja;gut;2009",
            "558;1.300,00 DM;4%;07.03.2021;ja;gut;2010",
        ),
        encoding="utf-8",
    )
    table = only_table(tmp_path)
    frame = load_table(tmp_path, table)
    assert list(frame["id"][:2]) == ["007", "012"]
    assert list(frame["amount"][:3]) == [1049.0, 250.0, 18424.5]
    assert list(frame["share"].dropna())[:2] == [12, 7]
    assert frame["when"][0] == pd.Timestamp(2021, 2, 3)
    assert frame["year"].isna().sum() == 2
    assert frame["note"].isna().sum() == 2
    kinds = {column.name: column.kind for column in table.columns}
    assert kinds == {"id": "category", "amount": "number", "share": "number", "when": "date", "ok": "boolean", "note": "category", "year": "number"}  # fmt: skip
    assert table.column("year").missing_markers == ["9999"]
    assert table.column("share").missing_markers == ["?"]


def sheet(path: Path, cells: dict[str, list[list[Any]]]) -> None:
    with pd.ExcelWriter(path) as writer:
        for name, grid in cells.items():
            pd.DataFrame(grid).to_excel(writer, sheet_name=name, header=False, index=False)


def test_workbook_with_titles_groups_notes_and_several_sheets(tmp_path: Path) -> None:
    body = [[f"C-{i}", i % 7, "yes" if i % 3 else "no", f"${1000 + i:,}", date(2024, 1, 1 + i % 28)] for i in range(60)]
    sheet(
        tmp_path / "book.xlsx",
        {
            "Past": [
                ["Export of our customers"],
                ["internal"],
                [],
                ["Customer", "", "", "Account", ""],
                ["key", "visits", "stayed", "paid", "since"],
                *body,
                [],
                ["Source: billing"],
            ],
            "Now": [["Customers today"], [], ["key", "visits", "stayed", "paid", "since"], *body[:9]],
            "Notes": [["visits = last week"], ["stayed: still with us"]],
        },
    )
    found = profile(tmp_path)
    assert [table.key for table in found.tables] == ["book.xlsx#Past", "book.xlsx#Now"]
    past, now = found.tables
    assert past.names == now.names == ["key", "visits", "stayed", "paid", "since"]
    assert (past.rows, now.rows) == (60, 9)
    frame = load_table(tmp_path, past)
    assert frame["paid"].iloc[-1] == 1059
    assert frame["since"].dtype.kind == "M"
    assert frame["visits"].dtype.kind == "i"
    assert read_call(past) == ("read_sheet", {"sheet": "Past", "skip_rows": 4, "footer_rows": 1})


def test_names_that_repeat_under_groups(tmp_path: Path) -> None:
    sheet(
        tmp_path / "a.xlsx",
        {
            "S": [
                ["", "2023", "", "2024", ""],
                ["shop", "in", "out", "in", "out"],
                *[[f"s{i}", i, i + 1, i + 2, i + 3] for i in range(9)],
            ]
        },
    )
    assert only_table(tmp_path).names == ["shop", "2023 in", "2023 out", "2024 in", "2024 out"]


@pytest.mark.parametrize("count", [1, 3])
def test_rows_with_too_many_cells_are_told(tmp_path: Path, count: int) -> None:
    lines = [f"Ann,{i},{i % 3}" for i in range(40)]
    lines[7 : 7 + count] = ["Lee, Ann,5,1"] * count
    (tmp_path / "a.csv").write_text(rows("Made in May", "", "name,age,group", *lines))
    table = only_table(tmp_path)
    assert (table.rows, list(load_table(tmp_path, table)["age"][6:8])) == (40 - count, [6, 7 + count])
    told = [note for note in table.notes if note.startswith("Left out:")]
    assert told == [
        "Left out: 3 rows with more cells than there are columns, such as line 11."
        if count > 1
        else "Left out: line 11, which has more cells than there are columns."
    ]


def test_cells_without_a_column_are_told(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(rows("name,age", "Ann,31,x", *[f"Bob,{i}" for i in range(20, 40)]))
    table = only_table(tmp_path)
    assert (table.names, table.rows) == (["name", "age"], 21)
    assert table.notes == ["Left out: cells beyond the last column that has a name."]


TWO_ROWS = [["", "Size", "", "Price", "", "sold"], ["shop", "height", "width", "old", "new", ""]]


@pytest.mark.parametrize(
    ("head", "names"),
    [
        (TWO_ROWS, ["shop", "height", "width", "old", "new", "sold"]),
        ([["Stock of May"], [], *TWO_ROWS], ["shop", "height", "width", "old", "new", "sold"]),
        (
            [["", "Size", "Size", "Price", "Price", "sold"], TWO_ROWS[1]],
            ["shop", "Size height", "Size width", "Price old", "Price new", "sold"],
        ),
        ([["shop", "height", "", "old", "new", "sold"], ["", "[m]", "[m]", "[EUR]", "[EUR]", "[1]"]],
         ["shop", "height", "col_3", "old", "new", "sold"]),
    ],
    ids=["groups", "groups under a title", "every name written", "units under a column without a name"],
)  # fmt: skip
@pytest.mark.parametrize("name", ["a.xlsx", "a.csv"])
def test_names_in_two_rows(tmp_path: Path, head: list[list[str]], names: list[str], name: str) -> None:
    grid = [*head, *[[f"s{i}", i * 7 % 11, i % 5 + 0.5, i % 4 + 2, i % 6 + 3, i % 3] for i in range(30)]]
    if name.endswith("xlsx"):
        sheet(tmp_path / name, {"S": grid})
    else:
        (tmp_path / name).write_text(rows(*[",".join(map(str, row)) for row in grid]))
    table = only_table(tmp_path)
    assert (table.names, table.rows) == (names, 30)
    assert [column.kind for column in table.columns[1:]] == ["number"] * 5
    frame = load_table(tmp_path, table)
    assert frame.iloc[3].tolist() == ["s3", 10, 3.5, 5, 6, 0]


def test_typed_formats_give_the_same_rows(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {
            "n": [1, 2, 3],
            "f": [0.5, None, 2.5],
            "t": ["a", "b", None],
            "d": pd.to_datetime(["2024-01-01", "2024-01-02", "2024-02-03"]),
        }
    )
    frame.to_parquet(tmp_path / "a.parquet")
    frame.to_feather(tmp_path / "b.feather")
    frame.to_json(tmp_path / "c.json", orient="records", date_format="iso")
    frame.to_json(tmp_path / "d.jsonl", orient="records", lines=True, date_format="iso")
    frame.to_json(tmp_path / "e.json", orient="columns", date_format="iso")
    (tmp_path / "f.json").write_text(
        json.dumps({"about": "x", "items": json.loads(frame.to_json(orient="records", date_format="iso"))})
    )
    found = profile(tmp_path)
    assert not found.problems
    assert [table.key for table in found.tables] == [
        "a.parquet",
        "b.feather",
        "c.json",
        "d.jsonl",
        "e.json",
        "f.json#items",
    ]
    for table in found.tables:
        loaded = load_table(tmp_path, table)
        assert loaded.drop(columns="d").equals(frame.drop(columns="d")), table.key
        assert (loaded["d"].dt.tz is None) and list(loaded["d"].dt.month) == [1, 1, 2]


ARFF = """% made by hand
@RELATION 'toy data'
@attribute 'a name' numeric
@attribute kind {red, 'light blue', "dark's"}
@attribute label {0,1}
@attribute text string
@DATA
1.5, red, 0, 'it''s, here'
?, 'light blue', 1, 'b'
% in between
3, red, ?, ?
"""


def test_arff_dense_and_sparse(tmp_path: Path) -> None:
    (tmp_path / "dense.arff").write_text(ARFF)
    (tmp_path / "sparse.arff").write_text(
        "@relation s\n@attribute a numeric\n@attribute b {x,y}\n@attribute c numeric\n@data\n{0 5, 2 1}\n{1 y}\n{}\n"
    )
    dense, sparse = profile(tmp_path).tables
    frame = load_table(tmp_path, dense)
    assert list(frame.columns) == ["a name", "kind", "label", "text"]
    assert frame["kind"].tolist() == ["red", "light blue", "red"]
    assert frame["a name"].isna().tolist() == [False, True, False]
    assert frame["text"][0] == "it's, here"
    assert load_table(tmp_path, sparse).to_numpy().tolist() == [[5, "x", 1], [0, "y", 0], [0, "x", 0]]


@pytest.mark.parametrize(
    "text",
    [
        rows(
            "Columns in this order:",
            " 1 key    The key",
            " 2 size   Size in cm",
            " 3 grade  Outcome (missing in new.txt)",
        ),
        rows("key: what it is", "size: in cm", "   1 small", "   2 large", "grade: outcome"),
        rows("A line is: key <TAB> size (cm) <TAB> grade"),
    ],
    ids=["numbered", "named", "drawn"],
)
def test_names_from_a_description(tmp_path: Path, text: str) -> None:
    (tmp_path / "README.txt").write_text(text)
    (tmp_path / "old.txt").write_text(rows(*[f"A-{i}\t{i}\t{i % 2}" for i in range(40)]))
    (tmp_path / "new.txt").write_text(rows(*[f"B-{i}\t{i}" for i in range(40)]))
    tables = {table.path: table for table in profile(tmp_path).tables}
    assert tables["old.txt"].names == ["key", "size", "grade"]
    assert tables["new.txt"].names == ["key", "size"]


def test_tables_are_read_alike(tmp_path: Path) -> None:
    """Codes stay text in both tables, ambiguous dates follow the clear ones, ambiguous marks follow the clear ones."""
    (tmp_path / "old.csv").write_text(
        rows("code;on;price", *[f"{i:03d};{1 + i % 28:02d}/02/2020;1.{i:03d},50 €" for i in range(50)])
    )
    (tmp_path / "new.csv").write_text(
        rows("code;on;price", *[f"{i};0{1 + i % 9}/03/2020;1.{i} €" for i in range(500, 530)])
    )
    new, old = profile(tmp_path).tables
    fresh, past = load_table(tmp_path, new), load_table(tmp_path, old)
    assert fresh["code"][0] == "500" and past["code"][0] == "000"
    assert fresh["on"].dt.month.unique().tolist() == [3]
    assert fresh["price"][0] == 1500
    assert past["price"][0] == 1000.5


def test_one_cell_that_is_no_number_leaves_numbers_to_learn_from(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("n,y\n" + "".join(f"{i},{i}.5\n" for i in range(60)) + '60,"never closed\n')
    table = profile(tmp_path).tables[0]
    column = load_table(tmp_path, table)["y"]
    assert column.dtype == float and column.isna().sum() == 1


@pytest.mark.parametrize(
    "text",
    [
        "name\nAda Lovelace\nAlan Turing\nGrace Hopper\nMary Jackson\n",
        "remark\nthe food was good\nwe came back twice\nit was not great\nnobody likes cold soup\n",
    ],
)
def test_one_column_of_names_or_sentences_is_one_column(text: str, tmp_path: Path) -> None:
    (tmp_path / "new.csv").write_text(text)
    table = profile(tmp_path).tables[0]
    assert table.names == [text.split("\n")[0]] and table.rows == 4
