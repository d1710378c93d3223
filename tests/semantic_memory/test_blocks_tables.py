"""Blocks as a solution uses them: pasted, alone, on files written in other ways."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from mlzero.perception.scan import profile
from mlzero.perception.tables import conversions, load_table, read_call
from mlzero.semantic_memory.blocks import block_source, function

ROWS = pd.DataFrame(
    {
        "Key No": [f"{i:03d}" for i in range(30)],
        "Paid": [f"{1000 + i},50".replace("1", "1.", 1) + " €" for i in range(30)],
        "Kind": ["red", "blue, light", "?"] * 10,
        "Since": [f"{1 + i % 28:02d}.03.2021" for i in range(30)],
        "Visits": [i % 7 for i in range(30)],
    }
)
NUMBERS = [1000.5 + i for i in range(30)]


@pytest.mark.parametrize(
    "name",
    [
        "read_delimited",
        "read_sheet",
        "read_columnar",
        "read_json_rows",
        "read_arff",
        "read_new_table",
        "convert_columns",
    ],
)
def test_source_runs_alone(tmp_path: Path, name: str) -> None:
    source = block_source(name)
    assert "mlzero" not in source.text
    (tmp_path / "pasted.py").write_text(f"{source.text}\n\n\nprint({name}.__name__)\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-I", "pasted.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={"PATH": os.environ["PATH"]},
    )
    assert done.stdout.strip() == name, done.stderr


def test_source_holds_each_definition_once_and_callees_first() -> None:
    code = block_source("read_new_table", "read_delimited").code
    assert code.count("def read_delimited(") == 1
    assert code.index("def tidy_rows(") < code.index("def read_delimited(") < code.index("def read_new_table(")


@pytest.mark.parametrize("name", ["read_delimited", "convert_columns", "pictures_with_boxes", "long_of_wide"])
def test_source_holds_no_comments_for_linters(name: str) -> None:
    text = block_source(name).text
    assert "type: ignore" not in text and "fmt: skip" not in text
    compile(text, name, "exec")


def test_unknown_block() -> None:
    with pytest.raises(KeyError):
        block_source("read_minds")


def write_train(folder: Path) -> None:
    folder.mkdir()
    ROWS.to_csv(folder / "train.csv", sep=";", index=False)


def as_new(folder: Path, path: Path) -> pd.DataFrame:
    """Read `path` the way a predictor trained on the folder's table does."""
    table = profile(folder).tables[0]
    _, keywords = read_call(table)
    frame = function("read_new_table")(path, table.names, **keywords)
    return function("convert_columns")(frame, **conversions(table))


def titled_sheet(path: Path) -> None:
    grid = [["Report"], [], list(ROWS.columns), *ROWS.to_numpy().tolist(), [], ["Source: till"]]
    with pd.ExcelWriter(path) as writer:
        pd.DataFrame([["about"]]).to_excel(writer, sheet_name="About", header=False, index=False)
        pd.DataFrame(grid).to_excel(writer, sheet_name="Data", header=False, index=False)


WRITERS: dict[str, Any] = {
    "a.csv": lambda path: ROWS.to_csv(path, index=False),
    "b.csv": lambda path: ROWS.to_csv(path, sep=";", index=False),
    "c.tsv": lambda path: ROWS.to_csv(path, sep="\t", index=False, encoding="utf-16"),
    "d.txt": lambda path: ROWS.to_csv(path, sep="|", index=False, encoding="cp1252"),
    "e.xlsx": lambda path: ROWS.to_excel(path, index=False),
    "f.xlsx": titled_sheet,
    "g.parquet": lambda path: ROWS.to_parquet(path),
    "h.json": lambda path: ROWS.to_json(path, orient="records"),
    "i.jsonl": lambda path: ROWS.to_json(path, orient="records", lines=True),
    "j.csv.gz": lambda path: ROWS.to_csv(path, index=False),
    "k.csv": lambda path: path.write_text("made today\n\n" + ROWS.to_csv(index=False)),
    "l.csv": lambda path: ROWS.rename(columns={"Key No": "key_no", "Paid": "PAID "}).to_csv(path, index=False),
    "m.csv": lambda path: ROWS[["Since", "Visits", "Kind", "Paid", "Key No"]].to_csv(path, index=True),
    "n.csv": lambda path: ROWS.to_csv(path, sep=";", index=False, header=False),
}


