"""Entities given as places in a text (from sign to sign, and a type) turned into a tag a word."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?|[@#]\w+|[^\w\s]|_+")
SPAN_KEYS = {  # how people call beginning, end and type of a span
    "start": ("start", "begin", "start_offset", "start_char", "from", "start_pos", "anfang"),
    "end": ("end", "stop", "end_offset", "end_char", "to", "end_pos", "ende"),
    "type": ("label", "type", "tag", "entity", "entity_group", "entity_type", "class", "category", "ner"),
}


def spans_in(cell: Any) -> list[tuple[int, int, str]] | None:
    """The spans of a cell: a written list of `[0, 4, "PER"]` or of `{"start": 0, "end": 4, "label": "PER"}`; else None."""
    text = str(cell).strip()
    if not (text.startswith("[") and text.endswith("]")):
        return None
    for read in (json.loads, ast.literal_eval):
        try:
            found = [one_span(span) for span in read(text)]
        except (ValueError, SyntaxError, TypeError):
            continue
        return [span for span in found if span is not None] if None not in found else None
    return None


def one_span(span: Any) -> tuple[int, int, str] | None:
    """Beginning, end and type; None when it is no span."""
    if isinstance(span, Mapping):
        names = {str(name).lower(): name for name in span}
        keys = [
            next((names[key] for key in SPAN_KEYS[part] if key in names), None) for part in ("start", "end", "type")
        ]
        span = [span[key] for key in keys if key is not None]
    if not isinstance(span, (list, tuple)) or len(span) != 3:
        return None
    types = [part for part in span if isinstance(part, str) and not part.isdigit()]
    places = [int(part) for part in span if part not in types]
    return (places[0], places[1], types[0]) if len(types) == 1 and len(places) == 2 else None


def span_columns(names: Sequence[str]) -> dict[str, str]:
    """Which columns of a table with a row a span hold its `start`, `end` and `type`; empty when it is no such table."""
    plain = {re.sub(r"[\W_]+", "_", str(name).lower()): str(name) for name in names}
    found = {part: next((plain[key] for key in keys if key in plain), "") for part, keys in SPAN_KEYS.items()}
    return found if all(found.values()) else {}


def texts_with_spans(table: pd.DataFrame, text: str, spans: str) -> pd.DataFrame:
    """`tokens` and `tags` of a table with a text a row and all its spans in one cell; other columns stay."""
    given = [spans_in(cell) or [] for cell in table[spans]]
    return tagged_texts(table.drop(columns=[text, spans]), table[text].fillna("").astype(str).tolist(), given)


def spans_as_rows(table: pd.DataFrame, text: str, start: str, end: str, type: str) -> pd.DataFrame:
    """`tokens` and `tags` of a table with a span a row; a text without spans has a row without places."""
    texts = table[text].fillna("").astype(str)
    given: dict[str, list[tuple[int, int, str]]] = {each: [] for each in texts}
    places = table[[start, end]].apply(pd.to_numeric, errors="coerce").to_numpy(float)
    for each, (first, last), kind in zip(texts, places, table[type], strict=True):
        if first == first and last == last and kind == kind and kind is not None:
            given[each].append((int(first), int(last), str(kind)))
    whole = table.drop_duplicates(text).drop(columns=[text, start, end, type])
    return tagged_texts(whole, list(given), list(given.values()))


def tagged_texts(others: pd.DataFrame, texts: list[str], spans: list[list[tuple[int, int, str]]]) -> pd.DataFrame:
    """The rows with `tokens` and `tags`; ends are moved by one where they count the last sign of a span."""
    ends = [(text, end) for text, found in zip(texts, spans, strict=True) for _, end, _ in found if 0 < end < len(text)]
    short = sum(text[end - 1].isalnum() and text[end].isalnum() for text, end in ends)
    shift = 1 if 2 * short > len(ends) else 0
    tagged = [tags_of(text, found, shift) for text, found in zip(texts, spans, strict=True)]
    words = {"tokens": [" ".join(tokens) for tokens, _ in tagged], "tags": [" ".join(tags) for _, tags in tagged]}
    return others.reset_index(drop=True).assign(**words)


def tags_of(text: str, spans: Sequence[tuple[int, int, str]], shift: int = 0) -> tuple[list[str], list[str]]:
    """The words of a text and a tag each: B- for the first of an entity, I- for its others, O outside.

    Blanks at the edges of a span belong to nothing; of spans that overlap the first one holds.
    """
    words = list(WORD.finditer(text))
    tags = ["O"] * len(words)
    for start, end, kind in sorted(spans):
        inside = text[start : end + shift]
        first, last = start + len(inside) - len(inside.lstrip()), start + len(inside.rstrip())
        covered = [i for i, word in enumerate(words) if word.start() < last and word.end() > first and tags[i] == "O"]
        name = re.sub(r"\s+", "_", kind.strip())
        for number, place in enumerate(covered):
            tags[place] = f"I-{name}" if number else f"B-{name}"
    return [word.group() for word in words], tags
