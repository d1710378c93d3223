"""The text of documents: PDF, also scanned, Word, web pages, RTF and plain text."""

from __future__ import annotations

import html
import re
import threading
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

SCANNED = 25  # letters a page, below which a page is a picture of text
MOST_SCANNED = 20  # pages of a document that are read by eye
ONE_READER = threading.Lock()  # PDFium must not be entered by two threads


def document_text(path: str | Path, most: int = 200_000) -> str:
    """The text of a document, at most `most` characters; what cannot be read gives none.

    Pages of a PDF that are pictures are read by RapidOCR where it is installed.
    """
    path = Path(path)
    with suppress(Exception):  # every format has its own errors for damaged files
        readers = {".pdf": pdf_text, ".docx": docx_text}
        reader = readers.get(path.suffix.lower())
        if reader:
            return reader(path, most)[:most]
        content = path.read_bytes()
        text = decoded_text(content[: 8 * most], cut=len(content) > 8 * most)
        if path.suffix.lower() in (".html", ".htm", ".xhtml"):
            text = page_text(text)
        elif path.suffix.lower() == ".rtf":
            text = rtf_text(text)
        return text[:most]
    return ""


def decoded_text(content: bytes, cut: bool = False) -> str:
    """Bytes as text: by their byte order mark, as UTF-8, else as Western European; `cut`: they may end within a letter."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if cut and error.reason == "unexpected end of data" and error.start > len(content) - 4:
            return content[: error.start].decode("utf-8-sig")
        return content.decode("cp1252", "replace")


def pdf_text(path: Path, most: int) -> str:
    """The text of a PDF, page by page; raises the library's error for one that is damaged or locked."""
    from pypdf import PdfReader

    reader = PdfReader(path)
    if reader.is_encrypted and not reader.decrypt(""):
        raise ValueError("The document is locked with a password.")
    pages: list[str] = []
    for page in reader.pages:
        pages.append(page.extract_text())
        if sum(map(len, pages)) > most:
            break
    scanned = [n for n, text in enumerate(pages) if len(text.strip()) < SCANNED and holds_pictures(reader.pages[n])]
    with suppress(ImportError):
        for number, text in scanned_pages(path, scanned[:MOST_SCANNED]).items():
            pages[number] = text
    return "\n\n".join(pages)


def scanned_pages(path: Path, numbers: list[int]) -> dict[int, str]:
    """What is written on pages of a PDF that are pictures, by page; raises ImportError where nothing reads pictures."""
    if not numbers:
        return {}
    import pypdfium2
    from rapidocr import RapidOCR

    with ONE_READER:
        read: Any = RapidOCR()
        document = pypdfium2.PdfDocument(path)
        found = {number: read(document[number].render(scale=2).to_numpy()) for number in numbers}
        document.close()
    return {number: "\n".join(lines.txts) for number, lines in found.items() if lines.txts}


def holds_pictures(page: Any) -> bool:
    """Whether a page of a PDF shows an image."""
    resources = page.get("/Resources")
    resources = resources.get_object() if resources is not None else {}
    objects = resources.get("/XObject")
    return bool(objects and objects.get_object())


def docx_text(path: Path, most: int) -> str:
    """The text of a Word document."""
    with zipfile.ZipFile(path) as opened, opened.open("word/document.xml") as part:
        xml = part.read(40 * most).decode("utf-8", "ignore")
    xml = re.sub(r"<w:tab/>", "\t", re.sub(r"</w:p>|<w:br/>", "\n", xml))
    return html.unescape(re.sub(r"<[^>]+>", "", xml))


def page_text(text: str) -> str:
    """What a web page says, without its tags."""
    text = re.sub(r"(?is)<(script|style).*?</\1>", " ", text)
    text = re.sub(r"(?i)<(br|/p|/tr|/h\d|/li|/div)[^>]*>", "\n", text)
    return re.sub(r"\n\s*\n+", "\n\n", html.unescape(re.sub(r"<[^>]+>", " ", text))).strip()


def rtf_text(text: str) -> str:
    """The text of an RTF document."""
    return re.sub(r"\\'[0-9a-f]{2}|\\[a-z]+-?\d* ?|[{}]", "", text)
