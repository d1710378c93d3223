"""Small real files of every format, for tests that damage them."""

from __future__ import annotations

import io
import sqlite3
import tarfile
import tempfile
import zipfile
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import py7zr
import pydicom
import pyreadstat
import soundfile
from PIL import Image
from pydicom.dataset import FileMetaDataset
from pydicom.uid import CTImageStorage, ExplicitVRLittleEndian, generate_uid

ROWS = pd.DataFrame(
    {
        "code": [f"{n:03}" for n in range(40)],
        "size": np.linspace(0, 9, 40).round(2),
        "kind": ["a", "b", "c", "b"] * 10,
        "sold": ["yes", "no"] * 20,
    }
)
PATIENT = "Zacharias^Quendolin"


@cache
def real_files() -> dict[str, bytes]:
    """Content by file name."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ROWS.to_csv(folder / "a.csv", index=False)
        ROWS.to_csv(folder / "a.tsv", index=False, sep="\t", encoding="utf-16")
        for packing in ("gz", "bz2", "xz", "zst"):
            ROWS.to_csv(folder / f"a.csv.{packing}", index=False)
        ROWS.to_excel(folder / "a.xlsx", index=False)
        ROWS.to_parquet(folder / "a.parquet")
        ROWS.to_feather(folder / "a.feather")
        ROWS.to_orc(folder / "a.orc")
        ROWS.to_json(folder / "a.json", orient="records")
        ROWS.to_json(folder / "a.jsonl", orient="records", lines=True)
        ROWS.to_html(folder / "a.html")
        ROWS.to_xml(folder / "a.xml")
        pyreadstat.write_sav(ROWS, str(folder / "a.sav"))
        pyreadstat.write_dta(ROWS, str(folder / "a.dta"))
        pyreadstat.write_xport(ROWS, str(folder / "a.xpt"))
        with closing(sqlite3.connect(folder / "a.db")) as database:
            ROWS.to_sql("a", database, index=False)
        (folder / "a.arff").write_text(
            "@relation a\n@attribute size numeric\n@attribute sold {yes,no}\n@data\n"
            + "".join(f"{row.size},{row.sold}\n" for row in ROWS[["sold"]].assign(size=ROWS["size"]).itertuples())
        )
        (folder / "a.conll").write_text("Ann B-PER\nruns O\n\nBob B-PER\n" * 5)
        for ending in ("png", "jpg", "gif", "bmp", "tif", "webp"):
            Image.fromarray(np.arange(1200, dtype=np.uint8).reshape(20, 20, 3)).save(folder / f"a.{ending}")
        scan(folder / "a.dcm", np.arange(400, dtype=np.int16).reshape(20, 20))
        for ending in ("wav", "flac", "ogg", "mp3"):
            soundfile.write(folder / f"a.{ending}", np.sin(np.arange(4000) / 9), 8000)
        with zipfile.ZipFile(folder / "a.docx", "w") as packed:
            packed.writestr("word/document.xml", "<w:p><w:t>Predict whether it is sold.</w:t></w:p>")
        (folder / "a.pdf").write_bytes(pdf("Predict whether it is sold."))
        (folder / "a.rtf").write_text(r"{\rtf1 Predict \b sold\b0 .}")
        table = ROWS.to_csv(index=False).encode()
        with zipfile.ZipFile(folder / "a.zip", "w") as packed:
            packed.writestr("a.csv", table)
        with tarfile.open(folder / "a.tar.gz", "w:gz") as packed_tar:
            info = tarfile.TarInfo("a.csv")
            info.size = len(table)
            packed_tar.addfile(info, io.BytesIO(table))
        with py7zr.SevenZipFile(folder / "a.7z", "w") as packed_7z:
            packed_7z.writestr(table, "a.csv")
        return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def pdf(text: str) -> bytes:
    """A page with one line."""
    stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode()
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    body, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj%s\nendobj\n" % (number, content)
    table = b"xref\n0 6\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % place for place in places)
    return body + table + b"trailer<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % len(body)


def scan(path: Path, values: np.ndarray, **tags: Any) -> Path:
    """A DICOM file with a patient's name in it; `values` are height x width, or pictures x height x width."""
    content = pydicom.Dataset()
    content.file_meta = FileMetaDataset()
    content.file_meta.TransferSyntaxUID = ExplicitVRLittleEndian
    content.file_meta.MediaStorageSOPClassUID = content.SOPClassUID = CTImageStorage
    content.file_meta.MediaStorageSOPInstanceUID = content.SOPInstanceUID = generate_uid()
    content.PatientName, content.PatientID = PATIENT, "4711-ZQ"
    content.Rows, content.Columns = values.shape[-2:]
    content.SamplesPerPixel, content.PhotometricInterpretation = 1, "MONOCHROME2"
    content.BitsAllocated, content.BitsStored, content.HighBit = 16, 16, 15
    content.PixelRepresentation = int(values.dtype == np.int16)
    if values.ndim == 3:
        content.NumberOfFrames = len(values)
    content.PixelData = values.tobytes()
    for tag, value in tags.items():
        setattr(content, tag, value)
    path.parent.mkdir(parents=True, exist_ok=True)
    content.save_as(path, enforce_file_format=True)
    return path
