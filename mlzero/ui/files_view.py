"""The files of an upload, on the card that says what was understood."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from mlzero.perception.profile import FileProfile, Profile, TableProfile
from mlzero.perception.task import Task
from mlzero.ui import texts

FEW = 5  # more pictures, recordings or texts of one folder are shown as one line
MOST = 500  # lines


def draw(profile: Profile, task: Task | None) -> DeltaGenerator:
    """All files in a folded box: what each holds, what it is used for, what is wrong with it. Returns the box."""
    roles = {entry.path: entry.role for entry in task.files.value} if task else {}
    box = st.expander(f"Files ({len(profile.files)})", icon=":material/folder_open:", key="card_files")
    with box:
        many, single = _collections(profile)
        rows = [
            {
                "File": f"{folder or '.'}/",
                "Holds": held,
                "Used": used(f"{folder}/", roles),
                "Size": texts.size(size),
                "Problem": "",
            }
            for folder, held, size in many
        ]
        for file in single[:MOST]:
            tables = [t for t in profile.tables if t.path == file.path]
            named = next((t.key for t in tables if t.key in roles), file.path)
            rows.append(
                {
                    "File": file.path,
                    "Holds": "; ".join(_shape(t) for t in tables) or file.kind,
                    "Used": used(named, roles),
                    "Size": texts.size(file.bytes),
                    "Problem": file.problem or "",
                }
            )
        if not any(row["Problem"] for row in rows):
            for row in rows:
                del row["Problem"]
        st.dataframe(rows, hide_index=True, alt="Files of the upload")
        if len(single) > MOST:
            st.text(f"and {len(single) - MOST:,} more files")
        if task and task.files.evidence:
            st.text(task.files.evidence)
    return box


def used(path: str, roles: Mapping[str, str]) -> str:
    """What a file or folder is used for; files of a folder whose rows they are, as the folder is."""
    folders = [key for key in roles if key.endswith("/") and path.startswith(key)]
    role = roles[max(folders, key=len)] if folders else roles.get(path, "")
    return texts.ROLES.get(role, "")


def _collections(profile: Profile) -> tuple[list[tuple[str, str, int]], list[FileProfile]]:
    """Folders of many undamaged files of one kind (folder, what they are, bytes), and the files to be listed singly."""
    groups: dict[tuple[str, str], list[FileProfile]] = {}
    for file in profile.files:
        if file.kind in ("image", "audio", "text", "document", "numbers") and not file.problem:
            folder = file.path.rpartition("/")[0]
            folder = folder.partition("/")[0] if file.kind == "numbers" else folder  # each may have a folder of its own
            groups.setdefault((folder, file.kind), []).append(file)
    large = {key: files for key, files in groups.items() if len(files) > FEW}
    listed = {id(file) for files in large.values() for file in files}
    many = [
        (folder, f"{len(files):,} {texts.MEDIA[kind]}", sum(f.bytes for f in files))
        for (folder, kind), files in large.items()
    ]
    return many, [file for file in profile.files if id(file) not in listed]


def _shape(table: TableProfile) -> str:
    sheet = f"{table.key.partition('#')[2]}: " if "#" in table.key else ""
    return f"{sheet}{table.rows:,} rows, {len(table.columns)} columns"
