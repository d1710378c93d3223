"""What a machine has room for."""

from __future__ import annotations

import pytest

from mlzero import config
from mlzero.errors import UserError
from mlzero.iterative_coding.contract import Machine


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch):
    def of(cores: int, memory_gb: float) -> None:
        monkeypatch.setattr(config, "machine", lambda: Machine(cores, memory_gb))
        monkeypatch.setattr(config.os, "sched_getaffinity", lambda _: set(range(cores)), raising=False)

    monkeypatch.delenv("MLZERO_LANES", raising=False)
    return of


@pytest.mark.parametrize(
    ("cores", "memory_gb", "lanes"), [(2, 24, 1), (4, 16, 1), (8, 12, 1), (8, 16, 2), (12, 64, 3), (64, 256, 3)]
)
def test_attempts_run_beside_each_other_where_each_has_cores_and_memory(machine, cores, memory_gb, lanes) -> None:
    machine(cores, memory_gb)
    found = config.lanes()
    assert len(found) == lanes
    used = [core for lane in found for core in lane]
    assert len(used) == len(set(used)) and (lanes == 1) == (used == [])


def test_the_user_may_decide_but_not_beyond_the_cores(machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine(4, 8)
    for wish, lanes in (("2", [[0, 1], [2, 3]]), ("1", [[]]), ("9", [[0], [1], [2], [3]])):
        monkeypatch.setenv("MLZERO_LANES", wish)
        assert config.lanes() == lanes
    for wish in ("0", "00", "two", "-1", "1.5"):
        monkeypatch.setenv("MLZERO_LANES", wish)
        with pytest.raises(UserError, match="MLZERO_LANES"):
            config.lanes()


@pytest.mark.parametrize("cores", [2, 8])
def test_an_empty_wish_is_none(machine, monkeypatch: pytest.MonkeyPatch, cores: int) -> None:
    machine(cores, 4.0 * cores)
    usual = config.lanes()
    monkeypatch.setenv("MLZERO_LANES", "")
    assert config.lanes() == usual
