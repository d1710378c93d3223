"""A few small edits to choose from, for a model too weak to write code.

The menu is read from the solution at hand: numbers it was trained with that may be set anew within bounds, kinds of
models to add, columns to make of two others. Whatever is chosen leaves a solution that still runs.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

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
SHARES = frozenset({"feature_fraction"})  # at most 1
FOLDS = frozenset({"num_bag_folds", "FOLDS"})  # 2 to 10
MODELS = {  # of TabularPredictor, what helps most often first
    "GBM": "gradient boosting (LightGBM)", "CAT": "gradient boosting (CatBoost)", "XGB": "gradient boosting (XGBoost)",
    "XT": "extremely randomised trees", "RF": "a random forest", "LR": "a linear model", "NN_TORCH": "a neural network",
    "FASTAI": "another neural network",
}  # fmt: skip
SETTINGS, COLUMNS = 8, 24  # shown at most
LONGEST = 500  # characters in which two columns are looked for
NUMBER = re.compile(r"(?<![\w.])\d{1,3}(?!\w|\.\d)")  # a whole one, not a part of another
FIRST = ("MODELS", "fit", "learn", "head")  # where what counts most stands
SIGNS = "/*-+"


@dataclass(frozen=True)
class Setting:
    """A number or a switch in the solution."""

    name: str
    value: float | int | bool
    within: str  # the function or value it stands in
    place: tuple[int, int, int]  # line, first and last byte

    def elsewhere(self) -> list[str]:
        """Other values worth a try, as Python: half and double, within what the library takes."""
        if isinstance(self.value, bool):
            return [str(not self.value)]
        low, high = (2.0, 10.0) if self.name in FOLDS else (0.0, 1.0 if self.name in SHARES else float("inf"))
        numbers = (min(max(self.value * factor, low), high) for factor in (0.5, 2))
        texts = [str(max(1, round(n))) if isinstance(self.value, int) else f"{n:.6g}" for n in numbers]
        return [text for text in dict.fromkeys(texts) if float(text) != self.value]


@dataclass(frozen=True)
class Change:
    """Another value of a setting, as Python."""

    setting: Setting
    value: str

    @property
    def words(self) -> str:
        return f"{self.setting.name} {self.value} in place of {self.setting.value}"

    @property
    def line(self) -> str:
        return f"{self.words} ({self.setting.within}; {MEANINGS[self.setting.name]})"

    def edited(self, source: str) -> str:
        return _replaced(source, self.setting.place, self.value)


@dataclass(frozen=True)
class Addition:
    """One more kind of model."""

    key: str  # of `MODELS`

    @property
    def words(self) -> str:
        return f"with {MODELS[self.key]}"

    @property
    def line(self) -> str:
        return f"also train {MODELS[self.key]}"

    def edited(self, source: str) -> str:
        return _with_model(source, self.key)


@dataclass(frozen=True)
class Menu:
    """What may be changed in one solution.

    Parameters
    ----------
    choices
        Models more, then changes of one value each.
    columns
        Columns of numbers that new ones can be made of; none where the solution has no table of inputs.
    """

    source: str
    choices: list[Change | Addition]
    columns: list[str]

    def __bool__(self) -> bool:
        return bool(self.choices or self.columns)

    @property
    def lines(self) -> list[str]:
        """The choices, numbered from 1, each with what it does."""
        return [f"{number}. {choice.line}" for number, choice in enumerate(self.choices, 1)]

    def without(self, tried: Collection[str]) -> Menu:
        """The choices that make a solution which is not among those tried."""
        return replace(self, choices=[choice for choice in self.choices if choice.edited(self.source) not in tried])

    def apply(self, answer: str) -> tuple[str, str]:
        """The solution with the first thing that an answer chooses, and that choice in words.

        Raises
        ------
        DoesNotFit
            When nothing was chosen or it is not on the menu.
        """
        if made := re.match(r"\W*MAKE\W+(.+)", answer, re.I):
            one, sign, other = self._two_columns(made[1])
            return _with_column(self.source, one, sign, other), f"{one} {sign} {other} as a column"
        numbers = [int(text) for text in NUMBER.findall(answer)]
        known = [self.choices[number - 1] for number in numbers if 1 <= number <= len(self.choices)]
        if not numbers:
            raise DoesNotFit("Nothing was chosen: answer with one of the numbers before the lines.")
        if not known:
            raise DoesNotFit(f"There is no line {numbers[0]}; they go from 1 to {len(self.choices)}.")
        return known[0].edited(self.source), known[0].words

    def _two_columns(self, text: str) -> tuple[str, str, str]:
        for place, sign in enumerate(text[:LONGEST]):
            if sign in SIGNS:
                one, other = self._column(text[:place]), self._column(text[place + 1 : LONGEST])
                if one and other and one != other:
                    return one, sign, other
        raise DoesNotFit(
            f"{text.strip()[:60]!r} does not name two different columns of the list with / * - or + between."
        )

    def _column(self, text: str) -> str | None:
        """The column that a text names: as it is written, else whatever marks and capitals it is written with."""
        written, bare = text.strip(" `"), _bare(text)
        if written in self.columns:
            return written
        return next((column for column in self.columns if bare and _bare(column) == bare), None)


def menu_of(source: str, numbers: Iterable[str]) -> Menu:
    """What may be changed in a solution; `numbers` are the columns of numbers that it learns from."""
    known, closed = definitions(source), set(frozen(source))
    settings = [s for name, node in known.items() if name not in closed for s in _settings(name, node)]
    settings.sort(key=lambda setting: (setting.within not in FIRST, setting.place))
    usable = "TabularPredictor" in source and "MODELS" not in closed
    trained = _trained(known.get("MODELS")) if usable else None
    choices: list[Change | Addition] = [Addition(key) for key in MODELS if trained is not None and key not in trained]
    choices += [Change(setting, value) for setting in settings[:SETTINGS] for value in setting.elsewhere()]
    columns = list(numbers)[:COLUMNS] if "inputs" not in closed and _inputs_return(source) else []
    return Menu(source, choices, columns if len(columns) > 1 else [])


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


def _replaced(source: str, place: tuple[int, int, int], text: str) -> str:
    """The source with another text at a place as in `Setting.place`."""
    line, start, end = place
    lines = source.split("\n")
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
    return _replaced(source, (last.end_lineno or 1, end, end), f', "{key}": {{}}')


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
    return text.strip(" `'\"[](){}.*").casefold()


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)
