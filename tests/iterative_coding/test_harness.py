"""The harness over real sandboxes and small solutions, most of them broken on purpose."""

from __future__ import annotations

import json
import os
import socket
import textwrap
import threading
import time
from pathlib import Path

import numpy as np
import pandas as pd
import psutil
import pytest

from mlzero.errors import UserError
from mlzero.iterative_coding.contract import Evaluation
from mlzero.iterative_coding.guard import Limits
from mlzero.iterative_coding.harness import Harness
from mlzero.iterative_coding.rooms import Rooms
from mlzero.iterative_coding.sandbox import Sandbox, choose
from mlzero.perception.task import FeaturePlan, OutputPlan, SplitPlan, Task
from tests.tasks import plain_task

ROWS = 300
GOOD = """
import json
from pathlib import Path

import numpy as np
import pandas as pd


def load_train(data_dir):
    return pd.read_csv(Path(data_dir) / "train.csv")


def load_test(data_dir):
    return pd.read_csv(Path(data_dir) / "test.csv")


def fit(train, model_dir, time_limit):
    {fit}
    means = train.groupby("y")["size"].mean()
    (model_dir / "means.json").write_text(json.dumps(means.to_dict()))
    {after}


def predict(rows, model_dir):
    {predict}
    means = json.loads((model_dir / "means.json").read_text())
    middle = (means["Yes"] + means["No"]) / 2
    chance = 1 / (1 + np.exp(-(rows["size"] - middle)))
    answer = pd.DataFrame({{"y": np.where(chance > 0.5, "Yes", "No"), "probability_Yes": chance, "probability_No": 1 - chance}}, index=rows.index)
    {answer}
    return answer
"""


def good(**parts: str) -> str:
    """The good solution with statements added at the named places."""
    filled = {
        name: textwrap.indent(textwrap.dedent(parts.get(name, "pass")), "    ").strip()
        for name in ("fit", "after", "predict", "answer")
    }
    return GOOD.format(**filled)


class Told:
    """Keeps what the harness tells."""

    def __init__(self) -> None:
        self.stages: list[tuple[str, str]] = []
        self.lines: list[str] = []

    def stage(self, stage: str, state: str, seconds: float | None = None, memory_mb: float | None = None) -> None:
        self.stages.append((stage, state))

    def log(self, lines: list[str]) -> None:
        self.lines += lines

    def artefact(self, path: Path) -> None: ...


def make_task() -> Task:
    return plain_task(
        metric="roc_auc", id="id", split=SplitPlan(kind="stratified"), output=OutputPlan(columns=["id", "y"]),
        labels=["No", "Yes"], positive_label="Yes", features=[FeaturePlan(name="size", treat_as="number")],
    )  # fmt: skip


class Bench:
    """A run folder with data, and a harness over it."""

    def __init__(self, root: Path, sandbox: Sandbox) -> None:
        self.root, self.sandbox = root, sandbox
        self.data = root / "data"
        self.data.mkdir()
        dice = np.random.default_rng(0)
        size = dice.normal(size=ROWS)
        frame = pd.DataFrame({"id": range(ROWS), "size": size, "colour": dice.choice(["red", "blue"], ROWS)})
        frame["y"] = np.where(size + 0.7 * dice.normal(size=ROWS) > 0.3, "Yes", "No")
        frame.iloc[:250].to_csv(self.data / "train.csv", index=False)
        frame.iloc[250:].drop(columns="y").to_csv(self.data / "test.csv", index=False)
        self.stop = threading.Event()
        self.told = Told()
        self.number = 0

    def run(
        self,
        source: str,
        *,
        fit: float = 20,
        deadline: float = 60,
        limits: Limits | None = None,
        task: Task | None = None,
    ) -> Evaluation:
        self.number += 1
        folder = self.folder
        folder.mkdir(parents=True)
        (folder / "solution.py").write_text(source, encoding="utf-8")
        with Rooms(self.sandbox, self.root, limits or Limits(3000, 500)) as rooms:
            harness = Harness(rooms, self.data, self.root, task or make_task(), self.stop)
            return harness.evaluate(self.number, folder, self.told, fit_seconds=fit, deadline_seconds=deadline)

    def refit(self, final: Path) -> Evaluation:
        with Rooms(self.sandbox, self.root, Limits(3000, 500)) as rooms:
            harness = Harness(rooms, self.data, self.root, make_task(), self.stop)
            return harness.refit(self.folder, final, self.told, fit_seconds=10, deadline_seconds=60)

    @property
    def folder(self) -> Path:
        return self.root / "attempts" / f"{self.number:03d}"


