"""Below new predictions: why one row got its answer."""

from __future__ import annotations

import streamlit as st

from mlzero.predictor.standalone import reasons
from mlzero.runs import RunDirectory, RunRecord
from mlzero.ui import figures, prediction_jobs, row_form, texts
from mlzero.ui.identity import Visitor


def draw(run: RunDirectory, record: RunRecord, job: prediction_jobs.Job, who: Visitor) -> None:
    """Asks for a row and shows what its cells are worth; nothing for predictors that have no reasons to tell."""
    predictor = run.path / record.files["predictor"]
    contract = row_form.contract(predictor)
    if not job.rows or not contract or not reasons.given_for(contract):
        return
    with st.container(border=True, key="why"):
        st.markdown("**Why this answer?**")
        with st.form("why_form", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
            row = st.number_input("Row of your data", 1, value=job.why.row if job.why else 1, key="why_row", width=160)
            sent = st.form_submit_button("Explain", icon=":material/psychology_alt:")
        if sent:
            prediction_jobs.explain(job, int(row), predictor)
        if job.why is None:
            return
        if job.why.state == "working":
            _wait(job.id, who)
        elif job.why.state == "failed":
            st.error(texts.escape(job.why.message), icon=":material/error:")
        else:
            _found(job.why)


@st.fragment(run_every=0.7)
def _wait(job_id: str, who: Visitor) -> None:
    job = prediction_jobs.get(job_id, who.owner)
    if job is None or job.why is None or job.why.state != "working":
        st.rerun()
    st.badge("Trying the row with other cells", icon=":material/hourglass_top:", color="blue")


def _found(why: prediction_jobs.Why) -> None:
    first, *rest = reasons.told(why.found).splitlines()
    st.text(first)
    cells = [cell for cell in why.found["cells"] if cell["effect"]]
    if not cells:
        st.text(rest[0])
        return
    chance = why.found["probability"] is not None
    what = f"probability of {why.found['answer']}" if chance else "answer"
    figure = figures.effects(cells, f"how much higher the {what} is than with the usual value")
    figures.show(figure, f"why_{why.row}", "What each cell of the row is worth")
    st.caption(
        "Each cell alone is replaced by what is usual in the training data. Cells that only matter together show less."
    )
