"""Writing and counting files."""

from pathlib import Path

from mlzero.files import size_of, write_atomically


def test_atomic_write_leaves_no_litter(tmp_path: Path) -> None:
    target = tmp_path / "a.json"
    for n in range(3):
        write_atomically(target, str(n))
    assert target.read_text() == "2"
    assert list(tmp_path.iterdir()) == [target]


def test_sizes_are_those_of_files_and_links_themselves(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "x").write_bytes(b"12345")
    (tmp_path / "a" / "y").write_bytes(b"123")
    (tmp_path / "big").write_bytes(bytes(5000))
    (tmp_path / "a" / "link").symlink_to(tmp_path / "big")
    assert 8 < size_of([tmp_path / "a"]) < 1000
    assert size_of([tmp_path / "a" / "b", tmp_path / "nowhere"]) == 5