def sandbox_or_skip(name: str) -> Sandbox:
    try:
        return choose(name)
    except UserError as error:
        pytest.skip(str(error))


@pytest.fixture(params=["bubblewrap", "restricted"])
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Bench:
    return Bench(tmp_path, sandbox_or_skip(request.param))


@pytest.fixture
def plain(tmp_path: Path) -> Bench:
    """For what does not depend on the kind of sandbox."""
    return Bench(tmp_path, choose())


@pytest.fixture
def isolated(tmp_path: Path) -> Bench:
    return Bench(tmp_path, sandbox_or_skip("bubblewrap"))


def test_a_good_solution_is_measured(bench: Bench) -> None:
    result = bench.run(good(fit="print('training', len(train))", answer="print('\\x1b[31mpredicting\\x1b[0m')"))
    assert result.failure is None
    assert result.valid and 0.75 < (result.score or 0) < 1.0
    assert result.baseline == 0.5 and "shares" in result.baseline_text
    assert (result.rows_train, result.rows_holdout, result.rows_test) == (200, 50, 50)
    assert bench.told.stages[0] == ("load", "started") and bench.told.stages[-1] == ("predict_test", "finished")
    assert "training 200" in bench.told.lines and "predicting" in bench.told.lines
    assert set(result.seconds) >= {"load", "fit", "predict_holdout", "score", "predict_test"}
    assert result.memory_mb > 20
    saved = json.loads((bench.folder / "result.json").read_text())
    assert Evaluation.from_json(saved) == result
    assert result.predictions and len(pd.read_csv(bench.folder / result.predictions)) == 50
    assert (bench.folder / "model" / "means.json").exists()
    assert (bench.folder / "evaluation" / "confusion_matrix.json").exists()


def test_attempts_share_one_split(bench: Bench) -> None:
    first, second = bench.run(good()), bench.run(good())
    assert first.score == second.score
    description = json.loads((bench.root / "split" / "split.json").read_text())
    assert description["holdout_rows"] == 50 == len(set(description["holdout"]))


def check_fault(bench: Bench, parts: dict[str, str], stage: str, kind: str, words: str) -> None:
    result = bench.run(good(**parts))
    assert result.failure is not None and not result.valid
    assert (result.failure.stage, result.failure.kind) == (stage, kind), result.failure
    assert words in result.failure.message
    assert bench.told.stages[-1] == (stage, "failed")


@pytest.mark.parametrize(
    ("parts", "stage", "kind", "words"),
    [
        ({"fit": "x = bytearray(5 << 30)"}, "fit", "memory", "MemoryError"),
        ({"fit": "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"}, "fit", "killed", "ended from outside"),
        ({"fit": "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"}, "fit", "killed", "SIGSEGV"),
        ({"fit": "import os; os._exit(0)"}, "fit", "contract", "ended itself"),
    ],
)  # fmt: skip
def test_crashes_are_named(bench: Bench, parts: dict[str, str], stage: str, kind: str, words: str) -> None:
    check_fault(bench, parts, stage, kind, words)


@pytest.mark.parametrize(
    ("parts", "stage", "kind", "words"),
    [
        ({"fit": "raise ValueError('unknown option: foo')"}, "fit", "exception", "unknown option: foo"),
        ({"fit": "raise SystemExit(3)"}, "fit", "exception", "SystemExit"),
        ({"predict": "raise KeyError('size2')"}, "predict_holdout", "exception", "size2"),
        ({"answer": "answer = answer.iloc[:-3]"}, "predict_holdout", "contract", "47 predictions for 50"),
        ({"answer": "answer = answer.reset_index(drop=True)"}, "predict_holdout", "contract", "index"),
        ({"answer": "answer.loc[answer.index[:2], 'y'] = None"}, "predict_holdout", "contract", "2 predictions are missing"),
        ({"answer": "answer['y'] = 'Maybe'"}, "predict_holdout", "contract", "'Maybe' is predicted"),
        ({"answer": "answer = answer.drop(columns='y')"}, "predict_holdout", "contract", "lack the column 'y'"),
        ({"answer": "answer['probability_Yes'] = np.nan"}, "predict_holdout", "contract", "probabilities"),
        ({"answer": "answer = answer[['y']]"}, "predict_holdout", "contract", "no probabilities"),
        ({"answer": "answer = 7"}, "predict_holdout", "contract", "predict returned int"),
        ({"answer": "answer = answer.iloc[:7] if len(rows) and 250 in set(rows['id']) else answer"}, "predict_test", "contract", "7 predictions"),
    ],
)  # fmt: skip
def test_faults_are_named(plain: Bench, parts: dict[str, str], stage: str, kind: str, words: str) -> None:
    check_fault(plain, parts, stage, kind, words)


