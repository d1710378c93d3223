from __future__ import annotations

import json
from pathlib import Path

import pytest

from mlzero import events
from mlzero.ui import figures
from mlzero.ui.story import Story


def test_figures_follow_the_files_that_are_there(tmp_path: Path) -> None:
    files = {
        "confusion_matrix": {"labels": ["yes", "<b>no</b>"], "matrix": [[3, 1], [0, 4]]},
        "curves": {"positive": "yes", "roc": [[0, 0], [1, 1]], "precision_recall": [[0.5, 1.0]]},
        "label_scores": {"labels": [{"name": "a", "real": 3, "said": 2, "right": 1}]},
        "predicted_against_true": {"targets": {"price": {"true": [1.0, 2.0], "predicted": [1.5, 2.5]}}},
        "worst_examples": {"examples": [{"row": "7", "true": "1", "predicted": "9", "off": 8.0, "values": {"x": "y"}}]},
    }
    for name, content in files.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
    found = dict(figures.evaluation(tmp_path))
    assert len(found) == 5
    confusion = next(iter(found.values()))
    assert list(confusion.data[0].x) == ["yes", "&lt;b&gt;no&lt;/b&gt;"]
    assert not confusion.layout.xaxis.showgrid and not confusion.layout.yaxis.showgrid
    assert figures.worst(tmp_path) == [{"Real": "1", "Predicted": "9", "x": "y"}]


def test_misses_show_the_risk_that_was_asked_for(tmp_path: Path) -> None:
    example = {
        "row": "7",
        "true": "yes",
        "predicted": "no",
        "off": 0.9,
        "chance": 0.1034567,
        "values": {"x": "0.3333333333"},
    }
    (tmp_path / "worst_examples.json").write_text(json.dumps({"chance_of": "yes", "examples": [example]}))
    assert figures.worst(tmp_path) == [
        {"Real": "yes", "Predicted": "no", "Probability of yes": "0.1035", "x": "0.3333"}
    ]


def test_pictures_are_shown_by_class_and_by_example(tmp_path: Path) -> None:
    png = "data:image/png;base64,AAAA"
    example = {"name": "<b>1.png", "score": 0.5, "image": png, "true": png, "predicted": png}
    classes = [
        {"name": "cell", "iou": 0.7, "share": 0.2, "colour": "#112233"},
        {"name": "never", "iou": None, "share": 0, "colour": "#000000"},
    ]
    (tmp_path / "masks.json").write_text(json.dumps({"classes": classes, "examples": [example]}))
    found = dict(figures.evaluation(tmp_path))
    assert list(found) == ["Overlap by class", "Masks: real and predicted"]
    bars, pictures = found.values()
    assert list(bars.data[0].y) == ["cell"]
    assert len(pictures.layout.images) == 3


def test_nothing_is_drawn_from_an_empty_folder_or_a_damaged_file(tmp_path: Path) -> None:
    assert list(figures.evaluation(tmp_path)) == [] and figures.worst(tmp_path) == []
    for name, content in (("curves", ""), ("masks", '{"cla'), ("worst_examples", "[]")):
        (tmp_path / f"{name}.json").write_text(content)
    assert list(figures.evaluation(tmp_path)) == [] and figures.worst(tmp_path) == []


def test_forecasts_continue_their_history(tmp_path: Path) -> None:
    one = {
        "name": "<b>shop", "history": {"time": ["2024-01-01"], "value": [3.0]},
        "time": ["2024-01-02", "2024-01-03"], "true": [4.0, None], "predicted": [5.0, 6.0],
    }  # fmt: skip
    without = {"name": "old", "time": ["1"], "true": [1.0], "predicted": [2.0]}
    (tmp_path / "forecast.json").write_text(json.dumps({"target": "sold", "series": [one, without] * 3}))
    (tmp_path / "steps.json").write_text(json.dumps({"step": [1, 2], "error": [1.0, 2.0]}))
    found = dict(figures.evaluation(tmp_path))
    assert list(found) == ["Forecasts", "Error by steps ahead"]
    lines = found["Forecasts"]
    assert len(lines.data) == 3 * 4 and lines.layout.annotations[0].text == "&lt;b&gt;shop"
    assert list(lines.data[2].x) == ["2024-01-01", "2024-01-02", "2024-01-03"]
    assert list(lines.data[2].y) == [3.0, 5.0, 6.0]


def test_entities_by_type_and_first_right_documents(tmp_path: Path) -> None:
    types = {"types": [{"name": "<i>place", "real": 3, "said": 2, "right": 1}]}
    (tmp_path / "entities.json").write_text(json.dumps(types))
    (tmp_path / "ranked.json").write_text(json.dumps({"first": [5, 2, 1], "queries": []}))
    by_type, places = dict(figures.evaluation(tmp_path)).values()
    assert list(by_type.data[0].y) == ["&lt;i&gt;place"]
    assert list(places.data[0].x) == ["1", "2", "none of these"] and list(places.data[0].y) == [5, 2, 1]


def test_bars_of_the_same_name_stay_apart() -> None:
    long = "how often the customer has called "
    cells = [
        {"column": f"{long * 2}{place}", "value": "7", "usual": "<4", "effect": effect}
        for place, effect in (("at home", 0.5), ("at work", -0.25))
    ]
    figure = figures.effects(cells, "<i>title")
    bars, axis = figure.data[0], figure.layout.yaxis
    assert list(bars.y) == [0, 1] and list(bars.x) == [0.5, -0.25] and len(axis.ticktext) == 2
    assert axis.autorange == "reversed" and bars.customdata[0].endswith(": +0.5<br>usual: &lt;4")
    scarce = figures.effects([cells[0] | {"mostly_empty": True}], "title").data[0]
    assert scarce.customdata[0].endswith("usual: &lt;4 (most rows have none)")


def test_long_titles_of_axes_take_several_lines() -> None:
    from mlzero.ui.figures.base import empty

    axes = empty("seconds", "symmetric percentage error (lower is better)").layout
    assert axes.xaxis.title.text == "seconds"
    assert axes.yaxis.title.text == "symmetric percentage error<br>(lower is better)"


@pytest.mark.parametrize(("lasted", "unit", "end"), [(170.0, "seconds", 170.0), (600.0, "minutes", 10.0)])
def test_long_runs_are_drawn_in_minutes(lasted: float, unit: str, end: float) -> None:
    best = events.Best(attempt=1, metric="mae", score=2.0, baseline=3.0)
    so_far = Story(begun=1000.0, last=1000.0 + lasted, bests=[(60.0, best)], scores=[(60.0, 1, 2.0)])
    figure = figures.progress(so_far, "mae", False)
    assert figure is not None
    assert figure.layout.xaxis.title.text == f"{unit} since the start"
    assert [line.x[-1] for line in figure.data] == [end, 60.0 * end / lasted, end]
