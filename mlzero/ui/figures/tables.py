"""Figures about rows, labels and rankings."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from mlzero.iterative_coding.outcome import spoken
from mlzero.predictor.standalone.reasons import usual_of
from mlzero.ui.figures.base import BEST, DOT, HEIGHT, NAIVE, empty

if TYPE_CHECKING:
    import plotly.graph_objects as go

SCALE = [[0.0, "rgba(26,148,132,0.04)"], [1.0, "rgba(26,148,132,0.6)"]]  # pale enough to read numbers on


def confusion(data: dict[str, Any]) -> go.Figure:
    """Real against predicted classes: `labels`, and `matrix` of counts (real × predicted)."""
    labels = [html.escape(str(label)) for label in data["labels"]]
    figure = empty("predicted", "real")
    figure.add_heatmap(
        z=data["matrix"],
        x=labels,
        y=labels,
        colorscale=SCALE,
        showscale=False,
        xgap=2,
        ygap=2,
        texttemplate="%{z}" if len(labels) <= 12 else None,
        hovertemplate="real %{y}, predicted %{x}: %{z} rows<extra></extra>",
    )
    figure.update_layout(height=max(HEIGHT, min(640, 60 + 34 * len(labels))))
    figure.update_xaxes(type="category", showgrid=False)
    figure.update_yaxes(type="category", showgrid=False, autorange="reversed")
    return figure


def importance(columns: list[dict[str, Any]]) -> go.Figure:
    """What the score loses by `column`: `loss`, the largest first."""
    return _bars(
        "score lost when the column is shuffled",
        [c["column"][:40] for c in columns],
        [c["loss"] for c in columns],
        [f"{c['column'][:60]}: {spoken(c['loss'])}" for c in columns],
    )


def effects(cells: list[dict[str, Any]], title: str) -> go.Figure:
    """What the cells of a row are worth, as bars to both sides."""
    return _bars(
        title,
        [f"{c['column'][:40]}: {c['value'][:30] or 'nothing'}" for c in cells],
        [c["effect"] for c in cells],
        [f"{c['column'][:60]}: {c['effect']:+.4g}\nusual: {usual_of(c)}" for c in cells],
    )


def _bars(title: str, names: list[str], lengths: list[float], details: list[str]) -> go.Figure:
    """Bars that lie, the first on top; each has its place, so that those of the same name stay apart."""
    figure = empty(html.escape(title), "")
    places = list(range(len(names)))
    figure.add_bar(
        x=lengths,
        y=places,
        customdata=[html.escape(detail).replace("\n", "<br>") for detail in details],
        orientation="h",
        marker_color=[BEST if length > 0 else NAIVE for length in lengths],
        hovertemplate="%{customdata}<extra></extra>",
    )
    figure.update_layout(height=max(HEIGHT, 60 + 24 * len(names)))
    figure.update_yaxes(tickvals=places, ticktext=[html.escape(name) for name in names], autorange="reversed")
    return figure


def curve(points: list[list[float]], x: str, y: str, diagonal: bool) -> go.Figure:
    """A line through [x, y] pairs of shares from 0 to 1; `diagonal`: what chance would give."""
    figure = empty(x, y)
    figure.add_scatter(
        x=[p[0] for p in points],
        y=[p[1] for p in points],
        mode="lines",
        line={"width": 3, "color": BEST},
        showlegend=False,
        hovertemplate="%{x:.0%}, %{y:.0%}<extra></extra>",
    )
    if diagonal:
        figure.add_scatter(
            x=[0, 1],
            y=[0, 1],
            mode="lines",
            line={"dash": "dash", "width": 2, "color": NAIVE},
            showlegend=False,
            hoverinfo="skip",
        )
    figure.update_xaxes(tickformat=".0%")
    figure.update_yaxes(tickformat=".0%")
    return figure


def scatter(target: str, pairs: dict[str, list[float]]) -> go.Figure:
    """Predicted against real numbers: `true`, `predicted`; points on the dashed line are exact."""
    name = html.escape(target)
    figure = empty(f"real {name}", f"predicted {name}")
    both = [v for v in (*pairs["true"], *pairs["predicted"]) if v is not None]
    figure.add_scatter(
        x=[min(both), max(both)],
        y=[min(both), max(both)],
        mode="lines",
        showlegend=False,
        hoverinfo="skip",
        line={"dash": "dash", "width": 2, "color": NAIVE},
    )
    figure.add_scatter(
        x=pairs["true"],
        y=pairs["predicted"],
        mode="markers",
        marker={"size": 7, "color": BEST, "opacity": 0.6},
        showlegend=False,
        hovertemplate="real %{x:,.4~r}, predicted %{y:,.4~r}<extra></extra>",
    )
    return figure


def labels(labels: list[dict[str, Any]], counted: str = "rows") -> go.Figure:
    """How often each label is there, is predicted, and is predicted rightly: `name`, `real`, `said`, `right`."""
    names = [html.escape(str(label["name"])) for label in labels]
    figure = empty(counted, "")
    for key, name, colour in (
        ("real", "really there", NAIVE),
        ("said", "predicted", DOT),
        ("right", "predicted rightly", BEST),
    ):
        figure.add_bar(
            y=names, x=[label[key] for label in labels], name=name, orientation="h", marker={"color": colour}
        )
    figure.update_layout(height=max(HEIGHT, 80 + 48 * len(names)), barmode="group")
    figure.update_yaxes(type="category", autorange="reversed")
    return figure


def first_right(counts: list[int]) -> go.Figure:
    """How many queries have their first right answer at place 1, 2 …; the last number counts those that have none."""
    figure = empty("place of the first right document", "queries")
    figure.add_bar(
        x=[*map(str, range(1, len(counts))), "none of these"],
        y=counts,
        marker={"color": [BEST] * (len(counts) - 1) + [DOT]},
        hovertemplate="%{x}: %{y} queries<extra></extra>",
    )
    figure.update_xaxes(type="category")
    return figure
