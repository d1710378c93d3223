"""What a linear model makes of texts, and numbers that describe texts and pairs of texts."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

VOWELS = re.compile(r"[aeiouyäöüàâéèêëîïôûùáíóúãõåæøœаеёиоуыэюяієїαεηιουωάέήίόύώ]+")
UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]")


def joined_texts(table: pd.DataFrame, names: Sequence[str]) -> list[str]:
    """The text columns of each row as one text, the columns on lines of their own."""
    return table[list(names)].fillna("").astype(str).agg("\n".join, axis=1).tolist()


def learn_ngrams(texts: Sequence[str]) -> tuple[list[Any], Any]:
    """Two ways to count a text, fitted, and the counts of these texts, one sparse row each.

    Counted are pieces of two to five letters, and words and pairs of words, weighted by how rare they are (TF-IDF).
    No answer is looked at.
    """
    from scipy.sparse import hstack
    from sklearn.feature_extraction.text import TfidfVectorizer

    probe = "".join(texts[:2000])
    unspaced = len(UNSPACED.findall(probe)) > 0.2 * len(probe)
    long = sum(map(len, texts)) > 400 * len(texts)
    letters = (1, 3) if unspaced else (3, 4) if long else (2, 5)
    often = 2 if len(texts) > 300 else 1
    common: dict[str, Any] = {"sublinear_tf": True, "min_df": often, "dtype": np.float32}
    counts = [
        TfidfVectorizer(analyzer="char_wb", ngram_range=letters, max_features=200_000, **common),
        TfidfVectorizer(ngram_range=(1, 2), max_features=200_000, token_pattern=r"(?u)\b\w+\b", **common),
    ]
    found, matrices = [], []
    for count in counts:
        try:
            matrices.append(count.fit_transform(texts))
        except ValueError:  # nothing occurs often enough
            continue
        found.append(count)
    return found, hstack(matrices, format="csr")


def counted(ngrams: Sequence[Any], texts: Sequence[str]) -> Any:
    """The counts of all ways side by side, one sparse row a text."""
    from scipy.sparse import hstack

    return hstack([count.transform(texts) for count in ngrams], format="csr")


def cross_fitted(
    model: Callable[[], Any], matrix: Any, answers: np.ndarray, folds: np.ndarray, classes: int
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Scores of a linear model, each row by one that did not see it, and the mean of these models.

    Parameters
    ----------
    model
        Makes an unfitted linear model of scikit-learn.
    matrix
        Rows x features.
    answers
        Positions of the classes, or numbers.
    folds
        A fold number a row.
    classes
        How many there are; 0 for numbers.

    Returns
    -------
    Scores (rows x 1 for numbers and two classes, else rows x classes), and the mean `coefficients` and `intercepts`.
    """
    width = classes if classes > 2 else 1
    scores = np.zeros((matrix.shape[0], width), dtype=np.float32)
    coefficients, intercepts = np.zeros((matrix.shape[1], width), dtype=np.float32), np.zeros(width)
    numbers = sorted(set(folds.tolist()))
    for fold in numbers:
        inside = folds != fold
        fitted = model().fit(matrix[inside], answers[inside])
        own, base = np.atleast_2d(fitted.coef_).T, np.atleast_1d(fitted.intercept_)
        if width > 1:
            place = np.asarray(fitted.classes_, dtype=int)
            whole, shift = np.zeros((matrix.shape[1], width)), np.full(width, -1.0)  # a class that is not there
            if len(place) > 2:
                whole[:, place], shift[place] = own, base
            else:
                whole[:, place], shift[place] = np.hstack([-own, own]), np.hstack([-base, base])
            own, base = whole, shift
        scores[~inside] = matrix[~inside] @ own + base
        coefficients += own / len(numbers)
        intercepts += base / len(numbers)
    return scores, {"coefficients": coefficients, "intercepts": intercepts}


def linear_scores(matrix: Any, mean: dict[str, np.ndarray]) -> np.ndarray:
    """Scores of rows that no model saw, by the mean of the models that `cross_fitted` returned."""
    return np.asarray(matrix @ mean["coefficients"] + mean["intercepts"], dtype=np.float32)


