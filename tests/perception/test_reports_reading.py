"""What users of such tools reported about reading files: each fault with the right value.

CSV made by Excel that is no UTF-8; bytes that are no text; `;` with decimal commas; separators of other countries;
quoted line breaks; wrong types and no bulk correction; sheets and blank columns of workbooks; day and month swapped;
mixed columns that cannot be shown; archives with and without a top folder.
"""

from __future__ import annotations

import zipfile
from pathlib import Path

import pandas as pd
import pytest

from mlzero.perception import override, rereading
from mlzero.perception.profile import TableProfile
from mlzero.perception.scan import profile
from mlzero.perception.tables import load_table
from mlzero.perception.understand import infer_task
from mlzero.perception.unpack import lay_out


def read(root: Path) -> tuple[TableProfile, pd.DataFrame]:
    (table,) = profile(root).tables
    return table, load_table(root, table)


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1252", "Name;Größe\nMüller;1,5\nJäger;2,5\nWeiß;3,5\n"),
        ("utf-8-sig", "Name;Größe\nMüller;1,5\nJäger;2,5\nWeiß;3,5\n"),
        ("utf-16", "Name;Größe\nMüller;1,5\nJäger;2,5\nWeiß;3,5\n"),
        ("cp1251", "Имя;Рост\nАнна;1,5\nИван;2,5\nОльга;3,5\nСергей;1,7\n"),
        ("gb18030", "姓名;身高\n张三;1,5\n李四;2,5\n王五;3,5\n赵六;1,7\n"),
    ],
)
def test_encoding_is_found_and_told(tmp_path: Path, encoding: str, text: str) -> None:
    (tmp_path / "a.csv").write_bytes(text.encode(encoding))
    table, frame = read(tmp_path)
    lines = text.splitlines()
    assert table.names == lines[0].split(";")
    assert frame.iloc[:, 0].tolist() == [line.split(";")[0] for line in lines[1:]]
    assert frame.iloc[:, 1].tolist() == [float(line.split(";")[1].replace(",", ".")) for line in lines[1:]]
    told = any("encoded as" in note for note in table.notes)
    assert told == (not encoding.startswith("utf-8"))


def test_bytes_that_are_no_text_are_counted(tmp_path: Path) -> None:
    lines = [f"café {n},{n}\n".encode() for n in range(50)]
    lines[7], lines[9] = b"caf\xff 7,7\n", b"caf\xfe 9,9\n"
    (tmp_path / "a.csv").write_bytes(b"place,count\n" + b"".join(lines))
    table, frame = read(tmp_path)
    assert frame["place"][0] == "café 0" and frame["count"].tolist() == list(range(50))
    assert any("2 cells" in note and '"place"' in note for note in table.notes)


@pytest.mark.parametrize("separator", [";", "\t", "|"])
@pytest.mark.parametrize(("written", "value"), [("1.234,50", 1234.5), ("1 234,50", 1234.5), ("0,5", 0.5)])
def test_separator_decimal_and_thousands_marks_together(
    tmp_path: Path, separator: str, written: str, value: float
) -> None:
    rows = "".join(f"k{n}{separator}{written}{separator}{n},25\n" for n in range(20))
    (tmp_path / "a.csv").write_text(f"kind{separator}price{separator}size\n{rows}")
    _, frame = read(tmp_path)
    assert frame["price"].tolist() == [value] * 20
    assert frame["size"].tolist() == [n + 0.25 for n in range(20)]


