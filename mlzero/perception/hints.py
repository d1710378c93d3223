"""What a hint asks for, as far as the built-in planner understands it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from mlzero.iterative_coding import metrics
from mlzero.perception.profile import Profile
from mlzero.perception.task import Preferences, Task
from mlzero.perception.wording import fold

# Words as people type them, without accents. The first list of a line is what is looked for.
MODELS = {
    "GBM": r"light ?gbm|lgbm|gradient boosting|boosted trees",
    "CAT": r"cat ?boost",
    "XGB": r"xg ?boost",
    "RF": r"random forests?|zufallswald|bosques? aleatorios?|forets? aleatoires?|随机森林",
    "XT": r"extra trees|extremely random",
    "NN_TORCH": r"neural net(?:work)?s?|deep learning|neuronale netze?|red(?:es)? neuronal(?:es)?|reseaux? de neurones|神经网络",
    "LR": r"linear models?|linear regression|logistic regression|lineare modelle?|modelos? lineal(?:es)?|线性",
    "KNN": r"knn|nearest neighbou?rs?",
}
NAMES = {
    "GBM": "LightGBM", "CAT": "CatBoost", "XGB": "XGBoost", "RF": "random forests", "XT": "extra trees",
    "NN_TORCH": "neural networks", "LR": "linear models", "KNN": "nearest neighbours",
}  # fmt: skip
METRICS = {
    "balanced_accuracy": r"balanced accuracy|ausgewogene genauigkeit|exactitud balanceada|平衡准确率",
    "f1_macro": r"macro[- ]?f1|f1[- _]?macro|all classes (?:are )?equal(?:ly)?",
    "f1_micro": r"micro[- ]?f1|f1[- _]?micro",
    "f1": r"\bf1\b",
    "roc_auc": r"roc[- _]?auc|\bauc\b|auroc",
    "average_precision": r"average precision|pr[- _]?auc",
    "log_loss": r"log[- _]?loss|cross entropy",
    "rmsle": r"\brmsle\b",
    "rmse": r"\brmse\b|root mean squared error",
    "mae": r"\bmae\b|mean absolute error|mittlere absolute abweichung|error absoluto medio",
    "mape": r"\bmape\b|percentage error",
    "r2": r"\br2\b|r squared",
    "quadratic_kappa": r"quadratic (?:weighted )?kappa|\bqwk\b",
    "accuracy": r"\baccuracy\b|genauigkeit|exactitud|准确率",
}
KINDS = {
    "number": r"number|numeric|numerical|zahl|numero|nombre|数字",
    "category": r"categor\w*|kategorie|code|类别",
    "date": r"date|datum|fecha|日期",
    "text": r"(?:free )?text|texto|文本",
}
LEAVE_OUT = r"drop|remove|ignore|exclude|leave out|without|do ?n[o']t use|not use|weglassen|ignoriere?|entferne|ohne|quita|ignora|elimina|sans|忽略|删除|去掉"
KEEP = r"keep|use|include|behalte|verwende|nutze|usa|usar|utilise|保留|使用"
AVOID = r"avoid|no|not|without|do ?n[o']t (?:use|try)|exclude|drop|skip|stop using|kein\w*|ohne|sin|sans|不要|不用"
TARGET = r"(?:the )?(?:target|label|answer)(?: column)?(?: is| =|:| should be)|predict(?: the)?(?: column)?|zielspalte(?: ist)?|sage? voraus|predecir|目标(?:列)?是|预测"
BALANCE = r"imbalanc\w*|class balance|balance (?:the )?class\w*|class weights?|rare class\w*|unausgewogen|klassen ausgleichen|desbalance\w*|不平衡"
LONGER = r"more time|longer|take your time|mehr zeit|langer|mas tiempo|plus de temps|更多时间|久一点"
SAMPLE = r"(?:sample|subsample|only|just|nur|solo)\D{0,20}?(\d[\d., ]*)\s*(k|thousand|tausend|mil)?\s*(?:rows?|examples?|zeilen|filas)|(?:sample of|subsample to)\s*(\d[\d., ]*)\s*(k)?"


@dataclass(frozen=True)
class Reading:
    """A hint, understood."""

    answer: str  # shown to the user
    overrides: dict[str, str] = field(default_factory=dict)  # as `infer_task` takes them
    preferences: Preferences | None = None
    needs_model: bool = False


def interpret(text: str, task: Task, profile: Profile) -> Reading:
    """What a hint asks for: target, metric, columns, kinds, models, balance, time, sample; several at once."""
    parts: list[str] = []
    overrides: dict[str, str] = {}
    wishes: dict[str, object] = {}
    for clause in re.split(r"[.;\n]|,\s*(?:and|und|y|et)?\s*(?=\w+ )|\band then\b|\bbut\b", text):
        _read_clause(clause, task, profile, parts, overrides, wishes)
    preferences = Preferences(**wishes) if wishes else None  # type: ignore[arg-type]
    if not parts:
        return Reading(
            "This hint needs a language model, and none is connected. Without one I understand: the target, the metric, "
            "columns to drop or keep, a column to treat as number, category, date or text, models to use or avoid, class "
            "balance, more time, and a sample of the rows.", needs_model=True,
        )  # fmt: skip
    sentence = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    return Reading(f"I will {sentence}.", overrides, preferences)


def _read_clause(
    clause: str, task: Task, profile: Profile, parts: list[str], overrides: dict[str, str], wishes: dict[str, object]
) -> None:
    plain = simple(clause)
    if not plain.strip():
        return
    columns = list(_columns(clause, task, profile))
    rest = plain
    for name in columns:
        rest = rest.replace(simple(name), " ")
    if re.search(rf"\b(?:{LONGER})", rest):
        wishes["more_time"] = True
        parts.append("take twice the time")
    if found := re.search(SAMPLE, rest):
        digits, unit = (found[1], found[2]) if found[1] else (found[3], found[4])
        rows = int(re.sub(r"\D", "", digits)) * (1000 if unit else 1)
        wishes["sample_rows"] = max(rows, 50)
        parts.append(f"train on a sample of {rows:,} rows")
    if re.search(BALANCE, rest):
        wishes["balance_classes"] = True
        if task.problem_type.value in ("binary", "multiclass") and task.metric.value in ("accuracy", "log_loss"):
            overrides["metric"] = "balanced_accuracy"
            parts.append("count every class alike (balanced accuracy)")
        else:
            parts.append("give rare classes their weight")
    else:
        for name, pattern in METRICS.items():
            if re.search(pattern, rest) and name in metrics.names(task.problem_type.value):
                overrides["metric"] = name
                parts.append(f"judge by {metrics.get(name).text}")
                break
    _read_models(rest, parts, wishes)
    if columns:
        _read_columns(rest, columns, parts, overrides)


def _read_models(rest: str, parts: list[str], wishes: dict[str, object]) -> None:
    named = [key for key, pattern in MODELS.items() if re.search(pattern, rest)]
    if not named:
        return
    listed = " and ".join(NAMES[key] for key in named)
    keys = [*named, "FASTAI"] if "NN_TORCH" in named else named
    if re.search(rf"(?:^|\W)(?:{AVOID})(?:\W|$)", rest):
        wishes["avoid_models"] = [*wishes.get("avoid_models", []), *keys]  # type: ignore[misc]
        parts.append(f"avoid {listed}")
    else:
        wishes["use_models"] = [*wishes.get("use_models", []), *keys]  # type: ignore[misc]
        parts.append(f"use {listed}")


def _read_columns(rest: str, columns: list[str], parts: list[str], overrides: dict[str, str]) -> None:
    listed = ", ".join(f'"{name}"' for name in columns)
    kind = next((key for key, pattern in KINDS.items() if re.search(rf"\b(?:as|is|to|als|como|comme|当作)\s+(?:an? |eine? |una? )?(?:{pattern})", rest)), None)
    if re.search(rf"(?:^|\W)(?:{LEAVE_OUT})", rest):
        overrides["drop"] = ",".join([*filter(None, [overrides.get("drop")]), *columns])
        parts.append(f"leave out {listed}")
    elif kind:
        for name in columns:
            overrides[f"type:{name}"] = kind
        parts.append(f"treat {listed} as {kind}")
    elif re.search(TARGET, rest):
        overrides["target"] = columns[0]
        parts.append(f'predict "{columns[0]}"')
    elif re.search(rf"(?:^|\W)(?:{KEEP})", rest):
        overrides["keep"] = ",".join([*filter(None, [overrides.get("keep")]), *columns])
        parts.append(f"keep {listed}")


def _columns(clause: str, task: Task, profile: Profile) -> Iterator[str]:
    """Columns the clause names, longest names first; quoted names may hold a typing error."""
    table = profile.table(task.train[0].table) if task.train else None
    if table is None:
        return
    plain = f" {simple(clause)} "
    quoted = [simple(q) for q in re.findall(r"[\"'“„«「`]([^\"'”“»」`]+)[\"'”“»」`]", clause)]
    names = {simple(name): name for name in table.names}
    for key in sorted(names, key=len, reverse=True):
        wide = re.escape(key) if re.search(r"[^\x00-\x7f]", key) else rf"(?<![\w]){re.escape(key)}(?![\w])"
        if key and re.search(wide, plain):
            plain = re.sub(wide, " ", plain)
            yield names[key]
    words = quoted or ([w for w in re.findall(r"[\w.-]{4,}", plain)] if re.search(r"column|spalte|columna|colonne", plain) else [])
    for word in words:
        if word not in names and (near := difflib.get_close_matches(word, names, n=1, cutoff=0.8)):
            yield names[near[0]]


def simple(text: str) -> str:
    """Folded, with underscores as blanks: how names and words are compared here."""
    return re.sub(r"[\s_]+", " ", fold(text)).strip()
