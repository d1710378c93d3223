"""The attempts of one run, as a tree."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from mlzero.iterative_coding.contract import Attempt, Diagnosis, Evaluation, Variant, best_of


@dataclass
class Journal:
    """Attempts in order. Those before `since` worked on other goalposts and do not compare."""

    attempts: list[Attempt] = field(default_factory=list)
    since: int = 1

    def add(self, attempt: Attempt) -> None:
        self.attempts.append(attempt)

    def next_number(self) -> int:
        return self.attempts[-1].number + 1 if self.attempts else 1

    def comparable(self) -> list[Attempt]:
        """Attempts on the task and split in force."""
        return [attempt for attempt in self.attempts if attempt.number >= self.since]

    def best(self) -> Attempt | None:
        """The valid attempt with the best holdout score."""
        return best_of(self.comparable())

    def supersede(self) -> None:
        """The question changed: what was scored so far counts no longer."""
        self.since = self.next_number()

    def summaries(self) -> list[dict[str, Any]]:
        """One short record an attempt, for `run.json`."""
        found = []
        for attempt in self.attempts:
            evaluation, diagnosis = attempt.evaluation, attempt.diagnosis
            found.append({
                "number": attempt.number, "title": attempt.variant.title, "idea": attempt.variant.idea, "parent": attempt.parent,
                "hint": attempt.hint, "valid": bool(evaluation and evaluation.valid), "score": evaluation.score if evaluation else None,
                "seconds": round(sum(evaluation.seconds.values()), 1) if evaluation else None,
                "memory_mb": evaluation.memory_mb if evaluation else None,
                "cause": diagnosis.cause if diagnosis else None, "counts": attempt.number >= self.since,
            })  # fmt: skip
        return found

    def to_json(self) -> dict[str, Any]:
        return {
            "since": self.since,
            "attempts": [
                {
                    "number": a.number, "variant": asdict(a.variant), "parent": a.parent, "hint": a.hint,
                    "diagnosis": asdict(a.diagnosis) if a.diagnosis else None,
                    "evaluation": a.evaluation.to_json() if a.evaluation else None,
                }
                for a in self.attempts
            ],
        }  # fmt: skip

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Journal:
        attempts = [
            Attempt(
                entry["number"], Variant(**entry["variant"]), entry["parent"], entry["hint"],
                Diagnosis(**entry["diagnosis"]) if entry["diagnosis"] else None,
                Evaluation.from_json(entry["evaluation"]) if entry["evaluation"] else None,
            )
            for entry in data["attempts"]
        ]  # fmt: skip
        return cls(attempts, data["since"])
