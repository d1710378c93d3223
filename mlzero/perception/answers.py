"""How rows are named, and how the answer is written."""

from __future__ import annotations

import re

from mlzero.perception import goal as goals
from mlzero.perception import numbers, problem, vocabulary
from mlzero.perception.goal import Brief
from mlzero.perception.paths import name_of
from mlzero.perception.profile import FILES, ColumnProfile, NumberFormat, Profile, TableProfile
from mlzero.perception.roles import Roles, label_of
from mlzero.perception.task import (
    NUMBERS,
    Inferred,
    LabelSet,
    OutputPlan,
    ProblemType,
    TableFormat,
    WrittenNumber,
)
from mlzero.perception.wording import fold, is_cjk, without_unit
from mlzero.predictor.standalone.answers import answer_columns

SAMPLE_FILE = re.compile(r"sample|submission|example|template", re.I)  # a file that may show how the answer must look
_FORMATS: dict[str, TableFormat] = {
    "csv": "csv", "tsv": "tsv", "json": "json", "jsonl": "jsonl", "parquet": "parquet", "xlsx": "xlsx",
}  # fmt: skip
_FILE = re.compile(r"[\w\-]+\.(csv|tsv|jsonl|json|parquet|xlsx)\b", re.I)
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}(?:([T ])\d{2}:\d{2}(:\d{2})?(\.\d{1,9})?(Z| UTC|\+00:?00)?)?")
_NAME = 12  # Chinese or Japanese letters of a name at most
SURE_METRICS = frozenset({"roc_auc", "roc_auc_ovr", "roc_auc_ovo", "average_precision", "log_loss", "brier"})


def id_of(roles: Roles, targets: list[str], brief: Brief) -> Inferred[str | None]:
    """The column that names the rows, if there is one."""
    tables = [*(roles.test or []), roles.train[0]]
    first = tables[0]
    asked = goals.asked_columns(brief.said, [n for n in first.names if n not in targets])
    best: tuple[float, str, str] = (1.4, "", "")
    others: list[str] = []
    wanted = {*asked, *(roles.sample.names[:1] if roles.sample else [])}
    measured = {column.name for table in tables for column in table.columns if column.parts} - wanted  # such as 120/80
    for position, column in enumerate(first.columns):
        if (
            column.name in targets
            or column.name in measured
            or column.missing
            or not _one_a_row(column, first)
            or column.kind in ("constant", "date", *FILES)
        ):
            continue
        points, reason = _id_points(column, position, roles, asked, brief)
        if points >= 1.5:
            others.append(column.name)
        if points > best[0]:
            best = (points, column.name, reason)
    if not best[1]:
        return Inferred[str | None](value=None, confidence=0.7, evidence="No column names the rows.")
    return Inferred[str | None](
        value=best[1],
        confidence=round(min(0.98, 0.6 + 0.08 * best[0]), 2),
        evidence=best[2],
        alternatives=[n for n in others if n != best[1]],
    )


def _one_a_row(column: ColumnProfile, table: TableProfile) -> bool:
    return column.unique >= table.rows - table.duplicate_rows and (column.unique > 1 or column.kind == "identifier")


def _id_points(column: ColumnProfile, position: int, roles: Roles, asked: list[str], brief: Brief) -> tuple[float, str]:
    name = column.name
    points, reasons = 0.0, [f'"{name}" is different in every row']
    sentences = (column.mean_words or 0) > 2 or any(is_cjk(text) and len(text) > _NAME for text in column.examples)
    repeated = column.kind == "text" and sentences  # an input that the sample shows again
    if roles.sample and name in roles.sample.names and not repeated:
        points += 5 if roles.sample.names[0] == name else 3
        reasons.append(
            f"{label_of(roles.sample)} starts with it"
            if roles.sample.names[0] == name
            else f"{label_of(roles.sample)} has it"
        )
    if name in asked:
        points += 3
        reasons.append("the goal asks for it in the file")
    found = goals.mention(name, brief.said)
    if found and found.quality >= 0.5:
        points += 2 * found.quality
        reasons.append("the goal names it")
    if goals.named_as_id(name):
        points += 2
        reasons.append("its name says so")
    elif position == 0 and fold(name).replace("_", " ") in vocabulary.table(vocabulary.NAMES):
        points += 1.5
        reasons.append("its name says so")
    rows = (roles.test or roles.train)[0]
    if not repeated and any(c.kind in FILES and c.name.startswith(f"{name} ") for c in rows.columns):
        points += 1.5
        reasons.append("names a file")
    # rows that stand twice hide that it is one
    doubled = roles.train[0].duplicate_rows > 0 and position == 0 and column.integer
    points += 1.5 * (column.kind == "identifier" or doubled) + 0.5 * (position == 0)
    points -= 2 * (column.kind == "number" and not column.integer) + 2 * repeated
    return points, f"{' and '.join([reasons[0], *reasons[1:2]])}."


