"""Pictures that belong together, one the answer to the other: by their folders and by how they are called."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePosixPath

from mlzero.perception.paths import folder_of, stem_of
from mlzero.perception.profile import Profile
from mlzero.perception.wording import fold

ANSWER_WORDS = frozenset(
    """
    mask masks label labels labelled labeled annotation annotations annot annots gt groundtruth truth seg segs
    segmentation segmentations segmentationclass target targets output outputs answer answers labelids clean
    cleaned restored denoised original originals sharp reference references hr maske masken etiketten etiqueta
    etiquetas mascara mascaras masque masques ziel manual 1st_manual outlines trace traces traced 标签 标注 掩码 掩膜 マスク
    ラベル
    """.split()
)
INPUT_WORDS = frozenset(
    """
    image images img imgs picture pictures pic frame frames photo photos input inputs noisy noise dirty raw scan
    scans slice slices jpegimages degraded blurred blurry lr bild bilder imagen imagenes foto fotos 图像 图片 画像
    """.split()
)
RESTORED_WORDS = frozenset(
    """
    clean cleaned clear restored denoised sharp sharpened original originals hr highres hires noisy noise dirty
    blurred blurry lr lowres degraded compressed sauber gereinigt verrauscht limpio limpia ruido propre bruite 干净
    去噪 噪声
    """.split()
)
SET_WORDS = frozenset("train training val valid validation dev test testing learn trn tst eval".split())
TO_COME = frozenset(
    "test testing predict prediction new unlabelled unlabeled inference tst submission todo neu 测试 测试集".split()
)
_ENDINGS = r"(label|labels|mask|masks|seg|segmentation|gt|l|m|annotation|target|clean|groundtruth|truth|out|output|manual\d*|labelids|matte|trainids)"
_MARK = re.compile(rf"^[_\-. ]{_ENDINGS}$|^(mask|label|seg|gt|target|clean)[_\-. ]?$", re.I)
_AGREE = 0.5  # share of the answers whose pictures are there
_FEWEST = 2  # pairs


@dataclass(frozen=True)
class Pairs:
    """Two folders whose files belong together."""

    pictures: str  # folders relative to the upload
    answers: str
    picture_name: str = "{}"  # how the files are called, without ending
    answer_name: str = "{}"
    keys: list[str] = field(default_factory=list)  # what identifies each pair, in order
    picture_files: list[str] = field(default_factory=list)  # of the pairs, in the order of the keys
    answer_files: list[str] = field(default_factory=list)

    @property
    def is_restored(self) -> bool:
        """Whether the names speak of pictures made better or worse."""
        said = _words(f"{self.pictures} {self.answers} {self.picture_name} {self.answer_name}")
        return bool(set(said) & RESTORED_WORDS)

    @property
    def is_said(self) -> bool:
        """Whether the names say that one folder answers the other."""
        said = set(_words(f"{self.pictures} {self.answers} {self.picture_name} {self.answer_name}"))
        return bool(said & (ANSWER_WORDS | INPUT_WORDS | RESTORED_WORDS))

    @property
    def is_test(self) -> bool:
        """Whether the folders are named as those of pictures to predict."""
        return bool(set(_words(self.pictures)) & TO_COME)


@dataclass(frozen=True)
class Found:
    """All pairs of an upload, and the pictures that have no answer, by folder."""

    pairs: list[Pairs]
    open: dict[str, list[str]]


def find(profile: Profile) -> Found | None:
    """Pairs of picture files, when there are some."""
    return _found(tuple(file.path for file in profile.files if file.kind == "image" and not file.problem))


@lru_cache(maxsize=2)
def _found(paths: tuple[str, ...]) -> Found | None:
    """The same for paths; several kinds of tasks ask for them."""
    folders: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        folders[folder_of(path)].append(path)
    found = _side_by_side(folders) or _in_two_folders(folders)
    if not found:
        return None
    used = {file for pairs in found for file in [*pairs.picture_files, *pairs.answer_files]}
    roots = [pairs.answers for pairs in found if pairs.answers != pairs.pictures]
    left: dict[str, list[str]] = {}
    for folder, files in folders.items():
        rest = [file for file in files if file not in used]
        if rest and not any(_is_below(folder, root) for root in roots):
            left[folder] = rest
    return Found(found, left)


def _in_two_folders(folders: dict[str, list[str]]) -> list[Pairs]:
    """Pictures in one folder, answers in another."""
    candidates: list[tuple[float, Pairs]] = []
    for first in folders:
        for second in folders:
            if first < second and (pairs := _matched(first, second, folders)):
                candidates.append((len(pairs.keys) + _likeness(pairs), pairs))
    chosen: list[Pairs] = []
    taken: set[str] = set()
    for _, pairs in sorted(candidates, key=lambda candidate: -candidate[0]):
        if not {pairs.pictures, pairs.answers} & taken:
            taken |= {pairs.pictures, pairs.answers}
            chosen.append(pairs)
    return _joined(chosen)


def _matched(first: str, second: str, folders: dict[str, list[str]]) -> Pairs | None:
    """The pairs of two folders, the one with the answers told by its name or by its files."""
    names = {name: {stem_of(f): f for f in folders[name]} for name in (first, second)}
    if min(len(names[first]), len(names[second])) < _FEWEST:
        return None
    if _role_words(first) == _role_words(second):  # train and test of the same kind are no pair
        return None
    parts = [set(_words(name)) & (SET_WORDS | TO_COME) for name in (first, second)]
    if all(parts) and parts[0] != parts[1]:
        return None
    best: Pairs | None = None
    for pictures, answers in ((first, second), (second, first)):
        for picture_name, answer_name in _patterns(list(names[pictures]), list(names[answers])):
            keys = _keys(names[pictures], picture_name)
            theirs = _keys(names[answers], answer_name)
            both = sorted(set(keys) & set(theirs))
            if len(both) < max(_FEWEST, _AGREE * len(theirs)):
                continue
            pairs = Pairs(
                pictures, answers, picture_name, answer_name, both,
                [names[pictures][keys[k]] for k in both], [names[answers][theirs[k]] for k in both],
            )  # fmt: skip
            if best is None or (len(both), _likeness(pairs)) > (len(best.keys), _likeness(best)):
                best = pairs
    return best


def _role_words(folder: str) -> tuple[str, ...]:
    """The words of a folder that say what is in it, without those that say which part of the data it is."""
    return tuple(sorted(word for word in _words(folder) if word not in SET_WORDS | TO_COME))


def _words(folder: str) -> list[str]:
    return [word for word in re.split(r"[^\w]+|_|(?<=[a-z])(?=\d)", fold(folder)) if word]


def _likeness(pairs: Pairs) -> float:
    """How much the names say that the second of two folders holds answers, from -1 to 3."""
    answer, picture = set(_words(pairs.answers)), set(_words(pairs.pictures))
    told = len(answer & ANSWER_WORDS) > len(picture & ANSWER_WORDS)
    wrong = len(answer & ANSWER_WORDS) < len(picture & ANSWER_WORDS)
    inputs = len(picture & INPUT_WORDS) > len(answer & INPUT_WORDS)
    marked = bool(_MARK.match(pairs.answer_name.replace("{}", "")))
    png = pairs.answer_files[0].lower().endswith((".png", ".bmp", ".tif", ".tiff")) if pairs.answer_files else False
    return 1.5 * told - 1.5 * wrong + 0.5 * inputs + 0.5 * marked + 0.1 * png


def _patterns(pictures: list[str], answers: list[str]) -> list[tuple[str, str]]:
    """How the files of two folders may be called so that they match: alike, or with marks before or behind."""
    patterns = [("{}", "{}")]
    known = set(pictures)
    behind: Counter[str] = Counter()
    before: Counter[str] = Counter()
    for answer in answers[:200]:
        for cut in range(1, len(answer)):
            if answer[:-cut] in known:
                behind[answer[-cut:]] += 1
            if answer[cut:] in known:
                before[answer[:cut]] += 1
    patterns += [("{}", "{}" + mark) for mark, _ in behind.most_common(2)]
    patterns += [("{}", mark + "{}") for mark, _ in before.most_common(2)]
    ours, theirs = _common(pictures), _common(answers)  # image_001 and mask_001, or 001_img and 001_mask
    if ours != theirs and set(_words("_".join(theirs))) & ANSWER_WORDS:
        patterns.append((f"{ours[0]}{{}}{ours[1]}", f"{theirs[0]}{{}}{theirs[1]}"))
        patterns += [(f"{ours[0]}{{}}", f"{theirs[0]}{{}}"), (f"{{}}{ours[1]}", f"{{}}{theirs[1]}")]
    return list(dict.fromkeys(patterns))


def _common(names: list[str]) -> tuple[str, str]:
    """What all names begin and end with, up to their digits."""
    return re.sub(r"\d+$", "", _beginning(names)), re.sub(r"\d+$", "", _beginning([n[::-1] for n in names]))[::-1]


def _beginning(names: list[str]) -> str:
    first, last = min(names), max(names)
    length = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last)))
    return first[:length]


def _keys(stems: dict[str, str], name: str) -> dict[str, str]:
    """Stems by the variable part of their name."""
    before, after = name.split("{}")
    return {
        stem[len(before) : len(stem) - len(after)]: stem
        for stem in stems
        if stem.startswith(before) and stem.endswith(after) and len(stem) > len(before) + len(after)
    }


def _side_by_side(folders: dict[str, list[str]]) -> list[Pairs]:
    """Pictures and answers in the same folder, told apart by a mark such as `_mask`."""
    found = []
    for folder, files in folders.items():
        stems = {stem_of(file): file for file in files}
        marks: Counter[tuple[str, str]] = Counter()
        for stem in stems:
            for cut in range(1, min(len(stem), 16)):
                if stem[:-cut] in stems and _MARK.match(stem[-cut:]):
                    marks["{}", "{}" + stem[-cut:]] += 1
                if stem[cut:] in stems and _MARK.match(stem[:cut]):
                    marks["{}", stem[:cut] + "{}"] += 1
        for (picture_name, answer_name), count in marks.most_common(1):
            theirs = _keys(stems, answer_name)
            keys = sorted(key for key in theirs if key in stems)
            if count >= _FEWEST and count >= 0.2 * len(stems):
                found.append(
                    Pairs(
                        folder,
                        folder,
                        picture_name,
                        answer_name,
                        keys,
                        [stems[k] for k in keys],
                        [stems[theirs[k]] for k in keys],
                    )
                )
    return found


def _joined(chosen: list[Pairs]) -> list[Pairs]:
    """Pairs of `images/a` with `masks/a`, `images/b` with `masks/b`: one pair of `images` and `masks`."""
    groups: dict[tuple[str, str, str, str], list[Pairs]] = {}
    for pairs in chosen:
        ours, theirs = PurePosixPath(pairs.pictures).parts, PurePosixPath(pairs.answers).parts
        differ = [i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b]
        names = (pairs.picture_name, pairs.answer_name)
        root = (pairs.pictures, pairs.answers)
        if len(ours) == len(theirs) and len(differ) == 1:
            below, above = ours[differ[0] + 1 :], ours[: differ[0]]
            tail = differ[0] + 1
            if below and not set(_words("/".join(below))) & (SET_WORDS | TO_COME):
                root = ("/".join(ours[:tail]), "/".join(theirs[:tail]))
            elif above and not below and not set(_words(above[-1])) & (SET_WORDS | TO_COME):
                stars = [*above[:-1], "*"]
                root = ("/".join([*stars, ours[-1]]), "/".join([*stars, theirs[-1]]))
        groups.setdefault((*root, *names), []).append(pairs)
    joined = []
    for (pictures, answers, picture_name, answer_name), parts in groups.items():
        if len(parts) == 1:
            joined.append(parts[0])
            continue
        both = sorted((p, a) for part in parts for p, a in zip(part.picture_files, part.answer_files, strict=True))
        files = [p for p, _ in both]
        joined.append(Pairs(pictures, answers, picture_name, answer_name, files, files, [a for _, a in both]))
    return joined


def _is_below(folder: str, root: str) -> bool:
    parts, wanted = PurePosixPath(folder).parts, PurePosixPath(root).parts
    return len(parts) >= len(wanted) and all(w in ("*", p) for p, w in zip(parts, wanted, strict=False))
