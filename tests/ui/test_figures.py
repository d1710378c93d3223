from __future__ import annotations

import json
from pathlib import Path

from mlzero.ui import figures


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
    assert figures.worst(tmp_path) == [{"Real": "1", "Predicted": "9", "x": "y"}]


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
    assert bars is not None and list(bars.data[0].y) == ["cell"]
    assert pictures is not None and len(pictures.layout.images) == 3


def test_nothing_is_drawn_from_an_empty_folder(tmp_path: Path) -> None:
    assert list(figures.evaluation(tmp_path)) == [] and figures.worst(tmp_path) == []
