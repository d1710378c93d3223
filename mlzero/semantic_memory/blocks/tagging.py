"""Tag the words of sentences with a conditional random field over how words are written and what stands beside them."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pycrfsuite
from sklearn.linear_model import LogisticRegression


def word_shape(word: str) -> str:
    """One sign a run of capitals, small letters or digits, other signs as they are: `McDonald's-20` is `AaAa'a-0`."""
    kinds = ["0" if c.isdigit() else "A" if c.isupper() else "a" if c.isalpha() else c for c in word]
    return re.sub(r"(.)\1+", r"\1", "".join(kinds))


def word_clues(words: Sequence[str], extra: Sequence[Sequence[str]] | None = None) -> list[list[str]]:
    """What a tagger sees of each word: the word, its shape, beginning and ending, and the same of its neighbours.

    Parameters
    ----------
    extra
        Further clues of each word, such as what another tagger says; neighbours see them too.
    """
    lower = [word.lower() for word in words]
    own = []
    for word, low in zip(words, lower, strict=True):
        clues = [f"w={low}", f"s={word_shape(word)}"]
        clues += [f"p={low[:n]}" for n in (2, 3, 4) if len(low) > n] + [
            f"e={low[-n:]}" for n in (2, 3, 4) if len(low) > n
        ]
        own.append(clues)
    found = []
    for i in range(len(words)):
        clues = ["any", *own[i]]
        for step in (-1, 1):
            if 0 <= i + step < len(words):
                clues += [f"{step}{clue}" for clue in own[i + step]]
        for step in (-2, 2):
            if 0 <= i + step < len(words):
                clues += [f"{step}{clue}" for clue in own[i + step][:2]]
        if extra is not None:
            clues += [f"{step}x{clue}" for step in (-1, 0, 1) if 0 <= i + step < len(words) for clue in extra[i + step]]
        clues += ["first"] * (i == 0) + ["last"] * (i == len(words) - 1)
        found.append(clues)
    return found


def fit_field(
    clues: Sequence[Sequence[list[str]]], tags: Sequence[list[str]], path: Path, seconds: float, rounds: int = 100
) -> None:
    """Fit the field and save it; as many rounds of optimisation as fit into the time, `rounds` at the most.

    Few words that always have one tag must not decide alone, hence both penalties.
    """
    begun = time.monotonic()
    trainer = pycrfsuite.Trainer(verbose=False)
    for sentence, answers in zip(clues, tags, strict=True):
        trainer.append(pycrfsuite.ItemSequence(sentence), answers)
    settings = {"c1": 0.05, "c2": 0.02, "feature.possible_transitions": True}
    trainer.set_params(settings | {"max_iterations": 4})
    trainer.train(str(path))
    spent = time.monotonic() - begun
    fitting = int((seconds - spent) / max(spent / 8, 1e-3))  # setting up costs as much as four rounds
    trainer.set_params(settings | {"max_iterations": min(rounds, max(fitting, 12))})
    trainer.train(str(path))


def fit_perceptron(clues: Sequence[Sequence[list[str]]], tags: Sequence[list[str]], path: Path) -> None:
    """Fit the field as an averaged perceptron (Collins 2002) and save it: good after few rounds, each quick."""
    trainer = pycrfsuite.Trainer(algorithm="ap", verbose=False)
    for sentence, answers in zip(clues, tags, strict=True):
        trainer.append(pycrfsuite.ItemSequence(sentence), answers)
    trainer.set_params({"max_iterations": 12, "feature.possible_transitions": True})
    trainer.train(str(path))


def whole_entities(tags: Sequence[str]) -> list[str]:
    """Tags whose entities begin with B: one that goes on without having begun becomes a beginning."""
    mended: list[str] = []
    for tag in tags:
        before = mended[-1] if mended else "O"
        begun = before[:2] in ("B-", "I-") and before[2:] == tag[2:]
        mended.append(f"B-{tag[2:]}" if tag.startswith("I-") and not begun else tag)
    return mended


def learn_opinions(vectors: Sequence[np.ndarray], tags: Sequence[list[str]], path: Path) -> list[list[list[str]]]:
    """Learn the tag of a word from its vector, save it, and say what it thinks of words it was not fitted on.

    Returns
    -------
    list
        Clues of each word of each sentence for `word_clues`, from fits on the other two thirds of the sentences.
    """
    opinions: list[list[list[str]]] = [[] for _ in vectors]
    certain: list[np.ndarray] = [np.zeros(0) for _ in vectors]
    for fold in range(3):
        model = fit_words(
            [v for i, v in enumerate(vectors) if i % 3 != fold], [t for i, t in enumerate(tags) if i % 3 != fold]
        )
        for i in range(fold, len(vectors), 3):
            opinions[i], certain[i] = opinions_of(vectors[i], model)
    model = fit_words(vectors, tags)
    model["other"] = weight_of_other(np.concatenate(certain), np.array([tag != "O" for row in tags for tag in row]))
    joblib.dump(model, path)
    return opinions


def fit_words(vectors: Sequence[np.ndarray], tags: Sequence[list[str]]) -> dict[str, Any]:
    """A linear model of the tag of a word; most words outside entities are left out, which is set right later."""
    x = np.concatenate(list(vectors))
    y = np.array([tag for row in tags for tag in row])
    share = min(1.0, max(20_000, 3 * (y != "O").sum()) / max((y == "O").sum(), 1))
    dice = np.random.default_rng(0)
    kept = (y != "O") | (dice.random(len(y)) < share)
    kept &= dice.random(len(y)) < 60_000 / max(kept.sum(), 1)
    mean, spread = x[kept].mean(0), x[kept].std(0) + 1e-6
    linear = LogisticRegression(C=0.003, max_iter=60).fit((x[kept] - mean) / spread, y[kept])
    return {"mean": mean, "spread": spread, "linear": linear, "share": share}


def opinions_of(vectors: np.ndarray, model: dict[str, Any]) -> tuple[list[list[str]], np.ndarray]:
    """Clues of each word of a sentence (likeliest type, how likely, whether one begins) and its chance of an entity."""
    names = [str(name) for name in model["linear"].classes_]
    chances = model["linear"].predict_proba((vectors - model["mean"]) / model["spread"])
    chances = chances / np.array([model["share"] if name == "O" else 1.0 for name in names])
    chances /= chances.sum(axis=1, keepdims=True)
    types = sorted({name[2:] if name[1:2] in ("-", "_") else name for name in names} - {"O"})
    by_type = np.stack([chances[:, [n == t or n[2:] == t for n in names]].sum(1) for t in types], axis=1)
    begins = chances[:, [name.startswith("B") for name in names]].sum(1)
    inside = by_type.sum(1)

    def steps(chance: float, lowest: int) -> int:
        return int(max(np.log2(chance + 1e-9), lowest))

    clues = [
        [f"in{steps(inside[i], -9)}", f"{types[k]}{steps(by_type[i, k], -7)}", f"begin{steps(begins[i], -7)}"]
        for i, k in enumerate(by_type.argmax(axis=1))
    ]
    return clues, inside


def weight_of_other(chance: np.ndarray, real: np.ndarray) -> float:
    """How much "no entity" should count so that F1 is best: at F1 = f a word is worth tagging from chance f/2 on.

    The f is the best that the given chances reach for single words (Lipton, Elkan and Naryanaswamy 2014).
    """
    order = np.argsort(-chance)
    hits = np.cumsum(real[order])
    best = float((2 * hits / (np.arange(1, len(real) + 1) + max(real.sum(), 1))).max())
    return best / 2 / (1 - best / 2)


def likely_tags(tagger: pycrfsuite.Tagger, clues: list[list[str]], other: float) -> list[str]:
    """The likeliest tag of each word by itself, "O" counting `other` times."""
    tagger.set(pycrfsuite.ItemSequence(clues))
    weights = {label: other if label == "O" else 1.0 for label in tagger.labels()}
    chances = [{label: w * tagger.marginal(label, i) for label, w in weights.items()} for i in range(len(clues))]
    return [max(each, key=lambda label: each[label]) for each in chances]
