"""Profile a table, and read it again by its profile."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlzero.perception import columns as column_profiles
from mlzero.perception import sample, sniff
from mlzero.perception.profile import ColumnProfile, NumberFormat, ReadPlan, TableProfile
from mlzero.perception.readers import Found, reader_of
from mlzero.perception.wording import quote_list

if TYPE_CHECKING:
    import pandas as pd

_TOO_LONG = re.compile(r"Expected (\d+) fields in line (\d+), saw")  # as pandas says it
_LEFT_OUT = "Left out:"


def read_call(table: TableProfile) -> tuple[str, dict[str, Any]]:
    """The block that reads the table and its keywords, defaults left out."""
    if table.read.format == "made":
        return table.read.maker, table.read.options
    reader = reader_of(table.read)
    return reader.block, reader.arguments(table.read)


def conversions(table: TableProfile, as_written: Collection[str] = ()) -> dict[str, dict[str, Any]]:
    """Keywords of the block `convert_columns` that turn the table's columns into what they hold; empty ones left out.

    Parameters
    ----------
    as_written
        Columns of numbers that stay text, such as `2 stars`; of their cells that are no numbers nothing is left.
    """
    numbers: dict[str, Any] = {
        c.name: c.number.model_dump(exclude_defaults=True)
        for c in table.columns
        if c.number and c.name not in as_written and c.kind in ("number", "boolean", "constant", "identifier")
    }
    dates: dict[str, Any] = {
        c.name: c.date.model_dump(include={"pattern", "day_first"}, exclude_defaults=True)
        for c in table.columns
        if c.date and c.kind == "date"
    }
    markers: dict[str, Any] = {
        c.name: own for c in table.columns
        if (own := [m for m in [*c.missing_markers, *(c.strange if c.name in as_written else [])]
                    if m not in table.read.missing_markers])
    }  # fmt: skip
    found = {"numbers": numbers, "dates": dates, "markers": markers}
    return {key: value for key, value in found.items() if value}


def located(table: TableProfile) -> dict[str, dict[str, Any]]:
    """Keywords of the block `locate_files` for columns of paths, by column; made tables have theirs from the maker."""
    found: dict[str, dict[str, Any]] = {}
    for column in table.columns:
        if column.media is not None and table.read.format != "made":
            how = {"media": column.kind, "column": column.source_name}
            how |= {"folder": column.media.folder} if column.media.folder else {}
            found[column.name] = how | ({"without": column.media.unreadable} if column.media.unreadable else {})
    return found


def load_table(
    data_dir: Path,
    table: TableProfile,
    nrows: int | None = None,
    convert: bool = True,
    as_written: Collection[str] = (),
) -> pd.DataFrame:
    """The rows of a table by its profile; the index numbers the data rows from zero.

    Parameters
    ----------
    nrows
        Read only the first rows.
    convert
        Turn number and date columns into numbers and dates, add columns of paths and what the file's name tells;
        otherwise cells stay as the reader gives them.
    as_written
        Columns of numbers that stay text, see `conversions`.
    """
    from mlzero.semantic_memory import blocks

    name, keywords = read_call(table)
    frame = blocks.function(name)(data_dir / table.path, **keywords, nrows=nrows)
    if not convert:
        return frame
    frame = blocks.function("convert_columns")(frame, **conversions(table, as_written))
    told = {column.name: column.told for column in table.columns if column.told is not None}
    frame = frame.assign(**told) if told else frame
    files = located(table)
    return blocks.function("locate_files")(frame, data_dir, files) if files else frame


def profile_table(data_dir: Path, path: str, key: str, found: Found) -> TableProfile:
    """Read a table found in a file, or a sample of a large one, and profile its columns."""
    large = sample.take(data_dir / path, found) if sample.is_large(data_dir / path, found.plan) else None
    frame = _read_raw(data_dir / path, found) if large is None else large.frame
    unnamed = {name for i, name in enumerate(found.names) if i >= len(found.written) or not found.written[i].strip()}
    blank = [name for name in frame.columns if name in unnamed and frame[name].isna().all()]
    if blank and len(blank) < frame.shape[1]:
        found.plan.drop_columns = blank
        found.notes.append(f"{len(blank)} empty column{'s' if len(blank) > 1 else ''} without a name left out.")
        frame = frame.drop(columns=blank)
    profiles = _describe_all(frame, dict(zip(found.names, found.written, strict=False)))
    found.plan.missing_markers = _shared_markers(frame, profiles)
    found.notes += _damaged_cells(frame) if found.plan.format == "delimited" else []
    for column in profiles:
        _settle_reading(column, frame[column.name], found)
        if large is not None:
            _scale(column, large)
    if large is not None:
        found.notes.append(
            f"The table is large: its columns are described by {len(frame):,} rows spread over the file."
        )
    return TableProfile(
        key=key,
        path=path,
        read=found.plan,
        rows=len(frame) if large is None else large.rows,
        columns=profiles,
        duplicate_rows=int(frame.duplicated().sum()) if frame.shape[1] <= 1000 and large is None else 0,
        notes=found.notes,
    )


def _damaged_cells(frame: pd.DataFrame) -> list[str]:
    """A note on cells with bytes that are no text in the file's encoding."""
    texts = frame.head(sample.SAMPLE_ROWS).select_dtypes(object)
    counts = {name: int(texts[name].str.contains("\ufffd", regex=False, na=False).sum()) for name in texts}
    bad = [name for name, count in counts.items() if count]
    if not bad:
        return []
    return [
        f"{sum(counts.values())} cells hold bytes that are no text, shown as \ufffd, in {quote_list(bad, 3)}; "
        "saving the file again as UTF-8 mends that."
    ]