def text_figures(texts: pd.Series, name: str) -> pd.DataFrame:
    """How each text is written: lengths of words and sentences, variety of words, marks, capitals, digits, links.

    These are what measures of readability are made of (Flesch 1948, Gunning 1952); syllables are counted as
    runs of vowels.
    """

    def figures(text: str) -> dict[str, float]:
        words = re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)?", text)
        sentences = [part for part in re.split(r"[.!?。！？]+", text) if part.strip()] or [""]
        lengths = np.array([len(word) for word in words] or [0])
        syllables = np.array([max(1, len(VOWELS.findall(word.lower()))) for word in words] or [0])
        spans = np.array([len(part.split()) for part in sentences])
        count, letters = max(1, len(words)), max(1, len(text))
        return {
            "letters": len(text),
            "words": len(words),
            "sentences": len(sentences),
            "words_a_sentence": len(words) / len(sentences),
            "longest_sentence": float(spans.max()),
            "word_length": float(lengths.mean()),
            "word_length_spread": float(lengths.std()),
            "long_words": float((lengths > 6).mean()),
            "syllables": float(syllables.mean()),
            "many_syllables": float((syllables > 2).mean()),
            "different_words": len({word.lower() for word in words}) / count,
            "commas": len(re.findall(r"[,;:、，；：]", text)) / count,
            "quotes": len(re.findall(r"[\"“”«»„]", text)) / count,
            "capitals": sum(map(str.isupper, text)) / letters,
            "digits": sum(map(str.isdigit, text)) / letters,
            "exclamations": text.count("!") + text.count("！"),
            "questions": text.count("?") + text.count("？"),
            "signs": len(re.findall(r"[\u2600-\u27bf\U0001f000-\U0001faff]", text)) / count,
            "lines": text.count("\n"),
            "links": len(re.findall(r"https?://|www\.", text)),
            "names_called": len(re.findall(r"(?<!\w)@\w+", text)),
            "numbers": len(re.findall(r"\d+", text)),
        }

    found = pd.DataFrame([figures(text) for text in texts.fillna("").astype(str)], index=texts.index)
    return found.astype("float32").add_prefix(f"{name}_")


def pair_figures(first: Sequence[str], second: Sequence[str], ngrams: Sequence[Any]) -> pd.DataFrame:
    """How much the two texts of each pair have in common: pieces, words, numbers, names, order and length."""

    def tokens(text: str) -> list[str]:
        return list(text.lower()) if UNSPACED.search(text) else re.findall(r"\w+", text.lower())

    def figures(one: str, other: str) -> dict[str, float]:
        a, b = tokens(one), tokens(other)
        shared, every, fewer = len({*a} & {*b}), len({*a} | {*b}), min(len({*a}), len({*b}))
        digits = {*re.findall(r"\d+", one)} ^ {*re.findall(r"\d+", other)}
        names, others = ({*re.findall(r"(?<!^)\b[^\W\d_a-zß-ÿ]\w+", text)} for text in (one, other))
        match = difflib.SequenceMatcher(None, a, b, autojunk=False)
        stretch = match.find_longest_match(0, len(a), 0, len(b)).size
        return {
            "shared": shared / max(1, every),
            "contained": shared / max(1, fewer),
            "order": match.ratio(),
            "stretch": stretch / max(1, min(len(a), len(b))),
            "only_first": len({*a} - {*b}),
            "only_second": len({*b} - {*a}),
            "difference": len(a) - len(b),
            "words": len(a) + len(b),
            "ratio": min(len(one), len(other)) / max(1, len(one), len(other)),
            "digits": len(digits),
            "names": len(names & others) / max(1, len(names | others)),
            "begin": float(a[:1] == b[:1]),
            "end": float(a[-1:] == b[-1:]),
            "same": float(a == b),
        }

    found = pd.DataFrame([figures(*pair) for pair in zip(first, second, strict=True)]).astype("float32")
    for number, count in enumerate(ngrams):
        left, right = count.transform(first), count.transform(second)
        rarity = np.asarray(count.idf_, dtype=np.float32)
        found[f"alike_{number}"] = np.asarray(left.multiply(right).sum(axis=1)).ravel()
        apart = abs(left.sign() - right.sign()).multiply(rarity).tocsr()
        together = left.sign().multiply(right.sign()).multiply(rarity).tocsr()
        found[f"apart_{number}"] = np.asarray(apart.sum(axis=1)).ravel()
        found[f"together_{number}"] = np.asarray(together.sum(axis=1)).ravel()
        found[f"rarest_apart_{number}"] = apart.max(axis=1).toarray().ravel()
    return found


def plain_columns(table: pd.DataFrame) -> pd.DataFrame:
    """Numbers, and a column of zeros and ones for each of a few values of a category."""
    few = [name for name in table.select_dtypes(object) if table[name].nunique() <= 30]
    numbers = table.select_dtypes("number")
    return (numbers.join(pd.get_dummies(table[few], dtype=float)) if few else numbers).astype("float32")


def learn_themes(matrix: Any, size: int) -> Any:
    """The main directions of counts (latent semantic analysis, Deerwester et al. 1990), fitted."""
    from sklearn.decomposition import TruncatedSVD

    rows = np.random.default_rng(0).permutation(matrix.shape[0])[:10_000]
    return TruncatedSVD(min(size, matrix.shape[1] - 1, len(rows) - 1), random_state=0).fit(matrix[rows])


def cosines(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The cosine of each row of `one` with the same row of `other`."""
    lengths = np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
    return np.asarray((one * other).sum(axis=1) / np.maximum(lengths, 1e-9), dtype=np.float32)
