"""Charts: plotly figures in colours that read on light and dark pages."""

from __future__ import annotations

import html
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from mlzero.iterative_coding.evaluators import read, rounded
from mlzero.iterative_coding.outcome import time_unit
from mlzero.ui.figures import lines, pictures, tables
from mlzero.ui.figures.base import BEST, DOT, NAIVE, PICTURES, empty
from mlzero.ui.figures.lines import series
from mlzero.ui.figures.tables import effects
from mlzero.ui.story import Story

if TYPE_CHECKING:
    import plotly.graph_objects as go

__all__ = ["PICTURES", "effects", "evaluation", "progress", "series", "show", "worst"]


def show(figure: go.Figure, key: str, alt: str) -> None:
    """Draw a figure on the page; `alt` says for those who cannot see it what it shows."""
    import plotly.io

    # A colour that Streamlit's template stands for: the browser puts the one of the page's text in its place.
    ink = plotly.io.templates["streamlit"].data.table[0].cells.font.color
    figure.update_traces(textfont_color=ink, selector={"type": "heatmap"})
    st.plotly_chart(figure, key=key, config={"displayModeBar": False}, alt=alt)


def progress(so_far: Story, metric: str, higher_is_better: bool) -> go.Figure | None:
    """Best score over the run's time as steps, single attempts as dots, the naive guess as a line."""
    if not so_far.bests:
        return None
    end = max(so_far.last - (so_far.begun or so_far.last), so_far.bests[-1][0])
    unit, length = time_unit(end)
    scores = [best.score for _, best in so_far.bests]
    better = "higher" if higher_is_better else "lower"
    figure = empty(f"{unit} since the start", f"{html.escape(metric)} ({better} is better)")
    figure.add_scatter(
        x=[*(when / length for when, _ in so_far.bests), end / length],
        y=[*scores, scores[-1]],
        mode="lines",
        name="Best so far",
        line={"shape": "hv", "width": 3, "color": BEST},
        hovertemplate=f"%{{y:,.4~r}} after %{{x:.3~g}} {unit}<extra></extra>",
    )
    figure.add_scatter(
        x=[when / length for when, _, _ in so_far.scores],
        y=[s[2] for s in so_far.scores],
        mode="markers",
        name="Attempts",
        marker={"size": 10, "color": DOT},
        text=[f"Attempt {s[1]}" for s in so_far.scores],
        hovertemplate="%{text}: %{y:,.4~r}<extra></extra>",
    )
    baseline = so_far.bests[-1][1].baseline
    if baseline is not None:
        figure.add_scatter(
            x=[0, end / length],
            y=[baseline, baseline],
            mode="lines",
            name="Naive guess",
            line={"dash": "dash", "width": 2, "color": NAIVE},
            hovertemplate="naive guess %{y:,.4~r}<extra></extra>",
        )
    figure.update_xaxes(rangemode="tozero")
    return figure


def evaluation(folder: Path) -> Iterator[tuple[str, go.Figure]]:
    """Titles and figures from the JSON files in an attempt's `evaluation` folder."""
    if matrix := read(folder, "confusion_matrix"):
        yield "Real against predicted classes", tables.confusion(matrix)
    if curves := read(folder, "curves"):
        yield (
            "Found against false alarms",
            tables.curve(curves["roc"], "false alarms", f"found of {html.escape(curves['positive'])}", True),
        )
        yield "Precision", tables.curve(curves["precision_recall"], "found", "of these right", False)
    if labels := read(folder, "label_scores"):
        yield "Labels", tables.labels(labels["labels"])
    if types := read(folder, "entities").get("types"):
        yield "Found by type", tables.labels(types, "entities")
    if ranked := read(folder, "ranked"):
        yield "First right document", tables.first_right(ranked["first"])
    if forecasts := read(folder, "forecast").get("series"):
        yield "Forecasts", lines.forecast(forecasts)
    if len((ahead := read(folder, "steps")).get("step", [])) > 1:
        yield "Error by steps ahead", lines.steps(ahead)
    if columns := [c for c in read(folder, "importance").get("columns", []) if c["loss"] > 0]:
        yield "What matters most", tables.importance(columns[:15])
    if masks := read(folder, "masks"):
        yield "Overlap by class", pictures.by_class(masks["classes"], "iou", "overlap with the true area (IoU)")
    if boxes := read(folder, "boxes"):
        measure = "average precision of boxes that overlap by half (IoU 0.5)"
        yield "Precision by class", pictures.by_class(boxes["classes"], "precision", measure)
    for title, name in (("Masks", "masks"), ("Boxes", "boxes"), ("Pictures", "restored")):
        if examples := read(folder, name).get("examples"):
            yield f"{title}: real and predicted", pictures.examples(examples)
    for target, pairs in read(folder, "predicted_against_true").get("targets", {}).items():
        yield f"Real against predicted {target}"[:60], tables.scatter(target, pairs)


def worst(folder: Path) -> list[dict[str, str]]:
    """The rows that were missed most, as records: real, predicted, the probability that was asked for, some columns."""
    found = read(folder, "worst_examples")
    records = []
    for example in found.get("examples", [])[:10]:
        record = {"Real": example["true"], "Predicted": example["predicted"]}
        if "chance" in example:
            record[f"Probability of {found['chance_of']}"] = str(example["chance"])
        record |= {str(name): str(value) for name, value in list(example["values"].items())[:12]}
        records.append({name: rounded(cell) for name, cell in record.items()})
    return records
