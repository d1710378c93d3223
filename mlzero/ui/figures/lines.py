"""Figures about series."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from mlzero.ui.figures.base import BEST, DOT, NAIVE, empty

if TYPE_CHECKING:
    import plotly.graph_objects as go

SHOWN = 4  # forecasts, one below the other


def series(items: list[dict[str, Any]]) -> go.Figure:
    """Lines of some series: `name`, `times`, `values`."""
    figure = empty("", "")
    for place, item in enumerate(items):
        colour = (BEST, DOT, NAIVE)[place % 3]
        figure.add_scatter(
            x=item["times"], y=item["values"], mode="lines", name=html.escape(item["name"][:40]), line={"color": colour}
        )
    figure.update_layout(showlegend=len(items) > 1)
    return figure


def forecast(items: list[dict[str, Any]]) -> go.Figure:
    """History, truth and forecast of some series, one below the other: `name`, `history`, `time`, `true`, `predicted`.

    Truth and forecast begin where the history ends.
    """
    from plotly.subplots import make_subplots

    shown = items[:SHOWN]
    figure = make_subplots(
        rows=len(shown), cols=1, subplot_titles=[html.escape(str(one["name"])[:60]) for one in shown]
    )
    for row, item in enumerate(shown, start=1):
        before = item.get("history") or {"time": [], "value": []}
        last_time, last_value = before["time"][-1:], before["value"][-1:]
        for name, times, values, line in (
            ("history", before["time"], before["value"], {"color": NAIVE}),
            ("real", [*last_time, *item["time"]], [*last_value, *item["true"]], {"color": DOT}),
            ("forecast", [*last_time, *item["time"]], [*last_value, *item["predicted"]], {"color": BEST, "dash": "dash"}),
        ):  # fmt: skip
            figure.add_scatter(
                x=times, y=values, mode="lines", name=name, line=line | {"width": 2}, row=row, col=1,
                legendgroup=name, showlegend=row == 1, hovertemplate=f"%{{x}}: %{{y:,.4~r}}<extra>{name}</extra>",
            )  # fmt: skip
    figure.update_layout(
        height=90 + 200 * len(shown), margin={"l": 10, "r": 10, "t": 60, "b": 10},
        legend={"orientation": "h", "y": 1, "yref": "container", "yanchor": "top", "x": 0},
    )  # fmt: skip
    return figure


def steps(data: dict[str, Any]) -> go.Figure:
    """The mean error of the forecasts by how many steps ahead they look."""
    figure = empty("steps ahead", "mean error")
    figure.add_scatter(
        x=data["step"], y=data["error"], mode="lines+markers", line={"width": 3, "color": BEST}, showlegend=False,
        hovertemplate="%{x} ahead: off by %{y:,.4~r}<extra></extra>",
    )  # fmt: skip
    figure.update_xaxes(rangemode="tozero")
    figure.update_yaxes(rangemode="tozero")
    return figure
