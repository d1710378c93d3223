"""Numbers of one file, against what is worked out by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mlzero.semantic_memory.blocks.file_numbers import numbers_of_file
from mlzero.semantic_memory.blocks.number_files import file_key

LINE = {
    "rows": 4,
    "b mean": 2.5,
    "b first": 1.0,
    "b last": 4.0,
    "b slope": 0.5,
    "b place of the peak": 16.0,
    "t max": 16.0,
}
CURVES = {
    "comma.csv": "t,b\n10,1\n12,2\n14,3\n16,4\n",
    "decimal_comma.csv": "t;b\n10,0;1,0\n12,0;2,0\n14,0;3,0\n16,0;4,0\n",
    "tabs.txt": "# t\tb\n10\t1\n12\t2\n14\t3\n16\t4\n",
    "blanks.dat": "measured by hand in 2020\n t    b\n 10   1e0\n 12   2\n 14   3\n 16   4\n",
    "gap.csv": "t,b\n10,1\n12,\n14,\n16,4\n",
}


@pytest.mark.parametrize("name", CURVES)
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_curves(tmp_path: Path, name: str, encoding: str) -> None:
    (tmp_path / name).write_text(CURVES[name], encoding=encoding)
    found = numbers_of_file(tmp_path / name)
    wanted = LINE | ({"b slope": 0.45} if name.startswith("gap") else {})  # a gap counts as the mean
    assert {key: found[key] for key in wanted} == pytest.approx(wanted)


def test_a_wave_and_its_frequency(tmp_path: Path) -> None:
    wave = np.sin(2 * np.pi * 10 * np.arange(100) / 100)
    np.save(tmp_path / "wave.npy", wave)
    (tmp_path / "wave.txt").write_text(" ".join(map(str, wave)))  # in one line
    first, second = numbers_of_file(tmp_path / "wave.npy"), numbers_of_file(tmp_path / "wave.txt")
    assert first == pytest.approx(second) and first["rows"] == 100
    assert first["column 1 main frequency"] == pytest.approx(0.1)
    assert first["column 1 energy in band 3"] == pytest.approx(1.0)


POINTS = {
    "plain.xyz": "3\nin a box\nO 0 0 0\nO 3 0 0\nH 0 9 0\n",
    "words.xyz": "#===\n# a crystal\natom 0.0 0.0 0.0 O\natom 3.0 0.0 0.0 O\natom 0.0 9.0 0.0 H\n",
    "protein.pdb": "".join(
        f"ATOM  {n:5d}  {e}   ALA A   1    {x:8.3f}{y:8.3f}{0:8.3f}  1.00 20.00           {e}\n"
        for n, (e, x, y) in enumerate([("O", 0, 0), ("O", 3, 0), ("H", 0, 9)], 1)
    ),
}


@pytest.mark.parametrize("name", POINTS)
def test_points(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(POINTS[name])
    found = numbers_of_file(tmp_path / name)
    wanted = {
        "points": 3, "count of O": 2, "count of H": 1, "extent in x": 3, "extent in y": 9, "distance min": 3,
        "distance max": 90**0.5, "nearest O O": 3, "nearest H O": 9,
    }  # fmt: skip
    assert {key: found[key] for key in wanted} == pytest.approx(wanted)


@pytest.mark.parametrize(
    "lattice",
    [
        'Lattice="10 0 0 0 10 0 0 0 20"\n',
        "lattice_vector 10 0 0\nlattice_vector 0 10 0\nlattice_vector 0 0 20\n",
    ],
)
def test_distances_go_across_the_faces_of_a_lattice(tmp_path: Path, lattice: str) -> None:
    (tmp_path / "geometry.xyz").write_text(f"{lattice}Al 0.5 0 0\nAl 9.5 0 0\nAl 0.5 5 0\nAl 0.5 5 4\n")
    found = numbers_of_file(tmp_path / "geometry.xyz")
    assert found["distance min"] == pytest.approx(1.0) and found["lattice c"] == pytest.approx(20)
    assert found["lattice volume"] == pytest.approx(2000) and found["lattice alpha"] == pytest.approx(90)


@pytest.mark.parametrize("content", [b"", b"no numbers here\nat all\n", b"\x93NUMPY\x01broken", b"\x1f\x8bcut"])
@pytest.mark.parametrize("name", ["a.csv", "a.npy", "a.xyz"])
def test_files_without_numbers_give_none(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    assert numbers_of_file(tmp_path / name) == {} == numbers_of_file(tmp_path / "absent.csv")


@pytest.mark.parametrize(
    ("cell", "place", "key"),
    [
        ("0012", "signals/scan_{}.csv", "12"),
        ("scan_0012.CSV", "signals/scan_{}.csv", "12"),
        (r"C:\lab\Scan_A7", "signals/scan_{}.csv", "a7"),
        ("train/5/geometry.xyz", "train/{}/geometry.xyz", "5"),
        ("", "train/{}/geometry.xyz", ""),
    ],
)
def test_what_a_cell_tells_of_a_file(cell: str, place: str, key: str) -> None:
    assert file_key(cell, place) == key
