"""Sums that metrics share."""

from __future__ import annotations

import numpy as np


def ratio(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    """Zero where nothing is counted."""
    return np.divide(above, below, out=np.zeros(len(np.atleast_1d(below))), where=np.atleast_1d(below) > 0)


def ranks(values: np.ndarray) -> np.ndarray:
    """Ranks from 1, the mean rank for ties."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return (ends - (counts - 1) / 2.0)[inverse]
