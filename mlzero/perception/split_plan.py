"""Which rows no attempt may see: the plan of the split."""

from __future__ import annotations

import re
from collections.abc import Callable

from mlzero.perception import goal as goals
from mlzero.perception import vocabulary
from mlzero.perception.goal import Brief
from mlzero.perception.profile import ColumnProfile, TableProfile
from mlzero.perception.roles import Roles
from mlzero.perception.task import Inferred, ProblemType, SplitPlan
from mlzero.perception.wording import first_of, fold, parts_of, stem, words_of

_LATER = "coming next_week next_month next_year next_quarter future upcoming forecast* zukunft* nachsten kommend* proxim* futur* prochain* 下个月 下周 未来 来月 来週"
_MOST_GROUPS = 500  # people, places or devices that recordings are of


def split_of(
    roles: Roles,
    kind: ProblemType,
    targets: list[str],
    rows: int,
    brief: Brief,
    all_new: Callable[[str], bool],
    crossed: Callable[[str], bool],
) -> Inferred[SplitPlan]:
    """By time when the rows to predict come later, by group when they are of new groups, else by chance.

    Parameters
    ----------
    rows
        With an answer.
    all_new
        Whether the rows to predict share no value of a column with the others.
    crossed
        Whether every class stands beside several values of a column.
    """
    fraction = 0.3 if rows < 500 else 0.25 if rows < 1000 else 0.2
    later = _later(roles, targets, brief)
    if later:
        column, evidence = later
        plan = SplitPlan(kind="time", column=column, fraction=fraction)
        return Inferred[SplitPlan](value=plan, confidence=0.9, evidence=evidence)
    group = _new_groups(roles, targets, all_new)
    if group:
        plan = SplitPlan(kind="group", column=group, fraction=fraction)
        return Inferred[SplitPlan](
            value=plan, confidence=0.75, evidence=f'Several rows share their "{group}", so they stay on one side.'
        )
    told = _told_by_names(roles, targets, crossed)
    if told:
        return Inferred[SplitPlan](
            value=SplitPlan(kind="group", column=told, fraction=fraction), confidence=0.7,
            evidence=f'Names of files tell "{told}", and later ones may be of others, so files of one stay on one side.',
        )  # fmt: skip
    if kind in ("binary", "multiclass"):
        plan = SplitPlan(kind="stratified", fraction=fraction)
        return Inferred[SplitPlan](value=plan, confidence=0.85, evidence="Rows by chance, every class with its share.")
    plan = SplitPlan(kind="random", fraction=fraction)
    return Inferred[SplitPlan](value=plan, confidence=0.85, evidence="Rows by chance.")


def _later(roles: Roles, targets: list[str], brief: Brief) -> tuple[str, str] | None:
    """A column by which the rows to predict come after all others, and the sentence that says so."""
    main = roles.train[0]
    moments = [
        c for c in main.columns if c.name not in targets and (c.kind == "date" or _named_time(c, vocabulary.YEAR))
    ]
    for test in roles.test[:1]:
        for column in [
            *moments,
            *(c for c in main.columns if _named_time(c, vocabulary.MONTH) and _one_year(main, test)),
        ]:
            other = test.column(column.name)
            if (
                other is None
                or None in (column.maximum, other.minimum)
                or type(column.maximum) is not type(other.minimum)
            ):
                continue
            if other.minimum > column.maximum and column.minimum != column.maximum:  # type: ignore[operator]
                first, last = _plain(other.minimum), _plain(column.maximum)
                return (
                    column.name,
                    f'The rows to predict begin at {first} in "{column.name}", after the last one known ({last}).',
                )
    dates = [c for c in moments if (c.kind == "date" or c.told is not None) and c.missing < 0.05 * main.rows]
    word = first_of(fold(brief.said), vocabulary.table(_LATER))
    if not roles.test and len(dates) == 1 and word:
        return dates[
            0
        ].name, f'The goal looks ahead ("{word.rstrip("*")}"), so the latest rows by "{dates[0].name}" are kept back.'
    return None


def _new_groups(roles: Roles, targets: list[str], all_new: Callable[[str], bool]) -> str | None:
    """A name of things that several rows share, when the rows to predict are about other things."""
    main = roles.train[0]
    for column in main.columns:
        other = roles.test[0].column(column.name) if roles.test else None
        if (
            column.name in targets
            or other is None
            or not (column.kind == "identifier" or goals.named_as_id(column.name))
        ):
            continue
        several = column.kind in ("identifier", "category", "number") and 10 <= column.unique <= 0.6 * (
            main.rows - column.missing
        )
        if several and all_new(column.name):
            return column.name
    return None


def _told_by_names(roles: Roles, targets: list[str], crossed: Callable[[str], bool]) -> str | None:
    """Who or what several files are of, as their names or folders tell, when nothing tells it of the files to predict."""
    main = roles.train[0]
    if main.read.format != "made" or main.read.maker != "file_rows":
        return None
    parts = [c for c in main.columns if c.name not in targets and c.media is None and c.kind != "identifier"]
    found = [c for c in parts if _MOST_GROUPS >= c.unique >= 3 and not any(t.column(c.name) for t in roles.test)]
    whose = vocabulary.table(vocabulary.WHOSE)
    called = [c for c in found if goals.called(c.name, whose)]
    unnamed = [c for c in found if re.fullmatch(r"part_\d+|label", c.name)]
    words = [c for c in unnamed if not any(any(map(str.isdigit, text)) for text, _ in c.top)]
    return next((c.name for c in [*called, *words] if crossed(c.name)), None)


def _named_time(column: ColumnProfile, words: str) -> bool:
    known = {*vocabulary.table(words), *map(stem, vocabulary.table(words))}
    return (
        column.kind in ("number", "constant", "category")
        and bool(known & {*parts_of(column.name), *words_of(column.name)})
        and column.integer
    )


def _one_year(main: TableProfile, test: TableProfile) -> bool:
    """Whether all rows lie in one year, so that months tell earlier from later."""
    years = [c for c in main.columns if _named_time(c, vocabulary.YEAR)]
    return all(
        c.minimum == c.maximum and (o := test.column(c.name)) is not None and o.maximum == c.maximum for c in years
    )


def _plain(moment: float | str | None) -> str:
    return f"{moment:g}" if isinstance(moment, float) else str(moment)
