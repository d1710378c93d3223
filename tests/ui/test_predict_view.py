"""The page that predicts new rows, without a browser."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from mlzero.registry import Registry
from mlzero.runs import RunDirectory
from mlzero.ui import prediction_jobs
from mlzero.ui.identity import LOCAL
from tests.ui.pages import ended, open_page, said


def predictor_with(
    path: Path, columns: list[dict[str, object]], facts: dict[str, str] | None = None, **others: object
) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        contract = {"columns": columns, "facts": facts or {}, **others}
        archive.writestr("contract.json", json.dumps(contract))


def test_predict_lists_own_predictors_only(registry: Registry) -> None:
    assert "There is no predictor yet." in said(open_page("predict"))
    theirs = registry.draft("somebody else")
    theirs.update(state="done", files={"predictor": "predictor.zip"})
    assert "There is no predictor yet." in said(open_page("predict"))


def test_the_form_for_one_row_follows_the_contract(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    run = ended(registry, files={"predictor": "predictor.zip"})
    predictor_with(
        run.path / "predictor.zip", [{"name": "plan", "choices": ["a", "b"]}, {"name": "age", "typical": "40"}]
    )
    begun: list[str] = []
    monkeypatch.setattr(prediction_jobs, "start", lambda job_id, *_: begun.append(job_id))
    at = open_page("predict")
    at.text_input(key=f"cell_{run.id}_age").set_value("33")
    at.selectbox(key=f"cell_{run.id}_plan").set_value("b")
    next(b for b in at.button if b.label == "Predict this row").click().run()
    assert not at.exception
    assert (prediction_jobs.folder() / begun[0] / "data" / "row.csv").read_text() == "plan,age\nb,33\n"


def test_a_cell_that_is_no_number_is_told_and_not_predicted(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ended(registry, files={"predictor": "predictor.zip"})
    columns: list[dict[str, object]] = [
        {"name": "age_now", "kind": "number", "typical": "38"},
        {"name": "born", "kind": "date"},
    ]
    predictor_with(run.path / "predictor.zip", columns)
    begun: list[str] = []
    monkeypatch.setattr(prediction_jobs, "start", lambda job_id, *_: begun.append(job_id))
    at = open_page("predict")
    age, born = (at.text_input(key=f"cell_{run.id}_{name}") for name in ("age_now", "born"))
    assert (age.label, born.label) == ("age_now", "born")  # no escapes for those who hear the page
    age.set_value("young")
    born.set_value("long ago")
    next(b for b in at.button if b.label == "Predict this row").click().run()
    assert not begun and not at.exception
    assert "age_now: 'young' is no number. Write one, such as 38, or leave the field empty." in said(at)
    assert "born: 'long ago' is no date." in said(at)
    at.text_input(key=f"cell_{run.id}_age_now").set_value("£1,200.50")
    at.text_input(key=f"cell_{run.id}_born").set_value("3.4.1999")
    next(b for b in at.button if b.label == "Predict this row").click().run()
    assert len(begun) == 1


def predicted(run: RunDirectory, answers: list[str]) -> str:
    """The id of a job whose rows got these answers from the run's predictor."""
    job_id, folder = prediction_jobs.new_job(LOCAL)
    lines = [f"{number},{answer}\n" for number, answer in enumerate(answers, 1)]
    (folder / "predictions.csv").write_text("".join(["id,left\n", *lines]))
    job = prediction_jobs.get(job_id, LOCAL)
    assert job is not None
    done = job.model_copy(update={"state": "done", "run": run.id, "rows": len(answers), "file": "predictions.csv"})
    (folder / "job.json").write_text(done.model_dump_json())
    return job_id


