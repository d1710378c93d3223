"""Which column is wanted: every column weighed by the goal, the rows to predict, the documents and its own looks."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

from mlzero.perception import goal as goals
from mlzero.perception import vocabulary
from mlzero.perception.goal import Brief
from mlzero.perception.hint_words import NOT
from mlzero.perception.profile import FILES, ColumnProfile, Profile, TableProfile
from mlzero.perception.roles import Roles, label_of
from mlzero.perception.task import Inferred, Question
from mlzero.perception.wording import find_word, first_of, fold, is_cjk, quote_list, words_of

_CLOSE = 1.0  # two columns whose points differ by less are a question
_LOOKS = 1.1  # points that a column's place and values alone can give, which are a guess
_SURE = 5.0  # points that leave no doubt
_FEW_LABELS = 12
_ASKING = 25  # characters beside a list of names in which "which of" stands
_DIGIT = re.compile(r"\d")
_BETWEEN = re.compile(  # "tensile strength (MPa), and the hardness"
    r"""["']?(?: \w+)?(?: [(\[]\S+)?[\s,"'、和与及と]*(?:(?:and|und|y|e|et|&|sowie|as well as)[\s,"']+)?(?:(?:the|die|der|das|la|el|le) )?(?:\w+ )?["']?"""
)
_SPAN = re.compile(  # "0-9"
    r"(?<![\d.])(\d{1,4})\s*(?:-|–|\.\.\.?|to|bis|a|à|hasta|bis|至|到|～|から)\s*(\d{1,4})(?![\d.]*\d)"
)
_JOINT = re.compile(r"[,、和与及と&]|\b(?:and|und|y|e|et|sowie|as well as)\b")
_EXPLAINS = re.compile(  # "s.e. is its standard error"
    r"""["'`”»)]?\s*(?:is|are|ist|sind|es|est|=|:|-|–)?\s*(?:the|its|their|der|die|das|sein|seine|dessen|el|la|su|l'|son)?\s*(?:standard (?:error|deviation)|std|standardfehler|standardabweichung|error estandar|desviacion|ecart[- ]type|uncertainty|number of (?:raters|votes|ratings|judges))"""
)
_OPEN_WORDS = "fill* missing blank empty unknown unlabel* rellen* vacia* falta* fehl* leer* unbekannt* ausfull* manqu* vide* vazi* 空 缺失 未知 填 空欄"


@dataclass
class Candidate:
    """A column with the reasons for it."""

    column: ColumnProfile
    points: float = 0.0
    reasons: list[tuple[float, str]] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.column.name

    def add(self, points: float, reason: str = "") -> None:
        self.points += points
        if reason and points > 0:
            self.reasons.append((points, reason))

    @property
    def because(self) -> str:
        """The two strongest reasons as a sentence."""
        ranked = [text for _, text in sorted(self.reasons, key=lambda r: -r[0])[:2]]
        return f"{' and '.join(ranked)}." if ranked else "It is the likeliest column left."


@dataclass
class Found:
    """The target, and what to ask when another column is close."""

    target: Inferred[str | list[str] | None]
    question: Question | None = None


@dataclass(frozen=True)
class Apart:
    """Columns that the goal asks for together and that one predictor cannot answer together."""

    names: list[str]


def find(profile: Profile, roles: Roles, brief: Brief) -> Found:
    """The target column, or the columns when several are wanted together."""
    several = _several(profile, roles, brief)
    if isinstance(several, Inferred):
        return Found(several)
    ranked = rank(roles, brief)
    if not ranked:
        return Found(
            Inferred[str | list[str] | None](value=None, confidence=0.0, evidence="No column can be predicted.")
        )
    best = ranked[0]
    second = ranked[1] if len(ranked) > 1 else None
    gap = best.points - second.points if second else _SURE
    confidence = max(0.2, min(0.98, 0.35 + 0.09 * min(best.points, _SURE) + 0.06 * min(gap, 3)))
    target = Inferred[str | list[str] | None](
        value=best.name, confidence=round(confidence, 2), evidence=best.because,
        alternatives=[c.name for c in ranked[1:4] if c.points > 0],
    )  # fmt: skip
    question = None
    if several and best.name in several.names:
        question = Question(
            field="target", options=several.names, default=best.name,
            text=f"The goal asks for {quote_list(several.names, 5)}. Only numbers, or only yes-or-no answers, are "
            "predicted together. Which one should be predicted? The others need a run each.",
        )  # fmt: skip
    elif second and (gap < _CLOSE or best.points < _LOOKS):
        options = [c.name for c in ranked[:4]]
        question = Question(
            field="target", text="Which column should be predicted?", options=options, default=best.name
        )
    return Found(target, question)


