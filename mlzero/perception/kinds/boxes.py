"""Pictures with boxes around things: COCO, Pascal VOC, LabelMe, YOLO, or a table of boxes."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path, PurePosixPath
from typing import Any

from mlzero.perception.goal import Brief
from mlzero.perception.kinds import legend as legends
from mlzero.perception.kinds import picture_words, pictures
from mlzero.perception.kinds.picture_tasks import is_to_come, picture_task
from mlzero.perception.override import Overrides
from mlzero.perception.paths import ending_of, folder_of, name_of, stem_of
from mlzero.perception.profile import ColumnProfile, Profile, ReadPlan, TableProfile
from mlzero.perception.task import Inferred, OutputPlan, Task
from mlzero.perception.wording import fold

MAKER, OPEN_MAKER = "pictures_with_boxes", "pictures_to_search"
_YOLO = re.compile(r"^\s*\d+(\s+[01]?\.?\d+(e-?\d+)?){4,}\s*$", re.I)
_LARGEST = 300_000_000  # bytes of a COCO file
_FORMS = {
    "coco": "a COCO file", "voc": "Pascal VOC files", "labelme": "LabelMe files", "yolo": "YOLO text files",
    "table": "a table of boxes",
}  # fmt: skip
_A_FILE_EACH = (("voc", ".xml", "<bndbox>"), ("labelme", ".json", '"shapes"'))  # how each picture's file is known
_PICTURE_NAMES = "image filename file_name image_id image_path file path img picture image_name name".split()
_LABEL_NAMES = "label class category class_name category_name cell_type type labels object".split()
_CORNERS = (("xmin", "ymin", "xmax", "ymax"), ("x1", "y1", "x2", "y2"), ("left", "top", "right", "bottom"))
_BOX_NAME = re.compile(r"box|rect|roi", re.I)
_FOUR = re.compile(r"\s*[\[(]?\s*-?\d+(\.\d+)?([,;\s]+-?\d+(\.\d+)?){3}\s*[\])]?\s*")
_SIDES = (("x", "y", "width", "height"), ("x", "y", "w", "h"), ("left", "top", "width", "height"))


class Boxes:
    """See `Specialist`."""

    def tables(self, data_dir: Path, profile: Profile) -> list[TableProfile]:
        files = [file.path for file in profile.files if file.kind == "image"]
        plans = _plans(data_dir, profile, files) if files else []
        if not plans:
            return []
        pictures.check(data_dir, [file for file in profile.files if file.kind == "image"])
        damaged = [file.path for file in profile.files if file.kind == "image" and file.problem]
        made: list[TableProfile] = []
        for options in plans:
            inside = f"{options['pictures']}/" if options["pictures"] else ""
            if own := [path for path in damaged if path.startswith(inside)]:
                options["without"] = own
            table = _annotated(data_dir, options)
            if table is not None:
                made.append(table)
        noted = {str(plan["annotations"]) for plan in plans if plan["form"] == "labelme"}
        profile.tables[:] = [
            table for table in profile.tables
            if not (table.path.lower().endswith(".json") and folder_of(table.path) in noted)
        ]  # fmt: skip
        used = _used(data_dir, made)
        whole = {file.path for file in profile.files if not file.problem}
        left: dict[str, list[str]] = {}
        for file in files:
            if file not in used and file in whole:
                left.setdefault(folder_of(file), []).append(file)
        for folder, rest in sorted(left.items()):
            same = next((t for t in made if t.read.options["pictures"] == folder), None)
            made.append(_open(folder, rest, same.read.options if same else None))
        return made

    def task(self, data_dir: Path, profile: Profile, brief: Brief, given: Overrides) -> Task | None:
        train = [table for table in profile.tables if table.read.maker == MAKER]
        if not train or given.problem_type not in (None, "detection"):
            return None
        test = [table for table in profile.tables if table.read.maker == OPEN_MAKER]
        apart = [table for table in test if not table.read.options.get("but_not")]
        test = [table for table in apart if is_to_come(table)] or apart or test
        asked = [table for table in train if is_to_come(table)]
        if asked and len(asked) < len(train) and not test:
            train, test = [table for table in train if table not in asked], asked
        counts: Counter[str] = Counter()
        for table in train:
            column = table.column("boxes")
            counts.update(dict(column.top) if column else {})
        form = str(train[0].read.options["form"])
        output, evidence = _output(form, brief)
        rows = sum(table.rows for table in train)
        task = picture_task(
            profile, brief, given, train=train, test=test, target="boxes", problem_type="detection",
            evidence=f"{_FORMS[form][0].upper()}{_FORMS[form][1:]} gives {sum(counts.values()):,} boxes of {len(counts)} kinds in {rows:,} pictures.",
            metric=picture_words.metric_of("detection", brief),
            output=Inferred[OutputPlan](value=output, confidence=0.85, evidence=evidence), identifier="image_id",
        )  # fmt: skip
        task.labels = [label for label, _ in counts.most_common()]
        return task


def _output(form: str, brief: Brief) -> tuple[OutputPlan, str]:
    said = fold(brief.said)
    columns = ["image", "label", "xmin", "ymin", "xmax", "ymax", "score"]
    if re.search(r"\bcsv\b", said) or (form != "coco" and not re.search(r"\bcoco\b|\bjson\b", said)):
        return OutputPlan(file_name="predictions.csv", format="csv", columns=columns), "A table with a line a box."
    return OutputPlan(
        file_name="predictions.json", format="coco", columns=columns
    ), "COCO results, as the annotations are."


def _plans(data_dir: Path, profile: Profile, files: list[str]) -> list[dict[str, Any]]:
    """How annotations can be read: keywords of the block, one an annotation file or folder."""
    return _coco(data_dir, profile, files) or _a_file_each(data_dir, profile, files) or _table(profile, files) or _yolo(data_dir, profile, files)  # fmt: skip


def _coco(data_dir: Path, profile: Profile, files: list[str]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for file in profile.files:
        if not file.path.lower().endswith(".json") or file.bytes > _LARGEST:
            continue
        try:
            content = json.loads((data_dir / file.path).read_text(encoding="utf-8-sig"))
        except (ValueError, OSError):
            continue
        if not isinstance(content, dict) or not content.get("annotations") or not content.get("categories"):
            continue
        entries = content.get("images")
        if (
            isinstance(entries, list)
            and isinstance(content["annotations"][0], dict)
            and "bbox" in content["annotations"][0]
        ):
            names = {str(entry.get("file_name", "")).replace("\\", "/").rsplit("/", 1)[-1].lower() for entry in entries}
            found.append({"form": "coco", "annotations": file.path, "pictures": _folder_of(files, names, file.path)})
            found[-1]["categories"] = {str(entry["name"]): entry["id"] for entry in content["categories"]}
    return found


def _folder_of(files: list[str], names: set[str], beside: str) -> str:
    """The folder with most of the pictures; of equal ones that which shares more with where the annotations are."""
    counts = Counter(folder_of(file) for file in files if name_of(file).lower() in names)
    own = set(PurePosixPath(beside).parts) | set(re.split(r"[\W_]+", PurePosixPath(beside).stem))
    return max(counts, key=lambda f: (counts[f], len(own & set(PurePosixPath(f).parts))), default="")


def _a_file_each(data_dir: Path, profile: Profile, files: list[str]) -> list[dict[str, Any]]:
    """Folders with an annotation file for each picture."""
    endings = tuple(ending for _, ending, _ in _A_FILE_EACH)
    if not any(file.path.lower().endswith(endings) for file in profile.files):
        return []
    stems = {stem_of(file).lower() for file in files}
    folders: dict[tuple[str, str], list[str]] = {}
    for file in profile.files:
        if file.path.lower().endswith(endings) and (stem_of(file.path).lower() in stems or len(files) < 3):
            folders.setdefault((folder_of(file.path), ending_of(file.path)), []).append(file.path)
    found = []
    for form, ending, sign in _A_FILE_EACH:
        for (folder, suffix), paths in folders.items():
            if suffix != ending or len(paths) < 2:
                continue
            if sign in (data_dir / min(paths)).read_text(encoding="utf-8-sig", errors="replace"):
                names = {p.stem.lower() for p in (data_dir / folder).glob(f"*{ending}")}
                found.append({"form": form, "annotations": folder, "pictures": _folder_by_stems(files, names, folder)})
    return found


def _folder_by_stems(files: list[str], stems: set[str], beside: str) -> str:
    by_stem = {name_of(f).lower() for f in files if stem_of(f).lower() in stems}
    return _folder_of(files, by_stem, f"{beside}/x")


def _yolo(data_dir: Path, profile: Profile, files: list[str]) -> list[dict[str, Any]]:
    from mlzero.semantic_memory.blocks.files import is_dicom

    written = [file.path for file in profile.files if ending_of(file.path) == ".txt"]
    stems = {stem_of(file).lower() for file in files} if written else set()
    folders: dict[str, list[str]] = {}
    for path in written:
        if stem_of(path).lower() in stems:
            folders.setdefault(folder_of(path), []).append(path)
    found = []
    for folder, texts in folders.items():
        lines = [line for text in texts[:20] for line in (data_dir / text).read_text(errors="replace").splitlines() if line.strip()]  # fmt: skip
        if len(texts) > 1 and lines and all(_YOLO.match(line) for line in lines):
            names = {stem_of(text).lower() for text in texts}
            named = [file for file in files if stem_of(file).lower() in names]
            if any(is_dicom(data_dir / file) for file in named if ending_of(file) not in (".jpg", ".jpeg", ".png")):
                profile.notes.append(
                    f"The boxes in {folder or 'the text files'} are not read: beside DICOM pictures, write them as COCO, or save the pictures as PNG."
                )
                continue
            plan: dict[str, Any] = {
                "form": "yolo",
                "annotations": folder,
                "pictures": _folder_by_stems(files, names, folder),
            }
            plan["classes"] = _class_names(data_dir, profile)
            found.append(plan)
    return found


def _class_names(data_dir: Path, profile: Profile) -> list[str]:
    """Names by number, from `classes.txt`, `data.yaml` and the like."""
    for file in profile.files:
        if file.path.lower().endswith((".yaml", ".yml")):
            import yaml

            try:
                content = yaml.safe_load((data_dir / file.path).read_text(encoding="utf-8-sig"))
            except (yaml.YAMLError, OSError, UnicodeDecodeError):
                continue
            names = content.get("names") if isinstance(content, dict) else None
            if isinstance(names, dict):
                names = [names[key] for key in sorted(names)]
            if isinstance(names, list):
                return [str(name) for name in names]
    known = legends.read(data_dir, profile, "").names
    return [known.get(number, str(number)) for number in range(max(known) + 1)] if known else []


def _table(profile: Profile, files: list[str]) -> list[dict[str, Any]]:
    if not profile.tables:
        return []
    names = {name_of(file).lower() for file in files} | {stem_of(file).lower() for file in files}
    found = []
    for table in profile.tables:
        if table.read.format != "delimited":
            continue
        own = {re.sub(r"[\s\-]+", "_", fold(name)): name for name in table.names}
        corners = next(([own[c] for c in four] for four in _CORNERS if all(c in own for c in four)), None)
        sides = next(([own[c] for c in four] for four in _SIDES if all(c in own for c in four)), None)
        image = next((own[n] for n in _PICTURE_NAMES if n in own), None)
        label = next((own[n] for n in _LABEL_NAMES if n in own and own[n] != image), None)
        column = table.column(image) if image else None
        four = corners or [f"+{name}" for name in sides or _in_one_column(table)]
        if not four or column is None:
            continue
        seen = [PurePosixPath(cell.replace("\\", "/")).name.lower() for cell in column.examples]
        if seen and not any(cell in names for cell in seen):
            continue
        wanted = set(seen) | {name_of(f).lower() for f in files if stem_of(f).lower() in seen}
        found.append({
            "form": "table", "annotations": table.path, "pictures": _folder_of(files, wanted, table.path),
            "columns": [image, label or "", *four], "separator": table.read.separator,
        })  # fmt: skip
    return found


def _in_one_column(table: TableProfile) -> list[str]:
    """The column whose cells hold all four numbers of a box, `[834.0, 222.0, 56.0, 36.0]`; none where there is none."""
    return [
        column.name for column in table.columns
        if _BOX_NAME.search(column.name) and column.examples and all(map(_FOUR.fullmatch, column.examples))
    ][:1]  # fmt: skip


def _annotated(data_dir: Path, options: dict[str, Any]) -> TableProfile | None:
    from mlzero.semantic_memory import blocks

    rows = blocks.function(MAKER)(data_dir, **options)
    labels = Counter(str(box["label"]) for text in rows["boxes"] for box in json.loads(text))
    if not labels:
        return None
    names = rows["picture"].tolist()
    places = [Path(p).relative_to(data_dir).as_posix() for p in rows["image"]]
    columns = [
        *_columns(names, places),
        ColumnProfile(name="boxes", source_name="boxes", kind="boxes", unique=len(rows), top=labels.most_common(200)),
    ]
    plan = ReadPlan(format="made", maker=MAKER, options=options)
    key = f"{options['pictures'] or 'pictures'} with boxes of {options['annotations'] or 'the folder'}"
    return TableProfile(key=key, path=".", read=plan, rows=len(rows), columns=columns)


def _used(data_dir: Path, tables: list[TableProfile]) -> set[str]:
    from mlzero.perception.tables import load_table

    frames = [load_table(data_dir, table) for table in tables]
    return {Path(p).relative_to(data_dir).as_posix() for frame in frames for p in frame["image"]}


def _open(folder: str, files: list[str], annotated: dict[str, Any] | None) -> TableProfile:
    options: dict[str, Any] = {"pictures": folder} | ({"but_not": annotated} if annotated else {})
    plan = ReadPlan(format="made", maker=OPEN_MAKER, options=options)
    key = f"pictures of {folder or 'the folder'} to search"
    columns = _columns([name_of(f) for f in files], files)
    return TableProfile(key=key, path=".", read=plan, rows=len(files), columns=columns)


def _columns(names: list[str], places: list[str]) -> list[ColumnProfile]:
    count = len(names)
    return [
        ColumnProfile(name="picture", source_name="picture", kind="identifier", unique=count, examples=names[:5]),
        ColumnProfile(name="image_id", source_name="image_id", kind="identifier", unique=count),
        ColumnProfile(name="image", source_name="image", kind="image", unique=count, examples=places[:5]),
    ]
