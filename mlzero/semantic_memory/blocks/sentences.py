"""Read tokenised sentences with or without a tag a word, in the forms that corpora come in, one sentence a row."""

from __future__ import annotations

import ast
import csv
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from mlzero.semantic_memory.blocks.documents import decoded_text
from mlzero.semantic_memory.blocks.new_rows import text_encoding
from mlzero.semantic_memory.blocks.spans import WORD, span_columns, spans_as_rows, spans_in, texts_with_spans
from mlzero.semantic_memory.blocks.tables import read_columnar, read_delimited, read_json_rows, unpacked_bytes

TAG = re.compile(r"O|[BIESLUM][-_].+")  # outside, or where in an entity and of which type


def read_sentences(path: str | Path, form: str = "", nrows: int | None = None, **names: Any) -> pd.DataFrame:
    """One row a sentence: `tokens` and, where there are some, `tags`, both separated by single blanks.

    Parameters
    ----------
    form
        "lines": a word a line and blank lines between sentences; "words": a table with a word a row; "records":
        a sentence a row; "spans": a text a row, with places of entities; "span rows": a place a row. Empty: found out.
    names
        Columns of a table: `tokens` (or words), `tags`, `sentence`, of places `text`, `spans` or `start`, `end`, `type`.
        Not given: found out.

    Returns
    -------
    DataFrame
        Of records also their other columns.
    """
    if not form:
        form, names = sentence_form(path)
    if form == "lines":
        frame = tagged_lines(path)
    else:
        table = any_table(path)
        absent = [name for key in ("tokens", "sentence", "text") if (name := names.get(key)) and name not in table]
        if absent:
            form, names = sentence_form(path)
        readers: dict[str, Any] = {"words": tagged_words, "spans": texts_with_spans, "span rows": spans_as_rows}
        frame = readers.get(form, tagged_records)(table, **names)
    return frame.head(nrows) if nrows else frame


def sentence_form(path: str | Path) -> tuple[str, dict[str, str]]:
    """The form of a file of sentences, and the columns that matter; raises ValueError when it holds none."""
    path = Path(path)
    if table_ending(path) not in (".json", ".jsonl", ".ndjson", ".parquet", ".xlsx", ".xls") and not has_header(path):
        return "lines", {}
    table = any_table(path)
    columns = {str(name): table[name].dropna().astype(str).head(300).tolist() for name in table}
    placed = span_form(table, columns)
    if placed:
        return placed
    lists = {name: [word_list(cell) for cell in cells] for name, cells in columns.items()}
    tagged = [
        n for n, cells in lists.items() if sum(map(len, cells)) > len(cells) and are_tags([t for c in cells for t in c])
    ]
    single = [name for name, cells in columns.items() if name not in tagged and are_tags(cells)]
    known = [[*map(len, lists[name])] for name in tagged]
    tokens = [
        name for name, cells in columns.items()
        if name not in tagged and (any([*map(len, lists[name])] == counts for counts in known) or (lists_of_words(cells) and any(lists[name])))
    ]  # fmt: skip
    if tokens:
        return "records", {"tokens": tokens[0]} | ({"tags": tagged[-1]} if tagged else {})
    sentence = [name for name in columns if re.search(r"sent|doc|satz|phrase|oracion|句", name, re.I)]
    words = [
        name
        for name in columns
        if re.search(r"word|token|wort|mot|palabra|form|词|単語", name, re.I) and name not in sentence
    ]
    if words and (single or sentence) and all(" " not in cell.strip() for cell in columns[words[0]]):
        found = {"tokens": words[0]} | ({"tags": single[-1]} if single else {})
        return "words", found | ({"sentence": sentence[0]} if sentence else {})
    texts = sorted(columns, key=lambda name: -sum(map(len, columns[name])) / max(len(columns[name]), 1))
    if not texts:
        raise ValueError(f"{path.name} holds no sentences.")
    return "records", {"tokens": texts[0]}


