"""Recordings: the class in folders, names or a table; who is heard; damaged ones; what is asked."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import soundfile

from mlzero.perception.scan import profile
from mlzero.perception.task import Task
from mlzero.perception.understand import infer_task


def record(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    soundfile.write(path, np.zeros(800), 8000)


def understood(root: Path, goal: str) -> Task:
    return infer_task(profile(root), root, goal)


def test_class_in_names_and_speakers_kept_apart(tmp_path: Path) -> None:
    for digit in range(10):
        for speaker in ("ann", "bob", "cy", "dee"):
            record(tmp_path / "train" / f"{digit}_{speaker}_{digit * 7 % 3}.wav")
    for n in range(5):
        record(tmp_path / "to recognise" / f"rec{n:03}.wav")
    (tmp_path / "README.txt").write_text("Names are digit_speaker_take.wav. Ask Ann.\n")
    task = understood(tmp_path, "Which digit (0-9) is spoken in 'to recognise'? csv with file and digit")
    assert (task.target.value, task.problem_type.value, task.modality.value) == ("digit", "multiclass", "audio")
    assert (task.split.value.kind, task.split.value.column) == ("group", "speaker")
    assert task.id.value == "file" and task.output.value.columns == ["file", "digit"]
    assert [f.name for f in task.used_features] == ["recording"]
    assert not task.questions


@pytest.mark.parametrize(
    ("goal", "target"),
    [("Which digit from 0 to 9 is spoken?", "part_2"), ("Recognise whether it is ann, bob, cy or dee", "label")],
)
def test_goal_chooses_the_part_of_names(tmp_path: Path, goal: str, target: str) -> None:
    for digit in range(10):
        for speaker in ("ann", "bob", "cy", "dee"):
            record(tmp_path / f"{speaker}_{digit}_{digit * 7 % 3}.wav")
    assert understood(tmp_path, goal).target.value == target


def test_class_in_folders(tmp_path: Path) -> None:
    for kind in ("rain", "wind"):
        for n in range(8):
            record(tmp_path / kind / f"{n}.ogg")
    task = understood(tmp_path, "Tell rain from wind")
    assert task.problem_type.value == "binary" and set(task.labels) == {"rain", "wind"}
    assert task.modality.value == "audio" and task.split.value.kind == "stratified"


def test_class_in_a_table_and_damaged_files(tmp_path: Path) -> None:
    lines = ["clip,genre"]
    for n in range(20):
        record(tmp_path / "clips" / f"c{n}.flac")
        lines.append(f"c{n}.flac,{'rock' if n % 2 else 'jazz'}")
    (tmp_path / "clips" / "c3.flac").write_bytes(b"fLaC broken")
    (tmp_path / "clips" / "c4.flac").write_bytes(b"")
    (tmp_path / "labels.csv").write_text("\n".join(lines))
    found = profile(tmp_path)
    assert {f.path: f.problem for f in found.problems} == {
        "clips/c3.flac": "The recording is damaged or of an unknown kind.",
        "clips/c4.flac": "The recording is empty.",
    }
    task = infer_task(found, tmp_path, "Find the genre of a clip")
    assert task.target.value == "genre" and task.modality.value == "audio"
    assert next(iter(found.tables)).column("clip recording").media.absent == 2
