"""A draft that another window deletes between a look at it and its use."""

from __future__ import annotations

import pytest

from mlzero.registry import Registry
from mlzero.runs import RunDirectory
from mlzero.ui.drafts import Draft
from mlzero.ui.identity import LOCAL


@pytest.fixture
def deleted(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> Draft:
    """A draft that was there at the first look and is gone right after it."""
    draft = Draft(LOCAL)
    draft.place()
    look = draft.directory

    def look_and_lose() -> RunDirectory | None:
        found = look()
        if found is not None:
            registry.delete(found.id)
        return found

    monkeypatch.setattr(draft, "directory", look_and_lose)
    return draft


def test_a_question_about_deleted_data_is_let_go(deleted: Draft, registry: Registry) -> None:
    deleted.ask("Predict left")
    assert registry.list(LOCAL, drafts=True) == [] and not any(registry.runs.iterdir())


def test_deleted_data_holds_nothing(deleted: Draft) -> None:
    assert deleted.has_data() is False
    assert deleted.holdings() == (0, 0)
