"""Formats that are not read: the reason and the way out are told once, not once a file."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from mlzero.errors import UserError
from mlzero.perception.documents import EXTENSIONS
from mlzero.perception.readers import readers
from mlzero.perception.scan import profile
from mlzero.perception.understand import infer_task
from mlzero.perception.unread import reason
from mlzero.semantic_memory.blocks.files import MEDIA


def _scans(root: Path) -> None:
    for folder in ("ill", "well"):
        (root / folder).mkdir()
        for n in range(6):
            (root / folder / f"{n}.nii").write_bytes(bytes(348))


def test_one_sentence_for_all_files_of_a_kind(tmp_path: Path) -> None:
    _scans(tmp_path)
    found = profile(tmp_path)
    assert len(found.problems) == 12
    told = "ill/0.nii and 11 more: Medical pictures of this format are not read; save them as PNG or TIFF."
    assert found.unread == [told]
    with pytest.raises(UserError) as error:
        infer_task(found, tmp_path, "Who is ill?")
    assert error.value.message == f"There is nothing to learn from: no table with rows, only 12 other files. {told}"


def test_a_column_of_such_files_alone_says_it(tmp_path: Path) -> None:
    _scans(tmp_path)
    rows = [(f"{folder}/{n}.nii", folder) for folder in ("ill", "well") for n in range(6)]
    pd.DataFrame(rows, columns=["scan", "state"]).to_csv(tmp_path / "a.csv", index=False)
    with pytest.raises(UserError, match=r'left to predict "state" from\. ill/0\.nii and 11 more: Medical'):
        infer_task(profile(tmp_path), tmp_path, "Predict the state")


@pytest.mark.parametrize(("name", "word"), [("a.rds", "write.csv"), ("B.MP4", "pictures"), ("x.nii.gz", "PNG")])
def test_the_way_out(name: str, word: str) -> None:
    assert word in (reason(name) or "")


def test_no_format_that_is_read_is_called_unread() -> None:
    read = {
        *EXTENSIONS,
        *(e for endings in MEDIA.values() for e in endings),
        *(e for r in readers() for e in r.extensions),
    }
    assert not [ending for ending in read if reason(f"a{ending}")]
