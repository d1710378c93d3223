from __future__ import annotations

import pytest

from mlzero.perception.task import OutputPlan, RowSource, SeriesPlan
from mlzero.ui.understanding import column_changes, output_text
from tests.tasks import plain_task


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


def test_what_will_be_written() -> None:
    hours = [f"H{number}" for number in range(1, 49)]
    output = OutputPlan(columns=["series", *hours])
    series = SeriesPlan(time="step", item=["series"], horizon=48, frequency="h", start="2024-01-01", seasons=[24])
    assert "No rows to predict" in output_text(plain_task(output=output))
    for asked in ({"test": [RowSource(table="new.csv")]}, {"series": series}):
        said = output_text(plain_task(output=output, **asked))
        assert said == "Predictions are written to predictions.csv with the columns series, H1, H2, …, H48."
