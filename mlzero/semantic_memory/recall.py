"""What the libraries can do for a task: the recipes that carry it, and the cards of the tools they use."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

from mlzero.iterative_coding.contract import Recipe
from mlzero.perception.profile import Profile
from mlzero.perception.task import Task
from mlzero.semantic_memory.recipes import all_recipes

CARDS = Path(__file__).parent / "cards"


@dataclass(frozen=True)
class Card:
    """A tool in our own words: when to use it, what it takes, what to look out for."""

    tool: str
    recipes: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class Recollection:
    recipes: list[Recipe]
    cards: list[Card]


def recall(task: Task, profile: Profile) -> Recollection:
    """Recipes that carry the task, the best first, with their cards."""
    recipes = [recipe for recipe in all_recipes() if recipe.applies(task, profile)]
    names = {recipe.name for recipe in recipes}
    return Recollection(recipes, [card for card in cards() if names & set(card.recipes)])


@functools.cache
def cards() -> tuple[Card, ...]:
    """All cards. A card starts with two lines: `tool: …` and `recipes: …, …`."""
    found = []
    for path in sorted(CARDS.glob("*.md")):
        tool, recipes, text = path.read_text(encoding="utf-8").split("\n", 2)
        names = tuple(name.strip() for name in recipes.removeprefix("recipes:").split(","))
        found.append(Card(tool.removeprefix("tool:").strip(), names, text.strip()))
    return tuple(found)
