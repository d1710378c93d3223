from __future__ import annotations

from pathlib import Path

import pytest

from mlzero.perception.profile import ColumnKind, Profile, ReadPlan, TableProfile
from mlzero.perception.scan import profile as profiled
from mlzero.perception.task import FeaturePlan, OutputPlan, RowSource, SeriesPlan
from mlzero.perception.understand import infer_task
from mlzero.ui.files_view import used
from mlzero.ui.understanding import column_changes
from mlzero.ui.understood import output_text, summary
from tests.tasks import plain_task


def row(name: str, use: bool = True, kind: str = "number") -> dict[str, object]:
    return {"Use": use, "Column": name, "As": kind}


@pytest.mark.parametrize(
    ("overrides", "before", "after", "expected"),
    [
        ({}, [row("a"), row("b")], [row("a"), row("b")], {}),
        ({}, [row("a"), row("b")], [row("a", use=False), row("b")], {"drop": "a", "keep": ""}),
        (
            {"drop": "b"},
            [row("a"), row("b", use=False)],
            [row("a", use=False), row("b", use=False)],
            {"drop": "b,a", "keep": ""},
        ),
        ({"drop": "a,b"}, [row("a", use=False)], [row("a")], {"drop": "b", "keep": "a"}),
        ({}, [row("a")], [row("a", kind="category")], {"type:a": "category"}),
    ],
)
def test_an_edited_column_table_becomes_corrections(
    overrides: dict[str, str], before: list[dict[str, object]], after: list[dict[str, object]], expected: dict[str, str]
) -> None:
    assert column_changes(overrides, before, after) == expected


def test_what_will_be_written() -> None:
    hours = [f"H{number}" for number in range(1, 49)]
    output = OutputPlan(columns=["series", *hours])
    series = SeriesPlan(time="step", item=["series"], horizon=48, frequency="h", start="2024-01-01", seasons=[24])
    assert "No rows to predict" in output_text(plain_task(output=output))
    masks = OutputPlan(file_name="predictions", format="masks", columns=["picture", "mask"])
    said = output_text(plain_task(output=masks, test=[RowSource(table="new")]))
    assert said == "Predictions are written to the folder predictions."
    for asked in ({"test": [RowSource(table="new.csv")]}, {"series": series}):
        said = output_text(plain_task(output=output, **asked))
        assert said == "Predictions are written to predictions.csv with the columns series, H1, H2, …, H48."


def table(key: str, rows: int) -> TableProfile:
    return TableProfile(key=key, path=".", read=ReadPlan(format="made"), rows=rows, columns=[])


@pytest.mark.parametrize(
    ("kinds", "changes", "keys", "said"),
    [
        (["number", "text"], {}, ["old.csv", "new.csv"], "y from 2 columns of old.csv (9 rows), then give predictions for the rows of new.csv."),
        (["image"], {}, ["known/", "."], "y from known/ (9 pictures), then give predictions for the pictures of the upload."),
        (["image"], {"metric": "iou"}, ["images with masks", "pictures of test"], "y from images with masks (9 pictures), then give predictions for pictures of test."),
        (["tokens"], {"metric": "entity_f1"}, ["a.conll", "b.conll"], "y from a.conll (9 sentences), then give predictions for the sentences of b.conll."),
    ],
)  # fmt: skip
def test_what_will_be_done(kinds: list[ColumnKind], changes: dict[str, str], keys: list[str], said: str) -> None:
    known, new = keys
    profile = Profile(root=".", files=[], tables=[table(known, 9), table(new, 3)])
    features = [FeaturePlan(name=f"x{n}", treat_as=kind) for n, kind in enumerate(kinds)]
    task = plain_task(train=[RowSource(table=known)], test=[RowSource(table=new)], features=features, **changes)
    assert summary(task, profile) == f"Predict {said}"


def test_files_of_the_rows_are_one_thing(tmp_path: Path) -> None:
    for n in range(20):
        (tmp_path / f"curves/{n}").mkdir(parents=True)
        (tmp_path / f"curves/{n}/volt.csv").write_text("\n".join(str(n * step % 7) for step in range(20)))
    (tmp_path / "train.csv").write_text("run,room,power\n" + "".join(f"{n},{n % 3},{n * 1.5}\n" for n in range(20)))
    found = profiled(tmp_path)
    said = summary(infer_task(found, tmp_path, "Predict the power"), found)
    assert said == "Predict power from 1 column of train.csv (20 rows, each with a file of numbers: volt.csv)."


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("known/", "to learn from"), ("known/cats/", "to learn from"), ("new/1.pdf", "rows to predict"),
        ("list.csv", "extra facts to look up"), ("other.csv", ""),
    ],
)  # fmt: skip
def test_what_a_file_is_used_for(path: str, said: str) -> None:
    roles = {"known/": "train", "new/": "test", "new/1.pdf": "ignored", "list.csv": "lookup"}
    assert used(path, roles) == said


def test_files_that_are_rows_are_counted_as_files(tmp_path: Path) -> None:
    for n in range(24):
        path = tmp_path / f"{['still', 'moved'][n % 2]}/{n}.csv"
        path.parent.mkdir(exist_ok=True)
        path.write_text("volt\n" + "\n".join(str(n * step % 7) for step in range(20)))
    found = profiled(tmp_path)
    said = summary(infer_task(found, tmp_path, "Was it moved?"), found)
    assert said == "Predict label from the upload (24 files of numbers: moved, still)."
