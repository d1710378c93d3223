"""The loop over real sandboxes and small solutions written for the purpose."""

import threading
import time
from dataclasses import replace

import pytest

from mlzero import engine, events
from mlzero.iterative_coding.contract import Variant
from mlzero.runs import RunDirectory, RunSettings

pytestmark = pytest.mark.slow

GOOD = '''
"""A straight line through the training rows."""
import json
from pathlib import Path

import numpy as np
import pandas as pd


def load_train(data_dir: Path) -> pd.DataFrame:
    return pd.read_csv(data_dir / "train.csv")


def load_test(data_dir: Path) -> pd.DataFrame | None:
    return pd.read_csv(data_dir / "test.csv")


def load_new(path: Path, model_dir: Path) -> pd.DataFrame:
    return pd.read_csv(path)


def fit(train: pd.DataFrame, model_dir: Path, time_limit: float) -> None:
    slope, intercept = np.polyfit(train["size"], train["price"], 1)
    (model_dir / "line.json").write_text(json.dumps([slope, intercept]))


def predict(rows: pd.DataFrame, model_dir: Path) -> pd.DataFrame:
    slope, intercept = json.loads((model_dir / "line.json").read_text())
    return pd.DataFrame({"price": slope * rows["size"] + intercept}, index=rows.index)
'''
MEAN = GOOD.replace('np.polyfit(train["size"], train["price"], 1)', '0.0, float(train["price"].mean())')
BAD_OPTION = GOOD.replace(
    'np.polyfit(train["size"], train["price"], 1)', 'np.polyfit(train["size"], train["price"], 1, extreme=True)'
)
MEMORY_BOMB = GOOD.replace(
    "    slope, intercept = np", "    hog = [np.ones(2**27) for _ in range(400)]\n    slope, intercept = np"
)
DEAF = GOOD.replace("    (model_dir", "    import time\n    time.sleep(3600)\n    (model_dir")
WRONG_ROWS = GOOD.replace("index=rows.index)", "index=rows.index).iloc[:-3]")


class ScriptedCoder:
    """Gives the sources it was made with, in order; a failure is repaired by `spare` once."""

    def __init__(self, *sources, spare=None, fit_seconds=5.0):
        self.sources = {f"v{n}": source for n, source in enumerate(sources, 1)}
        self.spare, self.fit_seconds = spare, fit_seconds

    def ladder(self, task, profile, machine, seconds):
        return [
            Variant("scripted", name, name, "scripted", fit_seconds=self.fit_seconds, min_seconds=1)
            for name in self.sources
        ]

    def write(self, task, profile, variant):
        return self.spare if variant.name == "spare" else self.sources[variant.name]

    def repair(self, variant, failure, diagnosis):
        return replace(variant, name="spare") if self.spare and variant.name != "spare" else None


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setenv("MLZERO_MEMORY_MB", "3000")
    directory = RunDirectory.create(tmp_path / "run")
    rows = "".join(f"{n},{n % 37},{3 * (n % 37) + n % 2}\n" for n in range(300))
    (directory.data / "train.csv").write_text("house_id,size,price\n" + rows)
    (directory.data / "test.csv").write_text("house_id,size\n" + "".join(f"{900 + n},{n % 37}\n" for n in range(50)))
    directory.update(
        goal="Predict the price of the houses in test.csv.", settings=RunSettings(time_limit=60), state="queued"
    )
    return directory


def of(directory, kind):
    return [event for event in directory.events.read() if isinstance(event, kind)]


def test_the_better_attempt_is_handed_over(run):
    record = engine.run(run, coder=ScriptedCoder(MEAN, GOOD))
    assert (record.state, record.best) == ("done", 2), record.message
    assert record.score < record.baseline
    assert set(record.files) == {"predictions", "predictor", "report"}
    assert (run.path / "best" / "solution.py").exists()
    lines = (run.path / record.files["predictions"]).read_text().splitlines()
    assert lines[0] == "house_id,price" and len(lines) == 51
    assert [best.attempt for best in of(run, events.Best)] == [1, 2]


def test_the_worse_attempt_is_not(run):
    record = engine.run(run, coder=ScriptedCoder(GOOD, MEAN))
    assert (record.state, record.best) == ("done", 1)


