"""Tables that explain the columns of other tables: data dictionaries."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from mlzero.perception.readers import Found, reader_of

_NAMING = re.compile(
    r"(column|variable|field|feature|attribute|spalten?|merkmal|feld|columna|campo|colonne|champ|coluna|variablen)"
    r"[ _-]?(names?|namen?)?s?|name|字段名?称?|变量名?|列名|特征名?",
    re.I,
)
_EXPLAINING = re.compile(
    r".*(descri[pç]|meaning|definition|explanation|type|unit|label|comment|notes?|beschreibung|bedeutung|einheit|"
    r"significado|signification|unidad|说明|含义|描述|类型).*",
    re.I,
)
_WIDEST = 8  # columns of a table that explains others
_LONGEST = 3000  # columns that one explains
_SHARE = 0.7  # of the names it lists that must be columns


@dataclass(frozen=True)
class Glossary:
    """What a table says of columns."""

    names: list[str]  # in its order
    text: str  # a line a column


def read(path: Path, found: Found) -> Glossary | None:
    """The names and meanings in a table that has a column of names and one that explains them; None for other tables."""
    from mlzero.semantic_memory import blocks

    titles = dict(zip(found.names, found.written, strict=False))
    naming = next((name for name, title in titles.items() if _NAMING.fullmatch(title.strip())), None)
    explaining = [name for name, title in titles.items() if name != naming and _EXPLAINING.fullmatch(title)]
    if naming is None or not explaining or len(found.names) > _WIDEST:
        return None
    reader = reader_of(found.plan)
    rows = blocks.function(reader.block)(path, **reader.arguments(found.plan), nrows=_LONGEST + 1)
    rows = rows[rows[naming].notna()].fillna("").astype(str)
    names = rows[naming].str.strip().tolist()
    if not 2 <= len(names) <= _LONGEST or len({*names}) < len(names) or max(map(len, names)) > 100:
        return None
    meanings = rows[explaining].agg(lambda row: "; ".join(filter(None, map(str.strip, row))), axis=1)
    return Glossary(names, "\n".join(f"{name}: {meaning}" for name, meaning in zip(names, meanings, strict=True)))


def explains(glossary: Glossary, columns: Collection[str]) -> bool:
    """Whether most of the names that are explained are columns of the other tables."""
    known = {name.strip().casefold() for name in columns}
    return sum(name.casefold() in known for name in glossary.names) >= max(2, _SHARE * len(glossary.names))
