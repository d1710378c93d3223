"""Passages worth reading before writing code: cards, the API as installed, guides of the user; found by BM25."""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from mlzero import config
from mlzero.semantic_memory.installed_api import WHERE, api
from mlzero.semantic_memory.recall import cards

GUIDES = "MLZERO_GUIDES"  # a folder of guides for everybody; else `guides` under `config.home()`
ENDINGS = (".md", ".txt")
LARGEST = 200_000  # bytes of one guide that are read
PASSAGE = 1200  # characters
CHARACTERS = 4  # of a token, roughly


@dataclass(frozen=True)
class Passage:
    """A piece of text and where it stands."""

    source: str  # "guides/slides.md", "TabularPredictor.fit (autogluon.tabular 1.6.3)"
    text: str

    def __str__(self) -> str:
        return f"[{self.source}]\n{self.text}"


def guides_folder() -> Path:
    """Where users and organisations put their own guides, as `.md` or `.txt`."""
    chosen = os.environ.get(GUIDES)
    return Path(chosen).expanduser() if chosen else config.home() / "guides"


def guides(query: str, tokens: int) -> list[Passage]:
    """All guides when they are short enough, else the passages that fit the query best."""
    found = []
    folder = guides_folder()
    for path in sorted(p for p in folder.rglob("*") if p.suffix.lower() in ENDINGS and p.is_file()):
        text = path.read_bytes()[:LARGEST].decode("utf-8", "replace")
        found += [Passage(path.relative_to(folder).as_posix(), part) for part in split(text)]
    if sum(len(p.text) for p in found) <= CHARACTERS * tokens:
        return found
    return best(found, query, tokens)


def tools(source: str, recipe: str, query: str, tokens: int) -> list[Passage]:
    """What is known of the libraries that a solution uses: signatures first, then what fits the query."""
    signatures, more = [], []
    for name in (name for name in WHERE if name in source):
        for method in ("__init__", "fit"):
            known = api(name, method)
            if known is not None:
                where = f"{known.name} as installed, {known.version}"
                signatures.append(Passage(where, known.signature))
                more += [Passage(where, part) for part in split(known.doc)]
    for card in cards():
        if recipe in card.recipes:
            more += [Passage(f"card of {card.tool}", part) for part in split(card.text)]
    left = tokens - sum(len(p.text) for p in signatures) // CHARACTERS
    return [*signatures, *best(more, query, max(left, 0))]


def best(passages: Sequence[Passage], query: str, tokens: int) -> list[Passage]:
    """The passages that fit the query best by BM25, as many as the budget allows."""
    words = list(dict.fromkeys(re.findall(r"\w{3,}", query.lower())))[:64]
    if not words or not passages or tokens <= 0:
        return []
    database = sqlite3.connect(":memory:")
    try:
        database.execute("create virtual table found using fts5(source, text, tokenize='porter unicode61')")
        database.executemany("insert into found (rowid, source, text) values (?, ?, ?)", ((i, p.source, p.text) for i, p in enumerate(passages)))  # fmt: skip
        match = " OR ".join(f'"{word}"' for word in words)
        rows = database.execute("select rowid from found where found match ? order by bm25(found, 2.0, 1.0)", (match,))
        return _within((passages[row[0]] for row in rows.fetchall()), tokens)
    finally:
        database.close()


def split(text: str) -> list[str]:
    """Paragraphs, short ones joined, long ones cut."""
    parts: list[str] = []
    for paragraph in re.split(r"\n\s*\n|\n(?=\w+ : )", text.strip()):
        if parts and len(parts[-1]) + len(paragraph) < PASSAGE // 3:
            parts[-1] += f"\n{paragraph}"
        else:
            parts += [paragraph[i : i + PASSAGE] for i in range(0, len(paragraph), PASSAGE)]
    return [part for part in parts if part.strip()]


def _within(passages: Iterable[Passage], tokens: int) -> list[Passage]:
    left, taken = CHARACTERS * tokens, []
    for passage in passages:
        if len(passage.text) <= left:
            taken.append(passage)
            left -= len(passage.text)
    return taken
