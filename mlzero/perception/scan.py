"""Walk an upload and profile every file. A file that cannot be read is listed with its problem, never fatal."""

from __future__ import annotations

import contextlib
import logging
import os
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Literal

from mlzero.perception import dictionary, documents, glossaries, headerless, names, sniff, together, unread
from mlzero.perception import encodings as old_encodings
from mlzero.perception.archives import is_archive
from mlzero.perception.kinds import specialists
from mlzero.perception.litter import LITTER_FOLDERS, is_litter_name
from mlzero.perception.paths import ending_of, folder_of, name_of
from mlzero.perception.profile import (
    DocumentProfile,
    EncodingGuess,
    FileKind,
    FileProfile,
    FolderFiles,
    Profile,
    TableProfile,
)
from mlzero.perception.readers import Found, NotATable, Reader, reader_for
from mlzero.perception.tables import profile_table

log = logging.getLogger(__name__)

_TAGGED = {".conll", ".iob", ".iob2", ".bio", ".conllu"}  # tokens in columns, sentences parted by blank lines
_TEXTS = frozenset({"delimited", "json", "arff", "html", "xml"})  # formats of files that may also be prose
ENCODED = frozenset({"delimited", "arff", "json", "jsonl"})  # formats of texts that do not tell their encoding
_READ = 200_000  # bytes by whose letters encodings are compared
_MANY = 30  # text files of one kind in one folder: a collection of texts, not descriptions


@dataclass
class _File:
    """A file on its way through the scan."""

    place: str
    relative: str
    ending: str
    profile: FileProfile
    reader: Reader | None = None
    found: list[Found] = field(default_factory=list)
    tables: list[TableProfile] = field(default_factory=list)
    text: str | None = None
    encoding: str | None = None  # that the user set

    @property
    def path(self) -> Path:
        return Path(self.place)


@dataclass
class _Explained:
    """A table that may be a data dictionary."""

    file: _File
    found: Found
    glossary: glossaries.Glossary


def profile(data_dir: Path, encodings: Mapping[str, str] | None = None, as_tables: bool | None = None) -> Profile:
    """Profile every file below a folder, or a single file.

    Tables are read once each, several at a time; documents give their text.

    Parameters
    ----------
    encodings
        Of text files by their path below the folder, where the user knows better.
    as_tables
        Whether files of numbers whose folders may be their classes are tables all the same; None: as they look.
    """
    began = time.monotonic()
    root = data_dir if data_dir.is_dir() else data_dir.parent
    files = [_first_look(*found) for found in _walk(data_dir)]
    for file in files:
        file.encoding = (encodings or {}).get(file.relative)
    _mark_collections(files)
    by_folder = _mark_numbers(files, root, as_tables)
    with ThreadPoolExecutor(max_workers=max(2, os.cpu_count() or 2)) as pool:
        list(pool.map(_find, [f for f in files if f.reader or f.profile.kind in ("table", "document", "text")]))
        texts = [file.text for file in files if file.text]
        explained = _glossaries(files)
        _name_columns(files, texts, explained)
        _set_aside(files, explained)
        list(pool.map(lambda file: _read(file, root), [file for file in files if file.found]))
    tables = [table for file in files for table in file.tables]
    headerless.name_columns(tables)
    together.settle(tables)
    found = Profile(
        root=str(root),
        files=[file.profile for file in files],
        tables=tables,
        documents=[
            DocumentProfile(path=f.relative, text=f.text)
            for f in files
            if f.text and (f.profile.kind == "document" or f.found)
        ],
        encodings=dict(encodings or {}),
        by_folder=by_folder,
    )
    for specialist in specialists():
        found.tables += specialist.tables(root, found)
    found.seconds = round(time.monotonic() - began, 3)
    return found


