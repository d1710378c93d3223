"""A text for a text: rows with a text as it is and as it shall be, such as numbers written out."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from pathlib import Path

from mlzero.errors import UserError
from mlzero.perception import answers, override
from mlzero.perception import roles as role_finder
from mlzero.perception.file_roles import files_of
from mlzero.perception.goal import Brief
from mlzero.perception.override import BY_USER, Overrides
from mlzero.perception.profile import ColumnProfile, Profile, TableProfile
from mlzero.perception.roles import Roles
from mlzero.perception.task import FeaturePlan, Inferred, Modality, ProblemType, RowSource, SplitPlan, Task
from mlzero.perception.wording import fold

_SPOKEN = re.compile(
    r"normali[sz]|rewrit|\bcorrect(ed|ion)?\b|spell|convert|translat|transliterat|into words|spoken|written form|umschreib"
    r"|ausgeschrieben|korrigier|reescrib|corrig|convertir|改写|规范|纠正|正規化|生成|transform"
)
_AFTER = re.compile(
    r"after|target|output|normali[sz]ed|corrected|clean|spoken|written|result|rewritten|translation|gold", re.I
)
_LABELS = 40  # different answers from which they are texts, not classes
_ROWS = 300  # rows whose texts are compared
_ALIKE = 0.35  # mean likeness of text and answer


class Rewriting:
    """See `Specialist`."""

    def tables(self, data_dir: Path, profile: Profile) -> list[TableProfile]:
        return []

    def task(self, data_dir: Path, profile: Profile, brief: Brief, given: Overrides) -> Task | None:
        spoken = _SPOKEN.search(fold(brief.said))
        if given.problem_type not in (None, "sequence_to_sequence") or not spoken or not profile.tables:
            return None
        try:
            roles = role_finder.find(profile, brief, given.targets[0] if given.targets else None)
        except UserError:
            return None
        pair = _pair(data_dir, roles, given)
        if pair is None:
            return None
        source, target = pair
        main, names = roles.train[0], [target.name]
        chosen = override.metric_of(given, "sequence_to_sequence") or _metric(brief)
        identifier = answers.id_of(roles, names, brief)
        if given.id_set:
            identifier = Inferred[str | None](value=given.id, evidence=BY_USER)
        output = answers.output_of(profile, roles, names, identifier.value, "sequence_to_sequence", chosen, [], brief)
        output.value.value = "label"
        others = [c.name for c in main.columns if c.name not in (source.name, target.name)]
        return Task(
            goal=brief.goal,
            modality=Inferred[Modality](value="text", confidence=0.9, evidence="Texts become texts."),
            problem_type=Inferred[ProblemType](
                value="sequence_to_sequence", confidence=0.85, alternatives=["multiclass"],
                evidence=f'"{target.name}" is "{source.name}" rewritten, and the goal speaks of "{spoken.group()}".',
            ),
            target=Inferred[str | list[str] | None](
                value=target.name, confidence=0.9, evidence=f'"{target.name}" holds the texts as they shall be.'
            ),
            metric=chosen,
            id=identifier,
            files=files_of(profile, roles),
            split=_split(main, given),
            output=output,
            train=[RowSource(table=t.key, rows="labelled") for t in roles.train if t.column(target.name)],
            test=[RowSource(table=t.key) for t in roles.test],
            features=[FeaturePlan(name=source.name, treat_as="text")]
            + [FeaturePlan(name=n, treat_as="category", drop="Only the text is rewritten.") for n in others],
            overridden=given.fields,
        )  # fmt: skip


def _pair(data_dir: Path, roles: Roles, given: Overrides) -> tuple[ColumnProfile, ColumnProfile] | None:
    """The column of texts and that of their rewritten form, which the rows to predict lack."""
    main = roles.train[0]
    asked = {c.name for c in roles.test[0].columns if c.kind != "empty"} if roles.test else None
    words = [c for c in main.columns if c.kind in ("text", "category", "identifier") and c.unique >= _LABELS]
    best: tuple[float, ColumnProfile, ColumnProfile] | None = None
    for target in words:
        if (asked is not None and target.name in asked) or (given.targets and target.name != given.targets[0]):
            continue
        if asked is None and not _AFTER.search(target.name):
            continue
        for source in words:
            if source is target or (asked is not None and source.name not in asked):
                continue
            like = _likeness(data_dir, main, source.name, target.name)
            if like >= _ALIKE and (best is None or like > best[0]):
                best = like, source, target
    return (best[1], best[2]) if best else None


def _likeness(data_dir: Path, table: TableProfile, source: str, target: str) -> float:
    """How alike the texts of two columns are on average, 0 to 1."""
    from mlzero.perception.tables import load_table

    rows = load_table(data_dir, table, nrows=_ROWS)[[source, target]].dropna().astype(str)
    pairs = zip(rows[source].str.lower().str[:200], rows[target].str.lower().str[:200], strict=True)
    values = [SequenceMatcher(None, a, b, autojunk=False).ratio() for a, b in pairs]
    return sum(values) / len(values) if values else 0.0


def _metric(brief: Brief) -> Inferred[str]:
    """chrF when it is asked for, else whether texts are exactly right."""
    said = re.search(r"\bchrf(?![a-z])", fold(brief.said))
    if said:
        return Inferred[str](
            value="chrf",
            confidence=0.95,
            evidence=f'The goal asks for it: "{said.group()}".',
            alternatives=["exact_match"],
        )
    return Inferred[str](
        value="exact_match", confidence=0.8, evidence="A text is right when it is exactly as it shall be.",
        alternatives=["chrf"],
    )  # fmt: skip


def _split(main: TableProfile, given: Overrides) -> Inferred[SplitPlan]:
    if chosen := override.split_of(given):
        return chosen
    sentence = next(
        (c.name for c in main.columns if re.search(r"sent|line|doc", c.name, re.I) and 10 <= c.unique < main.rows / 2),
        None,
    )
    if sentence:
        return Inferred[SplitPlan](
            value=SplitPlan(kind="group", column=sentence),
            confidence=0.85,
            evidence=f'Rows of one "{sentence}" stay on one side.',
        )
    return Inferred[SplitPlan](value=SplitPlan(kind="random"), confidence=0.85, evidence="Rows by chance.")
