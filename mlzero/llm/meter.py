"""What a run spends on a model, against its caps."""

from __future__ import annotations

import threading
from dataclasses import asdict, dataclass, field
from typing import Any

from mlzero.llm.connection import Caps
from mlzero.llm.faults import ModelFailed

CHARACTERS = 4.0  # a token, roughly; used where a server does not count


@dataclass
class Usage:
    """Sums over the calls of a run. Saved as `llm_usage` of the run."""

    model: str = ""
    calls: int = 0
    failed: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    dollars: float | None = None  # None: the price of the model is not known
    attempts: int = 0  # written by the model
    valid: int = 0
    won: int = 0  # were the best when they were measured

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens


@dataclass
class Meter:
    """Counts calls; refuses those that would go over a cap. Safe for several threads."""

    caps: Caps
    usage: Usage = field(default_factory=Usage)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def admit(self, tokens: int) -> None:
        """Count a call in, of which about `tokens` are known; raises ModelFailed when a cap is reached."""
        usage, caps = self.usage, self.caps
        with self._lock:
            for reached, words in (
                (usage.calls >= caps.calls, f"{caps.calls} calls"),
                (usage.tokens + tokens > caps.tokens, f"{caps.tokens:,} tokens"),
                (usage.dollars is not None and usage.dollars >= caps.dollars, f"${caps.dollars:.2f}"),
            ):
                if reached:
                    raise ModelFailed(f"The run may spend no more than {words} on the language model.", lasting=True)
            usage.calls += 1

    def spent(self, *, input_tokens: int, output_tokens: int, seconds: float, dollars: float | None, ok: bool) -> None:
        """Count what an admitted call took; dollars are None where the price is not known."""
        with self._lock:
            usage = self.usage
            usage.input_tokens += input_tokens
            usage.output_tokens += output_tokens
            usage.seconds = round(usage.seconds + seconds, 2)
            usage.failed += not ok
            if dollars is not None:
                usage.dollars = round((usage.dollars or 0.0) + dollars, 6)

    def to_json(self) -> dict[str, Any]:
        return asdict(self.usage) | {"tokens": self.usage.tokens}

    @classmethod
    def resumed(cls, caps: Caps, saved: dict[str, Any]) -> Meter:
        """Counting on from what an earlier process of the same run spent."""
        return cls(caps, Usage(**{k: v for k, v in saved.items() if k in Usage.__dataclass_fields__}))


def roughly(text: str) -> int:
    """Tokens of a text, estimated."""
    return int(len(text) / CHARACTERS) + 1