def test_a_trace_holds_the_solution_and_little_else(plain: Bench) -> None:
    result = plain.run(good(fit="train['no such column']"))
    assert result.failure is not None
    assert result.failure.exception == "KeyError"
    assert 'File "solution.py"' in result.failure.trace and "worker.py" not in result.failure.trace
    assert result.failure.trace.count("File ") <= 4
    assert "Traceback" in (plain.folder / "stdout.log").read_text()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('/ "train.csv")', '/ "train.csv").drop(columns="y")', "no column 'y'"),
        ('/ "train.csv")', '/ "train.csv").assign(y=None)', "250 rows without a value"),
        ('/ "train.csv")', '/ "train.csv").set_index("colour")', "same row number"),
        ('/ "train.csv")', '/ "train.csv").iloc[:0]', "0 labelled rows"),
        ("def load_train", "import no_such_module\n\n\ndef load_train", "no_such_module"),
        ("def load_train", "def load_train(:", "invalid syntax"),
    ],
)
def test_what_loading_must_return(plain: Bench, old: str, new: str, words: str) -> None:
    result = plain.run(good().replace(old, new, 1))
    assert result.failure is not None and result.failure.stage == "load"
    assert words in result.failure.message
    assert not (plain.root / "split").exists()


def test_holdout_rows_cannot_be_dropped_or_changed(plain: Bench) -> None:
    assert plain.run(good()).valid
    dropped = plain.run(good().replace('/ "train.csv")', '/ "train.csv").iloc[:200]', 1))
    assert dropped.failure is not None and dropped.failure.kind == "contract"
    assert "left out" in dropped.failure.message and "of the 50 rows" in dropped.failure.message
    changed = plain.run(good().replace('/ "train.csv")', '/ "train.csv").assign(y="Yes")', 1))
    assert changed.failure is not None and "changed the target" in changed.failure.message
    more = plain.run(good().replace('/ "train.csv")', '/ "train.csv").assign(extra=1)', 1))
    assert more.valid


def test_mixed_columns_and_text_dates_travel(plain: Bench) -> None:
    source = good(
        fit="assert set(map(type, train['odd'])) == {str}; assert str(train['day'].dtype).startswith('datetime64')"
    )
    source = source.replace(
        '/ "train.csv")',
        '/ "train.csv").assign(odd=lambda d: [1, "a"] * (len(d) // 2), day=pd.Timestamp("2024-02-29"))',
        1,
    )
    result = plain.run(source)
    assert result.valid, result.failure


def test_memory_of_all_processes_together_is_bounded(bench: Bench) -> None:
    eat = """
        import os, time
        for _ in range(4):
            if os.fork() == 0:
                x = np.ones(25_000_000); time.sleep(60)
        time.sleep(60)
    """
    result = bench.run(good(fit=eat), limits=Limits(600, 500))
    assert result.failure is not None and result.failure.kind == "memory"
    assert result.memory_mb > 500


@pytest.mark.parametrize("path", ["model_dir / 'big'", "Path('big')", "Path('/tmp/mlzero-test-big')"])
def test_a_huge_file_is_refused(bench: Bench, path: str) -> None:
    result = bench.run(good(fit=f"({path}).write_bytes(bytes(200_000_000))"), limits=Limits(3000, 100))
    Path("/tmp/mlzero-test-big").unlink(missing_ok=True)
    assert result.failure is not None and result.failure.kind == "disk", result.failure


def test_many_files_fill_the_disk(bench: Bench) -> None:
    write = """
        import time
        for i in range(600):
            (model_dir / f"{i}.bin").write_bytes(bytes(20_000_000)); time.sleep(0.1)
    """
    result = bench.run(good(fit=write), limits=Limits(3000, 100))
    assert (
        result.failure is not None and result.failure.kind == "disk" and "100 MB are allowed" in result.failure.message
    )


