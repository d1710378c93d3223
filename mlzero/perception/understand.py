"""From a profile and a goal to a task: what is wanted, of which rows, judged how, each with the reason."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlzero.errors import UserError
from mlzero.perception import (
    answers,
    class_labels,
    compound,
    corrected,
    dialects,
    grades,
    joined_ids,
    label_sets,
    leaks,
    override,
    problem,
    relational,
    renamed,
    rereading,
    spellings,
    split_plan,
)
from mlzero.perception import goal as goals
from mlzero.perception import roles as role_finder
from mlzero.perception.file_roles import files_of
from mlzero.perception.goal import Brief
from mlzero.perception.kinds import specialists
from mlzero.perception.kinds.number_files import columns_from_files
from mlzero.perception.kinds.number_rows import advice, row_files_of
from mlzero.perception.modality import modality_of, wording_of
from mlzero.perception.override import Overrides
from mlzero.perception.profile import FILES, ColumnProfile, Profile, TableProfile
from mlzero.perception.roles import Roles, label_of
from mlzero.perception.task import CLASSES, NUMBERS, FeaturePlan, Question, RowSource, Task
from mlzero.perception.wording import quote_list
from mlzero.semantic_memory.blocks.columns import one_spelling
from mlzero.semantic_memory.blocks.label_sets import label_columns

if TYPE_CHECKING:
    import pandas as pd

_ASKED_ROWS = 20_000  # rows to predict that are compared with those to learn from
_WIDE = 6  # columns from which equal rows are the same case twice


def infer_task(profile: Profile, data_dir: Path, goal: str, overrides: dict[str, str] | None = None) -> Task:
    """Understand what is wanted.

    Parameters
    ----------
    profile
        What was found in `data_dir`, with the corrections of reading carried out (see `rereading`).
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
    task = _task(profile, data_dir, goals.read(goal, profile), given)
    dialects.settle(task, profile)
    joined_ids.settle(task, profile, data_dir)
    rereading.ask(task, profile, given.fields)
    return task


def _task(profile: Profile, data_dir: Path, brief: Brief, given: Overrides) -> Task:
    """The task by the first specialist that recognises the upload, else that of its tables."""
    for specialist in specialists():
        task = specialist.task(data_dir, profile, brief, given)
        if task is not None:
            return task
    if given.problem_type in override.NEEDS:
        raise UserError(
            f"The data was not recognised as {given.problem_type}.",
            f"That needs {override.NEEDS[given.problem_type]}. Add what is missing, or remove the correction.",
        )
    return _of_tables(profile, data_dir, brief, given)


