"""Column names in a sentence replaced by marks, so that they are not taken for words of the sentence."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, field

from mlzero.perception import hint_words as words
from mlzero.perception.wording import fold, is_cjk, without_unit

_QUOTED = re.compile(r"[\"“„«`「‘']([^\"”“»`」’']{1,80})[\"”“»`」’']")
_LETTER = r"\d_a-z\u00df-\u052f"  # letters of scripts that part words by blanks
_ALIKE = 0.8  # similarity from which a word is a typing error of a column name
_ABOUT_COLUMNS = re.compile(
    f"{words.OUT}|{words.TREAT}|{words.TARGET}|\\b(?:column|spalte|columna|colonne|coluna)s?\\b|列"
)
_ORDINARY = frozenset(words.ORDINARY.split())
_NOT_NAMES = _ORDINARY.union("please from with feature features instead should that this because they them".split())


@dataclass
class Marked:
    """Folded text in which `§2§` stands for the third column found."""

    text: str
    names: list[str] = field(default_factory=list)  # by mark

    def columns(self, clause: str) -> list[str]:
        """Columns that a part of the text speaks of, in order."""
        return list(dict.fromkeys(self.names[int(number)] for number in re.findall(r"§(\d+)§", clause)))

    def shown(self, clause: str) -> str:
        """A part of the text with the names back in their places."""
        return re.sub(r"§(\d+)§", lambda m: self.names[int(m.group(1))], clause)

    @staticmethod
    def named(mark: str, columns: list[str], clause: str) -> str:
        """The column of a mark, given the columns of its clause in order."""
        order = list(dict.fromkeys(re.findall(r"§\d+§", clause)))
        return columns[min(order.index(mark), len(columns) - 1)]


def mark(text: str, names: list[str]) -> Marked:
    """Find the columns that a text names, in any case and with blanks, underscores or hyphens between their words.

    Names that are everyday words count only in quotation marks, beside the word "column", or right after a word
    such as "drop". Where a column is clearly meant, typing errors are forgiven.
    """
    marked = Marked(re.sub(r"§", " ", fold(re.sub(r"[’‘´]", "'", text))))
    ordinary: list[tuple[str, str]] = []
    for name in sorted(names, key=lambda n: -len(n)):
        forms = dict.fromkeys(f for f in (fold(name).strip(), fold(without_unit(name)).strip()) if f)
        for form in forms:
            if _everyday(form):
                ordinary.append((name, form))
            else:
                _replace(marked, _pattern(form), name)
    for name, form in ordinary:
        _replace(marked, _everyday_pattern(form), name)
    for name, form in ordinary:  # "drop a, b and c"
        _replace(
            marked,
            rf"(?:(?<=§, )|(?<=§,)|(?<=§ and )|(?<=§, and )|(?<=§ und )|(?<=§ y )|(?<=§ et )){re.escape(form)}(?=\s*(?:,|and\b|und\b|y\b|et\b|\.|;|$))",
            name,
        )
    _forgive(marked, names)
    return marked


def _everyday(form: str) -> bool:
    return form in _ORDINARY or (len(form) < 3 and not is_cjk(form))


def _pattern(form: str) -> str:
    if is_cjk(form):
        return re.escape(form)
    body = r"[\s_\-]*".join(re.escape(part) for part in re.split(r"[\s_\-]+", form) if part)
    if not body or not (form[0].isalnum() and form[-1].isalnum()):
        return rf"[\"'`]?{re.escape(form)}[\"'`]?"
    return rf"[\"'`“„«]?(?<![{_LETTER}§]){body}(?![{_LETTER}])[\"'`”“»]?"


def _everyday_pattern(form: str) -> str:
    body = re.escape(form)
    after = (
        r"drop|remove|ignore|exclude|leave out|delete|keep|predict|treat|column|columns|spalte|columna|colonne|coluna"
    )
    return (
        rf"[\"'`“„«]{body}[\"'`”“»]|(?<![\w§]){body}(?= (?:column|spalte)\b)|"
        + "|".join(rf"(?<=\b{word} ){body}(?![\w§])" for word in after.split("|"))
        + f"|{body}(?=列)"
    )


def _replace(marked: Marked, pattern: str, name: str) -> None:
    if re.search(pattern, marked.text):
        marked.names.append(name)
        marked.text = re.sub(pattern, f"§{len(marked.names) - 1}§", marked.text)


def _forgive(marked: Marked, names: list[str]) -> None:
    """Take quoted words and words beside "drop" or "column" for columns that are spelt nearly alike."""
    known = {re.sub(r"[\s_\-]+", " ", fold(name)): name for name in names}
    candidates = [m.group(1) for m in _QUOTED.finditer(marked.text)]
    for part in re.split(r"[.;,\n]|\band\b", marked.text):
        if _ABOUT_COLUMNS.search(part) and "§" not in part:
            plain = re.findall(r"[^\W\d_][\w-]*", part)
            candidates += [" ".join(plain[i : i + n]) for n in (3, 2, 1) for i in range(len(plain) - n + 1)]
    found: list[tuple[float, str, str]] = []
    for candidate in dict.fromkeys(candidates):
        spaced = re.sub(r"[\s_\-]+", " ", candidate)
        if len(spaced) < 4 or spaced in _NOT_NAMES or re.fullmatch(_ABOUT_COLUMNS, spaced):
            continue
        for near in difflib.get_close_matches(spaced, list(known), n=1, cutoff=_ALIKE):
            found.append((difflib.SequenceMatcher(None, spaced, near).ratio(), candidate, known[near]))
    for _, candidate, name in sorted(found, reverse=True):
        _replace(marked, rf"[\"'`“„«]?(?<![{_LETTER}§]){re.escape(candidate)}(?![{_LETTER}])[\"'`”“»]?", name)