def _walk(data_dir: Path) -> list[tuple[str, str, int]]:
    """Path, path below the folder and size of every file, in order."""
    if data_dir.is_file():
        return [(str(data_dir), data_dir.name, data_dir.stat().st_size)]
    found: list[tuple[str, str, int]] = []
    folders = [(str(data_dir), "")]
    while folders:
        folder, below = folders.pop()
        inner = []
        with contextlib.suppress(OSError), os.scandir(folder) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                if entry.is_dir(follow_symlinks=False):
                    if entry.name.lower() not in LITTER_FOLDERS:
                        inner.append((entry.path, f"{below}{entry.name}/"))
                elif not is_litter_name(entry.name) and entry.is_file():
                    found.append((entry.path, below + entry.name, entry.stat().st_size))
        folders += reversed(inner)
    return found


def _first_look(place: str, relative: str, size: int) -> _File:
    """The kind of a file by its name."""
    from mlzero.semantic_memory.blocks.files import unnamed_dicom

    name, ending = name_of(relative), ending_of(relative)
    kind: FileKind = "other"
    reader = None
    if ending in _media():
        kind = _media()[ending]
    elif unnamed_dicom(place):
        kind = "image"
    elif is_archive(name):
        kind = "archive"
    elif ending in documents.EXTENSIONS:
        kind, reader = "document", reader_for(Path(place))  # a page or XML file may be a table
    elif ending in _TAGGED:
        kind = "text"
    elif reader := reader_for(Path(place)):
        kind = "table"
    problem = unread.reason(name) if kind == "other" else None
    return _File(place, relative, ending, FileProfile(path=relative, kind=kind, bytes=size, problem=problem), reader)


@cache
def _media() -> dict[str, FileKind]:
    """Pictures and recordings by the endings of their names."""
    from mlzero.semantic_memory.blocks.files import MEDIA

    kinds: tuple[Literal["image", "audio"], ...] = ("image", "audio")
    return {ending: kind for kind in kinds for ending in MEDIA[kind]}


def _mark_collections(files: list[_File]) -> None:
    """Many small texts in one folder are examples, not descriptions, and none is read as a table."""
    text_like = (".txt", ".md", ".html", ".htm", ".pdf", ".docx", ".xml")
    texts = [file for file in files if file.ending in text_like]
    together = Counter((folder_of(file.relative), file.ending) for file in texts)
    for file in texts:
        ending = file.ending
        if together[folder_of(file.relative), ending] > _MANY:
            file.profile.kind, file.reader = "document" if ending in (".pdf", ".docx") else "text", None
            file.text = ""


def _mark_numbers(files: list[_File], root: Path, as_tables: bool | None) -> FolderFiles | None:
    """Files of numbers that belong to the rows of a table, or are a row each, are no tables themselves."""
    from mlzero.perception.kinds.number_rows import taken
    from mlzero.perception.kinds.number_sets import belonging

    kinds = {file.relative: file.profile.kind for file in files}
    paths = [path for path, kind in kinds.items() if kind in ("table", "text", "other")]
    media = [path for path, kind in kinds.items() if kind in ("image", "audio")]
    folders, numbers = taken(root, paths, media, as_tables)
    numbers = numbers or belonging(root, paths, media)
    for file in files:
        if file.relative in numbers:
            file.profile.kind, file.profile.problem, file.reader, file.text = "numbers", None, None, ""
    return folders


def _find(file: _File) -> None:
    """Find the tables of a file, or its text."""
    if file.text is not None:
        return
    try:
        if file.profile.bytes == 0 and file.profile.kind in ("table", "document", "text"):
            file.profile.problem = "The file is empty."
        elif file.reader is not None:
            _find_tables(file)
        elif file.profile.kind == "document":
            file.text = documents.text_of(file.path)
    except (documents.Unreadable, NotATable) as error:
        file.profile.problem = str(error)
    except sniff.NotText:
        file.profile.kind = "other"
        file.profile.problem = "The file is neither a table nor text."
    except Exception as error:  # whatever a library says about a broken file, the others go on
        _broken(file, error)


