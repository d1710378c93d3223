"""The report: complete, self-contained, and safe whatever the data is called."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mlzero import events
from mlzero.iterative_coding.contract import Attempt, Check, Diagnosis, Evaluation, Failure, Variant
from mlzero.perception.task import FeaturePlan
from mlzero.predictor import drawing, findings
from mlzero.predictor.report import write_report

from .conftest import Made

NASTY = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>{{ 7*7 }}</title></svg>"

PICTURE = "data:image/png;base64,iVBORw0KGgo="


class Elements(HTMLParser):
    """Tags, attributes and text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


def attempts(word: str = "") -> list[Attempt]:
    quick = Variant("tabular", "quick", f"Quick{word}", "To have something.")
    evaluation = Evaluation(1, "mae", False, 20.0, 50.0, f"always says 243{word}", 400, 212, seconds={"fit": 12.0})
    better = Evaluation(
        3,
        "mae",
        False,
        12.5,
        50.0,
        f"always says 243{word}",
        400,
        212,
        checks=[Check("leak", False, f"A warning{word}.", fatal=False)],
    )
    broken = Evaluation(2, "mae", False, failure=Failure("fit", "memory", "Killed"))
    return [
        Attempt(1, quick, evaluation=evaluation),
        Attempt(
            2,
            Variant("tabular", "large", f"Large{word}", "More."),
            diagnosis=Diagnosis("s", f"Not enough memory{word}.", "A smaller model is next."),
            evaluation=broken,
        ),
        Attempt(3, Variant("tabular", "small", f"Small{word}", "Less."), hint=f"use less{word}", evaluation=better),
    ]


def log(word: str = "") -> list[events.Event]:
    return [
        events.State(state="running", time=100.0),
        events.Verdict(attempt=1, valid=True, score=20.0, time=130.0), events.Best(attempt=1, metric="mae", score=20.0, time=130.0),
        events.Hint(id="h", text=f"use less{word}", answer=f"A smaller model{word}.", attempt=3, time=140.0),
        events.Verdict(attempt=2, valid=False, time=150.0),
        events.Note(text=f"Two files were left out{word}."), events.Note(text=f"It is not offered{word}.", caveat=True),
        events.Verdict(attempt=3, valid=True, score=12.5, time=160.0), events.Best(attempt=3, metric="mae", score=12.5, time=160.0),
    ]  # fmt: skip


def record(**changed: object) -> dict:
    return {
        "goal": "What will it cost?", "best": 3, "metric": "mae", "metric_text": "mean absolute error", "score": 12.5, "baseline": 50.0,
        "higher_is_better": False, "message": "", "sandbox": "Kept apart.",
    } | changed  # fmt: skip


def evaluation_files(folder: Path, word: str = "") -> Path:
    folder.mkdir(exist_ok=True)
    for name, data in {
        "confusion_matrix": {"labels": [f"a{word}", "b"], "matrix": [[9, 1], [0, 0]]},
        "predicted_against_true": {"targets": {f"price{word}": {"true": [1.0, 2.0], "predicted": [1.5, float("nan")]}}},
        "worst_examples": {"examples": [{"row": "1", "true": f"3{word}", "predicted": "9", "off": 6.0, "values": {"town": f"Graz{word}", "size": "1"}}]},
        "forecast": {"series": [{"name": f"shop{word}", "history": {"time": ["2024-01-01"], "value": [1.0]}, "time": [f"2024{word}", "2024-01-03"], "true": [2.0, None], "predicted": [2.5, 3.0]}]},
        "steps": {"step": [1, 2], "error": [0.5, 0.7]},
        "entities": {"types": [{"name": f"person{word}", "real": 4, "said": 4, "right": 3}]},
        "sentences": {"sentences": [[{"text": f"Ann{word}", "state": "missed", "kind": f"person{word}"}, {"text": f"sings{word}", "state": "", "kind": ""}]]},
        "ranked": {"first": [1, 2, 1], "queries": [{"query": f"why{word}", "score": 0.5, "documents": [{"name": f"d1{word}", "right": True}, {"name": "d2", "right": False}], "missed": [f"d9{word}"]}]},
        "masks": {"classes": [{"name": f"cell{word}", "iou": 0.5, "share": 0.1, "colour": "#112233"}, {"name": "never", "iou": None, "share": 0, "colour": "#112233"}], "examples": [{"name": f"one.png{word}", "score": 0.5, "image": PICTURE, "true": PICTURE, "predicted": "javascript:alert(1)" if word else PICTURE}]},
        "label_scores": {"labels": [{"name": f"red{word}", "real": 10, "said": 8, "right": 5}, {"name": "blue", "real": 0, "said": 0, "right": 0}]},
    }.items():  # fmt: skip
        (folder / f"{name}.json").write_text(json.dumps(data))
    return folder


