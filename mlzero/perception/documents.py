"""The text of files that people read."""

from __future__ import annotations

import zipfile
from pathlib import Path

from mlzero.perception import sniff

EXTENSIONS = frozenset(".pdf .docx .md .rst .html .htm .xml .rtf .yaml .yml .names .info .tex".split())
MOST_CHARACTERS = 20_000


class Unreadable(Exception):
    """The document gives no text; the message says why, in one sentence."""


def text_of(path: Path) -> str:
    """At most the first 20,000 characters of a document.

    Raises
    ------
    Unreadable, sniff.NotText
    """
    from mlzero.semantic_memory.blocks import documents as blocks

    match path.suffix.lower():
        case ".pdf":
            text = _pdf(path)
        case ".docx":
            try:
                text = blocks.docx_text(path, MOST_CHARACTERS)
            except (zipfile.BadZipFile, KeyError) as error:
                raise Unreadable("The document is damaged.") from error
        case ".html" | ".htm":
            text = page_text(path)
        case ".rtf":
            text = blocks.rtf_text(sniff.read_head(path)[0])
        case _:
            text = sniff.read_head(path, 4 * MOST_CHARACTERS)[0]
    return text[:MOST_CHARACTERS]


def page_text(path: Path) -> str:
    """What a web page says, without its tags."""
    from mlzero.semantic_memory.blocks.documents import page_text as without_tags

    return without_tags(sniff.read_head(path)[0])


def _pdf(path: Path) -> str:
    from pypdf.errors import PyPdfError

    from mlzero.semantic_memory.blocks.documents import pdf_text

    try:
        return pdf_text(path, MOST_CHARACTERS)
    except ValueError as error:
        raise Unreadable(str(error) if "password" in str(error) else "The document is damaged.") from error
    except PyPdfError as error:
        raise Unreadable("The document is damaged.") from error
