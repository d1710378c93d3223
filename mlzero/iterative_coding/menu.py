"""A few small edits to choose from, for a model too weak to write code.

The menu is read from the solution at hand: numbers it was trained with that may be set anew within bounds, kinds of
models to add, columns to make of two others. Whatever is chosen leaves a solution that still runs.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass

from mlzero.iterative_coding.edits import DoesNotFit
from mlzero.iterative_coding.inspection import definitions, frozen
from mlzero.semantic_memory.blocks import block_source

MEANINGS = {  # settings by the names that the libraries give them, with what they do
    "C": "freedom of a linear model or a margin; smaller is simpler",
    "alpha": "penalty of a linear model; larger is simpler",
    "learning_rate": "step of each tree; smaller is finer and wants more trees",
    "num_leaves": "leaves of a tree; fewer is simpler",
    "num_boost_round": "number of trees",
    "n_estimators": "number of trees",
    "feature_fraction": "part of the columns that a tree sees",
    "min_data_in_leaf": "fewest rows in a leaf; more is simpler",
    "extra_trees": "splits by chance",
    "num_bag_folds": "folds that every model is trained on",
    "FOLDS": "folds that every model is trained on",
    "max_features": "most words or pieces of words",
    "min_df": "texts that a word must stand in",
    "sublinear_tf": "repeated words count less",
    "lr": "step of the network",
    "weight_decay": "penalty of the network; larger is simpler",
    "c1": "penalty that rules clues out; larger is simpler",
    "c2": "penalty of all clues; larger is simpler",
    "max_iterations": "rounds of learning",
    "max_iter": "rounds of learning",
    "rounds": "rounds of learning",
    "orientations": "directions of edges told apart",
}
FACTOR = 5  # a number may become so many times larger or smaller
SHARES = frozenset({"feature_fraction"})  # at most 1
FOLDS = frozenset({"num_bag_folds", "FOLDS"})  # at least 2
MODELS = {  # of TabularPredictor
    "GBM": "gradient boosting (LightGBM)", "CAT": "gradient boosting (CatBoost)", "XGB": "gradient boosting (XGBoost)",
    "XT": "extremely randomised trees", "RF": "a random forest", "LR": "a linear model", "NN_TORCH": "a neural network",
    "FASTAI": "another neural network",
}  # fmt: skip
SETTINGS, COLUMNS = 10, 24  # shown at most
FIRST = ("MODELS", "fit", "learn", "head")  # where what counts most stands
SIGNS = "/*-+"


@dataclass(frozen=True)
class Setting:
    """A number or a switch in the solution."""

    name: str
    value: float | int | bool
    within: str  # the function or value it stands in
    place: tuple[int, int, int]  # line, first and last byte

    @property
    def bounds(self) -> tuple[float, float]:
        low, high = sorted((self.value / FACTOR, self.value * FACTOR))
        if self.name in FOLDS:
            return 2, 10
        return (max(1, round(low)) if isinstance(self.value, int) else low), min(high, 1.0) if self.name in SHARES else high  # fmt: skip

    def to(self, text: str) -> str:
        """The value as Python, brought within the bounds; raises DoesNotFit."""
        if isinstance(self.value, bool):
            return "False" if text.lower() in ("false", "no", "off", "0") else "True"
        try:
            number = min(max(float(text), self.bounds[0]), self.bounds[1])
        except ValueError as error:
            raise DoesNotFit(f"{text[:30]!r} is no number for {self.name}.") from error
        return str(round(number)) if isinstance(self.value, int) else f"{number:.6g}"

    def elsewhere(self) -> list[str]:
        """Two other values worth a try, or the one that is left."""
        if isinstance(self.value, bool):
            return [str(not self.value).lower()]
        found = dict.fromkeys(self.to(str(self.value * factor)) for factor in (0.5, 2))
        return [value for value in found if float(value) != self.value]


@dataclass(frozen=True)
class Menu:
    """What may be changed in one solution.

    Parameters
    ----------
    models
        Keys of `MODELS` that it does not train yet.
    columns
        Columns of numbers that new ones can be made of; none where the solution has no table of inputs.
    """

    source: str
    settings: list[Setting]
    models: list[str]
    columns: list[str]

    def __bool__(self) -> bool:
        return bool(self.settings or self.models or self.columns)

    @property
    def lines(self) -> list[str]:
        """What can be chosen, as lines to copy, each with what it does."""
        found = [
            f"SET {number} = {value}  ({setting.name} in {setting.within}, now {setting.value}: {MEANINGS[setting.name]})"
            for number, setting in enumerate(self.settings, 1)
            for value in setting.elsewhere()
        ]
        return found + [f"ADD {key}  ({MODELS[key]})" for key in self.models]

    def apply(self, answer: str) -> tuple[str, str]:
        """The solution with what an answer chooses, and that choice in words.

        Raises
        ------
        DoesNotFit
            When nothing was chosen or it is not on the menu.
        """
        answer = re.sub(r"(?:\band\b|[,;.])\s+(?=(?:SET|ADD|MAKE)\b)", "\n", answer)  # several on one line
        changes: dict[tuple[int, int, int], str] = {}
        words = []
        for number, value in re.findall(r"^\W*SET\W+(\d+)\W+?(-?\d[\d.]*(?:e-?\d+)?|[a-z]+)", answer, re.M | re.I):
            if not 1 <= int(number) <= len(self.settings):
                raise DoesNotFit(f"There is no setting {number}; they go from 1 to {len(self.settings)}.")
            setting = self.settings[int(number) - 1]
            changes[setting.place] = setting.to(value)
            if changes[setting.place] != str(setting.value):
                words.append(f"{setting.name} {changes[setting.place]} in place of {setting.value}")
        source = _replaced(self.source, changes)
        for key in dict.fromkeys(key.upper() for key in re.findall(r"^\W*ADD\W+(\w+)", answer, re.M | re.I)):
            if key not in self.models:
                raise DoesNotFit(f"{key} cannot be added; choose one of {', '.join(self.models) or 'the settings'}.")
            source = _with_model(source, key)
            words.append(f"with {MODELS[key]}")
        for text in re.findall(r"^\W*MAKE\W+(.+)$", answer, re.M | re.I):
            one, sign, other = self._two_columns(text)
            source = _with_column(source, one, sign, other)
            words.append(f"{one} {sign} {other} as a column")
        if not words:
            raise DoesNotFit("Nothing was chosen: write lines such as SET 1 = 0.5, ADD CAT or MAKE one / other.")
        return source, ", ".join(dict.fromkeys(words))

    def _two_columns(self, text: str) -> tuple[str, str, str]:
        known = {_bare(column): column for column in self.columns}
        for place, sign in enumerate(text):
            if sign in SIGNS:
                one, other = known.get(_bare(text[:place])), known.get(_bare(text[place + 1 :]))
                if one and other and one != other:
                    return one, sign, other
        raise DoesNotFit(
            f"{text.strip()[:60]!r} does not name two different columns of the list with / * - or + between."
        )


def menu_of(source: str, numbers: Iterable[str]) -> Menu:
    """What may be changed in a solution; `numbers` are the columns of numbers that it learns from."""
    known, closed = definitions(source), set(frozen(source))
    settings = [s for name, node in known.items() if name not in closed for s in _settings(name, node)]
    settings.sort(key=lambda setting: (setting.within not in FIRST, setting.place))
    usable = "TabularPredictor" in source and "MODELS" not in closed
    trained = _trained(known.get("MODELS")) if usable else None
    models = [key for key in MODELS if key not in trained] if trained is not None else []
    columns = list(numbers)[:COLUMNS] if "inputs" not in closed and _inputs_return(source) else []
    return Menu(source, settings[:SETTINGS], models, columns if len(columns) > 1 else [])


def _settings(within: str, node: ast.stmt) -> Iterable[Setting]:
    """Literal values under a name of `MEANINGS`: keywords of calls, entries of dictionaries, values of the module."""
    named: list[tuple[object, ast.expr]] = []
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        named.append((node.targets[0].id, node.value))
    for part in ast.walk(node):
        if isinstance(part, ast.Call):
            named += [(keyword.arg, keyword.value) for keyword in part.keywords]
        elif isinstance(part, ast.Dict):
            named += [(k.value, v) for k, v in zip(part.keys, part.values, strict=True) if isinstance(k, ast.Constant)]
    for name, value in named:
        if name not in MEANINGS or not isinstance(value, ast.Constant) or not isinstance(value.value, int | float):
            continue
        if value.value or isinstance(value.value, bool):  # there is no "so many times larger" than zero
            place = (value.lineno, value.col_offset, value.end_col_offset or value.col_offset)
            yield Setting(str(name), value.value, within, place)


def _replaced(source: str, changes: dict[tuple[int, int, int], str]) -> str:
    """The source with other texts at places as in `Setting.place`."""
    lines = source.split("\n")
    for (line, start, end), text in sorted(changes.items(), reverse=True):
        raw = lines[line - 1].encode()
        lines[line - 1] = (raw[:start] + text.encode() + raw[end:]).decode()
    return "\n".join(lines)


def _trained(node: ast.stmt | None) -> set[str] | None:
    """Keys of the models of a table; None when the value is something else."""
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict):
        keys = {k.value for k in node.value.keys if isinstance(k, ast.Constant) and isinstance(k.value, str)}
        return keys if keys and keys <= {*MODELS, "KNN"} else None
    return None


def _with_model(source: str, key: str) -> str:
    """The solution that trains one kind of model more."""
    node = definitions(source)["MODELS"]
    assert isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict)
    last = node.value.values[-1]
    end = last.end_col_offset or 0
    return _replaced(source, {(last.end_lineno or 1, end, end): f', "{key}": {{}}'})


def _inputs_return(source: str) -> ast.Return | None:
    """Where the function that makes the table of inputs gives it back."""
    node = definitions(source).get("inputs")
    if not isinstance(node, ast.FunctionDef) or [a.arg for a in node.args.args][:1] != ["rows"]:
        return None
    last = node.body[-1]
    return last if isinstance(last, ast.Return) and last.value is not None else None


def _with_column(source: str, one: str, sign: str, other: str) -> str:
    """The solution whose table of inputs has one column more."""
    entry = f"    ({_text(one)}, {_text(sign)}, {_text(other)}),"
    if "MADE" in definitions(source):
        node = definitions(source)["MADE"]
        lines = source.split("\n")
        lines.insert((node.end_lineno or 1) - 1, entry)
        return "\n".join(lines)
    found = _inputs_return(source)
    assert found is not None and found.value is not None and found.end_lineno is not None
    lines = source.split("\n")
    value = ast.get_source_segment(source, found.value)
    lines[found.lineno - 1 : found.end_lineno] = [f"    return with_made({value}, rows, MADE)"]
    inputs = definitions(source)["inputs"].lineno - 1
    made = [
        "# Columns made of two others.",
        "MADE = [",
        entry,
        "]",
        "",
        "",
        *block_source("with_made").code.split("\n"),
        "",
        "",
    ]
    return "\n".join([*lines[:inputs], *made, *lines[inputs:]])


def _bare(text: str) -> str:
    return text.strip(" `'\"[](){}.").casefold()


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)