def span_form(table: pd.DataFrame, columns: dict[str, list[str]]) -> tuple[str, dict[str, str]] | None:
    """The form of a table that gives places of entities in texts, and its columns; None when it does not.

    Parameters
    ----------
    columns
        The first filled cells of each column.
    """
    rest = {name: cells for name, cells in columns.items() if cells}
    listed = [n for n, cells in rest.items() if any(spans_in(c) for c in cells) and None not in map(spans_in, cells)]
    named = span_columns(list(columns))
    others = [name for name in rest if name not in (*listed, *named.values())]
    text = max(others, key=lambda name: sum(map(len, rest[name])) / len(rest[name]), default=None)
    if text is None or sum(len(cell.split()) for cell in rest[text]) < 2 * len(rest[text]):
        return None
    if listed:
        return "spans", {"text": text, "spans": listed[0]}
    if not named:
        return None
    places = table[[named["start"], named["end"]]].apply(pd.to_numeric, errors="coerce").to_numpy(float)
    inside = (places[:, 0] >= 0) & (places[:, 0] <= places[:, 1]) & (places[:, 1] <= table[text].astype(str).str.len())
    given = table[named["type"]].notna().to_numpy()
    return ("span rows", {"text": text, **named}) if given.any() and inside[given].mean() >= 0.97 else None


def tagged_lines(path: str | Path) -> pd.DataFrame:
    """Sentences of a text file with a word a line, its tag last, and blank lines between sentences.

    Lines of one column are words without tags; lines that are no columns at all are whole sentences.
    """
    text = decoded(path).replace("\r\n", "\n").replace("\r", "\n")
    blocks = [
        [line for line in block.split("\n") if line.strip() and not re.match(r"#\s|# ?\w+ ?=|-DOCSTART-", line)]
        for block in re.split(r"\n[ \t]*(?:\n[ \t]*)+", text.strip("\n"))
    ]
    blocks = [block for block in blocks if block]
    lines = [line for block in blocks for line in block]
    mark = next(
        (
            mark
            for mark in ("\t", None, ",", ";", "|")
            if are_tags([line.split(mark)[-1] for line in lines], plain=True)
        ),
        "",
    )
    tagged = mark != ""
    mark = mark if tagged else "\t" if all("\t" in line for line in lines) else None
    widths = [len(line.split(mark)) for line in lines]
    if not tagged and len(set(widths)) > 1 and sum(widths) > 2 * len(widths):  # running text
        return pd.DataFrame({"tokens": [" ".join(split_words(line)) for line in lines]})
    cells = [[line.split(mark) for line in block] for block in blocks]
    numbered = all(len(rows[0]) > 2 and rows[0][0] in ("0", "1") for rows in cells[:20])
    words = [" ".join(plain_word(row[min(numbered, len(row) - 1)]) for row in rows) for rows in cells]
    frame = pd.DataFrame({"tokens": words})
    if tagged:
        frame["tags"] = [" ".join(row[-1].strip() for row in rows) for rows in cells]
    return frame


def tagged_words(table: pd.DataFrame, tokens: str, tags: str = "", sentence: str = "") -> pd.DataFrame:
    """Sentences of a table with a word a row, named by a column that may be filled in the first row only."""
    table = table[table[tokens].notna()]
    if sentence:
        key = table[sentence].ffill()
        number = (key != key.shift()).cumsum()
    else:
        ends = table[tokens].isin([".", "!", "?", "。"])
        key = number = ends.shift(fill_value=False).cumsum()
    groups = table.groupby(number, sort=False)
    frame = pd.DataFrame({"tokens": groups[tokens].agg(lambda words: " ".join(map(plain_word, words)))})
    if tags:
        frame["tags"] = groups[tags].agg(lambda cells: " ".join(str(cell).strip() for cell in cells))
    if sentence:
        frame.insert(0, sentence, key.groupby(number, sort=False).first())
    return frame.reset_index(drop=True)


def tagged_records(table: pd.DataFrame, tokens: str, tags: str = "", sentence: str = "") -> pd.DataFrame:
    """Sentences of a table with a sentence a row: lists of words, words with blanks between, or running text."""
    cells = table[tokens].fillna("").astype(str)
    counted = table[tags].map(lambda cell: len(word_list(cell))) if tags else None
    words = cells.map(word_list)
    listed = lists_of_words(cells.head(300))
    if not listed and counted is None and not tokenised(tokens, cells.head(300)):
        words = cells.map(split_words)
    frame = table.drop(columns=[tokens, *([tags] if tags else [])])
    frame["tokens"] = words.map(lambda row: " ".join(map(plain_word, row)))
    if tags:
        frame["tags"] = table[tags].map(word_list).map(" ".join)
        frame = frame[counted == words.map(len)]
    return frame


