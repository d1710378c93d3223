"""The command line: `mlzero solve`, `inspect`, `predict`, `runs`, `mcp`."""

from __future__ import annotations

import json
import logging
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from rich.console import Console

from mlzero.errors import NoSolution, UserError
from mlzero.runs import LONGEST, SHORTEST, RunDirectory, RunRecord, record_in, settings

if TYPE_CHECKING:
    from mlzero.interfaces.progress import Progress

app = typer.Typer(
    help="From a data folder and a goal in plain words to a trained predictor.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
runs_app = typer.Typer(help="Runs kept on this machine.", no_args_is_help=True)
app.add_typer(runs_app, name="runs")

err = Console(stderr=True, soft_wrap=True)

Data = Annotated[str, typer.Argument(help="A folder, a file, an archive or an s3:// prefix.")]
Goal = Annotated[str, typer.Option("--goal", help="What you want, in plain words.")]
Set = Annotated[list[str], typer.Option("--set", help="Correct what was understood, such as target=price.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


@app.command()
def solve(
    data: Data,
    goal: Goal = "",
    out: Annotated[Path, typer.Option("--out", help="A new or empty folder for the results.")] = Path("mlzero_result"),
    time_limit: Annotated[
        float, typer.Option("--time-limit", min=SHORTEST, max=LONGEST, help="Seconds for the whole run.")
    ] = 120.0,
    max_attempts: Annotated[int, typer.Option("--max-attempts", min=1)] = 8,
    llm: Annotated[str, typer.Option("--llm", help="auto, none or PROVIDER:MODEL.")] = "auto",
    hint: Annotated[list[str], typer.Option("--hint", help="Advice for the attempts; may be repeated.")] = [],  # noqa: B006
    set_: Set = [],  # noqa: B006
    as_json: Json = False,
) -> None:
    """Train a predictor and leave it, its predictions and a report in the output folder."""
    from mlzero.api import finish_run, open_run
    from mlzero.interfaces.progress import Progress
    from mlzero.llm import resolve

    resolve(llm)
    chosen = settings(time_limit=time_limit, max_attempts=max_attempts, llm=llm, overrides=pairs(set_), hints=hint)
    directory = open_run(data, goal, out=out, settings=chosen)
    show(directory, lambda progress: finish_run(directory, progress), Progress(err, time_limit, quiet=as_json))
    if as_json:
        print(json.dumps(directory.record().model_dump(mode="json"), ensure_ascii=False, indent=1))


@app.command()
def inspect(data: Data, goal: Goal = "", set_: Set = [], as_json: Json = False) -> None:  # noqa: B006
    """Say what was found and understood, without training."""
    import mlzero
    from mlzero.interfaces.progress import describe

    found = mlzero.inspect(data, goal, pairs(set_))
    if as_json:
        print(json.dumps(found.to_json(), ensure_ascii=False, indent=1))
    else:
        describe(Console(), found)


@app.command()
def predict(
    predictor: Annotated[Path, typer.Argument(help="predictor.zip, or its unpacked folder.")],
    new_data: Annotated[Path, typer.Argument(help="New rows in the same form as the training data.")],
    out: Annotated[Path, typer.Option("--out", help="File to write.")] = Path("predictions.csv"),
    timeout: Annotated[float, typer.Option("--timeout", help="Seconds.")] = 600.0,
) -> None:
    """Predict new rows with a predictor that a run left."""
    from mlzero.predictor.loading import predict_file

    report = predict_file(predictor, new_data, out, timeout=timeout)
    for warning in report.warnings:
        err.print(warning, style="yellow", markup=False)
    err.print(f"{report.rows:,} predictions written to {report.path}", markup=False)


@app.command()
def why(
    predictor: Annotated[Path, typer.Argument(help="predictor.zip, or its unpacked folder.")],
    new_data: Annotated[Path, typer.Argument(help="New rows in the same form as the training data.")],
    row: Annotated[
        int, typer.Option("--row", help="Number of the row in the file, counted from 1 below the header.")
    ] = 1,
    as_json: Json = False,
) -> None:
    """Tell which cells of a row its answer comes from."""
    from mlzero.predictor.loading import reasons_for
    from mlzero.predictor.standalone.reasons import told

    found = reasons_for(predictor, new_data, row)
    print(json.dumps(found, ensure_ascii=False, indent=1) if as_json else told(found))


@runs_app.command("list")
def list_runs(as_json: Json = False) -> None:
    """Runs on this machine, the newest first."""
    from mlzero.iterative_coding.outcome import spoken

    records = sorted(_records(), key=lambda record: -record.created)
    if as_json:
        print(json.dumps([record.model_dump(mode="json") for record in records], ensure_ascii=False))
        return
    for record in records:
        score = "" if record.score is None else f"{record.metric} {spoken(record.score)}"
        print(f"{record.id}  {record.state:11}  {score:24}  {record.goal[:70]}")


@runs_app.command("show")
def show_run(run: str) -> None:
    """The record of one run, as JSON."""
    print(json.dumps(_find(run).record().model_dump(mode="json"), ensure_ascii=False, indent=1))


@runs_app.command("resume")
def resume_run(run: str) -> None:
    """Go on with an interrupted, stopped or failed run."""
    from mlzero.api import finish_run
    from mlzero.interfaces.progress import Progress

    directory = _find(run)
    record = directory.record()
    if record.state in ("running", "queued") and not record.abandoned:
        raise UserError(f"The run {run} is {record.state}.", "Only a run that has ended can be resumed.")
    directory.stop_file.unlink(missing_ok=True)
    show(directory, lambda progress: finish_run(directory, progress), Progress(err, record.settings.time_limit))


@runs_app.command("delete")
def delete_run(run: str) -> None:
    """Remove a run and everything it left."""
    directory = _find(run)
    record = record_in(directory.path)  # None of a damaged one, which may go
    if record and record.state == "running":
        raise UserError(f"The run {run} is running.", "Stop it first.")
    shutil.rmtree(directory.path)


@app.command()
def mcp(http: Annotated[bool, typer.Option("--http", help="Serve over HTTP on this machine.")] = False) -> None:
    """Serve MLZero to agents over the Model Context Protocol."""
    from mlzero.interfaces.mcp_server import serve

    serve(http=http)


def show(directory: RunDirectory, work: Callable[[Progress], object], progress: Progress) -> None:
    """Work a run under a progress display; Ctrl-C stops it and keeps the best so far."""
    before = signal.signal(signal.SIGINT, lambda *_: directory.ask_to_stop())
    try:
        with progress:
            work(progress)
    finally:
        signal.signal(signal.SIGINT, before)
    progress.summary(directory)


def pairs(texts: list[str]) -> dict[str, str]:
    """`["target=price"]` as a dictionary."""
    found = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name.strip():
            raise UserError(f"--set {text} has no '='.", "Write it as --set target=price.")
        found[name.strip()] = value.strip()
    return found


def _records() -> list[RunRecord]:
    from mlzero import config

    folder = config.home() / "runs"
    return [record for path in folder.glob("*/run.json") if (record := record_in(path.parent))]


def _find(run: str) -> RunDirectory:
    """By id among the kept runs, or by the path of an output folder."""
    from mlzero import config

    for path in (config.home() / "runs" / run, Path(run)):
        if (path / "run.json").exists():
            return RunDirectory(path)
    raise UserError(f"There is no run {run}.", "See `mlzero runs list`.")


def main() -> NoReturn:
    """Entry point: 0 on success, 2 on a user error, 1 when no valid solution was found."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    try:
        app(standalone_mode=True)
    except UserError as error:
        err.print(str(error), style="red", markup=False)
        sys.exit(2)
    except NoSolution as error:
        err.print(str(error), style="red", markup=False)
        sys.exit(1)
    sys.exit(0)
