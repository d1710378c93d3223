"""Rewrite words by what was learnt from pairs: remembered answers, else the operation that suits such a word."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from typing import Any

import numpy as np
from num2words import num2words
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

MONTHS = "january february march april may june july august september october november december".split()
DIGITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]


def plain_number(value: int | float, to: str = "cardinal") -> str:
    """A number in words without commas and hyphens: `one thousand two hundred thirty four`."""
    return re.sub(r",|\band\b", "", num2words(value, to=to)).replace("-", " ").replace("  ", " ").strip()


def year_words(number: int) -> str:
    """`nineteen eighty four`, `two thousand five`, `nineteen oh five`."""
    high, low = divmod(number, 100)
    if number % 1000 < 10 or not 10 <= high <= 99:
        return plain_number(number)
    if low == 0:
        return f"{plain_number(high)} hundred"
    return f"{plain_number(high)} {'o ' if low < 10 else ''}{plain_number(low)}"


def day_words(word: str, order: str) -> str:
    """A date such as 12/3/2010 or 2010-03-12 in words, day first or month first."""
    numbers = [int(n) for n in re.findall(r"\d+", word)]
    if len(numbers) != 3:
        raise ValueError(word)
    year, a, b = (numbers[0], numbers[2], numbers[1]) if numbers[0] > 31 else (numbers[2], numbers[0], numbers[1])
    day, month = (a, b) if order[0] == "d" or numbers[0] > 31 else (b, a)
    name, nth = MONTHS[month - 1], plain_number(day, "ordinal")
    return f"the {nth} of {name} {year_words(year)}" if order[1] == "o" else f"{name} {nth} {year_words(year)}"


def parts_of(pattern: str, word: str) -> tuple[str, ...]:
    """The groups of a pattern in a word that it must fit as a whole; raises ValueError when it does not."""
    found = re.fullmatch(pattern, word)
    if found is None:
        raise ValueError(f"{word} does not fit {pattern}.")
    return found.groups()


def whole(word: str) -> int:
    """The whole number a word is, commas and signs around it set aside."""
    return int(parts_of(r"\D?(\d{1,3}(?:,\d{3})+|\d+)\D{0,2}", word)[0].replace(",", ""))


def decimal_words(word: str) -> str:
    """`3.14` as `three point one four`."""
    left, right = parts_of(r"(\d*)\.(\d+)", word.replace(",", ""))
    return f"{plain_number(int(left or 0))} point {' '.join(DIGITS[int(d)] for d in right)}"


OPERATIONS: dict[str, Callable[[str], str]] = {
    "same": lambda w: w,
    "lower": lambda w: w.lower(),
    "upper": lambda w: w.upper(),
    "title": lambda w: w.capitalize(),
    "letters": lambda w: " ".join(re.sub(r"[\W_]", "", w).lower()),
    "letters s": lambda w: " ".join(re.sub(r"[\W_]", "", w[:-1]).lower()) + "'s",
    "without signs": lambda w: re.sub(r"[\W_]+", "", w),
    "without signs, lower": lambda w: re.sub(r"[\W_]+", "", w).lower(),
    "first letter once": lambda w: re.sub(r"(.)\1{2,}", r"\1", w),
    "letters twice": lambda w: re.sub(r"(.)\1{2,}", r"\1\1", w),
    "cardinal": lambda w: plain_number(whole(w)),
    "ordinal": lambda w: plain_number(whole(w), "ordinal"),
    "the ordinal": lambda w: f"the {plain_number(whole(w), 'ordinal')}",
    "year": lambda w: year_words(whole(w)),
    "digits": lambda w: " ".join(DIGITS[int(d)] for d in re.findall(r"\d", w)),
    "digits, o": lambda w: " ".join(DIGITS[int(d)] if d != "0" else "o" for d in re.findall(r"\d", w)),
    "decimal": lambda w: decimal_words(w),
    "percent": lambda w: f"{plain_number(whole(w))} percent",
    "decimal percent": lambda w: f"{decimal_words(w.rstrip('%'))} percent",
    "dollars": lambda w: f"{plain_number(whole(w))} dollars",
    "pounds": lambda w: f"{plain_number(whole(w))} pounds",
    "euros": lambda w: f"{plain_number(whole(w))} euros",
    "clock": lambda w: " ".join(plain_number(int(n)) for n in parts_of(r"(\d+):(\d+)", w) if int(n)),
    "range": lambda w: " to ".join(plain_number(int(n)) for n in parts_of(r"(\d+)[-–](\d+)", w)),
    "date, day first": lambda w: day_words(w, "do"),
    "date, month first": lambda w: day_words(w, "mo"),
    "date, american": lambda w: day_words(w, "mm"),
    "date, american, day first": lambda w: day_words(w, "dm"),
    "silent": lambda w: "",
}  # fmt: skip


def rewritten(word: str, operation: str) -> str | None:
    """The word after the operation; None where it cannot be done."""
    try:
        return OPERATIONS[operation](word)
    except (ValueError, AttributeError, IndexError, OverflowError):
        return None


def word_pairs(source: str, target: str, sentences: bool) -> list[tuple[str, str]]:
    """Words and what becomes of each; of whole sentences by aligning their words."""
    if not sentences:
        return [(source, target)]
    a, b = source.split(), target.split()
    pairs: list[tuple[str, str]] = []
    for kind, i, j, k, m in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if kind == "equal" or (kind == "replace" and j - i == m - k):
            pairs += zip(a[i:j], b[k:m], strict=True)
        elif kind == "insert" and pairs:
            pairs[-1] = (pairs[-1][0], " ".join([pairs[-1][1], *b[k:m]]))
        elif j > i:
            pairs += [(a[i], " ".join(b[k:m])), *((word, "") for word in a[i + 1 : j])]
    return pairs


def clues_of(word: str, before: str, after: str) -> dict[str, Any]:
    """What tells the operation: how the word is written and what stands beside it."""
    kinds = ["0" if c.isdigit() else "A" if c.isupper() else "a" if c.isalpha() else c for c in word]
    shape = "".join(kinds)
    return {
        "shape": shape[:12], "run": re.sub(r"(.)\1+", r"\1", shape)[:12], "length": str(min(len(word), 9)),
        "start": word[:2].lower(), "end": word[-2:].lower(), "word": word.lower(),
        "before": before.lower(), "after": after.lower(), "vowels": bool(re.search(r"[aeiouy]", word.lower())),
        "year": bool(re.fullmatch(r"1[0-9]{3}|20[0-9]{2}", word)),
    }  # fmt: skip


def learn_rewriting(rows: Sequence[list[tuple[str, str]]]) -> dict[str, Any]:
    """Learn from rows of words and answers what to remember and which operation suits which words."""
    memory: dict[str, Counter[str]] = {}
    fits: dict[tuple[str, str], str | None] = {}
    clues, names = [], []
    for pairs in rows:
        words = [word for word, _ in pairs]
        for i, (word, answer) in enumerate(pairs):
            memory.setdefault(word, Counter())[answer] += 1
            if (word, answer) not in fits:
                fits[word, answer] = next((name for name in OPERATIONS if rewritten(word, name) == answer), None)
            fitting = fits[word, answer]
            if fitting is not None:
                clues.append(clues_of(word, words[i - 1] if i else "", words[i + 1] if i + 1 < len(words) else ""))
                names.append(fitting)
    kept = np.random.default_rng(0).permutation(len(names))
    often: Counter[str] = Counter()
    chosen = []
    for i in kept:  # what is most frequent need not be seen more often
        if often[names[i]] < 2000:
            often[names[i]] += 1
            chosen.append(i)
    vectors = DictVectorizer()
    x, y = vectors.fit_transform([clues[i] for i in chosen]), [names[i] for i in chosen]
    model = LogisticRegression(C=3.0, max_iter=60).fit(x, y) if len(set(y)) > 1 else None
    sure = {w: c.most_common(1)[0][0] for w, c in memory.items() if c.most_common(1)[0][1] >= 0.9 * c.total()}
    usual = {word: counts.most_common(1)[0][0] for word, counts in memory.items()}
    return {"sure": sure, "usual": usual, "vectors": vectors, "model": model, "only": y[0] if y else "same"}


def rewrite_words(words: Sequence[str], learnt: dict[str, Any]) -> list[str]:
    """What becomes of each word of a row."""
    found = []
    for i, word in enumerate(words):
        if word in learnt["sure"]:
            found.append(learnt["sure"][word])
            continue
        order = [learnt["only"]]
        if learnt["model"] is not None:
            clues = clues_of(word, words[i - 1] if i else "", words[i + 1] if i + 1 < len(words) else "")
            chances = learnt["model"].predict_proba(learnt["vectors"].transform([clues]))[0]
            order = [learnt["model"].classes_[k] for k in np.argsort(-chances)]
        answers = (rewritten(word, name) for name in order)
        best = next((answer for answer in answers if answer is not None), word)
        known = learnt["usual"].get(word)
        found.append(best if known is None or (learnt["model"] is not None and chances.max() > 0.5) else known)
    return found
