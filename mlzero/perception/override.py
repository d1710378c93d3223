"""Corrections by the user, checked before they are believed."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from mlzero.errors import UserError
from mlzero.perception.profile import ColumnKind, Profile
from mlzero.perception.series_words import STEPS
from mlzero.perception.task import Inferred, ProblemType, SplitPlan, Task
from mlzero.perception.wording import fold, quote_list

KEYS = (
    "target", "problem_type", "metric", "id", "drop", "keep", "treat", "positive_label", "split", "output", "frequency",
    "horizon", "order", "row_files", "spelling",
)  # fmt: skip
DATES, ENCODING = "dates", "encoding"  # about reading; followed by `:COLUMN` or `:FILE` for one. See `rereading`
ABOUT_TARGET = (
    "problem_type",
    "metric",
    "positive_label",
    "output",
    "order",
    "spelling",
)  # corrections that end with a new target
LEFT_OUT = "Left out by you."  # the reason of a column that is not used
BY_USER = "Set by you."  # the evidence for what was corrected
_NONE = frozenset({"", "none", "null", "no column", "-"})
NEEDS = {  # what an upload must hold for the kinds of answer that are not read off a table
    "ner": "sentences with a tag for each word",
    "retrieval": "queries, documents and which of them fit",
    "segmentation": "pictures with a label image each",
    "detection": "pictures with boxes, as COCO, Pascal VOC, YOLO or a table",
    "image_to_image": "pictures in two folders, as they are and as they should be",
    "forecasting": "a table with a column of times and a column of numbers",
    "sequence_to_sequence": "two columns of text, as it is and as it should be",
}
_TREATABLE = ("number", "category", "text", "date", "boolean", "identifier")  # what any column can be taken for
LONGEST_HORIZON = 2000  # steps ahead
_SHOWN = 30  # columns listed in an error


@dataclass
class Overrides:
    """What the user set; None: nothing."""

    targets: list[str] | None = None
    problem_type: ProblemType | None = None
    metric: str | None = None
    id_set: bool = False
    id: str | None = None
    drop: list[str] = field(default_factory=list)
    keep: list[str] = field(default_factory=list)
    treat: dict[str, ColumnKind] = field(default_factory=dict)
    positive_label: str | None = None
    order: str | None = None  # of labels that are grades, the lowest first
    spelling: Literal["one", "apart"] | None = None  # what labels are that differ in capitals or blanks only
    split: SplitPlan | None = None
    output: str | None = None
    frequency: str | None = None  # as `SeriesPlan` has it
    horizon: int | None = None  # steps ahead
    row_files: bool | None = None  # whether files of numbers that belong to the rows are used
    fields: list[str] = field(default_factory=list)  # fields of Task that they set


def read(given: Mapping[str, str] | None, profile: Profile) -> Overrides:
    """Check corrections against the upload.

    Parameters
    ----------
    given
        `target`, `problem_type`, `metric`, `id` ("none" for no column), `drop` and `keep` (columns, comma between),
        `type:COLUMN` or `treat` ("a=category, b=number"), `positive_label`, `split` ("time:COLUMN", "random"),
        `output` ("label", "probability", "number"), `order` of grades ("low < high"), `frequency` ("weekly"), `horizon` (steps ahead),
        `spelling` ("one", "apart": labels that differ in capitals or blanks only), `row_files` ("none" leaves out the files of numbers of the rows, or reads such files as tables; anything else takes them up). Corrections of reading are passed over, `rereading` has them.

    Raises
    ------
    UserError
        Names the closest match when a column, metric or value does not exist.
    """
    found = Overrides()
    names = list(dict.fromkeys(c.name for table in profile.tables for c in table.columns))
    for key, raw in (given or {}).items():
        value = raw.strip()
        if key.startswith("type:"):
            found.treat[column(key.partition(":")[2], names)] = _kind(value)
            _note(found, "features")
        elif key.partition(":")[0] in (DATES, ENCODING):
            _note(found, key)
        elif key not in KEYS:
            every = (*KEYS, DATES, ENCODING)
            raise UserError(
                f'There is nothing called "{key}" to set.{closest(key, every)}',
                f"Set one of: {', '.join((*every, 'type:COLUMN'))}.",
            )
        else:
            _one(found, key, value, names)
    for name in found.targets or []:
        if name in found.drop:
            raise UserError(
                f'"{name}" cannot be the target and left out at the same time.', "Remove it from the columns to drop."
            )
    return found


def merged(old: Mapping[str, str], new: Mapping[str, str], profile: Profile) -> dict[str, str]:
    """Earlier and later corrections together: the later word about a column or a field wins.

    A new target makes earlier corrections about the old one void.

    Raises
    ------
    UserError
        When a column to drop or to keep does not exist.
    """
    names = list(dict.fromkeys(c.name for table in profile.tables for c in table.columns))
    void = ABOUT_TARGET if "target" in new else ()
    found = {key: value for key, value in old.items() if key not in void} | dict(new)
    lists = {key: (columns(old.get(key, ""), names), columns(new.get(key, ""), names)) for key in ("drop", "keep")}
    for key, other in (("drop", "keep"), ("keep", "drop")):
        earlier, later = lists[key]
        kept = [n for n in earlier if n not in lists[other][1] and n not in later and n != new.get("target")]
        found[key] = ",".join([*kept, *later])
        if not found[key]:
            del found[key]
    return found


def _one(found: Overrides, key: str, value: str, names: list[str]) -> None:
    if key == "target":
        found.targets = columns(value, names)
        if not found.targets:
            raise UserError("The target is empty.", f"Name a column: {quote_list(names, _SHOWN)}.")
    elif key == "problem_type":
        found.problem_type = _choice("kind of answer", value, get_args(ProblemType))  # type: ignore[assignment]
    elif key == "metric":
        found.metric = value
    elif key == "id":
        found.id_set, found.id = True, None if fold(value) in _NONE else column(value, names)
    elif key in ("drop", "keep"):
        setattr(found, key, columns(value, names))
    elif key == "treat":
        for part in filter(None, map(str.strip, value.split(","))):
            name, _, kind = part.rpartition("=")
            found.treat[column(name, names)] = _kind(kind)
    elif key == "positive_label":
        found.positive_label = value
    elif key == "order":
        found.order = value
    elif key == "spelling":
        found.spelling = _choice("way to take spellings", value, ("one", "apart"))  # type: ignore[assignment]
    elif key == "split":
        found.split = _split(value, names)
    elif key == "output":
        found.output = _choice("kind of output", value, ("label", "probability", "number"))
    elif key == "row_files":
        found.row_files = _wants_files(value)
    elif key == "frequency":
        word = _choice("length of steps", value, tuple(STEPS.values()))
        found.frequency = next(code for code, called in STEPS.items() if called == word)
    elif key == "horizon":
        found.horizon = int(value) if value.isdigit() else 0
        if not 1 <= found.horizon <= LONGEST_HORIZON:
            raise UserError(
                f'"{value}" is no number of steps ahead.', f"Set a whole number from 1 to {LONGEST_HORIZON:,}."
            )
    _note(found, "features" if key in ("drop", "keep", "treat") else key)


def _note(found: Overrides, name: str) -> None:
    if name not in found.fields:
        found.fields.append(name)


def column(name: str, names: list[str]) -> str:
    """The column that is meant: by its exact name, or by another spelling when only one fits."""
    name = name.strip()
    if name in names:
        return name
    alike = [n for n in names if _plain(n) == _plain(name)]
    if len(alike) == 1:
        return alike[0]
    raise UserError(
        f'There is no column "{name}".{closest(name, names)}',
        f"The columns are: {quote_list(names, _SHOWN)}.",
    )


def columns(text: str, names: list[str]) -> list[str]:
    """Columns with commas between; a name that holds a comma itself is found whole."""
    text = text.strip().strip("[]")
    if text.strip() in names:
        return [text.strip()]
    found: list[str] = []
    rest = text
    while rest := rest.strip(" ,"):
        whole = max((n for n in names if rest == n or rest.startswith((f"{n},", f"{n} ,"))), key=len, default=None)
        part = whole or rest.split(",", 1)[0]
        found.append(whole or column(part.strip().strip("'\""), names))
        rest = rest[len(part) :]
    return list(dict.fromkeys(found))


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", fold(name))


def closest(name: str, options: Iterable[str]) -> str:
    """` Did you mean "price"?`, or nothing when no option is near."""
    by_plain = {_plain(o): o for o in options}
    near = difflib.get_close_matches(_plain(name), list(by_plain), n=1, cutoff=0.5)
    return f' Did you mean "{by_plain[near[0]]}"?' if near else ""


def _choice(what: str, value: str, options: tuple[str, ...]) -> str:
    plain = value.lower().replace(" ", "_").replace("-", "_")
    if plain not in options:
        raise UserError(f'"{value}" is no {what}.{closest(value, options)}', f"Choose one of: {', '.join(options)}.")
    return plain


def _kind(value: str) -> ColumnKind:
    return _choice("kind of column", value, get_args(ColumnKind))  # type: ignore[return-value]


def _wants_files(value: str) -> bool:
    """Whether a correction of `row_files` takes them up; "none" does not."""
    return fold(value.strip()) not in _NONE


def _split(value: str, names: list[str]) -> SplitPlan:
    """`time:date`, `group:patient`, `random` or `stratified`, a fraction behind it if wanted: `random:0.3`."""
    kind, _, rest = value.partition(":")
    kind = _choice("way to split", kind.strip(), ("stratified", "random", "group", "time"))
    if kind in ("group", "time"):
        if not rest.strip():
            raise UserError(
                f'A split by {kind} needs a column, as in "{kind}:COLUMN".',
                f"The columns are: {quote_list(names, _SHOWN)}.",
            )
        return SplitPlan(kind=kind, column=column(rest, names))  # type: ignore[arg-type]
    if not rest.strip():
        return SplitPlan(kind=kind)  # type: ignore[arg-type]
    try:
        fraction = float(rest)
    except ValueError:
        fraction = 0.0
    if not 0.01 <= fraction <= 0.9:
        raise UserError(f'"{rest}" is no share of the rows.', "Give a number between 0.01 and 0.9.")
    return SplitPlan(kind=kind, fraction=fraction)  # type: ignore[arg-type]


def metric_of(given: Overrides, problem_type: ProblemType) -> Inferred[str] | None:
    """The metric that the user set, by its own name; None when they set none.

    Raises
    ------
    UserError
        When it does not suit the problem type.
    """
    from mlzero.iterative_coding import metrics

    name = given.metric
    if name is None:
        return None
    fitting = metrics.names(problem_type)
    try:
        found = metrics.get(name).name
    except UserError as error:
        raise UserError(f"{error.message}{closest(name, fitting)}", f"Choose one of: {', '.join(fitting)}.") from error
    if found not in fitting:
        raise UserError(f'"{found}" cannot judge a {problem_type} task.', f"Choose one of: {', '.join(fitting)}.")
    return Inferred[str](value=found, evidence=BY_USER)


def split_of(given: Overrides) -> Inferred[SplitPlan] | None:
    """The split as the user set it, None when they set none."""
    return Inferred[SplitPlan](value=given.split, evidence=BY_USER) if given.split else None


def label(value: str, labels: list[str]) -> str:
    """The label that is meant."""
    alike = [x for x in labels if x == value] or [x for x in labels if fold(x.strip()) == fold(value)]
    if not alike:
        raise UserError(
            f'There is no label "{value}".{closest(value, labels)}', f"The labels are: {quote_list(labels, _SHOWN)}."
        )
    return alike[0]


def leave_out(task: Task, names: list[str]) -> None:
    """Drop columns that the user does not want."""
    for feature in task.features:
        if feature.name in names:
            feature.drop = LEFT_OUT


def apply_features(task: Task, given: Overrides) -> None:
    """Columns that the user leaves out, keeps, or wants treated in another way."""
    for feature in task.features:
        if feature.name in given.treat:
            wanted = given.treat[feature.name]
            if wanted not in _TREATABLE and wanted != feature.treat_as:
                raise UserError(
                    f'"{feature.name}" cannot be treated as {wanted}: its cells hold nothing of that kind.',
                    f"Choose one of: {', '.join(_TREATABLE)}.",
                )
            feature.treat_as = wanted
        if feature.name in given.keep:
            feature.drop = None
        elif feature.name in given.drop:
            feature.drop = LEFT_OUT
    known = {feature.name: feature for feature in task.features}
    for name in [*given.drop, *given.keep, *given.treat]:
        if name not in known and name not in task.targets:
            raise UserError(
                f'"{name}" is not a column of the rows to learn from.', f"These are: {quote_list(list(known), _SHOWN)}."
            )
        if name in task.targets and name not in given.treat:
            raise UserError(f'"{name}" is what is predicted, so it cannot be an input.', "Choose another target first.")
