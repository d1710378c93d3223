"""Words and numbers as people read them."""

from __future__ import annotations

from typing import Any

from mlzero.iterative_coding.outcome import spoken
from mlzero.perception.task import ANSWERS

STATES = {
    "draft": "Draft",
    "queued": "Queued",
    "running": "Running",
    "done": "Done",
    "stopped": "Stopped",
    "failed": "Failed",
    "interrupted": "Stopped",
}
STATE_COLOURS: dict[str, Any] = {
    "Queued": "gray",
    "Running": "blue",
    "Done": "green",
    "Stopped": "orange",
    "Failed": "red",
    "Draft": "gray",
}
STATE_ICONS = {
    "Queued": ":material/schedule:",
    "Running": ":material/sync:",
    "Done": ":material/check_circle:",
    "Stopped": ":material/stop_circle:",
    "Failed": ":material/error:",
    "Draft": ":material/edit:",
}
PROBLEMS = {kind: words[0].upper() + words[1:] for kind, words in ANSWERS.items()}
KINDS = {  # of columns
    "number": "number",
    "category": "category",
    "text": "free text",
    "date": "date",
    "boolean": "yes or no",
    "identifier": "name of the row",
    "constant": "always the same",
    "empty": "empty",
    "image": "picture",
    "audio": "recording",
    "document": "document",
    "mask": "marked picture",
    "boxes": "boxes in a picture",
    "tokens": "words of a sentence",
    "tags": "tags of the words",
}
MEDIA = {
    "image": "pictures",
    "audio": "recordings",
    "text": "texts",
    "document": "documents",
    "numbers": "files of numbers",
}
ROLES = {
    "train": "to learn from",
    "test": "rows to predict",
    "sample_submission": "shows the wanted output",
    "description": "describes the data",
    "lookup": "extra facts to look up",
    "media": "pictures, recordings, documents or numbers",
    "ignored": "not used",
}


def duration(seconds: float | None) -> str:
    """`75` -> `1 min 15 s`."""
    if seconds is None:
        return "–"
    whole = round(seconds)
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"


def size(count: float) -> str:
    """Bytes as `3.4 MB`."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 1000 or unit == "GB":
            return f"{count:.0f} {unit}" if unit in ("bytes", "kB") else f"{count:.1f} {unit}"
        count /= 1000
    raise AssertionError


def number(value: float | None) -> str:
    """A score with four significant digits, a dash where there is none."""
    return "–" if value is None else spoken(value)


def several(count: int, one: str, many: str | None = None) -> str:
    """`1 file`, `2 files`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def confidence(value: float) -> str:
    """How sure, in two words."""
    if value >= 0.85:
        return "quite sure"
    return "fairly sure" if value >= 0.6 else "a guess"


def listed(value: Any) -> str:
    """A target, an id or several of them as text."""
    if value is None:
        return "none"
    return ", ".join(str(v) for v in value) if isinstance(value, list | tuple) else str(value)


def table(key: str) -> str:
    """A table's key as people say it: `book.xlsx#May` -> `the sheet May of book.xlsx`."""
    path, _, sheet = key.partition("#")
    if path == ".":
        return "the upload"
    return f"the sheet {sheet} of {path}" if sheet else path


def moment(when: float | None, zone: str | None) -> str:
    """Seconds since 1970 in the reader's time zone."""
    from datetime import datetime, timezone
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    if when is None:
        return "–"
    try:
        there = ZoneInfo(zone) if zone else timezone.utc
    except (ZoneInfoNotFoundError, ValueError):
        there = timezone.utc
    return datetime.fromtimestamp(when, there).strftime("%d %b %Y, %H:%M")


def escape(text: str) -> str:
    """Text for a label, where Streamlit reads Markdown: nothing in it is markup any more."""
    return "".join(f"\\{c}" if c in "\\`*_{}[]()<>#+-.!|~$:" else c for c in " ".join(text.split()))
