"""What kind of answer is wanted, which labels it has, which of them counts as yes, and how it is judged."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from mlzero.errors import UserError
from mlzero.perception import goal as goals
from mlzero.perception import metric_words, vocabulary
from mlzero.perception.goal import Brief
from mlzero.perception.profile import ColumnProfile
from mlzero.perception.task import Inferred, ProblemType, Question
from mlzero.perception.wording import first_of, fold, stem, whole_word, words_of

if TYPE_CHECKING:
    import pandas as pd

_CURRENCY = re.compile(r"[€$£¥₹₩]|\b(?:EUR|USD|GBP|CHF|CNY|JPY|BRL)\b")
FEW_NUMBERS = 10  # so many different whole numbers may be classes
RARE = 0.2  # share of rows below which a class is easily missed
IMBALANCED = 3.0  # the most frequent class against the rarest, from where each class should count the same
_NUMBER_METRICS = frozenset(
    {"rmse", "mse", "rmsle", "mae", "medae", "mape", "wape", "smape", "r2", "pearson", "spearman"}
)
_COUNTS = "how_many count number_of quantity wie_viele anzahl cuantos cuantas cantidad combien nombre_de quantos 多少 数量 いくつ"
_CLASSES = "class* categor* classif* klass* kategor* clase* etiqueta* categorie* classe* 类别 分类 等级 クラス 分類"


def kind_of(
    columns: list[ColumnProfile], brief: Brief, pair: tuple[str, str] | None = None
) -> tuple[Inferred[ProblemType], Question | None]:
    """The problem type by what the target columns hold and what the goal says.

    Parameters
    ----------
    pair
        Two columns of texts that may be compared.
    """
    if len(columns) > 1:
        if all(c.unique <= 2 for c in columns):
            return kind_named(
                "multilabel", 0.95, f"{len(columns)} columns are wanted, each of them yes or no.", ["multitarget"]
            ), None
        if all(c.kind == "number" or c.number for c in columns):
            return kind_named("multitarget", 0.95, f"{len(columns)} columns of numbers are wanted.", []), None
        odd = next(c for c in columns if c.unique > 2 and not (c.kind == "number" or c.number))
        raise UserError(
            f'"{odd.name}" is neither yes/no nor a number, and several columns can only be predicted together when all are one or the other.',
            "Choose one target, or only columns of the same kind.",
        )
    (column,) = columns
    if column.kind == "date":
        raise UserError(
            f'"{column.name}" holds dates, which cannot be predicted.',
            "Choose a column with classes or numbers as target.",
        )
    alike = first_of(fold(brief.said), vocabulary.table(vocabulary.ALIKE)) if pair and _numeric(column) else None
    if pair and alike and column.unique > 2:
        asked = f'the goal speaks of "{whole_word(fold(brief.said), alike)}"'
        return kind_named(
            "text_similarity",
            0.9,
            f'"{column.name}" is a number for each pair of "{pair[0]}" and "{pair[1]}", and {asked}.',
            ["regression"],
        ), None
    if column.unique == 2:
        shown = " and ".join(text for text, _ in column.top[:2])
        return kind_named(
            "binary", 0.97, f'"{column.name}" has two values, {shown}.', ["regression"] if _numeric(column) else []
        ), None
    if not _numeric(column):
        return several_labels(column.name, column.unique), None
    return _kind_of_numbers(column, brief)


def _kind_of_numbers(column: ColumnProfile, brief: Brief) -> tuple[Inferred[ProblemType], Question | None]:
    name = column.name
    if not column.integer or column.unique > FEW_NUMBERS:
        return kind_named(
            "regression", 0.95, f'"{name}" holds numbers, {column.unique:,} different ones.', ["multiclass"]
        ), None
    named = [m.metric for m in metric_words.named_in(brief.said)]
    said = fold(brief.said)
    if any(m in _NUMBER_METRICS for m in named):
        return kind_named(
            "regression", 0.9, f'"{name}" holds numbers and {named[0]} measures numbers.', ["multiclass"]
        ), None
    if named:
        return kind_named(
            "multiclass", 0.9, f'"{name}" has {column.unique} values and {named[0]} measures classes.', ["regression"]
        ), None
    spaced = fold(name.replace("_", " "))
    in_words = column.number is not None and any(map(str.isalpha, "".join(column.number.affixes)))  # "2 stars"
    if (not in_words and first_of(said, vocabulary.table(_COUNTS))) or first_of(spaced, vocabulary.table(_COUNTS)):
        return kind_named("regression", 0.75, f'"{name}" counts something.', ["multiclass"]), None
    if first_of(said, vocabulary.table(_CLASSES)) or first_of(spaced, vocabulary.table(vocabulary.ANSWER_NAMES)):
        return kind_named(
            "multiclass", 0.85, f'"{name}" has only {column.unique} whole numbers, which are classes.', ["regression"]
        ), None
    question = Question(
        field="problem_type", text=f'Are the {column.unique} values of "{name}" classes or amounts?',
        options=["multiclass", "regression"], default="multiclass",
    )  # fmt: skip
    return kind_named(
        "multiclass", 0.6, f'"{name}" has only {column.unique} different whole numbers.', ["regression"]
    ), question


def several_labels(name: str, count: int) -> Inferred[ProblemType]:
    """More than two labels."""
    return kind_named("multiclass", 0.95, f'"{name}" has {count} different labels.', [])


def kind_named(
    value: ProblemType, confidence: float, evidence: str, alternatives: list[ProblemType]
) -> Inferred[ProblemType]:
    """An inference of a problem type."""
    return Inferred[ProblemType](value=value, confidence=confidence, evidence=evidence, alternatives=alternatives)


def _numeric(column: ColumnProfile) -> bool:
    return column.kind == "number" or (column.kind in ("boolean", "identifier") and isinstance(column.minimum, float))


def labels_of(column: pd.Series) -> Counter[str]:
    """Labels as text as they stand in the loaded column, the most frequent first."""
    from mlzero.iterative_coding.labels import text_of

    counts: Counter[str] = Counter()
    for value, n in column.value_counts().items():
        counts[text_of(value)] += int(n)
    return Counter(dict(sorted(counts.items(), key=lambda item: (-item[1], item[0]))))


def positive_of(labels: list[str], brief: Brief, target: str) -> Inferred[str | None]:
    """The label that counts as yes; labels come in order of frequency."""
    if len(labels) != 2:
        return Inferred[str | None](value=None)
    yes = [label for label in labels if fold(label) in vocabulary.table(vocabulary.YES)]
    if len(yes) == 1:
        return _positive(yes[0], 0.95, f'"{yes[0]}" in "{target}" says yes.', labels)
    goal_stems = {stem(word) for word in words_of(brief.said)}
    said = [
        label
        for label in labels
        if (parts := {stem(w) for w in words_of(label)}) and parts <= goal_stems and not label.isdigit()
    ]
    if len(said) == 1:
        return _positive(said[0], 0.85, f'The goal speaks of "{said[0]}".', labels)
    for word, called in goals.concepts(brief.said):
        fits = [label for label in labels if goals.called(label, called) and label != labels[0]]
        if len(fits) == 1:
            return _positive(fits[0], 0.8, f'The goal speaks of "{word}", which is "{fits[0]}" in "{target}".', labels)
    return _positive(labels[-1], 0.6, f'"{labels[-1]}" is the rarer label of "{target}".', labels)


def _positive(value: str, confidence: float, evidence: str, labels: list[str]) -> Inferred[str | None]:
    return Inferred[str | None](
        value=value, confidence=confidence, evidence=evidence, alternatives=[x for x in labels if x != value]
    )


def wants_probability(brief: Brief) -> str | None:
    """The words that ask for a probability."""
    folded = fold(brief.said)
    word = first_of(folded, vocabulary.table(vocabulary.PROBABILITY))
    return whole_word(folded, word) if word else None


def metric_for(
    problem_type: ProblemType,
    counts: Counter[str],
    targets: list[str],
    brief: Brief,
    *,
    of_texts: bool = False,
    of_files: bool = False,
    by_class: bool = False,
) -> Inferred[str]:
    """The metric that was asked for, or a sensible one.

    Parameters
    ----------
    of_files
        There is nothing else to judge rows by.
    by_class
        The answer has a column for every class.
    """
    asked = asked_metric(problem_type, brief)
    if asked:
        return asked
    if by_class:
        return Inferred[str](
            value="log_loss", confidence=0.75, alternatives=["accuracy", "f1_macro"],
            evidence="The sample of the answer has a column for every class, so it wants probabilities, which log loss judges.",
        )  # fmt: skip
    if of_files and problem_type in ("binary", "multiclass") and not wants_probability(brief):
        return Inferred[str](
            value="accuracy", confidence=0.75, evidence="For pictures, recordings and documents the share of right answers is usual.",
            alternatives=["f1_macro", "roc_auc" if problem_type == "binary" else "log_loss"],
        )  # fmt: skip
    return _default_metric(problem_type, counts, targets, brief, of_texts)


def asked_metric(problem_type: ProblemType, brief: Brief) -> Inferred[str] | None:
    """The metric that the goal or a document asks for, of those that suit the problem type."""
    from mlzero.iterative_coding import metrics

    fitting = metrics.names(problem_type)
    texts = [(brief.goal, "The goal"), (brief.brief, brief.brief_path), *((d.text, d.path) for d in brief.described)]
    for text, where in texts:
        usable = [
            (suited, named.words)
            for named in metric_words.named_in(text)
            if (suited := metric_words.suited(named.metric, problem_type, problem_type == "multiclass")) in fitting
        ]
        if usable:
            certain = where in ("The goal", brief.brief_path)
            others = list(dict.fromkeys(name for name, _ in usable[1:] if name != usable[0][0]))
            return Inferred[str](
                value=usable[0][0],
                confidence=0.95 if certain else 0.75,
                evidence=f'{where} asks for it: "{usable[0][1]}".',
                alternatives=others,
            )
    return None


def _default_metric(
    problem_type: ProblemType, counts: Counter[str], targets: list[str], brief: Brief, of_texts: bool
) -> Inferred[str]:
    def usual(value: str, evidence: str, *others: str, confidence: float = 0.7) -> Inferred[str]:
        return Inferred[str](value=value, confidence=confidence, evidence=evidence, alternatives=list(others))

    if problem_type == "binary":
        word = wants_probability(brief)
        reason = (
            f'The goal asks for "{word}", and ROC AUC looks at the order of the risks'
            if word
            else "ROC AUC suits two classes whatever their shares"
        )
        rare = min(counts.values(), default=0) / max(sum(counts.values()), 1)
        if not word and rare < RARE and first_of(fold(brief.said), vocabulary.table(vocabulary.YES_OR_NO)):
            return usual(
                "f1",
                f"A clear yes or no is wanted and only {rare:.1%} of the rows are of the rarer kind, which F1 looks at.",
                "average_precision",
                "roc_auc",
            )
        return usual("roc_auc", f"{reason}.", "accuracy", "f1", "log_loss", confidence=0.8 if word else 0.6)
    if problem_type == "multiclass":
        most, least = max(counts.values(), default=1), min(counts.values(), default=1)
        if most > IMBALANCED * max(least, 1):
            return usual(
                "f1_macro",
                f"The classes differ in size ({most:,} rows against {least:,}), so each counts the same.",
                "accuracy",
                "balanced_accuracy",
            )
        if of_texts:
            return usual(
                "f1_macro", "Classes of texts are usually compared by macro F1: each counts the same.", "accuracy"
            )
        return usual(
            "accuracy",
            "The classes are of similar size, so the share of right answers says it.",
            "f1_macro",
            "log_loss",
        )
    if problem_type == "multilabel":
        return usual(
            "f1_micro", "F1 over all labels together is usual for several labels a row.", "f1_macro", "hamming"
        )
    if problem_type == "text_similarity":
        return usual(
            "spearman", "How alike two texts are is usually judged by the order of the pairs.", "pearson", "rmse"
        )
    money = vocabulary.table(vocabulary.MONEY)
    if any(goals.called(name, money) or _CURRENCY.search(name) for name in targets) or goals.called(brief.goal, money):
        return usual("mae", "For prices, the average distance in money is what people ask about.", "rmse", "mape")
    return usual("rmse", "The typical error in the unit of the target, large errors counting more.", "mae", "r2")