def rank(roles: Roles, brief: Brief) -> list[Candidate]:
    """Columns of the training table that could be the target, the likeliest first."""
    main = roles.train[0]
    absent = _absent(main, roles.test)
    partly = [c.name for c in main.columns if _partly_open(c, main)]
    candidates = []
    naming = {c.source_name for c in main.columns if c.kind in FILES} | {main.read.options.get("name")}  # files
    for position, column in enumerate(main.columns):
        if column.kind in ("constant", "empty", *FILES) or column.name in naming:
            continue
        if column.told is not None and column.kind == "number":
            continue  # a year
        candidate = Candidate(column)
        candidates.append(candidate)
        _by_labels(candidate, brief)
        if column.told is not None:
            continue  # nobody but MLZero calls it so
        _by_rows(candidate, main, roles, absent, partly, brief)
        _by_sample(candidate, roles)
        _by_goal(candidate, brief)
        _by_documents(candidate, brief)
        _by_looks(candidate, main, position, goals.mention(column.name, brief.said))
    _by_file_names(candidates, brief)
    return sorted(candidates, key=lambda c: -c.points)


def asked_in_vain(main: TableProfile, found: str | list[str] | None, brief: Brief) -> ColumnProfile | None:
    """A column that the goal asks for by name, and no other, although it holds no or only one value."""

    def asked(column: ColumnProfile) -> bool:
        named = goals.mention(column.name, brief.goal)
        return named is not None and named.quality >= 0.9 and goals.wanted(named.place, brief.goal) > 0

    best = main.column(found) if isinstance(found, str) else None
    if isinstance(found, list) or (best and asked(best)):
        return None
    return next((c for c in main.columns if c.kind in ("constant", "empty") and asked(c)), None)


def _absent(main: TableProfile, tests: list[TableProfile]) -> list[str]:
    """Columns of the file without values in the rows to predict."""
    filled = {c.name for test in tests for c in test.columns if c.kind != "empty"}
    own = [c for c in main.columns if c.kind != "empty" and c.told is None]
    return [c.name for c in own if tests and c.name not in filled]


def _partly_open(column: ColumnProfile, table: TableProfile) -> bool:
    return 0 < column.missing < table.rows and (column.missing >= 0.005 * table.rows or column.missing >= 3)


def _by_rows(
    c: Candidate, main: TableProfile, roles: Roles, absent: list[str], partly: list[str], brief: Brief
) -> None:
    """What the rows to predict lack."""
    if roles.test and absent:
        where = label_of(roles.test[0])
        blank = any((found := test.column(c.name)) and found.kind == "empty" for test in roles.test)
        if c.name not in absent:
            c.add(-6)
        elif blank:
            c.add(3.5, f'"{c.name}" is empty in all rows of {where}')
        else:
            c.add(3.0 if len(absent) == 1 else 1.5, f'"{c.name}" is in {label_of(main)} but not in {where}')
    elif not roles.test and c.name in partly:
        asked = _open_words(brief)
        marked = "?" in c.column.missing_markers and sum("?" in o.missing_markers for o in main.columns) == 1
        sign = "'?'" if "?" in c.column.missing_markers else "blank"
        points = (2.0 if marked else 0.0) + (1.0 if asked else 0.0) + (0.7 if len(partly) == 1 else 0.0)
        c.add(points, f'"{c.name}" is {sign} in {c.column.missing:,} rows, which are the ones to predict')


def _open_words(brief: Brief) -> bool:
    """Whether the goal speaks of cells to fill in."""
    folded = fold(brief.said)
    return bool(first_of(folded, vocabulary.table(_OPEN_WORDS))) or any(
        sign in folded for sign in ("'?'", '"?"', "“?”")
    )


def _by_sample(c: Candidate, roles: Roles) -> None:
    if roles.sample and c.name in roles.sample.names:
        shown = roles.sample.column(c.name)
        if shown and shown.kind != "identifier" and roles.sample.names[0] != c.name:
            c.add(5.0, f'{label_of(roles.sample)} asks for "{c.name}"')