@pytest.mark.parametrize("name", WRITERS)
def test_new_rows_in_any_form(tmp_path: Path, name: str) -> None:
    write_train(tmp_path / "data")
    WRITERS[name](tmp_path / name)
    frame = as_new(tmp_path / "data", tmp_path / name)
    assert frame["Key No"].tolist() == ROWS["Key No"].tolist()
    assert frame["Paid"].tolist() == NUMBERS
    assert frame["Since"].dt.day.tolist() == [1 + i % 28 for i in range(30)]
    assert frame["Visits"].tolist() == ROWS["Visits"].tolist()
    assert frame["Kind"].isna().sum() == 10


def test_clean_numbers_and_iso_dates_after_training_on_formatted_ones(tmp_path: Path) -> None:
    write_train(tmp_path / "data")
    clean = ROWS.assign(Paid=NUMBERS, Since=pd.to_datetime(ROWS["Since"], format="%d.%m.%Y"))
    clean.to_csv(tmp_path / "new.csv", index=False)
    frame = as_new(tmp_path / "data", tmp_path / "new.csv")
    assert frame["Paid"].tolist() == NUMBERS
    assert frame["Since"].dt.month.unique().tolist() == [3]


def test_rows_without_the_last_column_of_a_table_without_header(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "old.txt").write_text("".join(f"k{i}\t{i % 5}\t{i % 2}\n" for i in range(30)))
    (tmp_path / "new.txt").write_text("".join(f"k{i}\t{i % 5}\n" for i in range(9)))
    frame = as_new(tmp_path / "data", tmp_path / "new.txt")
    assert list(frame.columns) == ["col_1", "col_2"]
    assert len(frame) == 9


