"""Which models a variant trains, and with what settings."""

from __future__ import annotations

from typing import Any

from mlzero.perception.task import Preferences

Models = dict[str, Any]

FAMILIES: dict[str, Models] = {
    "small": {"GBM": {"num_leaves": 31}},
    "quick": {"GBM": [{}, {"extra_trees": True, "ag_args": {"name_suffix": "XT"}}]},
    "all": {
        "GBM": [{}, {"extra_trees": True, "ag_args": {"name_suffix": "XT"}}],
        "CAT": {},
        "XT": {},
        "RF": {},
        "NN_TORCH": {},
        "FASTAI": {},
        "XGB": {},
        "LR": {},
    },
    "large": {"GBM": [{}, {"extra_trees": True, "ag_args": {"name_suffix": "XT"}}], "CAT": {}, "XGB": {}, "FASTAI": {}},
    "several": {"GBM": {}, "XT": {"n_estimators": 200}},
}


def chosen(models: Models, preferences: Preferences, without: list[str]) -> Models:
    """The models left after the user's wishes and earlier failures; never none."""
    avoided = {*preferences.avoid_models, *without}
    wanted = preferences.use_models
    kept = {key: FAMILIES["all"].get(key, {}) for key in wanted} if wanted else dict(models)
    return {key: value for key, value in kept.items() if key not in avoided} or dict(FAMILIES["small"])
