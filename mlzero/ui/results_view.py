"""What a run hands over: files to take away, a look at the predictions, figures of the evaluation."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from mlzero.runs import RunDirectory, RunRecord
from mlzero.ui import downloads, figures, previews, texts
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
        if "predictor" in record.files:
            st.page_link(
                page("predict"),
                label="Predict new rows here",
                icon=":material/online_prediction:",
                query_params={"predictor": run.id},
            )
        if name := record.files.get("predictions"):
            _preview(run.path / name)
    _figures(run, record)


@st.fragment(run_every=downloads.RENEW)
def links(run: RunDirectory, record: RunRecord, who: Visitor) -> None:
    """Download buttons; their links are renewed while the page stays open."""
    with st.container(horizontal=True, key="downloads"):
        for kind, (label, icon) in LABELS.items():
            name = record.files.get(kind)
            path = run.path / name if name else None
            if path is None or not path.is_file():
                continue
            with st.container(key=f"download_{kind}", width="content"):
                st.link_button(
                    f"{label} ({texts.size(path.stat().st_size)})",
                    downloads.link(path, path.name, who.cookie),
                    icon=icon,
                    type="primary" if kind == "predictor" else "secondary",
                )


def _preview(path: Path) -> None:
    table = previews.head(path)
    if table is None:
        return
    with st.expander("First predictions", icon=":material/table:", key="predictions_preview", expanded=True):
        st.dataframe(table.rows, hide_index=True, alt="First rows of the predictions")
        st.text(table.note)


def _figures(run: RunDirectory, record: RunRecord) -> None:
    """How the best attempt did on the rows it never saw, as far as the harness left data for it."""
    if record.best is None:
        return
    found = [
        (name, figure)
        for name, figure in figures.evaluation(run.attempt(record.best) / "evaluation")
        if figure is not None
    ]
    worst = figures.worst(run.attempt(record.best) / "evaluation")
    if not found and not worst:
        return
    with st.container(border=True, key="evaluation"):
        st.subheader("On rows the model never saw", anchor=False)
        titles = [title for title, _ in found] + (["Largest misses"] if worst else [])
        for tab, index in zip(
            st.tabs([texts.escape(t) for t in titles], key="evaluation_tabs"), range(len(titles)), strict=True
        ):
            with tab:
                if index < len(found):
                    st.plotly_chart(
                        found[index][1], key=f"evaluation_{index}", config={"displayModeBar": False}, alt=titles[index]
                    )
                else:
                    st.dataframe(worst, hide_index=True, alt="Rows that were missed most")
