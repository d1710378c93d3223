"""Whatever is uploaded, the answer is a profile that lists the bad file, or one sentence; never a crash, never a hang.

`HOSTILE_EXAMPLES=5000 pytest tests/perception/test_hostile.py` looks further, at other examples each time.
"""

from __future__ import annotations

import io
import os
import tempfile
import time
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mlzero.errors import UserError
from mlzero.perception.scan import profile
from mlzero.perception.understand import infer_task
from mlzero.perception.unpack import lay_out
from tests.perception.real_files import real_files

SECONDS = 30.0  # for one small upload on a busy machine
NAMES = sorted(real_files())
tried = settings(
    max_examples=int(os.environ.get("HOSTILE_EXAMPLES", "60")),
    deadline=None,
    derandomize="HOSTILE_EXAMPLES" not in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
    database=None,
)


def understand(files: dict[str, bytes]) -> None:
    """Lay an upload out, profile it and infer the task, as a run does."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        source, root = Path(name) / "source", Path(name) / "data"
        for path, content in files.items():
            (source / path).parent.mkdir(parents=True, exist_ok=True)
            (source / path).write_bytes(content)
        try:
            lay_out(source, root)
            found = profile(root)
            assert {file.path for file in found.files} == {
                path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()
            }
            for problem in found.problems:
                assert problem.problem.endswith("."), "a sentence"
                assert "\n" not in problem.problem and "Traceback" not in problem.problem
            infer_task(found, root, "Predict whether it is sold")
        except UserError as error:
            assert error.message and error.fix
    assert time.monotonic() - began < SECONDS


@tried
@given(st.sampled_from(NAMES), st.binary(max_size=3000))
def test_random_bytes(name: str, content: bytes) -> None:
    understand({name: content})


@tried
@given(st.sampled_from(NAMES), st.binary(max_size=500))
def test_random_bytes_after_a_right_beginning(name: str, content: bytes) -> None:
    understand({name: real_files()[name][:64] + content})


@tried
@given(st.sampled_from(NAMES), st.floats(0, 1))
def test_cut_off(name: str, share: float) -> None:
    whole = real_files()[name]
    understand({name: whole[: int(share * len(whole))], "good.csv": real_files()["a.csv"]})


@tried
@given(st.sampled_from(NAMES), st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), min_size=1, max_size=12))
def test_changed_bytes(name: str, changes: list[tuple[float, int]]) -> None:
    content = bytearray(real_files()[name])
    for place, value in changes:
        content[min(int(place * len(content)), len(content) - 1)] = value
    understand({name: bytes(content)})


@tried
@given(st.sampled_from(NAMES), st.sampled_from(NAMES))
def test_wrong_endings(name: str, other: str) -> None:
    understand({name: real_files()[other]})


@tried
@given(st.text(max_size=400), st.sampled_from(["csv", "txt", "tsv", "json", "jsonl", "arff", "xml", "html", "md", ""]))
def test_random_text(text: str, ending: str) -> None:
    understand({f"a.{ending}" if ending else "a": text.encode("utf-8", "replace")})


@tried
@given(
    st.lists(
        st.lists(
            st.sampled_from(["", "1", "-", "?", "a", "1,5", '"', "2020-01-01", "yes", "\0", "é", " "]), max_size=6
        ),
        max_size=12,
    ),
    st.sampled_from([",", ";", "\t", "|", " "]),
)
def test_odd_tables(rows: list[list[str]], separator: str) -> None:
    understand({"a.csv": "\n".join(separator.join(row) for row in rows).encode()})


@tried
@given(st.lists(st.text(max_size=30), min_size=1, max_size=5), st.booleans())
def test_odd_names_in_archives(names: list[str], nested: bool) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in names:
            try:
                archive.writestr(name or "x", b"a,b\n1,2\n3,4\n")
            except (ValueError, UnicodeEncodeError, IndexError):
                return
    content = packed.getvalue()
    understand({"deep/a.zip" if nested else "a.zip": content})


@pytest.mark.parametrize("name", NAMES)
def test_whole_files_have_no_problem(name: str, tmp_path: Path) -> None:
    (tmp_path / "up").mkdir()
    (tmp_path / "up" / name).write_bytes(real_files()[name])
    lay_out(tmp_path / "up", tmp_path / "data")
    assert not profile(tmp_path / "data").problems


@pytest.mark.parametrize(
    "entry", ["../../evil.csv", "/evil.csv", "a/../../evil.csv", "C:\\evil.csv", "\\\\server\\evil.csv", "..\\evil.csv"]
)
def test_paths_that_lead_out(entry: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(entry, b"a,b\n1,2\n")
    (tmp_path / "deep").mkdir()
    try:
        lay_out(tmp_path / "a.zip", tmp_path / "deep" / "run")
    except UserError as error:
        assert "leads out" in error.message
    assert not [path for path in tmp_path.rglob("evil.csv") if not path.is_relative_to(tmp_path / "deep" / "run")]


def test_an_archive_of_itself_in_itself_ends(tmp_path: Path) -> None:
    content = b"a,b\n1,2\n"
    for _ in range(12):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("a.zip", content)
            archive.writestr("b.csv", b"a,b\n1,2\n3,4\n")
        content = packed.getvalue()
    understand({"a.zip": content})
