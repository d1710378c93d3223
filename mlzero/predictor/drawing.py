"""Small pictures as SVG text, for a report that needs nothing from outside."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 640, 260, 62, 34, 14


def score_steps(points: Sequence[tuple[float, float, bool]], naive: float | None, name: str) -> str:
    """Score of each attempt over time (minutes), the best so far as a line, the naive guess dashed.

    Parameters
    ----------
    points
        Minutes, score, whether it was the best at its time.
    """
    values = [score for _, score, _ in points] + ([naive] if naive is not None else [])
    place = _Scale([minutes for minutes, _, _ in points], values)
    parts = [place.frame("minutes", name)]
    if naive is not None:
        y = place.y(naive)
        parts.append(f'<line class="naive" x1="{LEFT}" x2="{WIDTH - 8}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text class="small" x="{WIDTH - 10}" y="{y - 5:.1f}" text-anchor="end">naive guess</text>')
    best = [(place.x(m), place.y(s)) for m, s, is_best in points if is_best]
    if best:
        steps = f"M{best[0][0]:.1f} {best[0][1]:.1f}" + "".join(f"H{x:.1f}V{y:.1f}" for x, y in best[1:]) + f"H{WIDTH - 8}"
        parts.append(f'<path class="line" d="{steps}"/>')
    parts += [
        f'<circle class="{"dot" if is_best else "pale"}" cx="{place.x(m):.1f}" cy="{place.y(s):.1f}" r="5"/>' for m, s, is_best in points
    ]
    return _svg(parts, f"{name} of the attempts over time")


def scatter(true: Sequence[float], predicted: Sequence[float]) -> str:
    """Predicted against true values, with the line of perfect answers."""
    place = _Scale([*true, *predicted], [*true, *predicted])
    low, high = min([*true, *predicted]), max([*true, *predicted])
    parts = [place.frame("true", "predicted")]
    parts.append(
        f'<line class="naive" x1="{place.x(low):.1f}" y1="{place.y(low):.1f}" x2="{place.x(high):.1f}" y2="{place.y(high):.1f}"/>'
    )
    parts += [
        f'<circle class="pale" cx="{place.x(t):.1f}" cy="{place.y(p):.1f}" r="3"/>' for t, p in zip(true, predicted, strict=True)
    ]
    return _svg(parts, "Predicted against true values")


class _Scale:
    def __init__(self, xs: Sequence[float], ys: Sequence[float]) -> None:
        self.x_low, self.x_high = min(xs, default=0.0), max(xs, default=1.0)
        self.y_low, self.y_high = min(ys, default=0.0), max(ys, default=1.0)
        margin = (self.y_high - self.y_low) * 0.1 or abs(self.y_high) * 0.1 or 1.0
        self.y_low, self.y_high = self.y_low - margin, self.y_high + margin
        if self.x_high == self.x_low:
            self.x_low, self.x_high = self.x_low - 0.5, self.x_high + 0.5

    def x(self, value: float) -> float:
        return LEFT + 10 + (value - self.x_low) / (self.x_high - self.x_low) * (WIDTH - LEFT - 28)

    def y(self, value: float) -> float:
        return HEIGHT - BOTTOM - (value - self.y_low) / (self.y_high - self.y_low) * (HEIGHT - BOTTOM - TOP)

    def frame(self, across: str, up: str) -> str:
        ticks = [self.y_low + (self.y_high - self.y_low) * step / 4 for step in range(5)]
        lines = "".join(
            f'<line class="grid" x1="{LEFT}" x2="{WIDTH - 8}" y1="{self.y(t):.1f}" y2="{self.y(t):.1f}"/>'
            f'<text class="small" x="{LEFT - 6}" y="{self.y(t) + 4:.1f}" text-anchor="end">{t:.3g}</text>'
            for t in ticks
        )
        ends = f'<text class="small" x="{self.x(self.x_low):.1f}" y="{HEIGHT - 18}" text-anchor="middle">{self.x_low:.3g}</text>'
        ends += f'<text class="small" x="{self.x(self.x_high):.1f}" y="{HEIGHT - 18}" text-anchor="middle">{self.x_high:.3g}</text>'
        names = f'<text class="small" x="{WIDTH / 2}" y="{HEIGHT - 4}" text-anchor="middle">{escape(across)}</text>'
        return f'{lines}{ends}{names}<text class="small" x="{LEFT}" y="10">{escape(up)}</text>'


def _svg(parts: Sequence[str], title: str) -> str:
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">{"".join(parts)}</svg>'