def written(made: Made, tmp_path: Path, word: str = "", **changed: object) -> str:
    task = made.task
    if word:
        task = task.model_copy(
            update={
                "features": [FeaturePlan(name=f"town{word}", treat_as="category", drop=f"a leak{word}")],
                "notes": [f"A note{word}"],
            }
        )
        task.target.value = f"price{word}"
        task.target.evidence = f"because{word}"
        made.profile.tables[0].key = f"flats{word}.csv"
        made.profile.tables[0].notes = [f"repaired{word}"]
    out = tmp_path / "report.html"
    write_report(
        record(**changed),
        log(word),
        task,
        made.profile,
        attempts(word),
        evaluation_files(tmp_path / "evaluation", word),
        out,
    )
    return out.read_text(encoding="utf-8")


def test_it_says_what_was_found_in_plain_words(made: Made, tmp_path: Path) -> None:
    text = " ".join(Elements(written(made, tmp_path)).text.split())
    for words in (
        "On 212 rows the model never saw, it reaches mean absolute error 12.5.",
        "A naive guess (always says 243) reaches 50 on the same rows. The model is 75% below that.",
        "Lower is better.", "It is the only column with prices.", "Not enough memory. A smaller model is next.", "3. Small",
        "Your hint: use less", "A smaller model.", "A warning.", "The score comes from 212 rows only",
        "Ann missed: person", "✓ d1, d2", "one.png, given", "Overlap by class",
        'The column "key" was not used: It only numbers the rows.', "python predict.py", "flats.csv", "Kept apart.", "212 rows, by chance",
    ):  # fmt: skip
        assert words in text
    assert "It is not offered." in text and "Two files were left out." not in text


def test_it_needs_nothing_from_outside(made: Made, tmp_path: Path) -> None:
    page = Elements(written(made, tmp_path))
    assert not {"script", "link", "iframe", "object"} & set(page.tags)
    assert {value for name, value in page.attributes if name in ("src", "href") or "http" in (value or "")} == {PICTURE}
    assert not re.search(r"url\(|@import", written(made, tmp_path))


def test_names_cannot_become_markup(made: Made, tmp_path: Path) -> None:
    nasty = Elements(written(made, tmp_path, NASTY, goal=NASTY, message=NASTY, sandbox=NASTY, metric_text=NASTY))
    plain = Elements(written(made, tmp_path))
    assert set(nasty.tags) == set(plain.tags)
    assert {name for name, _ in nasty.attributes} == {name for name, _ in plain.attributes}
    assert nasty.text.count("{{ 7*7 }}") > 10


def test_it_reads_well_aloud(made: Made, tmp_path: Path) -> None:
    text = written(made, tmp_path)
    page = Elements(text)
    assert page.tags.count("h1") == 1 and page.tags.count("main") == 1 and '<html lang="en">' in text
    assert [name for name, _ in page.attributes].count("scope") == page.tags.count("th") > 0
    assert len(re.findall(r'<svg [^>]*role="img" aria-label="[^"]+', text)) == page.tags.count("svg") == 8
    assert all(alt for name, alt in page.attributes if name == "alt")


