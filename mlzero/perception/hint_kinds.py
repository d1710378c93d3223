"""Hints about one kind of data: pictures that may be turned, their background, seasons of series, the language of texts."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from mlzero.perception import hint_words, series_words
from mlzero.perception.task import Task

TURN = r"\brotat\w*|\bturn(?:ed|ing)?\b|\bupside down\b|\bdreh\w*|\bgedreht\w*|\bgirar?\w*|\btourne\w*|旋转|回転"
PICTURE = r"\b(?:image|picture|photo|bild|foto|scan|imagen|imagem)\w*|图|照片|画像|写真"
BACKGROUND = r"\bbackground\w*|\bhintergr[uo]nd\w*|\bfondos?\b|\barriere[- ]plans?\b|\bfundos?\b|\bsfondo\b|背景"
FOREGROUND = r"\bforeground\w*|\bvordergrund\w*|\bprimer plano\b|\bpremier plan\b|\bprimeiro plano\b|前景"
LEAVE = r"\bmask\w*|\bcrop\w*|\bcut\w*|\bsegment\w*|\bblur\w*|\bblend\w* aus\b|\bausblend\w*|\birrelevant\w*|\begal\b|\bspielt\b.*\bkeine rolle\b|\bprescind\w*|裁剪"
SEASON = r"\bseason\w*|\bsaison\w*|\bestacional\w*|\bsazonal\w*|\bperiodic\w*|\bcycl\w*|\bzykl\w*|季节|周期|季節"
STEPS = r"(\d{1,5})\s*(?:steps?|values?|rows?|schritt\w*|pasos?|pas\b|passos?|步|个点)"
TEXT = (
    r"\b(?:text|language|sprache|sprachig|texto|langue|idioma|lingua|tweet|comment|review|kommentar)\w*|文本|语言|言語"
)
LANGUAGES = {
    "English": r"english|englisch\w*|ingles\w*|anglais\w*|英语|英文|英語", "German": r"german|deutsch\w*|aleman\w*|allemand\w*|德语|德文|ドイツ語",
    "Spanish": r"spanish|spanisch\w*|espanol\w*|espagnol\w*|西班牙语|スペイン語", "French": r"french|franzosisch\w*|frances\w*|francais\w*|法语|フランス語",
    "Portuguese": r"portuguese|portugiesisch\w*|portugues\w*|portugais\w*|葡萄牙语", "Chinese": r"chinese|chinesisch\w*|chino|chinois\w*|chines|中文|汉语|中国語",
    "Japanese": r"japanese|japanisch\w*|japones\w*|japonais\w*|日语|日文|日本語", "Italian": r"italian|italienisch\w*|italiano|italien",
    "several languages": r"(?:several|many|different|mixed) languages|mehrere sprachen|varios idiomas|plusieurs langues|多种语言",
}  # fmt: skip


class Wish(NamedTuple):
    """What a clause asks for."""

    preferences: dict[str, Any]
    words: str  # to follow "I will", or a whole sentence when nothing is wished


def read(clause: str, task: Task) -> Wish | None:
    """The wish of a clause, which stands in small letters without accents; None when it has none of these."""
    return _turned(clause, task) or _background(clause, task) or _season(clause, task) or _language(clause, task)


def _turned(clause: str, task: Task) -> Wish | None:
    if not re.search(TURN, clause) or not re.search(PICTURE, clause):
        return None
    kind = task.problem_type.value
    if kind == "segmentation":
        return Wish({}, "The pictures are mirrored, turned and zoomed already while the network learns.")
    if not any(feature.treat_as == "image" for feature in task.used_features) or kind in (
        "detection",
        "image_to_image",
    ):
        return None
    return Wish({"turned": True}, "look at every picture from four sides")


def _background(clause: str, task: Task) -> Wish | None:
    about, kind = re.search(BACKGROUND, clause), task.problem_type.value
    if kind == "segmentation" and (about or re.search(FOREGROUND, clause)):
        return Wish(
            {},
            "In your label images the background is a class like the others, so the network learns to leave it out by itself.",
        )
    if not any(feature.treat_as == "image" for feature in task.used_features):
        return None
    if kind == "detection" and about:
        return Wish({}, "Your boxes say what counts: everything outside of them is learnt as nothing already.")
    if kind == "image_to_image" and about:
        return Wish({}, "Every pixel of the answers counts, those of the background too, so I keep whole pictures.")
    out, no = (
        bool(re.search(pattern, clause))
        for pattern in (f"{hint_words.OUT}|{hint_words.USELESS}|{LEAVE}", hint_words.NOT)
    )
    focus = re.search(FOREGROUND, clause) and re.search(f"{hint_words.ONLY}|focus|concentrat|konzentrier", clause)
    if about and out and no and not re.search(hint_words.USELESS, clause):
        return Wish({"foreground": False}, "look at whole pictures, with their background")
    if not (about and (out or no)) and not focus:
        return None
    return Wish(
        {"foreground": True},
        "look only at what stands out from the colours of each picture's border, else at its middle",
    )


def _season(clause: str, task: Task) -> Wish | None:
    plan = task.series
    if plan is None or not re.search(SEASON, clause):
        return None
    counted = re.search(STEPS, clause)
    if counted:
        steps = int(counted.group(1))
    else:
        count, unit = series_words.ahead(clause) or (1, series_words.unit_of(clause))
        if unit is None or not plan.frequency:
            return None
        steps = series_words.in_steps(count, unit, plan.frequency)
    if steps < 2:
        return Wish({}, "A season must be longer than one step of the series, so I keep what I found.")
    return Wish({"seasons": [steps]}, f"reckon with a season of {steps} steps")


def _language(clause: str, task: Task) -> Wish | None:
    texts = any(feature.treat_as in ("text", "document") for feature in task.used_features)
    named = [name for name, pattern in LANGUAGES.items() if re.search(rf"(?<![a-z])(?:{pattern})(?![a-z])", clause)]
    if not texts or len(named) != 1 or not (re.search(TEXT, clause) or named == ["several languages"]):
        return None
    return Wish({"language": named[0]}, f"take the texts as {'being in ' if 'several' in named[0] else ''}{named[0]}")
