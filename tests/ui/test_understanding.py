from __future__ import annotations

import pytest

from mlzero.ui.understanding import column_changes


def row(name: str, use: bool = True, kind: str = "number") -> dict[str, object]:
    return {"Use": use, "Column": name, "As": kind}


@pytest.mark.parametrize(
    ("overrides", "before", "after", "expected"),
    [
        ({}, [row("a"), row("b")], [row("a"), row("b")], {}),
        ({}, [row("a"), row("b")], [row("a", use=False), row("b")], {"drop": "a", "keep": ""}),
        (
            {"drop": "b"},
            [row("a"), row("b", use=False)],
            [row("a", use=False), row("b", use=False)],
            {"drop": "b,a", "keep": ""},
        ),
        ({"drop": "a,b"}, [row("a", use=False)], [row("a")], {"drop": "b", "keep": "a"}),
        ({}, [row("a")], [row("a", kind="category")], {"type:a": "category"}),
    ],
)
def test_an_edited_column_table_becomes_corrections(
    overrides: dict[str, str], before: list[dict[str, object]], after: list[dict[str, object]], expected: dict[str, str]
) -> None:
    assert column_changes(overrides, before, after) == expected
