"""Which models a variant trains, and with what settings."""

from __future__ import annotations

from typing import Any

from mlzero.perception.task import Preferences

Models = dict[str, Any]


def _order(models: list[tuple[str, dict[str, Any]]]) -> Models:
    """Models in the order they are trained in; the library's own order would begin with the slow ones."""
    found: Models = {}
    for place, (key, settings) in enumerate(models):
        suffix = {"name_suffix": "XT"} if settings.get("extra_trees") else {}
        found.setdefault(key, []).append({**settings, "ag_args": {**suffix, "priority": 100 - place}})
    return found


XT: dict[str, Any] = {"extra_trees": True}
FAMILIES: dict[str, Models] = {
    "small": {"GBM": {"num_leaves": 31}},
    "quick": _order([("GBM", {"learning_rate": 0.1}), ("GBM", XT)]),
    # Few rows: the cheap and different ones first, so that a short time already holds several kinds.
    "few": _order([
        ("LR", {}), ("XT", {}), ("CAT", {}), ("GBM", XT), ("GBM", {}), ("XGB", {}), ("NN_TORCH", {}), ("FASTAI", {}),
    ]),
    "all": _order([
        ("GBM", {}), ("CAT", {}), ("GBM", XT), ("XGB", {}), ("XT", {}), ("LR", {}), ("FASTAI", {}), ("RF", {}), ("NN_TORCH", {}),
    ]),
    # Many rows: forests would take gigabytes.
    "large": _order([("GBM", {}), ("CAT", {}), ("GBM", XT), ("XGB", {}), ("FASTAI", {})]),
    "several": {"GBM": {}, "XT": {"n_estimators": 200}},
}  # fmt: skip


def chosen(models: Models, preferences: Preferences, without: list[str]) -> Models:
    """The models left after the user's wishes and earlier failures; never none."""
    avoided = {*preferences.avoid_models, *without}
    wanted = preferences.use_models
    kept = {key: models.get(key, FAMILIES["all"].get(key, {})) for key in wanted} if wanted else dict(models)
    return {key: value for key, value in kept.items() if key not in avoided} or dict(FAMILIES["small"])
