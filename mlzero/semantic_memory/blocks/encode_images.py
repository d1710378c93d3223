"""Pictures as rows of numbers: by a pretrained network, or by what can be said of them without one."""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from mlzero.semantic_memory.blocks.networks import network_session


def keep_encoder(source: Path, target: Path, sha256: str) -> None:
    """Copy a pretrained encoder beside the model, so that predicting needs no other file.

    Raises
    ------
    FileNotFoundError, ValueError
        When it is not there, or another one than the solution was written with.
    """
    if not source.is_file():
        raise FileNotFoundError(f"{source} is missing: it comes with MLZero's optional weights (make setup).")
    shutil.copyfile(source, target)
    if hashlib.sha256(target.read_bytes()).hexdigest() != sha256:
        raise ValueError(f"{source} is not the encoder this solution was written with.")


def image_vectors(
    paths: Sequence[str | None],
    encoder: Path,
    size: int = 224,
    mirrored: bool = False,
    turned: bool = False,
    session: Any = None,
    look: Callable[[str | None, int], np.ndarray | None] | None = None,
) -> np.ndarray:
    """Pictures as vectors of a pretrained network, pictures x dimensions, float32.

    Parameters
    ----------
    encoder
        ONNX file: pictures x 3 x height x width, values from -1 to 1, to vectors.
    size
        Pixels a side that pictures are brought to, a multiple of 32.
    mirrored
        Also look at each picture mirrored and take the mean.
    turned
        Look at each picture with each of its four sides up and take the mean.
    session
        The encoder when it is already loaded.
    look
        What reads a picture, when not `square_picture`.

    No picture, or one that cannot be read, becomes a row of NaN.
    """
    session, look = session or network_session(encoder), look or square_picture
    vectors = np.full((len(paths), session.get_outputs()[0].shape[-1]), np.nan, np.float32)
    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        for start in range(0, len(paths), 32):
            pictures = list(pool.map(lambda path: look(path, size), paths[start : start + 32]))
            there = [place for place, picture in enumerate(pictures) if picture is not None]
            if not there:
                continue
            batch = np.stack([picture for picture in pictures if picture is not None]).transpose(0, 3, 1, 2)
            views = [np.rot90(batch, quarter, (2, 3)) for quarter in range(4 if turned else 1)]
            views += [view[..., ::-1] for view in views] if mirrored else []
            found = [session.run(None, {"pictures": np.ascontiguousarray(view)})[0] for view in views]
            vectors[[start + place for place in there]] = np.mean(found, axis=0)
    return vectors


def affordable_size(
    paths: Sequence[str | None],
    encoder: Path,
    sizes: Sequence[int],
    seconds: float,
    mirrored: bool = False,
    turned: bool = False,
    look: Callable[[str | None, int], np.ndarray | None] | None = None,
) -> int:
    """The largest of the sizes (the largest first) at which all pictures are encoded within so many seconds."""
    probe = [path for path in paths if path][:: max(1, len(paths) // 8)][:8]
    session = network_session(encoder)
    image_vectors(probe[:2], encoder, sizes[-1], session=session, look=look)  # the first call is slower
    begun = time.monotonic()
    image_vectors(probe, encoder, sizes[0], mirrored, turned, session, look)
    needed = (time.monotonic() - begun) * len(paths) / max(1, len(probe))
    fitting = [size for size in sizes if needed * (size / sizes[0]) ** 2 <= seconds]
    return fitting[0] if fitting else sizes[-1]


def square_picture(path: str | None, size: int) -> np.ndarray | None:
    """A picture in colour as size x size x 3 numbers from -1 to 1, turned as its camera was held; None without one."""
    from PIL import Image, ImageOps

    if not isinstance(path, str):
        return None
    try:
        with Image.open(path) as file:
            file.draft("RGB", (2 * size, 2 * size))  # a large JPEG is read at a fraction of its size
            picture = ImageOps.exif_transpose(file)
            if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
                picture = picture.convert("RGBA")
                picture = Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture)
            picture = picture.convert("RGB").resize((size, size), Image.Resampling.BICUBIC)
    except (OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError):
        return None
    return np.asarray(picture, np.float32) / 127.5 - 1


def image_features(
    paths: Sequence[str | None],
    size: int = 96,
    look: Callable[[str | None, int], np.ndarray | None] | None = None,
) -> np.ndarray:
    """Pictures described without a network, pictures x numbers, float32; a row of NaN for none.

    Edges by their direction (HOG, Dalal and Triggs 2005), colours of the whole and of the middle, texture (LBP, Ojala
    et al. 2002), and the picture reduced to 8 x 8 pixels.
    """
    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        found = list(pool.map(lambda path: described_picture((look or square_picture)(path, size)), paths))
    length = len(described_picture(np.zeros((size, size, 3), np.float32)))
    rows = [row if len(row) else np.full(length, np.nan) for row in found]
    return np.asarray(rows, np.float32).reshape(len(found), length)


def described_picture(picture: np.ndarray | None) -> np.ndarray:
    """The numbers of one picture, none for none."""
    from skimage.color import rgb2hsv
    from skimage.feature import hog, local_binary_pattern

    if picture is None:
        return np.empty(0)
    picture = (picture + 1) / 2
    size, grey = len(picture), picture.mean(axis=2)
    edges = hog(grey, orientations=9, pixels_per_cell=(size // 8, size // 8), cells_per_block=(2, 2))
    colours = rgb2hsv(picture)
    middle = colours[size // 4 : -size // 4, size // 4 : -size // 4]
    shades = [
        np.histogramdd(part.reshape(-1, 3), bins=(8, 4, 4), range=[(0, 1)] * 3)[0].ravel() / part[..., 0].size
        for part in (colours, middle)
    ]
    patterns = local_binary_pattern((grey * 255).astype(np.uint8), 16, 2, "uniform")
    texture = np.histogram(patterns, 18, (0, 18), density=True)[0]
    small = picture.reshape(8, size // 8, 8, size // 8, 3).mean(axis=(1, 3)).ravel()
    return np.concatenate([edges, 5 * shades[0], 5 * shades[1], 5 * texture, small])
