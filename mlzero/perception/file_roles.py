"""The role of every table and of every other file of an upload, from those that its tables were given."""

from __future__ import annotations

from pathlib import PurePosixPath
from posixpath import normpath

from mlzero.perception.profile import Profile
from mlzero.perception.roles import Roles
from mlzero.perception.task import FileRole, Inferred, Role

_BESIDE = frozenset({"image", "audio", "numbers"})  # kinds of files that belong to rows of a table


def files_of(profile: Profile, roles: Roles) -> Inferred[list[FileRole]]:
    """What each table and each other file is used for."""
    found = [FileRole(path=table.key, role=roles.role_of(table)) for table in profile.tables]
    with_tables = {table.path for table in profile.tables}
    with_answers = {
        normpath(f"{PurePosixPath(table.path).parent}/{table.read.options['answers']}"): roles.role_of(table)
        for table in profile.tables
        if "answers" in table.read.options
    }
    described = {document.path for document in profile.documents}
    for file in profile.files:
        if file.path in with_tables:
            continue
        role: Role = "ignored"
        if file.path in with_answers:
            role = with_answers[file.path]
        elif file.path in described:
            role = "description"
        elif file.kind in _BESIDE:
            role = "media"
        found.append(FileRole(path=file.path, role=role))
    return Inferred[list[FileRole]](value=found, confidence=roles.confidence, evidence=roles.evidence)