@pytest.mark.slow
def test_an_overrunning_fit_is_cut(bench: Bench) -> None:
    begun = time.monotonic()
    result = bench.run(good(fit="import time; time.sleep(300)"), fit=1, deadline=10)
    assert time.monotonic() - begun < 12
    assert result.failure is not None and (result.failure.stage, result.failure.kind) == ("fit", "timeout")


@pytest.mark.slow
def test_what_a_cut_fit_saved_is_used(bench: Bench) -> None:
    result = bench.run(good(after="import time; time.sleep(300)"), fit=1, deadline=12)
    assert result.valid and result.salvaged, result.failure
    assert any("ended early" in c.detail and not c.passed and not c.fatal for c in result.checks)


def test_what_a_broken_fit_saved_is_used(bench: Bench) -> None:
    result = bench.run(good(after="raise RuntimeError('late')"))
    assert result.valid and result.salvaged


def stop_soon(bench: Bench, line: str) -> None:
    """Press stop once the solution has printed `line`."""

    def wait() -> None:
        while line not in bench.told.lines:
            time.sleep(0.02)
        bench.stop.set()

    threading.Thread(target=wait, daemon=True).start()


def test_stop_in_mid_fit(bench: Bench) -> None:
    stop_soon(bench, "begun")
    begun = time.monotonic()
    result = bench.run(good(fit="import time; print('begun'); time.sleep(300)"))
    assert time.monotonic() - begun < 15
    assert result.failure is not None and (result.failure.stage, result.failure.kind) == ("fit", "stopped")


def test_stop_keeps_what_was_trained(bench: Bench) -> None:
    stop_soon(bench, "saved")
    result = bench.run(good(after="import time; print('saved'); time.sleep(300)"))
    assert result.valid and result.salvaged, result.failure


def test_a_daemon_does_not_outlive_its_call(bench: Bench) -> None:
    daemon = """
        import os, sys, time
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                while True:
                    (model_dir / "beat").write_text(str(time.time())); time.sleep(0.05)
            os._exit(0)
        while not (model_dir / "beat").exists():
            time.sleep(0.02)
    """
    result = bench.run(good(fit=daemon))
    assert result.valid, result.failure
    beat = bench.folder / "model" / "beat"
    last = beat.read_text()
    time.sleep(0.3)
    assert beat.read_text() == last


def test_a_detached_process_dies_with_the_job(bench: Bench, tmp_path: Path) -> None:
    """Also one that left the process group and whose parent is gone."""
    marker = tmp_path / "marker"
    marker.mkdir()
    text = f"import os,time\nif os.fork()==0:\n os.setsid()\n if os.fork()==0:\n  while True:\n   open({str(marker / 'beat')!r},'w').write(str(time.time()));time.sleep(.05)\n os._exit(0)\ntime.sleep(60)"
    import sys

    with bench.sandbox.start([sys.executable, "-c", text], writable=[marker]):
        while not (marker / "beat").exists():
            time.sleep(0.02)
    last = (marker / "beat").read_text()
    time.sleep(0.3)
    assert (marker / "beat").read_text() == last
    assert not [p for p in psutil.Process().children() if p.status() != psutil.STATUS_ZOMBIE]


def test_a_flood_of_output_is_bounded(plain: Bench) -> None:
    result = plain.run(good(fit="for i in range(100_000): print(i)"))
    assert result.valid
    assert len(plain.told.lines) < 5100
    assert any("more lines are in the log file" in line for line in plain.told.lines)
    assert "99999" in (plain.folder / "stdout.log").read_text()


def test_secrets_of_the_server_stay_outside(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "hush")
    monkeypatch.setenv("PYTHONPATH", "/nowhere")
    result = bench.run(good(fit="import os; print('ENV', sorted(os.environ)); assert 'hush' not in str(os.environ)"))
    assert result.valid, result.failure
    names = next(line for line in bench.told.lines if line.startswith("ENV"))
    assert "PYTHONPATH" not in names and "'HF_HUB_OFFLINE'" in names


OUT_OF_REACH = [
    "open('/etc/shadow').read()",
    "open('{root}/split/truth.parquet', 'rb').read()",
    "open('{data}/train.csv').read()",
    "open('{root}/attempts/001/stdout.log').read()",
    "open('/usr/intruder', 'w')",
    "open('/intruder', 'w')",
    "open(__file__, 'w')",
    "(model_dir.parents[2] / 'work' / '001' / 'frames' / 'train.parquet').write_bytes(b'')",
    "socket.create_connection(('127.0.0.1', {port}), 2)",
    "socket.getaddrinfo('pypi.org', 443)",
    "os.kill({pid}, 0)",
    "open('/proc/{pid}/environ').read()",
]