@pytest.mark.parametrize(
    ("broken", "words"),
    [(BAD_OPTION, "extreme"), (MEMORY_BOMB, "memory"), (WRONG_ROWS, "rows")],
    ids=["bad option", "out of memory", "wrong rows"],
)
def test_a_fault_is_read_and_mended(run, broken, words):
    record = engine.run(run, coder=ScriptedCoder(broken, spare=GOOD))
    assert (record.state, record.best) == ("done", 2), record.message
    fault = of(run, events.Fault)[0]
    assert words in f"{fault.cause} {fault.trace}".lower()
    assert "Traceback" not in fault.cause
    assert [attempt.parent for attempt in of(run, events.AttemptStarted)] == [None, 1]


def test_a_fit_that_ignores_its_limit_is_cut_and_the_run_goes_on(run):
    run.update(settings=RunSettings(time_limit=40))
    began = time.monotonic()
    record = engine.run(run, coder=ScriptedCoder(DEAF, spare=GOOD, fit_seconds=2))
    assert time.monotonic() - began < 40 + 30
    assert record.state in ("done", "failed")
    assert of(run, events.Fault)[0].attempt == 1


def test_a_sample_is_measured_when_nothing_worked_on_all_rows(run):
    breaks = GOOD.replace("    slope, intercept = np", "    raise MemoryError\n    slope, intercept = np", 1)
    sample = GOOD.replace(
        'pd.read_csv(data_dir / "train.csv")', 'pd.read_csv(data_dir / "train.csv").sample(90, random_state=0)'
    )
    record = engine.run(run, coder=ScriptedCoder(breaks, spare=sample))
    assert (record.state, record.best) == ("done", 2), record.message


def test_when_nothing_works_the_first_cause_is_told(run):
    record = engine.run(run, coder=ScriptedCoder(BAD_OPTION))
    assert record.state == "failed"
    assert record.message.startswith("No attempt worked.")
    assert "Traceback" not in record.message and "index out of range" not in record.message
    assert not record.files


def test_stop_keeps_the_best(run):
    coder = ScriptedCoder(GOOD, DEAF, fit_seconds=30)

    def press_stop():
        while not of(run, events.Best):
            time.sleep(0.2)
        run.ask_to_stop()

    run.update(settings=RunSettings(time_limit=300))
    threading.Thread(target=press_stop, daemon=True).start()
    began = time.monotonic()
    record = engine.run(run, coder=coder)
    assert time.monotonic() - began < 60
    assert (record.state, record.best) == ("stopped", 1)
    assert "predictor" in record.files and "predictions" in record.files


def test_what_is_said_during_the_last_fit_is_heard(run):
    slow = GOOD.replace(
        "    (model_dir", "    import time\n    time.sleep(0 if len(train) < 300 else 60)\n    (model_dir", 1
    )

    def speak():
        while not any(event.stage == "refit" for event in of(run, events.Stage)):
            time.sleep(0.2)
        run.add_hint("use mean absolute error as the metric")
        while not any(hint.answer for hint in of(run, events.Hint)):
            time.sleep(0.2)
        run.ask_to_stop()

    run.update(settings=RunSettings(time_limit=300))
    threading.Thread(target=speak, daemon=True).start()
    began = time.monotonic()
    record = engine.run(run, coder=ScriptedCoder(slow, fit_seconds=100))
    assert time.monotonic() - began < 50
    assert (record.state, record.best) == ("stopped", 1) and "predictor" in record.files
    assert "new run" in of(run, events.Hint)[-1].answer
    assert any("has not learnt from the rows it was measured on" in note.text for note in of(run, events.Note))


def test_a_hint_is_answered_and_taken_by_the_next_attempt(run):
    coder = ScriptedCoder(MEAN, GOOD)
    run.add_hint("use mean absolute error as the metric")
    record = engine.run(run, coder=coder)
    assert record.metric == "mae"
    hints = of(run, events.Hint)
    assert any(hint.answer for hint in hints) and hints[-1].attempt == 1


def test_goes_on_after_a_crash_from_the_directory_alone(run):
    class Crash(BaseException):
        pass

    class CrashingCoder(ScriptedCoder):
        def write(self, task, profile, variant):
            if variant.name == "v2":
                raise Crash
            return super().write(task, profile, variant)

    with pytest.raises(Crash):
        engine.run(run, coder=CrashingCoder(MEAN, GOOD))
    again = RunDirectory(run.path)
    record = engine.run(again, coder=ScriptedCoder(MEAN, GOOD))
    assert (record.state, record.best) == ("done", 2)
    assert [attempt.attempt for attempt in of(again, events.AttemptStarted)] == [1, 2, 2]
    seqs = [event.seq for event in again.events.read()]
    assert seqs == list(range(1, len(seqs) + 1))


