"""What every test gets."""

from __future__ import annotations

from pathlib import Path

import pytest

FILES_OF_KINDS = ("test_kinds.py", "test_hub_run.py", "test_pictures.py")  # about half of the time of all that train


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests last: Playwright keeps an event loop and processes until the end, which disturbs others.

    What trains goes in two groups, for `--dist loadgroup`: more than two trainings on two cores would only wait.
    """
    items.sort(key=lambda item: item.get_closest_marker("e2e") is not None)
    for item in items:
        item.add_marker(pytest.mark.xdist_group("kinds" if item.path.name in FILES_OF_KINDS else "others"))


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder of the program for each test, so that none sees another's runs or the developer's own."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("MLZERO_HOME", str(folder))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")  # plans do not depend on the network of the machine
    return folder
