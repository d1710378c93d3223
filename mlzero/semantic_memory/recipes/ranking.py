"""Documents for queries: BM25 first, then an order learnt from judged queries."""

from __future__ import annotations

from mlzero.iterative_coding.contract import Failure, Machine, Variant
from mlzero.perception.profile import Profile
from mlzero.perception.tables import read_call
from mlzero.perception.task import Task
from mlzero.semantic_memory.recipes.rendering import call_for, render_made

FEW = 30  # judged queries from which an order is learnt
INDEXED = ["read_new_table", "id_texts", "judged_queries", "joined_texts", "build_index", "scores_of", "mixed_scores"]
LEARNT = ["remember_queries", "candidates_of", "grades_of"]


class Ranking:
    """Retrieval of documents."""

    name = "ranking"

    def applies(self, task: Task, profile: Profile) -> bool:
        return task.problem_type.value == "retrieval" and task.retrieval is not None

    def ladder(self, task: Task, profile: Profile, machine: Machine, seconds: float) -> list[Variant]:
        limit = max(30.0, 0.3 * seconds)
        quick = Variant(
            self.name, "words", "Words in common, weighted by rarity (BM25)",
            "Documents that share rare words with the query come first; nothing has to be learnt.",
            {"learnt": False}, fit_seconds=limit, min_seconds=5.0,
        )  # fmt: skip
        learnt = Variant(
            self.name, "learnt", "An order learnt from the judged queries",
            "Words, pieces of words, themes and earlier queries all speak for documents; how much is learnt.",
            {"learnt": True}, fit_seconds=limit, min_seconds=10.0,
        )  # fmt: skip
        return [quick, learnt]

    def render(self, task: Task, profile: Profile, variant: Variant) -> str:
        plan, learnt = task.retrieval, bool(variant.options["learnt"])
        assert plan is not None
        tables = {key: profile.table(key) for key in (plan.judgments, plan.corpus, task.train[0].table)}
        judgments, corpus, queries = (tables[key] for key in (plan.judgments, plan.corpus, task.train[0].table))
        assert judgments and corpus and queries
        reading = [read_call(judgments)[0], read_call(corpus)[0]]
        return render_made(
            "ranking.py.j2", task, profile, blocks=[*reading, *INDEXED, *(LEARNT if learnt else [])],
            imports=["import joblib", "import numpy as np", *(["from lightgbm import LGBMRanker"] if learnt else [])],
            plan=plan, learnt=learnt, written=read_call(queries)[1], judgments_call=call_for(judgments),
            corpus_call=call_for(corpus), open_queries=any(source.rows == "unlabelled" for source in task.test),
        )  # fmt: skip

    def step_down(self, variant: Variant, failure: Failure) -> Variant | None:
        return None
