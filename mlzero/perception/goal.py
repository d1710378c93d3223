"""What the goal and the documents beside the data say about columns, classes, metric and answer."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePosixPath

from mlzero.perception import vocabulary
from mlzero.perception.profile import DocumentProfile, Profile
from mlzero.perception.wording import (
    find_word,
    first_of,
    fold,
    is_cjk,
    parts_of,
    stem,
    whole_word,
    without_unit,
    words_of,
)

_LABEL_LIST = re.compile(r"<label\s+name\s*=\s*[\"']([^\"']+)[\"']")
_ASKS_COLUMNS = re.compile(
    r"\bcolumns?\b|\bspalten?\b|\bcolumnas?\b|\bcolonnes?\b|\bcolunas?\b|\bcsv\b|\bheader\b|列|\bfile with\b|\btabla\b|\bdatei\b|\bfichier\b"
)
_NAME = re.compile(r"[\"'`“„«]([^\"'`”“»]{1,60})[\"'`”“»]|([^\W_][\w.-]*\w|\w)")
_JOINING = frozenset(("and", "und", "y", "et", "e"))
_NAME_LIST = re.compile(
    r"(?:columns?|spalten?|columnas?|colonnes?|colunas?|headers?|列|csv|(?:list|table|liste|tabelle|lista|tabla)\s+(?:with|of|mit|con|avec|com))\b[\s:(（]*(?:(?:named|called|with|the|are|mit|con|avec|com|de|las|les|den)[\s:]+){0,3}"
    rf"((?:{_NAME.pattern})(?:\s*(?:,|、|，|\band\b|\bund\b|\by\b|\bet\b|\be\b|和)+\s*(?:{_NAME.pattern}))+)",
    re.I,
)
_SENTENCE = re.compile(r"(?<=[.!?。！？;；])\s+|(?<=[。！？；])|\n{2,}")
_LITTLE = 8  # words: a goal as short as this may only point to a document
_LONG = 400  # characters: a longer sentence is a table or a list
_ROOT = 5  # letters that two forms of one word share at least
_NEAR = 60  # characters between "predict" and what is to be predicted
_TO_PREDICT = (
    r"\b(?:predict|forecast|estimate|determine|target|column|vorhersagen|sage|schätzen?|bestimmen?|spalte|predecir|predice|"
    r"estimar?|columna|prédire|estime[rz]?|colonne|prever)"
)
_LISTED = r"(?:\w+(?:\s*,\s*|\s+(?i:and|und|y|et|e)\s+)){0,9}"  # "predict w, x and y"
# of readmitted_30d: how long, which goals word freely
_SPAN = re.compile(r"\d+(?:d|w|m|y|h|days?|months?|years?|yrs?)$")
# the verb comes last
_OBJECT = re.compile(r"(?:(?!から|もと|基づ|使|[。、]).){1,40}?を(?:予測|推定|予想|判定|分類|見積|当て)")
_GOES_ON = "for|from|of|in|on|by|with|using|and|as|based|für|aus|von|mit|und|para|de|con|y|pour|à|avec|et|com|e"


@dataclass
class Brief:
    """Everything that was said, the goal first."""

    goal: str
    brief: str = ""  # text of the document that is the assignment
    brief_path: str = ""
    described: list[DocumentProfile] = field(default_factory=list)  # other documents
    on_target: list[tuple[str, str]] = field(default_factory=list)  # path and sentence, about the target

    @property
    def said(self) -> str:
        """The goal and the assignment."""
        return f"{self.goal}\n{self.brief}" if self.brief else self.goal

    def source(self, words: str) -> str:
        """Where words of the goal or the assignment stand, as in `the goal`."""
        return "the goal" if find_word(fold(self.goal), fold(words)) >= 0 or not self.brief else self.brief_path


def read(goal: str, profile: Profile) -> Brief:
    """The goal with the document that it points to, if one is an assignment."""
    folded = fold(goal)
    best: tuple[float, DocumentProfile] | None = None
    for document in profile.documents:
        name = fold(PurePosixPath(document.path).name)
        score = 0.0
        score += 3 * (name in folded or (fold(PurePosixPath(document.path).stem) in folded and len(name) > 6))
        score += 2 * bool(first_of(re.sub(r"[_\-.]", " ", name), vocabulary.table(vocabulary.BRIEF_NAMES)))
        score += name.endswith((".pdf", ".docx")) and bool(first_of(folded, vocabulary.table(vocabulary.SEE_DOCUMENT)))
        asks = bool(first_of(fold(document.text), vocabulary.table(vocabulary.PREDICT)))
        score += 1.0 * asks + (len(words_of(goal)) <= _LITTLE and asks)
        if name.endswith((".xml", ".json", ".names")):
            score -= 2
        if score >= 2 and (best is None or score > best[0]):
            best = (score, document)
    brief = Brief(goal) if best is None else Brief(goal, best[1].text, best[1].path)
    brief.described = [d for d in profile.documents if best is None or d is not best[1]]
    brief.on_target = [(d.path, s) for d in brief.described for s in _sentences_with(d.text, vocabulary.TARGET_WORDS)]
    return brief


def label_list(profile: Profile) -> tuple[list[str], str]:
    """Names of label columns that an XML document lists, and its path."""
    for document in profile.documents:
        found = _LABEL_LIST.findall(document.text)
        if len(found) > 1:
            return found, document.path
    return [], ""


@dataclass(frozen=True)
class Mention:
    """A column as a text names it."""

    quality: float  # 0 to 1: how surely the words mean the column
    place: int  # where in the text
    words: str  # the words of the text


@lru_cache(maxsize=20_000)
def mention(name: str, text: str) -> Mention | None:
    """How a text names a column: as it is written, word by word in any form, or by part of the words."""
    folded = fold(text)
    bare = fold(without_unit(name)).strip()
    spaced = re.sub(r"[_\-.\s]+", " ", bare)
    for candidate in dict.fromkeys([fold(name).strip(), bare, spaced]):
        place = find_word(folded, candidate) if candidate else -1
        if place >= 0:
            certain = len(candidate) > 2 or _as_written(name, text)
            return Mention(
                1.0 if certain else 0.2,
                place,
                text[place : place + len(candidate)] if len(folded) == len(text) else candidate,
            )
    if is_cjk(bare):
        return _partly_cjk(bare, folded)
    parts = [part for part in parts_of(name) if not _SPAN.search(part)] or parts_of(name)
    if not parts or all(len(part) < 3 for part in parts):
        return None
    positions = _stems(folded)
    places = [positions[near] if (near := _related(part, positions)) else None for part in parts]
    hit = [place for place in places if place is not None]
    weight = sum(len(part) for part, place in zip(parts, places, strict=True) if place is not None) / sum(
        map(len, parts)
    )
    if not hit:
        return None
    close = max(hit) - min(hit) < 60
    if len(hit) == len(parts) and close:
        return Mention(0.9, min(hit), " ".join(parts))
    return (
        Mention(0.5 * weight, min(hit), next(p for p, place in zip(parts, places, strict=True) if place is not None))
        if weight >= 0.4
        else None
    )


def _as_written(name: str, text: str) -> bool:
    """A short name counts when it stands there exactly, in marks, as a column, in capitals, or as what is to be predicted."""
    own = re.escape(name)
    return (
        bool(re.search(rf"[\"'`“„«(]{own}[\"'`”“»)]", text))
        or bool(
            re.search(
                rf"\b{own} (?i:column|field|variable)\b|\b(?i:column|field|variable|spalte|feld|columna|colonne) {own}\b",
                text,
            )
        )
        or (name.isupper() and bool(re.search(rf"\b{own}\b", text)))
        or bool(
            re.search(rf"(?i:{_TO_PREDICT})\s+{_LISTED}{own}(?=\s*$|\s*[.,;:!?)]|\s+(?i:{_GOES_ON}|voraus)\b)", text)
        )
    )


def _partly_cjk(bare: str, folded: str) -> Mention | None:
    """The longest piece of a Chinese or Japanese name that the text holds."""
    for length in range(len(bare) - 1, 1, -1):
        for start in range(len(bare) - length + 1):
            place = folded.find(bare[start : start + length])
            if place >= 0 and is_cjk(bare[start : start + length]):
                return Mention(0.7 * length / len(bare), place, bare[start : start + length])
    return None


def _related(part: str, spoken: dict[str, int]) -> str | None:
    """The spoken stem that is the same word or another form of it, as "churn" and "churned" are."""
    if part in spoken:
        return part
    forms = [s for s in spoken if min(len(s), len(part)) >= _ROOT and abs(len(s) - len(part)) <= 3]
    return next((s for s in forms if s.startswith(part) or part.startswith(s)), None)


@lru_cache(maxsize=64)
def _stems(folded: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for match in re.finditer(r"[^\W_]+", folded):
        found.setdefault(stem(match.group()), match.start())
    return found


def wanted(place: int, text: str) -> float:
    """1 for a name after "predict" and the like, -1 for one after "from" and the like, else 0."""
    if _OBJECT.match(fold(text)[place:]):
        return 1.0
    before = fold(text)[:place]
    verb = _last(before, vocabulary.PREDICT)
    source = _last(before, vocabulary.FROM)
    if source > verb and place - source < 2 * _NEAR:
        return -1.0
    return 1.0 if verb >= 0 and place - verb < _NEAR else 0.0


def _last(text: str, table: str) -> int:
    """Where the last of the words begins."""
    best = -1
    for word in vocabulary.table(table):
        start = 0
        while (place := find_word(text[start:], word)) >= 0:
            best = max(best, start + place)
            start += place + 1
    return best


@lru_cache(maxsize=64)
def concepts(text: str) -> list[tuple[str, list[str]]]:
    """What a text talks about: the word of the text, and what columns that hold it are called."""
    folded = fold(text)
    found = []
    for spoken, called in vocabulary.CONCEPTS:
        word = first_of(folded, vocabulary.table(spoken))
        if word:
            found.append((whole_word(folded, word), vocabulary.table(called)))
    return found


def called(name: str, words: list[str]) -> str | None:
    """The first of the words that is one of a column name's parts."""
    spaced = " ".join([*parts_of(name), "|", *words_of(re.sub(r"(?<=[a-z0-9])(?=[A-Z])|_", " ", without_unit(name)))])
    return first_of(spaced, words)


