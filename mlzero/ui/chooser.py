"""The choosers: a folder, or files and archives, sent straight to disk."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import streamlit as st

from mlzero.ui.uploads import Upload


def _component() -> Any:
    """Registered anew in every page run: Streamlit forgets components with the runtime that knew them."""
    source = files("mlzero.ui") / "web"
    return st.components.v2.component(
        "mlzero_chooser",
        html=(source / "chooser.html").read_text(encoding="utf-8"),
        css=(source / "chooser.css").read_text(encoding="utf-8"),
        js=(source / "chooser.js").read_text(encoding="utf-8"),
    )


def chooser(key: str, ticket: str, upload: Upload, *, title: str, detail: str, folder: bool) -> str | None:
    """A place to choose or drop data; the id of what took it, in the page run after it is complete.

    The words of the browser are not believed: ask the `Upload` for the truth. Only that it has given up is.

    Parameters
    ----------
    key
        CSS class `st-key-<key>` and, with `_chooser` behind it, the key of the component.
    ticket, upload
        From `uploads.new_upload`.
    folder
        A folder that replaces earlier data, or files that are added to it.
    """
    with st.container(key=key):
        result = _component()(
            key=f"{key}_chooser",
            data={"url": f"/api/upload/{ticket}", "title": title, "detail": detail, "folder": folder},
            on_begun_change=lambda: None,
            on_complete_change=lambda: None,
            on_failed_change=lambda: None,
        )
    if result.failed and upload.active:
        upload.fail(str(result.failed))
    return result.complete or None
