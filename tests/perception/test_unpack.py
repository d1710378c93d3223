"""Archives, litter and wrapping folders."""

from __future__ import annotations

import errno
import io
import os
import struct
import tarfile
import zipfile
import zlib
from pathlib import Path

import py7zr
import pytest
import zstandard

from mlzero.errors import UserError
from mlzero.perception.unpack import lay_out


def tree(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def zipped(path: Path, entries: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return path


def tarred(path: Path, entries: dict[str, bytes], mode: str = "w:gz") -> Path:
    with tarfile.open(path, mode) as archive:
        for name, content in entries.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return path


def seven(path: Path, entries: dict[str, bytes]) -> Path:
    with py7zr.SevenZipFile(path, "w") as archive:
        for name, content in entries.items():
            archive.writestr(content, name)
    return path


def compressed_tar(path: Path, entries: dict[str, bytes]) -> Path:
    path.write_bytes(zstandard.compress(tarred(path.with_suffix(".raw"), entries, "w").read_bytes()))
    return path


def stored_rar(path: Path, entries: dict[str, bytes]) -> Path:
    """RAR 4 without compression, as its format description has it."""

    def block(kind: int, flags: int, fields: bytes, content: bytes = b"") -> bytes:
        head = struct.pack("<BHH", kind, flags, 7 + len(fields)) + fields
        return struct.pack("<H", zlib.crc32(head) & 0xFFFF) + head + content

    parts = [b"Rar!\x1a\x07\x00", block(0x73, 0, bytes(6))]
    for name, content in entries.items():
        raw = name.encode()
        fields = struct.pack(
            "<IIBIIBBHI", len(content), len(content), 3, zlib.crc32(content), 0x5A8E6A21, 20, 0x30, len(raw), 0o100644
        )
        parts.append(block(0x74, 0x8000, fields + raw, content))
    path.write_bytes(b"".join([*parts, block(0x7B, 0x4000, b"")]))
    return path


FILES = {
    "data/train.csv": b"a\n1\n",
    "data/sub/x.txt": b"x",
    "data/.DS_Store": b"",
    "__MACOSX/data/._train.csv": b"",
    "data/Thumbs.db": b"",
}


@pytest.mark.parametrize("pack", [lambda p: zipped(p / "u.zip", FILES), lambda p: tarred(p / "u.tar.gz", FILES), lambda p: tarred(p / "u.tar", FILES, "w"), lambda p: seven(p / "u.7z", FILES), lambda p: compressed_tar(p / "u.tar.zst", FILES), lambda p: stored_rar(p / "u.rar", FILES)], ids=["zip", "tar.gz", "tar", "7z", "tar.zst", "rar"])  # fmt: skip
def test_archive_is_unpacked_without_litter_and_wrapping(tmp_path: Path, pack: object) -> None:
    notes = lay_out(pack(tmp_path), tmp_path / "run")  # type: ignore[operator]
    assert tree(tmp_path / "run") == ["sub/x.txt", "train.csv"]
    assert any("wrapping folder" in note for note in notes)
    assert any("3 files of the operating system" in note for note in notes)


def test_folder_with_an_archive_inside(tmp_path: Path) -> None:
    source = tmp_path / "up"
    source.mkdir()
    (source / "labels.csv").write_text("a,b\n")
    (source / "desktop.ini").write_text("")
    zipped(source / "photos.zip", {"photos/one.jpg": b"1", "photos/two.jpg": b"2"})
    lay_out(source, tmp_path / "run")
    assert tree(tmp_path / "run") == ["labels.csv", "photos/one.jpg", "photos/two.jpg"]
    assert tree(source) == ["desktop.ini", "labels.csv", "photos.zip"]


def test_single_file_and_nested_archives(tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("a\n1\n")
    lay_out(tmp_path / "one.csv", tmp_path / "first")
    assert tree(tmp_path / "first") == ["one.csv"]
    inner = zipped(tmp_path / "in.zip", {"a.csv": b"1"}).read_bytes()
    lay_out(zipped(tmp_path / "out.zip", {"in.zip": inner}), tmp_path / "second")
    assert tree(tmp_path / "second") == ["a.csv"]


@pytest.mark.parametrize("name", ["../evil.txt", "/etc/evil.txt", "a/../../evil.txt", "..\\evil.txt", "C:\\evil.txt"])
@pytest.mark.parametrize("pack", [zipped, tarred], ids=["zip", "tar"])
def test_paths_that_lead_out_are_refused(tmp_path: Path, pack: object, name: str) -> None:
    path = tmp_path / ("u.zip" if pack is zipped else "u.tar.gz")
    with pytest.raises(UserError, match="leads out"):
        lay_out(pack(path, {"ok.txt": b"1", name: b"2"}), tmp_path / "run")  # type: ignore[operator]
    assert not list(tmp_path.rglob("evil.txt"))


def test_links_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("s")
    with tarfile.open(tmp_path / "u.tar", "w") as archive:
        link = tarfile.TarInfo("link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
        info = tarfile.TarInfo("a.csv")
        archive.addfile(info, io.BytesIO())
    with zipfile.ZipFile(tmp_path / "v.zip", "w") as archive:
        entry = zipfile.ZipInfo("link")
        entry.external_attr = 0o120777 << 16
        archive.writestr(entry, "/etc/passwd")
        archive.writestr("a.csv", "1")
    source = tmp_path / "up"
    source.mkdir()
    (source / "a.csv").write_text("1")
    (source / "link").symlink_to(tmp_path / "secret")
    for given in (tmp_path / "u.tar", tmp_path / "v.zip", source):
        into = tmp_path / f"run-{given.name}"
        lay_out(given, into)
        assert tree(into) == ["a.csv"]


@pytest.mark.parametrize("pack", [zipped, tarred, seven, compressed_tar], ids=["zip", "tar", "7z", "tar.zst"])
def test_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pack: object) -> None:
    monkeypatch.setattr("mlzero.perception.archives._BOMB_BYTES", 1_000_000)
    with pytest.raises(UserError, match="far more"):
        lay_out(pack(tmp_path / "u.7z", {"zeros": b"\0" * 50_000_000}), tmp_path / "run")  # type: ignore[operator]


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 broken", b"no archive"])
def test_broken_archive_is_said_plainly(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "u.zip").write_bytes(content)
    with pytest.raises(UserError, match=r"u\.zip"):
        lay_out(tmp_path / "u.zip", tmp_path / "run")


def test_broken_archive_inside_a_folder_does_not_stop_the_rest(tmp_path: Path) -> None:
    source = tmp_path / "up"
    source.mkdir()
    (source / "a.csv").write_text("1")
    (source / "b.zip").write_bytes(b"no archive")
    notes = lay_out(source, tmp_path / "run")
    assert tree(tmp_path / "run") == ["a.csv"]
    assert any("b.zip" in note for note in notes)


def test_nothing_to_copy(tmp_path: Path) -> None:
    (tmp_path / "up").mkdir()
    with pytest.raises(UserError, match="no files"):
        lay_out(tmp_path / "up", tmp_path / "run")


def test_names_in_utf8_without_the_flag(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "u.zip", "w") as archive:
        archive.writestr("größe.csv", "1")
    data = (tmp_path / "u.zip").read_bytes()
    unflagged = data.replace(b"\x00\x08\x00\x00", b"\x00\x00\x00\x00")
    (tmp_path / "u.zip").write_bytes(unflagged)
    lay_out(tmp_path / "u.zip", tmp_path / "run")
    assert tree(tmp_path / "run") == ["größe.csv"]


def test_names_in_old_encodings_become_text(tmp_path: Path) -> None:
    source = tmp_path / "up"
    source.mkdir()
    (source / os.fsdecode("Straße.csv".encode("cp1252"))).write_text("a\n1\n")
    lay_out(source, tmp_path / "folder")
    lay_out(tarred(tmp_path / "u.tar", {os.fsdecode("Straße.csv".encode("cp1252")): b"a\n1\n"}, "w"), tmp_path / "tar")
    assert tree(tmp_path / "folder") == tree(tmp_path / "tar") == ["Straße.csv"]


def test_many_wrapping_folders_are_one_note(tmp_path: Path) -> None:
    notes = lay_out(zipped(tmp_path / "u.zip", {"/".join("abcdef") + "/t.csv": b"a\n1\n"}), tmp_path / "run")
    assert notes[1:] == ["The wrapping folder 'a' and 5 more inside it was left out."]


@pytest.mark.parametrize(
    ("number", "says"), [(errno.EACCES, "secret.csv cannot be read"), (errno.ENOSPC, "not enough disk space")]
)
def test_a_file_that_cannot_be_copied_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, says: str
) -> None:
    source = tmp_path / "up"
    source.mkdir()
    (source / "secret.csv").write_text("a\n1\n")

    def refuse(path: Path, target: Path) -> None:
        raise OSError(number, os.strerror(number), str(path))

    monkeypatch.setattr("shutil.copyfile", refuse)
    with pytest.raises(UserError, match=says):
        lay_out(source, tmp_path / "run")


def test_an_archive_that_fits_no_disk_names_no_path_of_the_server(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="too long") as raised:
        lay_out(zipped(tmp_path / "u.zip", {"x" * 300: b"a"}), tmp_path / "run")
    assert str(tmp_path) not in str(raised.value)


def test_results_inside_the_data_folder_are_not_copied(tmp_path: Path) -> None:
    (tmp_path / "train.csv").write_text("a\n1\n")
    for run in ("earlier", "result"):
        (tmp_path / run / "data").mkdir(parents=True)
        (tmp_path / run / "run.json").write_text("{}")
    notes = lay_out(tmp_path, tmp_path / "result" / "data")
    assert tree(tmp_path / "result" / "data") == ["train.csv"]
    assert notes == ["earlier holds the results of a run and was left out."]
