"""What the measures of pictures share: predictions as files in memory, and small pictures for people."""

from __future__ import annotations

import base64
import io
from typing import TYPE_CHECKING

from mlzero.iterative_coding.checks import gaps_check, shape_checks
from mlzero.iterative_coding.contract import Check

if TYPE_CHECKING:
    import pandas as pd
    from PIL.Image import Image

    from mlzero.perception.task import Task

SHOWN = 6  # example pictures of an evaluation
WIDTH = 320  # pixels of an example picture
FEW = 64  # colours of a drawing
PALETTE = [
    (0, 114, 178), (230, 159, 0), (0, 158, 115), (204, 121, 167), (213, 94, 0), (86, 180, 233), (240, 228, 66),
    (120, 94, 240), (166, 118, 29), (102, 102, 102), (0, 0, 0), (170, 220, 50),
]  # fmt: skip


def row_checks(predicted: pd.DataFrame, rows: pd.DataFrame, task: Task, where: str) -> list[Check]:
    """Whether every row has a prediction of its own in the target column."""
    checks = shape_checks(predicted, rows, task, where)
    if task.targets[0] in predicted:
        checks.append(gaps_check(predicted, task, where))
    return checks


def png_checks(predicted: pd.DataFrame, rows: pd.DataFrame, task: Task, where: str, noun: str) -> list[Check]:
    """The checks of rows, and whether every prediction is a PNG picture; `noun` is what people call it."""
    checks = row_checks(predicted, rows, task, where)
    if all(check.passed for check in checks):
        broken = [row for row, data in predicted[task.targets[0]].items() if picture_of(data) is None]
        told = f"The {noun} of row {broken[0]} is no PNG picture." if broken else f"Every {noun} is a PNG picture."
        checks.append(Check(f"{where}: pictures", not broken, told))
    return checks


def picture_of(data: object) -> Image | None:
    """The picture in the bytes of a file; None when there is none, or a huge one."""
    from PIL import Image, UnidentifiedImageError

    if not isinstance(data, bytes):
        return None
    try:
        picture = Image.open(io.BytesIO(data), formats=["PNG"])
        picture.load()
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    return picture


def as_data(picture: Image) -> str:
    """A small copy as a `data:` address for a page: drawings with few colours as PNG, photographs as JPEG."""
    small = picture.convert("RGB")
    kind = "PNG" if small.getcolors(FEW) else "JPEG"
    small.thumbnail((WIDTH, WIDTH))
    file = io.BytesIO()
    small.save(file, kind, optimize=True, quality=88)
    return f"data:image/{kind.lower()};base64," + base64.b64encode(file.getvalue()).decode()