def output_of(
    profile: Profile, roles: Roles, targets: list[str], id_column: str | None, kind: ProblemType, metric: Inferred[str],
    labels: list[str], brief: Brief,
) -> Inferred[OutputPlan]:  # fmt: skip
    """The file that is wanted: its name, its columns, and whether it holds labels, probabilities or numbers."""
    main = roles.train[0]
    file_name, ending = asked_file(profile, brief)
    plan = OutputPlan(file_name=file_name, format=ending, value="label")
    at_odds = sample_at_odds(roles, targets, id_column)
    if roles.sample and not at_odds:
        plan.sample = roles.sample.key
        plan.columns = [c.source_name.strip() or c.name for c in roles.sample.columns]
        plan.dates = _dates_as_shown(roles.sample) if ending in ("csv", "tsv", "json", "jsonl") else {}
        evidence = f"Columns as in {label_of(roles.sample)}"
        if len(set(plan.columns) - {id_column}) < len(targets):
            plan.columns += [name for target in targets if (name := _written(main, target)) not in plan.columns]
            evidence += ", and beside them the answers"
    else:
        asked = _asked(brief, main, id_column, targets)
        plan.columns = asked or [
            *([_written(main, id_column)] if id_column else []),
            *(_written(main, name) for name in targets),
        ]
        evidence = "Columns as the goal asks for" if asked else "Columns as they are called in the data"
        if at_odds and roles.sample:
            evidence = f'{label_of(roles.sample)} asks for "{at_odds}", which is not what is predicted: {evidence[:1].lower()}{evidence[1:]}'
    shown, why = _value(roles, targets, kind, metric, labels, brief)
    plan.value = shown  # type: ignore[assignment]
    if kind in NUMBERS:
        plan.numbers = _numbers_as_shown(plan, roles, targets)
        why = _in_which_unit(plan, roles, targets) or why
    confidence = 0.6 if at_odds else 0.95 if roles.sample else 0.85
    return Inferred[OutputPlan](value=plan, confidence=confidence, evidence=f"{evidence}; {why}.")


def with_set(output: Inferred[OutputPlan], found: LabelSet) -> Inferred[OutputPlan]:
    """The form of an answer of several labels: in one cell as in the data, or a column a label where that is asked for."""
    plan = output.value.model_copy(deep=True)
    if set(found.labels) & set(plan.columns):
        return output
    if plan.value == "probability":
        plan.columns = [*(name for name in plan.columns if name != found.column), *found.labels]
        return output.model_copy(update={"value": plan})
    plan.label_set = found
    told = (
        f"{output.evidence.removesuffix('.')}; the labels that hold stand in one cell, parted by {found.separator!r}."
    )
    return output.model_copy(update={"value": plan, "evidence": told})


def with_form(output: Inferred[OutputPlan], column: ColumnProfile, cell: str | None) -> Inferred[OutputPlan]:
    """The answer with its labels, which are numbers, written as one cell of the target is; unchanged without one."""
    if cell is None or output.value.value != "label" or not output.value.columns:
        return output
    plan = output.value.model_copy(deep=True)
    plan.numbers = {answer_columns(plan.columns, [column.name])[0]: numbers.written(cell, column, None)}
    told = f'{output.evidence.removesuffix(".")}, written as most cells of "{column.name}" are: "{cell}".'
    return output.model_copy(update={"value": plan, "evidence": told})


def _dates_as_shown(sample: TableProfile) -> dict[str, str]:
    """By column of a sample, the pattern of its dates, see `OutputPlan.dates`."""
    found = {}
    for column in sample.columns:
        if column.kind != "date" or column.date is None or not column.examples:
            continue
        patterns = {_pattern_of(text) for text in column.examples}
        shown = patterns.pop() if len(patterns) == 1 else ""
        if pattern := column.date.pattern if "%" in column.date.pattern else shown:
            found[column.name] = pattern
    return found


def _pattern_of(text: str) -> str:
    """The pattern by which a date of ISO 8601 is written; empty where none fits."""
    found = _ISO.fullmatch(text.strip())
    if found is None:
        return ""
    mark, seconds, part, zone = (group or "" for group in found.groups())
    if not mark:
        return "%Y-%m-%d"
    digits = f".%{len(part) - 1}f" if part else ""
    return f"%Y-%m-%d{mark}%H:%M{':%S' if seconds else ''}{digits}{zone}"


def _numbers_as_shown(plan: OutputPlan, roles: Roles, targets: list[str]) -> dict[str, WrittenNumber]:
    """By column of the answer, how the sample writes numbers that no program would read by itself."""
    asked = answer_columns(plan.columns, targets)
    if plan.sample is None or roles.sample is None:
        return {}
    found = {}
    for name, target in zip(asked, targets, strict=False):
        shown, known = _column_of(roles.sample, name), roles.train[0].column(target)
        if shown and shown.number is not None and shown.number != NumberFormat() and shown.examples:
            found[name] = numbers.written(shown.examples[0], shown, known)
    return found


