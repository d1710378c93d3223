"""Cells that hold several numbers in one pattern: `120/80`, `3-1`, `1920x1080`, `205/55 R16`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mlzero.perception.profile import TableProfile
    from mlzero.perception.task import Task

_PATTERN = re.compile(  # numbers as `#`: a sign or an x after the first, then also a letter or two; a unit at the end
    r"#\s*(?:[/×*:–-]|x|X|by)\s*#(?:\s*(?:[/×*:–-]|[A-Za-z]{1,2})\s*#){0,2}(?:\s*[A-Za-z\"'″%]{1,5})?"
)
_HYPHEN = re.compile("[-–]")
_NEARLY_ALL = 0.95  # share of cells that must have the pattern
_AMOUNTS = 20  # different cells from which numbers say more than classes
_DIGITS = 4  # of a number; longer ones are rather codes
_DIGITS_BESIDE_HYPHEN = 3  # 2023-117 is rather the number of a file
_PROBE = 2_000  # different cells that are looked at


def numbers_in(counts: Counter[str]) -> int:
    """How many numbers the cells of a column hold each, in one pattern; 0 for columns of other things.

    Names of rows are none: they have leading zeros, long numbers or a number that counts the rows, or are different
    everywhere with a hyphen or a year in them.
    """
    if len(counts) < _AMOUNTS:
        return 0
    cells = dict(counts.most_common(_PROBE))
    patterns = {text: _number().sub("#", text.strip()) for text in cells}
    often: Counter[str] = Counter()
    for text, rows in cells.items():
        often[patterns[text]] += rows
    pattern, fitting = often.most_common(1)[0]
    if fitting < _NEARLY_ALL * sum(cells.values()) or not _PATTERN.fullmatch(pattern):
        return 0
    found = [_numbers(text) for text in cells if patterns[text] == pattern]
    longest = _DIGITS_BESIDE_HYPHEN if _HYPHEN.search(pattern) else _DIGITS
    if any(_is_code(number, longest) for numbers in found for number in numbers):
        return 0
    columns = [tuple(map(float, numbers)) for numbers in zip(*found, strict=True)]
    hardly_twice = len(cells) >= _NEARLY_ALL * sum(cells.values())
    never_twice = len(counts) == sum(counts.values())
    if (
        all(len(set(values)) == 1 for values in columns)
        or (hardly_twice and any(map(_counts_rows, columns)))
        or (never_twice and _names_cases(pattern, columns))
    ):
        return 0
    return len(columns)


def with_numbers(texts: Iterable[str], count: int) -> list[str]:
    """Those of the texts that hold so many numbers."""
    return [text for text in texts if len(_numbers(text)) == count]


def notes(table: TableProfile, task: Task) -> list[str]:
    """A sentence for each input whose cells are used as several numbers."""
    used = {feature.name for feature in task.used_features if feature.treat_as == "category"}
    return [
        f'"{column.name}" holds {column.parts} numbers in each cell, such as {column.examples[0]}; each is an input of its own.'
        for column in table.columns
        if column.parts and column.name in used
    ]


@cache
def _number() -> re.Pattern[str]:
    """As the block has it that makes numbers of the cells."""
    from mlzero.semantic_memory.blocks.shaping import CELL_NUMBER

    return re.compile(CELL_NUMBER)


def _numbers(text: str) -> list[str]:
    return _number().findall(text.strip())


def _is_code(number: str, longest: int) -> bool:
    whole = number.lstrip("-").partition(".")[0]
    return len(whole) > longest or (len(whole) > 1 and whole[0] == "0")


def _names_cases(pattern: str, columns: Sequence[tuple[float, ...]]) -> bool:
    """Whether cells look like names of cases: 17-231, 231/2017."""
    return bool(_HYPHEN.search(pattern)) or ("/" in pattern and any(map(_years, columns)))


def _years(values: tuple[float, ...]) -> bool:
    return min(values) >= 1900 and max(values) <= 2100


def _counts_rows(values: tuple[float, ...]) -> bool:
    """Whether whole numbers are different everywhere and leave none out."""
    whole = all(value.is_integer() for value in values)
    return whole and len({*values}) == len(values) and max(values) - min(values) + 1 <= 1.02 * len(values)
