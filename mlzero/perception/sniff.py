"""How a text file is written: compression, encoding, separator and quoting."""

from __future__ import annotations

import bz2
import codecs
import contextlib
import csv
import gzip
import lzma
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from mlzero.perception import encodings

_MOSTLY = 5  # characters of UTF-8 for each byte that is none
HEAD_BYTES = 2_000_000
_MAGIC = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zstd"}
_MARKS = [
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
]
BLANKS = (" ", r"\s+")
_SEPARATORS = ["\t", ";", ",", "|", "~", "^", ":", " "]


class NotText(Exception):
    """The file holds bytes that no person typed."""


@dataclass(frozen=True)
class Dialect:
    """How the cells of a text table are told apart."""

    separator: str
    quote: str | None
    width: int  # cells a row, of most rows
    consistency: float  # share of rows with that width


def compression_of(path: Path) -> str | None:
    """The compression by the first bytes, as pandas names it."""
    with path.open("rb") as file:
        start = file.read(6)
    return next((name for magic, name in _MAGIC.items() if start.startswith(magic)), None)


def open_bytes(path: Path) -> IO[bytes]:
    """The file's bytes, decompressed."""
    match compression_of(path):
        case "gzip":
            return gzip.open(path, "rb")  # type: ignore[return-value]
        case "bz2":
            return bz2.open(path, "rb")
        case "xz":
            return lzma.open(path, "rb")
        case "zstd":
            import zstandard

            return zstandard.open(path, "rb")  # type: ignore[return-value]
        case _:
            return path.open("rb")


def encoding_of(head: bytes, whole: bool) -> str:
    """The encoding of a text by its first bytes.

    Parameters
    ----------
    whole
        `head` is the entire text, so it cannot end within a character.

    Raises
    ------
    NotText
        When the bytes are not text.
    """
    for mark, name in _MARKS:
        if head.startswith(mark):
            return name
    if b"\x00" in head[:4000]:
        even, odd = head[0:4000:2].count(0), head[1:4000:2].count(0)
        if max(even, odd) > 0.3 * len(head[:4000]) / 2 and min(even, odd) < 0.1 * max(even, odd):
            return "utf-16-le" if odd > even else "utf-16-be"
        raise NotText
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head, final=whole)
        return "utf-8"
    except UnicodeDecodeError:
        pass
    decoded = head.decode("utf-8", "replace")
    wrong = decoded.count("\ufffd")
    if len(re.findall(r"[^\x00-\x7f]", decoded)) - wrong > _MOSTLY * wrong:  # UTF-8 but for some damaged cells
        return "utf-8"
    controls = sum(head[:20_000].count(bytes([code])) for code in (*range(1, 9), *range(14, 27)))
    if controls > 0.01 * len(head[:20_000]):
        raise NotText
    return encodings.find(head)


def read_head(path: Path, limit: int = HEAD_BYTES, encoding: str | None = None) -> tuple[str, str, bool]:
    """The first `limit` bytes as text, the encoding, found out where it is not given, and whether that is the whole file.

    Raises
    ------
    NotText
        When the file is binary.
    """
    with open_bytes(path) as file:
        data = file.read(limit + 1)
    whole = len(data) <= limit
    encoding = encoding or encoding_of(data[:limit], whole)
    text = codecs.getincrementaldecoder(encoding)("replace").decode(data[:limit], final=whole)
    return text.lstrip("\ufeff"), encoding, whole


def lines_of(text: str, whole: bool) -> list[str]:
    """Physical lines; a line cut off at the end of a partial text is left out."""
    lines = re.split(r"\r\n|\n|\r", text)
    if not whole and len(lines) > 1:
        lines.pop()
    while lines and not lines[-1].strip():
        lines.pop()
    return lines


def records(lines: list[str], separator: str, quote: str | None) -> list[list[str]]:
    """Cells by row; quoted line breaks stay inside their cell."""
    if separator == r"\s+":
        return [line.split() for line in lines]
    options = {"quotechar": quote} if quote else {"quoting": csv.QUOTE_NONE}
    rows: list[list[str]] = []
    reader = csv.reader((line + "\n" for line in lines), delimiter=separator, skipinitialspace=True, **options)
    with contextlib.suppress(csv.Error):  # a cell beyond the size limit: the rows so far tell enough
        rows.extend(reader)
    return [[cell.strip("\n") if cell.endswith("\n") else cell for cell in row] for row in rows]


