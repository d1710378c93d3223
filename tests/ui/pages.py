"""Pages without a browser: how they are opened, what they say, and a run for them to show."""

from __future__ import annotations

import time
from pathlib import Path

from streamlit.testing.v1 import AppTest

from mlzero.registry import Registry
from mlzero.runs import RunDirectory
from mlzero.ui.identity import LOCAL

APP = str(Path(__file__).resolve().parents[2] / "app.py")


def open_page(page: str | None = None, **query: str) -> AppTest:
    """A page, the first one by default, at an address with a query."""
    at = AppTest.from_file(APP, default_timeout=120)  # seconds; libraries of language models load slowly
    for name, value in query.items():
        at.query_params[name] = value
    if page:
        at.switch_page(f"pages/{page}.py")
    at.run()
    assert not at.exception, at.exception
    return at


def said(at: AppTest) -> str:
    """Everything the page says, as one text."""
    parts = [*at.title, *at.subheader, *at.text, *at.markdown, *at.info, *at.warning, *at.error]
    return "\n".join(str(p.value) for p in parts).replace("\\", "")


def ended(registry: Registry, state: str = "done", **changes: object) -> RunDirectory:
    """A run of the local user in a state that it does not leave by itself."""
    run = registry.draft(LOCAL)
    facts = {"goal": "Predict left", "started": time.time() - 60, "finished": time.time(), "target": "left"} | changes
    run.update(state=state, **facts)
    return run
