"""Tag the words of sentences with a conditional random field over how words are written and what stands beside them."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from pathlib import Path

import pycrfsuite


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
    fitting = int((seconds - spent) / max(spent / 6, 1e-3))  # a first round costs more than a later one
    if fitting > 4:
        trainer.set_params(settings | {"max_iterations": min(rounds, fitting)})
        trainer.train(str(path))


def whole_entities(tags: Sequence[str]) -> list[str]:
    """Tags whose entities begin with B: one that goes on without having begun becomes a beginning."""
    mended: list[str] = []
    for tag in tags:
        before = mended[-1] if mended else "O"
        begun = before[:2] in ("B-", "I-") and before[2:] == tag[2:]
        mended.append(f"B-{tag[2:]}" if tag.startswith("I-") and not begun else tag)
    return mended
