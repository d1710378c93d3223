"""Web pages that are tables, also those with the ending of a workbook, and XML files of records."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from mlzero.perception import layout, names
from mlzero.perception.profile import ReadPlan
from mlzero.perception.readers import Found, NotATable
from mlzero.perception.readers.columnar import chosen

_DEFAULTS: dict[str, Any] = {
    "skip_rows": 0, "has_header": True, "names": None, "drop_columns": [], "footer_rows": 0,
    "drop_repeated_headers": False, "missing_markers": [],
}  # fmt: skip
_FEWEST = 3  # rows or records


class Html:
    formats: tuple[str, ...] = ("html",)
    extensions: tuple[str, ...] = (".html", ".htm", ".xhtml")
    block = "read_html_table"

    def find(self, path: Path, encoding: str | None = None) -> list[Found]:
        from lxml import etree

        from mlzero.semantic_memory.blocks.markup import html_tables

        try:
            tables = html_tables(path)
        except (etree.ParserError, ValueError) as error:
            raise NotATable("The file is no web page.") from error
        titles = _title_rows(path)
        found = [table for i, rows in enumerate(tables) if (table := _found(rows, i, max(0, titles[i] - 1)))]
        if not found or not _mostly_tables(path, tables):
            raise NotATable("The page is text, not a table.")
        if len(found) == 1:
            found[0].plan.sheet = None
        return found

    def arguments(self, plan: ReadPlan) -> dict[str, Any]:
        given = plan.model_dump(include=set(_DEFAULTS))
        return {**plan.options, **{key: value for key, value in given.items() if value != _DEFAULTS[key]}}


def _title_rows(path: Path) -> list[int]:
    """Of every table that `html_tables` returns, how many rows at its beginning hold titles only."""
    from lxml import html

    from mlzero.semantic_memory.blocks.tables import unpacked_bytes

    page = html.document_fromstring(unpacked_bytes(path))
    counts = []
    for table in page.iter("table"):
        if table.find(".//table") is None:
            lines = [{cell.tag for cell in line.iterchildren("td", "th")} for line in table.iter("tr")]
            counts.append(next((i for i, tags in enumerate(lines) if tags != {"th"}), 0))
    return counts


def _found(rows: list[list[str]], number: int, above: int) -> Found | None:
    """A table of the page; `above` rows of groups stand over the row of its column names."""
    rows = rows[above:]
    filled = [row for row in rows if any(row)]
    if len(filled) < 1 + _FEWEST or max(map(len, filled)) < 2:
        return None
    shape = layout.find(rows)
    width = max(len(row) for row in rows)
    final, notes = names.settle(shape.names, width)
    with_header = shape.header is not None and not shape.units
    start = shape.header if with_header and shape.header is not None else shape.first
    plan = ReadPlan(
        format="html",
        sheet=f"table {number + 1}",
        options={"table": number} if number else {},
        skip_rows=above + start,
        has_header=with_header,
        names=None if with_header and rows[start] == final else final,
        footer_rows=shape.footer,
        drop_repeated_headers=shape.repeated,
    )
    return Found(plan, final, shape.names, [*shape.notes, *notes])


def _mostly_tables(path: Path, tables: list[list[list[str]]]) -> bool:
    """Whether more of the page's text stands in tables than outside them."""
    from mlzero.perception import documents

    inside = sum(len(cell) for rows in tables for row in rows for cell in row)
    return 2 * inside >= len("".join(documents.page_text(path).split()))


class Xml:
    formats: tuple[str, ...] = ("xml",)
    extensions: tuple[str, ...] = (".xml",)
    block = "read_xml_rows"

    def find(self, path: Path, encoding: str | None = None) -> list[Found]:
        from lxml import etree

        from mlzero.semantic_memory.blocks.markup import read_xml_rows, xml_root

        try:
            record = _records(xml_root(path))
        except etree.XMLSyntaxError as error:
            raise NotATable("The file is no XML that can be read.") from error
        if record is None:
            raise NotATable("The file holds no list of records.")
        written = [str(name) for name in read_xml_rows(path, record=record).columns]
        if len(written) < 2:
            raise NotATable("The file is a list, not a table.")
        final, notes = names.settle(written, len(written))
        plan = ReadPlan(format="xml", options={"record": record}, names=None if final == written else final)
        return [Found(plan, final, written, notes)]

    def arguments(self, plan: ReadPlan) -> dict[str, Any]:
        return {**plan.options, **chosen(plan)}


def _records(root: Any) -> str | None:
    """The path of the elements that are rows: nearly all below the root, or below the only list in it."""
    tags = Counter(child.tag for child in root if isinstance(child.tag, str))
    if not tags:
        return None
    tag, count = tags.most_common(1)[0]
    if count >= _FEWEST and count >= 0.8 * sum(tags.values()):
        return str(tag)
    lists = [child for child in root if isinstance(child.tag, str) and len(child) >= _FEWEST]
    if len(lists) == 1 and tags[lists[0].tag] == 1 and sum(map(len, root)) == len(lists[0]):
        inner = _records(lists[0])
        return f"{lists[0].tag}/{inner}" if inner else None
    return None
