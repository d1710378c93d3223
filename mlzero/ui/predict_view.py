"""The Predict page: an own predictor, new rows, predictions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from mlzero.registry import registry
from mlzero.runs import RunDirectory, RunRecord
from mlzero.ui import downloads, prediction_jobs, previews, row_form, texts, why_view
from mlzero.ui.chooser import chooser
from mlzero.ui.identity import Visitor, visitor
from mlzero.ui.shell import invite
from mlzero.ui.uploads import new_upload


def draw() -> None:
    """The whole page."""
    who = visitor()
    st.title("Predict", anchor=False)
    st.write("Use a predictor you have trained on new rows.")
    records = [record for record in registry().list(who.owner) if _predictor(record)]
    if not records:
        invite("There is no predictor yet. A run that has ended well leaves one.")
        return
    run, record = _pick(records, who)
    predictor = _predictor(record)
    assert predictor is not None
    job = prediction_jobs.get(st.query_params.get("job", ""), who.owner)
    job = None if job is None or job.state == "new" or job.run != run.id else job
    _ask(run, predictor, job, who)
    if job is not None and job.state != "failed":
        _answers(run, record, job, who)


def _predictor(record: RunRecord) -> Path | None:
    """Where the predictor of a run lies, if it has one still."""
    return RunDirectory(registry().runs / record.id).kept("predictor", record)


def _pick(records: list[RunRecord], who: Visitor) -> tuple[RunDirectory, RunRecord]:
    """The predictor to use; the address may name its run."""
    by_id = {r.id: r for r in records}
    if st.session_state.get("predict_predictor") not in by_id:  # nothing is chosen yet, or it has been deleted
        named = st.query_params.get("predictor", "")
        st.session_state.predict_predictor = named if named in by_id else records[0].id
    chosen = st.selectbox("Predictor", list(by_id), key="predict_predictor", format_func=lambda i: _name(by_id[i]))
    assert chosen is not None
    st.query_params["predictor"] = chosen
    run = registry().get(chosen, who.owner)
    assert run is not None
    return run, by_id[chosen]


def _name(record: RunRecord) -> str:
    goal = record.goal if len(record.goal) <= 70 else f"{record.goal[:70]}…"
    return f"{texts.listed(record.target)} – {goal} (started {texts.moment(record.begun, st.context.timezone)})"


def _ask(run: RunDirectory, predictor: Path, job: prediction_jobs.Job | None, who: Visitor) -> None:
    """Two ways to give rows; why those given last got no answer stands beside the way they came."""
    by_file, by_hand = st.tabs(["A file of new rows", "One row by hand"], key="predict_ways")
    with by_file:
        st.text(_what_to_give(row_form.contract(predictor)))
        if "predict_ticket" not in st.session_state:
            ticket, upload = new_upload(who.cookie, lambda: prediction_jobs.new_job(who.owner))
            st.session_state.predict_ticket, st.session_state.predict_state = ticket, upload
        arrived = chooser(
            "predict_upload",
            st.session_state.predict_ticket,
            st.session_state.predict_state,
            folder=False,
            title="Choose new data",
            detail="or drop it here: a table, several files or a zip",
        )
        if arrived:
            upload = st.session_state.predict_state
            for key in ("predict_ticket", "predict_state"):
                del st.session_state[key]
            if upload.place and upload.state == "complete":
                _start(upload.place, run, predictor, who)
        _failed(job, by_hand=False)
    with by_hand:
        row = row_form.draw(predictor, run.id)
        if row is not None:
            _start(prediction_jobs.give_row(who.owner, row), run, predictor, who)
        _failed(job, by_hand=True)


def _failed(job: prediction_jobs.Job | None, *, by_hand: bool) -> None:
    if job is not None and job.state == "failed" and job.by_hand == by_hand:
        st.error(texts.escape(job.message), icon=":material/error:")


def _what_to_give(contract: dict[str, Any]) -> str:
    """What new data the predictor takes, in a sentence."""
    if row_form.looks_at_files(contract):
        return (
            "Give new files of the kind the predictor learnt from: single ones, a zip of their folder, "
            "or a table that names them together with the files."
        )
    if contract.get("rows_are_files"):
        return "Give new files of numbers like those the predictor learnt from: single ones, or a zip of their folder."
    if files := contract.get("row_files"):
        return (
            f"Give files of numbers like those the predictor learnt from ({files}) as a zip, "
            "with the table whose rows they belong to or alone."
        )
    if contract.get("facts", {}).get("problem_type") == "forecasting":
        return (
            "Give the rows to come, with the same columns as the data the predictor learnt from, "
            "or newer history: then the steps after its end are forecast."
        )
    return (
        "The rows need the same columns as the data the predictor learnt from; what is to be predicted may be missing."
    )


def _start(job_id: str, run: RunDirectory, predictor: Path, who: Visitor) -> None:
    prediction_jobs.start(job_id, who.owner, run, predictor)
    st.query_params["job"] = job_id
    st.rerun()


def _answers(run: RunDirectory, record: RunRecord, job: prediction_jobs.Job, who: Visitor) -> None:
    st.subheader("Predictions", anchor=False)
    if job.state == "working":
        _wait(job.id, who)
    else:
        _result(run, record, job, who)


@st.fragment(run_every=0.7)
def _wait(job_id: str, who: Visitor) -> None:
    job = prediction_jobs.get(job_id, who.owner)
    if job is None or job.state != "working":
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.badge("Predicting", icon=":material/hourglass_top:", color="blue")
        st.text("The predictor is loaded in a process of its own; this takes some seconds.", width="content")


def _result(run: RunDirectory, record: RunRecord, job: prediction_jobs.Job, who: Visitor) -> None:
    path = prediction_jobs.output(job)
    if path is None or not path.is_file():
        st.text("The file is gone. Give the data again.")
        return
    st.text(f"{texts.several(job.rows, 'row')} predicted.")
    for warning in job.warnings:
        st.text(warning)
    output = row_form.contract(run.path / record.files["predictor"]).get("output", {})
    table = previews.head(path, separator=previews.separator_of(output))
    if table is not None:
        st.dataframe(table.rows, hide_index=True, alt="First rows of the new predictions")
        st.text(table.note)
    _link(job, who)
    why_view.draw(run, record, job, who)


@st.fragment(run_every=downloads.RENEW)
def _link(job: prediction_jobs.Job, who: Visitor) -> None:
    path = prediction_jobs.output(job)
    if path is None:
        return
    with st.container(key="download_new_predictions", width="content"):
        st.link_button(
            f"Predictions ({texts.size(path.stat().st_size)})",
            downloads.link(path, path.name, who.cookie),
            type="primary",
            icon=":material/download:",
        )
