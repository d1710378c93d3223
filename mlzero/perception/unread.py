"""Formats that are known and not read, each with the reason and the way out."""

from __future__ import annotations

from pathlib import PurePosixPath

_FORMATS = {
    ".nii .mha .nrrd": "Medical pictures of this format are not read; save them as PNG or TIFF.",
    ".cr2 .cr3 .nef .arw .dng .raf .orf .rw2": "Raw photographs are not read; save them as JPEG or PNG.",
    ".svg .eps .ai .psd": "Drawings of this format are not read; save them as PNG.",
    ".mp4 .avi .mov .mkv .webm .wmv .m4v .mpg .mpeg": "Videos are not read; save single pictures, or the sound as WAV.",
    ".mid .midi": "Notes of MIDI are not read; save the sound as WAV.",
    ".pkl .pickle .joblib .pt .pth": "Stored Python objects may run code when opened; save the table as CSV or Parquet.",
    ".rds .rdata .rda": "Files of R are not read; save the table with write.csv.",
    ".mat": "Files of Matlab are not read; save the table with writetable.",
    ".h5 .hdf5 .nc .zarr .npy .npz .tfrecord": "Arrays of this format are not read; save them as a table, such as CSV.",
    ".mdb .accdb .mdf": "Databases of this format are not read; export the tables as CSV.",
    ".numbers": "Sheets of Numbers are not read; export them as Excel or CSV.",
    ".doc .odt .pages .ppt .pptx .odp .epub": "Documents of this format are not read; save them as PDF or .docx.",
    ".rpt .pbix .twb .twbx .sas7bcat .qvd": "Files of this program are not read; export the data as CSV.",
}
_REASONS = {ending: reason for endings, reason in _FORMATS.items() for ending in endings.split()}


def reason(name: str) -> str | None:
    """Why a file of this name is not read, in one sentence; None for a format that is read or not known."""
    path = PurePosixPath(name.lower().removesuffix(".gz"))
    return _REASONS.get(path.suffix)
