"""What a run hands over: files to take away, a look at the predictions, how the model did."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from mlzero.runs import RunDirectory, RunRecord
from mlzero.ui import downloads, evaluation_view, previews, texts
from mlzero.ui.identity import Visitor
from mlzero.ui.shell import page

LABELS = {
    "predictor": ("Predictor", ":material/package_2:"),
    "predictions": ("Predictions", ":material/table:"),
    "report": ("Report", ":material/description:"),
}


def draw(run: RunDirectory, record: RunRecord, who: Visitor) -> None:
    """Everything to take away; nothing when the run left nothing."""
    if not record.files:
        return
    with st.container(border=True, key="results"):
        st.subheader("Take away", anchor=False)
        links(run, record, who)
        gone = [
            label.lower() for kind, (label, _) in LABELS.items() if kind in record.files and not run.kept(kind, record)
        ]
        if gone:
            st.text(f"No longer in the folder of the run: {', '.join(gone)}.")
        if run.kept("predictor", record):
            st.page_link(
                page("predict"),
                label="Predict new rows here",
                icon=":material/online_prediction:",
                query_params={"predictor": run.id},
            )
        if name := record.files.get("predictions"):
            output = (record.task or {}).get("output", {}).get("value", {})
            _preview(run.path / name, previews.separator_of(output))
    evaluation_view.draw(run, record)


@st.fragment(run_every=downloads.RENEW)
def links(run: RunDirectory, record: RunRecord, who: Visitor) -> None:
    """Download buttons; their links are renewed while the page stays open."""
    with st.container(horizontal=True, key="downloads"):
        for kind, (label, icon) in LABELS.items():
            path = run.kept(kind, record)
            if path is None:
                continue
            with st.container(key=f"download_{kind}", width="content"):
                st.link_button(
                    f"{label} ({texts.size(path.stat().st_size)})",
                    downloads.link(path, path.name, who.cookie),
                    icon=icon,
                    type="primary" if kind == "predictor" else "secondary",
                )


def _preview(path: Path, separator: str) -> None:
    table = previews.head(path, separator=separator)
    if table is None:
        return
    with st.expander("First predictions", icon=":material/table:", key="predictions_preview", expanded=True):
        st.dataframe(table.rows, hide_index=True, alt="First rows of the predictions")
        st.text(table.note)
