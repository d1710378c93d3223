"""Files of numbers whose folders or names are their classes become rows, unless they are tables of cases."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from mlzero.perception import goal as goals
from mlzero.perception import vocabulary
from mlzero.perception.columns import describe
from mlzero.perception.goal import Brief
from mlzero.perception.kinds import number_files
from mlzero.perception.kinds.file_names import LABEL
from mlzero.perception.kinds.folders import says
from mlzero.perception.kinds.number_classes import FEWEST, find, sets_in
from mlzero.perception.kinds.number_files import OWN_MAKER, OWN_NAME, profiled
from mlzero.perception.override import BY_USER, Overrides
from mlzero.perception.paths import folder_of, name_of
from mlzero.perception.profile import FolderFiles, Profile, ReadPlan, TableProfile
from mlzero.perception.series_words import says_forecast
from mlzero.perception.task import Inferred, Task
from mlzero.perception.wording import find_word, first_of, fold, quote_list
from mlzero.semantic_memory.blocks.number_folders import number_folders

if TYPE_CHECKING:
    import pandas as pd

_ASKS = (
    "which what_kind what_type kind type class* categor* recogni* identif* tell_apart distinguish folder* label* "
    "welche* art sorte klass* kategor* erkenn* ordner cual* tipo clase* clasific* categor* reconoc* carpeta* quel* classe* "
    "file* recording* curve* measurement* datei* aufnahm* kurve* messung* archivo* grabac* curva* fichier* enregistr* courbe* arquivo* "
    "genre categor* reconnai* dossier* qual quais reconhec* pasta* 哪 类别 分类 识别 种类 文件夹 どの 種類 分類 識別 フォルダ"
)
_ASKS_FOLDERS = "folder* ordner carpeta* dossier* pasta* 文件夹 フォルダ"
_COUNTS = "how_many how_much how_long how_far how_high wie_viel* wieviel* wie_lange cuant* combien quant* 多少 いくつ どれくらい"
_FORECAST = "forecast* extrapolat* prognos* hochrechn* pronostic* 预报"  # words that leave no other reading
_STARTS = f"{vocabulary.PREDICT} which what welche* was cual* que quel* qual* how wie como comment"
_SHOWN = 5  # folders that are named
_NEAR = 2  # words between the question and a column that it asks for


class NumberRows:
    """See `Specialist`."""

    def tables(self, data_dir: Path, profile: Profile) -> list[TableProfile]:
        if profile.by_folder is None or profile.by_folder.as_tables:
            return []
        paths = [file.path for file in profile.files if file.kind == "numbers"]
        ending, pattern = profile.by_folder.ending, profile.by_folder.pattern
        bare = any(
            says(PurePosixPath(table.path).name, vocabulary.SAMPLE_NAMES)
            and not any(text.lower().endswith(ending) for text in table.columns[0].examples)
            for table in profile.tables
        )  # fmt: skip
        notes = [file.path for file in profile.files if file.kind != "numbers" and file.path.lower().endswith(ending)]
        made: list[tuple[TableProfile, pd.DataFrame]] = []
        for each in sets_in(paths):
            options: dict[str, Any] = {"ending": ending, **({"bare": True} if bare else {})}
            if each.classes:
                options["label"] = LABEL
            elif pattern and not each.asked:
                options |= {"label": LABEL, "pattern": pattern}
            within = f"{each.folder.path}/" if each.folder.path.name else ""
            skip = [*each.beside, *(path.removeprefix(within) for path in notes if path.startswith(within))]
            options |= {"skip": skip} if skip else {}
            made.append(_made(data_dir, each.folder.path, options))
        varying = dict.fromkeys(name for _, frame in made for name in frame.columns[1:] if frame[name].nunique() > 1)
        for table, frame in made:
            table.columns += [profiled(name, frame) for name in varying if name != LABEL]
        return [table for table, _ in made]

    def task(self, data_dir: Path, profile: Profile, brief: Brief, given: Overrides) -> Task | None:
        """None: once there are tables, the task is one of tables."""
        return None


def taken(
    root: Path, paths: Sequence[str], media: Sequence[str], as_tables: bool | None
) -> tuple[FolderFiles | None, set[str]]:
    """Files whose folders or names may be their classes, and the paths of those that are a row each; see `scan.profile`."""
    found = find(root, paths, media)
    if found is None:
        return None, set()
    folders = decided(found[0], "", None if as_tables is None else not as_tables)
    return folders, set() if folders.as_tables else {*found[1]}


def row_files_of(profile: Profile, main: TableProfile, given: Overrides) -> Inferred[str | None]:
    """Which files of numbers are learnt from: those that belong to the rows of a table, or that are the rows."""
    folders = profile.by_folder
    if folders is None:
        return number_files.row_files_of(main, given)
    more = f" and {len(folders.labels) - _SHOWN} more" if len(folders.labels) > _SHOWN else ""
    named = ", ".join(folders.labels[:_SHOWN]) + more
    value, other = (None, named) if folders.as_tables else (named, None)
    return Inferred[str | None](
        value=value, confidence=folders.confidence, evidence=folders.evidence, alternatives=[other]
    )


def wish_of(folders: FolderFiles, given: Overrides) -> bool | None:
    """Whether corrections want a row a file, or tables since they are about the columns or steps of these; None: neither."""
    steps = given.problem_type == "forecasting" or given.horizon or given.frequency
    if given.row_files is None and (steps or set(given.targets or []) & {*folders.columns}):
        return False
    return given.row_files


def decided(folders: FolderFiles, said: str, wish: bool | None) -> FolderFiles:
    """The folders with the reading that suits: a row a file, or tables whose rows are the cases.

    Parameters
    ----------
    said
        The goal.
    wish
        What the user set, see `wish_of`.
    """
    if wish is not None:
        return folders.model_copy(update={"as_tables": not wish, "confidence": 1.0, "evidence": BY_USER})
    asks = _asks_class(folders, said)
    word = first_of(fold(said), vocabulary.table(_FORECAST)) if asks else says_forecast(said)
    column = _column_asked(folders, said, asks)
    counts = None if asks else first_of(fold(said), vocabulary.table(_COUNTS))
    as_tables = bool(word or column or counts) or not (asks or folders.measured)
    if as_tables:
        why = (
            f'the goal speaks of "{word.rstrip("*")}"' if word
            else f"the goal {column}" if column
            else f'the goal asks "{counts}"' if counts
            else "nothing says that one of these is wanted for each file"
        )  # fmt: skip
        confidence, reading = 0.9 if word or column else 0.6, "they are read as tables"
    else:
        why = f'the goal asks for that ("{asks.rstrip("*")}")' if asks else "they look measured and are numbered"
        confidence = 0.95 if asks and folders.measured else 0.8 if asks else 0.65
        reading = f"each file is a row and {'the word in its name' if folders.pattern else 'its folder'} the answer"
    alike = f"The files {'called' if folders.pattern else 'in the folders'} {quote_list(folders.labels, 3)} all hold the columns"
    evidence = f"{alike} {quote_list(folders.columns, 3)}; {reading}, because {why}."
    return folders.model_copy(update={"as_tables": as_tables, "confidence": confidence, "evidence": evidence})


def advice(profile: Profile) -> str:
    """What to write or to add so that each file of a folder is a case; empty where tables do not lie in folders side by side."""
    if profile.by_folder is not None and profile.by_folder.as_tables:
        labels = quote_list(profile.by_folder.labels, 3)
        return f"If each file is one case and one of {labels} its answer, say so in the goal: which of {labels} is it?"
    held = Counter(folder_of(table.path) for table in profile.tables if table.read.format != "made")
    beside = [folder for folder, count in held.items() if folder and count >= FEWEST]
    if len({folder_of(folder) for folder in beside}) == len(beside):
        return ""
    return (
        f"If each file of the folders {quote_list(sorted(map(name_of, beside)), 3)} is one case, put them into one folder under "
        "names of their own, and beside it a table with a row a file: its name in one column, the answer in another."
    )


def _asks_class(folders: FolderFiles, said: str) -> str | None:
    """The words with which a goal asks for a class: names of some, or of measured files such as "which"."""
    folded = fold(said)
    labels = [label for label in folders.labels if find_word(folded, fold(label.replace("_", " "))) >= 0]
    words = vocabulary.table(_ASKS if folders.measured else _ASKS_FOLDERS)
    return " and ".join(labels[:2]) if len(labels) > 1 else first_of(folded, words)


def _column_asked(folders: FolderFiles, said: str, asks_class: str | None) -> str | None:
    """How the goal asks for a column of the files; where it asks for a class, the column has to stand beside the question."""
    folded = fold(said)
    for name in folders.columns:
        found = goals.mention(name, said)
        if re.fullmatch(r"column \d+", name) or found is None or found.quality < 0.9:
            continue
        if goals.wanted(found.place, said) >= 0 and (not asks_class or _beside_question(folded[: found.place])):
            return f'names "{name}"'
    for word, called in goals.concepts(said) if not asks_class else ():
        if column := next((name for name in folders.columns if goals.called(name, called)), None):
            return f'speaks of "{word}", which fits "{column}"'
    return None


def _beside_question(before: str) -> bool:
    """Whether a text ends with "predict" or "which", or a word or two behind it."""
    near = " ".join(re.findall(r"[^\W_]+", before)[-_NEAR - 1 :])
    return first_of(near, vocabulary.table(_STARTS)) is not None


def _made(data_dir: Path, place: PurePosixPath, options: dict[str, Any]) -> tuple[TableProfile, pd.DataFrame]:
    """A folder as a table, as yet without the columns of numbers, and its rows."""
    rows = number_folders(data_dir / place, **options)
    own = [name for name in (OWN_NAME, LABEL) if name in rows]
    columns = [describe(name, name, rows[name]) for name in own]
    for column in columns:
        column.kind = "identifier" if column.name == OWN_NAME else "category"
        column.number, column.date, column.missing_markers = None, None, []  # "0" and "none" are names as well
    empty = rows[OWN_NAME][rows.drop(columns=own).isna().all(axis=1)]
    by = "name tells" if "pattern" in options else "folder is"
    told = f", whose {by} the label" if LABEL in own else ""
    notes = [f"One row a file of numbers{told}."]
    if len(empty):
        notes.append(f"{len(empty):,} of the files hold no numbers or are damaged, such as {empty.iloc[0]}.")
    path = place.as_posix()
    table = TableProfile(
        key="." if path == "." else f"{path}/", path=path, rows=len(rows), columns=columns, notes=notes,
        read=ReadPlan(format="made", maker=OWN_MAKER, options=options, has_header=False),
    )  # fmt: skip
    return table, rows
