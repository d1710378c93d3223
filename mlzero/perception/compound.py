"""Cells that hold several numbers in one pattern: `120/80`, `3-1`, `1920x1080`, `205/55 R16`."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mlzero.perception.profile import TableProfile
    from mlzero.perception.task import Task

_NUMBER = re.compile(r"(?:(?:^|(?<=[/:×*]))-)?\d+(?:\.\d+)?")  # a hyphen after a number is no sign
_PATTERN = re.compile(  # numbers as `#`: a sign or an x after the first, then also a letter or two; a unit at the end
    r"#\s*(?:[/×*:–-]|x|X|by)\s*#(?:\s*(?:[/×*:–-]|[A-Za-z]{1,2})\s*#){0,2}(?:\s*[A-Za-z\"'″%]{1,5})?"
)
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
    patterns: Counter[str] = Counter()
    for text, n in cells.items():
        patterns[_NUMBER.sub("#", text.strip())] += n
    pattern, often = patterns.most_common(1)[0]
    if often < _NEARLY_ALL * sum(cells.values()) or not _PATTERN.fullmatch(pattern):
        return 0
    found = [_NUMBER.findall(text) for text in cells if _NUMBER.sub("#", text.strip()) == pattern]
    most = _DIGITS_BESIDE_HYPHEN if re.search("[-–]", pattern) else _DIGITS
    if any(_code(number, most) for row in found for number in row):
        return 0
    columns = list(zip(*([float(number) for number in row] for row in found), strict=True))
    once = len(cells) >= _NEARLY_ALL * sum(cells.values())
    if (once and any(_counts_rows(column) for column in columns)) or all(len({*column}) == 1 for column in columns):
        return 0
    hyphen, different = bool(re.search("[-–]", pattern)), len(counts) == sum(counts.values())
    if different and (hyphen or ("/" in pattern and any(map(_years, columns)))):
        return 0  # 17-231 and 231/2017 name cases where none comes twice
    return len(columns)


def notes(table: TableProfile, task: Task) -> list[str]:
    """A sentence for each input whose cells are used as several numbers."""
    used = {feature.name for feature in task.used_features if feature.treat_as == "category"}
    return [
        f'"{column.name}" holds {column.parts} numbers in each cell, such as {column.examples[0]}; each is an input of its own.'
        for column in table.columns
        if column.parts and column.name in used
    ]


def _code(number: str, most: int) -> bool:
    whole = number.lstrip("-").partition(".")[0]
    return len(whole) > most or (len(whole) > 1 and whole[0] == "0")


def _years(values: tuple[float, ...]) -> bool:
    return min(values) >= 1900 and max(values) <= 2100


def _counts_rows(values: tuple[float, ...]) -> bool:
    """Whether whole numbers are different everywhere and leave none out."""
    whole = all(value.is_integer() for value in values)
    return whole and len({*values}) == len(values) and max(values) - min(values) + 1 <= 1.02 * len(values)