def test_a_run_without_a_result_has_a_report(made: Made, tmp_path: Path) -> None:
    out = tmp_path / "empty.html"
    run = record(best=None, score=None, baseline=None, metric=None, message="No attempt worked.")
    write_report(run, [], made.task, made.profile, attempts()[1:2], tmp_path / "nowhere", out)
    assert "No attempt gave a result" in out.read_text(encoding="utf-8")
    write_report(record(baseline=None), [], made.task, made.profile, attempts(), tmp_path / "nowhere", out)
    assert "Naive guess" not in out.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("score", "naive", "higher", "said"),
    [
        (12.5, 50.0, False, "75% below"),
        (60.0, 50.0, False, "no better"),
        (0.4, 0.5, True, "no better"),
        (0.9, 0.5, True, "Higher is better"),
    ],
)
def test_the_score_is_set_against_the_naive_guess(
    made: Made, tmp_path: Path, score: float, naive: float, higher: bool, said: str
) -> None:
    assert said in written(made, tmp_path, score=score, baseline=naive, higher_is_better=higher)


@pytest.mark.parametrize(
    "svg",
    [
        drawing.score_steps([(3.0, 0.5, True, "a<b"), (900.0, 0.5, False, "c")], 0.5, "AUC & co"),
        drawing.score_steps([(3.0, -1e9, True, "a")], None, "R2"),
        drawing.score_steps([], None, "R2"),
        drawing.scatter([], [], "x"),
        drawing.scatter([1.0, 1.0], [float("inf"), 1.0], "<x>"),
        drawing.scatter([1e-9, 2e12], [1.0, 2.0], "x"),
        drawing.forecast({"name": "<x>", "time": ["<1>"], "true": [None], "predicted": [float("nan")]}),
        drawing.forecast(
            {
                "name": "x",
                "history": {"time": ["2024-01-01 12:00"] * 9, "value": [1.0] * 9},
                "time": ["2024-01-01 13:00"],
                "true": [2.0],
                "predicted": [3],
            }
        ),
        drawing.errors([1], [0.0]),
        drawing.errors(list(range(1, 40)), [float("nan"), *map(float, range(38))]),
        drawing.bars([("a" * 90, 1.5), ("<b>", -0.1)], "Share"),
    ],
)
def test_pictures_are_whole_whatever_the_numbers(svg: str) -> None:
    ElementTree.fromstring(svg)
    assert "nan" not in svg and "inf" not in svg


@pytest.mark.parametrize(
    ("low", "high", "wanted"),
    [
        (0, 10, [0, 2.5, 5, 7.5, 10]),
        (0.61, 0.87, [0.6, 0.7, 0.8, 0.9]),
        (5, 5, [4.4, 4.6, 4.8, 5, 5.2, 5.4, 5.6]),
        (-3, 4, [-4, -2, 0, 2, 4]),
    ],
)
def test_axes_have_round_numbers(low: float, high: float, wanted: list[float]) -> None:
    ticks = drawing._ticks(low, high)
    assert ticks[0] <= low and ticks[-1] >= high and 3 <= len(ticks) <= 7
    if low != high:
        assert ticks == pytest.approx(wanted)


def test_pictures_are_few_and_nothing_but_pictures(tmp_path: Path) -> None:
    large = "data:image/jpeg;base64," + "A" * 900_000
    examples = [{"name": f"{i}", "true": PICTURE, "predicted": "http://elsewhere/x.png"} for i in range(9)]
    (tmp_path / "boxes.json").write_text(json.dumps({"classes": [], "examples": examples}))
    assert findings.pictures(tmp_path) == [(str(i), [("real", PICTURE)]) for i in range(6)]
    examples = [{"name": f"{i}", "true": large, "predicted": large} for i in range(3)]
    (tmp_path / "boxes.json").write_text(json.dumps({"classes": [], "examples": examples}))
    assert len(findings.pictures(tmp_path)) == 1


def test_errors_close_to_nothing_are_drawn() -> None:
    assert "<svg" in drawing.errors([1.0, 2.0], [0.0, 1e-16])
