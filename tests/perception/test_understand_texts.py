"""Collections of texts: what must be understood of files as people keep them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from mlzero.perception.scan import profile
from mlzero.perception.task import Task
from mlzero.perception.understand import infer_task

WORDS = {
    "en": "the weather is good today and we are all happy about it while nobody knows what comes next".split(),
    "de": "das Wetter ist heute gut und wir sind alle froh darüber obwohl niemand weiß was morgen kommt".split(),
    "fr": "il fait beau aujourd'hui et nous sommes tous contents alors que personne ne sait ce qui vient".split(),
}


def sentences(language: str, count: int, seed: int = 0) -> list[str]:
    dice = np.random.default_rng(seed)
    return [" ".join(dice.choice(WORDS[language], 9)) + f" {seed}{i}" for i in range(count)]


def understand(folder: Path, goal: str, files: dict[str, str]) -> Task:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return infer_task(profile(folder), folder, goal)


def lines(rows: list[dict[str, str]]) -> str:
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)


def labelled(language: str, count: int = 60) -> list[dict[str, str]]:
    return [
        {"text": text, "mood": ["good", "bad", "so so"][i % 3]} for i, text in enumerate(sentences(language, count))
    ]


def test_one_file_a_language_is_stacked_and_its_name_is_a_column(tmp_path):
    files = {f"known/{language}_posts.jsonl": lines(labelled(language)) for language in WORDS}
    asked = [
        {"key": f"k{i}", "language": language, "text": text}
        for language in WORDS
        for i, text in enumerate(sentences(language, 20, seed=len(language) + ord(language[0])))
    ]
    for number, row in enumerate(asked):
        row["key"] = f"k{number}"
    task = understand(tmp_path, "Which mood? Label the posts in to_classify.jsonl", files | {"to_classify.jsonl": lines(asked)})  # fmt: skip
    assert [source.table for source in task.test] == ["to_classify.jsonl"]
    assert {source.table: source.told for source in task.train} == {
        f"known/{language}_posts.jsonl": {"language": language} for language in WORDS
    }
    assert task.target.value == "mood" and task.problem_type.value == "multiclass" and task.metric.value == "f1_macro"
    assert task.id.value == "key" and task.output.value.columns == ["key", "mood"]
    assert task.modality.value == "text"
    assert "language" in [feature.name for feature in task.used_features]


def test_headerless_pairs_take_the_names_of_the_table_beside(tmp_path):
    first, second = sentences("en", 80), sentences("en", 80, seed=1)
    known = "".join(f'"{a}","{b}",{i % 50 / 10}\n' for i, (a, b) in enumerate(zip(first, second, strict=True)))
    asked = "nr,text_a,text_b\n" + "".join(f"{i},{a},{b}\n" for i, (a, b) in enumerate(zip(second, first, strict=True)))
    task = understand(tmp_path, "How similar are the two sentences in open.csv?", {"rated.csv": known, "open.csv": asked})  # fmt: skip
    assert task.problem_type.value == "text_similarity" and task.metric.value == "spearman"
    assert task.target.value == "score" and [f.name for f in task.used_features] == ["text_a", "text_b"]
    assert [source.table for source in task.test] == ["open.csv"] and task.id.value == "nr"
    assert task.output.value.value == "number"


def test_headerless_messages_are_called_by_what_they_hold(tmp_path):
    rows = "".join(f"{'junk' if i % 7 == 0 else 'fine'}\t{text}\n" for i, text in enumerate(sentences("en", 140)))
    task = understand(tmp_path, "filter junk messages, yes or no", {"Messages": rows})
    assert task.target.value == "label" and [f.name for f in task.used_features] == ["text"]
    assert task.problem_type.value == "binary" and task.positive_label.value == "junk" and task.metric.value == "f1"
    assert task.modality.value == "text"


def test_a_finer_label_that_only_training_rows_have_is_left_out(tmp_path):
    rows = "".join(
        f"{text}\t{'HARM' if i % 3 == 0 else 'NONE'}\t{['INSULT', 'NONE', 'NONE', 'THREAT'][(i % 3 and 1) or i % 2 * 3]}\n"
        for i, text in enumerate(sentences("de", 120))
    )
    asked = "".join(f"{i}\t{text}\n" for i, text in enumerate(sentences("de", 40, seed=2)))
    told = "Training: Beitrag <TAB> grob (HARM/NONE) <TAB> fein\nTest: Nummer <TAB> Beitrag\n"
    task = understand(tmp_path, "Welche Beiträge sind HARM und welche NONE?", {"lern.txt": rows, "test.txt": asked, "LIESMICH.txt": told})  # fmt: skip
    assert task.target.value == "grob" and [f.name for f in task.used_features] == ["Beitrag"]
    assert [source.table for source in task.test] == ["test.txt"]


@pytest.mark.parametrize(
    ("columns", "expected"),
    [(2, "text"), (12, "tabular|multimodal")],
)
def test_modality_weighs_texts_against_other_columns(tmp_path, columns, expected):
    dice = np.random.default_rng(0)
    head = ",".join(["remark", *(f"m{i}" for i in range(columns)), "answer"])
    rows = [
        ",".join([text, *(f"{n:.2f}" for n in dice.random(columns)), ["yes", "no"][i % 2]])
        for i, text in enumerate(sentences("en", 80))
    ]
    task = understand(tmp_path, "predict the answer", {"t.csv": "\n".join([head, *rows])})
    assert task.modality.value in expected.split("|")


def test_text_files_in_folders_are_rows_and_folders_are_classes(tmp_path):
    files = {f"known/{language}/{i}.txt": text for language in WORDS for i, text in enumerate(sentences(language, 12))}
    files |= {f"new/n{i}.txt": text for i, text in enumerate(sentences("de", 8, seed=4))}
    task = understand(tmp_path, "Sort the texts in new", files | {"readme.txt": "Texts in three languages.\n"})
    assert task.target.value == "label" and set(task.labels) == set(WORDS)
    assert [s.table for s in task.train] == ["known"] and [s.table for s in task.test] == ["new"]
    assert task.id.value == "file" and task.output.value.columns == ["file", "label"]
    assert [f.name for f in task.used_features] == ["text"] and task.modality.value == "text"


def test_text_files_without_ending_in_class_folders(tmp_path):
    files = {
        f"{name}/{50000 + i}": f"From: a\n\n{text}" for name, language in (("sci.space", "en"), ("rec.autos", "fr"))
        for i, text in enumerate(sentences(language, 12))
    }  # fmt: skip
    task = understand(tmp_path, "which newsgroup?", files)
    assert task.target.value == "label" and sorted(task.labels) == ["rec.autos", "sci.space"]


def test_two_labels_that_the_goal_names_are_wanted_together(tmp_path):
    rows = [f'{i},"{text}",{i % 2},{i // 2 % 2}' for i, text in enumerate(sentences("en", 80))]
    files = {
        "train.csv": "id,comment,rude,funny\n" + "\n".join(rows),
        "test.csv": "id,comment\n" + "\n".join(f'{i},"{text}"' for i, text in enumerate(sentences("en", 20, seed=3))),
    }
    task = understand(tmp_path, "tag the comments: rude, funny", files)
    assert task.target.value == ["rude", "funny"] and task.problem_type.value == "multilabel"
