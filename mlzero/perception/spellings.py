"""Labels of a target that differ only in capitals or blanks: which of them are one label, and how it is written."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from mlzero.perception.columns import YES_OR_NO
from mlzero.perception.override import BY_USER, Overrides
from mlzero.perception.profile import ColumnProfile
from mlzero.perception.roles import Roles
from mlzero.perception.task import Inferred
from mlzero.semantic_memory.blocks.columns import letters_of

if TYPE_CHECKING:
    import pandas as pd

FIELD = "spelling"
ONE, APART = "one", "apart"
RARE = 0.05  # share of the rows of a label below which another spelling of a code is a slip
_TOLD = 3  # labels, and spellings of each, that are named
_WORD = re.compile(r"[^\W\d_]{3,}")  # shorter labels are codes, in which capitals may count: m and M, Co and CO

Spelling = Inferred[Literal["one", "apart"] | None]


@dataclass
class Spellings:
    """What was found in the labels of a target."""

    decided: Spelling = field(default_factory=lambda: Spelling(value=None))  # None where each label has one spelling
    labels: list[str] = field(default_factory=list)  # as they are answered, of which other spellings count as the same


def find(column: ColumnProfile, cells: pd.Series, roles: Roles, given: Overrides) -> Spellings:
    """Which labels of a target stand there in several spellings, and whether these count as one.

    Words and labels that differ in blanks alone do. Codes of one or two letters do where they say yes and no, or where one of
    their spellings is rare; labels that the sample of the answer tells apart never do.

    Parameters
    ----------
    cells
        The target in the first training table, or in a part of its rows.
    """
    if column.holds != "text":
        return Spellings()
    counts = Counter({str(text): int(n) for text, n in cells.value_counts().items()})
    for table in roles.train[1:]:
        other = table.column(column.name)
        counts.update(dict(other.top) if other is not None and other.holds == "text" else {})
    groups: dict[str, Counter[str]] = {}
    for text, n in counts.items():
        groups.setdefault(letters_of(text), Counter())[text] += n
    several = {key: group for key, group in groups.items() if len(group) > 1}
    if not several or len(groups) < 2:
        return Spellings()
    if given.spelling is not None:
        labels = [_label(group, set()) for group in several.values()] if given.spelling == ONE else []
        return Spellings(Spelling(value=given.spelling, evidence=BY_USER), labels)
    sample = roles.sample.column(column.name) if roles.sample else None
    shown = {text.strip() for text, _ in sample.top} if sample else set()
    answers = any(set(groups) == pair for pair in YES_OR_NO)
    same = {key: group for key, group in several.items() if _are_one(key, group, shown, answers)}
    if not same:
        one = _quoted(sorted(next(iter(several.values()))))
        said = f'{one} of "{column.name}" are taken for different labels, as codes may differ in capitals alone.'
        return Spellings(Spelling(value=APART, confidence=0.7, evidence=said, alternatives=[ONE]))
    labels = [_label(group, shown) for group in same.values()]
    return Spellings(
        Spelling(value=ONE, confidence=0.9, evidence=_told(column.name, same, labels), alternatives=[APART]), labels
    )


def _told(name: str, same: dict[str, Counter[str]], labels: list[str]) -> str:
    """A sentence on the first few labels that stand there in several spellings."""
    parts: list[str] = []
    for group, label in list(zip(same.values(), labels, strict=True))[:_TOLD]:
        others = sorted(text for text in group if text != label)
        verb = "" if parts else " counts" if len(others) == 1 else " count"
        parts.append(f'{_quoted(others)}{verb} as "{label}"')
    rest = f" and so on for {len(labels) - _TOLD} more" if len(labels) > _TOLD else ""
    return f'In "{name}", {", ".join(parts)}{rest}: only capitals or blanks differ.'


def _quoted(texts: list[str]) -> str:
    return " and ".join(f'"{text}"' for text in texts[:_TOLD])


def _are_one(key: str, group: Counter[str], shown: set[str], answers: bool) -> bool:
    stripped = _stripped(group)
    if len(shown & set(stripped)) > 1:
        return False
    rest = group.total() - max(stripped.values())
    return len(stripped) == 1 or answers or bool(_WORD.search(key)) or rest <= RARE * group.total()


def _label(group: Counter[str], shown: set[str]) -> str:
    """How a label is answered: as the sample shows it, else in its most frequent spelling, without blanks around."""
    stripped = _stripped(group)
    return max(stripped, key=lambda text: (text in shown, stripped[text], text))


def _stripped(group: Counter[str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for text, n in group.items():
        found[text.strip()] += n
    return found


def as_one(column: ColumnProfile, labels: list[str]) -> ColumnProfile:
    """The target's profile with its labels in one spelling each."""
    known = {letters_of(label): label for label in labels}
    found: Counter[str] = Counter()
    for text, n in column.top:
        found[known.get(letters_of(text), text)] += n
    return column.model_copy(
        update={"top": found.most_common(), "unique": column.unique - len(column.top) + len(found)}
    )