def test_no_header_row(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("".join(f"{n};{n * 2},5;x{n % 3}\n" for n in range(30)))
    table, frame = read(tmp_path)
    assert len(frame) == 30 and not table.read.has_header
    assert frame.iloc[:, 1].tolist() == [n * 2 + 0.5 for n in range(30)]


def test_quoted_line_breaks_and_quotes(tmp_path: Path) -> None:
    rows = [[n, f'first line\nsecond, with "quotes" {n}', n % 2] for n in range(30)]
    pd.DataFrame(rows, columns=["id", "text", "y"]).to_csv(tmp_path / "a.csv", index=False)
    _, frame = read(tmp_path)
    assert frame["text"].tolist() == [row[1] for row in rows]


def test_types_are_corrected_together_and_stay(tmp_path: Path) -> None:
    frame = pd.DataFrame({"zip": [10115, 20095, 80331] * 20, "size": range(60), "y": ["a", "b"] * 30})
    frame.to_csv(tmp_path / "a.csv", index=False)
    found = profile(tmp_path)
    given = override.merged({"treat": "zip=category, size=category"}, {"metric": "accuracy"}, found)
    kinds = {f.name: f.treat_as for f in infer_task(found, tmp_path, "Predict y", given).features}
    assert kinds == {"zip": "category", "size": "category"}


def test_sheets_are_tables_and_blank_rows_and_columns_go(tmp_path: Path) -> None:
    first = pd.DataFrame({"a": [1, 2, None, 4], "": [None] * 4, "b": ["x", "y", None, "z"]})
    with pd.ExcelWriter(tmp_path / "a.xlsx") as book:
        first.to_excel(book, sheet_name="One", index=False)
        pd.DataFrame({"c": [1, 2, 3], "d": [4, 5, 6]}).to_excel(book, sheet_name="Two", index=False)
        pd.DataFrame().to_excel(book, sheet_name="Empty")
    tables = profile(tmp_path).tables
    assert [(t.key, t.names, t.rows) for t in tables] == [
        ("a.xlsx#One", ["a", "b"], 3),
        ("a.xlsx#Two", ["c", "d"], 3),
    ]


def test_one_format_of_dates_a_column(tmp_path: Path) -> None:
    days = ["03/04/2021", "05/06/2021", "25/06/2021", "07/08/2021"] * 5
    pd.DataFrame({"day": days, "y": range(20)}).to_csv(tmp_path / "a.csv", index=False)
    _, frame = read(tmp_path)
    assert frame["day"].dt.day.tolist() == [3, 5, 25, 7] * 5
    assert frame["day"].dt.month.tolist() == [4, 6, 6, 8] * 5


def test_dates_that_may_be_read_two_ways_are_asked_about(tmp_path: Path) -> None:
    days = ["03/04/2021", "05/06/2021", "11/06/2021", "07/08/2021"] * 5
    pd.DataFrame({"day": days, "use": range(20), "y": [1.5 * n % 7 for n in range(20)]}).to_csv(
        tmp_path / "a.csv", index=False
    )
    found = profile(tmp_path)
    task = infer_task(found, tmp_path, "Predict y")
    (question,) = [q for q in task.questions if q.field == "dates"]
    assert question.options == ["day first", "month first"] and question.default == "month first"
    assert "05/06/2021" in question.text or "03/04/2021" in question.text
    given = {"dates": "day first"}
    again = rereading.dated(found, given)
    assert load_table(tmp_path, again.tables[0])["day"].dt.day.tolist() == [3, 5, 11, 7] * 5
    assert not [q for q in infer_task(again, tmp_path, "Predict y", given).questions if q.field == "dates"]


def test_mixed_columns_can_be_shown(tmp_path: Path) -> None:
    import pyarrow as pa

    pd.DataFrame({"mixed": [1, "two", 3.5, None, pd.Timestamp("2021-01-01")], "y": range(5)}).to_excel(
        tmp_path / "a.xlsx", index=False
    )
    _, frame = read(tmp_path)
    assert pa.Table.from_pandas(frame).num_rows == 5
    assert frame["mixed"].tolist()[:2] == ["1", "two"]


@pytest.mark.parametrize("top", ["", "upload/", "a/b/"])
def test_archives_with_and_without_a_top_folder(tmp_path: Path, top: str) -> None:
    with zipfile.ZipFile(tmp_path / "u.zip", "w") as archive:
        archive.writestr(f"{top}cats/1.jpg", "1")
        archive.writestr(f"{top}dogs/2.jpg", "2")
        archive.writestr(f"{top}__MACOSX/._1.jpg", "3")
    lay_out(tmp_path / "u.zip", tmp_path / "data")
    files = {path.relative_to(tmp_path / "data").as_posix() for path in (tmp_path / "data").rglob("*.jpg")}
    assert files == {"cats/1.jpg", "dogs/2.jpg"}
