"""How people name the measure they are judged by, in several languages."""

from __future__ import annotations

import re
from typing import NamedTuple

from mlzero.perception.wording import fold


class Named(NamedTuple):
    """A metric that a text asks for."""

    metric: str
    words: str  # as they stand in the text


# Tried in this order, so that the longer names come first. Patterns read folded text (lower case, no accents).
PATTERNS: list[tuple[str, str]] = [
    ("ndcg@5", r"\bndcg ?@ ?5\b"),
    ("ndcg@100", r"\bndcg ?@ ?100\b"),
    ("ndcg@10", r"\bndcg\b( ?(@|at) ?10)?|discounted cumulative gain"),
    ("mrr@10", r"\bmrr\b( ?@ ?10)?|reciprocal rank"),
    ("map@100", r"\bmap ?@ ?100\b|mean average precision (of|over) (the )?rank"),
    ("recall@100", r"\brecall ?(@|at) ?100\b"),
    ("recall@10", r"\brecall ?(@|at) ?(10|k)\b|\bhit[- ]?rate\b|\bhits ?@ ?10"),
    ("precision@10", r"\bprecision ?(@|at) ?(10|k)\b"),
    ("entity_f1", r"\b(entity|span|chunk)[- ]?(level )?f[- ]?1\b|\bseqeval\b|\bconll (f[- ]?1|score)"),
    ("rmsle", r"\brmsle\b|root mean squared? log|\bmsle\b|mean squared? log|对数误差"),
    ("rmse", r"\brmse\b|root[- ]mean[- ]squared?[- ]error|wurzel (aus )?de[rs] mittleren quadrat|raiz del error cuadratico|racine de l'erreur quad|均方根误差|二乗平均平方根"),
    ("smape", r"\bsmape\b|symmetric mean absolute percent"),
    ("wape", r"\bwape\b|\bwmape\b|weighted (absolute )?percent|absolute error relative to"),
    ("mape", r"\bmape\b|mean absolute percent|average percent(age)? error|prozentuale[rn]? (fehler|abweichung)|error porcentual|erreur en pourcentage|erro percentual|平均绝对百分比|百分比误差"),
    ("medae", r"\bmedae\b|median absolute error|median(er)? absolut\w* fehler"),
    ("mae", r"\bmae\b|mean absolute error|average (absolute )?(error|deviation)|mittlere\w* absolut\w* (fehler|abweichung)|durchschnittliche\w* (fehler|abweichung)|error absoluto medio|erreur (absolue )?moyenne|erro (absoluto )?medio|平均绝对误差|平均絶対誤差|how far off (we|you|i|they) are on average"),
    ("mse", r"\bmse\b|mean[- ]squared?[- ]error|mittlere\w* quadrat\w* (fehler|abweichung)|error cuadratico medio|erreur quadratique moyenne|均方误差|平均二乗誤差"),
    ("r2", r"\br2\b|\br\^2\b|\br²|\br[- ]squared\b|coefficient of determination|bestimmtheitsmass|coeficiente de determinacion|决定系数|決定係数"),
    ("mase", r"\bmase\b|absolute scaled error"),
    ("spearman", r"\bspearman|rank correlation|rangkorrelation"),
    ("pearson", r"\bpearson"),
    ("quadratic_kappa", r"\bqwk\b|quadratic (weighted )?kappa|weighted kappa|\bcohen|\bkappa\b"),
    ("mcc", r"\bmcc\b|matthews"),
    ("average_precision", r"\bpr[- ]?auc\b|\bauc[- ]?pr\b|\bauprc\b|average precision|area under the precision|平均精度"),
    ("roc_auc_ovo", r"\bovo\b|one[- ]v(s|ersus)[- ]one"),
    ("roc_auc", r"\broc\b|\bauc\b|\bauroc\b|\bgini\b|area under the (roc )?curve|flache unter der|area bajo la curva|aire sous la courbe|曲线下面积"),
    ("log_loss", r"\blog[- _]?loss\b|cross[- ]entropy|logarithmic loss|kreuzentropie|entropia cruzada|entropie croisee|对数损失|交叉熵|対数損失"),
    ("brier", r"\bbrier\b"),
    ("f1_samples", r"sample[- ]?(averaged|wise)? f1|f1[- _]samples?|example[- ]based f1"),
    ("f1_weighted", r"weighted[- ](average[d]?[- ])?f[- ]?1|f[- ]?1[- _]weighted|gewichtete\w* f1|f1 ponderad|加权f1"),
    ("f1_macro", r"macro[- ]?(average[d]?[- ])?f[- ]?1|f[- ]?1[- _]?(score )?\(?macro|f1 (del? )?macro|makro[- ]?f1|f1[- ]makro|宏平均|宏f1|マクロf1|マクロ平均"),
    ("f1_micro", r"micro[- ]?(average[d]?[- ])?f[- ]?1|f[- ]?1[- _]?(score )?\(?micro|mikro[- ]?f1|f1[- ]mikro|微平均|微f1|マイクロ平均"),
    ("balanced_accuracy", r"balanced[- _]accuracy|\bbac{1,2}\b|ausgewogene\w* (genauigkeit|trefferquote)|balancierte\w* genauigkeit|exactitud (balanceada|equilibrada)|precision (balanceada|equilibrada)|accuracy balanceada|exactitude (equilibree|balancee)|acuracia balanceada|平衡准确率|均衡准确率|バランス(精度|正解率)|(both|beide) (groups?|classes|gruppen|klassen)[\w ]{0,25}(equally|gleich)|average recall|mean recall"),
    ("f1_macro", r"\b(all|every|each)( of)?( the)? (\w+ )?(class(es)?|categor(y|ies)|groups?|kinds?)\b[\w ]{0,25}(equal|same|alike|matter|important)|the (\w+ )?classes[\w ]{0,25}(equal|same|matter|alike)|classes equally|(alle|jede) klassen?[\w ]{0,25}gleich|(todas|tres|las|cada)( las)?( tres| cuatro)? clases?[\w ]{0,20}(por igual|igual)|clases por igual|toutes les classes|chaque classe|todas as classes|classes por igual|(各|所有|每个|每)个?(类别|类)[^。，,]{0,8}(同等|一样|平等|同样)|すべてのクラス"),
    ("hamming", r"\bhamming"),
    ("f1", r"\bf[- ]?1\b|\bf[- ]?(score|measure|mass)\b|f1[- ]?(wert|分数|スコア|值)"),
    ("accuracy", r"\baccuracy\b|\bhow accurate\b|how many (\w+ )?(are |you get |we get )?right|percent(age)? (correct|right)|share of (correct|right)|\bgenauigkeit|trefferquote|korrektklassifi|\bexactitud\b|\bexactitude\b|\bacuracia\b|\bacerto|\baciertos?\b|taux de (bonnes|reussite)|准确率|正确率|正解率|精度"),
    ("recall", r"\brecall\b|\bsensitivity\b|sensitivitat|召回率|再現率"),
    ("precision", r"\bprecision (score|as|is|of the|for)\b|judged (on|by) precision|精确率|適合率"),
    ("rmse", r"squared error|quadratische\w* fehler|error cuadratico|erreur quadratique"),
]  # fmt: skip

