"""Small pictures as SVG text, for a report that needs nothing from outside. All words in them are escaped."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import Any

from mlzero.iterative_coding.outcome import spoken, time_unit

WIDTH, HEIGHT, LEFT, RIGHT, BOTTOM, TOP = 640, 280, 66, 30, 44, 26
BAR = 26  # height of one bar with its gap
LONGEST = 28  # characters of a name beside a bar
NAMED = 8  # steps with a number below them
CROWDED = 10  # characters of a time that fit side by side


def score_steps(points: Sequence[tuple[float, float, bool, str]], naive: float | None, name: str) -> str:
    """Score of each attempt over time, the best so far as a line, the naive guess dashed.

    Parameters
    ----------
    points
        Seconds, score, whether it was the best at its time, what to call it.
    """
    latest = max((seconds for seconds, *_ in points), default=0.0)
    unit, length = time_unit(latest)
    values = [score for _, score, *_ in points] + ([naive] if naive is not None else [])
    place = _Scale([0.0, *(seconds / length for seconds, *_ in points)], values)
    parts = [place.frame(f"{unit} since the start", name)]
    if naive is not None:
        parts += [
            _line("naive", LEFT, place.y(naive), WIDTH - RIGHT, place.y(naive)),
            _naive_label(place, naive, values),
        ]
    best = [(place.x(s / length), place.y(score)) for s, score, is_best, _ in points if is_best]
    if best:
        steps = f"M{best[0][0]:.1f} {best[0][1]:.1f}" + "".join(f"H{x:.1f}V{y:.1f}" for x, y in best[1:])
        parts.append(f'<path class="line" d="{steps}H{WIDTH - RIGHT}"/>')
    for seconds, score, is_best, title in points:
        tip = f"<title>{escape(title)}: {spoken(score)}</title>"
        where = f'cx="{place.x(seconds / length):.1f}" cy="{place.y(score):.1f}" r="5"'
        parts.append(f'<circle class="{"dot" if is_best else "pale"}" {where}>{tip}</circle>')
    naive_text = "" if naive is None else f"; the naive guess reaches {spoken(naive)}"
    told = ", ".join(f"{title} {spoken(score)}" for _, score, _, title in points)
    return _svg(parts, HEIGHT, f"{name} of the attempts over time: {told}{naive_text}.")


def scatter(true: Sequence[float], predicted: Sequence[float], name: str) -> str:
    """Predicted against true values, with the line of perfect answers."""
    pairs = [(t, p) for t, p in zip(true, predicted, strict=True) if math.isfinite(t) and math.isfinite(p)]
    both = [value for pair in pairs for value in pair]
    place = _Scale(both, both)
    low, high = min(both, default=0.0), max(both, default=1.0)
    parts = [place.frame("true value", "predicted")]
    parts.append(_line("naive", place.x(low), place.y(low), place.x(high), place.y(high)))
    parts += [f'<circle class="pale" cx="{place.x(t):.1f}" cy="{place.y(p):.1f}" r="3"/>' for t, p in pairs]
    return _svg(parts, HEIGHT, f"{name}: predicted against true values; points on the dashed line are exact.")


def bars(entries: Sequence[tuple[str, float]], title: str) -> str:
    """One bar an entry: its name and a share from 0 to 1."""
    parts = []
    for position, (name, share) in enumerate(entries):
        y = position * BAR + 4
        shown = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
        wide = (WIDTH - 290) * max(0.0, min(1.0, share))
        parts.append(
            f'<text class="label" x="214" y="{y + 14}" text-anchor="end">{escape(shown)}<title>{escape(name)}</title></text>'
        )
        parts.append(f'<rect class="bar" x="222" y="{y}" width="{wide:.1f}" height="18" rx="3"/>')
        parts.append(f'<text class="label" x="{228 + wide:.1f}" y="{y + 14}">{share:.0%}</text>')
    return _svg(
        parts, len(entries) * BAR + 8, f"{title}: " + ", ".join(f"{name} {share:.0%}" for name, share in entries)
    )


def forecast(item: dict[str, Any]) -> str:
    """History, truth and forecast of a series: `name`, `history`, `time`, `true`, `predicted`."""
    before = item.get("history") or {"time": [], "value": []}
    joint, past = before["value"][-1:], len(before["value"])
    values = [*before["value"], *item["true"], *item["predicted"]]
    known = [value for value in values if value is not None and math.isfinite(value)]
    times = [*before["time"], *item["time"]]
    place = _Scale.of_places(len(times), known)
    shown = {mark: str(times[mark])[:16] for mark in (0, past, len(times) - 1)}
    if max(map(len, shown.values())) > CROWDED and 0 < past < len(times) - 1:
        del shown[past]
    start = max(0, past - 1)
    parts = [
        place.frame("", "", list(shown.items())),
        place.path("past", before["value"]),
        place.path("truth", [*joint, *item["true"]], start),
        place.path("said", [*joint, *item["predicted"]], start),
    ]
    for x, kind, word in ((0, "past", "history"), (70, "truth", "real"), (120, "said", "forecast")):
        parts.append(f'<text class="label {kind}" x="{LEFT + x}" y="14">{word}</text>')
    return _svg(parts, HEIGHT, f"{item['name']}: history, real values and forecast of {len(item['time'])} steps.")


def errors(steps: Sequence[float], off: Sequence[float]) -> str:
    """The mean error by how many steps ahead a forecast looks."""
    place = _Scale.of_places(len(steps), [0.0, *(value for value in off if math.isfinite(value))])
    every = math.ceil(len(steps) / NAMED)
    names = [(float(i), f"{step:g}") for i, step in enumerate(steps) if i % every == 0]
    known = [(step, value) for step, value in zip(steps, off, strict=True) if math.isfinite(value)]
    told = " to ".join(f"{spoken(value)} at {step:g} ahead" for step, value in (known[:1] + known[-1:]))
    return _svg(
        [place.frame("steps ahead", "mean error", names), place.path("", off)], HEIGHT, f"Mean error from {told}."
    )


class _Scale:
    """Where values lie in the picture."""

    def __init__(self, xs: Sequence[float], ys: Sequence[float]) -> None:
        self.x_ticks = _ticks(min(xs, default=0.0), max(xs, default=1.0))
        self.y_ticks = _ticks(min(ys, default=0.0), max(ys, default=1.0))

    @classmethod
    def of_places(cls, count: int, ys: Sequence[float]) -> _Scale:
        """For values one after the other, from edge to edge."""
        scale = cls([], ys)
        scale.x_ticks = [0.0, max(1.0, count - 1.0)]
        return scale

    def x(self, value: float) -> float:
        low, high = self.x_ticks[0], self.x_ticks[-1]
        return LEFT + 6 + (value - low) / (high - low) * (WIDTH - LEFT - RIGHT - 12)

    def y(self, value: float) -> float:
        low, high = self.y_ticks[0], self.y_ticks[-1]
        return HEIGHT - BOTTOM - (value - low) / (high - low) * (HEIGHT - BOTTOM - TOP)

    def path(self, kind: str, values: Sequence[float | None], start: int = 0) -> str:
        """A line through values at whole places from `start` on, broken where one is missing."""
        steps, move = [], "M"
        for place, value in enumerate(values, start=start):
            known = value is not None and math.isfinite(value)
            if known:
                steps.append(f"{move}{self.x(place):.1f} {self.y(value or 0.0):.1f}")
            move = "L" if known else "M"
        return f'<path class="line {kind}" d="{"".join(steps)}"/>' if steps else ""

    def frame(self, across: str, up: str, names: Sequence[tuple[float, str]] | None = None) -> str:
        """Grid, numbers and names of both axes; `names` takes the place of the numbers below."""
        rows = [
            _line("grid", LEFT, self.y(t), WIDTH - RIGHT, self.y(t))
            + f'<text class="small" x="{LEFT - 8}" y="{self.y(t) + 4:.1f}" text-anchor="end">{_number(t)}</text>'
            for t in self.y_ticks
        ]
        columns = [
            f'<text class="small" x="{self.x(t):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="{_anchor(self.x(t), shown)}">{escape(shown)}</text>'
            for t, shown in names or [(t, _number(t)) for t in self.x_ticks]
        ]
        below = f'<text class="small" x="{(LEFT + WIDTH) / 2}" y="{HEIGHT - 6}" text-anchor="middle">{escape(across)}</text>'
        return "".join([*rows, *columns, below, f'<text class="small" x="4" y="14">{escape(up)}</text>'])


def _ticks(low: float, high: float, count: int = 4) -> list[float]:
    """Round numbers that enclose low and high, about `count` steps apart."""
    if high - low <= abs(high) * 1e-9:
        low, high = low - (abs(low) * 0.1 or 0.5), high + (abs(high) * 0.1 or 0.5)
    rough = (high - low) / count
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= rough * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [float(f"{position * step:.12g}") for position in range(first, last + 1)]


def _number(value: float) -> str:
    if 1e6 <= abs(value) < 1e10:
        return f"{value / 1e6:,.4g}M"
    whole = abs(value) >= 1000 and (value == round(value) or abs(value) >= 10_000)
    return f"{value:,.0f}" if whole and abs(value) < 1e6 else f"{value:.4g}"


def _anchor(x: float, text: str) -> str:
    """Below its place, or to one side where it would leave the picture."""
    half = 3.5 * len(text)  # pixels
    return "end" if x + half > WIDTH else "start" if x - half < 0 else "middle"


def _naive_label(place: _Scale, naive: float, values: Sequence[float]) -> str:
    """Beside the dashed line, on the side where no attempt lies."""
    above = naive >= max(values)
    x, y = WIDTH - RIGHT - 2, place.y(naive) + (-6 if above else 15)
    return f'<text class="small" x="{x}" y="{y:.1f}" text-anchor="end">naive guess {spoken(naive)}</text>'


def _line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _svg(parts: Sequence[str], height: int, title: str) -> str:
    return f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title)}">{"".join(parts)}</svg>'
