"""What every file and sheet is for: rows to learn from, rows to predict, the sample of the answer, a description."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from mlzero.errors import UserError
from mlzero.perception import goal as goals
from mlzero.perception import renamed, twins, vocabulary
from mlzero.perception.goal import Brief
from mlzero.perception.profile import FILES, Profile, TableProfile
from mlzero.perception.task import Role
from mlzero.perception.wording import first_of, fold

_ALIKE = 0.6  # share of the smaller table's columns that two tables of the same things have in common
_NARROW = 3  # columns of a table that is about its text
_COMPARED = 60  # tables that each one is compared with
_LACKING = 3  # columns of others that rows with the answer may lack
_SENTENCE = 4  # words from which a text is more than a name
_OTHER_KINDS = {
    "image": "image",
    "audio": "sound file",
    "document": "document",
    "text": "text file",
    "numbers": "file of numbers",
    "archive": "archive",
    "other": "other file",
}


@dataclass
class Roles:
    """The tables by what they are for."""

    train: list[TableProfile]
    test: list[TableProfile] = field(default_factory=list)  # empty when the rows are in the training table
    sample: TableProfile | None = None
    lookups: list[TableProfile] = field(default_factory=list)
    renamed: list[TableProfile] = field(default_factory=list)  # lookups that seem to be rows under other names
    confidence: float = 1.0
    evidence: str = ""

    def role_of(self, table: TableProfile) -> Role:
        if table in self.train:
            return "train"
        if table in self.test:
            return "test"
        if table is self.sample:
            return "sample_submission"
        return "lookup" if any(table.key == other.key for other in self.lookups) else "ignored"


def find(profile: Profile, brief: Brief, target: str | None = None) -> Roles:
    """Roles of the tables.

    Parameters
    ----------
    target
        The column that the user set; the training table must hold it.

    Raises
    ------
    UserError
        When there is no table to learn from.
    """
    tables = [table for table in profile.tables if table.rows > 0 and _filled(table)]
    if not tables:
        raise UserError(*_nothing(profile))
    sample = _sample(tables)
    rest = [table for table in tables if table is not sample] or tables
    sample = sample if len(rest) < len(tables) else None
    often = Counter(name for table in rest for name in {*_filled(table)})
    scores = {table.key: _train_score(table, rest, often, sample, brief, target) for table in rest}
    if len(rest) <= _COMPARED:
        for table in renamed.odd_ones(rest):
            if not _named(table.names, brief):
                scores[table.key] -= 5
    main = max(rest, key=lambda table: scores[table.key])
    pair = twins.find(rest, brief) if len(rest) > 2 and (target is None or target in main.names) else None
    if pair and (target is None or target in pair[0].names):
        roles = Roles([pair[0]], [pair[1]], sample=sample, lookups=[t for t in rest if t not in pair], confidence=0.9)
        roles.evidence = _evidence(roles)
        return roles
    roles = Roles([main], sample=sample)
    for table in rest:
        if table is main:
            continue
        if not _alike(main, table) or _says_more(table, main):
            roles.lookups.append(table)
        elif _to_predict(table, main, brief):
            roles.test.append(table)
        elif len(set(_own(main)) - {main.columns[0].name} - {*_filled(table)}) <= _LACKING * _answered(
            table, main, brief
        ):
            roles.train.append(table)
        else:
            roles.lookups.append(table)
    roles.test = _asked(roles, brief)
    roles.renamed = [table for table in roles.lookups if renamed.same_but_named(table, main)]
    roles.confidence = 0.6 if roles.renamed else 0.95 if len(rest) == 1 or roles.test else 0.8
    roles.evidence = _evidence(roles)
    return roles


def answers_apart(roles: Roles, brief: Brief) -> tuple[TableProfile, TableProfile, str] | None:
    """A table that holds the answers for the rows of another one, that other table, and the column with the answer."""
    main = roles.train[0]
    for other in sorted(roles.lookups, key=lambda t: not _says(t, vocabulary.TRAIN_NAMES)):
        table, rows = (other, main) if len(other.columns) < len(main.columns) else (main, other)
        shared = [n for n in table.names if n in rows.names]
        own = [
            c for c in table.columns if c.name not in rows.names and c.kind not in ("constant", "empty", "identifier")
        ]
        keys = all(
            (c := t.column(n)) is not None and c.kind != "text" and c.unique == t.rows
            for t in (table, rows)
            for n in shared
        )
        if table.rows != rows.rows or not 1 <= len(own) <= 3 or len(shared) > 1 or not keys:
            continue
        named = [c.name for c in own if (m := goals.mention(c.name, brief.said)) and m.quality >= 0.9]
        if named or _says(table, vocabulary.ANSWER_FILES):
            return table, rows, (named or [own[-1].name])[0]
    return None


def told_by_names(roles: Roles) -> tuple[str, dict[str, str]] | None:
    """A column of the rows to predict whose values stand in the names of the training files, and those by table.

    One file a language, a shop or a year: `train/de.csv` and `train/fr.csv` beside rows with a column `language`.
    """
    if len(roles.train) < 2 or not roles.test:
        return None
    names = {table.key: re.findall(r"[^\W_]+", fold(table.key)) for table in roles.train}
    for column in roles.test[0].columns:
        known = {fold(text): text for text, _ in column.top}
        if roles.train[0].column(column.name) or not 2 <= len(known) == column.unique:
            continue
        found = {key: [known[word] for word in words if word in known] for key, words in names.items()}
        if all(len(values) == 1 for values in found.values()) and len({v[0] for v in found.values()}) > 1:
            return column.name, {key: values[0] for key, values in found.items()}
    return None


def label_of(table: TableProfile) -> str:
    """The part of a key that people see: the sheet, or the file."""
    return table.key.partition("#")[2] or PurePosixPath(table.path).name or "the upload"


def _nothing(profile: Profile) -> tuple[str, str]:
    if not profile.files:
        return "The folder is empty.", "Add a table with the rows to learn from, such as a CSV or Excel file."
    counts: dict[str, int] = {}
    for file in profile.files:
        counts[file.kind] = counts.get(file.kind, 0) + 1
    found = [f"{n} {_OTHER_KINDS.get(kind, 'empty table')}{'s' if n > 1 else ''}" for kind, n in counts.items()]
    told = f"There is nothing to learn from: no table with rows, only {', '.join(found)}."
    return (
        " ".join([told, *profile.unread[:1]]),
        "Add a table with one row a case and a column with the answer, such as a CSV file, or put files into folders named after their answers.",
    )


def _name(table: TableProfile) -> str:
    path = PurePosixPath(table.path)
    sheet = table.key.partition("#")[2]
    text = " ".join([*path.parts[:-1], re.sub(r"(\.[a-z0-9]{1,8}){1,2}$", "", path.name, flags=re.I), sheet])
    text = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    return re.sub(r"[_\-.\d]+", " ", fold(text))


def _says(table: TableProfile, words: str) -> bool:
    return first_of(_name(table), vocabulary.table(words)) is not None


def _filled(table: TableProfile) -> list[str]:
    return [c.name for c in table.columns if c.kind != "empty"]


def _own(table: TableProfile) -> list[str]:
    """Columns that the table holds itself; its name may tell a further one."""
    return [c.name for c in table.columns if c.kind != "empty" and c.told is None]


def _alike(a: TableProfile, b: TableProfile) -> bool:
    """Whether two tables describe the same kind of things; how they number their rows does not matter."""
    first, second = _inputs(a), _inputs(b)
    shared = len(first & second)
    if shared and (_texts(a) & _texts(b)) and min(len(first), len(second)) <= _NARROW:
        return True  # a text and its label, a text and its language
    if shared and (first <= _pointing(a) or second <= _pointing(b)):
        return True  # nothing but pictures or recordings, and the same with labels
    return shared >= max(1, _ALIKE * min(len(first), len(second))) and shared >= 0.25 * len(first)


def _texts(table: TableProfile) -> set[str]:
    """Columns of free text."""
    return {c.name for c in table.columns if c.kind == "text" and (c.mean_words or 0) >= _SENTENCE}


def _pointing(table: TableProfile) -> set[str]:
    """Columns that name files."""
    return {column.name for column in table.columns if column.kind in FILES}


def _inputs(table: TableProfile) -> set[str]:
    """Columns other than row names, or all when there is nothing else."""
    rest = {
        c.name for c in table.columns if c.kind in FILES or not (c.unique >= table.rows and goals.named_as_id(c.name))
    }
    return rest or set(table.names)


def _sample(tables: list[TableProfile]) -> TableProfile | None:
    """The table that shows how the answer must look."""
    named = [table for table in tables if _says(table, vocabulary.SAMPLE_NAMES)]
    widest = max(len(table.columns) for table in tables)
    narrow = [table for table in named if len(table.columns) < widest or _to_fill_in(table, tables)]
    if narrow:
        return min(narrow, key=lambda table: len(table.columns))
    for table in tables:  # few columns, the ids of another table, and an answer that is the same everywhere
        others = [o for o in tables if o is not table and o.rows == table.rows]
        if not 2 <= len(table.columns) <= 3 or table.columns[-1].kind not in ("constant", "empty"):
            continue
        if any(table.names[0] in other.names and len(other.names) > len(table.names) for other in others):
            return table
    return None


def _to_fill_in(table: TableProfile, tables: list[TableProfile]) -> bool:
    """Whether a table only repeats the rows of another one: what it has beyond them is the same everywhere."""
    for other in tables:
        own = [column for column in table.columns if column.name not in other.names]
        repeats = other is not table and other.rows == table.rows and len(own) < len(table.columns)
        if repeats and own and all(column.kind in ("constant", "empty") for column in own):
            return True
    return False


def _train_score(
    table: TableProfile,
    tables: list[TableProfile],
    often: Counter[str],
    sample: TableProfile | None,
    brief: Brief,
    target: str | None,
) -> float:
    """How likely a table holds the rows to learn from; `often` counts the tables that have a column."""
    filled = set(_filled(table))
    score = 0.0
    score += 3 * _says(table, vocabulary.TRAIN_NAMES) - 3 * _says(table, vocabulary.TEST_NAMES)
    score += 2 * len(filled) / max(len(t.columns) for t in tables)
    score += 1.5 * table.rows / max(t.rows for t in tables)
    for other in tables[:_COMPARED]:
        if other is not table and _alike(table, other):
            mine, theirs = _inputs(table) & filled, _inputs(other) & set(_filled(other))
            score += 1.5 * bool(mine - theirs) - 1.5 * bool(theirs - mine)
    here = {name for name in filled if often[name] == 1}
    score += 4 * _named(here, brief)
    score += 3 * any(_called_here(words, here, often, brief) for _, words in goals.concepts(brief.goal))
    if sample:
        score += 3 * bool(set(sample.names[1:]) & filled) + 5 * (set(sample.names) <= filled)
    if target:
        score += 8 * (target in filled)
    return score - (3 if len(table.columns) < 2 else 0)


def _named(names: Collection[str], brief: Brief) -> bool:
    """Whether the goal names one of the columns, and not as an input."""
    return any(
        (m := goals.mention(name, brief.said)) and m.quality >= 0.9 and goals.wanted(m.place, brief.said) >= 0
        for name in names
    )


def _called_here(words: list[str], here: set[str], names: Collection[str], brief: Brief) -> bool:
    """Whether one of the columns here is called by the words, and no other of all the names that the goal has."""
    if not any(goals.called(name, words) for name in here):
        return False
    return not _named([name for name in names if name not in here and goals.called(name, words)], brief)


def _says_more(table: TableProfile, main: TableProfile) -> bool:
    """Whether a table tells other things about what the rows share with it: it lacks several columns and has its own."""
    own = set(_filled(table)) - set(_filled(main))
    lacks = set(_filled(main)) - set(_filled(table))
    named = _says(table, vocabulary.TEST_NAMES) or _says(table, vocabulary.TRAIN_NAMES)
    return bool(own) and len(lacks) >= 2 and not named


def _to_predict(table: TableProfile, main: TableProfile, brief: Brief) -> bool:
    """Whether a table like the training table holds rows whose answer is open."""
    lacks = set(_own(main)) - set(_filled(table))
    learnt = _says(table, vocabulary.TRAIN_NAMES) or _answered(table, main, brief)
    return _says(table, vocabulary.TEST_NAMES) or (bool(lacks) and not learnt)


def _answered(table: TableProfile, main: TableProfile, brief: Brief) -> bool:
    """Whether a table holds every column that the goal wants predicted, though it may lack others of the training table."""
    asked = {
        name for name in _own(main)
        if (m := goals.mention(name, brief.said)) and m.quality >= 0.9 and goals.wanted(m.place, brief.said) > 0
    }  # fmt: skip
    return bool(asked) and asked <= {*_filled(table)}


def _asked(roles: Roles, brief: Brief) -> list[TableProfile]:
    """With several tables to predict, those that the goal names, else those without answers."""
    if len(roles.test) < 2:
        return roles.test
    said = fold(brief.said)
    named = [
        t
        for t in roles.test
        if fold(PurePosixPath(t.path).name) in said or fold(t.key.partition("#")[2] or "\0") in said
    ]
    if named:
        return named
    main = set(_filled(roles.train[0]))
    open_ones = [t for t in roles.test if main - set(_filled(t))]
    first = (open_ones or roles.test)[0]
    return [t for t in open_ones or roles.test if set(t.names) == set(first.names)]


def _evidence(roles: Roles) -> str:
    main = roles.train[0]
    learnt = " and ".join(label_of(t) for t in roles.train)
    text = (
        f"{learnt} holds the rows to learn from" if len(roles.train) == 1 else f"{learnt} hold the rows to learn from"
    )
    if roles.test:
        lacking = [n for n in _filled(main) if n not in _filled(roles.test[0])]
        shown = (
            f' without "{lacking[0]}"'
            if len(lacking) == 1
            else f" without {len(lacking)} of its columns"
            if lacking
            else ""
        )
        text += f", {' and '.join(label_of(t) for t in roles.test)} the rows to predict{shown}"
    if roles.sample:
        text += f"; {label_of(roles.sample)} shows how the answer must look"
    if roles.renamed:
        text += f"; {' and '.join(label_of(t) for t in roles.renamed)} may hold more, under other names of columns"
    return text + "."
