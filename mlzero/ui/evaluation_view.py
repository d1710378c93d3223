"""How the best attempt did on the rows it never saw: a tab for each file that the harness left."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from mlzero.iterative_coding import evaluators
from mlzero.runs import RunDirectory, RunRecord
from mlzero.ui import figures, texts

EXAMPLES = 6  # pictures, recordings or sentences
SIDE = 200  # pixels of a picture
SLIDER = 320  # pixels of two pictures one over the other
STATES = {"found": "green", "missed": "orange", "wrong": "red"}  # of a piece of a sentence


def draw(run: RunDirectory, record: RunRecord) -> None:
    """Nothing when there is no best attempt or it left nothing."""
    if record.best is None:
        return
    folder = run.attempt(record.best) / "evaluation"
    parts: list[tuple[str, Callable[[], None]]] = [
        (title, partial(_figure, title, figure, number))
        for number, (title, figure) in enumerate(figures.evaluation(folder))
    ]
    for name in ("masks", "restored"):
        if examples := evaluators.read(folder, name).get("examples"):
            parts.append(("Given and predicted", partial(_compared, name, examples[:EXAMPLES])))
    if sentences := evaluators.read(folder, "sentences").get("sentences"):
        parts.append(("Sentences", partial(_sentences, sentences[:EXAMPLES])))
    if queries := evaluators.read(folder, "ranked").get("queries"):
        parts.append(("Queries", partial(_queries, queries)))
    if figures.worst(folder):
        parts.append(("Largest misses", partial(_misses, folder, run.data, _media_columns(record))))
    if not parts:
        return
    with st.container(border=True, key="evaluation"):
        st.subheader("On rows the model never saw", anchor=False)
        tabs = st.tabs([texts.escape(title) for title, _ in parts], key="evaluation_tabs")
        for tab, (_, show) in zip(tabs, parts, strict=True):
            with tab:
                show()


def _figure(title: str, figure: Any, number: int) -> None:
    figures.show(figure, f"evaluation_{number}", title)


def _compared(name: str, examples: list[dict[str, Any]]) -> None:
    """Given and predicted pictures, one over the other, with a divider to move."""
    from streamlit_extras.image_compare_slider import image_compare_slider

    with st.container(horizontal=True):
        for number, example in enumerate(examples):
            if all(example[key].startswith(figures.PICTURES) for key in ("image", "predicted")):
                with st.container(width=SLIDER):
                    image_compare_slider(
                        example["image"],
                        example["predicted"],
                        label1="given",
                        label2="predicted",
                        key=f"{name}_{number}",
                    )
                    st.text(example["name"])


def _sentences(sentences: list[list[dict[str, str]]]) -> None:
    """The sentences with most mistakes, entities in colour."""
    st.markdown(" ".join(f":{colour}-background[{state}]" for state, colour in STATES.items()))
    for pieces in sentences:
        st.markdown(coloured(pieces))


def coloured(pieces: list[dict[str, str]]) -> str:
    """Markdown of a sentence in which only the marks of entities are markup."""
    words = []
    for piece in pieces:
        text = texts.escape(piece["text"])
        if colour := STATES.get(piece["state"]):
            text = f":{colour}-background[{text} · {piece['state']}: {texts.escape(piece['kind'])}]"
        words.append(text)
    return " ".join(words)


def _queries(queries: list[dict[str, Any]]) -> None:
    st.text("From the best to the worst; a tick marks the right documents.")
    rows = [
        {
            "Query": query["query"], "Score": texts.number(query["score"]),
            "Top of the list": [f"✓ {one['name']}" if one["right"] else one["name"] for one in query["documents"]],
            "Right but missing": query["missed"],
        }
        for query in queries
    ]  # fmt: skip
    st.dataframe(rows, hide_index=True, alt="Queries with the top of their list of documents")


def _misses(folder: Path, data: Path, columns: dict[str, str]) -> None:
    """The rows that were missed most; their pictures and recordings can be looked at and heard."""
    with st.container(horizontal=True):
        for example in evaluators.read(folder, "worst_examples")["examples"][:EXAMPLES]:
            caption = f"real: {example['true'][:60]}, predicted: {example['predicted'][:60]}"
            for name, kind in columns.items():
                path = inside(data, example["values"].get(name, ""))
                if path is not None:
                    (_picture if kind == "image" else _recording)(path, caption)
    st.dataframe(figures.worst(folder), hide_index=True, alt="Rows that were missed most")


def _media_columns(record: RunRecord) -> dict[str, str]:
    """Columns of pictures and recordings with their kind."""
    features = (record.task or {}).get("features", [])
    return {f["name"]: f["treat_as"] for f in features if f["treat_as"] in ("image", "audio") and not f.get("drop")}


def inside(data: Path, cell: str) -> Path | None:
    """The file that a cell names, when it lies in the upload."""
    if not cell or "\0" in cell:
        return None
    path = (data / cell).resolve()
    return path if path.is_relative_to(data.resolve()) and path.is_file() else None


def _picture(path: Path, caption: str) -> None:
    if small := thumbnail(path, path.stat().st_mtime):
        st.image(small, caption=texts.escape(caption), width=SIDE)


def _recording(path: Path, caption: str) -> None:
    with st.container(width=320):
        st.text(caption)
        st.audio(path)


@st.cache_data(max_entries=200, show_spinner=False)
def thumbnail(path: Path, changed: float) -> bytes | None:
    """A small PNG of a picture last changed at a time; None when it cannot be read."""
    from PIL import Image, ImageOps

    from mlzero.semantic_memory.blocks.dicom import open_picture

    try:
        with open_picture(path) as opened:
            opened.draft("RGB", (2 * SIDE, 2 * SIDE))
            picture = ImageOps.exif_transpose(opened).convert("RGB")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    picture.thumbnail((SIDE, SIDE))
    file = io.BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()
