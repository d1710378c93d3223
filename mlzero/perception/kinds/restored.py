"""Pictures with another picture each as answer: cleaned, sharpened, coloured."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

from mlzero.perception import vocabulary
from mlzero.perception.goal import Brief
from mlzero.perception.kinds import masks, picture_words
from mlzero.perception.kinds.folders import says
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
from mlzero.perception.paths import stem_of
from mlzero.perception.profile import Profile, TableProfile
from mlzero.perception.roles import label_of
from mlzero.perception.task import Inferred, OutputPlan, PixelRows, Task

TARGET = "restored"
_CLEAN = re.compile(
    r"clean|clear|target|gt|truth|restor|denois|sharp|orig|output|hr|high|label|answer|sauber|limpi|propre"
)
_LOOKED_AT = 4  # pairs
_PIXEL = re.compile(r"(?P<picture>.+)_(?P<row>\d+)_(?P<column>\d+)")
_PIXELS = 1000  # lines of a sample of the answer that are looked at


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
            output=_output(data_dir, profile, test),
        )  # fmt: skip


def _output(data_dir: Path, profile: Profile, test: list[TableProfile]) -> Inferred[OutputPlan]:
    """A folder of pictures, or a line a pixel where a sample of the answer has such lines."""
    from mlzero.perception.tables import load_table

    stems = {stem_of(name) for table in test for name in load_table(data_dir, table)["picture"].astype(str)}
    for table in profile.tables:
        if len(table.columns) != 2 or not says(PurePosixPath(table.path).name, vocabulary.SAMPLE_NAMES):
            continue
        lines = load_table(data_dir, table, nrows=_PIXELS)[table.names[0]].astype(str)
        found = [_PIXEL.fullmatch(line) for line in lines]
        if len(found) > 1 and all(each and each["picture"] in stems for each in (found[0], found[-1])):
            rows = [int(each["row"]) for each in found if each]
            form = PixelRows(first=rows[0], down=rows[0] != rows[1])
            plan = OutputPlan(format="images", columns=table.names, sample=table.key, pixels=form)
            return Inferred[OutputPlan](
                value=plan, confidence=0.9, evidence=f"One line a pixel, from 0 (black) to 1 (white), as in {label_of(table)}.",
            )  # fmt: skip
    return Inferred[OutputPlan](
        value=OutputPlan(file_name="predictions", format="images", columns=["picture", TARGET]), confidence=0.95,
        evidence="A folder of PNG files named like the pictures.",
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
