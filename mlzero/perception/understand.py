"""From a profile and a goal to a task: what is wanted, of which rows, judged how, each with the reason."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlzero.errors import UserError
from mlzero.perception import answers, leaks, override, problem, relational
from mlzero.perception import goal as goals
from mlzero.perception import roles as role_finder
from mlzero.perception import targets as target_finder
from mlzero.perception.goal import Brief
from mlzero.perception.kinds import specialists
from mlzero.perception.modality import about_texts, modality_of, only_files, pair_of, wording_of
from mlzero.perception.override import BY_USER, Overrides
from mlzero.perception.profile import ColumnProfile, Profile, TableProfile
from mlzero.perception.roles import Roles, label_of
from mlzero.perception.task import NUMBERS, FeaturePlan, FileRole, Inferred, Question, RowSource, SplitPlan, Task
from mlzero.perception.wording import quote_list

if TYPE_CHECKING:
    import pandas as pd

_LARGE_CELLS = 2_000_000  # from here a part of the rows is read again, not all
_ASKED_ROWS = 20_000  # rows to predict that are compared with those to learn from
_LEAST_ROWS = 3  # of a label: one to measure, one to learn from, one to compare models on
_WIDE = 6  # columns from which equal rows are the same case twice


def infer_task(profile: Profile, data_dir: Path, goal: str, overrides: dict[str, str] | None = None) -> Task:
    """Understand what is wanted.

    Parameters
    ----------
    profile
        What was found in `data_dir`.
    goal
        What the user wrote, in any language; may be empty.
    overrides
        Corrections, see `mlzero.perception.override.read`; what depends on them is inferred anew.

    Raises
    ------
    UserError
        When there is no table, no column to predict, nothing to learn from, or a correction does not fit.
    """
    given = override.read(overrides, profile)
    brief = goals.read(goal, profile)
    for specialist in specialists():
        task = specialist.task(data_dir, profile, brief, given)
        if task is not None:
            return task
    if given.problem_type in override.NEEDS:
        raise UserError(
            f"The data was not recognised as {given.problem_type}.",
            f"That needs {override.NEEDS[given.problem_type]}. Add what is missing, or remove the correction.",
        )
    roles = role_finder.find(profile, brief, given.targets[0] if given.targets else None)
    apart = role_finder.answers_apart(roles, brief)
    if apart and (given.targets is None or given.targets == [apart[2]]):
        raise UserError(
            f'The answers ("{apart[2]}") are in {label_of(apart[0])}, apart from the rows in {label_of(apart[1])}.',
            f'Add the column "{apart[2]}" to {label_of(apart[1])}, or choose one of its own columns as target.',
        )
    found = _target(profile, roles, brief, given)
    names = found.target.value if isinstance(found.target.value, list) else [str(found.target.value)]
    columns = [_usable(roles.train[0], name) for name in names]
    frame = _load(data_dir, roles.train[0], names)
    questions = [found.question] if found.question else []

    pair = pair_of(roles.train[0], names)
    kind, question = problem.kind_of(columns, brief, pair)
    if given.problem_type:
        _check_kind(given.problem_type, columns)
        if given.problem_type == "text_similarity" and pair is None:
            raise UserError(
                f"{label_of(roles.train[0])} has no two columns of text to compare.",
                "Choose regression, or add the texts as two columns.",
            )
        kind = kind.model_copy(update={"value": given.problem_type, "confidence": 1.0, "evidence": BY_USER})
    elif question:
        questions.append(question)
    counts = _labels(columns[0], roles, frame, data_dir) if kind.value in ("binary", "multiclass") else Counter[str]()
    labels = list(counts)
    if kind.value in ("binary", "multiclass") and sum(n >= _LEAST_ROWS for n in counts.values()) < 2:
        raise UserError(
            f'"{names[0]}" of {label_of(roles.train[0])} has fewer than two labels that stand in {_LEAST_ROWS} rows or '
            "more, so nothing can be learnt and measured.",
            "Add rows of the rarer labels, or choose another target.",
        )
    if kind.value == "binary" and len(labels) > 2:  # further labels stand in the other tables
        kind = problem.several_labels(names[0], len(labels))
    positive = (
        problem.positive_of(labels, brief, names[0]) if kind.value == "binary" else Inferred[str | None](value=None)
    )
    if given.positive_label is not None:
        if kind.value != "binary":
            raise UserError(
                "Only a target with two labels has a positive label.", "Remove the correction of the positive label."
            )
        positive = Inferred[str | None](value=override.label(given.positive_label, labels), evidence=BY_USER)
    metric = problem.metric_for(
        kind.value, counts, names, brief,
        of_texts=about_texts(roles.train[0], names), of_files=only_files(roles.train[0], names),
    )  # fmt: skip
    if given.metric is not None:
        metric = Inferred[str](
            value=override.metric(given.metric, kind.value), evidence=f"{BY_USER[:-1]}; you asked for it."
        )
    identifier = _id(roles, names, brief, given)
    output = answers.output_of(profile, roles, names, identifier.value, kind.value, metric, labels, brief)
    if given.output:
        _check_output(given.output, kind.value)
        output = output.model_copy(
            update={
                "value": output.value.model_copy(update={"value": given.output}),
                "confidence": 1.0,
                "evidence": BY_USER,
            }
        )
    train, test, notes = _rows(roles, columns)
    rows = sum(_labelled(table, names) for table in roles.train)
    split = answers.split_of(
        roles,
        kind.value,
        names,
        rows,
        brief,
        lambda name: _other_values(data_dir, roles, frame, name),
        lambda name: _crossed(frame, names[0], name),
    )
    if given.split:
        split = Inferred[SplitPlan](value=_settled(given.split, split.value, roles, names), evidence=BY_USER)
    if answers.sample_at_odds(roles, names, identifier.value):
        notes.append(f"{output.evidence.partition(';')[0]}.")
    features, leak_notes = leaks.plan(
        roles.train[0],
        _open_tables(roles, names, frame),
        names,
        identifier.value,
        frame.dropna(subset=names),
        kind.value in NUMBERS,
    )
    told = role_finder.told_by_names(roles)
    if told:
        train = [source.model_copy(update={"told": {told[0]: told[1][source.table]}}) for source in train]
        features.append(FeaturePlan(name=told[0], treat_as="category"))
        notes.append(f'"{told[0]}" of the rows to learn from is taken from the names of their files.')
    task = Task(
        goal=goal,
        modality=modality_of(features, roles.train[0]),
        problem_type=kind,
        target=found.target,
        metric=metric,
        id=identifier,
        files=Inferred[list[FileRole]](
            value=role_finder.listed(profile, roles), confidence=roles.confidence, evidence=roles.evidence
        ),
        split=split,
        output=output,
        labels=labels,
        positive_label=positive,
        train=train,
        test=test,
        features=features,
        drop_duplicates=_doubled(roles, identifier.value),
        questions=[q for q in questions if q.field not in given.fields],
        notes=[*notes, *leak_notes],
        overridden=given.fields,
    )
    relational.extend(task, data_dir, roles, frame)
    override.apply_features(task, given)
    if not task.used_features:
        raise UserError(
            f'No column is left to predict "{names[0]}" from.', "Keep at least one column, or add columns to the data."
        )
    _say_more(task, roles, brief)
    return task


def _target(profile: Profile, roles: Roles, brief: Brief, given: Overrides) -> target_finder.Found:
    if given.targets is None:
        found = target_finder.find(profile, roles, brief)
        asked = target_finder.asked_in_vain(roles.train[0], found.target.value, brief)
        if asked:
            _usable(roles.train[0], asked.name)
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


def _usable(main: TableProfile, name: str) -> ColumnProfile:
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


def _check_output(value: str, kind: str) -> None:
    if (value == "number") != (kind in NUMBERS):
        raise UserError(
            f'A {kind} task cannot answer with "{value}".',
            "Choose number for numbers, label or probability for classes.",
        )


def _id(roles: Roles, names: list[str], brief: Brief, given: Overrides) -> Inferred[str | None]:
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


def _settled(wanted: SplitPlan, inferred: SplitPlan, roles: Roles, names: list[str]) -> SplitPlan:
    main = roles.train[0]
    if wanted.column and (main.column(wanted.column) is None or wanted.column in names):
        raise UserError(
            f'The rows cannot be split by "{wanted.column}".',
            f"Choose a column of {label_of(main)} that is not the target.",
        )
    return (
        wanted if wanted.fraction != SplitPlan().fraction else wanted.model_copy(update={"fraction": inferred.fraction})
    )


def _load(data_dir: Path, table: TableProfile, names: list[str]) -> pd.DataFrame:
    """The training table, or as many of its first rows as can be read in no time."""
    from mlzero.perception.tables import load_table

    large = table.rows * len(table.columns) > _LARGE_CELLS
    frame = load_table(data_dir, table, nrows=max(2000, _LARGE_CELLS // (2 * len(table.columns))) if large else None)
    absent = [name for name in names if name not in frame]
    if absent:
        raise UserError(f'"{absent[0]}" disappeared from {label_of(table)}.', "Upload the data again.")
    return frame


def _other_values(data_dir: Path, roles: Roles, frame: pd.DataFrame, name: str) -> bool:
    """Whether the rows to predict have other values in a column than the rows to learn from."""
    from mlzero.perception.tables import load_table

    asked = load_table(data_dir, roles.test[0], nrows=_ASKED_ROWS)[name].dropna().unique()
    return len(asked) > 0 and not set(frame[name].dropna().unique()) & set(asked)


def _crossed(frame: pd.DataFrame, target: str, name: str) -> bool:
    """Whether every value of the target stands beside several values of another column."""
    return int(frame.groupby(target)[name].nunique().min()) > 1


def _labels(column: ColumnProfile, roles: Roles, frame: pd.DataFrame, data_dir: Path) -> Counter[str]:
    """Labels of all rows of all training tables, the most frequent first."""
    from mlzero.perception.tables import load_table

    counts = _labels_in(column, roles.train[0], frame, data_dir)
    for table in roles.train[1:]:
        other = table.column(column.name)
        if other is not None and other.kind != "empty" and table.rows * len(table.columns) <= _LARGE_CELLS:
            counts += problem.labels_of(load_table(data_dir, table)[column.name])
    return Counter(dict(sorted(counts.items(), key=lambda item: (-item[1], item[0]))))


def _labels_in(column: ColumnProfile, table: TableProfile, frame: pd.DataFrame, data_dir: Path) -> Counter[str]:
    """Labels of a table; of a large one by its profile where that tells them all."""
    if len(frame) < table.rows:
        from mlzero.iterative_coding.labels import text_of
        from mlzero.perception.tables import load_table

        known = {text_of(value) for value in frame[column.name].dropna().unique()}
        told = {text: n for text, n in column.top if text in known}
        if set(told) == known and len(known) == column.unique:
            return Counter(told)
        frame = load_table(data_dir, table)
    return problem.labels_of(frame[column.name])


def _labelled(table: TableProfile, names: list[str]) -> int:
    return table.rows - max((c.missing for n in names if (c := table.column(n))), default=0)


def _rows(roles: Roles, columns: list[ColumnProfile]) -> tuple[list[RowSource], list[RowSource], list[str]]:
    """Rows to learn from and to predict, and a note on rows without an answer."""
    main = roles.train[0]
    names = [c.name for c in columns]
    roles.train = [main, *(t for t in roles.train[1:] if all((c := t.column(n)) and c.kind != "empty" for n in names))]
    open_rows = min(c.missing for c in columns)
    gaps = max(c.missing for c in columns)
    train = [RowSource(table=t.key, rows="labelled" if _labelled(t, names) < t.rows else "all") for t in roles.train]
    test = [RowSource(table=t.key) for t in roles.test]
    if gaps and (roles.test or not open_rows):
        return (
            train,
            test,
            [
                f"{gaps:,} rows of {label_of(main)} have no value in {quote_list(names, 2)} and are not used for learning."
            ],
        )
    if open_rows:
        return (
            train,
            [RowSource(table=main.key, rows="unlabelled")],
            [
                f"{open_rows:,} rows of {label_of(main)} have no value in {quote_list(names, 2)}; they are predicted, the others are learnt from."
            ],
        )
    return train, test, []


def _open_tables(roles: Roles, names: list[str], frame: pd.DataFrame) -> list[TableProfile]:
    """The tables to predict; for rows of the training table, its columns as they look in these rows."""
    if roles.test:
        return roles.test
    open_rows = frame[frame[names].isna().all(axis=1)]
    if open_rows.empty:
        return []
    main = roles.train[0]
    empty = open_rows.isna().all()
    columns = [c.model_copy(update={"kind": "empty"}) if empty.get(c.name, False) else c for c in main.columns]
    return [main.model_copy(update={"columns": columns})]


def _doubled(roles: Roles, identifier: str | None) -> bool:
    """Whether equal rows are the same case twice, as the same sentence is."""
    main = roles.train[0]
    told = identifier is not None or len(main.columns) >= _WIDE or wording_of(main, [])
    return any(t.duplicate_rows for t in roles.train) and bool(told)


def _say_more(task: Task, roles: Roles, brief: Brief) -> None:
    """Notes and questions that need the whole task."""
    doubled = sum(t.duplicate_rows for t in roles.train)
    if task.drop_duplicates:
        task.notes.append(f"{doubled:,} rows that stand there twice are used once.")
    labelled = {n for t in roles.test for n in task.targets if (c := t.column(n)) and c.kind != "empty"}
    if labelled:
        task.notes.append(
            f"{label_of(roles.test[0])} already holds {quote_list(sorted(labelled), 2)}; it is predicted without looking at it."
        )
    if roles.lookups:
        task.notes.append(
            f"Not used, because nothing joins them to the rows: {quote_list([label_of(t) for t in roles.lookups])}."
        )
    if brief.brief_path:
        task.notes.append(f"{brief.brief_path} was read as part of the goal.")
    close = task.metric.confidence < 0.65 and task.metric.alternatives and not brief.said.strip()
    if close and "metric" not in task.overridden:
        options: list[Any] = [task.metric.value, *task.metric.alternatives]
        task.questions.append(
            Question(
                field="metric", text="How should the result be judged?", options=options, default=task.metric.value
            )
        )