def dialect_of(lines: list[str]) -> Dialect | None:
    """Separator and quoting, or None when the lines are no table: of one column only texts in single quotes are told."""
    lines = lines[:5000]
    if _one_cell_a_line(lines):
        return Dialect(",", "'", 1, 1.0)
    joined = "\n".join(lines)
    found: list[tuple[float, Dialect]] = []
    headless: list[Dialect] = []  # those that leave the first line in one piece
    for separator in [*_SEPARATORS, r"\s+"]:
        if separator != r"\s+" and separator not in joined:
            continue
        for quote in ['"', "'", None]:
            if (separator == r"\s+" and quote is not None) or (quote and not _opens_cells(joined, separator, quote)):
                continue
            rows = [row for row in records(lines, separator, quote) if any(cell.strip() for cell in row)]
            widths = Counter(len(row) for row in rows)
            width, count = max(widths.items(), key=lambda item: (item[0] > 1, item[1]), default=(1, 0))
            if width < 2 or not rows:
                continue
            if separator in BLANKS and len(rows[0]) < width and are_words(rows[1:], width):
                continue
            if quote and not _well_quoted(lines, rows, separator, quote):
                continue
            share = count / len(rows)
            clean = _cleanliness([row for row in rows if len(row) == width][:300], separator)
            weight = {" ": 0.75, r"\s+": 0.75, ":": 0.7, "~": 0.95, "^": 0.95}.get(separator, 1.0)
            bonus = 0.02 if quote == '"' else 0.0
            found.append((share**2 * clean * weight + bonus, Dialect(separator, quote, width, share)))
            if len(rows[0]) == 1:
                headless.append(found[-1][1])
    fitting = max((dialect.width for _, dialect in found if dialect.consistency == 1), default=0)
    found = [pair for pair in found if pair[1] not in headless or pair[1].width >= fitting]  # signs within cells
    if not found:
        return None
    best = max(found, key=lambda item: (round(item[0], 3), item[1].width))[1]
    if best.quote is None and '"' not in joined:
        best = Dialect(best.separator, '"', best.width, best.consistency)
    return best


def _one_cell_a_line(lines: list[str]) -> bool:
    """Whether every line is one text between single quotes, whatever signs are within."""
    texts = [line.strip() for line in lines if line.strip()]
    if len(texts) < 2 or not all(len(text) > 1 and text[0] == text[-1] == "'" for text in texts):
        return False
    return all(len(row) == 1 for row in records(texts, ",", "'"))


def are_words(rows: list[list[str]], width: int) -> bool:
    """Whether rows parted at blanks are names or sentences of as many words by chance, below a title of their own."""
    cells = [cell for row in rows[:300] if len(row) == width for cell in row]
    return sum(any(sign.isdigit() for sign in cell) for cell in cells) < 0.2 * len(cells)


def _opens_cells(text: str, separator: str, quote: str) -> bool:
    """Whether some cell begins with the quote and some ends with it."""
    edge = re.escape(separator)
    opens = re.search(rf"(?:^|\n|{edge} ?){quote}", text)
    return bool(opens and re.search(rf"{quote}(?:{edge}|\n|$)", text))


def _well_quoted(lines: list[str], rows: list[list[str]], separator: str, quote: str) -> bool:
    """Whether every quoted cell ends where its writer ended it: nothing follows the closing quote, no run-away cell."""
    if any(cell.count("\n") > 60 for row in rows for cell in row):
        return False
    reader = csv.reader(
        (line + "\n" for line in lines), delimiter=separator, quotechar=quote, skipinitialspace=True, strict=True
    )
    try:
        for _ in reader:
            pass
    except csv.Error as error:
        return "expected after" not in str(error)  # anything else only says that the text was cut
    return True


def _cleanliness(rows: list[list[str]], separator: str) -> float:
    """How much the cells look like single values, from 0 to 1."""
    others = [mark for mark in ("\t", ";", "|") if mark != separator]
    cells = [cell.strip() for row in rows for cell in row]
    if not cells:
        return 0.0
    mixed = sum(any(mark in cell for mark in others) for cell in cells)
    halves = sum(bool(re.fullmatch(r"\d{1,2}", cell)) for cell in cells) if separator == ":" else 0
    return max(0.05, 1 - mixed / len(cells) - halves / len(cells))
