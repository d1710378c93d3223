"""Read tables of web pages, and records of XML files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from mlzero.semantic_memory.blocks.tables import from_records, tidy_rows, unpacked_bytes


def read_html_table(
    path: str | Path,
    *,
    table: int = 0,
    skip_rows: int = 0,
    has_header: bool = True,
    names: Sequence[str] | None = None,
    drop_columns: Sequence[str] = (),
    footer_rows: int = 0,
    drop_repeated_headers: bool = False,
    missing_markers: Sequence[str] = (),
    nrows: int | None = None,
) -> pd.DataFrame:
    """The rows of a table of a web page, or of a page saved as a workbook; `table` counts those that hold no other.

    Other parameters as in `read_delimited`. A cell over several rows is repeated in each of them.
    """
    cells = html_tables(path)[table][skip_rows:]
    if has_header:
        names = names or [cell.strip() for cell in cells[0]]
        cells = cells[1:]
    names = list(names or [f"col_{i + 1}" for i in range(max(map(len, cells)))])
    frame = pd.DataFrame([[*row, *[""] * len(names)][: len(names)] for row in cells], columns=names, dtype=object)
    frame = frame.mask(frame.isin(["", *missing_markers]))
    frame = tidy_rows(
        frame,
        footer_rows=footer_rows,
        drop_blank_rows=True,
        drop_repeated_headers=drop_repeated_headers,
        drop_columns=drop_columns,
        text_columns=list(frame.columns),
    )
    return frame.head(nrows) if nrows else frame


def html_tables(path: str | Path) -> list[list[list[str]]]:
    """The cells of every table of a page that holds no other table, row by row."""
    from lxml import html

    page = html.document_fromstring(unpacked_bytes(path), parser=html.HTMLParser(no_network=True, huge_tree=False))
    found = []
    for table in page.iter("table"):
        if table.find(".//table") is None:
            hanging: dict[int, tuple[int, str]] = {}
            found.append([html_row(line, hanging) for line in table.iter("tr")])
    return found


def html_row(line: Any, hanging: dict[int, tuple[int, str]]) -> list[str]:
    """The cells of a line of a table.

    Parameters
    ----------
    hanging
        By column: how many more lines a cell from above reaches into, and its text. Brought up to date.
    """
    row: list[str] = []

    def cells_from_above() -> None:
        while len(row) in hanging:
            lines, text = hanging.pop(len(row))
            if lines > 1:
                hanging[len(row)] = (lines - 1, text)
            row.append(text)

    for cell in line.iterchildren("td", "th"):
        cells_from_above()
        text = " ".join(cell.text_content().split())
        columns, lines = (min(1000, int(size)) if (size := cell.get(key, "")).isdigit() else 1 for key in ("colspan", "rowspan"))  # fmt: skip
        for cell_text in [text, *[""] * (columns - 1)]:
            if lines > 1:
                hanging[len(row)] = (lines - 1, cell_text)
            row.append(cell_text)
    cells_from_above()
    return row


def read_xml_rows(
    path: str | Path,
    *,
    record: str,
    names: Sequence[str] | None = None,
    drop_columns: Sequence[str] = (),
    missing_markers: Sequence[str] = (),
    nrows: int | None = None,
) -> pd.DataFrame:
    """The records of an XML file: one row an element, one column an attribute or an element in it.

    Parameters
    ----------
    record
        Path of the elements below the root: `book`, or `books/book`.

    Elements within elements become columns `outer.inner`; of a repeated one all texts are kept, `; ` between.
    """
    root = xml_root(path)
    rows = [xml_fields(element) for element in root.findall(record)]
    frame = pd.DataFrame(rows, dtype=object)
    return from_records(frame, names=names, drop_columns=drop_columns, missing_markers=missing_markers, nrows=nrows)


def xml_root(path: str | Path) -> Any:
    """The root of an XML file, names without their namespaces; entities and other files are not looked up."""
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True
    )
    root = etree.fromstring(unpacked_bytes(path), parser)
    for element in root.iter():
        if isinstance(element.tag, str):
            element.tag = element.tag.rpartition("}")[2]
    return root


def xml_fields(element: Any) -> dict[str, str]:
    """Attributes and texts of an element by their names."""
    found = {name.rpartition("}")[2]: value for name, value in element.attrib.items()}
    own = (element.text or "").strip()
    if own:
        found["text"] = own
    for child in element:
        if not isinstance(child.tag, str):
            continue
        inner = xml_fields(child)
        for name, value in inner.items():
            key = child.tag if name == "text" else f"{child.tag}.{name}"
            found[key] = f"{found[key]}; {value}" if key in found else value
    return found
