"""Which words of names tell of what."""

import pytest

from mlzero.perception import vocabulary
from mlzero.perception.kinds.folders import says


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Neukunden", True), ("antraege_neu", True), ("Neuanmeldungen", True), ("offene_posten", True),
        ("neutral", False), ("Neurologie", False), ("offensive", False),
    ],
)  # fmt: skip
def test_what_is_new_and_what_only_begins_so(name, told):
    assert says(name, vocabulary.TEST_NAMES) is told