def _read_raw(path: Path, found: Found) -> pd.DataFrame:
    """All rows, text formats as text. Quotes that open and never close are taken as plain signs."""
    import pandas as pd

    try:
        frame = _read_cells(path, found)
        torn = found.plan.format == "delimited" and found.plan.quote is not None and _swallows(frame)
    except pd.errors.ParserError:
        torn = found.plan.format == "delimited" and found.plan.quote is not None
        if not torn:
            raise
    if torn:
        found.plan.quote = None
        found.notes = [note for note in found.notes if not note.startswith(_LEFT_OUT)]
        found.notes.append("Quotation marks are part of the text.")
        frame = _read_cells(path, found)
    return frame


def _read_cells(path: Path, found: Found) -> pd.DataFrame:
    """All rows by the plan, text formats as text; a note tells of rows that are too long."""
    import pandas as pd

    from mlzero.semantic_memory import blocks

    reader, plan = reader_of(found.plan), found.plan
    read = blocks.function(reader.block)
    keywords = reader.arguments(plan)
    if reader.block in ("read_delimited", "read_arff"):
        keywords["text_columns"] = found.names
    if plan.format != "delimited":
        return read(path, **keywords)
    try:
        return read(path, **keywords, long_rows="error")
    except pd.errors.ParserError as error:
        known = _TOO_LONG.search(str(error))
        if not known:
            raise
        count = _long_rows(path, plan, int(known[1]))
        found.notes.append(
            f"{_LEFT_OUT} {count:,} rows with more cells than there are columns, such as line {known[2]}."
            if count > 1
            else f"{_LEFT_OUT} line {known[2]}, which has more cells than there are columns."
        )
        return read(path, **keywords)


def _long_rows(path: Path, plan: ReadPlan, width: int) -> int:
    with sniff.open_bytes(path) as file:
        text = file.read().decode(plan.encoding, "replace")
    lines = sniff.lines_of(text, True)[plan.skip_rows :]
    return sum(len(row) > width for row in sniff.records(lines, plan.separator, plan.quote))


def _swallows(frame: pd.DataFrame) -> bool:
    """Whether a cell holds so many lines that a stray quotation mark must have opened it."""
    texts = frame.select_dtypes(object)
    return any(
        texts[name].map(len, na_action="ignore").max() > 20_000 and texts[name].str.count("\n").max() > 200
        for name in texts
    )


def _scale(column: ColumnProfile, large: sample.Sample) -> None:
    """Carry counts of a sample over to the file, and have later cells read as leniently as those that were seen."""
    empty = int(large.frame[column.name].isna().sum())
    marked = (column.missing - empty) / max(1, len(large.frame))
    column.missing = min(large.rows, large.empty[column.name] + round(marked * large.rows))
    if column.kind == "number" and column.number is None:
        column.number = NumberFormat()


def _describe_all(frame: pd.DataFrame, written: dict[str, str]) -> list[ColumnProfile]:
    """Every column's profile; cells such as `1.234` are read as the other columns suggest."""
    hints = column_profiles.Hints()
    profiles = [column_profiles.describe(name, written.get(name, ""), frame[name], hints) for name in frame.columns]
    votes = Counter(
        column.number.decimal == "," if column.number else False
        for column in profiles
        if column.kind == "number" and column.name not in hints.unsure and not column.integer
    )
    if hints.unsure and votes:
        hints.comma_decimal = votes[True] > votes[False]
        profiles = [
            column_profiles.describe(column.name, column.source_name, frame[column.name], hints)
            if column.name in hints.unsure
            else column
            for column in profiles
        ]
    return profiles


def _shared_markers(frame: pd.DataFrame, profiles: list[ColumnProfile]) -> list[str]:
    """Texts that mean "no value" in every column where they occur."""
    candidates = dict.fromkeys(
        marker
        for column in profiles
        for marker in column.missing_markers
        if not marker.lstrip("-").replace(".", "", 1).isdigit()
    )
    shared = list(candidates)
    for column in profiles:
        own = set(column.missing_markers)
        others = [marker for marker in shared if marker not in own]
        if others and frame[column.name].dtype == object:
            present = set(frame[column.name].dropna().unique()) & set(others)
            shared = [marker for marker in shared if marker not in present]
    return shared


def _settle_reading(column: ColumnProfile, cells: pd.Series, found: Found) -> None:
    """Keep a parser from taking text for numbers, and have numbers that it leaves as text converted."""
    import pandas as pd

    plain = (
        column.kind in ("number", "boolean", "identifier", "constant")
        and column.minimum is not None
        and not column.number
    )
    if cells.dtype != object or (plain and found.plan.format == "delimited" and not column.missing_markers):
        return
    texts = pd.Series(cells.dropna().unique(), dtype=object)
    texts = texts[~texts.isin(found.plan.missing_markers)]
    numeric = pd.to_numeric(texts, errors="coerce")
    numbers = column.minimum is not None and column.date is None
    reads_as_number = len(texts) > 0 and bool(numeric.notna().all())
    truth = len(texts) > 0 and set(texts.str.lower()) <= {"true", "false"}
    if found.plan.format in ("delimited", "arff"):
        if (reads_as_number and (not numbers or column.number)) or truth:
            found.plan.text_columns.append(column.name)
        elif numbers and not column.number and not reads_as_number:
            column.number = NumberFormat()
    elif numbers and not column.number:
        column.number = NumberFormat()
