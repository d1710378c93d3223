"""Charts. Each is a plotly figure that follows the page's theme."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlzero.ui.story import Story

if TYPE_CHECKING:
    import plotly.graph_objects as go


def progress(so_far: Story, higher_is_better: bool) -> go.Figure | None:
    """Best score over the run's seconds as steps, single attempts as dots, the naive guess as a line."""
    if not so_far.bests:
        return None
    import plotly.graph_objects as go

    end = max(so_far.last - (so_far.begun or so_far.last), so_far.bests[-1][0])
    times = [when for when, _ in so_far.bests] + [end]
    scores = [best.score for _, best in so_far.bests]
    figure = go.Figure()
    figure.add_scatter(
        x=times, y=[*scores, scores[-1]], mode="lines", line={"shape": "hv", "width": 3}, name="Best so far",
        hovertemplate="%{y:.4g} after %{x:.0f} s<extra></extra>",
    )
    figure.add_scatter(
        x=[s[0] for s in so_far.scores], y=[s[2] for s in so_far.scores], mode="markers", marker={"size": 9},
        text=[f"Attempt {s[1]}" for s in so_far.scores], name="Attempts", hovertemplate="%{text}: %{y:.4g}<extra></extra>",
    )
    baseline = so_far.bests[-1][1].baseline
    if baseline is not None:
        figure.add_scatter(
            x=[0, end], y=[baseline, baseline], mode="lines", line={"dash": "dash", "width": 2}, name="Naive guess",
            hovertemplate="naive guess %{y:.4g}<extra></extra>",
        )
    better = "higher is better" if higher_is_better else "lower is better"
    figure.update_layout(
        height=260, margin={"l": 10, "r": 10, "t": 10, "b": 10}, legend={"orientation": "h", "y": 1.15, "x": 0},
        xaxis={"title": "seconds since the start", "rangemode": "tozero"},
        yaxis={"title": f"{so_far.bests[-1][1].metric} ({better})"},
    )
    return figure
