"""Text files in folders that are their classes: one row a file."""

from __future__ import annotations

from collections import Counter
from pathlib import Path, PurePosixPath

from mlzero.perception import vocabulary
from mlzero.perception.columns import describe
from mlzero.perception.goal import Brief
from mlzero.perception.override import Overrides
from mlzero.perception.profile import FileProfile, Profile, ReadPlan, TableProfile
from mlzero.perception.task import Task
from mlzero.perception.wording import first_of, fold
from mlzero.semantic_memory.blocks.text_files import text_files

FEWEST = 5  # files of a folder that is a class
ENDINGS = (".txt", ".text", ".md", ".html", ".htm", ".eml", "")
LABEL = "label"


class TextFolders:
    """See `Specialist`."""

    def tables(self, data_dir: Path, profile: Profile) -> list[TableProfile]:
        files = [f for f in profile.files if f.kind in ("text", "document", "other") and _ending(f.path) in ENDINGS]
        held = Counter(PurePosixPath(f.path).parent for f in files)
        classes: dict[PurePosixPath, list[PurePosixPath]] = {}
        for folder, count in held.items():
            if count >= FEWEST and folder != PurePosixPath(".") and not _says(folder, vocabulary.TEST_NAMES):
                classes.setdefault(folder.parent, []).append(folder)
        tops = [top for top, folders in classes.items() if len(folders) > 1]
        if not tops or profile.tables:
            return []
        inside = {folder for top in tops for folder in classes[top]}
        apart = [f for f, n in held.items() if n >= FEWEST and f not in inside and f != PurePosixPath(".")]
        used = [f for f in files if PurePosixPath(f.path).parent in {*inside, *apart}]
        endings = sorted({_ending(f.path) for f in used})
        made = [_table(data_dir, top, LABEL, endings, _beside(top, inside, held)) for top in tops]
        made += [_table(data_dir, folder, "", endings, _beside(folder, {folder}, held)) for folder in apart]
        _no_descriptions(profile, used)
        return made

    def task(self, data_dir: Path, profile: Profile, brief: Brief, given: Overrides) -> Task | None:
        """None: once there are tables, the task is one of tables."""
        return None


def _ending(path: str) -> str:
    """The ending of a file's name; a number is none (`sci.space/59848`, `mail.0123`)."""
    suffix = PurePosixPath(path).suffix.lower()
    return "" if suffix[1:].isdigit() else suffix


def _says(folder: PurePosixPath, words: str) -> bool:
    return first_of(fold(folder.name.replace("_", " ")), vocabulary.table(words)) is not None


def _beside(top: PurePosixPath, kept: set[PurePosixPath], held: Counter[PurePosixPath]) -> list[str]:
    """Folders below `top` whose files are no rows of its table."""
    others = [folder for folder in held if folder not in kept and top in folder.parents]
    return sorted(folder.relative_to(top).as_posix() for folder in others)


def _table(data_dir: Path, top: PurePosixPath, label: str, endings: list[str], skip: list[str]) -> TableProfile:
    options = {"label": label, "endings": endings, "skip": skip}
    options = {name: value for name, value in options.items() if value}
    frame = text_files(data_dir / top, **options)  # type: ignore[arg-type]
    direct = frame[label].isna() if label else frame["file"].isna()
    if direct.any():  # a readme above the classes is no row
        options["skip"] = [*skip, *frame.loc[direct, "file"]]
        frame = frame[~direct].reset_index(drop=True)
    columns = [describe(name, name, frame[name]) for name in frame.columns]
    columns[0].kind = "identifier"
    return TableProfile(
        key=top.as_posix() if top != PurePosixPath(".") else "files",
        path=top.as_posix(),
        read=ReadPlan(format="made", maker="text_files", options=options),
        rows=len(frame),
        columns=columns,
        duplicate_rows=int(frame.duplicated(["text"]).sum()),
        notes=[f"One row a text file; its folder is its {label}." if label else "One row a text file."],
    )


def _no_descriptions(profile: Profile, used: list[FileProfile]) -> None:
    """What is a row is no description of the data."""
    paths = {file.path for file in used}
    profile.documents = [document for document in profile.documents if document.path not in paths]
    for file in used:
        file.kind = "text"
