"""The mean of the answers of a run's best attempts, where it is better than the best of them alone."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mlzero.iterative_coding import metrics
from mlzero.iterative_coding.contract import Attempt, Variant
from mlzero.iterative_coding.fork_server import modules_of
from mlzero.iterative_coding.frames import NotAFrame, read_frame
from mlzero.iterative_coding.holdout import Holdout
from mlzero.iterative_coding.kinds import Case, measure_of
from mlzero.iterative_coding.loading import Loading
from mlzero.perception.task import CLASSES, Task
from mlzero.predictor.standalone.answers import PREFIX
from mlzero.semantic_memory.blocks import function
from mlzero.semantic_memory.recipes.blend import render

if TYPE_CHECKING:
    import pandas as pd

RECIPE = "blend"
TYPES = frozenset({"binary", "multiclass", "regression", "multitarget", "text_similarity", "forecasting"})
MOST = 3  # attempts that are averaged
HALVES, SURE = 20, 16  # random halves of the holdout, and on how many of them a blend must be the better one
SEED = 11


@dataclass(frozen=True)
class Blend:
    """A blend that is worth handing over."""

    attempts: list[Attempt]  # the best alone first
    case: Case
    score: float
    better: int  # of HALVES

    def attempt(self, number: int) -> Attempt:
        """The blend as an attempt of the run, measured on the same rows as those it is made of."""
        best = self.attempts[0]
        assert best.evaluation is not None
        names = _listed([str(attempt.number) for attempt in self.attempts])
        idea = f"Better than attempt {best.number} alone on {self.better} of {HALVES} random halves of the rows kept aside."
        limit = sum(_limit(attempt) for attempt in self.attempts)
        variant = Variant(RECIPE, RECIPE, f"Mean of attempts {names}", idea, fit_seconds=limit)
        evaluation = replace(
            best.evaluation, attempt=number, score=self.score, predictions=None,
            seconds={"fit": sum(_taken(attempt) for attempt in self.attempts)},
            memory_mb=max(a.evaluation.memory_mb for a in self.attempts if a.evaluation),
        )  # fmt: skip
        return Attempt(number, variant, parent=best.number, evaluation=evaluation)

    def write(self, folder: Path, folder_of: Callable[[int], Path]) -> None:
        """Leave in `folder` what an attempt leaves, but for a model; `folder_of` gives those of other attempts."""
        folders = {f"attempt_{attempt.number}": folder_of(attempt.number) for attempt in self.attempts}
        sources = {name: (path / "solution.py").read_text(encoding="utf-8") for name, path in folders.items()}
        limits = [_limit(attempt) for attempt in self.attempts]
        shares = {name: limit / sum(limits) for name, limit in zip(folders, limits, strict=True)}
        preload = list(dict.fromkeys(itertools.chain.from_iterable(map(modules_of, sources.values()))))
        (folder / "solution.py").write_text(render(self.case.task, sources, shares, preload), encoding="utf-8")
        measure_of(self.case.task.problem_type.value).evaluate(self.case, folder / "evaluation")
        matters = folder_of(self.attempts[0].number) / "evaluation" / "importance.json"
        if matters.exists():  # of the best alone, as nobody has shuffled columns for the mean
            shutil.copyfile(matters, folder / "evaluation" / "importance.json")


def is_blend(attempt: Attempt) -> bool:
    return attempt.variant.recipe == RECIPE


def _taken(attempt: Attempt) -> float:
    """Seconds its fit took."""
    return attempt.evaluation.seconds.get("fit", 0.0) if attempt.evaluation else 0.0


def _limit(attempt: Attempt) -> float:
    """Seconds that another fit of it may take."""
    return max(attempt.variant.fit_seconds, _taken(attempt))


def find(attempts: Sequence[Attempt], task: Task, run_dir: Path, data_dir: Path, seconds: float) -> Blend | None:
    """The mean of the best two or three attempts, if it is clearly better than the best on the holdout.

    Parameters
    ----------
    attempts
        Those on the task and split in force.
    run_dir, data_dir
        The folder of the run, which still has the attempts' answers, and of the upload.
    seconds
        What fitting all of them again may take.

    Only few blends with equal weights are looked at, so that choosing among them tells little about luck, and the
    better one has to win on four of five random halves of the holdout, which is a gain of about one standard error.
    """
    ranked = _ranked(attempts)
    if task.problem_type.value not in TYPES or not ranked:
        return None
    first = _loaded(run_dir, ranked[0])
    chosen: list[Attempt] = []
    answers: list[pd.DataFrame] = []
    for attempt in ranked:
        own = _loaded(run_dir, attempt)
        spent = sum(map(_taken, [*chosen, attempt]))
        if len(chosen) < MOST and spent <= seconds and _same_columns(own, first):
            found = _answers(own, task)
            if found is not None and (not answers or set(found) == set(answers[0])):
                chosen.append(attempt)
                answers.append(found)
        if not chosen:
            return None  # the best alone cannot take part
    if len(chosen) < 2:
        return None
    case = _case(first, task, run_dir, data_dir, answers[0])
    return _better([(chosen[:size], _mean(answers[:size], task)) for size in range(2, len(chosen) + 1)], case)


def _better(candidates: list[tuple[list[Attempt], pd.DataFrame]], case: Case) -> Blend | None:
    """The best of the candidates, if it is clearly better than the predictions of the case."""
    metric = metrics.get(case.task.metric.value)
    sign = 1 if metric.higher_is_better else -1
    measure = measure_of(case.task.problem_type.value)
    scores = [measure.score(metric.name, replace(case, predicted=predicted)) for _, predicted in candidates]
    place = int(np.argmax([sign * score for score in scores]))
    attempts, predicted = candidates[place]
    blended = replace(case, predicted=predicted)
    wins = 0
    for half in _halves(case):
        gain = measure.score(metric.name, _part(blended, half)) - measure.score(metric.name, _part(case, half))
        wins += sign * gain > 0
    return Blend(attempts, blended, scores[place], wins) if wins >= SURE else None


def _ranked(attempts: Sequence[Attempt]) -> list[Attempt]:
    """The valid attempts, the best first."""
    valid = [a for a in attempts if a.evaluation and a.evaluation.valid and not is_blend(a)]
    down = bool(valid) and valid[0].evaluation is not None and valid[0].evaluation.higher_is_better
    return sorted(valid, key=lambda a: a.evaluation.score or 0.0 if a.evaluation else 0.0, reverse=down)


def _loaded(run_dir: Path, attempt: Attempt) -> Loading:
    """What an attempt read and answered."""
    return Loading(run_dir / "work" / f"{attempt.number:03d}")


def _same_columns(own: Loading, first: Loading) -> bool:
    """Whether two attempts have read the same columns, so that one reading serves both."""
    import pyarrow.parquet as pq

    files = (own.train, first.train)
    return all(file.exists() for file in files) and pq.read_schema(own.train).equals(pq.read_schema(first.train))


def _answers(own: Loading, task: Task) -> pd.DataFrame | None:
    """What an attempt answered on the holdout; None where its labels are not simply the most probable ones, or without chances."""
    target = task.targets[0]
    try:
        found = read_frame(own.answers)
        alone = _mean([found], task)
    except (NotAFrame, TypeError, ValueError):
        return None
    if any(str(name).startswith(PREFIX) for name in found):
        return found if (alone[target].astype(str) == found[target].astype(str)).all() else None
    return None if task.problem_type.value in CLASSES else found


def _mean(answers: list[pd.DataFrame], task: Task) -> pd.DataFrame:
    mean: pd.DataFrame = function("mean_answers")(answers, task.targets[0])
    return mean


def _case(loaded: Loading, task: Task, run_dir: Path, data_dir: Path, predicted: pd.DataFrame) -> Case:
    """The holdout with predictions."""
    frame, holdout = read_frame(loaded.train), Holdout(run_dir / "split")
    holdout.take_or_make(frame, task)
    rows = frame.loc[holdout.truth.index].drop(columns=task.targets)
    return Case(task, data_dir, frame.drop(index=holdout.truth.index), rows, holdout.truth, predicted.loc[rows.index])


def _halves(case: Case) -> list[np.ndarray]:
    """Positions of random halves of the holdout; series stay whole where there are several."""
    items = case.task.series.item if case.task.series else []
    group = case.rows.groupby(items, sort=False).ngroup().to_numpy() if items else np.arange(len(case.rows))
    if len(np.unique(group)) < 4:
        group = np.arange(len(case.rows))
    dice, names = np.random.default_rng(SEED), np.unique(group)
    return [np.flatnonzero(np.isin(group, dice.permutation(names)[: max(1, len(names) // 2)])) for _ in range(HALVES)]


def _part(case: Case, positions: np.ndarray) -> Case:
    rows, truth, predicted = (frame.iloc[positions] for frame in (case.rows, case.truth, case.predicted))
    return replace(case, rows=rows, truth=truth, predicted=predicted)


def _listed(names: list[str]) -> str:
    return ", ".join(names[:-1]) + f" and {names[-1]}"
