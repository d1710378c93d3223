from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

import pytest

from mlzero.perception.profile import ColumnKind
from mlzero.perception.task import ANSWERS, ProblemType, Role
from mlzero.runs import RunState
from mlzero.ui import texts


@pytest.mark.parametrize(
    ("function", "value", "expected"),
    [
        (texts.duration, None, "–"), (texts.duration, 2.34, "2.3 s"), (texts.duration, 9.97, "10 s"), (texts.duration, 59.6, "1 min"),
        (texts.duration, 75, "1 min 15 s"), (texts.duration, 3600, "1 h"), (texts.duration, 3660, "1 h 1 min"),
        (texts.size, 0, "0 bytes"), (texts.size, 999, "999 bytes"), (texts.size, 82_000, "82 kB"), (texts.size, 3_400_000, "3.4 MB"),
        (texts.size, 5e12, "5000.0 GB"),
        (texts.number, None, "–"), (texts.number, 0.91234, "0.9123"), (texts.number, 123456.7, "123,457"),
        (texts.table, "a.csv", "a.csv"), (texts.table, "b.xlsx#May", "the sheet May of b.xlsx"),
        (texts.listed, None, "none"), (texts.listed, ["a", "b"], "a, b"), (texts.listed, "a", "a"),
    ],
)  # fmt: skip
def test_numbers_as_people_read_them(function: Callable[[Any], str], value: Any, expected: str) -> None:
    assert function(value) == expected


@pytest.mark.parametrize("zone", ["Europe/Berlin", None, "Nowhere/Land", "../etc/passwd"])
def test_moments_survive_any_time_zone(zone: str | None) -> None:
    assert texts.moment(0, zone) == ("01 Jan 1970, 01:00" if zone == "Europe/Berlin" else "01 Jan 1970, 00:00")


@pytest.mark.parametrize(
    "text", ["![x](http://evil/p.png)", "**bold**", "[a](b)", ":material/check:", "<b>", "$x$", "1. a"]
)
def test_labels_hold_no_markup(text: str) -> None:
    escaped = texts.escape(text)
    assert escaped.replace("\\", "") == text
    assert all(escaped[max(0, i - 1)] == "\\" for i, c in enumerate(escaped) if c in "*_[]()<>!:$")


def test_every_word_of_the_engine_has_one_for_people() -> None:
    assert set(texts.STATES) == set(get_args(RunState))
    assert set(texts.PROBLEMS) == set(ANSWERS) == set(get_args(ProblemType))
    assert set(texts.ROLES) == set(get_args(Role))
    assert set(texts.KINDS) == set(get_args(ColumnKind))
    assert set(texts.STATE_COLOURS) == set(texts.STATE_ICONS) == set(texts.STATES.values())
