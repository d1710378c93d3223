"""The types that coder, harness, judge and search policy exchange.

A solution is one Python file that depends on public libraries only::

    def load_train(data_dir: Path) -> pd.DataFrame            # labelled rows; index = row numbers of the source table
    def load_test(data_dir: Path) -> pd.DataFrame | None      # rows to predict that came with the upload
    def prepare(data_dir: Path, model_dir: Path) -> None      # optional: label-free resources kept beside the model
    def load_new(path: Path, model_dir: Path) -> pd.DataFrame # later data in the same raw form
    def fit(train: pd.DataFrame, model_dir: Path, time_limit: float) -> None
    def predict(rows: pd.DataFrame, model_dir: Path) -> pd.DataFrame

A solution may say `CONTINUES = True`: then the last fit, on all rows, finds the measured model in `model_dir` and goes
on from there.

`predict` returns a frame with the index of `rows` and one column a target, named like the target. Class
labels come back as they stand in the data. For classification with one target it adds one column
`probability_<label>` a label; for several targets (multilabel) one column `probability_<target>` a target.

Everything is rows. Columns of kind image, audio, document and mask hold absolute paths; the harness gives the files
neutral names before a fit or a prediction sees them, so nothing can be read from a folder. Predicted masks and images
are PNG bytes in the target column (no files to carry out of a sandbox). Boxes are JSON text, as in
`perception.profile.ColumnKind`, with a "score" when predicted; tokens and tags are separated by single blanks.
Forecasts: `fit` keeps the history, `predict` gets one row an item and step ahead. Retrieval: one row a query;
`predict` returns document ids, best first, separated by blanks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from mlzero.perception.profile import Profile
from mlzero.perception.task import Task

AUTHOR, MODEL = "author", "model"  # the option of a variant that says who writes it, and its value for a language model
STAGES = {  # of an attempt, in plain words
    "fetch": "fetching pretrained weights",
    "load": "reading the data",
    "fit": "training",
    "predict_holdout": "predicting the rows kept aside",
    "predict_test": "predicting the new rows",
    "score": "measuring",
    "judge": "checking the result",
    "explain": "looking which columns matter",
}
FailureKind = Literal["exception", "timeout", "memory", "killed", "contract", "stopped", "disk", "checks"]


@dataclass
class Failure:
    """Why a stage of an attempt did not end well."""

    stage: str  # one of STAGES
    kind: FailureKind
    message: str  # last line of the traceback, or one sentence
    exception: str = ""  # exception class, when there was one
    trace: str = ""  # traceback limited to the solution's own frames and the last library frames


@dataclass
class Check:
    """One fact the judge looked at."""

    name: str
    passed: bool
    detail: str = ""  # a sentence
    fatal: bool = True  # False: a warning that does not make the attempt invalid


@dataclass
class Evaluation:
    """What the harness measured of one attempt. Saved as `result.json`."""

    attempt: int
    metric: str
    higher_is_better: bool
    score: float | None = None  # on the holdout, computed by the harness
    baseline: float | None = None  # the naive guess on the same rows
    baseline_text: str = ""  # "always says No"
    rows_train: int = 0
    rows_holdout: int = 0
    rows_test: int = 0
    seconds: dict[str, float] = field(default_factory=dict)  # by stage
    memory_mb: float = 0.0  # peak of the sandbox, children included
    failure: Failure | None = None
    checks: list[Check] = field(default_factory=list)
    predictions: str | None = None  # file in the attempt folder, written in the asked format
    salvaged: bool = False  # the fit was cut at its deadline and what was trained was used

    @property
    def valid(self) -> bool:
        """Whether it has a score and passed every check that matters."""
        return self.failure is None and self.score is not None and all(c.passed for c in self.checks if c.fatal)

    def better_than(self, other: Evaluation | None) -> bool:
        """Whether this valid evaluation beats another by the holdout score."""
        if not self.valid:
            return False
        if other is None or not other.valid:
            return True
        assert self.score is not None and other.score is not None
        return self.score > other.score if self.higher_is_better else self.score < other.score

    def to_json(self) -> dict[str, Any]:
        """As saved in `result.json`, with `valid`."""
        return asdict(self) | {"valid": self.valid}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Evaluation:
        data = {k: v for k, v in data.items() if k != "valid"}
        data["failure"] = Failure(**data["failure"]) if data.get("failure") else None
        data["checks"] = [Check(**c) for c in data.get("checks", [])]
        return cls(**data)


@dataclass(frozen=True)
class Variant:
    """One way a recipe can try: what the template reads, and what it costs."""

    recipe: str
    name: str  # "quick", "ensemble", "bagged"
    title: str  # "Gradient boosting, quick"
    idea: str  # why try it, one sentence
    options: dict[str, Any] = field(default_factory=dict)  # JSON-able
    fit_seconds: float = 30.0  # a sensible time limit for fit
    min_seconds: float = 10.0  # with less it is not worth starting

    @property
    def by_model(self) -> bool:
        """Whether a language model writes it, not a recipe."""
        return self.options.get(AUTHOR) == MODEL


@dataclass(frozen=True)
class Machine:
    """What there is to train on."""

    cores: int
    memory_gb: float
    gpu: bool = False


class Recipe(Protocol):
    """Writes solutions for one family of tasks. One file to add."""

    name: str

    def applies(self, task: Task, profile: Profile) -> bool:
        """Whether this recipe can carry the task."""

    def ladder(self, task: Task, profile: Profile, machine: Machine, seconds: float) -> list[Variant]:
        """Variants worth trying within `seconds`, the quick one first."""

    def render(self, task: Task, profile: Profile, variant: Variant) -> str:
        """The text of `solution.py`."""

    def step_down(self, variant: Variant, failure: Failure) -> Variant | None:
        """A variant that avoids this failure, or None when there is none."""


@dataclass
class Diagnosis:
    """An error, read."""

    signature: str  # stable across runs: exception, last solution frame, message without numbers
    cause: str  # plain words
    fix: str  # plain words: what is tried next
    remedy: str | None = None  # a remedy the recipe's step_down may use, such as "less_memory", "drop_option:foo"


@dataclass
class Attempt:
    """One node of the run's tree."""

    number: int
    variant: Variant
    parent: int | None = None
    hint: str | None = None
    diagnosis: Diagnosis | None = None  # of its failure
    evaluation: Evaluation | None = None


def best_of(attempts: Sequence[Attempt]) -> Attempt | None:
    """The valid attempt with the best holdout score, the first of equal ones."""
    best: Attempt | None = None
    for attempt in attempts:
        if attempt.evaluation and attempt.evaluation.better_than(best.evaluation if best else None):
            best = attempt
    return best


class Emit(Protocol):
    """Where the harness tells what it is doing; becomes events."""

    def stage(self, stage: str, state: str, seconds: float | None = None, memory_mb: float | None = None) -> None:
        """A stage of `STAGES` is "started", "finished" or "failed"; at its end with what it took, at its peak."""

    def log(self, lines: list[str]) -> None:
        """What the solution printed."""

    def artefact(self, path: Path) -> None:
        """A file that appeared in the folder of the attempt."""
