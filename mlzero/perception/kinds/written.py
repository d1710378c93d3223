"""Documents as rows: PDF and Word files in folders of classes or named by a table, not those that describe the data."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from mlzero.perception.kinds.media import Media, may_name_files, ways_to_name
from mlzero.perception.profile import FileProfile, Profile, TableProfile

_WRITTEN = (".pdf", ".docx", ".rtf")
_FEWEST = 8  # documents that are rows and no descriptions


class Written(Media):
    """See `Media`."""

    def files(self, profile: Profile) -> list[FileProfile]:
        """PDF, Word and RTF files when there are many and no table, or a table names them."""
        files = [f for f in profile.files if f.path.lower().endswith(_WRITTEN) and f.kind == "document"]
        known = ways_to_name([f.path for f in files])
        named = any(may_name_files(column, known) for table in profile.tables for column in table.columns)
        return files if named or (len(files) >= _FEWEST and not profile.tables) else []

    def tables(self, data_dir: Path, profile: Profile) -> list[TableProfile]:
        made = super().tables(data_dir, profile)
        columns = [
            column for table in [*made, *profile.tables] for column in table.columns if column.kind == "document"
        ]
        if columns:  # what is a row describes nothing
            folders = {table.path for table in made} | {column.media.folder for column in columns if column.media}
            rows = {f.path for f in self.files(profile)}
            profile.documents = [
                document
                for document in profile.documents
                if document.path not in rows or not _below(document.path, folders)
            ]
        return made


def _below(path: str, folders: set[str]) -> bool:
    parents = {parent.as_posix() for parent in PurePosixPath(path).parents}
    return bool(parents & {folder or "." for folder in folders})


SPECIALIST = Written("document", "document")
