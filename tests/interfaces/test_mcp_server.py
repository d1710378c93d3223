"""A real client talks to a real server, on stdin and stdout and over HTTP."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

SERVE = "from mlzero.interfaces.mcp_server import serve; serve(http={http}, port={port})"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Eighty rents that follow the size, and ten sizes without one."""
    folder = tmp_path / "flats"
    folder.mkdir()
    rows = [
        f"{n},{20 + n * 7 % 90},{'north' if n % 3 else 'south'},{(20 + n * 7 % 90) * 12 + n % 5}" for n in range(80)
    ]
    (folder / "train.csv").write_text("flat,size,side,rent\n" + "\n".join(rows) + "\n")
    (folder / "test.csv").write_text(
        "flat,size,side\n" + "\n".join(f"{n},{n % 60 + 25},north" for n in range(80, 90)) + "\n"
    )
    return folder


@contextlib.asynccontextmanager
async def client(log: Path) -> AsyncIterator[ClientSession]:
    """A session with a server of its own; the server inherits the test's home folder."""
    command = StdioServerParameters(command=sys.executable, args=["-m", "mlzero", "mcp"], env=dict(os.environ))
    with log.open("w") as errors:
        async with stdio_client(command, errlog=errors) as (read, write), ClientSession(read, write) as session:
            await session.initialize()
            yield session


async def call(session: ClientSession, tool: str, **arguments: Any) -> dict[str, Any]:
    answer = await session.call_tool(tool, arguments)
    assert not answer.isError, answer.content
    assert answer.structuredContent is not None
    return answer.structuredContent


async def refused(session: ClientSession, tool: str, **arguments: Any) -> str:
    answer = await session.call_tool(tool, arguments)
    assert answer.isError
    return str(getattr(answer.content[0], "text", ""))


def test_tools_are_described_and_errors_are_sentences(tmp_path: Path) -> None:
    async def talk() -> None:
        async with client(tmp_path / "log") as session:
            tools = {tool.name: tool for tool in (await session.list_tools()).tools}
            assert set(tools) == {"inspect", "solve", "run_status", "hint", "stop", "predict"}
            assert all(tool.description for tool in tools.values())
            nowhere = str(tmp_path / "nowhere")
            assert "There is nothing at" in await refused(session, "solve", data=nowhere, goal="predict x")
            assert "There is no run" in await refused(session, "run_status", run_id="unknown")
            assert await refused(session, "solve", data=nowhere, goal="predict x", time_limit=1) == (
                "`time_limit` of solve is wrong: input should be greater than or equal to 10."
            )
            assert await refused(session, "solve", data=nowhere) == "solve needs the argument `goal`."
            said = await refused(session, "solve", data=nowhere, goal="predict x", timelimit=100)
            assert said.startswith("solve has no argument `timelimit`. It takes data, goal, time_limit,")
            assert "Unknown tool: nothing" in await refused(session, "nothing", data=nowhere)
            (tmp_path / "taken.csv").touch()
            assert "exists already" in await refused(
                session, "predict", predictor=nowhere, new_data=nowhere, out=str(tmp_path / "taken.csv")
            )

    anyio.run(talk)


def test_inspect_names_the_target(tmp_path: Path, data: Path) -> None:
    async def talk() -> None:
        async with client(tmp_path / "log") as session:
            found = await call(session, "inspect", data=str(data), goal="Predict the rent")
            assert found["task"]["target"]["value"] == "rent"
            assert {table["table"]: table["rows"] for table in found["tables"]} == {"train.csv": 80, "test.csv": 10}
            corrected = await call(
                session, "inspect", data=str(data), goal="Predict the rent", overrides={"metric": "mae"}
            )
            assert corrected["task"]["metric"]["value"] == "mae"

    anyio.run(talk)


@pytest.mark.slow
def test_an_agent_solves_and_predicts(tmp_path: Path, data: Path) -> None:
    async def talk() -> None:
        async with client(tmp_path / "log") as session:
            started = await call(
                session, "solve", data=str(data), goal="Predict the rent", time_limit=60, max_attempts=1
            )
            run, after, news = started["run_id"], started["last"], list(started["news"])
            assert started["state"] in ("queued", "running")
            await call(session, "hint", run_id=run, text="use mae")
            state = started
            for _ in range(12):
                state = await call(session, "run_status", run_id=run, wait_seconds=20, after=after)
                after = state["last"]
                news += state["news"]
                if state["state"] not in ("queued", "running"):
                    break
            assert state["state"] == "done", state
            assert state["score"] < state["naive_guess"]
            assert any(line.startswith("Attempt 1") for line in news)
            assert Path(state["files"]["predictor"]).exists()
            assert "run is done" in await refused(session, "hint", run_id=run, text="use mae")
            out = tmp_path / "new" / "rents.csv"
            report = await call(session, "predict", predictor=run, new_data=str(data / "test.csv"), out=str(out))
            assert report["rows"] == 10 and out.read_text().startswith("flat,rent")

    anyio.run(talk)


@pytest.mark.slow
def test_a_stopped_run_says_so(tmp_path: Path, data: Path) -> None:
    async def talk() -> None:
        async with client(tmp_path / "log") as session:
            started = await call(session, "solve", data=str(data), goal="Predict the rent", time_limit=600)
            await call(session, "stop", run_id=started["run_id"])
            state = await call(session, "run_status", run_id=started["run_id"], wait_seconds=60)
            assert state["state"] == "stopped", state

    anyio.run(talk)


@pytest.fixture
def address() -> Iterator[str]:
    """A server over HTTP on a free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([sys.executable, "-c", SERVE.format(http=True, port=port)], stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.terminate()
        process.wait(20)


def test_http_answers_clients_but_no_web_page(address: str) -> None:
    async def talk() -> list[str]:
        async with streamable_http_client(address) as (read, write, _), ClientSession(read, write) as session:
            await session.initialize()
            return [tool.name for tool in (await session.list_tools()).tools]

    assert "solve" in anyio.run(talk)
    for header in ({"Origin": "https://example.org"}, {"Host": "example.org"}):
        request = urllib.request.Request(
            address,
            b"{}",
            {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", **header},
        )
        with pytest.raises(urllib.error.HTTPError) as refusal:
            urllib.request.urlopen(request, timeout=10)
        assert refusal.value.code in (403, 421)