def any_table(path: str | Path) -> pd.DataFrame:
    """The rows of a table in any common form, cells as text."""
    path = Path(path)
    ending = table_ending(path)
    if ending in (".json", ".jsonl", ".ndjson"):
        return read_json_rows(path)
    if ending in (".parquet", ".pq", ".feather"):
        return read_columnar(path)
    if ending in (".xlsx", ".xls", ".ods"):
        return pd.read_excel(path, dtype=str, engine="calamine")
    head = decoded(path, 20_000).split("\n", 1)[0]
    mark = max(",\t;|", key=head.count)
    encoding = text_encoding(path, "cp1252")
    names = next(csv.reader([head.strip()], delimiter=mark))
    return read_delimited(
        path, separator=mark, encoding=encoding, quote=None if mark == "\t" else '"', text_columns=names
    )


def table_ending(path: Path) -> str:
    """The ending that tells the form, `.gz` and the like set aside."""
    endings = [suffix.lower() for suffix in path.suffixes if suffix.lower() not in (".gz", ".bz2", ".xz", ".zst")]
    return endings[-1] if endings else ""


def has_header(path: Path) -> bool:
    """Whether the first line of a text file names columns of words and tags."""
    head = decoded(path, 4000).split("\n", 1)[0].strip().lower()
    cells = re.split(r"[\t;,|]", head)
    return (len(cells) > 1 or table_ending(path) == ".csv") and any(
        re.fullmatch(r'"?.*(word|token|tag|text|sentence|label|entity|entitie|annotation|span)s?(\b|_).*"?', cell)
        for cell in cells
    )


def decoded(path: str | Path, most: int = -1) -> str:
    """The text of a file, or of its first `most` bytes, decompressed if need be."""
    return decoded_text(unpacked_bytes(path, most), cut=most >= 0)


def are_tags(cells: Sequence[str], plain: bool = False) -> bool:
    """Whether texts are tags of words: nearly all in the usual form, some of an entity, some of none; "B-17" is a code.

    `plain` also takes few different names without B and I, most of them O.
    """
    cells = [cell.strip() for cell in cells]
    usual = sum(bool(TAG.fullmatch(cell)) for cell in cells)
    if "O" in cells and usual >= 0.97 * len(cells) and any(cell != "O" for cell in cells):
        return True
    return plain and cells.count("O") > 0.5 * len(cells) and 1 < len(set(cells)) <= 60


def lists_of_words(cells: Sequence[str]) -> bool:
    """Whether nearly all texts are written lists: `["a", "b"]`."""
    written = [str(cell).strip() for cell in cells]
    return bool(written) and sum(c.startswith("[") and c.endswith("]") for c in written) >= 0.97 * len(written)


def word_list(cell: Any) -> list[str]:
    """The words of a cell: a written list, or words with blanks between."""
    text = str(cell).strip()
    if text.startswith("[") and text.endswith("]"):
        for read in (json.loads, ast.literal_eval):
            try:
                return [str(word) for word in read(text)]
            except (ValueError, SyntaxError):
                continue
        text = re.sub(r"['\",]", " ", text[1:-1])
    return text.split()


def tokenised(name: str, texts: Sequence[str]) -> bool:
    """Whether blanks stand between all words and signs: by the column's name, or by the signs in the texts."""
    if re.fullmatch(r"(tokens|words)", name, re.I):
        return True
    joined = sum(len(re.findall(r"\w[.,!?;:)](?=\s|$)", text)) for text in texts)
    apart = sum(len(re.findall(r"\s[.,!?;:)](?=\s|$)", text)) for text in texts)
    return apart > 3 * joined


def split_words(text: str) -> list[str]:
    """The words and signs of running text."""
    return WORD.findall(text)


def plain_word(word: Any) -> str:
    """A word that holds no blank, since blanks stand between words; an empty one becomes a sign of its own."""
    return re.sub(r"\s+", "\u00a0", str(word).strip()) or "\u200b"
