"""Whether tables are about files or texts, and which two texts are compared."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mlzero.perception.profile import FILES, ColumnProfile, TableProfile
from mlzero.perception.task import FeaturePlan, Inferred, Modality

SENTENCE = 4  # words from which a text is more than a name
PASSAGE = 25  # words from which a text outweighs the columns beside it
_FILES = {"image": "pictures", "audio": "recordings", "document": "documents"}
_FEW = 4  # columns beside a sentence that leave it in the lead
_SOME = 8  # columns beside a passage that leave it in the lead
_PAIRS = [
    {"premise", "hypothesis"}, {"question", "answer"}, {"query", "title"}, {"claim", "evidence"}, {"source", "target"},
    {"original", "paraphrase"}, {"text", "hypothesis"}, {"sentence", "paraphrase"}, {"source", "translation"},
]  # fmt: skip


def wording_of(table: TableProfile, left_out: Sequence[str]) -> list[ColumnProfile]:
    """Columns of free text, the longest first."""
    texts = [c for c in table.columns if c.kind == "text" and c.name not in left_out and _words(c) >= SENTENCE]
    return sorted(texts, key=_words, reverse=True)


def about_texts(table: TableProfile, left_out: Sequence[str]) -> bool:
    """Whether a table holds texts and little else."""
    texts = wording_of(table, left_out)
    return bool(texts) and len(table.columns) - len(texts) - len(left_out) <= _FEW


def only_files(table: TableProfile, left_out: Sequence[str]) -> bool:
    """Whether files are all there is to judge rows by."""
    naming = {column.source_name for column in table.columns if column.media is not None}
    rest = {c.kind for c in table.columns if c.kind in FILES or c.name not in {*left_out, *naming}}
    return bool(rest & FILES) and rest <= FILES | {"identifier", "constant", "empty"}


def modality_of(features: Sequence[FeaturePlan], table: TableProfile) -> Inferred[Modality]:
    """By files where there are any; text when the texts say most, multimodal when many other columns stand beside them."""
    used = [feature for feature in features if feature.drop is None]
    kinds = {feature.treat_as for feature in used}
    files = [called for kind, called in _FILES.items() if kind in kinds]
    if files and len(kinds) > 1:
        evidence = f"The rows have {' and '.join(files)} and other columns."
        return Inferred[Modality](value="multimodal", confidence=0.95, evidence=evidence)
    if files:
        return Inferred[Modality](value=next(iter(kinds)), confidence=0.95, evidence=f"The inputs are {files[0]}.")  # type: ignore[arg-type]
    texts = [c for f in used if f.treat_as == "text" and (c := table.column(f.name)) and _words(c) >= SENTENCE]
    if not texts:
        return Inferred[Modality](value="tabular", confidence=0.95, evidence="The data is in tables.")
    longest = max(texts, key=_words)
    beside = len(used) - len(texts)
    shown = f'"{longest.name}" holds {_words(longest):.0f} words a row'
    if beside <= (_SOME if _words(longest) >= PASSAGE else _FEW):
        others = f" and only {beside} other column{'s' if beside > 1 else ''} are used" if beside else ""
        return Inferred[Modality](
            value="text", confidence=0.9 if beside < 3 else 0.75, evidence=f"{shown}{others}.",
            alternatives=["tabular", "multimodal"],
        )  # fmt: skip
    return Inferred[Modality](
        value="multimodal", confidence=0.7, evidence=f"{shown} and {beside} other columns stand beside it.",
        alternatives=["tabular", "text"],
    )  # fmt: skip


def pair_of(table: TableProfile, left_out: Sequence[str]) -> tuple[str, str] | None:
    """Two columns of texts of one kind that are to be compared: `sentence1` and `sentence2`, premise and hypothesis."""
    texts = [c for c in table.columns if c.kind == "text" and c.name not in left_out and _words(c) >= 2]
    for i, first in enumerate(texts):
        for second in texts[i + 1 :]:
            if _counted(first.name, second.name) or {_plain(first.name), _plain(second.name)} in _PAIRS:
                return first.name, second.name
    return None


def _words(column: ColumnProfile) -> float:
    """Words a cell; of scripts without blanks about a third of the letters."""
    letters = [len(text) for text in column.examples]
    unspaced = bool(letters) and (column.mean_words or 0) <= 2 and sum(letters) / len(letters) > 12
    return sum(letters) / len(letters) / 3 if unspaced else column.mean_words or 0.0


def _counted(first: str, second: str) -> bool:
    """Whether names differ by nothing but a number or a letter at the end, as `text_a` and `text_b` do."""
    one, two = (re.fullmatch(r"(.*?)[\W_]*([0-9]|[abAB])", name) for name in (first, second))
    return bool(one and two and one.group(1) == two.group(1) and one.group(2) != two.group(2))


def _plain(name: str) -> str:
    return re.sub(r"[^a-z]|text$|sentence$", "", name.lower())
