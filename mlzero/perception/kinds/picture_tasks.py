"""What tasks on pictures share: rows of pairs as tables, and the task around them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mlzero.errors import UserError
from mlzero.perception import override
from mlzero.perception.goal import Brief
from mlzero.perception.kinds import pairs, pictures
from mlzero.perception.kinds.pairs import TO_COME, Found, Pairs
from mlzero.perception.override import Overrides
from mlzero.perception.paths import name_of
from mlzero.perception.profile import ColumnProfile, MaskFormat, Profile, ReadPlan, TableProfile
from mlzero.perception.task import (
    FeaturePlan,
    FileRole,
    Inferred,
    Modality,
    OutputPlan,
    ProblemType,
    Role,
    RowSource,
    SplitPlan,
    Task,
)

MAKER = "pictures_with_labels"
_NAME = "The name of a file tells nothing about what is in it."
_FEWEST = 3  # labelled pictures to learn from and to be judged by


def whole_pairs(data_dir: Path, profile: Profile) -> Found | None:
    """Pairs of pictures that can both be read; the others have their problem noted."""
    found = pairs.find(profile)
    if found is None:
        return None
    known = [file for file in profile.files if file.kind == "image"]
    if not any(file.problem for file in known):
        pictures.check(data_dir, known)
    return pairs.find(profile) if any(file.problem for file in known) else found


def sample_of(files: list[str], most: int) -> list[str]:
    """Files spread over the list."""
    step = max(1, len(files) // most)
    return files[::step][:most]


def pair_table(pair: Pairs, target: str, mask: MaskFormat | None) -> TableProfile:
    """The table of pictures that have an answer."""
    options: dict[str, Any] = {"pictures": pair.pictures, "labels": pair.answers}
    if pair.picture_name != "{}":
        options["picture_name"] = pair.picture_name
    if pair.answer_name != "{}":
        options["label_name"] = pair.answer_name
    if target != "mask":
        options["target"] = target
    beside = pair.answer_name if pair.answers == pair.pictures else pair.answers
    key = f"{pair.pictures or 'pictures'} with {beside}"
    answer = ColumnProfile(
        name=target, source_name=target, kind="mask" if mask else "image", unique=len(pair.keys),
        examples=pair.answer_files[:5], mask=mask,
    )  # fmt: skip
    return _table(key, options, pair.picture_files, [answer])


def open_tables(found: Found) -> list[TableProfile]:
    """Tables of pictures without an answer."""
    made = []
    beside = {pair.pictures: pair for pair in found.pairs}
    for folder, files in found.open.items():
        pair = beside.get(folder)
        options: dict[str, Any] = {"pictures": folder}
        if pair is not None:
            options |= {"labels": pair.answers, "picture_name": pair.picture_name, "label_name": pair.answer_name}
            options |= {"unlabelled": True}
        key = f"pictures of {folder or 'the folder'}" + (" without an answer" if pair is not None else "")
        made.append(_table(key, options, files, []))
    return made


def _table(key: str, options: dict[str, Any], files: list[str], more: list[ColumnProfile]) -> TableProfile:
    names = [name_of(file) for file in files]
    columns = [
        ColumnProfile(name="picture", source_name="picture", kind="identifier", unique=len(files), examples=names[:5]),
        ColumnProfile(name="image", source_name="image", kind="image", unique=len(files), examples=files[:5]),
        *more,
    ]
    plan = ReadPlan(format="made", maker=MAKER, options=options)
    return TableProfile(key=key, path=".", read=plan, rows=len(files), columns=columns)


def tables_with(profile: Profile, target: str) -> tuple[list[TableProfile], list[TableProfile]] | None:
    """Tables to learn from and to predict, of those with pictures; None when none has the target."""
    made = [table for table in profile.tables if table.read.maker == MAKER]
    answered = [table for table in made if table.column(target)]
    if not answered:
        return None
    unanswered = [table for table in made if not table.column(target)]
    test = [table for table in unanswered if not table.read.options.get("unlabelled")]
    named = [table for table in test if is_to_come(table)]
    test = named or test or unanswered
    train = [table for table in answered if not is_to_come(table)] or answered
    if not test:
        test = [table for table in answered if table not in train]
    return train, test


def is_to_come(table: TableProfile) -> bool:
    """Whether a folder is named as those of pictures to predict."""
    parts = str(table.read.options.get("pictures", "")).lower().replace("-", "_").split("/")
    return any(word in TO_COME for part in parts for word in part.split("_"))


def picture_task(
    profile: Profile, brief: Brief, given: Overrides, *, train: list[TableProfile], test: list[TableProfile], target: str,
    problem_type: ProblemType, evidence: str, metric: Inferred[str], output: Inferred[OutputPlan], identifier: str = "picture",
) -> Task:  # fmt: skip
    """The task on rows of pictures; raises UserError when there are too few or a correction does not fit."""
    rows = sum(table.rows for table in train)
    if rows < _FEWEST:
        raise UserError(
            f"Only {rows} pictures come with an answer.",
            "Add more pictures with answers; some dozens are a start.",
        )
    metric = override.metric_of(given, problem_type) or metric
    fraction = 0.2 if rows < 400 else 0.15
    asked = f" The pictures to predict are in {_places(test)}." if test else ""
    task = Task(
        goal=brief.goal,
        modality=Inferred[Modality](value="image", confidence=0.97, evidence="The rows are pictures."),
        problem_type=Inferred[ProblemType](value=problem_type, confidence=0.95, evidence=evidence),
        target=Inferred[str | list[str] | None](value=target, confidence=0.95, evidence=evidence),
        metric=metric,
        id=Inferred[str | None](value=identifier, confidence=0.95, evidence="Pictures are told apart by their names."),
        files=Inferred[list[FileRole]](
            value=_roles(profile, train, test), confidence=0.9, evidence=f"Learnt from {_places(train)}.{asked}"
        ),
        split=override.split_of(given)
        or Inferred[SplitPlan](
            value=SplitPlan(kind="random", fraction=fraction), confidence=0.8,
            evidence="Some pictures with answers are kept aside, chosen by chance.",
        ),
        output=output,
        train=[RowSource(table=table.key) for table in train],
        test=[RowSource(table=table.key) for table in test],
        features=[
            FeaturePlan(name="image", treat_as="image"),
            FeaturePlan(name="picture", treat_as="identifier", drop=_NAME),
            *([FeaturePlan(name=identifier, treat_as="identifier", drop=_NAME)] if identifier != "picture" else []),
        ],
        overridden=given.fields,
    )  # fmt: skip
    left = [table for table in profile.tables if table.read.options.get("unlabelled") and table not in test]
    for table in left:
        task.notes.append(
            f"{table.rows:,} pictures of {table.read.options['pictures']} have no answer and are not used."
        )
    return task


def _places(tables: list[TableProfile]) -> str:
    names = [str(table.read.options.get("pictures") or "the folder") for table in tables]
    return " and ".join(dict.fromkeys(names))


def _roles(profile: Profile, train: list[TableProfile], test: list[TableProfile]) -> list[FileRole]:
    roles: list[FileRole] = []
    for table in profile.tables:
        role: Role = "train" if table in train else "test" if table in test else "ignored"
        roles.append(FileRole(path=table.key, role=role))
    return [*roles, *(FileRole(path=document.path, role="description") for document in profile.documents)]
