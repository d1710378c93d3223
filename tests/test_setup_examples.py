"""The bundled examples: complete, small, and understood as they are meant."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

import mlzero

EXAMPLES = Path(__file__).resolve().parents[1] / "assets" / "examples"
MEANT = {
    "gym_members": ("Cancelled", "binary", "roc_auc", "Member No.", 300),
    "used_bicycles": ("sold_for", "regression", "mae", "ad_id", 300),
    "italian_wines": ("wine", "multiclass", "accuracy", None, 0),
}


def test_every_example_has_its_row() -> None:
    assert {path.name for path in EXAMPLES.iterdir()} == set(MEANT)


@pytest.mark.parametrize("name", MEANT)
def test_an_example_is_complete_and_small(name: str) -> None:
    facts = yaml.safe_load((EXAMPLES / name / "example.yaml").read_text(encoding="utf-8"))
    assert set(facts) == {"title", "goal", "description", "licence"} and all(facts.values())
    assert sum(path.stat().st_size for path in (EXAMPLES / name).rglob("*")) < 500_000


@pytest.mark.parametrize("name", MEANT)
def test_an_example_is_understood(name: str) -> None:
    facts = yaml.safe_load((EXAMPLES / name / "example.yaml").read_text(encoding="utf-8"))
    target, problem_type, metric, row_id, rows_to_predict = MEANT[name]
    found = mlzero.inspect(EXAMPLES / name / "data", facts["goal"])
    task = found.task
    assert (task.target.value, task.problem_type.value, task.metric.value) == (target, problem_type, metric)
    assert task.id.value == row_id
    tables = [found.profile.table(source.table) for source in task.test]
    assert sum(table.rows for table in tables if table) == rows_to_predict
    assert not found.profile.problems