@pytest.mark.parametrize("by_hand", [False, True])
def test_what_went_wrong_stands_beside_the_way_the_rows_came(registry: Registry, by_hand: bool) -> None:
    run = ended(registry, files={"predictor": "predictor.zip"})
    predictor_with(run.path / "predictor.zip", [{"name": "age", "typical": "40"}])
    job_id, folder = prediction_jobs.new_job(LOCAL, by_hand=by_hand)
    job = prediction_jobs.get(job_id, LOCAL)
    assert job is not None
    failed = job.model_copy(update={"state": "failed", "run": run.id, "message": 'The column "age" is missing'})
    (folder / "job.json").write_text(failed.model_dump_json())
    at = open_page("predict", predictor=run.id, job=job_id)
    assert not at.exception
    told = {tab.label: [error.value for error in tab.error] for tab in at.tabs}
    message = ['The column "age" is missing']
    assert told == {
        "A file of new rows": [] if by_hand else message,
        "One row by hand": message if by_hand else [],
    }
    assert "Predictions" not in [heading.value for heading in at.subheader]


def test_a_predicted_row_can_be_explained(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    run = ended(registry, files={"predictor": "predictor.zip"})
    predictor_with(
        run.path / "predictor.zip", [{"name": "age", "kind": "number", "typical": "40"}], {"problem_type": "binary"}
    )
    job_id = predicted(run, ["yes", "no"])

    def explain(job: prediction_jobs.Job, row: int, _: Path) -> None:
        cell = {"column": "<b>age", "value": "70", "usual": "40", "effect": 0.25}
        found = {"row": row, "answer": "no", "probability": 0.8, "risk": False, "cells": [cell]}
        job.why = prediction_jobs.Why(row=row, state="done", found=found)

    monkeypatch.setattr(prediction_jobs, "explain", explain)
    at = open_page("predict", predictor=run.id, job=job_id)
    assert "Why this answer?" in said(at)
    at.number_input(key="why_row").set_value(2)
    next(b for b in at.button if b.label == "Explain").click().run()
    assert not at.exception
    assert "The answer for row 2 is no (probability 0.80)." in said(at)


def test_predictors_of_pictures_take_files_and_offer_no_reasons(registry: Registry) -> None:
    run = ended(registry, files={"predictor": "predictor.zip"})
    predictor_with(run.path / "predictor.zip", [{"name": "photo", "kind": "image"}], {"problem_type": "binary"})
    at = open_page("predict", predictor=run.id, job=predicted(run, ["yes"]))
    assert "1 row predicted" in said(at) and "Why this answer?" not in said(at)
    assert "cannot be typed" in said(at) and "Give new files" in said(at) and not at.text_input


def test_predictors_of_rows_with_files_ask_for_both(registry: Registry) -> None:
    run = ended(registry, files={"predictor": "predictor.zip"})
    column: dict[str, object] = {"name": "curve.csv: volt mean", "kind": "number"}
    predictor_with(run.path / "predictor.zip", [column], row_files="curve.csv")
    at = open_page("predict", predictor=run.id)
    assert "learnt from (curve.csv) as a zip" in said(at) and "cannot be typed" in said(at) and not at.text_input


def test_predictors_of_files_of_numbers_ask_for_no_table(registry: Registry) -> None:
    run = ended(registry, files={"predictor": "predictor.zip"})
    column: dict[str, object] = {"name": "volt mean", "kind": "number"}
    predictor_with(run.path / "predictor.zip", [column], row_files="still, moved", rows_are_files=True)
    text = said(open_page("predict", predictor=run.id))
    assert (
        "Give new files of numbers" in text and "cannot be typed" in text and "table with the same columns" not in text
    )


@pytest.mark.parametrize("content", [None, b"", b"no zip"])
def test_a_predictor_that_is_gone_or_damaged_harms_no_page(registry: Registry, content: bytes | None) -> None:
    run = ended(registry, files={"predictor": "predictor.zip"})
    if content is not None:
        (run.path / "predictor.zip").write_bytes(content)
    at = open_page("predict", predictor=run.id)
    assert not at.exception
    assert ("There is no predictor yet." in said(at)) == (content is None)
    text = said(open_page("run", run=run.id))
    assert ("No longer in the folder of the run: predictor." in text) == (content is None)
