"""The card that says what was understood, and lets the person correct it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from mlzero.errors import UserError
from mlzero.iterative_coding import metrics
from mlzero.perception import grades, spellings
from mlzero.perception.override import BY_USER
from mlzero.perception.profile import Profile
from mlzero.perception.task import Inferred, Question, Task
from mlzero.runs import Perception, RunDirectory
from mlzero.ui import examples_view, files_view, texts
from mlzero.ui.drafts import Draft
from mlzero.ui.understood import from_files, output_text, summary

NO_ID = "none"
TABLE_PROBLEMS = (
    "binary", "multiclass", "regression", "multilabel", "multitarget", "text_similarity", "forecasting",
)  # fmt: skip
KINDS = ("number", "category", "text", "date", "boolean")  # what a column can be treated as
MANY_COLUMNS = 400  # beyond this the column table is not editable


def draw(draft: Draft, directory: RunDirectory, goal: str, unpacked: Sequence[str]) -> None:
    """The card, with the reading under way or the last one."""
    st.subheader("3 · What was understood", anchor=False)
    found = directory.perception()
    if found.state in ("working", "none"):
        _wait(directory)
        found = st.session_state.get("reading") or found
    elif found.state == "ready":
        st.session_state.reading = found
    if found.state == "failed":
        _failed(draft, found)
    elif found.task is not None and found.profile is not None:
        if not goal:
            st.info("Say above what you want to predict. Until then this is a guess from the data alone.")
        _card(draft, directory, found.profile, found.task, unpacked)


@st.fragment(run_every=0.6)
def _wait(directory: RunDirectory) -> None:
    if directory.perception().state not in ("working", "none"):
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.badge("Reading your data", icon=":material/hourglass_top:", color="blue")
        st.text("You can go on, or start already.", width="content")


def _failed(draft: Draft, found: Perception) -> None:
    st.error(texts.escape(found.error), icon=":material/error:")
    if draft.overrides:
        st.button("Undo my corrections", on_click=draft.overrides.clear, key="undo_corrections")
    if found.profile is not None:
        _files(draft, found.profile, None)


def _card(draft: Draft, directory: RunDirectory, profile: Profile, task: Task, unpacked: Sequence[str]) -> None:
    with st.container(border=True, key="understood"):
        st.text(summary(task, profile))
        examples_view.draw(directory)
        for question in task.questions:
            _question(draft, question)
        columns = _train_columns(profile, task)
        _target(draft, task, columns)
        kinds = TABLE_PROBLEMS if task.problem_type.value in TABLE_PROBLEMS else ()
        _choice(draft, "problem_type", "Kind of answer", task.problem_type, kinds, _problem_name)
        _choice(draft, "metric", "Judged by", task.metric, metrics.names(task.problem_type.value), _metric_name)
        _choice(
            draft, "id", "Rows are named by", task.id, (NO_ID, *columns), lambda v: "no column" if v == NO_ID else v
        )
        _order(draft, task)
        if task.spelling.value:
            _choice(draft, spellings.FIELD, "Labels in several spellings", task.spelling, (), _spelling_name)
        if task.row_files.value or task.row_files.evidence:
            name = _row_files_name if profile.by_folder is None else _own_files_name
            _choice(draft, "row_files", "Files of the rows", task.row_files, (), name)
        st.text(output_text(task))
        _files(draft, profile, task)
        _columns(draft, task, profile)
        _notes(profile, task, unpacked)
        if draft.overrides:
            st.button(
                "Undo my corrections", on_click=draft.overrides.clear, key="undo_corrections", icon=":material/undo:"
            )


def _train_columns(profile: Profile, task: Task) -> list[str]:
    """Names of the columns of the tables to learn from, without those that files of the rows give."""
    tables = [table for source in task.train if (table := profile.table(source.table))]
    names = dict.fromkeys(name for table in tables for name in table.names)
    beside = from_files(profile, task)
    return [name for name in names if name not in beside]


# -- corrections


def _record(draft: Draft, field: str, key: str) -> None:
    value = st.session_state[key]
    if isinstance(value, list):
        draft.correct(field, ",".join(value))
    else:
        draft.correct(field, str(value or "") or None)


def _choice(
    draft: Draft, field: str, label: str, inferred: Inferred[Any], more: Sequence[str], name: Callable[[str], str]
) -> None:
    """One inference as a select box, with the reason beside it."""
    current = draft.overrides.get(field, NO_ID if inferred.value is None else str(inferred.value))
    options = list(dict.fromkeys([current, *map(_text, (inferred.value, *inferred.alternatives)), *more]))
    key = f"set_{field}"
    st.session_state[key] = current
    left, right = st.columns([2, 3], vertical_alignment="bottom")
    left.selectbox(label, options, key=key, format_func=name, on_change=_record, args=(draft, field, key))
    _reason(right, draft, field, inferred)


def _target(draft: Draft, task: Task, columns: list[str]) -> None:
    if not isinstance(task.target.value, list):
        _choice(draft, "target", "To predict", task.target, columns, str)
        return
    key = "set_target"
    options = list(dict.fromkeys([*task.targets, *columns]))
    st.session_state[key] = list(task.targets)
    left, right = st.columns([2, 3], vertical_alignment="bottom")
    left.multiselect("To predict", options, key=key, on_change=_record, args=(draft, "target", key))
    _reason(right, draft, "target", task.target)


def _order(draft: Draft, task: Task) -> None:
    """The order of labels that are grades, where the metric looks at it, as a line to edit."""
    if not task.order.value:
        return
    key = f"set_{grades.FIELD}"
    st.session_state[key] = grades.written(task.order.value)
    left, right = st.columns([2, 3], vertical_alignment="bottom")
    left.text_input("Order, the lowest first", key=key, on_change=_record, args=(draft, grades.FIELD, key))
    _reason(right, draft, grades.FIELD, task.order)


def _reason(where: Any, draft: Draft, field: str, inferred: Inferred[Any]) -> None:
    if field in draft.overrides:
        where.text(BY_USER)
        return
    sure = texts.confidence(inferred.confidence)
    where.text(f"{inferred.evidence} ({sure})" if inferred.evidence else sure.capitalize())


def _question(draft: Draft, question: Question) -> None:
    """A question whose default stands until it is answered."""
    key = f"ask_{question.field}"
    st.session_state[key] = draft.overrides.get(question.field, question.default)
    with st.container(border=True, key=f"question_{question.field}"):
        st.text(question.text)
        options = list(dict.fromkeys([*question.options, st.session_state[key]]))
        st.radio(
            "Your answer",
            options,
            key=key,
            horizontal=True,
            label_visibility="collapsed",
            format_func=texts.escape,
            on_change=_record,
            args=(draft, question.field, key),
        )


def _text(value: Any) -> str:
    return NO_ID if value is None else texts.listed(value)


def _problem_name(value: str) -> str:
    return texts.PROBLEMS.get(value, value)


def _spelling_name(value: str) -> str:
    return "one label" if value == spellings.ONE else "different labels"


def _row_files_name(value: str) -> str:
    return "leave them out" if value == NO_ID else f"numbers from a file per row: {value}"


def _own_files_name(value: str) -> str:
    return "read them as tables" if value == NO_ID else f"a row a file: {value}"


def _metric_name(value: str) -> str:
    try:
        text = metrics.get(value).text
    except UserError:
        return value
    return text if text.lower().replace(" ", "_") == value else f"{text} ({value})"


# -- what else is known


def _files(draft: Draft, profile: Profile, task: Task | None) -> None:
    with files_view.draw(profile, task):
        _encodings(draft, profile, {question.field for question in task.questions} if task else set())


def _encodings(draft: Draft, profile: Profile, asked: set[str]) -> None:
    """How texts that do not tell their encoding are read; what is asked above is not shown again."""
    guesses = {f"encoding:{table.path}": table for table in profile.tables if table.encoding}
    for field, table in guesses.items():
        assert table.encoding is not None
        readings = [f"{name}: {words}" for name, words in table.encoding.readings.items()]
        if field in asked or len(readings) < 2:
            continue
        key = f"set_{field}"
        st.session_state[key] = draft.overrides.get(field, readings[0])
        options = list(dict.fromkeys([st.session_state[key], *readings]))
        with st.container(gap="xxsmall"):
            label = f"How the letters of {table.path} read"
            st.markdown(f":small[{texts.escape(label)}]")
            st.selectbox(
                label, options, key=key, on_change=_record, args=(draft, field, key), label_visibility="collapsed"
            )


def _columns(draft: Draft, task: Task, profile: Profile) -> None:
    """Input columns: use them or not, and as what."""
    beside = from_files(profile, task)  # they are used together or not at all
    features = [feature for feature in task.features if feature.name not in beside]
    if not features:
        return
    used = sum(feature.drop is None for feature in features)
    with st.expander(f"Columns ({used} used)", icon=":material/view_column:", key="card_columns"):
        known = {c.name: c for source in task.train if (t := profile.table(source.table)) for c in t.columns}
        rows = [
            {
                "Use": f.drop is None,
                "Column": f.name,
                "As": f.treat_as,
                "Examples": ", ".join(known[f.name].examples[:4]) if f.name in known else "",
                "Why not": f.drop or "",
            }
            for f in features
        ]
        kinds = list(dict.fromkeys([*KINDS, *(f.treat_as for f in features)]))
        config = {
            "Use": st.column_config.CheckboxColumn(width="small"),
            "As": st.column_config.SelectboxColumn(
                "Treated as", options=kinds, required=True, format_func=lambda kind: texts.KINDS[str(kind)]
            ),
        }
        edited = st.data_editor(
            rows,
            hide_index=True,
            column_config=config,
            disabled=("Column", "Examples", "Why not") if len(rows) <= MANY_COLUMNS else True,
            key=f"set_columns_{abs(hash((draft.revision, repr(sorted(draft.overrides.items())), len(rows)))) % 10**9}",
        )
        changed = column_changes(draft.overrides, rows, edited)
        if changed:
            for field, value in changed.items():
                draft.correct(field, value or None)
            st.rerun()


def column_changes(
    overrides: dict[str, str], before: list[dict[str, Any]], after: list[dict[str, Any]]
) -> dict[str, str]:
    """Corrections that an edited column table asks for: columns to drop, to keep, and what to treat as what."""
    drop, keep = _names(overrides.get("drop", "")), _names(overrides.get("keep", ""))
    changes: dict[str, str] = {}
    for old, new in zip(before, after, strict=True):
        name = old["Column"]
        if old["Use"] != new["Use"]:
            wanted, other = (keep, drop) if new["Use"] else (drop, keep)
            wanted[:] = [*(n for n in wanted if n != name), name]
            other[:] = [n for n in other if n != name]
            changes |= {"drop": ",".join(drop), "keep": ",".join(keep)}
        if old["As"] != new["As"]:
            changes[f"type:{name}"] = new["As"]
    return changes


def _names(text: str) -> list[str]:
    return [part for part in text.split(",") if part]


def _notes(profile: Profile, task: Task, unpacked: Sequence[str]) -> None:
    notes = [
        *unpacked,
        *profile.notes,
        *(f"{texts.table(t.key)}: {n}" for t in profile.tables for n in t.notes),
        *task.notes,
        *profile.unread,
    ]
    if notes:
        with st.expander(f"Noticed in the data ({len(notes)})", icon=":material/visibility:", key="card_notes"):
            for note in notes[:60]:
                st.text(note)
