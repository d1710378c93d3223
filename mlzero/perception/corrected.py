"""Inferences about a table with the user's corrections in their place, each checked against the data."""

from __future__ import annotations

from collections import Counter

from mlzero.errors import UserError
from mlzero.perception import answers, override, problem
from mlzero.perception import targets as target_finder
from mlzero.perception.goal import Brief
from mlzero.perception.modality import about_texts, only_files, pair_of
from mlzero.perception.override import BY_USER, Overrides
from mlzero.perception.profile import ColumnProfile, Profile, TableProfile
from mlzero.perception.roles import Roles, label_of
from mlzero.perception.task import NUMBERS, Inferred, OutputPlan, ProblemType, Question, SplitPlan
from mlzero.perception.wording import quote_list


def target_of(profile: Profile, roles: Roles, brief: Brief, given: Overrides) -> target_finder.Found:
    """What is to be predicted; raises UserError when the data has no such column."""
    if given.targets is None:
        found = target_finder.find(profile, roles, brief)
        asked = target_finder.asked_in_vain(roles.train[0], found.target.value, brief)
        if asked:
            usable(roles.train[0], asked.name)
        if found.target.value is None:
            table = label_of(roles.train[0])
            raise UserError(
                f"{table} has no column that could be predicted.",
                "Add a column with the answer, with at least two different values.",
            )
        return found
    value: str | list[str] = given.targets if len(given.targets) > 1 else given.targets[0]
    ranked = [c.name for c in target_finder.rank(roles, brief)[:3] if c.name not in given.targets]
    return target_finder.Found(Inferred[str | list[str] | None](value=value, evidence=BY_USER, alternatives=ranked))


def usable(main: TableProfile, name: str) -> ColumnProfile:
    """The target's profile; raises UserError when nothing can be learnt from it."""
    column = main.column(name)
    if column is None:
        raise UserError(
            f'"{name}" is not a column of {label_of(main)}, which holds the rows to learn from.',
            f"Choose one of its columns: {quote_list(main.names, 30)}.",
        )
    if column.kind == "empty" or column.unique == 0:
        raise UserError(
            f'No row of {label_of(main)} has a value in "{name}".',
            "Add rows whose answer is known, or choose another target.",
        )
    if column.unique == 1:
        only = f' ("{column.top[0][0]}")' if column.top else ""
        raise UserError(f'"{name}" has the same value in every row of {label_of(main)}{only}, so there is nothing to learn.', "Choose another target, or add rows with other values.")  # fmt: skip
    if main.rows - column.missing < 5:
        raise UserError(
            f'Only {main.rows - column.missing} rows of {label_of(main)} have a value in "{name}".',
            "Add rows whose answer is known.",
        )
    return column


def kind_of(
    columns: list[ColumnProfile], main: TableProfile, brief: Brief, given: Overrides
) -> tuple[Inferred[ProblemType], Question | None]:
    """The kind of answer, and what to ask when it is open."""
    pair = pair_of(main, [c.name for c in columns])
    kind, question = problem.kind_of(columns, brief, pair)
    if not given.problem_type:
        return kind, question
    _check_kind(given.problem_type, columns)
    if given.problem_type == "text_similarity" and pair is None:
        raise UserError(
            f"{label_of(main)} has no two columns of text to compare.",
            "Choose regression, or add the texts as two columns.",
        )
    return kind.model_copy(update={"value": given.problem_type, "confidence": 1.0, "evidence": BY_USER}), None


def _check_kind(kind: str, columns: list[ColumnProfile]) -> None:
    numbers = all(isinstance(c.minimum, float) and c.kind != "date" for c in columns)
    single = len(columns) == 1
    name = columns[0].name
    if (kind in ("multilabel", "multitarget")) == single:
        raise UserError(
            f"{kind} needs {'several targets' if single else 'a single target'}.",
            "Change the target or the kind of answer.",
        )
    if kind in NUMBERS and not numbers:
        raise UserError(
            f'"{name}" does not hold numbers, so it cannot be predicted as a number.',
            "Choose binary or multiclass, or another target.",
        )
    if kind == "binary" and columns[0].unique != 2:
        raise UserError(
            f'"{name}" has {columns[0].unique} different values, not two.', "Choose multiclass, or another target."
        )
    if kind == "multilabel" and any(c.unique > 2 for c in columns):
        raise UserError("For multilabel every target must be yes or no.", "Choose multitarget, or other targets.")


def positive_of(
    labels: list[str], kind: ProblemType, name: str, brief: Brief, given: Overrides
) -> Inferred[str | None]:
    """The label that counts as yes; None unless there are two."""
    if given.positive_label is None:
        return problem.positive_of(labels, brief, name) if kind == "binary" else Inferred[str | None](value=None)
    if kind != "binary":
        raise UserError(
            "Only a target with two labels has a positive label.", "Remove the correction of the positive label."
        )
    return Inferred[str | None](value=override.label(given.positive_label, labels), evidence=BY_USER)


def metric_of(
    kind: ProblemType, counts: Counter[str], names: list[str], main: TableProfile, brief: Brief, given: Overrides,
    sample: TableProfile | None = None,
) -> Inferred[str]:  # fmt: skip
    """What predictions are judged by.

    Parameters
    ----------
    counts
        Rows by label; empty for numbers.
    names
        The targets.
    sample
        The table that shows how the answer must look.
    """
    by_class = kind == "multiclass" and sample is not None and set(counts) <= set(sample.names)
    return override.metric_of(given, kind) or problem.metric_for(
        kind,
        counts,
        names,
        brief,
        of_texts=about_texts(main, names),
        of_files=only_files(main, names),
        by_class=by_class,
    )


def id_of(roles: Roles, names: list[str], brief: Brief, given: Overrides) -> Inferred[str | None]:
    """The column that names the rows, None for none."""
    if not given.id_set:
        return answers.id_of(roles, names, brief)
    if given.id in names:
        raise UserError(f'"{given.id}" is the target and cannot name the rows.', "Choose another column.")
    tables = roles.test or roles.train
    if given.id and not all(t.column(given.id) for t in tables):
        raise UserError(
            f'"{given.id}" is not a column of {label_of(tables[0])}.',
            f"Choose one of: {quote_list(tables[0].names, 30)}.",
        )
    return Inferred[str | None](value=given.id, evidence=BY_USER)


def with_output(output: Inferred[OutputPlan], kind: ProblemType, given: Overrides) -> Inferred[OutputPlan]:
    """The form of the answer, with label, probability or number as the user set it."""
    if not given.output:
        return output
    if (given.output == "number") != (kind in NUMBERS):
        raise UserError(
            f'A {kind} task cannot answer with "{given.output}".',
            "Choose number for numbers, label or probability for classes.",
        )
    plan = output.value.model_copy(update={"value": given.output})
    return output.model_copy(update={"value": plan, "confidence": 1.0, "evidence": BY_USER})


def with_split(
    split: Inferred[SplitPlan], main: TableProfile, names: list[str], given: Overrides
) -> Inferred[SplitPlan]:
    """The split, or the one that the user set with the usual fraction where they set none."""
    wanted = given.split
    if not wanted:
        return split
    if wanted.column and (main.column(wanted.column) is None or wanted.column in names):
        raise UserError(
            f'The rows cannot be split by "{wanted.column}".',
            f"Choose a column of {label_of(main)} that is not the target.",
        )
    if wanted.fraction == SplitPlan().fraction:
        wanted = wanted.model_copy(update={"fraction": split.value.fraction})
    return Inferred[SplitPlan](value=wanted, evidence=BY_USER)
