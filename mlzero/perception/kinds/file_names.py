"""What the names of files tell: `7_jackson_3` holds a digit, a speaker and a number."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from mlzero.perception.wording import fold

LABEL = "label"
_FEWEST = 8  # names
_FEW = 0.25  # values a name, from where a part is as good as a number
_USUAL = 0.9  # share of the names that have the usual number of parts
_FIELD = r"[^\W_]+"  # between blanks, underscores, hyphens, points
_PIECE = r"(?:[^\W\d_]+(?![^\W\d_])|\d+(?!\d))"  # letters or digits
_DATE = re.compile(r"(19|20)\d\d((0[1-9]|1[0-2])([0-2]\d|3[01])?)?")  # 2009, 200903, 20090328
_ENDING = r"\.[a-z0-9]{2,5}\b"


def name_pattern(stems: Sequence[str], texts: Sequence[str], taken: Sequence[str] = ()) -> str:
    """A regular expression whose named groups are the parts of names that have few values; empty when there are none.

    Parameters
    ----------
    stems
        Names of files without their endings.
    texts
        Descriptions, one of which may say how the names are made: `digit_speaker_number.wav`.
    taken
        Names that no group may have.

    Groups are named as a description does; otherwise the first is `label` and others `part_2` and so on. Years and days
    tell nothing. Parts between separators are looked at first, then runs of letters and digits.
    """
    for part, separator in ((_FIELD, r"[\W_]+"), (_PIECE, r"[\W_]*")):
        rows = [re.findall(part, stem) for stem in stems]
        usual, count = Counter(map(len, rows)).most_common(1)[0] if rows else (0, 0)
        if len(stems) < _FEWEST or usual < 2 or count < _USUAL * len(stems):
            continue
        rows = [row for row in rows if len(row) == usual]
        telling = [place for place in range(usual) if _few([row[place] for row in rows])]
        if not telling:
            continue
        described = described_parts(stems, texts) if part is _FIELD else []
        names: dict[int, str] = {}
        for place in telling:
            name = described[place] if described else LABEL if place == telling[0] else f"part_{place + 1}"
            names[place] = name if name not in {*taken, *names.values()} else f"part_{place + 1}"
        pieces = [f"(?P<{names[i]}>{part})" if i in names else part for i in range(telling[-1] + 1)]
        return rf"^[\W_]*{separator.join(pieces)}"
    return ""


def _few(values: list[str]) -> bool:
    """Whether a part could be a class or a group: few values, each of them several times."""
    counts = Counter(map(fold, values))
    dated = all(_DATE.fullmatch(value) for value in counts)
    return 2 <= len(counts) <= _FEW * len(values) and min(counts.values()) >= 2 and not dated


def described_parts(stems: Sequence[str], texts: Sequence[str]) -> list[str]:
    """What a description calls the parts of the names, by an example in words: `{digit}_{speaker}_{number}.wav`."""
    separators = Counter(tuple(re.findall(r"[\W_]+", stem.strip("_- "))) for stem in stems).most_common(1)[0][0]
    word = r"[<{\[(]?([^\W\d_]+)[>}\])]?"
    example = re.compile(rf"(?<![\w{{<\[(-]){re.escape(separators[0]).join([word] * (len(separators) + 1))}({_ENDING})?(?!\w)", re.I)  # fmt: skip
    known = {fold(stem) for stem in stems}
    values = {fold(part) for stem in stems[:5000] for part in re.findall(_FIELD, stem)}
    for text in texts:
        for found in example.finditer(text):
            *parts, ending = found.groups()
            sure = ending or found.group().startswith(("<", "{", "[", "(")) or "_" in separators
            spoken = [re.sub(r"(?<=[a-z])(?=[A-Z])", "_", part).lower() for part in parts]
            if sure and fold("".join(parts)) not in known and not set(map(fold, parts)) & values:
                return spoken
    return []


def fits(pattern: str, stems: Sequence[str], known: Sequence[str]) -> bool:
    """Whether a pattern learnt from other names also reads these: nearly all match, and hold values known from there."""
    found = [match.groupdict() for stem in stems if (match := re.search(pattern, stem))]
    values: dict[str, set[str]] = {}
    for stem in known:
        match = re.search(pattern, stem)
        for name, value in match.groupdict().items() if match else ():
            values.setdefault(name, set()).add(fold(value))
    if len(found) < _USUAL * len(stems):
        return False
    return all(fold(value) in values.get(name, ()) for row in found for name, value in row.items())
