"""Words of goals, documents and column names made comparable: case, accents, plurals, units and compounds set aside."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_UNIT = re.compile(r"\s*[(\[（【][^)\]）】]*[)\]）】]\s*$")
_SPECIAL = str.maketrans({"ß": "ss", "ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d"})
_ENDINGS = ("ies", "es", "s", "en", "n", "e")  # plural and case endings of the languages with Latin script
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """Lower case without accents: `Alineación` becomes `alineacion`."""
    text = unicodedata.normalize("NFKD", text.casefold().translate(_SPECIAL))
    kept = "".join(c for c in text if not unicodedata.combining(c) or "\u3099" <= c <= "\u309a")
    return unicodedata.normalize("NFKC", kept)


def without_unit(name: str) -> str:
    """`Weight (kg)` becomes `Weight`."""
    return _UNIT.sub("", name) or name


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """A folded word without its plural ending."""
    if len(word) > 3 and not is_cjk(word) and not word.endswith("ss"):
        for ending in _ENDINGS:
            if word.endswith(ending) and len(word) - len(ending) >= 3:
                return word[: -len(ending)] + ("y" if ending == "ies" else "")
    return word


def words_of(text: str) -> list[str]:
    """Folded words of a text, in order; a run of Chinese or Japanese letters is one word."""
    return [fold(word) for word in _WORD.findall(text)]


def parts_of(name: str) -> list[str]:
    """Stems of a column name: `SalePrice`, `sale_price` and `Sale prices (EUR)` give the same."""
    return [stem(word) for word in words_of(_CAMEL.sub(" ", without_unit(name)))]


def is_cjk(text: str) -> bool:
    """Whether there are Chinese, Japanese or Korean letters, which stand without blanks between words."""
    return bool(_CJK.search(text))


def find_word(text: str, word: str) -> int:
    """Where a folded word or phrase stands in folded text, -1 for nowhere.

    Latin words must begin where a word begins; a `*` at the end leaves their ending open. Chinese and
    Japanese words may stand anywhere.
    """
    if is_cjk(word):
        return text.find(word.rstrip("*"))
    if word.split(" ", 1)[0].rstrip("*") not in text:
        return -1
    found = _pattern(word).search(text)
    return found.start() if found else -1


def first_of(text: str, words: Iterable[str]) -> str | None:
    """The first of the words that occurs in folded text."""
    return next((word for word in words if find_word(text, word) >= 0), None)


def whole_word(text: str, word: str) -> str:
    """The word of folded text that a word of the tables found: `surviv*` finds `survival`."""
    place = find_word(text, word)
    length = len(word.rstrip("*"))
    rest = re.match(r"[^\W_]*", text[place + length :]) if word.endswith("*") and not is_cjk(word) else None
    return text[place : place + length] + (rest.group() if rest else "")


@lru_cache(maxsize=4096)
def _pattern(word: str) -> re.Pattern[str]:
    body = re.sub(r"(\\?\s)+", lambda _: r"[\s_\-]+", re.escape(word.rstrip("*")))
    letter = r"[^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"  # 预测price: a Chinese letter ends a Latin word
    return re.compile(rf"(?<!{letter}){body}" + ("" if word.endswith("*") else rf"(?!{letter})"))


def quote_list(names: Sequence[str], most: int = 6) -> str:
    """Names in quotation marks, the rest counted."""
    shown = ", ".join(f'"{name}"' for name in names[:most])
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")
