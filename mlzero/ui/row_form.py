"""One row typed by hand, into a form made from the predictor's own list of columns."""

from __future__ import annotations

import functools
import json
import logging
import zipfile
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from mlzero.perception.profile import FILES
from mlzero.semantic_memory.blocks.columns import to_date, to_number
from mlzero.ui import texts

log = logging.getLogger(__name__)

PER_LINE = 3
LONG = frozenset({"text", "tokens"})  # kinds of columns whose cells are sentences
MAX_FIELDS = 120  # beyond this, a file is the better way
MAX_CONTRACT = 5_000_000  # bytes


def contract(predictor: Path) -> dict[str, Any]:
    """`contract.json` of a predictor, empty when it has none that can be read."""
    return _contract(str(predictor), predictor.stat().st_mtime_ns)


@functools.lru_cache(maxsize=32)
def _contract(predictor: str, _: int) -> dict[str, Any]:
    try:
        with zipfile.ZipFile(predictor) as archive:
            name = next((n for n in archive.namelist() if n.rpartition("/")[2] == "contract.json"), None)
            if name is None or archive.getinfo(name).file_size > MAX_CONTRACT:
                return {}
            content: dict[str, Any] = json.loads(archive.read(name))
            return content
    except (zipfile.BadZipFile, ValueError) as error:
        log.warning("%s is damaged: %s", predictor, error)
        return {}


def draw(predictor: Path, key: str) -> dict[str, str] | None:
    """The form; the row in the moment it is sent and can be read, else None. Empty fields stay empty cells."""
    columns = [c for c in contract(predictor).get("columns", []) if c.get("name")]
    if reason := _not_by_hand(contract(predictor), columns):
        st.text(f"{reason} Give a file instead.")
        return None
    with st.form(f"row_{key}"):
        row: dict[str, str] = {}
        for begin in range(0, len(columns), PER_LINE):
            line = st.columns(min(PER_LINE, len(columns)))
            for place, column in zip(line, columns[begin : begin + PER_LINE], strict=False):
                with place:
                    row[column["name"]] = _field(column, f"{key}_{column['name']}")
        sent = st.form_submit_button("Predict this row", type="primary", icon=":material/online_prediction:")
    if not sent:
        return None
    if not any(row.values()):
        st.warning("Fill in at least one field.")
        return None
    wrong = [problem for column in columns if (problem := misfit(column, row[column["name"]]))]
    for problem in wrong:
        st.warning(texts.escape(problem))
    return None if wrong else row


def looks_at_files(contract: dict[str, Any]) -> bool:
    """Whether pictures, recordings or documents are among what a predictor is given."""
    return any(column.get("kind") in FILES for column in contract.get("columns", []))


def _not_by_hand(contract: dict[str, Any], columns: list[dict[str, Any]]) -> str:
    """Why no row can be typed for a predictor; empty when one can."""
    if looks_at_files(contract):
        return "This predictor looks at pictures, recordings or documents, which cannot be typed."
    if contract.get("row_files"):
        return "This predictor looks at a file of numbers for each row, which cannot be typed."
    if not columns or len(columns) > MAX_FIELDS:
        return "This predictor has no short list of columns to fill in."
    return ""


def misfit(column: dict[str, Any], typed: str) -> str:
    """A sentence when the cell is none of its column's kind, and would be read as empty; else nothing."""
    kind = column.get("kind")
    if not typed.strip() or kind not in ("number", "date"):
        return ""
    cell = pd.Series([typed])
    if (to_number(cell) if kind == "number" else to_date(cell, pattern="mixed")).notna().all():
        return ""
    such = f", such as {column['typical']}" if column.get("typical") else ""
    return f"{column['name']}: '{typed.strip()}' is no {kind}. Write one{such}, or leave the field empty."


def _field(column: dict[str, Any], key: str) -> str:
    """One input; what the person typed, as the text of a cell.

    The name stands above it as a text of its own: as a label it would need escapes, which screen readers read out.
    """
    with st.container(gap="xxsmall"):
        st.markdown(f":small[{texts.escape(str(column['name']))}]")
        return _input(column, str(column["name"]), key)


def _input(column: dict[str, Any], label: str, key: str) -> str:
    choices = [str(c) for c in column.get("choices") or []]
    if choices:
        chosen = st.selectbox(
            label, choices, index=None, key=f"cell_{key}", placeholder="not known", accept_new_options=True,
            label_visibility="collapsed",
        )  # fmt: skip
        return chosen or ""
    typical = str(column.get("typical") or "")[:60]
    such = f"such as {typical}" if typical else ""
    if column.get("kind") in LONG:
        return st.text_area(label, key=f"cell_{key}", placeholder=such, label_visibility="collapsed", height=90) or ""
    return st.text_input(label, key=f"cell_{key}", placeholder=such, label_visibility="collapsed") or ""
