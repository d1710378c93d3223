"""Every metric there is: what it is called, what it needs, which way is better, how it is computed.

Formulas follow scikit-learn's definitions (a test compares them); they are written in NumPy so that the
engine does not pay for importing scikit-learn. To add one, write a function and register it in
one of the modules here, each of which holds the metrics of one kind of answer.
"""

from mlzero.iterative_coding.metrics import labels, numbers, others, probabilities
from mlzero.iterative_coding.metrics.probabilities import area
from mlzero.iterative_coding.metrics.registry import MULTILABEL, NUMBERS, SINGLE, Answers, Metric, get, names
from mlzero.iterative_coding.metrics.scoring import answers, groups, mean_of, score

__all__ = [
    "MULTILABEL", "NUMBERS", "SINGLE", "Answers", "Metric", "answers", "area", "get", "groups", "labels", "mean_of", "names",
    "numbers", "others", "probabilities", "score",
]  # fmt: skip
