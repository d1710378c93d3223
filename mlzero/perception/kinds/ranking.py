"""Documents to rank for queries: a table or folder of documents, queries, and judgments which belong together."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from mlzero.errors import UserError
from mlzero.perception import goal as goals
from mlzero.perception import override
from mlzero.perception.answers import SAMPLE_FILE, asked_file
from mlzero.perception.columns import Hints, describe
from mlzero.perception.goal import Brief
from mlzero.perception.metric_words import named_in
from mlzero.perception.override import Overrides
from mlzero.perception.paths import ending_of, folder_of
from mlzero.perception.profile import Profile, ReadPlan, TableProfile
from mlzero.perception.task import (
    FeaturePlan,
    FileRole,
    Inferred,
    Modality,
    OutputPlan,
    ProblemType,
    RetrievalPlan,
    Role,
    RowSource,
    SplitPlan,
    Task,
)
from mlzero.perception.wording import fold

TARGET = "relevant"
_SPOKEN = re.compile(
    r"retriev|search|\brank|relevan|\bquer|find (the |us )?(best|right|most|matching|documents|passages|articles|answers)"
    r"|such(e|anfrage|maschine)|anfrage|busca|consulta|recherche|requete|pesquisa|检索|搜索|查询|相关|検索"
)
_JUDGED = re.compile(r"qrel|judg|relevan|label|click|match|train|gold|truth", re.I)
_ASKED = re.compile(r"(^|[\W_])(test|eval|new|predict|open|unjudged|todo)", re.I)
_ENDINGS = [".md", ".txt"]
_FILES = 20  # text files in one folder that make a collection
_KNOWN = 0.7  # share of the judged ids that must be known


@dataclass
class _Found:
    """The parts of a retrieval task."""

    judgments: TableProfile
    query_key: str  # columns of the judgments
    document_key: str
    grade: str | None
    queries: list[TableProfile]
    query_id: str
    corpus: TableProfile
    document_id: str


class Ranking:
    """See `Specialist`."""

    def tables(self, data_dir: Path, profile: Profile) -> list[TableProfile]:
        folders: dict[str, int] = {}
        for file in profile.files:
            if file.kind in ("text", "document") and ending_of(file.path) in _ENDINGS:
                folder = folder_of(file.path) or "."
                folders[folder] = folders.get(folder, 0) + 1
        if not profile.tables:
            return []
        lists = [
            file.path
            for file in profile.files
            if file.kind in ("document", "text", "other") and _is_qrels(data_dir / file.path)
        ]
        profile.documents[:] = [document for document in profile.documents if document.path not in lists]
        made = [_made(data_dir, path, "read_qrels", "One row a judgment.") for path in lists]
        return made + [
            _made(
                data_dir, folder, "text_files", "One row a text file.", endings=_ENDINGS, skip=_below(folder, folders)
            )
            for folder, count in folders.items()
            if count >= _FILES
        ]

    def task(self, data_dir: Path, profile: Profile, brief: Brief, given: Overrides) -> Task | None:
        if given.problem_type not in (None, "retrieval") or given.targets not in (None, [TARGET]):
            return None
        if not _SPOKEN.search(fold(brief.said)) and given.problem_type is None:
            return None
        found = _parts(data_dir, profile)
        if found is None:
            return None
        judged, asked = _queries(data_dir, found)
        if judged < 5:
            raise UserError(
                f"Only {judged} queries of {found.queries[0].path} have judged documents in {found.judgments.path}.",
                "Add judgments, so that there is something to learn from.",
            )
        words = _wordy(found.queries[0], found.query_id)
        plan = RetrievalPlan(
            corpus=found.corpus.key, document_id=found.document_id, document_text=_wordy(found.corpus, found.document_id),
            query_id=found.query_id, query_text=words, judgments=found.judgments.key, judged_query=found.query_key,
            judged_document=found.document_key, grade=found.grade, depth=_depth(brief),
        )  # fmt: skip
        return Task(
            goal=brief.goal,
            modality=Inferred[Modality](value="text", confidence=0.95, evidence="Queries and documents are texts."),
            problem_type=Inferred[ProblemType](
                value="retrieval", confidence=0.95,
                evidence=f"{found.judgments.path} tells which of the {found.corpus.rows:,} documents of "
                f"{found.corpus.path} are relevant to a query.",
            ),
            target=Inferred[str | list[str] | None](
                value=TARGET, confidence=0.95, evidence="The relevant documents of each query are to be found."
            ),
            metric=_metric(brief, given),
            id=Inferred[str | None](value=found.query_id, confidence=0.95, evidence=f'"{found.query_id}" names the queries.'),
            files=Inferred[list[FileRole]](
                value=_files(profile, found, asked), confidence=0.9,
                evidence=f"Ids of {found.judgments.path} stand in {found.queries[0].path} and in {found.corpus.path}.",
            ),
            split=override.split_of(given)
            or Inferred[SplitPlan](
                value=SplitPlan(kind="random", fraction=0.3 if judged < 300 else 0.2),
                confidence=0.9, evidence="Whole queries by chance.",
            ),
            output=_output(profile, brief, found, plan),
            train=[RowSource(table=t.key, rows="labelled") for t in found.queries if t is not asked or t is found.queries[0]],
            test=[RowSource(table=asked.key, rows="all" if asked not in found.queries[:1] else "unlabelled")] if asked else [],
            features=[FeaturePlan(name=name, treat_as="text") for name in words]
            + [FeaturePlan(name=found.query_id, treat_as="identifier", drop="It names the query.")],
            retrieval=plan,
            overridden=given.fields,
        )  # fmt: skip


def _below(folder: str, folders: Iterable[str]) -> list[str]:
    """Those of the folders that lie in this one, as paths from it."""
    top = "" if folder == "." else f"{folder}/"
    return [other.removeprefix(top) for other in folders if other != folder and other.startswith(top)]


def _made(data_dir: Path, path: str, maker: str, note: str, **options: Any) -> TableProfile:
    from mlzero.semantic_memory import blocks

    frame = blocks.function(maker)(data_dir / path, **options)
    hints = Hints()
    return TableProfile(
        key=path, path=path, read=ReadPlan(format="made", maker=maker, options=options), rows=len(frame),
        columns=[describe(str(name), str(name), frame[name], hints) for name in frame], notes=[note],
    )  # fmt: skip


def _is_qrels(path: Path) -> bool:
    """Whether all lines are a query, a run, a document and a grade, with blanks between."""
    if path.suffix.lower() not in (".txt", ".qrels", ".qrel", ".rel", ".trec", ""):
        return False
    with path.open("rb") as file:
        lines = file.read(20_000).decode("utf-8", "ignore").splitlines()[:200]
    cells = [line.split() for line in (lines[:-1] or lines)]
    return bool(cells) and all(len(row) == 4 and re.fullmatch(r"-?\d+(\.0)?", row[3]) for row in cells)


def _parts(data_dir: Path, profile: Profile) -> _Found | None:
    """Judgments whose two ids stand in two other tables that hold texts."""
    tables = [table for table in profile.tables if not SAMPLE_FILE.search(PurePosixPath(table.path).name)]
    named = {t.key: _keys(data_dir, t) for t in tables if _has_text(t)}
    best: tuple[float, _Found] | None = None
    for judgments in tables:
        if not 2 <= len(judgments.columns) <= 6 or judgments.rows < 5:
            continue
        cells = {c.name: _ids(data_dir, judgments, c.name) for c in judgments.columns}
        links = [
            (name, key, column, _share(values, ids))
            for name, values in cells.items() for key, columns in named.items() if key != judgments.key
            for column, ids in columns.items()
        ]  # fmt: skip
        links = [link for link in links if link[3] >= _KNOWN]
        for document in links:
            for query in links:
                if query[0] == document[0] or query[1] == document[1]:
                    continue
                corpus, queries = profile.table(document[1]), profile.table(query[1])
                assert corpus is not None and queries is not None
                score = document[3] + query[3] + 0.3 * bool(_JUDGED.search(judgments.path))
                score += (corpus.rows > queries.rows) + 1.5 * bool(
                    re.search(r"quer|question|topic|search|anfrage", queries.path, re.I)
                )
                score += bool(re.search(r"doc|corpus|passage|article|collection", corpus.path, re.I))
                if best is None or score > best[0]:
                    same = [
                        t
                        for t in tables
                        if t is not queries and t is not corpus and t.names == queries.names and t.key in named
                    ]
                    grade = [
                        c.name
                        for c in judgments.columns
                        if c.name not in (query[0], document[0])
                        and isinstance(c.maximum, float)
                        and c.integer
                        and c.maximum <= 10
                    ]
                    best = score, _Found(
                        judgments, query[0], document[0], grade[-1] if grade else None, [queries, *same], query[2], corpus, document[2]
                    )  # fmt: skip
    return best[1] if best else None


def _wordy(table: TableProfile, identifier: str) -> list[str]:
    """Columns with words to compare."""
    kinds = ("text", "category", "identifier")
    return [c.name for c in table.columns if c.name != identifier and c.kind in kinds and c.told is None]


def _has_text(table: TableProfile) -> bool:
    return any((c.mean_words or 0) >= 1.5 for c in table.columns)


def _keys(data_dir: Path, table: TableProfile) -> dict[str, set[str]]:
    """Columns with another short value in every row, and their values as text."""
    return {
        c.name: _ids(data_dir, table, c.name)
        for c in table.columns
        if not c.missing and c.unique >= 0.98 * table.rows and (c.mean_words or 1) <= 1.5
    }


def _ids(data_dir: Path, table: TableProfile, name: str) -> set[str]:
    from mlzero.perception.tables import load_table
    from mlzero.semantic_memory.blocks.judgments import id_texts

    return set(id_texts(load_table(data_dir, table)[name].dropna()))


def _share(values: set[str], ids: set[str]) -> float:
    return len(values & ids) / len(values) if values else 0.0


def _queries(data_dir: Path, found: _Found) -> tuple[int, TableProfile | None]:
    """How many queries are judged, and the table with those to answer, if any is."""
    judged = _ids(data_dir, found.judgments, found.query_key)
    known = {table.key: _ids(data_dir, table, found.query_id) for table in found.queries}
    new = [t for t in found.queries if _share(known[t.key], judged) < 0.5]
    asked = next((t for t in new if _ASKED.search(PurePosixPath(t.path).name)), new[0] if new else None)
    if asked is None:
        main = found.queries[0]
        asked = main if len(known[main.key] - judged) > 0 else None
    return len(judged & set().union(*known.values())), asked


def _depth(brief: Brief) -> int:
    said = re.search(r"\b(?:top|best|first|@)[ -]?(\d{1,4})\b", fold(brief.said))
    return min(max(int(said.group(1)), 1), 1000) if said else 10


def _metric(brief: Brief, given: Overrides) -> Inferred[str]:
    from mlzero.iterative_coding import metrics

    if chosen := override.metric_of(given, "retrieval"):
        return chosen
    fitting = metrics.names("retrieval")
    for asked in named_in(brief.said):
        value = {"recall": "recall@10", "precision": "precision@10", "average_precision": "map@100"}.get(
            asked.metric, asked.metric
        )
        if value in fitting:
            return Inferred[str](
                value=value,
                confidence=0.9,
                evidence=f'The goal asks for it: "{asked.words}".',
                alternatives=[name for name in fitting if name != value][:3],
            )
    return Inferred[str](
        value="ndcg@10", confidence=0.75, evidence="Rankings are usually judged by NDCG of the first ten.",
        alternatives=["mrr@10", "recall@10", "map@100"],
    )  # fmt: skip


def _output(profile: Profile, brief: Brief, found: _Found, plan: RetrievalPlan) -> Inferred[OutputPlan]:
    name, ending = asked_file(profile, brief)
    output = OutputPlan(file_name=name, format=ending, layout="long")
    samples = [t for t in profile.tables if SAMPLE_FILE.search(PurePosixPath(t.path).name) and 2 <= len(t.columns) <= 4]
    if samples:
        output.sample, output.columns = samples[0].key, samples[0].names
        if samples[0].columns[0].unique == samples[0].rows and " " in "".join(samples[0].columns[1].examples[:1]):
            output.layout = "rows"
        return Inferred[OutputPlan](value=output, confidence=0.9, evidence=f"Columns as in {samples[0].key}.")
    asked = goals.asked_names(brief.said)
    asked = asked[:2] + [name for name in asked[2:3] if re.search(r"rank|rang|score|pos", name, re.I)]
    fits = 2 <= len(asked) <= 4 and re.search(r"quer|id|topic|frage", asked[0], re.I)
    output.columns = asked if fits else [found.query_key, found.document_key, "rank"]
    evidence = "Columns as the goal asks for" if fits else f"Ids as they are called in {found.judgments.path}"
    return Inferred[OutputPlan](
        value=output, confidence=0.8, evidence=f"{evidence}; one line a document, {plan.depth} a query."
    )


def _files(profile: Profile, found: _Found, asked: TableProfile | None) -> list[FileRole]:
    def role(table: TableProfile) -> Role:
        if table is asked and table not in found.queries[:1]:
            return "test"
        if table in found.queries or table is found.judgments:
            return "train"
        return "lookup" if table is found.corpus else "ignored"

    inside = {table.path for table in profile.tables}
    others = [f for f in profile.files if f.path not in inside and str(PurePosixPath(f.path).parent) not in inside]
    return [FileRole(path=table.key, role=role(table)) for table in profile.tables] + [
        FileRole(path=file.path, role="description" if file.kind == "document" else "ignored") for file in others
    ]
