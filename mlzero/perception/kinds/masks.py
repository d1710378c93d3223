"""Pictures with a label image each: which pixel belongs to which class."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from mlzero.perception.goal import Brief
from mlzero.perception.kinds import legend as legends
from mlzero.perception.kinds import picture_words
from mlzero.perception.kinds.legend import Legend
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
from mlzero.perception.profile import MaskFormat, Profile, TableProfile
from mlzero.perception.task import Inferred, OutputPlan, Task

if TYPE_CHECKING:
    import numpy as np
    from PIL.Image import Image

_SEEN = 60  # label images whose values are looked at
_FEW = 64  # values or colours of all label images together
_BLURRED = 0.02  # share of pixels between black and white in lossy files


class Masks:
    """See `Specialist`."""

    def tables(self, data_dir: Path, profile: Profile) -> list[TableProfile]:
        found = whole_pairs(data_dir, profile)
        if found is None:
            return []
        made = []
        for pairs in sorted(found.pairs, key=lambda p: p.is_test):
            formats = None if pairs.is_restored else format_of(data_dir, pairs)
            if formats is not None:
                made.append(pair_table(pairs, "mask", formats))
        return [*made, *open_tables(found)] if made else []

    def task(self, data_dir: Path, profile: Profile, brief: Brief, given: Overrides) -> Task | None:
        tables = tables_with(profile, "mask")
        if not tables or given.problem_type not in (None, "segmentation"):
            return None
        legend = legends.read(data_dir, profile, brief.said)
        mask = meant(tables, legend)
        two = len(mask.values) == 2 and not mask.ignored
        train, test = tables
        names = mask.names or [str(value) for value in mask.values]
        task = picture_task(
            profile, brief, given, train=train, test=test, target="mask", problem_type="segmentation",
            evidence=_sentence(train, mask, legend),
            metric=picture_words.metric_of("segmentation", brief, two_classes=two),
            output=Inferred[OutputPlan](
                value=OutputPlan(file_name="predictions", format="masks", columns=["picture", "mask"]), confidence=0.95,
                evidence="A folder of PNG files named like the pictures, with the pixel values of the training masks.",
            ),
        )  # fmt: skip
        task.mask, task.labels = mask, names
        if mask.ignored:
            ignored = ", ".join(map(str, mask.ignored))
            task.notes.append(
                f"Pixels of value {ignored} are left out: they count neither for learning nor for the score."
            )
        return task


def format_of(data_dir: Path, pairs: Pairs) -> MaskFormat | None:
    """What the files of the answers hold; None when they are ordinary pictures."""
    from PIL import UnidentifiedImageError

    from mlzero.semantic_memory.blocks.dicom import open_picture

    grey: Counter[int] = Counter()
    colours: Counter[str] = Counter()
    for path in sample_of(pairs.answer_files, _SEEN):
        try:
            with open_picture(data_dir / path) as picture:
                pixels = _pixels(picture)
        except (UnidentifiedImageError, OSError):
            continue
        if pixels.ndim == 3:
            _count_colours(pixels, colours)
        else:
            _count_values(pixels, grey)
        if len(colours) > 4096 or len(grey) > 4096:
            return None
    if colours:
        for value, count in grey.items():  # a file without colour among coloured ones
            colours[f"{value},{value},{value}"] += count
        return _in_colour(colours)
    if not grey:
        return None
    total = sum(grey.values())
    between = sum(count for value, count in grey.items() if 24 < value < 231)
    lossy = len(grey) > 8 or pairs.answer_files[0].lower().endswith((".jpg", ".jpeg"))
    if len(grey) > 2 and lossy and max(grey) > 200 and min(grey) < 25 and between <= _BLURRED * total:
        return MaskFormat(values=[0, 255])
    if len(grey) > _FEW or len(grey) < 2:
        return None
    return MaskFormat(values=sorted(grey))


def _pixels(picture: Image) -> np.ndarray:
    """Height × width values, or × 3 when there is colour; every other pixel of large ones."""
    import numpy as np

    if picture.mode in ("RGB", "RGBA", "CMYK", "YCbCr", "HSV", "LAB"):
        array = np.array(picture.convert("RGB"))
        if (array[..., 0] == array[..., 1]).all() and (array[..., 1] == array[..., 2]).all():
            array = array[..., 0]
    else:
        array = np.array(picture)
        array = array * np.uint8(255) if array.dtype == bool else array
        array = array[..., 0] if array.ndim == 3 else array
    step = max(1, int((array.shape[0] * array.shape[1] / 1_000_000) ** 0.5))
    return array[::step, ::step]


def _count_values(pixels: np.ndarray, grey: Counter[int]) -> None:
    import numpy as np

    values, counts = np.unique(pixels, return_counts=True)
    grey.update({int(value): int(count) for value, count in zip(values, counts, strict=True)})


def _count_colours(pixels: np.ndarray, colours: Counter[str]) -> None:
    import numpy as np

    codes, counts = np.unique(pixels.reshape(-1, 3).astype(np.int64) @ [65536, 256, 1], return_counts=True)
    for code, count in zip(codes.tolist(), counts.tolist(), strict=True):
        colours[f"{code >> 16},{code >> 8 & 255},{code & 255}"] += count


def _in_colour(colours: Counter[str]) -> MaskFormat | None:
    """Colours as classes, numbered as they are sorted; of lossy files those that are common."""
    if len(colours) > _FEW:
        total = sum(colours.values())
        common = {colour: count for colour, count in colours.items() if count > 0.002 * total}
        if len(common) > 32 or sum(common.values()) < 0.9 * total:
            return None
        colours = Counter(common)
    ordered = sorted(colours, key=lambda colour: [int(part) for part in colour.split(",")])
    return MaskFormat(values=list(range(len(ordered))), colours={colour: i for i, colour in enumerate(ordered)})


def meant(tables: tuple[list[TableProfile], list[TableProfile]], legend: Legend) -> MaskFormat:
    """The values that are classes and what they are called."""
    formats = [column.mask for table in tables[0] if (column := table.column("mask")) and column.mask]
    colours = sorted({colour for f in formats for colour in f.colours}, key=lambda c: [int(p) for p in c.split(",")])
    if colours:
        values = dict(zip(colours, range(len(colours)), strict=True))
        ignored = sorted(values[colour] for colour in legend.void_colours if colour in values)
        kept = [value for value in values.values() if value not in ignored]
        called = {values[c]: name for c, name in legend.colours.items() if c in values}
        names = [called.get(value, colours[value]) for value in kept]
        return MaskFormat(values=kept, names=names, ignored=ignored, colours=values)
    seen = sorted({value for f in formats for value in f.values})
    listed = {value for value in legend.names if value <= 255}
    fits = len(listed & set(seen)) >= min(2, len(seen)) and len(listed) < 256
    names_of = legend.names if fits else {}
    ignored = [value for value in seen if value in legend.ignored] if len(seen) > 2 else []
    if fits and len(seen) > 2:
        ignored = sorted({*ignored, *(value for value in seen if value not in listed and value != 0)})
    elif len(seen) > 2 and seen[-1] == 255 and seen[-2] < 254 and seen[-2] <= 2 * len(seen):
        ignored = sorted({*ignored, 255})
    values_kept = sorted({*seen, *(listed if fits else set())} - set(ignored) - legend.ignored)
    if len(values_kept) < 2:
        values_kept, ignored = seen, []
    names = [names_of.get(value, str(value)) for value in values_kept] if names_of else []
    return MaskFormat(values=values_kept, names=names, ignored=ignored)


def _sentence(train: list[TableProfile], mask: MaskFormat, legend: Legend) -> str:
    count = sum(table.rows for table in train)
    kind = "colours" if mask.colours else "pixel values"
    text = f"{count:,} pictures have a label image each with {len(mask.values)} {kind}"
    named = f", named in {legend.path}" if mask.names and legend.path else ""
    return f"{text}{named}."
