"""Pictures without what lies around the thing they show."""

from __future__ import annotations

import numpy as np

from mlzero.semantic_memory.blocks.encode_images import square_picture

LOOKED_AT = 96  # pixels a side at which the thing is looked for


def thing_alone(path: str | None, size: int) -> np.ndarray | None:
    """As `square_picture`, but only the thing that stands out from the colours of the border, on plain grey.

    Where nothing stands out, the middle of the picture, of three quarters of its height and width.
    """
    picture = square_picture(path, 2 * size)
    if picture is None:
        return None
    mask = standing_out(picture)
    if mask is None:
        edge = size // 4
        return resized(picture[edge:-edge, edge:-edge], size)
    mask = resized(mask.astype(np.float32), 2 * size)
    rows, columns = (np.flatnonzero((mask > 0.5).any(axis=axis)) for axis in (1, 0))
    space = max(2, size // 12)
    part = np.s_[
        max(0, rows[0] - space) : rows[-1] + space + 1, max(0, columns[0] - space) : columns[-1] + space + 1
    ]  # fmt: skip
    return resized((picture * mask[..., None])[part], size)


def standing_out(picture: np.ndarray) -> np.ndarray | None:
    """Which pixels of a small copy are unlike the border, the largest part of them without holes; None when unclear.

    The border is the usual colour of each of the four sides, so that sky above and ground below are both known. How
    unlike is enough is found by Otsu's method (1979) on distances in the Lab colour space.
    """
    from scipy import ndimage
    from skimage.color import rgb2lab
    from skimage.filters import gaussian, threshold_otsu

    colours = rgb2lab((gaussian(resized(picture, LOOKED_AT), 1, channel_axis=2) + 1) / 2)
    edge = LOOKED_AT // 16
    sides = [colours[:edge], colours[-edge:], colours[:, :edge], colours[:, -edge:]]
    usual = [np.median(side.reshape(-1, 3), axis=0) for side in sides]
    unlike = np.min([np.linalg.norm(colours - colour, axis=2) for colour in usual], axis=0)
    mask = ndimage.binary_opening(unlike > max(10.0, threshold_otsu(unlike)), iterations=2)
    parts, count = ndimage.label(mask)
    if not count:
        return None
    largest = 1 + int(np.argmax(np.bincount(parts.ravel())[1:]))
    mask = ndimage.binary_dilation(ndimage.binary_fill_holes(parts == largest), iterations=2)
    border = np.concatenate([mask[0], mask[-1], mask[:, 0], mask[:, -1]])
    return mask if 0.02 < mask.mean() < 0.8 and border.mean() < 0.4 else None


def resized(pixels: np.ndarray, size: int) -> np.ndarray:
    """An array of pixels, perhaps with channels, as size x size."""
    from skimage.transform import resize

    return np.asarray(resize(pixels, (size, size), order=1, anti_aliasing=True), np.float32)