def _of_tables(profile: Profile, data_dir: Path, brief: Brief, given: Overrides) -> Task:
    """The task of an upload of tables that no specialist took: one answer, or several, a row."""
    roles = role_finder.find(profile, brief, given.targets[0] if given.targets else None)
    _check_answers(roles, brief, given)
    found = corrected.target_of(profile, roles, brief, given)
    names = found.target.value if isinstance(found.target.value, list) else [str(found.target.value)]
    main = roles.train[0]
    columns = [corrected.usable(main, name) for name in names]
    frame = class_labels.load(data_dir, main, names)

    may_be_set = len(names) == 1 and given.problem_type in (None, "", "multilabel")
    found_set = label_sets.find(columns[0], frame[names[0]], main.names) if may_be_set else None
    spelled = spellings.Spellings()
    if len(names) == 1 and found_set is None and given.problem_type in (None, "", *CLASSES):
        spelled = spellings.find(columns[0], frame[names[0]], roles, given)
    if spelled.labels:
        frame[names[0]] = one_spelling(frame[names[0]], spelled.labels)
        columns = [spellings.as_one(columns[0], spelled.labels)]
    if found_set is not None:
        kind, question = label_sets.kind_of(found_set, frame[names[0]])
        targets = found_set.labels
        frame = frame.join(label_columns(frame, names[0], found_set.separator, targets)[targets])
    else:
        found_set, targets = None, names
        kind, question = corrected.kind_of(columns, main, brief, given)
    counts, as_written = Counter[str](), list[str]()
    if kind.value in CLASSES:
        texts = class_labels.as_written(columns[0], frame, data_dir, roles)
        if texts is not None:
            frame, as_written, kind = frame.assign(**{names[0]: texts}), names, class_labels.told(kind, texts)
        counts = class_labels.counts_of(columns[0], roles, frame, data_dir, as_written, spelled.labels)
    labels = list(counts)
    if kind.value == "binary" and len(labels) > 2:  # further labels stand in the other tables
        kind = problem.several_labels(names[0], len(labels))
    positive = corrected.positive_of(labels, kind.value, names[0], brief, given)
    metric = corrected.metric_of(kind.value, counts, names, main, brief, given, roles.sample)
    order = grades.order_of(labels, metric.value, brief, given)
    identifier = corrected.id_of(roles, names, brief, given)
    output = answers.output_of(profile, roles, names, identifier.value, kind.value, metric, labels, brief)
    output = corrected.with_output(output, kind.value, given)
    if kind.value in CLASSES and not as_written:
        output = answers.with_form(output, columns[0], class_labels.usual_form(columns[0], data_dir, roles))
    output = answers.with_set(output, found_set) if found_set else output
    train, test, notes = _rows(roles, columns)
    split = split_plan.split_of(
        roles, kind.value, names, sum(_labelled(table, names) for table in roles.train), brief,
        lambda name: _other_values(data_dir, roles, frame, name), lambda name: _crossed(frame, targets[0], name),
    )  # fmt: skip
    split = corrected.with_split(split, main, names, given)
    if answers.sample_at_odds(roles, names, identifier.value):
        notes.append(f"{output.evidence.partition(';')[0]}.")
    features, leak_notes = leaks.plan(
        main, _open_tables(roles, targets, frame), list(dict.fromkeys([*targets, *names])), identifier.value,
        frame.dropna(subset=targets), kind.value in NUMBERS,
    )  # fmt: skip
    told = role_finder.told_by_names(roles)
    kept = [*names, *given.keep, *([split.value.column] if split.value.column else [])]
    train = [source.model_copy(update={"told": _told(profile, source, kept)}) for source in train]
    if told:
        train = [source.model_copy(update={"told": source.told | {told[0]: told[1][source.table]}}) for source in train]
        features.append(FeaturePlan(name=told[0], treat_as="category"))
        notes.append(f'"{told[0]}" of the rows to learn from is taken from the names of their files.')
    task = Task(
        goal=brief.goal,
        modality=modality_of(features, main),
        problem_type=kind,
        target=found.target,
        metric=metric,
        id=identifier,
        files=files_of(profile, roles),
        split=split,
        output=output,
        labels=labels,
        label_set=found_set,
        as_written=as_written,
        spelling=spelled.decided,
        spelled=spelled.labels,
        order=order,
        row_files=row_files_of(profile, main, given),
        positive_label=positive,
        train=train,
        test=test,
        features=features,
        drop_duplicates=_doubled(roles, identifier.value),
        questions=[
            q
            for q in (found.question, question, grades.question_of(order, names[0]))
            if q and q.field not in given.fields
        ],
        notes=[*([spelled.decided.evidence] if spelled.decided.value else []), *notes, *leak_notes],
        overridden=given.fields,
    )
    relational.extend(task, data_dir, roles, frame)
    if task.row_files.value is None:
        override.leave_out(task, columns_from_files(main))
    override.apply_features(task, given)
    if not task.used_features:
        raise UserError(
            " ".join([f'No column is left to predict "{names[0]}" from.', *profile.unread[:1]]),
            advice(profile) or "Keep at least one column, or add columns to the data.",
        )
    _say_more(task, roles, brief)
    return task


def _check_answers(roles: Roles, brief: Brief, given: Overrides) -> None:
    apart = role_finder.answers_apart(roles, brief)
    if apart and (given.targets is None or given.targets == [apart[2]]):
        raise UserError(
            f'The answers ("{apart[2]}") are in {label_of(apart[0])}, apart from the rows in {label_of(apart[1])}.',
            f'Add the column "{apart[2]}" to {label_of(apart[1])}, or choose one of its own columns as target.',
        )


def _other_values(data_dir: Path, roles: Roles, frame: pd.DataFrame, name: str) -> bool:
    """Whether the rows to predict have other values in a column than the rows to learn from."""
    from mlzero.perception.tables import load_table

    asked = load_table(data_dir, roles.test[0], nrows=_ASKED_ROWS)[name].dropna().unique()
    return len(asked) > 0 and not set(frame[name].dropna().unique()) & set(asked)


def _crossed(frame: pd.DataFrame, target: str, name: str) -> bool:
    """Whether every value of the target stands beside several values of another column."""
    return int(frame.groupby(target)[name].nunique().min()) > 1


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
    unknown = {c.name for c in main.columns if c.kind not in FILES and empty.get(c.name, False)}  # files may be damaged
    columns = [c.model_copy(update={"kind": "empty"}) if c.name in unknown else c for c in main.columns]
    return [main.model_copy(update={"columns": columns})]


def _told(profile: Profile, source: RowSource, names: list[str]) -> dict[str, str]:
    """Those of the columns whose one value the name of their table tells."""
    table = profile.table(source.table)
    known = {column.name: column.told for column in table.columns} if table else {}
    return {name: told for name in names if (told := known.get(name)) is not None}


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
    other = {table.key for table in roles.renamed}
    if named_otherwise := [table for table in roles.lookups if table.key in other]:
        task.notes.append(renamed.note(roles.train[0], named_otherwise))
    if loose := [label_of(table) for table in roles.lookups if table.key not in other]:
        task.notes.append(f"Not used, because nothing joins them to the rows: {quote_list(loose)}.")
    task.notes += compound.notes(roles.train[0], task)
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
