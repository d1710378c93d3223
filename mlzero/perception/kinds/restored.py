"""Pictures with another picture each as answer: cleaned, sharpened, coloured."""

from __future__ import annotations

import re
from pathlib import Path

from mlzero.perception.goal import Brief
from mlzero.perception.kinds import masks, picture_words
from mlzero.perception.kinds.pairs import Pairs
from mlzero.perception.kinds.picture_tasks import (
    open_tables,
    pair_table,
    picture_task,
    sample_of,
    tables_with,
    whole_pairs,
)
from mlzero.perception.override import Overrides
from mlzero.perception.profile import Profile, TableProfile
from mlzero.perception.task import Inferred, OutputPlan, Task

TARGET = "restored"
_CLEAN = re.compile(
    r"clean|clear|target|gt|truth|restor|denois|sharp|orig|output|hr|high|label|answer|sauber|limpi|propre"
)
_LOOKED_AT = 4  # pairs


class Restored:
    """See `Specialist`."""

    def tables(self, data_dir: Path, profile: Profile) -> list[TableProfile]:
        found = whole_pairs(data_dir, profile)
        if found is None:
            return []
        made = []
        for pairs in found.pairs:
            if (pairs.is_restored or masks.format_of(data_dir, pairs) is None) and _alike(data_dir, pairs):
                made.append(pair_table(_turned(pairs), TARGET, None))
        return [*made, *open_tables(found)] if made else []

    def task(self, data_dir: Path, profile: Profile, brief: Brief, given: Overrides) -> Task | None:
        tables = tables_with(profile, TARGET)
        if tables is None or given.problem_type not in (None, "image_to_image"):
            return None
        train, test = tables
        count = sum(table.rows for table in train)
        return picture_task(
            profile, brief, given, train=train, test=test, target=TARGET, problem_type="image_to_image",
            evidence=f"{count:,} pictures have another picture of the same name and size as answer.",
            metric=picture_words.metric_of("image_to_image", brief),
            output=Inferred[OutputPlan](
                value=OutputPlan(file_name="predictions", format="images", columns=["picture", TARGET]), confidence=0.95,
                evidence="A folder of PNG files named like the pictures.",
            ),
        )  # fmt: skip


def _turned(pairs: Pairs) -> Pairs:
    """Pairs with the folder that is called as answers are on the side of the answers."""
    if _CLEAN.search(pairs.pictures.lower()) and not _CLEAN.search(pairs.answers.lower()):
        return Pairs(
            pairs.answers, pairs.pictures, pairs.answer_name, pairs.picture_name, pairs.keys, pairs.answer_files,
            pairs.picture_files,
        )  # fmt: skip
    return pairs


def _alike(data_dir: Path, pairs: Pairs) -> bool:
    """Whether the two pictures of a pair show the same: same size and related brightness.

    Folders of classes often number their pictures alike; without a word in their names they must be very similar,
    and not the same throughout.
    """
    import numpy as np
    from PIL import UnidentifiedImageError

    from mlzero.semantic_memory.blocks.dicom import open_picture

    related, same = [], True
    for i in sample_of([str(i) for i in range(len(pairs.keys))], _LOOKED_AT):
        files = [data_dir / pairs.picture_files[int(i)], data_dir / pairs.answer_files[int(i)]]
        try:
            with open_picture(files[0]) as first, open_picture(files[1]) as second:
                if first.size != second.size:
                    return False
                small = [np.asarray(p.convert("L").resize((64, 64)), dtype=float).ravel() for p in (first, second)]
        except (UnidentifiedImageError, OSError):
            continue
        same = same and np.array_equal(small[0], small[1])
        flat = min(np.ptp(small[0]), np.ptp(small[1])) == 0
        related.append(float(pairs.is_said) if flat else float(np.corrcoef(small[0], small[1])[0, 1]))
    if same and not pairs.is_said:
        return False
    return bool(related) and float(np.mean(related)) > (0.4 if pairs.is_said else 0.8)
