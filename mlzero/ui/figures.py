"""Charts: plotly figures in colours that read on light and dark pages."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlzero.ui.story import Story

if TYPE_CHECKING:
    import plotly.graph_objects as go

BEST, DOT, NAIVE = "#1a9484", "#c4673a", "#7d8a99"
SCALE = [[0.0, "rgba(26,148,132,0.05)"], [1.0, "rgba(26,148,132,0.95)"]]
HEIGHT = 280  # pixels


def progress(so_far: Story, metric: str, higher_is_better: bool) -> go.Figure | None:
    """Best score over the run's seconds as steps, single attempts as dots, the naive guess as a line."""
    if not so_far.bests:
        return None
    end = max(so_far.last - (so_far.begun or so_far.last), so_far.bests[-1][0])
    scores = [best.score for _, best in so_far.bests]
    figure = _figure(
        "seconds since the start", f"{html.escape(metric)} ({'higher' if higher_is_better else 'lower'} is better)"
    )
    figure.add_scatter(
        x=[*(when for when, _ in so_far.bests), end],
        y=[*scores, scores[-1]],
        mode="lines",
        name="Best so far",
        line={"shape": "hv", "width": 3, "color": BEST},
        hovertemplate="%{y:.4g} after %{x:.0f} s<extra></extra>",
    )
    figure.add_scatter(
        x=[s[0] for s in so_far.scores],
        y=[s[2] for s in so_far.scores],
        mode="markers",
        name="Attempts",
        marker={"size": 10, "color": DOT},
        text=[f"Attempt {s[1]}" for s in so_far.scores],
        hovertemplate="%{text}: %{y:.4g}<extra></extra>",
    )
    baseline = so_far.bests[-1][1].baseline
    if baseline is not None:
        figure.add_scatter(
            x=[0, end],
            y=[baseline, baseline],
            mode="lines",
            name="Naive guess",
            line={"dash": "dash", "width": 2, "color": NAIVE},
            hovertemplate="naive guess %{y:.4g}<extra></extra>",
        )
    figure.update_xaxes(rangemode="tozero")
    return figure


def series(items: list[dict[str, Any]]) -> go.Figure:
    """Lines of some series: `name`, `times`, `values`."""
    figure = _figure("", "")
    for place, item in enumerate(items):
        colour = (BEST, DOT, NAIVE)[place % 3]
        figure.add_scatter(
            x=item["times"], y=item["values"], mode="lines", name=html.escape(item["name"])[:40], line={"color": colour}
        )
    figure.update_layout(showlegend=len(items) > 1)
    return figure


def evaluation(folder: Path) -> Iterator[tuple[str, go.Figure | None]]:
    """Titles and figures from the JSON files in an attempt's `evaluation` folder."""
    if matrix := _read(folder, "confusion_matrix"):
        yield "Real against predicted classes", _confusion(matrix)
    if curves := _read(folder, "curves"):
        yield (
            "Found against false alarms",
            _curve(curves["roc"], "false alarms", f"found of {html.escape(curves['positive'])}", True),
        )
        yield "Precision", _curve(curves["precision_recall"], "found", "of these right", False)
    if labels := _read(folder, "label_scores"):
        yield "Labels", _labels(labels["labels"])
    if columns := [c for c in (_read(folder, "importance") or {}).get("columns", []) if c["loss"] > 0]:
        yield "What matters most", _importance(columns[:15])
    if masks := _read(folder, "masks"):
        yield "Overlap by class", _by_class(masks["classes"], "iou", "IoU")
    if boxes := _read(folder, "boxes"):
        yield "Precision by class", _by_class(boxes["classes"], "precision", "average precision at IoU 0.5")
    for title, name in (("Masks", "masks"), ("Boxes", "boxes"), ("Pictures", "restored")):
        if examples := (_read(folder, name) or {}).get("examples"):
            yield f"{title}: real and predicted", _examples(examples)
    for target, pairs in ((_read(folder, "predicted_against_true") or {}).get("targets") or {}).items():
        yield f"Real against predicted {target}"[:60], _scatter(target, pairs)


def worst(folder: Path) -> list[dict[str, str]]:
    """The rows that were missed most, as records: real, predicted, then some columns."""
    examples = (_read(folder, "worst_examples") or {}).get("examples", [])
    return [
        {"Real": e["true"], "Predicted": e["predicted"], **{str(k): str(v) for k, v in list(e["values"].items())[:12]}}
        for e in examples[:10]
    ]


