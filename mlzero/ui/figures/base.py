"""What all figures share."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import plotly.graph_objects as go

BEST, DOT, NAIVE = "#1a9484", "#c4673a", "#7d8a99"
HEIGHT = 280  # pixels
ACROSS, UP = 34, 30  # characters of an axis title that fit on a line, on a narrow screen too
PICTURES = ("data:image/png;base64,", "data:image/jpeg;base64,")  # how addresses that hold a picture begin


def empty(x: str, y: str) -> go.Figure:
    """A figure with names of its axes and nothing in it."""
    import plotly.graph_objects as go

    figure = go.Figure()
    figure.update_layout(
        height=HEIGHT,
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        xaxis={"title": _lines(x, ACROSS)},
        yaxis={"title": _lines(y, UP)},
    )
    return figure


def _lines(title: str, width: int) -> str:
    return "<br>".join(textwrap.wrap(title, width, break_long_words=False, break_on_hyphens=False))
