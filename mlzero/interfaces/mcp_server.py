"""MLZero for agents, over the Model Context Protocol: on stdin and stdout, or over HTTP on this machine.

The tools are thin: what a run is stands in its directory, and the registry of this process works it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import anyio.to_thread
from pydantic import Field, ValidationError

import mlzero
from mlzero.errors import UserError
from mlzero.interfaces.progress import sentence
from mlzero.registry import registry
from mlzero.runs import ENDED, LONGEST, SHORTEST, RunDirectory, RunSettings

if TYPE_CHECKING:
    from mcp.server.fastmcp import FastMCP

OWNER = "mcp"
PORT = 8765
MOST_SECONDS_TO_WAIT = 60.0

INSTRUCTIONS = """\
MLZero turns a data folder and a goal in plain words into a trained AutoGluon predictor. Usual order:
`inspect` to see what is understood, `solve` to start a run, `run_status` with wait_seconds until the state is
done, stopped or failed, then `predict` with the run id. Scores are measured on rows the model never saw.
Runs work inside this server: they are interrupted when it ends, and `mlzero runs resume RUN_ID` goes on with them."""

Data = Annotated[str, Field(description="Path of a folder, file or archive on this machine, or an s3:// prefix.")]
Goal = Annotated[str, Field(description="What is wanted, in plain words of any language.")]
Overrides = Annotated[
    dict[str, str] | None, Field(description='Corrections of what was understood, such as {"target": "price"}.')
]


async def inspect(data: Data, goal: Goal = "", overrides: Overrides = None) -> dict[str, Any]:
    """Say what a data folder holds and what is understood of the goal, without training."""
    found = await _aside(mlzero.inspect, data, goal, overrides)
    task = found.task.model_dump(mode="json", exclude={"features", "train", "test", "preferences"})
    tables = [
        {
            "table": table.key, "rows": table.rows, "notes": table.notes,
            "columns": [
                {"name": c.name, "kind": c.kind, "missing": c.missing, "unique": c.unique, "examples": c.examples[:3]}
                for c in table.columns
            ],
        }
        for table in found.profile.tables
    ]  # fmt: skip
    return {
        "task": task, "tables": tables, "documents": [d.path for d in found.profile.documents],
        "not_read": found.profile.unread,
    }  # fmt: skip


async def solve(
    data: Data,
    goal: Goal,
    time_limit: Annotated[float, Field(ge=SHORTEST, le=LONGEST, description="Seconds for the whole run.")] = 120.0,
    max_attempts: Annotated[int, Field(ge=1)] = 8,
    overrides: Overrides = None,
    hints: Annotated[list[str] | None, Field(description="Advice for the attempts.")] = None,
) -> dict[str, Any]:
    """Start a run that trains a predictor for the goal. Returns its id at once; ask `run_status` how it goes."""
    settings = RunSettings(
        time_limit=time_limit, max_attempts=max_attempts, overrides=overrides or {}, hints=hints or []
    )
    directory = await _aside(_start, data, goal, settings)
    return await _aside(_status, directory, 0)


async def run_status(
    run_id: str,
    wait_seconds: Annotated[
        float, Field(ge=0, le=MOST_SECONDS_TO_WAIT, description="Wait up to this long for the run to end.")
    ] = 0.0,
    after: Annotated[
        int, Field(ge=0, description="Leave out news up to this number, the `last` of an earlier answer.")
    ] = 0,
) -> dict[str, Any]:
    """State, score, naive guess, files and news of a run."""
    directory = _run(run_id)
    until = time.monotonic() + wait_seconds
    while directory.record().state not in ENDED and time.monotonic() < until:
        await anyio.sleep(0.25)
    return await _aside(_status, directory, after)


async def hint(run_id: str, text: str) -> dict[str, Any]:
    """Give a run advice for its next attempt, such as "use mae" or "ignore the column notes"; the news answer it."""
    directory = _run(run_id)
    if not text.strip():
        raise UserError("The hint is empty.", "Say in plain words what the next attempt shall do.")
    if directory.record().state in ENDED:
        raise UserError(f"The run is {directory.record().state}.", "Start another run and give it the hint at once.")
    return {"hint": registry().hint(run_id, text)}


async def stop(run_id: str) -> dict[str, Any]:
    """End a run soon; the best predictor so far is kept."""
    directory = _run(run_id)
    if directory.record().state not in ENDED:
        await _aside(registry().stop, run_id)
    return await _aside(_status, directory, 0)


async def predict(
    predictor: Annotated[str, Field(description="A run id, or the path of a predictor.zip or its unpacked folder.")],
    new_data: Annotated[str, Field(description="Path of new rows, in the same form as the training data.")],
    out: Annotated[str, Field(description="Path of the file to write; it must not exist yet.")],
    timeout: Annotated[float, Field(gt=0, description="Seconds.")] = 600.0,
) -> dict[str, Any]:
    """Predict new rows with the predictor of a run."""
    from mlzero.predictor.loading import predict_file

    target = Path(out).expanduser()
    if target.exists():
        raise UserError(f"{target.resolve()} exists already.", "Name a new file.")
    report = await _aside(predict_file, _predictor(predictor), Path(new_data).expanduser(), target, timeout=timeout)
    return {"path": str(report.path), "rows": report.rows, "warnings": report.warnings}


TOOLS: tuple[Callable[..., Any], ...] = (inspect, solve, run_status, hint, stop, predict)


def build(port: int = PORT) -> FastMCP:
    """The server with its tools; over HTTP it answers only this machine, and no web page."""
    from mcp.server.fastmcp import FastMCP
    from mcp.server.fastmcp.exceptions import ToolError
    from mcp.server.transport_security import TransportSecuritySettings

    class Server(FastMCP):
        """Says in sentences which arguments are wrong."""

        async def call_tool(self, name: str, arguments: dict[str, Any]) -> Any:
            known = {tool.name: list(tool.inputSchema["properties"]) for tool in await self.list_tools()}
            foreign = [given for given in arguments if given not in known.get(name, arguments)]
            if foreign:
                raise ToolError(f"{name} has no argument `{foreign[0]}`. It takes {', '.join(known[name])}.")
            try:
                return await super().call_tool(name, arguments)
            except ToolError as error:
                if isinstance(error.__cause__, ValidationError):
                    raise ToolError(_wrong(name, error.__cause__)) from error
                raise

    here = [f"127.0.0.1:{port}", f"localhost:{port}"]
    server = Server(
        "mlzero", instructions=INSTRUCTIONS, host="127.0.0.1", port=port, log_level="WARNING",
        transport_security=TransportSecuritySettings(
            enable_dns_rebinding_protection=True, allowed_hosts=here, allowed_origins=[f"http://{name}" for name in here]
        ),
    )  # fmt: skip
    for tool in TOOLS:
        server.add_tool(tool)
    return server


def serve(*, http: bool = False, port: int = PORT) -> None:
    """Serve until the client goes away (stdin and stdout) or the process is ended (HTTP)."""
    if http:
        print(f"MCP server on http://127.0.0.1:{port}/mcp", file=sys.stderr)
    build(port).run("streamable-http" if http else "stdio")


def _wrong(name: str, invalid: ValidationError) -> str:
    """Which arguments of a call are wrong, one sentence each."""
    sentences = []
    for error in invalid.errors():
        argument = ".".join(str(part) for part in error["loc"])
        if error["type"] == "missing":
            sentences.append(f"{name} needs the argument `{argument}`.")
        else:
            sentences.append(f"`{argument}` of {name} is wrong: {error['msg'][:1].lower()}{error['msg'][1:]}.")
    return " ".join(sentences)


async def _aside(work: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Work in a thread, so that the server goes on answering."""
    return await anyio.to_thread.run_sync(partial(work, *args, **options))


