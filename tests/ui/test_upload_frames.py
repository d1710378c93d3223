from __future__ import annotations

import contextlib
import json
import struct
from pathlib import Path

import pytest

from mlzero.errors import UserError
from mlzero.ui.upload_frames import Arrivals, FrameWriter, safe_path


def frame(path: str, body: bytes, offset: int = 0) -> bytes:
    header = json.dumps({"p": path, "n": len(body), "o": offset}).encode()
    return struct.pack(">I", len(header)) + header + body


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("data/train.csv", "data/train.csv"),
        ("data\\train.csv", "data/train.csv"),
        ("数据/訓練.csv", "数据/訓練.csv"),
        ("a<b>|c?.csv", "a_b__c_.csv"),
        ("e\u0301te\u0301.csv", "\u00e9t\u00e9.csv"),
        ("folder./file. ", "folder/file"),
        (".hidden", ".hidden"),
    ],
)
def test_names_become_harmless(name: str, expected: str) -> None:
    assert safe_path(name).as_posix() == expected


@pytest.mark.parametrize(
    "name",
    ["", "/etc/passwd", "../x", "a/../../x", "..\\x", "a//b", "a/", ". ", "x" * 201, "/".join("a" * 40), "\ud800.csv"],
)
def test_names_that_climb_or_cannot_be_used_are_refused(name: str) -> None:
    with pytest.raises(UserError):
        safe_path(name)


def test_absolute_windows_names_stay_inside() -> None:
    assert not safe_path("C:\\Users\\x.csv").is_absolute()


@pytest.mark.parametrize("step", [1, 3, 7, 10_000])
def test_frames_arrive_in_pieces_of_any_size(tmp_path: Path, step: int) -> None:
    stream = frame("a/one.csv", b"x,y\n1,2\n") + frame("empty.txt", b"") + frame("two.bin", bytes(range(256)))
    arrivals = Arrivals(10, 10_000)
    with contextlib.closing(FrameWriter(tmp_path, arrivals)) as writer:
        for begin in range(0, len(stream), step):
            writer.write(stream[begin : begin + step])
        writer.finish()
    assert (tmp_path / "a/one.csv").read_bytes() == b"x,y\n1,2\n"
    assert (tmp_path / "empty.txt").read_bytes() == b""
    assert (tmp_path / "two.bin").read_bytes() == bytes(range(256))
    assert (arrivals.files, arrivals.bytes) == (3, 8 + 256)


def test_parts_of_a_file_may_come_in_any_order_and_twice(tmp_path: Path) -> None:
    arrivals = Arrivals(10, 10_000)
    for part in (frame("big", b"cd", 2), frame("big", b"ab", 0), frame("big", b"cd", 2)):
        writer = FrameWriter(tmp_path, arrivals)
        writer.write(part)
        writer.finish()
    assert (tmp_path / "big").read_bytes() == b"abcd"
    assert (arrivals.files, arrivals.bytes) == (1, 4)


@pytest.mark.parametrize(
    ("stream", "reason"),
    [
        (frame("a", b"x" * 101), "larger than allowed"),
        (frame("a", b"x", 101), "larger than allowed"),
        (frame("a", b"") + frame("b", b"") + frame("c", b""), "more files than allowed"),
        (frame("a?", b"1") + frame("a*", b"2"), "both be called"),
        (frame("a", b"1") + frame("a/b", b"2"), "a file and a folder"),
        (frame("../a", b"1"), "cannot be used"),
        (struct.pack(">I", 9000), "expected form"),
        (struct.pack(">I", 2) + b"[]", "expected form"),
        (struct.pack(">I", 4) + b"nope", "expected form"),
        (struct.pack(">I", 19) + b'{"p":"a","n":1e400}', "expected form"),
    ],
)
def test_what_may_not_be_stored_is_refused_with_a_sentence(tmp_path: Path, stream: bytes, reason: str) -> None:
    writer = FrameWriter(tmp_path, Arrivals(max_files=2, max_bytes=100))
    with contextlib.closing(writer), pytest.raises(UserError, match=reason):
        writer.write(stream)


@pytest.mark.parametrize("cut", [2, 10, -1])
def test_a_stream_that_breaks_off_is_noticed(tmp_path: Path, cut: int) -> None:
    with contextlib.closing(FrameWriter(tmp_path, Arrivals(5, 1000))) as writer:
        writer.write(frame("a", b"12345")[:cut])
        with pytest.raises(UserError, match="broke off"):
            writer.finish()


def test_links_are_not_written_through(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("safe")
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "a").symlink_to(outside)
    with contextlib.closing(FrameWriter(inside, Arrivals(5, 1000))) as writer, pytest.raises(OSError):
        writer.write(frame("a", b"evil"))
    assert outside.read_text() == "safe"
