"""A model's code in the real sandbox: what only shows when it runs."""

from __future__ import annotations

import os

import pytest

from mlzero import engine, events
from mlzero.iterative_coding.contract import Variant
from mlzero.llm.connection import save
from mlzero.runs import RunDirectory, RunSettings
from tests.llm.helpers import KEY, OWNER, connect
from tests.llm.loopback import Loopback
from tests.llm.solutions import FIT, GOOD, swap

pytest.importorskip("pydantic_ai")
pytestmark = pytest.mark.slow

MACHINES = "sk-of-the-machine-77123"
TELLING = GOOD.replace('    """The price."""', '    """The price."""\n    import os\n\n    print(dict(os.environ))')


class Planner:
    """One rung, which also tells what its sandbox shows of the environment."""

    def ladder(self, task, profile, machine, seconds):
        return [Variant("scripted", "quick", "quick", "planned", {"rows": 300}, 3.0, 1.0)]

    def write(self, task, profile, variant):
        return TELLING

    def repair(self, variant, failure, diagnosis):
        return None


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setenv("MLZERO_MEMORY_MB", "3000")
    monkeypatch.setenv("ANTHROPIC_API_KEY", MACHINES)
    directory = RunDirectory.create(tmp_path / "run", owner=OWNER)
    rows = "".join(f"{n},{n % 37},{3 * (n % 37) + n % 5}\n" for n in range(300))
    (directory.data / "train.csv").write_text("house_id,size,price\n" + rows)
    (directory.data / "test.csv").write_text("house_id,size\n" + "".join(f"{900 + n},{n % 37}\n" for n in range(50)))
    settings = RunSettings(time_limit=240)
    directory.update(goal="Predict the price of the houses in test.csv.", settings=settings, state="queued")
    return directory


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("loop", f"while True:\n        pass\n    {FIT}"),
        ("fewer rows", f"{FIT}\n    train.drop(train.index, inplace=True)\n    slope = float('nan')"),
        ("memory", f"hog = [np.ones(2**27) for _ in range(400)]\n    {FIT}"),
    ],
    ids=["loop", "fewer rows", "memory"],
)
def test_what_fails_in_the_sandbox_takes_nothing_away(run, name, code):
    with Loopback([swap(FIT, code, name), "IDEA: none"]) as server:
        save(OWNER, connect(server, "openai"))
        record = engine.run(run, coder=Planner())
    assert (record.state, record.best) == ("done", 1), record.message
    assert [a["valid"] for a in record.attempts] == [True, False] and record.llm_usage["won"] == 0
    assert "predictor" in record.files
    log = (run.attempt(1) / "stdout.log").read_text()
    assert "MPLBACKEND" in log  # the environment was told
    for path in (p for p in run.path.rglob("*") if p.is_file()):
        content = path.read_bytes().decode("utf-8", "replace")
        assert MACHINES not in content and KEY not in content, path
    assert any(isinstance(e, events.Fault) for e in run.events.read()) and os.environ["ANTHROPIC_API_KEY"] == MACHINES