def _start(data: str, goal: str, settings: RunSettings) -> RunDirectory:
    from mlzero.perception.sources import lay_in

    directory = registry().draft(OWNER)
    try:
        directory.note(*lay_in(data, directory.data))
    except UserError:
        registry().delete(directory.id)
        raise
    registry().submit(directory.id, goal=goal, settings=settings)
    return directory


def _run(run_id: str) -> RunDirectory:
    found = registry().get(run_id, OWNER)
    if found is None:
        raise UserError(f"There is no run {run_id}.", "Use the run_id that `solve` returned.")
    return found


def _predictor(name: str) -> Path:
    """The predictor of a run, or a path. Raises UserError."""
    run = registry().get(name, OWNER)
    if run is None:
        return Path(name).expanduser()
    packed = run.record().files.get("predictor")
    if packed is None:
        raise UserError(f"The run {name} has no predictor.", "Wait until it has ended, and read its message.")
    return run.path / packed


def _status(directory: RunDirectory, after: int) -> dict[str, Any]:
    record = directory.record()
    happened = directory.events.read(after)
    return {
        "run_id": record.id,
        "state": record.state,
        "message": record.message,
        "place_in_queue": registry().position(record.id),
        "time_left": record.time_left,
        "target": record.target,
        "problem_type": record.problem_type,
        "metric": record.metric,
        "score": record.score,
        "naive_guess": record.baseline,
        "result": record.score_text,
        "sandbox": record.sandbox,
        "files": {name: str(directory.path / path) for name, path in record.files.items()},
        "news": [line for line in (sentence(event).strip() for event in happened) if line],
        "last": happened[-1].seq if happened else after,
    }
