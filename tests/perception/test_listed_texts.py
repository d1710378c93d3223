"""Text files and web pages that a table names become text inputs, now and later."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mlzero.iterative_coding.contract import Machine
from mlzero.perception.profile import Profile
from mlzero.perception.scan import profile
from mlzero.perception.tables import load_table
from mlzero.perception.task import Task
from mlzero.perception.understand import infer_task
from mlzero.semantic_memory.recall import recall
from tests.rendered import module_of

WORDS = {
    "good": "what a lovely, friendly place to stay in, we came back",
    "bad": "a cold, rude and dirty house we will never see again",
}


def write(folder: Path, where: str, ending: str, count: int = 24, name: str = "r{n}") -> pd.DataFrame:
    """Text files, and the table that names them."""
    rows = []
    for n in range(count):
        mood = list(WORDS)[n % 2]
        path = folder / where / f"{name.format(n=n)}{ending}"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = f"{WORDS[mood]}, number {n}"
        path.write_text(f"<html><b>{text}</b></html>" if ending == ".html" else text)
        rows.append((path.name, n * 7 % 5, mood))
    return pd.DataFrame(rows, columns=["review", "nights", "mood"])


def understood(folder: Path, goal: str) -> tuple[Profile, Task]:
    found = profile(folder)
    return found, infer_task(found, folder, goal)


@pytest.mark.parametrize("count", [24, 60])  # few texts are looked at one by one, many are a collection
@pytest.mark.parametrize("ending", [".txt", ".html", ".md"])
@pytest.mark.parametrize("cells", ["{}", "C:\\old\\{}", "{stem}"])
def test_files_that_a_table_names_are_texts(tmp_path: Path, ending: str, cells: str, count: int) -> None:
    listing = write(tmp_path, "reviews", ending, count)
    listing["review"] = [cells.format(name, stem=Path(name).stem) for name in listing["review"]]
    listing.to_csv(tmp_path / "moods.csv", index=False, sep=";")
    (tmp_path / "README.md").write_text("# Hotels\n\nPredict the mood of each review.\n")
    found, task = understood(tmp_path, "Predict the mood")
    assert [table.key for table in found.tables] == ["moods.csv"]
    assert (task.target.value, task.modality.value, task.id.value) == ("mood", "text", "review")
    assert {f.name: f.treat_as for f in task.used_features}["text"] == "text"
    rows = load_table(tmp_path, found.tables[0])
    assert rows["text"].iloc[3] == f"{WORDS['bad']}, number 3" and rows["nights"].iloc[3] == 1
    assert [document.path for document in found.documents] == ["README.md"], "what is a row describes nothing"


def test_missing_files_are_told(tmp_path: Path) -> None:
    write(tmp_path, "reviews", ".txt").to_csv(tmp_path / "moods.csv", index=False)
    (tmp_path / "reviews/r5.txt").unlink()
    found, _ = understood(tmp_path, "Predict the mood")
    column = found.tables[0].column("text")
    assert column is not None and column.missing == 1
    assert any("1 files" in note and "r5.txt" in note for note in found.tables[0].notes)


@pytest.mark.parametrize("listed", [True, False])
def test_texts_to_predict_in_a_table_of_their_own_or_a_folder(tmp_path: Path, listed: bool) -> None:
    write(tmp_path, "data/known", ".txt").to_csv(tmp_path / "data" / "train.csv", index=False)
    new = write(tmp_path, "data/new", ".txt", 8, "n{n}")
    if listed:
        new.drop(columns="mood").to_csv(tmp_path / "data" / "test.csv", index=False)
    _, task = understood(tmp_path, "Predict the mood of the new reviews")
    assert [source.table for source in task.train] == ["data/train.csv"]
    assert [source.table for source in task.test] == ["data/test.csv" if listed else "data/new"]
    assert "text" in [f.name for f in task.used_features]


def test_judged_documents_stay_documents(tmp_path: Path) -> None:
    write(tmp_path, "texts", ".txt")
    queries = pd.DataFrame(
        {"query_id": [f"q{n}" for n in range(12)], "query": [f"lovely house number {n}" for n in range(12)]}
    )
    queries.to_csv(tmp_path / "queries.csv", index=False)
    judged = [(f"q{n}", f"r{(n + k) % 24}", k) for n in range(12) for k in (1, 2)]
    pd.DataFrame(judged, columns=["query_id", "doc_id", "grade"]).to_csv(tmp_path / "judgments.csv", index=False)
    _, task = understood(tmp_path, "Rank the documents for each query")
    assert task.problem_type.value == "retrieval"


def test_the_solution_reads_them_now_and_later(tmp_path: Path) -> None:
    data, later = tmp_path / "data", tmp_path / "later"
    write(data, "reviews", ".txt").to_excel(data / "moods.xlsx", index=False)
    found, task = understood(data, "Predict the mood")
    new = write(later, ".", ".txt", 5, "n{n}").drop(columns="mood")
    new.to_csv(tmp_path / "later" / "list.csv", index=False)
    for recipe in recall(task, found).recipes[:2]:
        module = module_of(recipe.render(task, found, recipe.ladder(task, found, Machine(2, 8.0), 60)[0]), tmp_path)
        assert module.load_train(data)["text"].str.contains("number").all()
        for path, rows in ((later, 5), (later / "n1.txt", 1), (later / "list.csv", 5)):
            read = module.load_new(path, tmp_path)
            assert len(read) == rows and read["text"].notna().all() and "review" in read, path
        with_texts = module.load_train(data).drop(columns="mood").head(4)
        with_texts.to_csv(tmp_path / "texts.csv", index=False)
        assert module.load_new(tmp_path / "texts.csv", tmp_path)["text"].tolist() == with_texts["text"].tolist()
        assert np.isfinite(module.load_new(later / "list.csv", tmp_path)["nights"]).all()
