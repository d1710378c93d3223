import json
import threading

import pytest
from pydantic import ValidationError

from mlzero import events
from mlzero.events import EventLog


def test_numbers_and_reads_back(tmp_path):
    log = EventLog(tmp_path / "events.jsonl")
    log.append(events.State(state="running"))
    log.append(events.Log(attempt=1, lines=["Übung", "数据"]))
    found = EventLog(tmp_path / "events.jsonl").read()
    assert [event.seq for event in found] == [1, 2]
    assert found[1].lines == ["Übung", "数据"]


def test_follow_reads_only_what_is_new(tmp_path):
    log = EventLog(tmp_path / "events.jsonl")
    log.append(events.Note(text="one"))
    first, offset = log.follow()
    log.append(events.Note(text="two"))
    second, offset = log.follow(offset)
    nothing, same = log.follow(offset)
    assert [event.text for event in first + second] == ["one", "two"]
    assert nothing == [] and same == offset


@pytest.mark.parametrize("torn", [b'{"v":1,"seq":3', b"\xff\xfe", b"{"])
def test_a_torn_last_line_is_dropped_and_numbering_goes_on(tmp_path, torn):
    path = tmp_path / "events.jsonl"
    log = EventLog(path)
    log.append(events.Note(text="one"))
    log.append(events.Note(text="two"))
    with path.open("ab") as file:
        file.write(torn)
    assert [event.text for event in EventLog(path).read()] == ["one", "two"]
    resumed = EventLog(path)
    resumed.append(events.Note(text="three"))
    assert [event.seq for event in resumed.read()] == [1, 2, 3]


def test_threads_get_numbers_without_gaps(tmp_path):
    log = EventLog(tmp_path / "events.jsonl")
    threads = [
        threading.Thread(target=lambda: [log.append(events.Note(text="x")) for _ in range(50)]) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [event.seq for event in log.read()] == list(range(1, 401))


def test_unknown_keys_are_refused():
    with pytest.raises(ValidationError):
        events.parse(json.dumps({"type": "note", "text": "x", "seq": 1, "surprise": 1}))


@pytest.mark.parametrize("broken", [b"\xff\xfe\n", b'{"seq": 2\n', b"[]\n\n"])
def test_a_damaged_line_is_left_out_and_numbering_goes_on(tmp_path, broken):
    path = tmp_path / "events.jsonl"
    EventLog(path).append(events.Note(text="one"))
    with path.open("ab") as file:
        file.write(broken)
    again = EventLog(path)
    assert again.append(events.Note(text="two")).seq == 2
    assert [event.text for event in again.read()] == ["one", "two"]
