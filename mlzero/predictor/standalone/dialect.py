"""Text tables as the user's own are written: separator, decimal mark, and no more digits than anybody looks at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

DIGITS = 7  # significant ones that are kept at least
PLACES = 2  # after the decimal mark that are kept at least


def keywords(kind: str, dialect: dict[str, Any] | None) -> dict[str, str]:
    """Separator and encoding of a text table, as pandas takes them.

    Parameters
    ----------
    kind
        `csv` or `tsv`; the latter has tabs whatever the dialect says.
    dialect
        `separator`, `decimal` and `mark` of a `Dialect`; None for commas, decimal points and plain UTF-8.
    """
    separator = dialect["separator"] if dialect else ","
    return {
        "sep": "\t" if kind == "tsv" else separator,
        "encoding": "utf-8-sig" if dialect and dialect["mark"] else "utf-8",
    }


def with_numbers(table: pd.DataFrame, decimal: str) -> pd.DataFrame:
    """The table with its columns of floats as texts; the others stay as they are."""
    import pandas as pd

    kinds = {name: pd.api.types.infer_dtype(table[name], skipna=True) for name in table}
    floats = [name for name, kind in kinds.items() if kind in ("floating", "mixed-integer-float")]
    return table.assign(**{str(name): texts_of(table[name], decimal) for name in floats})


def texts_of(values: pd.Series, decimal: str) -> pd.Series:
    """Numbers as texts, whole ones without a decimal mark, none with an exponent; no value stays none."""
    import numpy as np
    import pandas as pd

    numbers = values.to_numpy(dtype=float, na_value=np.nan) + 0.0  # no -0
    texts = [
        np.format_float_positional(number, precision=places, trim="-").replace(".", decimal)
        for number, places in zip(numbers.tolist(), _places(numbers).tolist(), strict=True)
    ]
    return pd.Series(texts, index=values.index, dtype=object).mask(np.isnan(numbers))


def _places(numbers: np.ndarray) -> np.ndarray:
    """Digits after the decimal mark of each number, so that neither it nor the differences between them lose any that count.

    Of shares and probabilities what is missing to one counts as much as what there is.
    """
    import numpy as np

    known = numbers[np.isfinite(numbers)]
    size = np.abs(numbers)
    if len(known) and known.min() >= 0 and known.max() <= 1:
        size = np.minimum(size, 1 - size)
    spread = float(known.std()) if len(known) else 0.0
    smallest = np.where(np.isfinite(size) & (size > 0), np.minimum(size, spread or np.inf), 1.0)
    return np.maximum(DIGITS - 1 - np.floor(np.log10(smallest)), PLACES).astype(int)
