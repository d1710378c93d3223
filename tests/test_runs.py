import json
import os

import psutil
import pytest
from pydantic import ValidationError

from mlzero.errors import UserError
from mlzero.runs import RunDirectory, RunSettings, new_run_id, settings


def test_a_new_run_is_a_draft_with_a_data_folder(tmp_path):
    run = RunDirectory.create(tmp_path / new_run_id(), owner="ann")
    record = run.record()
    assert (record.state, record.owner, record.id) == ("draft", "ann", run.id)
    assert run.data.is_dir()


def test_ids_cannot_be_guessed():
    ids = {new_run_id() for _ in range(500)}
    assert len(ids) == 500
    assert all(len(id_) >= 20 and id_.isalnum() for id_ in ids)


def test_a_run_whose_process_is_gone_reads_as_interrupted(tmp_path):
    run = RunDirectory.create(tmp_path / "r")
    run.claim()
    assert run.record().state == "running"
    me = psutil.Process(os.getpid())
    run.write(run.record().model_copy(update={"pid_started": me.create_time() - 1000}))  # the number was used again
    assert run.record().state == "interrupted"
    assert "closed" in run.record().message


def test_hints_are_kept_in_order_and_a_half_written_one_waits(tmp_path):
    run = RunDirectory.create(tmp_path / "r")
    run.add_hint(" use mae ")
    run.add_hint("drop ключ")
    with (run.path / "hints.jsonl").open("a") as file:
        file.write('{"id": "x", "text": "ha')
    assert [hint["text"] for hint in run.hints()] == ["use mae", "drop ключ"]


def test_settings_are_checked():
    with pytest.raises(ValidationError):
        RunSettings(time_limit=1)
    with pytest.raises(ValidationError):
        RunSettings(surprise=True)


@pytest.mark.parametrize("limit", [0, -1, 5, float("nan"), float("inf"), "soon"])
def test_a_time_limit_that_cannot_be_is_one_sentence(limit):
    with pytest.raises(UserError, match="time_limit cannot be"):
        settings(time_limit=limit)


def test_notes_on_the_upload_open_the_story(tmp_path):
    run = RunDirectory.create(tmp_path / "run")
    run.note("in.zip was left out.")
    assert [event.text for event in run.events.read(0)] == ["in.zip was left out."]


def test_record_of_a_newer_version_still_opens(tmp_path):
    run = RunDirectory.create(tmp_path / "r")
    data = json.loads((run.path / "run.json").read_text())
    (run.path / "run.json").write_text(json.dumps(data | {"new_in_2_0": 1}))
    assert run.record().id == "r"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"attempts": [{}], "since": 0}', "\x00"])
def test_damaged_attempts_are_one_sentence_that_names_the_file(tmp_path, text):
    run = RunDirectory.create(tmp_path / "r")
    (run.path / "journal.json").write_text(text)
    with pytest.raises(UserError, match=r"journal\.json is damaged"):
        run.journal()