def test_the_same_workbook_without_its_note_loses_no_row(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    titled_sheet(tmp_path / "data" / "book.xlsx")
    grid = [["Report"], [], list(ROWS.columns), *ROWS.to_numpy().tolist()]
    pd.DataFrame(grid).to_excel(tmp_path / "new.xlsx", header=False, index=False)
    assert len(as_new(tmp_path / "data", tmp_path / "new.xlsx")) == 30


def test_units_are_left_out_of_new_rows_too(tmp_path: Path) -> None:
    text = "sample,length,mass\n,[cm],[kg]\n" + "".join(f"s{i},{i}.5,{i}\n" for i in range(20))
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.csv").write_text(text)
    (tmp_path / "new.csv").write_text(text)
    (tmp_path / "bare.csv").write_text(text.replace(",[cm],[kg]\n", ""))
    for name in ("new.csv", "bare.csv"):
        frame = as_new(tmp_path / "data", tmp_path / name)
        assert frame["length"].tolist() == [i + 0.5 for i in range(20)], name


@pytest.mark.parametrize("titles", ["a,a, a,y", "a,a_2,a,y", "size,size,rooms,y", "x,,z,y"])
def test_repeated_names_are_told_apart_as_in_training(tmp_path: Path, titles: str) -> None:
    text = f"{titles}\n" + "".join(f"{i},{i % 3},{i % 5}.5,{i % 2}\n" for i in range(20))
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.csv").write_text(text)
    (tmp_path / "new.csv").write_text(text)
    frame = as_new(tmp_path / "data", tmp_path / "new.csv")
    assert frame.to_numpy().tolist() == [[i, i % 3, i % 5 + 0.5, i % 2] for i in range(20)]
    assert list(frame) == profile(tmp_path / "data").tables[0].names


def test_cells_may_be_long(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    long = "word " * 40_000
    pd.DataFrame({"note": [long] * 6, "n": range(6)}).to_csv(tmp_path / "data" / "a.csv", index=False)
    assert len(as_new(tmp_path / "data", tmp_path / "data" / "a.csv")) == 6


@pytest.mark.parametrize("above", ["shop,in,in,out,out,sold", "shop,in,,out,,sold"])
def test_names_in_two_rows_of_new_rows_too(tmp_path: Path, above: str) -> None:
    (tmp_path / "train").mkdir()
    lines = [above, ",old,new,old,new,", *[f"s{i},{i % 5},{i % 4 + 0.5},{i % 3},{i % 7},{i % 2}" for i in range(20)]]
    (tmp_path / "train" / "a.csv").write_text("\n".join(lines) + "\n")
    (tmp_path / "new.csv").write_text("\n".join(lines[:5]) + "\n")
    found = as_new(tmp_path / "train", tmp_path / "new.csv")
    assert list(found) == ["shop", "in old", "in new", "out old", "out new", "sold"]
    assert found.iloc[2].tolist() == ["s2", 2, 2.5, 2, 2, 0]
    pd.DataFrame({"shop": ["x"], "in old": [3], "in new": [4], "out old": [1], "out new": [2]}).to_csv(
        tmp_path / "plain.csv", index=False
    )
    assert as_new(tmp_path / "train", tmp_path / "plain.csv").iloc[0].tolist() == ["x", 3, 4, 1, 2]


def test_a_new_row_with_too_many_cells_is_refused(tmp_path: Path) -> None:
    write_train(tmp_path / "train")
    lines = ROWS.to_csv(sep=";", index=False).splitlines()
    (tmp_path / "new.csv").write_text("\n".join([*lines[:3], f"{lines[3]};more", *lines[4:]]) + "\n")
    with pytest.raises(
        ValueError, match=r"new\.csv has 6 cells in line 4 but 5 columns; put texts in quotation marks\."
    ):
        as_new(tmp_path / "train", tmp_path / "new.csv")


def test_a_file_with_other_columns_is_refused(tmp_path: Path) -> None:
    write_train(tmp_path / "data")
    (tmp_path / "new.csv").write_text("colour,weight\nred,3\nblue,4\n")
    with pytest.raises(ValueError, match="none of the columns"):
        as_new(tmp_path / "data", tmp_path / "new.csv")


def test_large_clean_file_is_read_by_the_parser_itself(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,b,c\n" + "".join(f"{i},{i}.5,x{i % 3}\n" for i in range(2000)))
    table = profile(tmp_path).tables[0]
    assert read_call(table) == ("read_delimited", {})
    assert [str(dtype) for dtype in load_table(tmp_path, table, convert=False).dtypes] == ["int64", "float64", "object"]


@pytest.mark.parametrize(
    ("text", "rows", "blank", "left_out"),
    [
        ("x,z\n1.5,a\n,\n2,b\n", 2, 1, [1]),
        ("x,z\n1.5,a\n,\n,\n", 1, 0, []),
        ('x\n1\n""\n2\n', 2, 1, [1]),
        (",\nx,z\n1,2\n,\n,\n4,5\n,\n", 2, 2, [1, 2]),
        ("x,z\n\n1,a\n\n\n2,b\n\n", 2, 3, [0, 2, 3]),
        ("x,z\n1,a\nx,z\n\n2,b\n", 2, 1, [1, 2]),
    ],
)
def test_blank_rows_among_others_are_counted(
    text: str, rows: int, blank: int, left_out: list[int], tmp_path: Path
) -> None:
    (tmp_path / "new.csv").write_text(text)
    frame = function("read_new_table")(tmp_path / "new.csv", ["x", "z"])
    assert (len(frame), frame.attrs["blank_rows"], frame.attrs["left_out"]) == (rows, blank, left_out)


def test_the_sheet_that_was_read_and_the_others_are_named(tmp_path: Path) -> None:
    with pd.ExcelWriter(tmp_path / "book.xlsx") as book:
        ROWS.to_excel(book, sheet_name="May", index=False)
        ROWS.to_excel(book, sheet_name="June", index=False)
        pd.DataFrame({"Author": ["Ann"]}).to_excel(book, sheet_name="About", index=False)
    columns, read_new_table = list(ROWS.columns), function("read_new_table")
    assert read_new_table(tmp_path / "book.xlsx", columns, sheet="June").attrs["sheets"] == ["June", "May"]
    assert read_new_table(tmp_path / "book.xlsx", columns, sheet="gone").attrs["sheets"] == ["May", "June"]
