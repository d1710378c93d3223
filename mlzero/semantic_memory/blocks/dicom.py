"""Pictures of medical devices (DICOM) as ordinary pictures. Of what such a file tells, only what the pixels need is read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import PIL.Image

from mlzero.semantic_memory.blocks.files import is_dicom

OF_PIXELS = [
    "SamplesPerPixel", "PhotometricInterpretation", "PlanarConfiguration", "NumberOfFrames", "Rows", "Columns",
    "BitsAllocated", "BitsStored", "HighBit", "PixelRepresentation", "SmallestImagePixelValue", "LargestImagePixelValue",
    "RescaleSlope", "RescaleIntercept", "ModalityLUTSequence", "WindowCenter", "WindowWidth", "PixelData",
    "FloatPixelData", "DoubleFloatPixelData", "ExtendedOffsetTable", "ExtendedOffsetTableLengths",
    "RedPaletteColorLookupTableDescriptor", "GreenPaletteColorLookupTableDescriptor",
    "BluePaletteColorLookupTableDescriptor", "RedPaletteColorLookupTableData", "GreenPaletteColorLookupTableData",
    "BluePaletteColorLookupTableData",
]  # fmt: skip
UNREADABLE = "no picture can be read from this DICOM file"


def open_picture(path: str | Path) -> PIL.Image.Image:
    """A picture of any format; raises OSError where the file holds none."""
    return dicom_picture(path) if is_dicom(path) else PIL.Image.open(path)


def frames_of(path: str | Path) -> int:
    """How many pictures a DICOM file holds; 0 for another file."""
    import pydicom

    if not is_dicom(path):
        return 0
    try:
        content = pydicom.dcmread(path, stop_before_pixels=True, specific_tags=["NumberOfFrames"])
        return int(content.get("NumberOfFrames") or 1)
    except Exception:  # as in `dicom_picture`, which says what is wrong with such a file
        return 0


def dicom_picture(path: str | Path) -> PIL.Image.Image:
    """The first picture of a DICOM file with 8 bits a colour, as the window in the file shows it (PS3.3, C.11.2).

    Grey values become what was measured (rescale slope and intercept). Without a window the smallest is black and
    the largest white; of MONOCHROME1 the other way round.

    Raises
    ------
    OSError
        When the file holds no picture, or one that cannot be decoded.
    """
    import pydicom
    from pydicom.pixels import apply_color_lut, apply_modality_lut, pixel_array

    packed = ""
    try:
        content = pydicom.dcmread(path, specific_tags=OF_PIXELS)
        syntax = content.file_meta.TransferSyntaxUID
        packed = f", compressed as {syntax.name}" if syntax.is_compressed else ""
        values = pixel_array(content, index=0)
        kind = content.PhotometricInterpretation
        if kind == "PALETTE COLOR":
            values = apply_color_lut(values, content)
        if values.ndim == 2:
            values = np.asarray(apply_modality_lut(values, content), np.float64)
        middle, width = (float(np.atleast_1d(content.get(name) or 0)[0]) for name in ("WindowCenter", "WindowWidth"))
    except Exception as error:  # every decoder has its own; what they say may quote the file
        raise OSError(f"{UNREADABLE} ({type(error).__name__}{packed})") from None
    if values.ndim == 3:
        deep = values.dtype != np.uint8
        return PIL.Image.fromarray((values >> (8 * values.itemsize - 8)).astype(np.uint8) if deep else values)
    low, high = float(values.min()), float(values.max())
    if width > 1:
        low = middle - 0.5 - (width - 1) / 2
        high = low + width - 1
    grey = np.clip((values - low) * (255 / max(high - low, 1e-6)), 0, 255).round().astype(np.uint8)
    return PIL.Image.fromarray(255 - grey if kind == "MONOCHROME1" else grey)
