"""Parts of paths."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from mlzero.perception.paths import ending_of, folder_of, name_of, stem_of


@pytest.mark.parametrize(
    "path", ["a.JPG", "x/y.tar.gz", "x/.profile", "x.y/plain", "end.", "x/end.", "...", "a/b/ü 1.png", ".a.b"]
)
def test_as_pathlib_says(path: str) -> None:
    place = PurePosixPath(path)
    assert (name_of(path), stem_of(path), ending_of(path)) == (place.name, place.stem, place.suffix.lower())
    assert folder_of(path) == place.parent.as_posix().removeprefix(".")
