"""What a hint asks for, as far as rules understand it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from mlzero.perception import hint_answers, hint_kinds
from mlzero.perception import hint_words as words
from mlzero.perception.column_marks import Marked, mark
from mlzero.perception.hint_draft import Draft
from mlzero.perception.profile import Profile
from mlzero.perception.task import Preferences, Task
from mlzero.perception.wording import is_cjk, quote_list

FEWEST_ROWS = 50  # a sample is never smaller
_KNOWN = (
    "the target, the metric, the order of grades, columns to drop or keep, a column to treat as number, category, date or text, models to use or avoid, "
    "class balance, more time, a sample of the rows, the season of series, the language of texts, whether pictures may be turned, and whether their background counts"
)
_SENTENCES = re.compile(r"(?<=[^\d])[.!?](?=\s|$)|[;\n。；！？]|(?<=\d)[.!?](?=\s|$)")
_NUMBER = re.compile(
    r"(?<![a-z\d_§])(\d{1,3}(?:[., '](?:\d{3})(?!\d))+|\d+(?:\.\d+)?)\s*(k\b|thousand\b|tausend\b|mil\b|mille\b|million\b|m\b|%|percent\b|prozent\b|万|千)?"
)
_SCALE = {
    "k": 1e3,
    "thousand": 1e3,
    "tausend": 1e3,
    "mil": 1e3,
    "mille": 1e3,
    "千": 1e3,
    "万": 1e4,
    "m": 1e6,
    "million": 1e6,
}


@dataclass(frozen=True)
class Reading:
    """A hint, understood."""

    answer: str  # shown to the user
    overrides: dict[str, str] = field(default_factory=dict)  # as `infer_task` takes them
    preferences: Preferences | None = None  # only the fields that the hint speaks of are set
    needs_model: bool = False
    guidance: str = ""  # what a language model that writes code shall follow


def interpret(text: str, task: Task, profile: Profile) -> Reading:
    """What a hint asks for; several wishes in one hint are all taken.

    Parameters
    ----------
    text
        As typed, in any language; column names may hold typing errors where it is clear that a column is meant.
    task, profile
        What the run works on. The overrides are checked by `infer_task`, not here.
    """
    table = profile.table(task.train[0].table) if task.train else None
    marked = mark(text, table.names if table else [])
    draft = Draft(task, table)
    open_ends = []
    for sentence in _SENTENCES.split(marked.text):
        before = draft.understood
        for clause in _clauses(sentence):
            _read(clause, marked, draft)
        if draft.understood == before and len(re.findall(r"\w+", sentence)) > 2:
            open_ends.append(marked.shown(sentence).strip())
    if not draft.understood:
        return Reading(
            f"This hint needs a language model, and none is connected. Without one I understand: {_KNOWN}.",
            needs_model=True,
        )
    sentences = [f"I will {_listed(draft.parts)}."] if draft.parts else []
    sentences += draft.remarks
    sentences += [f'"{rest}" needs a language model.' for rest in open_ends]
    preferences = Preferences(**draft.wishes) if draft.wishes else None
    return Reading(" ".join(sentences), draft.overrides, preferences, needs_model=bool(open_ends))


def _clauses(sentence: str) -> list[str]:
    """Parts of a sentence that ask for one thing each."""
    joint = rf"(?:\s+(?=(?:without|but not|ohne|sin|sans|sem)\b)|[,，、]\s*(?:and|und|y|et|e|but|aber|pero|mais)?\s*|\s+(?:and|und|y|et|e|but|aber|pero|mais|then)\s+|并且?|而且)(?={words.STARTS}|but not\b)"
    clauses: list[str] = []
    for clause in filter(str.strip, re.split(joint, sentence)):
        rest = re.match(r"\s*(?:but not|aber nicht|pero no|mais pas)\b(.*)", clause)
        if rest and clauses:  # the opposite of what went before
            clause = f"do not {'drop' if re.search(words.OUT, clauses[-1]) else 'use'} {rest.group(1)}"
        clauses.append(clause)
    return clauses


def _read(clause: str, marked: Marked, draft: Draft) -> None:
    clause = re.sub(words.INSTEAD, " ", clause)
    columns = marked.columns(clause)
    before = draft.understood
    readers: list[Callable[[str, list[str], Draft], bool]] = [
        hint_answers.order,
        _models,
        _sample,
        _split,
        _of_kind,
        hint_answers.positive,
        _treat,
        _name_rows,
        hint_answers.target,
        _use,
    ]
    if not any(reader(clause, columns, draft) for reader in readers):
        hint_answers.answer_kind(clause, draft)
    if re.search(words.LONGER, clause):
        draft.wishes["more_time"] = True
        draft.parts.append("take twice the time")
    if not hint_answers.balance(clause, draft):
        hint_answers.metric(clause, draft)
    if draft.understood == before and not columns:
        _unknown_column(clause, draft)


def _models(clause: str, columns: list[str], draft: Draft) -> bool:
    keys, names, rest = [], [], clause
    for family, pattern, name in words.MODELS:
        if re.search(pattern, rest):
            keys += [key for key in family if key not in keys]
            names.append(name)
            rest = re.sub(pattern, " ", rest)
    if not keys:
        return False
    avoid = bool(re.search(f"{words.NOT}|{words.OUT}", rest))
    wish, other = ("avoid_models", "use_models") if avoid else ("use_models", "avoid_models")
    earlier = draft.wishes.get(wish, draft.task.preferences.avoid_models if avoid else [])
    draft.wishes[wish] = list(dict.fromkeys([*earlier, *keys]))
    opposed = draft.wishes.get(other, getattr(draft.task.preferences, other))
    if set(opposed) & set(keys):
        draft.wishes[other] = [key for key in opposed if key not in keys]
    draft.parts.append(f"{'avoid' if avoid else 'use'} {_listed(names)}")
    return not columns


def _sample(clause: str, columns: list[str], draft: Draft) -> bool:
    clause = re.sub(words.HALF, " 50% ", clause)
    number = _NUMBER.search(clause)
    if not number:
        return False
    digits, unit = number.groups()
    follows = re.match(
        rf"\s*(?:of (?:the )?|der |de (?:las |los )?|des )?(?:random )?(?:{words.ROWS})", clause[number.end() :]
    )
    if not (follows or re.search(words.SAMPLE, clause)):
        return False
    plain = re.sub(r"[., '](?=\d{3}(?!\d))", "", digits)
    if unit in ("%", "percent", "prozent"):
        rows = round((draft.table.rows if draft.table else 0) * min(float(plain), 100) / 100)
    else:
        rows = round(float(plain) * _SCALE.get(unit or "", 1))
    draft.wishes["sample_rows"] = max(rows, FEWEST_ROWS)
    draft.parts.append(f"train on a sample of {draft.wishes['sample_rows']:,} rows")
    return True


def _of_kind(clause: str, columns: list[str], draft: Draft) -> bool:
    wish = hint_kinds.read(clause, draft.task)
    if wish is None:
        return False
    draft.wishes |= wish.preferences
    (draft.parts if wish.preferences else draft.remarks).append(wish.words)
    return True


def _split(clause: str, columns: list[str], draft: Draft) -> bool:
    if not re.search(words.SPLIT, clause):
        return False
    if (
        columns
        and re.search(words.BY_GROUP, clause)
        and not re.search(words.BY_TIME, clause)
        and not _is_date(columns[0], draft)
    ):
        draft.overrides["split"] = f"group:{columns[0]}"
        draft.parts.append(f'keep rows with the same "{columns[0]}" on one side of the split')
    elif columns and (re.search(words.BY_TIME, clause) or _is_date(columns[0], draft)):
        draft.overrides["split"] = f"time:{columns[0]}"
        draft.parts.append(f'hold back the latest rows by "{columns[0]}"')
    elif re.search(r"\brandom\w*|\bzufall\w*|\baleatori\w*|\baleatoire\w*|随机", clause):
        draft.overrides["split"] = "random"
        draft.parts.append("hold back rows by chance")
    else:
        return False
    return True


def _is_date(name: str, draft: Draft) -> bool:
    column = draft.table.column(name) if draft.table else None
    return column is not None and column.kind == "date"


def _treat(clause: str, columns: list[str], draft: Draft) -> bool:
    if not columns:
        return False
    kind = next((k for k, pattern in words.KINDS if re.search(rf"{words.AS}(?:{pattern})", clause)), None)
    if kind is None or (re.search(words.TARGET, clause) and not re.search(words.TREAT, clause)):
        return False
    if re.search(words.NOT, re.split("[,，]", clause)[0]):  # but not "a category, not a number"
        kind = {"number": "category", "category": "number"}.get(kind, "")
        if not kind:
            return False
    for name in columns:
        draft.overrides[f"type:{name}"] = kind
    draft.parts.append(f"treat {quote_list(columns)} as {kind}")
    return True


def _name_rows(clause: str, columns: list[str], draft: Draft) -> bool:
    if len(columns) != 1 or not re.search(words.ID, clause):
        return False
    draft.overrides["id"] = columns[0]
    draft.parts.append(f'name the rows by "{columns[0]}"')
    return True


def _use(clause: str, columns: list[str], draft: Draft) -> bool:
    """Columns to leave out or to use."""
    out, keep, no = (bool(re.search(pattern, clause)) for pattern in (words.OUT, words.KEEP, words.NOT))
    if not columns or re.search(words.NEW_WORK, clause) or (re.search(words.TARGET, clause) and not out and not keep):
        return False
    only = re.search(words.ONLY, clause) and (keep or re.search(r"\btrain\b", clause)) and not out and not no
    if only or (re.search(words.EXCEPT, clause) and (out or no)):
        rest = [f.name for f in draft.task.used_features if f.name not in columns]
        draft.add("drop", rest)
        draft.add("keep", columns)
        draft.parts.append(f"use only {quote_list(columns)}")
    elif re.search(words.USELESS, clause) or out != no:  # "drop", "do not use", "without"; but not "do not drop"
        draft.add("drop", columns)
        draft.parts.append(f"leave out {quote_list(columns)}")
    elif keep or out:
        draft.add("keep", columns)
        draft.parts.append(f"use {quote_list(columns)}")
    else:
        return False
    return True


def _unknown_column(clause: str, draft: Draft) -> None:
    """Say that a column does not exist when one is clearly meant."""
    meant = re.search(r"(?:column|spalte|columna|colonne|coluna)s? (?:called |named )?[\"'“„«`]?([\w.-]+)", clause)
    if (
        meant
        and re.search(f"{words.OUT}|{words.KEEP}|{words.TARGET}|{words.TREAT}", clause)
        and not is_cjk(meant.group(1))
    ):
        names = draft.table.names if draft.table else []
        draft.remarks.append(f'There is no column "{meant.group(1)}". The columns are: {quote_list(names, 12)}.')


def _listed(parts: list[str]) -> str:
    parts = list(dict.fromkeys(parts))
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
