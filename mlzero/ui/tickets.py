"""Short-lived, unguessable tokens that stand for something of one browser."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass
class _Entry(Generic[T]):
    value: T
    cookie: str
    until: float


class Tickets(Generic[T]):
    """Tokens to values; a token opens only for the browser it was issued to and only for a while.

    Parameters
    ----------
    seconds
        How long a ticket is good for.
    clock
        Seconds since some fixed moment.
    """

    def __init__(self, seconds: float, clock: Callable[[], float] = time.time) -> None:
        self._seconds = seconds
        self._clock = clock
        self._entries: dict[str, _Entry[T]] = {}
        self._lock = threading.Lock()

    def issue(self, value: T, cookie: str) -> str:
        """A new token for `value`."""
        token = secrets.token_urlsafe(24)
        with self._lock:
            now = self._clock()
            for old in [t for t, entry in self._entries.items() if entry.until < now]:
                del self._entries[old]
            self._entries[token] = _Entry(value, cookie, now + self._seconds)
        return token

    def open(self, token: str, cookie: str | None) -> T | None:
        """The value, or None: unknown, expired and issued to somebody else look the same."""
        entry = self._entries.get(token)
        if entry is None or entry.until < self._clock() or not cookie:
            return None
        return entry.value if secrets.compare_digest(entry.cookie, cookie) else None
