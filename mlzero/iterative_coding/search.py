"""Which attempt comes next: a quick valid one, then repairs, then better ones while the budget lasts."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from mlzero.iterative_coding.contract import Attempt, Variant, best_of
from mlzero.iterative_coding.ideas import Ideas

REPAIRS = 2  # repairs in a row before the next idea gets its turn
CLOSING = 14.0  # seconds kept for packaging, the proof in a fresh process and the report
OWN_MIN = 5.0  # seconds of fitting below which an idea of the language model is not tried
OVERRUN = 1.5  # code of a model keeps its limit less well than a recipe
WAIT = 0.4  # part of the time left that a model may think when nothing else is to do
LAST_STAGES = ("start", "predict_test")  # around the final fit, which neither reads the data again nor measures
READY = 3.0  # seconds until a final fit can begin, beyond those
FIRST_OVERHEAD = 8.0  # seconds around a fit (reading, imports, predicting) until the first attempt has shown its own


@dataclass(frozen=True)
class Step:
    """The next attempt."""

    variant: Variant
    parent: int | None
    source: str | None = None  # written already, by a language model


@dataclass
class Search:
    """The policy over the attempts of one ladder (they share task and split).

    Parameters
    ----------
    ladder
        Variants of the recipe, the quick one first.
    repair
        Gives a variant that avoids a failure, or None.
    max_attempts
        Attempts in all.
    ideas
        A language model that writes attempts, when there is one. What the ladder plans keeps its time and its
        attempts, so the model can add to it and take nothing away.
    """

    ladder: list[Variant]
    repair: Callable[[Attempt], Variant | None]
    max_attempts: int
    ideas: Ideas | None = None

    def round(self, attempts: list[Attempt], seconds: float, lanes: int, *, again: bool = False) -> list[Step]:
        """The next step, and as many more of the ladder beside it as there are lanes, once there is something valid.

        Parameters as in `next`; none when nothing is left to gain.
        """
        first = self.next(attempts, seconds, again=again)
        best = best_of(attempts)
        if first is None or again or best is None:
            return [first] if first else []
        taken = {first.variant.name, *(attempt.variant.name for attempt in attempts)}
        beside = [
            Step(replace(variant, fit_seconds=fit), parent=best.number)
            for variant in self.ladder
            if variant.name not in taken and (fit := self._affordable(variant, attempts, seconds))
        ]
        return [first, *beside][: min(lanes, self.max_attempts - len(attempts))]

    def next(self, attempts: list[Attempt], seconds: float, *, again: bool = False) -> Step | None:
        """The next step, or None when nothing is left to gain.

        Parameters
        ----------
        attempts
            Earlier attempts on the same task and split.
        seconds
            Budget left, closing work included.
        again
            A hint changed what the solutions do: a rung of the ladder may be climbed a second time.
        """
        if len(attempts) >= self.max_attempts:
            return None
        for broken in _to_repair(attempts):
            mended = self.repair(broken)
            if mended and (fit := self._affordable(mended, attempts, seconds)):
                return Step(replace(mended, fit_seconds=fit), parent=broken.number)
        tried = set() if again else {a.variant.name for a in attempts}
        rungs = [v for v in self.ladder if v.name not in tried]
        best = best_of(attempts)
        if best and (step := self._thought_up(attempts, rungs, seconds)):
            return step
        for variant in reversed(rungs) if again and attempts else rungs:
            if fit := self._affordable(variant, attempts, seconds):
                return Step(replace(variant, fit_seconds=fit), parent=best.number if best else None)
        return self._thought_up(attempts, [], seconds)

    def left_out(self, attempts: list[Attempt], seconds: float) -> tuple[Variant, float] | None:
        """The first rung that there was no time for, and the seconds it lacks; None when that is not why there are no more."""
        if len(attempts) >= self.max_attempts or best_of(attempts) is None:
            return None
        tried = {attempt.variant.name for attempt in attempts}
        around = CLOSING + overhead(attempts) + last_overhead(attempts)
        for variant in self.ladder:
            lacks = 2 * variant.min_seconds + around - seconds
            if variant.name not in tried and lacks > 0:
                return variant, lacks
        return None

    def _thought_up(self, attempts: list[Attempt], rungs: list[Variant], seconds: float) -> Step | None:
        """An attempt of the language model, when what is planned still fits in after it.

        While something is planned the model thinks beside it, unless it does so on the same cores; at the end, or when
        the user asked for something, it is waited for.
        """
        if self.ideas is None or not attempts or len(attempts) + len(rungs) >= self.max_attempts:
            return None
        if rungs and self.ideas.waits:
            return None
        extra, urgent = overhead(attempts), self.ideas.urgent
        reserved = [v for v in rungs if not urgent and self._affordable(v, attempts, seconds)]
        rest = seconds - sum(v.fit_seconds + extra for v in reserved)
        fits = self._spare(attempts, rest)
        if fits or reserved:
            self.ideas.think(attempts)
        if not fits:
            return None
        begun = time.monotonic()
        found = self.ideas.take(0.0 if rungs and not urgent else WAIT * self._room(attempts, rest))
        fits = self._spare(attempts, rest - (time.monotonic() - begun))
        return Step(replace(found.variant, fit_seconds=fits), found.parent, source=found.source) if found and fits else None  # fmt: skip

    def _spare(self, attempts: list[Attempt], seconds: float) -> float:
        """Seconds an idea may fit so that the final fit of the best, or its own, still fits in; 0 when too few."""
        variant = (best_of(attempts) or attempts[-1]).variant
        room = self._room(attempts, seconds)
        fit = min(room / OVERRUN, (seconds - CLOSING - overhead(attempts) - last_overhead(attempts)) / (1 + OVERRUN))
        return min(fit, variant.fit_seconds) if fit >= min(OWN_MIN, variant.fit_seconds) else 0.0

    def _room(self, attempts: list[Attempt], seconds: float) -> float:
        """Seconds beside what the final fit of the best needs."""
        best = best_of(attempts)
        taken = best.evaluation.seconds.get("fit", 0.0) if best and best.evaluation else 0.0
        return seconds - CLOSING - overhead(attempts) - last_overhead(attempts) - taken

    def _affordable(self, variant: Variant, attempts: list[Attempt], seconds: float) -> float:
        """Seconds the variant may fit so that a final fit of the same length still fits in; 0 when too few."""
        if not any(a.evaluation and a.evaluation.valid for a in attempts):
            return min(variant.fit_seconds, max(5.0, seconds - CLOSING - overhead(attempts)))
        fit = min(variant.fit_seconds, (seconds - CLOSING - overhead(attempts) - last_overhead(attempts)) / 2)
        return fit if fit >= variant.min_seconds else 0.0


def overhead(attempts: list[Attempt]) -> float:
    """Seconds an attempt needs around its fit, as measured on the last one that came through."""
    seconds = _measured(attempts)
    return sum(seconds.values()) - seconds.get("fit", 0.0) if seconds else FIRST_OVERHEAD


def last_overhead(attempts: list[Attempt]) -> float:
    """Seconds the final fit needs around itself, as measured on the last attempt that came through."""
    seconds = _measured(attempts)
    return READY + sum(seconds.get(stage, 0.0) for stage in LAST_STAGES) if seconds else FIRST_OVERHEAD


def _measured(attempts: list[Attempt]) -> dict[str, float]:
    """Seconds by stage of the last attempt that came through; nothing before there is one."""
    found = (a.evaluation.seconds for a in reversed(attempts) if a.evaluation and a.evaluation.valid)
    return next(found, {})


def refit_seconds(attempt: Attempt, attempts: list[Attempt], left: float, *, continues: bool = False) -> float:
    """Seconds the final fit on all rows may take, or 0 when the budget does not allow one.

    A fit cut much shorter than the one that was measured would hand over another model than the one
    whose score is shown, so less than 0.7 of its time is no final fit; where it goes on from the measured model, 0.2.
    """
    if attempt.evaluation is None:
        return 0.0
    taken = max(attempt.evaluation.seconds.get("fit", 0.0), 2.0)
    room = left - CLOSING - last_overhead(attempts)
    wanted = max(attempt.variant.fit_seconds, taken)
    if continues:
        return room if room >= 0.2 * taken else 0.0
    return min(wanted, room) if room >= 0.7 * taken else 0.0


def _failed(attempt: Attempt) -> bool:
    return attempt.evaluation is not None and not attempt.evaluation.valid


def _to_repair(attempts: list[Attempt]) -> list[Attempt]:
    """Planned attempts that failed and were not repaired yet, nor are repairs too often repaired, the last first."""
    repaired = {attempt.parent for attempt in attempts}
    parents = {attempt.number: attempt for attempt in attempts}

    def repairs(attempt: Attempt) -> int:
        parent = parents.get(attempt.parent or 0)
        return 1 + repairs(parent) if parent and _failed(parent) else 0

    return [
        attempt
        for attempt in reversed(attempts)
        if _failed(attempt)
        and not attempt.variant.by_model
        and attempt.number not in repaired
        and repairs(attempt) < REPAIRS
    ]