def wrong_by(sign):
    """A solution whose answers are off by what another one is off to the other side."""
    return GOOD.replace("+ intercept}", f'+ intercept + {sign} * np.sin(rows["house_id"])}}')


def test_the_mean_of_attempts_is_handed_over_when_it_is_better(run):
    run.update(settings=RunSettings(time_limit=90))
    record = engine.run(run, coder=ScriptedCoder(wrong_by(2), wrong_by(-2)))
    assert (record.state, record.best) == ("done", 3), record.message
    assert [attempt["title"] for attempt in record.attempts][-1] == "Mean of attempts 1 and 2"
    assert record.score < 0.6 < record.attempts[0]["score"]
    assert set(record.files) == {"predictions", "predictor", "report"}
    said = [float(line.split(",")[1]) for line in (run.path / record.files["predictions"]).read_text().splitlines()[1:]]
    assert all(abs(value - (3 * (n % 37) + 0.5)) < 0.6 for n, value in enumerate(said))


def test_where_the_mean_cannot_be_fitted_the_best_alone_is_handed_over(run):
    run.update(settings=RunSettings(time_limit=90))
    refuses = wrong_by(-2).replace(
        "    slope, intercept = np", "    assert len(train) < 300\n    slope, intercept = np", 1
    )
    record = engine.run(run, coder=ScriptedCoder(wrong_by(2), refuses))
    assert (record.state, record.best) == ("done", 1), record.message
    assert "predictor" in record.files
    assert any("alone is handed over" in note.text for note in of(run, events.Note))


def test_a_mean_that_is_not_found_again_after_a_crash_is_no_longer_the_best(run, monkeypatch):
    class Crash(BaseException):
        pass

    def crash(*_):
        raise Crash

    coder = ScriptedCoder(wrong_by(2), wrong_by(-2))
    with monkeypatch.context() as patched, pytest.raises(Crash):
        patched.setattr(engine.Engine, "refit", crash)
        run.update(settings=RunSettings(time_limit=90))
        engine.run(run, coder=coder)
    assert run.record().best == 3
    monkeypatch.setattr(engine.blend, "find", lambda *_: None)  # as when too little time is left
    record = engine.run(RunDirectory(run.path), coder=coder)
    assert (record.state, record.best, len(record.attempts)) == ("done", 1, 2), record.message
    assert record.score == record.attempts[0]["score"]
    assert (run.path / "best").resolve().name == "001"


def test_attempts_run_beside_each_other_where_there_are_lanes(run, monkeypatch):
    monkeypatch.setenv("MLZERO_LANES", "2")
    waits = GOOD.replace("    (model_dir", "    import time\n    time.sleep(2)\n    (model_dir")
    record = engine.run(run, coder=ScriptedCoder(MEAN, waits, waits + "\n"))
    assert (record.state, record.best) == ("done", 2), record.message
    assert [attempt["number"] for attempt in record.attempts] == [1, 2, 3]
    order = [(event.attempt, event.state) for event in of(run, events.AttemptStage) if event.stage == "fit"]
    assert order.index((3, "started")) < order.index((2, "finished")) and order.index((2, "started")) < order.index((3, "finished"))  # fmt: skip


def test_a_wish_for_no_lanes_is_told(run, monkeypatch):
    monkeypatch.setenv("MLZERO_LANES", "many")
    record = engine.run(run, coder=ScriptedCoder(GOOD))
    assert record.state == "failed" and "MLZERO_LANES" in record.message


def test_it_is_told_why_time_is_left(run):
    engine.run(run, coder=ScriptedCoder(GOOD))
    assert "All that is planned" in " ".join(note.text for note in of(run, events.Note))
    again = RunDirectory.create(run.path.with_name("again"))
    for file in run.data.iterdir():
        (again.data / file.name).write_bytes(file.read_bytes())
    again.update(goal="Predict the price.", settings=RunSettings(time_limit=40), state="queued")
    coder = ScriptedCoder(MEAN, GOOD, fit_seconds=90)
    slow = coder.ladder
    coder.ladder = lambda *given: [v if v.name == "v1" else replace(v, min_seconds=60) for v in slow(*given)]
    engine.run(again, coder=coder)
    told = " ".join(note.text for note in of(again, events.Note))
    assert '"v2" was not tried' in told and "A run of" in told
