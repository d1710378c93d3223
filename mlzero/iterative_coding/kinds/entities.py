"""Entities in sentences: a tag a word, measured by whole entities as CoNLL and the package seqeval do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlzero.iterative_coding import evaluators
from mlzero.iterative_coding.checks import contract_checks
from mlzero.iterative_coding.contract import Check
from mlzero.iterative_coding.kinds import Case, Measure

if TYPE_CHECKING:
    import pandas as pd

    from mlzero.perception.task import Task

Span = tuple[int, int, str]  # first word, word after the last, type
EXAMPLES = 20


def spans(tags: list[str]) -> set[Span]:
    """Entities of a sentence, in any of the schemes IO, IOB1, BIO, BIOES and BILOU.

    An entity goes on as long as tags of its type follow that do not begin a new one.
    """
    found, start, kind, before = set(), 0, "", "O"
    for i, tag in enumerate([*tags, "O"]):
        if tag == "O":
            mark, name = "O", ""
        elif tag[0] in "BIESLUM" and tag[1:2] in ("-", "_"):
            mark, name = tag[0], tag[2:]
        else:  # only the type is written
            mark, name = "I", tag
        ended = kind and (mark in ("O", "B", "S", "U") or name != kind or before in ("E", "S", "L", "U"))
        if ended:
            found.add((start, i, kind))
        if mark != "O" and (ended or not kind):
            start = i
        kind, before = name if mark != "O" else "", mark
    return found


class Entities(Measure):
    """See `Measure`."""

    def check(
        self, predicted: pd.DataFrame, rows: pd.DataFrame, task: Task, known: list[str], where: str
    ) -> list[Check]:
        checks = contract_checks(predicted, rows, task, known, where)
        if not all(c.passed for c in checks):
            return checks
        tags = _tags(predicted, task, rows)
        words = [len(text.split(" ")) for text in rows[_words_of(task)].astype(str)]
        off = [i for i, (said, count) in enumerate(zip(tags, words, strict=True)) if len(said) != count]
        checks.append(Check(
            f"{where}: a tag a word", not off,
            f"{len(off):,} sentences have another number of tags than words, such as {len(tags[off[0]])} for {words[off[0]]}."
            if off else "Every word has its tag.",
        ))  # fmt: skip
        foreign = sorted({tag for said in tags for tag in said} - set(task.labels))
        checks.append(Check(
            f"{where}: tags", not foreign,
            f'"{foreign[0]}" is predicted but is no tag of the data.' if foreign else "Only tags of the data are predicted.",
        ))  # fmt: skip
        loose = sum(_loose(said) for said in tags) if any(tag.startswith("B-") for tag in task.labels) else 0
        checks.append(Check(
            f"{where}: well-formed", loose == 0,
            f"{loose:,} entities go on (I-) without having begun (B-)." if loose else "Every entity has a beginning.",
            fatal=False,
        ))  # fmt: skip
        return checks

    def score(self, metric: str, case: Case) -> float:
        return measured(metric, _tags(case.truth, case.task), _tags(case.predicted, case.task, case.truth))

    def naive(self, metric: str, case: Case) -> tuple[float, str]:
        seen: dict[str, Counter[str]] = {}
        for words, tags in zip(case.train[_words_of(case.task)], case.train[case.target], strict=True):
            for word, tag in zip(str(words).split(" "), str(tags).split(" "), strict=False):
                seen.setdefault(word, Counter())[tag] += 1
        usual = {word: counts.most_common(1)[0][0] for word, counts in seen.items()}
        common = Counter(tag for counts in seen.values() for tag in counts.elements()).most_common(1)
        other = common[0][0] if common else "O"
        guess = [[usual.get(word, other) for word in str(text).split(" ")] for text in case.rows[_words_of(case.task)]]
        return measured(metric, _tags(case.truth, case.task), guess), "gives every word the tag it most often has"

    def evaluate(self, case: Case, folder: Path) -> None:
        """`entities.json`: counts by type; `sentences.json`: the worst sentences in pieces; `worst_examples.json`."""
        real, said = _tags(case.truth, case.task), _tags(case.predicted, case.task, case.truth)
        texts = [str(text).split(" ") for text in case.rows[_words_of(case.task)]]
        sentences = [pieces(texts[i], spans(real[i]), spans(said[i])) for i in _farthest(real, said)]
        for name, data in (
            ("entities", by_type(real, said)),
            ("sentences", {"sentences": sentences}),
            ("worst_examples", _worst(case.rows, texts, real, said)),
        ):
            evaluators.write(folder, name, data)


def measured(metric: str, truth: list[list[str]], predicted: list[list[str]]) -> float:
    """Entity F1 over all sentences, or the share of words with the right tag."""
    if metric == "token_accuracy":
        pairs = [(a, b) for real, said in zip(truth, predicted, strict=True) for a, b in zip(real, said, strict=False)]
        return sum(a == b for a, b in pairs) / max(sum(map(len, truth)), 1)
    right = real_count = said_count = 0
    for real, said in zip(truth, predicted, strict=True):
        a, b = spans(real), spans(said)
        right, real_count, said_count = right + len(a & b), real_count + len(a), said_count + len(b)
    return 2 * right / max(real_count + said_count, 1)


def by_type(truth: list[list[str]], predicted: list[list[str]]) -> dict[str, Any]:
    """`types`: for each type how many entities there are, how many were said, how many of these are right."""
    real, said, right = Counter[str](), Counter[str](), Counter[str]()
    for a, b in zip(map(spans, truth), map(spans, predicted), strict=True):
        for counter, found in ((real, a), (said, b), (right, a & b)):
            counter.update(kind for _, _, kind in found)
    names = [name for name, _ in (real + said).most_common()]
    return {"types": [{"name": n, "real": real[n], "said": said[n], "right": right[n]} for n in names]}


def pieces(words: list[str], real: set[Span], said: set[Span]) -> list[dict[str, str]]:
    """A sentence cut into pieces with `text`, `state` and `kind`.

    `state` is found, missed, wrong (no entity is there, or another one) or empty for words outside of entities.
    """
    truth, answer = ({place: span for span in found for place in range(*span[:2])} for found in (real, said))
    cut: list[tuple[Any, list[str]]] = []
    for place, word in enumerate(words):
        both = (truth.get(place), answer.get(place))
        if not cut or cut[-1][0] != both:
            cut.append((both, []))
        cut[-1][1].append(word)
    return [{"text": " ".join(part), **_state(*both)} for both, part in cut]


def _state(real: Span | None, said: Span | None) -> dict[str, str]:
    if real is None and said is None:
        return {"state": "", "kind": ""}
    if real == said:
        return {"state": "found", "kind": real[2] if real else ""}
    if said is None:
        return {"state": "missed", "kind": real[2] if real else ""}
    return {"state": "wrong", "kind": said[2] if real is None or real[2] == said[2] else f"{said[2]}, not {real[2]}"}


def _farthest(truth: list[list[str]], predicted: list[list[str]]) -> list[int]:
    """Places of the sentences with most wrong entities."""
    off = [len(spans(a) ^ spans(b)) for a, b in zip(truth, predicted, strict=True)]
    return [i for i in sorted(range(len(off)), key=lambda i: -off[i])[:EXAMPLES] if off[i]]


def _worst(
    rows: pd.DataFrame, texts: list[list[str]], truth: list[list[str]], predicted: list[list[str]]
) -> dict[str, Any]:
    """The sentences with most wrong entities, in the form of the other tasks' worst examples."""
    examples = []
    for i in _farthest(truth, predicted):
        real, said = spans(truth[i]), spans(predicted[i])
        entry = evaluators.missed(rows, i, _named(texts[i], real), _named(texts[i], said), len(real ^ said))
        examples.append(entry | {"values": {"sentence": " ".join(texts[i])[: evaluators.LONGEST]}})
    return {"examples": examples}


def _named(words: list[str], found: Iterable[Span]) -> str:
    """`Green Newsfeed (group), London (location)`"""
    return ", ".join(f"{' '.join(words[a:b])} ({kind})" for a, b, kind in sorted(found)) or "nothing"


def _loose(tags: list[str]) -> int:
    """Entities that go on without having begun."""
    before = ["O", *tags]
    return sum(
        tag.startswith("I-") and (prior[:1] not in ("B", "I") or prior[2:] != tag[2:])
        for prior, tag in zip(before, tags, strict=False)
    )


def _tags(frame: pd.DataFrame, task: Task, like: pd.DataFrame | None = None) -> list[list[str]]:
    """The tags of each sentence, in the order of `like`."""
    column = frame[task.targets[0]] if like is None else frame[task.targets[0]].loc[like.index]
    return [str(text).split(" ") for text in column]


def _words_of(task: Task) -> str:
    return next(feature.name for feature in task.features if feature.treat_as == "tokens")


MEASURE = Entities()
