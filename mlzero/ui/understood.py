"""What was understood, in sentences: the head of the card, and what will be written."""

from __future__ import annotations

from mlzero.iterative_coding.outcome import noun
from mlzero.perception.kinds.number_files import columns_from_files
from mlzero.perception.profile import FILES, Profile
from mlzero.perception.task import Task
from mlzero.predictor.standalone.answers import PICTURES
from mlzero.ui import texts


def summary(task: Task, profile: Profile) -> str:
    """What will be done, in one sentence."""
    tables = [table for source in task.train if (table := profile.table(source.table))]
    rows, unit = sum(table.rows for table in tables), _unit(task)
    from_what = ", ".join(sorted({texts.table(table.key) for table in tables})) or "your data"
    beside = from_files(profile, task)
    columns = texts.several(sum(feature.name not in beside for feature in task.used_features), "column")
    if task.rows_are_files:
        unit = "files of numbers"
    elif unit == "rows":
        from_what = f"{columns} of {from_what}"
    sentence = f"Predict {_shortened(task.targets)} from {from_what}"
    each = f", each with a file of numbers: {task.row_files.value}" if task.row_files.value else ""
    each = f": {task.row_files.value}" if task.rows_are_files else each
    sentence += f" ({rows:,} {unit}{each})" if rows else ""
    if task.test:
        asked = ", ".join(sorted({texts.table(source.table) for source in task.test}))
        if not asked.startswith(f"{unit} of "):  # as some made tables are called
            asked = f"the {unit} of {asked}"
        sentence += f", then give predictions for {asked}"
    return sentence + "."


def output_text(task: Task) -> str:
    """What will be written, in plain words; of a series the steps to come are written although no rows ask for them."""
    plan = task.output.value
    if not (task.test or task.series):
        return "No rows to predict came with the data; you can give new rows later, on the Predict page."
    if plan.format in PICTURES and plan.pixels is None:
        return f"Predictions are written to the folder {plan.file_name}. {task.output.evidence}".strip()
    columns = f" with the columns {_shortened(plan.columns)}" if plan.columns else ""
    return f"Predictions are written to {plan.file_name}{columns}. {task.output.evidence}".strip()


def from_files(profile: Profile, task: Task) -> set[str]:
    """The columns that hold the numbers of files that belong to the rows."""
    tables = [table for source in task.train if (table := profile.table(source.table))]
    return {name for table in tables for name in columns_from_files(table)}


def _unit(task: Task) -> str:
    """What a row is: a picture, a sentence, a query, or just a row."""
    kinds = [feature.treat_as for feature in task.used_features]
    if len(kinds) == 1 and kinds[0] in FILES and kinds[0] in texts.MEDIA:
        return texts.MEDIA[kinds[0]]
    return noun(task.metric.value)


def _shortened(names: list[str]) -> str:
    """Up to eight names; of more the first three and the last."""
    return ", ".join(names if len(names) <= 8 else [*names[:3], "…", names[-1]])
