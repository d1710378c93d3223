"""The text of files that people read."""

from __future__ import annotations

import html
import re
import zipfile
from pathlib import Path

from mlzero.perception import sniff

EXTENSIONS = (
    ".pdf",
    ".docx",
    ".md",
    ".rst",
    ".html",
    ".htm",
    ".xml",
    ".rtf",
    ".yaml",
    ".yml",
    ".names",
    ".info",
    ".tex",
)
MOST_CHARACTERS = 20_000


class Unreadable(Exception):
    """The document gives no text; the message says why, in one sentence."""


def text_of(path: Path) -> str:
    """At most the first 20,000 characters of a document.

    Raises
    ------
    Unreadable, sniff.NotText
    """
    match path.suffix.lower():
        case ".pdf":
            text = _pdf(path)
        case ".docx":
            text = _docx(path)
        case ".html" | ".htm":
            text = page_text(path)
        case ".rtf":
            text = re.sub(r"\\'[0-9a-f]{2}|\\[a-z]+-?\d* ?|[{}]", "", sniff.read_head(path)[0])
        case _:
            text = sniff.read_head(path, 4 * MOST_CHARACTERS)[0]
    return text[:MOST_CHARACTERS]


def page_text(path: Path) -> str:
    """What a web page says, without its tags."""
    return _without_tags(sniff.read_head(path)[0])


def _pdf(path: Path) -> str:
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        reader = PdfReader(path)
        if reader.is_encrypted and not reader.decrypt(""):
            raise Unreadable("The document is locked with a password.")
        pages: list[str] = []
        for page in reader.pages:
            pages.append(page.extract_text())
            if sum(map(len, pages)) > MOST_CHARACTERS:
                break
    except PyPdfError as error:
        raise Unreadable("The document is damaged.") from error
    return "\n\n".join(pages)


def _docx(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as opened:
            xml = opened.read("word/document.xml").decode("utf-8")
    except (zipfile.BadZipFile, KeyError) as error:
        raise Unreadable("The document is damaged.") from error
    xml = re.sub(r"<w:tab/>", "\t", re.sub(r"</w:p>|<w:br/>", "\n", xml))
    return html.unescape(re.sub(r"<[^>]+>", "", xml))


def _without_tags(text: str) -> str:
    text = re.sub(r"(?is)<(script|style).*?</\1>", " ", text)
    text = re.sub(r"(?i)<(br|/p|/tr|/h\d|/li|/div)[^>]*>", "\n", text)
    return re.sub(r"\n\s*\n+", "\n\n", html.unescape(re.sub(r"<[^>]+>", " ", text))).strip()
