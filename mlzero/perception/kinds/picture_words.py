"""How people name what pictures are judged by, and what is to be done with them."""

from __future__ import annotations

import re

from mlzero.perception.goal import Brief
from mlzero.perception.task import Inferred
from mlzero.perception.wording import fold

_METRICS: dict[str, list[tuple[str, str]]] = {
    "segmentation": [
        ("dice", r"\bdice\b|\bdsc\b|\bsorensen|\bf1\b|\bf[- ]?score\b"),
        ("mean_iou", r"\bm[- ]?iou\b|mean (iou|intersection|jaccard)|mittlere\w* iou|iou (averaged )?over (the |all |both )?(\w+ )?class|iou (per|of all|of the|of both) class"),
        ("iou", r"\biou\b|jaccard|intersection[- ]over[- ]union|交并比"),
        ("pixel_accuracy", r"pixel[- ](wise )?accuracy|\baccuracy\b|share of (right|correct) pixels|genauigkeit"),
    ],
    "detection": [
        ("map", r"\bm?ap ?@? ?\[? ?0?\.50? ?[:\-] ?0?\.95|\bcoco (m?ap|metric)|map ?\(coco\)|m?ap50[:\-]95"),
        ("map50", r"\bm?ap ?@? ?\(?\[? ?0?\.?50?\b|\bm?ap(_| )?50\b|(map|average precision)[\w ]{0,12} (at|@|with|bei)( an?)? iou( of| threshold of)?[ =>]*0?\.5|iou ?(of |>=? ?|= ?|threshold )?0?\.5|pascal voc"),
        ("map", r"\bm?ap\b|average precision"),
    ],
    "image_to_image": [
        ("psnr", r"\bpsnr\b|signal[- ]to[- ]noise"),
        ("rmse", r"\brmse\b|root[- ]mean|squared? error|\bmse\b|quadratische\w* fehler"),
        ("mae", r"\bmae\b|mean absolute"),
    ],
}  # fmt: skip
_DEFAULTS = {
    "segmentation": ("mean_iou", "the usual measure of label images", ["pixel_accuracy", "dice"]),
    "detection": ("map50", "the usual measure of found boxes", ["map"]),
    "image_to_image": ("rmse", "the usual one for pictures that are compared pixel by pixel", ["psnr", "mae"]),
}
_CLASSES = r"class|klasse|clase|categor|both|foreground and background"


def metric_of(problem_type: str, brief: Brief, *, two_classes: bool = False) -> Inferred[str]:
    """The metric that was asked for, or the usual one.

    Parameters
    ----------
    two_classes
        Label images of one thing and its surroundings: IoU is that of the thing, unless classes are spoken of.
    """
    texts = [(brief.goal, "The goal"), (brief.brief, brief.brief_path), *((d.text, d.path) for d in brief.described)]
    for text, where in texts:
        folded = fold(text)
        for metric, pattern in _METRICS[problem_type]:
            said = re.search(pattern, folded)
            if not said:
                continue
            if metric in ("iou", "mean_iou"):
                around = folded[said.start() : said.end() + 30]
                metric = "iou" if two_classes and not re.search(_CLASSES, around) else "mean_iou"
            certain = where in ("The goal", brief.brief_path)
            evidence = f'{where} asks for it: "{said.group().strip()}".'
            others = [name for name in (_DEFAULTS[problem_type][0], *_DEFAULTS[problem_type][2]) if name != metric]
            return Inferred[str](
                value=metric, confidence=0.95 if certain else 0.75, evidence=evidence, alternatives=others
            )
    usual, reason, others = _DEFAULTS[problem_type]
    if two_classes and usual == "mean_iou":
        usual, reason, others = "iou", "how well the marked area overlaps with the true one", ["dice", "mean_iou"]
    return Inferred[str](
        value=usual, confidence=0.6, evidence=f"No measure is named; this is {reason}.", alternatives=others
    )
