"""Tables that belong together: by which columns other tables join the rows, found by names and by shared values."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from mlzero.perception import goal as goals
from mlzero.perception import vocabulary
from mlzero.perception.profile import ColumnProfile, TableProfile
from mlzero.perception.task import JoinPlan
from mlzero.perception.wording import parts_of, stem

if TYPE_CHECKING:
    import pandas as pd

_DEEPEST = 3  # joins one behind the other
_PAIRS = 5  # shared columns that are tried as parts of a key
_PARTS = 3  # columns of a key
_MET = 0.02  # share of the rows' keys that another table must know
_DAYS_MET = 0.5  # the same where the key holds a day: below, the table is a list of values that hold for some time
_LISTED = 5  # rows a key that make such a list
_PAST = 0.1  # share of another table's rows before the row's own time, from where that time matters


@dataclass
class Loaded:
    """A table with its rows."""

    profile: TableProfile
    frame: pd.DataFrame

    @property
    def key(self) -> str:
        return self.profile.key


@dataclass(frozen=True)
class _Key:
    """One way to join a table."""

    left: tuple[str, ...]
    right: tuple[str, ...]
    single: bool  # at most one row a key
    met: float  # share of the rows that find a partner


def find(main: Loaded, others: list[Loaded], targets: list[str]) -> list[JoinPlan]:
    """How the other tables join the main one, directly or through each other; in the order to carry them out.

    Tables that share no key with anything that is joined are left out.
    """
    placed: dict[str, tuple[int, JoinPlan]] = {}
    reached = [(main, 0)]
    while reached:
        onto, depth = reached.pop(0)
        if depth == _DEEPEST:
            continue
        for other in others:
            if other.key in placed or other is onto:
                continue
            plan = _plan(onto, other, targets if onto is main else [])
            if plan and (onto is main or not _direct(main, other, targets)):
                plan.onto = "" if onto is main else onto.key
                placed[other.key] = (depth, plan)
                reached.append((other, depth + 1))
    deepest_first = sorted(placed.values(), key=lambda item: -item[0])
    return [plan for _, plan in deepest_first]


def _direct(main: Loaded, other: Loaded, targets: list[str]) -> bool:
    return _plan(main, other, targets) is not None


def _plan(onto: Loaded, other: Loaded, targets: list[str]) -> JoinPlan | None:
    """The best way to join, or None."""
    key = _key(onto, other, targets)
    timed = key is not None and key.single and any(_is_time(other.profile.column(name)) for name in key.right)
    if (key is None or (timed and key.met < _DAYS_MET)) and (lasting := _lasting(onto, other, targets)):
        return lasting
    if key is None:
        return None
    plan = JoinPlan(
        table=other.key, left_on=list(key.left), right_on=list(key.right), how="one" if key.single else "many",
        prefix=f"{stem_of(other.profile)} ",
    )  # fmt: skip
    if not key.single:
        _order_in_time(plan, onto, other, targets)
    return plan


def _lasting(onto: Loaded, other: Loaded, targets: list[str]) -> JoinPlan | None:
    """The join with a list of values that hold until the next one, as exchange rates do; None when it is no such list."""
    pairs = [pair for pair in _pairs(onto, other, targets) if not _is_time(onto.profile.column(pair[0]))][:_PARTS]
    left, right = [a for a, _ in pairs], [b for _, b in pairs]
    ours = [c.name for c in onto.profile.columns if c.kind == "date" and c.name not in targets]
    theirs = [c.name for c in other.profile.columns if c.kind == "date"]
    if not pairs or not ours or len(theirs) != 1 or len(other.profile.columns) > len(right) + 4:
        return None
    if len({*left}) < len(left) or len({*right}) < len(right) or other.frame.duplicated([*right, theirs[0]]).any():
        return None
    if (
        other.frame.groupby(right).size().median() < _LISTED
        or _met(onto.frame, other.frame, tuple(left), tuple(right)) < 0.5
    ):
        return None
    plan = JoinPlan(
        table=other.key, left_on=left, right_on=right, how="as_of", prefix=f"{stem_of(other.profile)} ", right_time=theirs[0],
    )  # fmt: skip
    for name in ours:
        if _past(plan, onto.frame, other.frame, name) >= _PAST:
            plan.left_time = name
            return plan
    return None


def _key(onto: Loaded, other: Loaded, targets: list[str]) -> _Key | None:
    """The columns that join two tables: those that name one row of the other table, else a common name."""
    pairs = _pairs(onto, other, targets)[:_PAIRS]
    found = []
    for size in range(1, min(_PARTS, len(pairs)) + 1):
        for chosen in combinations(pairs, size):
            left, right = tuple(a for a, _ in chosen), tuple(b for _, b in chosen)
            if len(set(left)) < size or len(set(right)) < size:
                continue
            met = _met(onto.frame, other.frame, left, right)
            single = not other.frame[list(right)].dropna().duplicated().any()
            if met >= _MET and (single or _names_things(onto, left) or _names_things(other, right)):
                found.append(_Key(left, right, single, met))
    singles = [key for key in found if key.single]
    if singles:
        return max(singles, key=lambda key: (round(key.met, 1), -len(key.left)))
    several = [key for key in found if len(key.left) == 1 and not _is_time(onto.profile.column(key.left[0]))]
    return max(several, key=lambda key: (onto.frame[key.left[0]].nunique(), key.met), default=None)


def _pairs(onto: Loaded, other: Loaded, targets: list[str]) -> list[tuple[str, str]]:
    """Columns that may hold the same things, likeliest first."""
    scored = []
    for a in onto.profile.columns:
        for b in other.profile.columns:
            if a.name in targets or not (_may_be_key(a) and _may_be_key(b)) or a.holds != b.holds:
                continue
            score = _alike(a, b, onto, other)
            if score and _overlap(onto.frame[a.name], other.frame[b.name]) >= _MET:
                scored.append((score, a.name, b.name))
    scored.sort(key=lambda item: -item[0])
    return [(a, b) for _, a, b in scored]


def _may_be_key(column: ColumnProfile) -> bool:
    fraction = column.kind == "number" and not column.integer
    return column.kind not in ("text", "empty", "constant", "boolean") and not fraction and column.unique > 1


def _alike(a: ColumnProfile, b: ColumnProfile, onto: Loaded, other: Loaded) -> float:
    """How likely two columns are the same key by their names, 0 for not at all."""
    first, second = _words(a.name), _words(b.name)
    bare = not (first - _ID_WORDS) and not (second - _ID_WORDS)
    if first == second and not bare:
        measure = a.holds == "number" and not goals.named_as_id(a.name) and not _is_time(a)
        return 0.5 if measure else 2.0 + goals.named_as_id(a.name)
    if bare and first & second:  # "id" in both: only when each knows the rows of the other
        both = min(_overlap(onto.frame[a.name], other.frame[b.name]), _overlap(other.frame[b.name], onto.frame[a.name]))
        return 1.5 if both >= 0.9 else 0.0
    for name, its_table, longer in ((second, other, first), (first, onto, second)):
        if not name - _ID_WORDS and set(parts_of(stem_of(its_table.profile))) & (longer - _ID_WORDS):
            return 2.5  # customer_id and the id of customers
    named = goals.named_as_id(a.name) and goals.named_as_id(b.name)
    if named and first - _ID_WORDS and (first - _ID_WORDS <= second or second - _ID_WORDS <= first):
        return 1.5  # product and product_id
    texts = a.holds == "text" and a.unique >= 20 and b.kind in ("identifier", "category")
    if texts and _overlap(onto.frame[a.name], other.frame[b.name]) >= 0.9:
        return 1.0
    return 0.0


_ID_WORDS = frozenset(stem(word) for word in vocabulary.table(vocabulary.ID_PARTS))


def _words(name: str) -> set[str]:
    """The words of a name; `customerid` is `customer` and `id`."""
    found: set[str] = set()
    for part in parts_of(name):
        ending = next((e for e in ("id", "nr", "key") if part.endswith(e) and len(part) > len(e) + 2), "")
        found |= {stem(part.removesuffix(ending)), ending} if ending else {part}
    return found


def _names_things(table: Loaded, columns: tuple[str, ...]) -> bool:
    """Whether one of the columns is the name of things rather than a property of them."""
    for name in columns:
        column = table.profile.column(name)
        if column is None or _is_time(column) or column.unique < 5:
            continue
        if goals.named_as_id(name) or column.kind == "identifier":
            return True
        if column.holds == "text" and column.unique >= max(20, 0.05 * table.profile.rows):
            return True
    return False


def _is_time(column: ColumnProfile | None) -> bool:
    if column is None:
        return False
    times = {stem(word) for word in vocabulary.table(vocabulary.YEAR + " " + vocabulary.MONTH + " week day date hour")}
    return column.kind == "date" or (bool(set(parts_of(column.name)) & times) and not goals.named_as_id(column.name)) or (
        column.integer and _words(column.name) <= {"year", "id"}
    )  # fmt: skip


def _overlap(left: pd.Series, right: pd.Series) -> float:
    """Share of the different values on the left that stand on the right."""
    from mlzero.semantic_memory import blocks

    one_key = blocks.function("one_key")
    known = set(map(one_key, right.dropna().unique()))
    asked = set(map(one_key, left.dropna().unique()))
    return len(asked & known) / len(asked) if asked else 0.0


def _met(left: pd.DataFrame, right: pd.DataFrame, left_on: tuple[str, ...], right_on: tuple[str, ...]) -> float:
    """Share of the rows whose key stands on the right."""
    from mlzero.semantic_memory import blocks

    key_text = blocks.function("key_text")
    return float(key_text(left, left_on).isin(set(key_text(right, right_on).dropna())).mean())


def _order_in_time(plan: JoinPlan, onto: Loaded, other: Loaded, targets: list[str]) -> None:
    """Have only rows count that lie before the row's own time, where both have times and the past is a part of them."""
    ours = [
        c for c in onto.profile.columns if c.kind == "date" and c.name not in targets and c.name not in plan.left_on
    ]
    theirs = [c for c in other.profile.columns if c.kind == "date" and c.name not in plan.right_on]
    years = [c for c in other.profile.columns if c.integer and set(parts_of(c.name)) & {"year", "jahr", "ano"}]
    if not theirs:
        plan.right_time = years[0].name if years else None
        return
    theirs.sort(key=lambda c: c.missing)
    plan.right_time = theirs[0].name
    for column in ours:
        if _past(plan, onto.frame, other.frame, column.name) >= _PAST:
            plan.left_time = column.name
            apart = other.frame.duplicated([*plan.right_on, theirs[0].name]).mean()
            few = len(other.profile.columns) <= len(plan.right_on) + 4
            if few and apart < 0.01 and len(plan.right_on) and not onto.frame.duplicated(plan.left_on).mean() < 0.3:
                plan.how = "as_of"  # a value that holds until the next one: a price list, exchange rates
            return


def _past(plan: JoinPlan, rows: pd.DataFrame, table: pd.DataFrame, time: str) -> float:
    """Share of pairs of rows with the same key in which the other table's row is not later."""
    from mlzero.semantic_memory import blocks

    key_text, moments = blocks.function("key_text"), blocks.function("moments")
    import pandas as pd

    ours = pd.DataFrame({"key": key_text(rows, plan.left_on), "time": moments(rows[time])}).dropna()
    theirs = pd.DataFrame({"key": key_text(table, plan.right_on), "then": moments(table[plan.right_time])}).dropna()
    pairs = ours.sample(min(len(ours), 2000), random_state=0).merge(theirs, on="key")
    return float((pairs["then"] <= pairs["time"]).mean()) if len(pairs) else 0.0


def stem_of(table: TableProfile) -> str:
    """What people call a table: its sheet, or its file without the ending."""
    return table.key.partition("#")[2] or PurePosixPath(table.path).name.partition(".")[0]
