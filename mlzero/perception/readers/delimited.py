"""CSV and its relatives."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Any

from mlzero.perception import layout, names, sniff
from mlzero.perception.profile import ReadPlan
from mlzero.perception.readers import Found, NotATable
from mlzero.perception.sniff import Dialect
from mlzero.semantic_memory.blocks.files import MEDIA

SURE = (".csv", ".tsv", ".tab", ".psv", ".ssv")
_COLUMNS_OF_NUMBERS = (" ", r"\s+", ":")
_TAIL_BYTES = 60_000
_LISTED = (*MEDIA["image"], *MEDIA["audio"])
_FEWEST, _WIDEST, _BESIDE = 5, 3, 20  # lines and words of a list of files; other lists that are looked at


class Delimited:
    formats: tuple[str, ...] = ("delimited",)
    extensions: tuple[str, ...] = (
        *SURE,
        ".txt",
        ".dat",
        ".data",
        ".asc",
        ".test",
        ".train",
        ".all",
        ".prn",
        ".out",
        ".log",
        "",
    )
    block = "read_delimited"

    def find(self, path: Path, encoding: str | None = None) -> list[Found]:
        text, encoding, whole = sniff.read_head(path, encoding=encoding)
        lines = sniff.lines_of(text, whole)
        if not lines:
            raise NotATable("The file is empty.")
        listed = _of_files(lines)
        if listed > 1 or (listed and _labelled_beside(path)):
            return [_listing(path, listed, encoding)]
        sure = any(suffix.lower() in SURE for suffix in path.suffixes)
        above, dialect = _skip_to_table(lines)
        if dialect is None or (not sure and not _table_like(lines[above:], dialect, path)):
            if not sure:
                raise NotATable("The file is text without columns.")
            above, dialect = 0, dialect or Dialect(",", '"', 1, 1.0)
        return [_found(path, lines, above, dialect, encoding, whole)]

    def arguments(self, plan: ReadPlan) -> dict[str, Any]:
        given = plan.model_dump(include=set(_DEFAULTS))
        given["compression"] = plan.compression or "infer"
        return {key: value for key, value in given.items() if value != _DEFAULTS[key]}


_DEFAULTS: dict[str, Any] = {
    "separator": ",", "encoding": "utf-8", "quote": '"', "compression": "infer", "skip_rows": 0, "has_header": True, "names": None,
    "drop_columns": [], "footer_rows": 0, "drop_blank_rows": True, "drop_repeated_headers": False, "missing_markers": [],
    "text_columns": [],
}  # fmt: skip


def _of_files(lines: list[str]) -> int:
    """Words a line of a list of pictures or recordings, at times or partly with their labels: `a/7.png cat`; 0 of other texts."""
    rows = [line.split() for line in lines if line.strip()]
    widths = {len(row) for row in rows}
    named = all(PurePosixPath(row[0]).suffix.lower() in _LISTED for row in rows)
    even = len(widths) == 1 or widths == {1, 2}
    return max(widths) if named and even and len(rows) >= _FEWEST and max(widths) <= _WIDEST else 0


def _labelled_beside(path: Path) -> bool:
    """Whether a file beside is a list of files with labels, so that one without them lists those to label."""
    for other in sorted(path.parent.glob(f"*{path.suffix}"))[:_BESIDE]:
        with suppress(sniff.NotText, OSError):
            text, _, whole = sniff.read_head(other, _TAIL_BYTES)
            if _of_files(sniff.lines_of(text, whole)) > 1:
                return True
    return False


def _listing(path: Path, width: int, encoding: str) -> Found:
    own = ["file", "label"][:width] if width <= 2 else ["file", *(f"label_{place}" for place in range(1, width))]
    plan = ReadPlan(
        format="delimited", compression=_needed_compression(path), encoding=encoding, has_header=False, names=own,
        separator=r"\s+" if width > 1 else "\t", quote=None,
    )  # fmt: skip
    return Found(plan, own, [], ["The file lists files and has no header row."])


def _skip_to_table(lines: list[str]) -> tuple[int, Dialect | None]:
    """Lines of prose above the table, and the dialect of what follows."""
    if lines[0].lower().startswith("sep=") and len(lines[0].strip()) == 5:
        dialect = sniff.dialect_of(lines[1:])
        return 1, dialect
    dialect = sniff.dialect_of(lines)
    if dialect is None or dialect.consistency < 0.9:
        for above in range(1, min(30, len(lines) - 2)):
            below = sniff.dialect_of(lines[above : above + 400])
            if below and below.separator in sniff.BLANKS:
                rows = sniff.records(lines[above:], below.separator, below.quote)
                if sniff.are_words(rows, below.width):
                    continue
            if below and below.consistency == 1.0 and below.width > 1 and len(lines) - above >= 3:
                if above == 1 and len(sniff.records(lines[:1], below.separator, below.quote)[0]) == below.width - 1 > 1:
                    return 0, below  # a header without a name for the row names
                whole = sniff.dialect_of(lines[above:])
                if whole and whole.consistency > 0.9 and (dialect is None or whole.consistency > dialect.consistency):
                    return above, whole
    comments = 0
    while (
        comments < len(lines)
        and re.match(r"[#%]\s", lines[comments])
        and dialect
        and dialect.separator not in lines[comments]
    ):
        comments += 1
    return comments, dialect


def _table_like(lines: list[str], dialect: Dialect, path: Path) -> bool:
    """Whether a text file that could be prose is a table."""
    rows = [
        row
        for row in sniff.records(lines[:2000], dialect.separator, dialect.quote)
        if any(cell.strip() for cell in row)
    ]
    if len(rows) < 3 or dialect.consistency < 0.9:
        return False
    cells = [cell for row in rows[1:500] for cell in row if cell.strip()]
    values = sum(map(layout.is_value, cells)) / max(1, len(cells))
    if dialect.separator in _COLUMNS_OF_NUMBERS:
        data_file = path.suffix.lower() in (".dat", ".data", ".asc", ".prn", ".test", ".train")
        return values > (0.5 if data_file else 0.8) and len(rows) >= 5 and dialect.consistency > 0.98
    if dialect.separator == ",":
        return len(rows) >= 4 and dialect.consistency >= 0.97 and (dialect.width > 2 or values > 0.2 or len(rows) > 50)
    return len(rows) >= 4 or dialect.width > 3


def _found(path: Path, lines: list[str], above: int, dialect: Dialect, encoding: str, whole: bool) -> Found:
    head = sniff.records(lines[above:], dialect.separator, dialect.quote)
    tail = head if whole else _tail(path, dialect, encoding)
    grid = head[:2000]
    shape = layout.find(grid, tail[-30:], _reach(grid, dialect))
    if shape.header is not None and not shape.repeated and lines.count(lines[above + shape.header]) > 1:
        shape.repeated = True
    width = max(dialect.width, len(shape.names)) if shape.header is None else _data_width(grid, shape, dialect)
    written = shape.names
    if shape.header is not None:
        titles, body = len(grid[shape.header]), [row for row in grid[shape.first :] if any(row)]
        if body and all(len(row) == titles + 1 for row in body):
            written = ["row", *written[:titles]]  # row names without a title, as R writes them
    final, notes = names.settle(written, width)
    if any(cell.strip() for row in grid[shape.first :][:1] for cell in row[width:]):  # pandas cuts all rows then
        notes.append("Left out: cells beyond the last column that has a name.")
    start = shape.first if shape.units or shape.header is None else shape.header
    with_header = shape.header is not None and not shape.units
    as_written = with_header and final == [name.strip() for name in grid[shape.header or 0]]
    plan = ReadPlan(
        format="delimited",
        compression=_needed_compression(path),
        encoding=encoding,
        separator=dialect.separator,
        quote=dialect.quote,
        skip_rows=above + _physical_lines(lines[above:], grid, start),
        has_header=with_header,
        names=None if as_written else final,
        footer_rows=shape.footer,
        drop_blank_rows=width > 1,
        drop_repeated_headers=shape.repeated,
    )
    return Found(plan, final, written, [*shape.notes, *notes, *_say(plan, above)])


def _reach(grid: list[list[str]], dialect: Dialect) -> int:
    """Columns of the table, those left out at whose end every row only has a separator."""
    widest = max(
        (i + 1 for row in grid if len(row) == dialect.width for i, cell in enumerate(row) if cell.strip()), default=1
    )
    return min(dialect.width, widest)


def _data_width(grid: list[list[str]], shape: layout.Layout, dialect: Dialect) -> int:
    """Columns of the rows under the header; a mark at the end of every line makes no column."""
    rows = [row for row in grid[shape.first :] if any(cell.strip() for cell in row)]
    widest = max((len(row) for row in rows), default=len(shape.names))
    if widest > len(shape.names) and all(not "".join(row[len(shape.names) :]).strip() for row in rows):
        return len(shape.names)
    return max(len(shape.names), dialect.width if rows else 0)


def _physical_lines(lines: list[str], grid: list[list[str]], row: int) -> int:
    """Lines above grid row `row`; quoted line breaks make them more than rows."""
    return sum(1 + sum(cell.count("\n") for cell in cells) for cells in grid[:row]) if row else 0


def _needed_compression(path: Path) -> str | None:
    """The compression, where the file's name does not tell it."""
    actual = sniff.compression_of(path)
    told = {".gz": "gzip", ".bz2": "bz2", ".xz": "xz", ".zst": "zstd"}.get(path.suffix.lower())
    return None if actual == told else actual


def _tail(path: Path, dialect: Dialect, encoding: str) -> list[list[str]]:
    """The last rows of a file too long to be looked at whole; none of a compressed one."""
    if sniff.compression_of(path) or encoding.startswith(("utf-16", "utf-32")):
        return []
    with path.open("rb") as file:
        file.seek(-min(_TAIL_BYTES, path.stat().st_size), 2)
        text = file.read().decode(encoding, "replace")
    return sniff.records(sniff.lines_of(text, True)[1:], dialect.separator, dialect.quote)


def _say(plan: ReadPlan, above: int) -> list[str]:
    notes = []
    if plan.encoding not in ("utf-8", "utf-8-sig"):
        notes.append(f"The text is encoded as {plan.encoding}.")
    if not plan.has_header and plan.names and plan.names[0] == "col_1":
        notes.append("The file has no header row.")
    if above and plan.skip_rows == above:
        notes.append(f"{above} line{'s' if above > 1 else ''} above the table left out.")
    return notes