def _column_of(sample: TableProfile, name: str) -> ColumnProfile | None:
    """The column of a sample that is written so in its file."""
    return next((column for column in sample.columns if name in (column.source_name.strip(), column.name)), None)


def _in_which_unit(plan: OutputPlan, roles: Roles, targets: list[str]) -> str:
    """What to say of numbers that are written with a unit, in the sample or in the data; empty when there is none."""
    if plan.numbers and roles.sample and (shown := _column_of(roles.sample, next(iter(plan.numbers)))):
        return f'the answer is a number, written as in {label_of(roles.sample)}: "{shown.examples[0]}"'
    column = roles.train[0].column(targets[0])
    if len(targets) == 1 and column and column.number and column.number.affixes:
        return f'the answer is a plain number in the unit of the data ("{column.number.affixes[0]}")'
    return ""


def sample_at_odds(roles: Roles, targets: list[str], id_column: str | None) -> str | None:
    """The column that a sample of the answer shows although it is an input and no target is shown."""
    if roles.sample is None or set(targets) & set(roles.sample.names):
        return None
    shown = [name for name in roles.sample.names[1:] if name != id_column]
    known = [name for name in shown if all(table.column(name) for table in (roles.train[0], *roles.test))]
    return known[0] if known and known == shown else None


def _written(table: TableProfile, name: str) -> str:
    column = table.column(name)
    return (column.source_name.strip() if column else "") or name


def _asked(brief: Brief, main: TableProfile, id_column: str | None, targets: list[str]) -> list[str]:
    """Columns of the answer as the goal names them, be it in other words than the data; none when it names others."""
    names = goals.asked_names(brief.said)
    if len(names) > 1 and id_column and names[-1] == id_column:
        names = [names[-1], *names[:-1]]
    first, rest = names[:1], names[1:]
    if len(targets) > 1 and first and first[0] not in main.names and rest and rest[0] == targets[0]:
        return [*first, *targets]  # "row, Class1 to Class9"
    if len(rest) == len(targets) and main.read.format == "made" and id_column:
        return names  # the columns have no names of their own
    if len(rest) != len(targets) or not all(goals.akin(a, b) for a, b in zip(rest, targets, strict=True)):
        return []
    if first[0] != id_column and first[0] in main.names:
        return []
    own = {fold(without_unit(name)): _written(main, name) for name in [*targets, *([id_column] if id_column else [])]}
    return [own.get(fold(name), name) for name in names]


def asked_file(profile: Profile, brief: Brief) -> tuple[str, TableFormat]:
    """Name and format of the file that the goal asks for."""
    uploaded = {name_of(file.path).lower() for file in profile.files}
    for match in _FILE.finditer(brief.said):
        if match.group().lower() not in uploaded and not any(name.endswith(match.group().lower()) for name in uploaded):
            return match.group(), _FORMATS[match.group(1).lower()]
    said = re.search(
        r"\b(?:as|als|como|en|in)\s+(?:an?\s+|eine?\s+|un\s+)?(json|jsonl|parquet|excel|xlsx|tsv)\b", fold(brief.said)
    )
    if said:
        ending = _FORMATS["xlsx" if said.group(1) == "excel" else said.group(1)]
        return f"predictions.{ending}", ending
    return "predictions.csv", "csv"


def _value(
    roles: Roles, targets: list[str], kind: ProblemType, metric: Inferred[str], labels: list[str], brief: Brief
) -> tuple[str, str]:  # fmt: skip
    if kind in NUMBERS:
        return "number", "the answer is a number"
    shown = _shown(roles, targets)
    if shown and not (shown.number and shown.number.affixes) and kind != "multilabel":
        texts = {text for text, _ in shown.top}
        plain = {_whole(text) for text in texts}
        if plain <= set(labels) and (len(plain) > 1 or not texts <= {"0", "1", "0.0", "1.0"}):
            return "label", f"{label_of(roles.sample)} shows labels" if roles.sample else "labels"
        if (
            isinstance(shown.minimum, float)
            and not shown.integer
            and 0 <= shown.minimum <= float(shown.maximum or 0) <= 1
        ):
            return (
                "probability",
                f"{label_of(roles.sample)} shows numbers between 0 and 1" if roles.sample else "probabilities",
            )
    word = problem.wants_probability(brief)
    if word:
        return "probability", f'the goal asks for "{word}"'
    asked = metric.confidence == 1.0 or problem.asked_metric(kind, brief) is not None  # 1: the user set it
    if metric.value in SURE_METRICS and asked:
        return "probability", "the metric looks at probabilities"
    return "label", "the answer is a label"


def _whole(text: str) -> str:
    return text.strip().removesuffix(".0")


def _shown(roles: Roles, targets: list[str]) -> ColumnProfile | None:
    """The column of the sample that holds the answer."""
    if not roles.sample or len(roles.sample.columns) < 2:
        return None
    return roles.sample.column(targets[0]) or roles.sample.columns[-1]
