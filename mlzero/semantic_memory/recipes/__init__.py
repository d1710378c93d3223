"""Recipes: one file a family of tasks. To add one, write it and name it in `all_recipes`."""

from __future__ import annotations

from mlzero.iterative_coding.contract import Recipe


def all_recipes() -> list[Recipe]:
    """Every recipe, the most special first."""
    from mlzero.semantic_memory.recipes.detection import Detection
    from mlzero.semantic_memory.recipes.encoded import Encoded
    from mlzero.semantic_memory.recipes.entities import Entities
    from mlzero.semantic_memory.recipes.fine_tuned import FineTuned
    from mlzero.semantic_memory.recipes.forecasting import Forecasting
    from mlzero.semantic_memory.recipes.ranking import Ranking
    from mlzero.semantic_memory.recipes.recordings import Recordings
    from mlzero.semantic_memory.recipes.restoration import Restoration
    from mlzero.semantic_memory.recipes.rewriting import Rewriting
    from mlzero.semantic_memory.recipes.segmentation import Segmentation
    from mlzero.semantic_memory.recipes.table_several import SeveralTargets
    from mlzero.semantic_memory.recipes.tabular import Tabular
    from mlzero.semantic_memory.recipes.texts import Texts

    return [
        Forecasting(),
        Entities(),
        Ranking(),
        Rewriting(),
        Detection(),
        Segmentation(),
        Restoration(),
        Recordings(),
        Encoded(),
        SeveralTargets(),
        Texts(),
        FineTuned(),
        Tabular(),
    ]


def recipe(name: str) -> Recipe:
    """A recipe by its name; raises KeyError."""
    return {found.name: found for found in all_recipes()}[name]
