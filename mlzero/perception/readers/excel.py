"""Workbooks: every visible sheet that holds a table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mlzero.perception import layout, names, sniff
from mlzero.perception.profile import ReadPlan
from mlzero.perception.readers import Found, NotATable, delimited, markup

_DEFAULTS: dict[str, Any] = {
    "skip_rows": 0, "has_header": True, "names": None, "drop_columns": [], "footer_rows": 0, "drop_blank_rows": True,
    "drop_repeated_headers": False, "missing_markers": [],
}  # fmt: skip


class Excel:
    formats: tuple[str, ...] = ("excel",)
    extensions: tuple[str, ...] = (".xlsx", ".xls", ".xlsm", ".xlsb", ".ods", ".xltx")
    block = "read_sheet"

    def find(self, path: Path, encoding: str | None = None) -> list[Found]:
        from python_calamine import CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

        if disguised := _disguised(path, encoding):
            return disguised
        workbook = CalamineWorkbook.from_path(str(path))
        found = []
        for sheet in workbook.sheets_metadata:
            if sheet.typ != SheetTypeEnum.WorkSheet or sheet.visible != SheetVisibleEnum.Visible:
                continue
            rows = workbook.get_sheet_by_name(sheet.name).to_python(skip_empty_area=False)
            if table := _found(rows, sheet.name):
                found.append(table)
        if not found:
            raise NotATable("No sheet of the workbook holds a table.")
        return found

    def arguments(self, plan: ReadPlan) -> dict[str, Any]:
        given = plan.model_dump(include=set(_DEFAULTS))
        return {"sheet": plan.sheet, **{key: value for key, value in given.items() if value != _DEFAULTS[key]}}


def _disguised(path: Path, encoding: str | None) -> list[Found]:
    """The tables of a web page or text table that a program saved under the ending of a workbook."""
    with path.open("rb") as file:
        start = file.read(1000)
    if start.startswith((b"PK", b"\xd0\xcf\x11\xe0", b"\x09\x08")):  # workbooks since and before 2007, and of 1995
        return []
    if start.lstrip(b"\xef\xbb\xbf\t\r\n ").lower().startswith((b"<html", b"<!doctype", b"<table", b"<meta", b"<head")):
        return markup.Html().find(path)
    try:
        return delimited.Delimited().find(path, encoding)
    except sniff.NotText:
        return []


def _found(rows: layout.Grid, sheet: str) -> Found | None:
    filled_rows = [row for row in rows if any(map(layout.filled, row))]
    if len(filled_rows) < 2 or (max(sum(map(layout.filled, row)) for row in filled_rows) < 2 and len(filled_rows) < 10):
        return None
    shape = layout.find(rows)
    body = rows[shape.first :]
    width = max((i + 1 for row in (*body, shape.names) for i, cell in enumerate(row) if layout.filled(cell)), default=0)
    if not any(any(map(layout.filled, row)) for row in body) or width < 1:
        return None
    final, notes = names.settle(shape.names, width)
    with_header = shape.header is not None and not shape.units
    start = shape.header if with_header and shape.header is not None else shape.first
    header = [str(cell).strip() for cell in rows[start][:width]]
    plan = ReadPlan(
        format="excel",
        sheet=sheet,
        skip_rows=start,
        has_header=with_header,
        names=None if with_header and header == final and width == len(rows[start]) else final,
        footer_rows=shape.footer,
        drop_repeated_headers=shape.repeated,
    )
    return Found(plan, final, shape.names, [*shape.notes, *notes])
