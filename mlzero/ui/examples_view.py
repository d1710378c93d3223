"""Examples of what is to be learnt, on the card: something to look at before the run begins."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import streamlit as st

from mlzero.runs import RunDirectory
from mlzero.ui import figures, texts

WIDTH = 118  # pixels of a picture


def draw(directory: RunDirectory) -> None:
    """What perception left to look at; nothing when it left nothing."""
    folder = directory.perception_dir
    path = folder / "examples.json"
    if not path.is_file():
        return
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    with st.expander("Examples", icon=":material/visibility:", key="card_examples", expanded=found["kind"] != "rows"):
        if found["kind"] == "pictures":
            _pictures(found["items"], folder / "examples")
        elif found["kind"] == "recordings":
            _recordings(found["items"], directory.data)
        elif found["kind"] == "series":
            figures.show(figures.series(found["items"]), "card_series", "Some series")
        else:
            st.dataframe(found["items"], hide_index=True, alt="Some rows as they were read")


def _pictures(items: list[dict[str, str]], folder: Path) -> None:
    with st.container(horizontal=True):
        for item in items:
            path = folder / item["file"]
            if path.is_file():
                st.image(path.read_bytes(), caption=texts.escape(item["caption"]) or None, width=WIDTH)


def _recordings(items: list[dict[str, str]], data: Path) -> None:
    for item in items[:3]:
        path = data / item["file"]
        if path.is_file():
            with st.container(horizontal=True, vertical_alignment="center"):
                st.text(item["caption"], width=120)
                st.audio(path, width=320)
