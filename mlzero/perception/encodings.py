"""Which encoding from before Unicode a text is in, by its letters, and how it would read in others."""

from __future__ import annotations

import codecs
import re
import unicodedata
from itertools import pairwise

_KNOWN = [
    "cp1252", "gb18030", "shift_jis", "euc_kr", "big5", "cp1251", "cp1250", "cp1253", "cp1254", "cp1255", "cp1256",
    "koi8_r", "iso8859_2", "euc_jp", "tis_620", "mac_roman", "cp437", "cp850",
]  # fmt: skip
_LATIN = ("cp1252", "cp1250", "cp1254", "cp1257", "iso8859_2", "mac_roman", "cp850")
_ALPHABETS = tuple(  # letters beyond a to z of languages with Latin script
    map(
        frozenset,
        """
        äöüß àâæçéèêëîïôœùûüÿ áéíóúüñªº áàâãçéêíóôõú àéèìíîòóùú åäöéæøü äëïöüéèóç
        ąćęłńóśźż áčďéěíňóřšťúůýž áäčďéíĺľňóôŕšťúýž áéíóöőúüű čćđšž ăâîșşțţ
        çğıiöşüâîû āčēģīķļņšūž ąčęėįšųūž äöõüšž
        """.split(),
    )
)
_SIGNS = frozenset("€£¥$§°²³µ·×÷%‰–—…’‘“”„‚«»©®™±¼½¾¿¡№\u00a0、。，：；（）「」《》！？")  # usual beside letters
_WORD = re.compile(rb"[^\s,;\"']*[\x80-\xff][^\s,;\"']*")
_WORDS = 300  # that are looked at
_MOST = 6  # readings that are kept
_SURE = 0.9  # fit from which a text is of a language with Latin script
_LEAST = 0.6  # fit of a reading that is kept
_BETTER = 0.05  # how much another encoding must fit better than Western European


def find(head: bytes) -> str:
    """The likeliest encoding of a text that is no UTF-8; Western European when nothing speaks for another."""
    from charset_normalizer import from_bytes

    lines = [line for line in re.split(rb"[\r\n]+", head) if re.search(rb"[\x80-\xff]", line)]
    sample = b"\n".join(lines)[:100_000]
    high = len(re.findall(rb"[\x80-\xff]", sample))
    isolated = len(re.findall(rb"(?<![\x80-\xff])[\x80-\xff](?![\x80-\xff])", sample))
    words = _words(sample)
    fits = {name: _fit(read) for name in _LATIN if (read := _decoded(words, name)) and _decodes(head, name)}
    best = max(fits, key=lambda name: fits[name] + _BETTER * (name == "cp1252"), default="latin-1")
    if fits.get(best, 0) >= _SURE or isolated > 0.6 * high:  # single accented letters inside words
        return best
    match = from_bytes(sample, cp_isolation=_KNOWN, threshold=0.4).best()
    name = match.encoding if match is not None else "cp1252"
    return name if _decodes(head, name) else "latin-1"


def readings(head: bytes, chosen: str) -> tuple[float, dict[str, str]]:
    """How sure the chosen encoding of a text is, from 0 to 1, and how two words read in it and in others that fit.

    Encodings under which the text is no text, or reads the same as under one before, are left out.
    """
    words = _words(head)
    read = [word.decode(chosen, "replace") for word in words]
    found = {tuple(read): chosen}
    fit = _fit(read)
    for name in _KNOWN:
        other = _decoded(words, name)
        if other and _fit(other) >= min(_LEAST, fit - 0.1) and len(found) < _MOST and "".join(other).isprintable():
            found.setdefault(tuple(other), name)
    telling = sorted(range(len(words)), key=lambda place: -len({texts[place] for texts in found}))[:2]
    shown = {name: ", ".join(texts[place][:40] for place in telling) for texts, name in found.items()}
    return (round(min(0.95, fit), 2) if len(found) > 1 else 0.95), shown


def is_text_encoding(name: str) -> bool:
    """Whether texts can be in an encoding of this name."""
    try:
        return bool(codecs.lookup(name)._is_text_encoding)
    except LookupError:
        return False


def _words(content: bytes) -> list[bytes]:
    """Different words with letters beyond ASCII, from all over the content."""
    words = list(dict.fromkeys(_WORD.findall(content)))
    return words[:: max(1, len(words) // _WORDS)][:_WORDS]


def _decoded(words: list[bytes], encoding: str) -> list[str]:
    """The words as they read in an encoding; none where they cannot be."""
    try:
        return [word.decode(encoding) for word in words]
    except UnicodeDecodeError:
        return []


def _decodes(data: bytes, encoding: str) -> bool:
    try:
        codecs.getincrementaldecoder(encoding)().decode(data, final=False)
    except UnicodeDecodeError:
        return False
    return True


def _fit(words: list[str]) -> float:
    """How much words look like those of one language: 1 when all do, 0 when none does."""
    if not words:
        return 1.0
    sound = sum(not _odd(word) for word in words) / len(words)
    letters = [
        c for word in words for c in word.casefold() if c > "\x7f" and unicodedata.name(c, "").startswith("LATIN")
    ]
    at_home = max(sum(c in alphabet for c in letters) for alphabet in _ALPHABETS) / len(letters) if letters else 1.0
    return sound * at_home


def _odd(word: str) -> bool:
    """Whether a word mixes scripts, has a capital after a small letter, or a sign that stands in no text."""
    scripts = {unicodedata.name(c, "?").split()[0] for c in word if c.isalpha()} - {"FEMININE", "MASCULINE", "MICRO"}
    several = len(scripts - {"HIRAGANA", "KATAKANA", "CJK", "KATAKANA-HIRAGANA", "FULLWIDTH"}) > 1
    unspaced = bool(scripts & {"HIRAGANA", "KATAKANA", "CJK", "HANGUL"}) and "LATIN" in scripts
    capital = any(a.islower() and b.isupper() and b > "\x7f" for a, b in pairwise(word))
    signs = any(c > "\x7f" and not c.isalpha() and c not in _SIGNS for c in word)
    inside = re.search(r"[^\W\d_][€£¥§°²³¼½¾¿¡‚„…‰×÷±][^\W\d_]", word) is not None
    return several or unspaced or capital or signs or inside