def _sentences_with(text: str, table: str) -> list[str]:
    """Sentences of usual length that hold one of the words."""
    words = vocabulary.table(table)
    return [s for s in _SENTENCE.split(text) if len(s) < _LONG and first_of(fold(s), words)]


def asked_columns(text: str, known: list[str]) -> list[str]:
    """Names of columns that the file with the answers shall have, in their order: `a csv with id and price`."""
    for sentence in re.split(r"(?<=[.!?])\s|(?<=[。！？])", text):
        folded = fold(sentence)
        for marker in _ASKS_COLUMNS.finditer(folded):
            rest = folded[marker.start() :]
            found = [(m.place, name) for name in known if (m := mention(name, rest)) and m.quality >= 0.7]
            if len(found) > 1:
                return [name for _, name in sorted(found)]
    return []


def asked_names(text: str) -> list[str]:
    """Names that the columns of the answer shall have, as they are written: `columns nr und kategorie`."""
    for found in _NAME_LIST.finditer(text):
        names = [next(filter(None, groups)) for groups in _NAME.findall(found.group(1))]
        names = [name for name in names if fold(name) not in _JOINING]
        if len(names) > 1:
            return names
    return []


def akin(a: str, b: str) -> bool:
    """Whether two names have a word in common."""
    if is_cjk(a + b):
        first, second = fold(without_unit(a)), fold(without_unit(b))
        return first in second or second in first
    return bool(set(parts_of(a)) & set(parts_of(b)))


def names_rows(name: str) -> bool:
    """Whether a column's name says that it only tells things apart, as `customer_id` and `userUUID` do."""
    return bool(re.search(r"[_\W](?i:id|ids|uuid|guid|key)$|[a-z](?:Id|ID|IDs|Ids|UUID|Uuid|GUID|Guid|Key)$", name))


@functools.lru_cache(maxsize=4096)
def named_as_id(name: str) -> bool:
    """Whether a column is called as row names are: number, code, reference."""
    known = {stem(word) for word in vocabulary.table(vocabulary.ID_PARTS)}
    folded = fold(name)
    return bool({*parts_of(name), *words_of(name)} & known) or (
        folded.endswith(vocabulary.ID_ENDINGS) and len(folded) > 4
    )