def test_isolation(isolated: Bench) -> None:
    """Each statement must be refused inside."""
    attempts = ["import os, socket"]
    with socket.create_server(("127.0.0.1", 0)) as server:
        names = {"root": isolated.root, "data": isolated.data, "port": server.getsockname()[1], "pid": os.getpid()}
        for number, statement in enumerate(OUT_OF_REACH):
            done = f"print('OPEN', {number})"
            attempts.append(
                f"try:\n    {statement.format(**names)}\n    {done}\nexcept OSError as error:\n    print('BLOCKED', {number}, error)"
            )
        result = isolated.run(good(fit="\n".join(attempts)))
    assert result.valid, result.failure
    assert [line for line in isolated.told.lines if line.startswith("OPEN")] == []
    assert len([line for line in isolated.told.lines if line.startswith("BLOCKED")]) == len(OUT_OF_REACH)


def test_files_beside_the_model_are_not_reached(isolated: Bench) -> None:
    result = isolated.run(good(fit="try: (model_dir.parent / 'stolen.txt').write_text('x')\nexcept OSError: pass"))
    assert result.valid and not (isolated.folder / "stolen.txt").exists()


def test_the_upload_is_read_only(isolated: Bench) -> None:
    result = isolated.run(
        good().replace(
            "def load_train(data_dir):", "def load_train(data_dir):\n    (Path(data_dir) / 'x').write_text('x')", 1
        )
    )
    assert result.failure is not None and "Read-only" in result.failure.message


def test_a_link_to_the_truth_is_not_followed(bench: Bench) -> None:
    """The out folder is writable inside: a result that points elsewhere must not be read."""
    link = f"""
        import os
        os.symlink("{bench.root}/split/truth.parquet", "holdout.parquet") if os.path.lexists("holdout.parquet") is False else None
        import sys
        pd.DataFrame.to_parquet = lambda *a, **k: None
    """
    result = bench.run(good(answer=link))
    assert result.failure is not None and result.failure.kind == "contract" and "is a link" in result.failure.message


def test_links_out_of_the_model_are_removed(plain: Bench) -> None:
    result = plain.run(
        good(fit="import os; os.symlink('/etc', model_dir / 'etc'); os.symlink('means.json', model_dir / 'inner')")
    )
    assert result.valid
    assert sorted(p.name for p in (plain.folder / "model").iterdir()) == ["inner", "means.json"]


def test_prepare_leaves_resources_beside_the_model(plain: Bench) -> None:
    prepare = "def prepare(data_dir, model_dir):\n    (model_dir / 'lookup.txt').write_text('red=1')\n\n\ndef fit("
    source = good(
        fit="assert (model_dir / 'lookup.txt').read_text() == 'red=1'",
        predict="assert (model_dir / 'lookup.txt').exists()",
    )
    result = plain.run(source.replace("def fit(", prepare, 1))
    assert result.valid, result.failure
    broken = plain.run(source.replace("def fit(", prepare.replace("'red=1'", "1 / 0"), 1))
    assert (
        broken.failure is not None
        and broken.failure.stage == "load"
        and broken.failure.exception == "ZeroDivisionError"
    )


def test_refit_uses_all_labelled_rows(bench: Bench) -> None:
    result = bench.run(good(fit="print('rows', len(train))"))
    final = bench.root / "final"
    again = bench.refit(final)
    assert again.failure is None and again.score == result.score and again.rows_train == 250
    assert "rows 250" in bench.told.lines
    assert again.predictions and len(pd.read_csv(final / again.predictions)) == 50
    assert (final / "model" / "means.json").exists() and (final / "solution.py").exists()


def test_refit_tells_its_failure(plain: Bench) -> None:
    plain.run(good(fit="assert len(train) == 200, 'too many rows'"))
    again = plain.refit(plain.root / "final")
    assert again.failure is not None and "too many rows" in again.failure.message


def test_the_parts_outside_are_quick(bench: Bench) -> None:
    """What the harness adds to reading, fitting and predicting; generous, for busy machines."""
    begun = time.monotonic()
    result = bench.run(good(fit="import time; time.sleep(1)"))
    assert result.valid
    assert time.monotonic() - begun - result.seconds["fit"] < 10
