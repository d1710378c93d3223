"""What the classes of label images and boxes are called: lists of classes in text, CSV, JSON or YAML, and the goal."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mlzero.perception.paths import ending_of, stem_of
from mlzero.perception.profile import Profile
from mlzero.perception.wording import fold

_LISTS = re.compile(
    r"class|label|categor|legend|colou?r|palette|names|obj\b|klasse|legende|clase|etiquet|类别|标签|クラス"
)
_NUMBERED = re.compile(r"^\W*(\d{1,3})\s*(?:[:=.,;\t)\]|-]|\s)\s*[\"']?([^\W\d][^,;:\t#|\"']*)")
_REVERSED = re.compile(r"^\s*[\"']?([^\W\d][^,;:=\t\"']*?)[\"']?\s*[:=,;\t|]\s*(\d{1,3})\s*[,;]?\s*$")
_COLOUR = re.compile(r"(?<!\d)(\d{1,3})[\s,;]+(\d{1,3})[\s,;]+(\d{1,3})(?!\d)")
_NAME = re.compile(r"[^\W\d][\w \-/&.()']*")
_PLAIN = re.compile(r"^[\"']?([^\W\d_][\w \-/&.()']{0,40})[\"']?$")
_VOID = frozenset(
    """
    void ignore ignored unlabelled unlabeled unlabel unknown dontcare dont_care don't_care undefined unclassified
    unannotated notannotated not_annotated nolabel no_label nodata no_data outofroi invalid ignorieren 忽略 未标注
    """.split()
)
_NOT_COUNTED = re.compile(
    r"(?:(?<!\d)(\d{1,3})\s*(?:\([^)]*\)\s*)?(?:is|are|=|:|ist|wird|means|stands for)?\s*(?:not|to be|nicht|never)?\s*"
    r"(?:evaluated|ignored?|counted|void|unlabell?ed|scored|bewertet|gewertet|don'?t care|no data)"
    r"|(?:ignor(?:e|ed|ing)|void|unlabell?ed|skip|忽略)\D{0,25}?(\d{1,3})(?!\d))"
)
_LARGEST = 200_000  # bytes of a list of classes


@dataclass
class Legend:
    """Names by value, colours by name, and values that count for nothing."""

    names: dict[int, str] = field(default_factory=dict)
    colours: dict[str, str] = field(default_factory=dict)  # "r,g,b" -> name
    ignored: set[int] = field(default_factory=set)
    path: str = ""  # the file that says so

    @property
    def void_colours(self) -> set[str]:
        return {colour for colour, name in self.colours.items() if is_void(name)}


def is_void(name: str) -> bool:
    """Whether a class is called as pixels are that nobody labelled."""
    return re.sub(r"[\s\-]+", "_", fold(name).strip()) in _VOID or fold(name).replace(" ", "") in _VOID


def read(data_dir: Path, profile: Profile, goal: str) -> Legend:
    """The list of classes of an upload, where there is one."""
    best = Legend()
    for file in profile.files:
        ending = ending_of(file.path)
        listed = ending in (".txt", ".csv", ".json", ".yaml", ".yml", ".names", ".tsv", ".md", ".pbtxt")
        if not listed or file.bytes > _LARGEST or not _LISTS.search(fold(stem_of(file.path))):
            continue
        text = (data_dir / file.path).read_text(encoding="utf-8-sig", errors="replace")
        found = _of_json(text) if ending == ".json" else _of_lines(text, bare=True)
        if len(found.names) + len(found.colours) > len(best.names) + len(best.colours):
            found.path = file.path
            best = found
    if not best.names and not best.colours:
        for text, where in [(goal, "the goal"), *((d.text, d.path) for d in profile.documents)]:
            spread = re.sub(r"[,;(]\s*(?=\d{1,3}\s*[=:])|\s(?=\d{1,3}\s*[=:]\s*[^\W\d])", "\n", text)
            found = _of_lines(spread, bare=False)
            if len(found.names) >= 2:
                found.path = where
                best = found
                break
    texts = [goal, *(document.text for document in profile.documents)]
    if best.path and (data_dir / best.path).is_file():
        texts.append((data_dir / best.path).read_text(encoding="utf-8-sig", errors="replace"))
    for text in texts:
        best.ignored |= {int(a or b) for a, b in _NOT_COUNTED.findall(fold(text))}
    best.ignored |= {value for value, name in best.names.items() if is_void(name)}
    return best


def _of_lines(text: str, *, bare: bool) -> Legend:
    """Lines `0 Sky`, `Sky = 0`, `Sky,128,128,128`, or only names where `bare` allows it."""
    found, plain = Legend(), []
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    for line in lines:
        colour = _COLOUR.search(line)
        name = _NAME.search(line[: colour.start()] + " " + line[colour.end() :]) if colour else None
        if colour and name and all(int(part) < 256 for part in colour.groups()):
            found.colours[",".join(str(int(part)) for part in colour.groups())] = name.group().strip()
            number = re.match(r"^\W*(\d{1,3})\b", line[: colour.start()])
            if number:
                found.names[int(number.group(1))] = name.group().strip()
        elif numbered := _NUMBERED.match(line):
            found.names.setdefault(int(numbered.group(1)), numbered.group(2).strip())
        elif reverse := _REVERSED.match(line):
            found.names.setdefault(int(reverse.group(2)), reverse.group(1).strip())
        elif simple := _PLAIN.match(line):
            plain.append(simple.group(1).strip())
    if bare and not found.names and not found.colours and len(plain) == len(lines):
        found.names = dict(enumerate(plain))
    return found


def _of_json(text: str) -> Legend:
    """`{"0": "Sky"}`, `{"Sky": 0}`, `["Sky", …]` or a list of `{"id": 0, "name": "Sky", "color": [...]}`."""
    found = Legend()
    try:
        data = json.loads(text)
    except ValueError:
        return found
    _walk(data, found)
    return found


def _walk(data: Any, found: Legend) -> None:
    if isinstance(data, list) and data and all(isinstance(item, str) for item in data):
        found.names = found.names or dict(enumerate(data))
    elif isinstance(data, list):
        for position, item in enumerate(data[:1000]):
            if isinstance(item, dict) and isinstance(item.get("name", item.get("label")), str):
                name = str(item.get("name", item.get("label")))
                number = item.get("id", item.get("value", item.get("index", position)))
                if isinstance(number, int):
                    found.names[number] = name
                colour = item.get("color", item.get("colour", item.get("rgb")))
                if isinstance(colour, list) and len(colour) == 3:
                    found.colours[",".join(str(int(part)) for part in colour)] = name
    elif isinstance(data, dict):
        for key, value in data.items():
            if str(key).isdigit() and isinstance(value, str):
                found.names[int(key)] = value
            elif isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1000 and not key.isdigit():
                found.names[value] = str(key)
            elif isinstance(value, list) and len(value) == 3 and all(isinstance(part, int) for part in value):
                found.colours[",".join(str(part) for part in value)] = str(key)
            elif isinstance(value, dict | list):
                _walk(value, found)
