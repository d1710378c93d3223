"""Figures about masks, boxes and pictures."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from mlzero.ui.figures.base import HEIGHT, PICTURES, empty

if TYPE_CHECKING:
    import plotly.graph_objects as go


def by_class(classes: list[dict[str, Any]], key: str, title: str) -> go.Figure:
    """Bars, a class each; classes that do not occur are left out."""
    known = [one for one in classes if one.get(key) is not None]
    figure = empty(title, "")
    figure.add_bar(
        x=[one[key] for one in known], y=[html.escape(str(one["name"])) for one in known], orientation="h",
        marker={"color": [one["colour"] for one in known]}, hovertemplate="%{y}: %{x:.3f}<extra></extra>",
    )  # fmt: skip
    figure.update_layout(height=max(HEIGHT, 60 + 26 * len(known)))
    figure.update_xaxes(range=[0, 1])
    figure.update_yaxes(type="category", autorange="reversed")
    return figure


def examples(examples: list[dict[str, Any]]) -> go.Figure:
    """A line an example, from the best to the worst: the picture, the real answer, the predicted one."""
    parts = [(key, title) for key, title in (("image", "given"), ("true", "real"), ("predicted", "predicted")) if key in examples[0]]  # fmt: skip
    shown = examples[:4]
    figure = empty("", "")
    for line, example in enumerate(shown):
        for column, (key, _) in enumerate(parts):
            if str(example[key]).startswith(PICTURES):
                place = {"x": column, "y": -line, "sizex": 0.96, "sizey": 0.96, "xref": "x", "yref": "y"}
                figure.add_layout_image(source=example[key], xanchor="center", yanchor="middle", **place)
    names = [html.escape(f"{example['name']}"[:30]) for example in shown]
    figure.update_xaxes(range=[-0.5, len(parts) - 0.5], tickvals=list(range(len(parts))), ticktext=[t for _, t in parts], side="top")  # fmt: skip
    figure.update_yaxes(range=[0.5 - len(shown), 0.5], tickvals=[-i for i in range(len(shown))], ticktext=names)
    figure.update_layout(height=60 + 170 * len(shown), xaxis_showgrid=False, yaxis_showgrid=False)
    return figure