def _by_goal(c: Candidate, brief: Brief) -> None:
    for text, where, weight in ((brief.goal, "the goal", 1.0), (brief.brief, brief.brief_path, 0.8)):
        if not text:
            continue
        found = goals.mention(c.name, text)
        if goals.names_rows(c.name) and (found is None or found.quality < 1):
            continue  # "which customers" speaks of the rows, not of customer_id
        if found and found.quality >= 0.2:
            near = goals.wanted(found.place, text)
            points = weight * found.quality * (3.0 + near * (1.0 if near > 0 else 2.5))
            if c.name in goals.asked_names(text)[1:]:
                points += weight * 1.5
            if _EXPLAINS.match(fold(text)[found.place + len(found.words) :]):
                points -= 2.0
            exact = found.quality >= 0.9 and len(found.words) >= len(c.name)  # not "cancel" for "Cancelled"
            said = f'names it ("{c.name}")' if exact else f'speaks of "{found.words}", which fits "{c.name}"'
            c.add(points, f"{where} {said}")
        for word, names in goals.concepts(text):
            if goals.called(c.name, names):
                named = found is not None and found.quality >= 0.9
                c.add(weight * 2.0, "" if named else f'{where} speaks of "{word}", which fits "{c.name}"')
                break


def _by_labels(c: Candidate, brief: Brief) -> None:
    """The goal names the classes: "is it spam or ham?"."""
    span = _SPAN.search(brief.goal)
    if span and c.column.unique > 2 and _whole_numbers(c.column) == [float(span[1]), float(span[2])]:
        c.add(1.5, f'"{c.name}" goes from {span[1]} to {span[2]}, which the goal names')
    labels = [text for text, _ in c.column.top if len(text) > (1 if is_cjk(text) else 2) and not _DIGIT.search(text)]
    if (
        c.column.kind not in ("category", "boolean")
        or not 2 <= len(labels) <= _FEW_LABELS
        or c.column.unique > len(labels) + 1
    ):
        return
    said = [x for x in labels if find_word(fold(brief.said), fold(x)) >= 0]
    if len(said) > 1:
        c.add(2.5, f'"{c.name}" holds {quote_list(said, 3)}, which the goal names')
    elif said and c.column.unique == 2:
        c.add(1.0, f'"{c.name}" holds "{said[0]}", which the goal names')


def _whole_numbers(column: ColumnProfile) -> list[float]:
    """The least and the greatest value of a column of numbers, also where they are classes."""
    if isinstance(column.minimum, float) and isinstance(column.maximum, float):
        return [column.minimum, column.maximum]
    texts = [text for text, _ in column.top]
    if column.unique > len(texts) or not all(map(str.isdigit, texts)):
        return []
    return [min(map(float, texts)), max(map(float, texts))]


def _by_documents(c: Candidate, brief: Brief) -> None:
    for path, sentence in brief.on_target:
        found = goals.mention(c.name, sentence)
        if found and found.quality >= 0.9:
            c.add(1.5, f'{path} calls "{c.name}" the target')
            return