def _find_tables(file: _File) -> None:
    assert file.reader is not None
    try:
        file.found = file.reader.find(file.path, file.encoding)
        file.profile.kind = "table"
    except NotATable as error:
        if not _TEXTS & set(file.reader.formats):
            raise
        file.reader = None
        file.text = documents.text_of(file.path)
        data = file.ending in (".json", ".geojson", ".jsonl")
        file.profile.kind = "other" if data else "document"
        if data:
            file.profile.problem = str(error)
    except sniff.NotText:
        file.reader = None
        file.profile.kind = "other"
        if file.ending in (".csv", ".tsv", ".txt"):
            file.profile.problem = "The file is not text although its name says so."


def _broken(file: _File, error: Exception) -> None:
    log.info("cannot read %s", file.relative, exc_info=error)
    text = str(error).strip().splitlines()
    reason = f": {text[0][:150].rstrip('.')}" if text else ""
    file.profile.problem = f"The file is damaged or written in an unknown way ({type(error).__name__}{reason})."
    file.found, file.tables = [], []


def _glossaries(files: Sequence[_File]) -> list[_Explained]:
    """The tables that may explain columns of others."""
    explained = []
    for file in files if sum(len(file.found) for file in files) > 1 else ():
        for found in file.found:
            with contextlib.suppress(Exception):  # see _find; such a file says so when it is read as a table
                if found.written and (glossary := glossaries.read(file.path, found)):
                    explained.append(_Explained(file, found, glossary))
    return explained


def _set_aside(files: Sequence[_File], explained: Sequence[_Explained]) -> None:
    """Make descriptions of the tables that explain the columns of others."""
    apart = [id(each.found) for each in explained]
    columns = {name for file in files for found in file.found if id(found) not in apart for name in found.names}
    for each in explained:
        if glossaries.explains(each.glossary, columns):
            each.file.found = [found for found in each.file.found if found is not each.found]
            each.file.text = "\n".join(filter(None, [each.file.text, each.glossary.text]))
            if not each.file.found:
                each.file.profile.kind = "document"


def _name_columns(files: Sequence[_File], texts: Sequence[str], explained: Sequence[_Explained]) -> None:
    """Give headerless tables the names that a description lists in their order."""
    bare = [found for file in files for found in file.found if not found.written]
    lists = [columns for text in texts for columns in dictionary.lists_in(text)]
    lists += [each.glossary.names for each in explained]
    widths = [len(found.names) for found in bare]
    for found in bare:
        listed = dictionary.names_for(len(found.names), lists, widths)
        if listed:
            found.names, _ = names.settle(listed, len(listed))
            found.written = listed
            found.plan.names = found.names
            found.notes = [note for note in found.notes if "no header row" not in note]
            found.notes.append("The file has no header row; the column names come from the description.")


def _read(file: _File, root: Path) -> None:
    """Read and profile the tables that were found."""
    try:
        for found in file.found:
            sheet = found.plan.sheet
            key = file.relative if sheet is None else f"{file.relative}#{sheet}"
            table = profile_table(root, file.relative, key, found)
            table.encoding = _guess(file, found)
            file.tables.append(table)
    except Exception as error:  # see _find
        _broken(file, error)
    if file.found and not file.tables and not file.profile.problem:
        file.profile.problem = "The file holds no rows."


def _guess(file: _File, found: Found) -> EncodingGuess | None:
    """How else the text of a table may be encoded; None where the file tells it."""
    plan = found.plan
    if plan.format not in ENCODED or (plan.encoding.startswith("utf") and file.encoding is None):
        return None
    with sniff.open_bytes(file.path) as opened:
        confidence, readings = old_encodings.readings(opened.read(_READ), plan.encoding)
    return EncodingGuess(confidence=1.0 if file.encoding else confidence, readings=readings)
