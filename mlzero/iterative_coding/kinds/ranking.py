"""Documents ranked for queries. The truth names the relevant ones with their grade: `d7=2 d1=1`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mlzero.iterative_coding import evaluators
from mlzero.iterative_coding.checks import contract_checks
from mlzero.iterative_coding.contract import Check
from mlzero.iterative_coding.kinds import Case, Measure

if TYPE_CHECKING:
    import pandas as pd

    from mlzero.perception.task import Task

EXAMPLES = 20
TOP = 10  # documents that are looked at


class Ranking(Measure):
    """See `Measure`."""

    def check(
        self, predicted: pd.DataFrame, rows: pd.DataFrame, task: Task, known: list[str], where: str
    ) -> list[Check]:
        checks = contract_checks(predicted, rows, task, known, where)
        if not all(c.passed for c in checks):
            return checks
        lists = [str(text).split() for text in predicted[task.targets[0]]]
        empty = sum(not ranked for ranked in lists)
        twice = sum(len(set(ranked)) < len(ranked) for ranked in lists)
        checks.append(Check(
            f"{where}: documents", empty + twice == 0,
            f"{empty:,} queries have no document and {twice:,} the same one twice."
            if empty + twice else "Every query has its documents, none twice.",
        ))  # fmt: skip
        return checks

    def score(self, metric: str, case: Case) -> float:
        said = case.predicted[case.target].loc[case.truth.index].tolist()
        return float(np.mean(_each(metric, case.task, case.truth, said)))

    def naive(self, metric: str, case: Case) -> tuple[float, str]:
        counts = Counter(name for text in case.train[case.target] for name in grades(text))
        usual = " ".join(name for name, _ in counts.most_common(100))
        score = float(np.mean(_each(metric, case.task, case.truth, [usual] * len(case.truth))))
        return score, "always gives the documents that most queries want"

    def evaluate(self, case: Case, folder: Path) -> None:
        """`ranked.json`: the place of the first right document, and queries from the best to the worst."""
        target = case.target
        said = case.predicted[target].loc[case.truth.index].tolist()
        each = _each(case.task.metric.value, case.task, case.truth, said)
        wanted, lists = [grades(text) for text in case.truth[target]], [str(text).split() for text in said]
        examples = [
            evaluators.missed(case.rows, int(i), " ".join([*wanted[i]][:TOP]), " ".join(lists[i][:TOP]), 1 - each[i])
            for i in np.argsort(each, kind="stable")[:EXAMPLES]
        ]
        asked = [f.name for f in case.task.used_features if f.treat_as == "text"] or [case.task.used_features[0].name]
        queries = [
            {
                "query": " ".join(str(case.rows[name].iloc[i]) for name in asked)[:200], "score": each[i],
                **marked(wanted[i], lists[i]),
            }
            for i in evaluators.spread(each, EXAMPLES)
        ]  # fmt: skip
        ranked = {"first": first_right(wanted, lists), "queries": queries}
        for name, data in (("worst_examples", {"examples": examples}), ("ranked", ranked)):
            evaluators.write(folder, name, data)


def grades(text: object) -> dict[str, float]:
    """Relevant documents and how relevant they are, of a cell of the truth."""
    found = {}
    for word in str(text).split():
        name, mark, grade = word.rpartition("=")
        found[name if mark else word] = float(grade) if mark else 1.0
    return found


def marked(relevant: dict[str, float], ranked: list[str]) -> dict[str, list[Any]]:
    """The top of a ranking as `documents` with `name` and `right`, and the relevant ones it lacks as `missed`."""
    top = ranked[:TOP]
    wanted = [name for name, grade in sorted(relevant.items(), key=lambda pair: -pair[1]) if grade > 0]
    return {
        "documents": [{"name": name, "right": name in wanted} for name in top],
        "missed": [name for name in wanted if name not in top][:TOP],
    }


def first_right(relevant: list[dict[str, float]], ranked: list[list[str]]) -> list[int]:
    """How many queries have their first right document at place 1, 2 … `TOP`, and last how many have none there."""
    counts = [0] * (TOP + 1)
    for wanted, names in zip(relevant, ranked, strict=True):
        counts[next((place for place, name in enumerate(names[:TOP]) if wanted.get(name, 0) > 0), TOP)] += 1
    return counts


def measured(metric: str, relevant: dict[str, float], ranked: list[str]) -> float:
    """A metric such as `ndcg@10` of one query; gains grow with two to the power of the grade (Burges et al. 2005)."""
    kind, _, depth = metric.partition("@")
    top = ranked[: int(depth or 10)]
    gains = [relevant.get(name, 0.0) for name in top]
    hits = [gain > 0 for gain in gains]
    wanted = sum(grade > 0 for grade in relevant.values())
    if kind == "ndcg":
        best = sorted(relevant.values(), reverse=True)[: int(depth or 10)]
        ideal = _discounted(best)
        return _discounted(gains) / ideal if ideal else 0.0
    if kind == "mrr":
        return next((1.0 / rank for rank, hit in enumerate(hits, start=1) if hit), 0.0)
    if kind == "recall":
        return sum(hits) / max(wanted, 1)
    if kind == "precision":
        return sum(hits) / int(depth or 10)
    found = [sum(hits[:rank]) / rank for rank, hit in enumerate(hits, start=1) if hit]
    return sum(found) / max(wanted, 1)


def _discounted(gains: list[float]) -> float:
    return float(sum((2.0**gain - 1) / np.log2(rank + 1) for rank, gain in enumerate(gains, start=1)))


def _each(metric: str, task: Task, truth: pd.DataFrame, ranked: list[str]) -> list[float]:
    wanted = truth[task.targets[0]].map(grades)
    return [measured(metric, real, str(said).split()) for real, said in zip(wanted, ranked, strict=True)]


MEASURE = Ranking()