def _by_looks(c: Candidate, main: TableProfile, position: int, named: goals.Mention | None) -> None:
    """Weak signs: a telling name, the last column, two values."""
    column = c.column
    parts = words_of(c.name.replace("_", " "))
    if {part for part in parts if len(part) > 1 or len(parts) == 1} & set(vocabulary.table(vocabulary.ANSWER_NAMES)):
        c.add(1.2, f'"{c.name}" is what the column with the answer is often called')
    last = position == max(i for i, c in enumerate(main.columns) if c.told is None)
    if last:
        c.add(0.5, f'"{c.name}" is the last column of {label_of(main)}')
    if column.unique == 2:
        c.add(0.5 if last else 0.2, f'"{c.name}" has two values')
    if position == 0:
        c.add(-0.3)
    parts = words_of(re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", c.name))
    beside = set(parts) & set(vocabulary.table(vocabulary.BESIDE_ANSWER))
    if beside and len(parts) > len(beside) and not (named and named.quality >= 0.9):
        c.add(-1.5)
    if column.kind == "identifier":
        # an amount that is different in every row by chance
        amount = position > 0 and isinstance(column.minimum, float) and not goals.named_as_id(c.name)
        c.add(-0.5 if amount and named and named.quality >= 0.9 else -4)
    elif column.kind == "text" or (column.kind == "category" and column.unique > max(50, 0.2 * main.rows)):
        c.add(-2)
    elif column.kind == "date":
        c.add(-1.5)


def _by_file_names(candidates: list[Candidate], brief: Brief) -> None:
    """One file a label is meant when the goal, if there is one, speaks of no other column."""
    spoken = any(
        c.column.told is None and (m := goals.mention(c.name, brief.said)) is not None and m.quality >= 0.7
        for c in candidates
    )
    for c in candidates:
        if c.column.told is not None:
            labels = quote_list([text for text, _ in c.column.top], 3)
            c.add(-1.2 if spoken else 2.0, f"there is a file of its own for each of {labels}")


def _several(profile: Profile, roles: Roles, brief: Brief) -> Inferred[str | list[str] | None] | Apart | None:
    """Several columns that are wanted together: listed as labels, in the sample, or all open in the rows to predict."""
    main = roles.train[0]
    listed, path = goals.label_list(profile)
    present = [name for name in main.names if name in set(listed)]
    if len(present) > 1:
        return _together(present, 0.97, f"{path} lists {len(present)} label columns: {quote_list(present, 3)}.")
    if roles.sample:
        asked = [
            n for n in roles.sample.names if (c := main.column(n)) and c.kind not in ("identifier", "constant", "empty")
        ]
        asked = [n for n in asked if n != roles.sample.names[0] and not _in_test(n, roles)]
        if len(asked) > 1:
            return _together(asked, 0.97, f"{label_of(roles.sample)} asks for {quote_list(asked, 4)}.")
        if asked:
            return None
    absent = _absent(main, roles.test)
    blank = [n for n in absent if any((c := t.column(n)) and c.kind == "empty" for t in roles.test)]
    if len(blank) > 1:
        return _together(blank, 0.9, f"{quote_list(blank, 3)} are empty in {label_of(roles.test[0])}.")
    if roles.test and not absent:
        return None
    eligible = absent if roles.test else main.names
    places = [(m.place, n) for n in eligible if (m := goals.mention(n, brief.said)) and m.quality >= 0.9]
    named = [n for place, n in sorted(places) if goals.wanted(place, brief.said) >= 0 and _answerable(main.column(n))]
    wanted = [c for n in named if (c := main.column(n))]
    verb = named and goals.wanted(min(place for place, n in places if n in named), brief.said) > 0
    listed_names = len(named) > 1 and _listed_together(named, brief)
    if verb and listed_names and not _same_kind(wanted):
        return Apart([c.name for c in wanted])
    if listed_names and _same_kind(wanted) and (verb or (wanted[0].kind == "boolean" and _each(named, brief))):
        return _together([n for n in main.names if n in named], 0.85, f"The goal asks for {quote_list(named, 4)}.")
    zero_one = [n for n in absent if (c := main.column(n)) and c.kind == "boolean"]
    said = [n for n in absent if goals.mention(n, brief.goal)]
    together = (len(absent) > 2 and not said) or len(said) == len(absent) > 1
    if together and len(zero_one) == len(absent):
        return _together(
            absent, 0.85, f"{len(absent)} columns of zeros and ones are missing in {label_of(roles.test[0])}."
        )
    return None


def _listed_together(names: list[str], brief: Brief) -> bool:
    """Whether nothing but "and" or a comma stands between the names."""
    folded = fold(brief.said)
    places = sorted((find_word(folded, fold(n)), fold(n)) for n in names)
    gaps = [folded[a + len(n) : b] for (a, n), (b, _) in pairwise(places) if a >= 0]
    joint = all(_BETWEEN.fullmatch(gap) and _JOINT.search(gap) and not re.search(NOT, gap) for gap in gaps)
    return bool(gaps) and joint


def _each(names: list[str], brief: Brief) -> bool:
    """Whether the goal asks of each of the names, one after the other, whether it holds."""
    folded = fold(brief.said)
    if first_of(folded, vocabulary.table(vocabulary.YES_OR_NO)):
        return True
    places = [(find_word(folded, fold(n)), len(fold(n))) for n in names]
    begin, end = min(places)[0], sum(max(places))
    before, behind = folded[max(0, begin - _ASKING) : begin], folded[end : end + _ASKING]
    each = vocabulary.table(vocabulary.EACH_OF)
    return bool(first_of(before, each) or first_of(behind, [word for word in each if is_cjk(word)]))


def _answerable(column: ColumnProfile | None) -> bool:
    return column is not None and column.kind not in ("identifier", "constant", "empty", "text", "date")


def _same_kind(columns: list[ColumnProfile]) -> bool:
    return len({"yes" if c.kind == "boolean" else c.kind for c in columns}) == 1 and columns[0].kind in (
        "boolean",
        "number",
    )


def _in_test(name: str, roles: Roles) -> bool:
    return any((c := t.column(name)) is not None and c.kind != "empty" for t in roles.test)


def _together(names: list[str], confidence: float, evidence: str) -> Inferred[str | list[str] | None]:
    return Inferred[str | list[str] | None](value=names, confidence=confidence, evidence=evidence)
