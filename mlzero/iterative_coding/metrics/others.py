"""Metrics of pictures, sentences and rankings, which the measures in `mlzero.iterative_coding.kinds` compute."""

from __future__ import annotations

from mlzero.iterative_coding.metrics.registry import Answers, metric


def _by_kind(a: Answers) -> float:
    raise TypeError("this metric is computed by the measure of its problem type")


_SEGMENTATION, _DETECTION, _RESTORATION = (frozenset({k}) for k in ("segmentation", "detection", "image_to_image"))
_ENTITIES, _RANKING, _REWRITING = (frozenset({k}) for k in ("ner", "retrieval", "sequence_to_sequence"))
for _name, _text, _sentence, _problems in (
    ("iou", "IoU", "Overlap of the marked area with the true one, averaged over the pictures.", _SEGMENTATION),
    ("mean_iou", "mean IoU", "Overlap with the true area, averaged over the classes.", _SEGMENTATION),
    ("dice", "Dice", "Twice the overlap in proportion to both areas, averaged over the classes.", _SEGMENTATION),
    ("pixel_accuracy", "pixel accuracy", "Share of the pixels that are right.", _SEGMENTATION),
    ("map50", "mAP at IoU 0.5", "Precision over all recalls, where half an overlap is a find; mean of classes.", _DETECTION),
    ("map", "mAP (COCO)", "Precision over all recalls, averaged over overlaps of 0.5 to 0.95 and classes.", _DETECTION),
    ("psnr", "PSNR", "Decibels between the range of the pixels and the typical error.", _RESTORATION),
    ("entity_f1", "entity F1", "Balance of found and missed entities; words and type must be exact.", _ENTITIES),
    ("token_accuracy", "share of right tags", "Share of words whose tag is right.", _ENTITIES),
    ("exact_match", "share of exact answers", "Share of texts that are exactly as they shall be.", _REWRITING),
    ("chrf", "chrF", "Overlap of pieces of one to six letters with the true text, 1 at best.", _REWRITING),
    ("ndcg@10", "NDCG at 10", "How near the relevant documents stand to the top of ten, 1 at best.", _RANKING),
    ("ndcg@5", "NDCG at 5", "How near the relevant documents stand to the top of five, 1 at best.", _RANKING),
    ("ndcg@100", "NDCG at 100", "How near the relevant documents stand to the top of a hundred, 1 at best.", _RANKING),
    ("mrr@10", "MRR at 10", "One over the rank of the first relevant document, 0 below ten; the mean.", _RANKING),
    ("recall@10", "recall at 10", "Share of the relevant documents among the first ten.", _RANKING),
    ("recall@100", "recall at 100", "Share of the relevant documents among the first hundred.", _RANKING),
    ("precision@10", "precision at 10", "Share of relevant documents among the first ten.", _RANKING),
    ("map@100", "MAP", "Precision at the rank of every relevant document, averaged.", _RANKING),
):  # fmt: skip
    metric(_name, _text, _sentence, "label", _problems)(_by_kind)