def _figure(x: str, y: str) -> go.Figure:
    import plotly.graph_objects as go

    figure = go.Figure()
    figure.update_layout(
        height=HEIGHT,
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        legend={"orientation": "h", "y": 1.15, "x": 0},
        xaxis={"title": x},
        yaxis={"title": y},
    )
    return figure


def _by_class(classes: list[dict[str, Any]], key: str, title: str) -> go.Figure:
    """Bars, a class each; classes that do not occur are left out."""
    known = [one for one in classes if one.get(key) is not None]
    figure = _figure(title, "")
    figure.add_bar(
        x=[one[key] for one in known], y=[html.escape(str(one["name"])) for one in known], orientation="h",
        marker={"color": [one["colour"] for one in known]}, hovertemplate="%{y}: %{x:.3f}<extra></extra>",
    )  # fmt: skip
    figure.update_layout(height=max(HEIGHT, 60 + 26 * len(known)))
    figure.update_xaxes(range=[0, 1])
    figure.update_yaxes(type="category", autorange="reversed")
    return figure


def _examples(examples: list[dict[str, Any]]) -> go.Figure:
    """A line an example, from the best to the worst: the picture, the real answer, the predicted one."""
    parts = [(key, title) for key, title in (("image", "given"), ("true", "real"), ("predicted", "predicted")) if key in examples[0]]  # fmt: skip
    shown = examples[:4]
    figure = _figure("", "")
    for line, example in enumerate(shown):
        for column, (key, _) in enumerate(parts):
            if str(example[key]).startswith("data:image/png;base64,"):
                place = {"x": column, "y": -line, "sizex": 0.96, "sizey": 0.96, "xref": "x", "yref": "y"}
                figure.add_layout_image(source=example[key], xanchor="center", yanchor="middle", **place)
    names = [html.escape(f"{example['name']}"[:30]) for example in shown]
    figure.update_xaxes(range=[-0.5, len(parts) - 0.5], tickvals=list(range(len(parts))), ticktext=[t for _, t in parts], side="top")  # fmt: skip
    figure.update_yaxes(range=[0.5 - len(shown), 0.5], tickvals=[-i for i in range(len(shown))], ticktext=names)
    figure.update_layout(height=60 + 170 * len(shown))
    return figure


def _confusion(data: dict[str, Any]) -> go.Figure:
    labels = [html.escape(str(label)) for label in data["labels"]]
    figure = _figure("predicted", "real")
    figure.add_heatmap(
        z=data["matrix"],
        x=labels,
        y=labels,
        colorscale=SCALE,
        showscale=False,
        texttemplate="%{z}" if len(labels) <= 12 else None,
        hovertemplate="real %{y}, predicted %{x}: %{z} rows<extra></extra>",
    )
    figure.update_layout(height=max(HEIGHT, min(640, 60 + 34 * len(labels))))
    figure.update_xaxes(type="category")
    figure.update_yaxes(type="category", autorange="reversed")
    return figure


def _importance(columns: list[dict[str, Any]]) -> go.Figure:
    figure = _figure("how much worse the score gets when the column is shuffled", "")
    columns = columns[::-1]
    figure.add_bar(
        x=[c["loss"] for c in columns],
        y=[html.escape(c["column"])[:40] for c in columns],
        orientation="h",
        marker_color=BEST,
        hovertemplate="%{y}: %{x:.4g}<extra></extra>",
    )
    figure.update_layout(height=max(HEIGHT, 60 + 24 * len(columns)))
    figure.update_yaxes(type="category")
    return figure


def _curve(points: list[list[float]], x: str, y: str, diagonal: bool) -> go.Figure:
    figure = _figure(x, y)
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


def _scatter(target: str, pairs: dict[str, list[float]]) -> go.Figure:
    name = html.escape(target)
    figure = _figure(f"real {name}", f"predicted {name}")
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
        hovertemplate="real %{x:.4g}, predicted %{y:.4g}<extra></extra>",
    )
    return figure


def _labels(labels: list[dict[str, Any]]) -> go.Figure:
    names = [html.escape(str(label["name"])) for label in labels]
    figure = _figure("rows", "")
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


def _read(folder: Path, name: str) -> dict[str, Any] | None:
    path = folder / f"{name}.json"
    if not path.is_file():
        return None
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content
