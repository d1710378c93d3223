"""The New run page: data, goal, what was understood, start."""

from __future__ import annotations

import shutil

import streamlit as st

from mlzero.errors import UserError
from mlzero.ui import texts, understanding
from mlzero.ui.bundled import Example, examples, lay_example
from mlzero.ui.chooser import chooser
from mlzero.ui.drafts import Draft
from mlzero.ui.identity import visitor
from mlzero.ui.shell import ASSETS, page
from mlzero.ui.uploads import Upload, new_upload

TIMES = {60: "1 min", 120: "2 min", 300: "5 min", 900: "15 min", 3600: "1 hour"}
DEFAULT_TIME = 120
OF_A_DRAFT = ("draft", "upload_ticket", "upload_state", "start_wanted", "start_note", "reading")  # keys of the session
PLACEHOLDER = "For example: Predict whether a customer will leave next month. It matters most to find those who do."


def draw() -> None:
    """The whole page."""
    draft, upload = _draft_and_upload()
    if draft.started():  # another event of this page came between the start and the way to the run
        _to_the_run(draft)
    st.title("Train a predictor", anchor=False)
    st.write("Give your data and say in plain words what you want. You get a predictor, tested on rows it never saw.")
    _data(draft)
    goal = _goal()
    if draft.has_data() and not upload.active:
        draft.ask(goal)
        directory = draft.directory()
        assert directory is not None
        understanding.draw(draft, directory, goal, upload.notes)
    with st.bottom:
        _start_bar(draft, upload, goal)


def _draft_and_upload() -> tuple[Draft, Upload]:
    """Those of this browser session; a draft named in the address is taken up again after a reload."""
    who = visitor()
    state = st.session_state
    if "draft" not in state or state.draft.owner != who.owner:
        state.draft = Draft(who.owner)
        if named := st.query_params.get("draft"):
            state.goal = state.draft.restore(named)
        state.upload_ticket, state.upload_state = new_upload(who.cookie, state.draft.place)
    draft: Draft = state.draft
    if draft.run_id and st.query_params.get("draft") != draft.run_id:
        st.query_params["draft"] = draft.run_id
    return draft, state.upload_state


# -- data


def _data(draft: Draft) -> None:
    st.subheader("1 · Your data", anchor=False)
    left, right = st.columns([3, 2])
    ticket, upload = st.session_state.upload_ticket, st.session_state.upload_state
    with left:
        folder_done = chooser(
            "upload",
            ticket,
            upload,
            folder=True,
            title="Choose a folder",
            detail="or drop it here. All files in it are used.",
        )
    with right:
        files_done = chooser(
            "upload_files",
            ticket,
            upload,
            folder=False,
            title="Add files or a zip",
            detail="one or several, or drop them here",
        )
    if folder_done or files_done:
        draft.changed()
        st.rerun()
    _examples(draft)
    if draft.has_data():
        _holdings(draft)


def _examples(draft: Draft) -> None:
    found = examples(ASSETS / "examples")
    if not found:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="examples"):
        st.text("No data at hand? Try an example:", width="content")
        for example in found:
            st.button(
                texts.escape(example.title),
                key=f"example_{example.name}",
                help=texts.escape(example.description) or None,
                on_click=_take_example,
                args=(draft, example),
                icon=":material/dataset:",
            )


def _take_example(draft: Draft, example: Example) -> None:
    _, folder = draft.place()
    shutil.rmtree(folder / "perception", ignore_errors=True)
    shutil.rmtree(folder / "data", ignore_errors=True)
    (folder / "data").mkdir()
    try:
        lay_example(example, folder / "data")
    except UserError as error:
        st.session_state.start_note = str(error)
        return
    draft.changed()
    st.session_state.goal = example.goal


def _holdings(draft: Draft) -> None:
    count, size = draft.holdings()
    with st.container(horizontal=True, vertical_alignment="center", key="holdings"):
        st.badge("Data received", icon=":material/check:", color="green")
        st.text(f"{texts.several(count, 'file')}, {texts.size(size)}", width="content")
        st.button("Remove", key="remove_data", icon=":material/close:", type="tertiary", on_click=_remove)


def _remove() -> None:
    st.session_state.draft.discard()
    _forget()
    st.query_params.clear()


# -- goal and start


def _goal() -> str:
    st.subheader("2 · Your goal", anchor=False)
    written = st.text_area(
        "What do you want?",
        key="goal",
        placeholder=PLACEHOLDER,
        height=96,
        max_chars=4000,
        label_visibility="collapsed",
        persist_state="session",
    )
    return (written or "").strip()


def _start_bar(draft: Draft, upload: Upload, goal: str) -> None:
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    with left:
        limit = st.segmented_control(
            "Time to spend",
            list(TIMES),
            default=DEFAULT_TIME,
            required=True,
            format_func=TIMES.__getitem__,
            key="time_limit",
        )
    with right:
        clicked = st.button(
            "Start",
            key="start",
            type="primary",
            icon=":material/play_arrow:",
            width="stretch",
        )
    if clicked:
        st.session_state.start_wanted = True
        st.session_state.pop("start_note", None)
    if st.session_state.get("start_wanted"):
        _try_to_start(draft, upload, goal, float(limit or DEFAULT_TIME))
    if note := st.session_state.get("start_note"):
        st.warning(note, icon=":material/info:")


def _try_to_start(draft: Draft, upload: Upload, goal: str, limit: float) -> None:
    """Start, or say what is missing; while data is on its way the wish to start is kept."""
    state = st.session_state
    if upload.active:
        state.start_note = "The run starts as soon as the upload is complete."
        return
    state.pop("start_note", None)
    state.start_wanted = False
    if upload.state == "failed":
        upload.state = "waiting"  # said once; the next click goes on without it
        state.start_note = "The last upload did not work. Choose it again, or press Start to go on without it."
    elif not draft.has_data():
        state.start_note = "Choose your data first."
    elif not goal:
        state.start_note = "Say in the box what you want to predict."
    else:
        try:
            draft.start(goal, limit)
        except FileNotFoundError:
            state.start_note = "The data was deleted in another window. Choose it again."
            return
        _to_the_run(draft)


def _to_the_run(draft: Draft) -> None:
    st.switch_page(page("run"), query_params={"run": str(draft.run_id)})


def forget_started() -> None:
    """Begin anew when the visitor comes back: the draft has become a run."""
    draft = st.session_state.get("draft")
    if draft is not None and draft.started():
        _forget("goal")


def _forget(*more: str) -> None:
    for key in (*OF_A_DRAFT, *more):
        st.session_state.pop(key, None)