_JUDGED = re.compile(
    r"judg|evaluat|metric|measured? by|scor(e|ed|ing)\b|grade|bewert|gemessen|metrik|evalu|metrica|punt|not[ée]|mesur|评价|评估|指标|评分|評価"
)


def named_in(text: str) -> list[Named]:
    """Metrics that a text asks for, the likeliest first; a name beside a word such as "judged" goes before others."""
    folded = fold(text)
    found: dict[str, tuple[bool, int, str]] = {}
    covered: list[tuple[int, int]] = []
    for metric, pattern in PATTERNS:
        for match in re.finditer(pattern, folded):
            if any(a < match.end() and match.start() < b for a, b in covered):
                continue
            covered.append(match.span())
            near = bool(_JUDGED.search(folded[max(0, match.start() - 60) : match.end() + 40]))
            if metric not in found:
                found[metric] = (not near, len(found), match.group())
    return [Named(metric, words) for metric, (_, _, words) in sorted(found.items(), key=lambda item: item[1][:2])]


def suited(metric: str, problem_type: str, several_classes: bool = False) -> str:
    """The variant of a metric that a problem type can be judged by: `f1` of several classes is `f1_macro`."""
    if problem_type == "multilabel":
        return {
            "f1": "f1_micro",
            "balanced_accuracy": "f1_macro",
            "roc_auc_ovo": "roc_auc",
            "roc_auc_ovr": "roc_auc",
        }.get(metric, metric)
    if several_classes:
        return {"f1": "f1_macro", "roc_auc": "roc_auc_ovr", "average_precision": "roc_auc_ovr"}.get(metric, metric)
    if problem_type == "binary":
        return {"roc_auc_ovo": "roc_auc", "roc_auc_ovr": "roc_auc", "f1_samples": "f1"}.get(metric, metric)
    return metric
