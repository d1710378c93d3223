"""Metrics out of sentences."""

import pytest

from mlzero.perception.metric_words import named_in


@pytest.mark.parametrize(
    ("text", "metric"),
    [
        ("Scored by root mean squared error.", "rmse"),
        ("we are judged on RMSLE", "rmsle"),
        ("误差(RMSE)越小越好", "rmse"),
        ("平均绝对误差最小", "mae"),
        ("Mean Absolute Error", "mae"),
        ("area under the ROC curve", "roc_auc"),
        ("AUC please", "roc_auc"),
        ("PR-AUC is what counts", "average_precision"),
        ("macro-averaged F1", "f1_macro"),
        ("F1-macro", "f1_macro"),
        ("micro F1 score", "f1_micro"),
        ("F1 score", "f1"),
        ("balanced accuracy", "balanced_accuracy"),
        ("Beide Klassen sollen gleich gut erkannt werden", "balanced_accuracy"),
        ("all classes should count equally", "f1_macro"),
        ("todas las clases por igual", "f1_macro"),
        ("每个类别同等重要", "f1_macro"),
        ("Trefferquote", "accuracy"),
        ("准确率", "accuracy"),
        ("quadratic weighted kappa", "quadratic_kappa"),
        ("log loss", "log_loss"),
        ("R² möglichst hoch", "r2"),
        ("the accuracy does not matter much; evaluation metric: MCC", "mcc"),
        ("coefficient of determination", "r2"),
    ],
)
def test_named_metric(text: str, metric: str) -> None:
    assert named_in(text)[0].metric == metric


@pytest.mark.parametrize(
    "text",
    [
        "predict the price",
        "¿Qué clientes se van?",
        "which class is it",
        "sage die Note voraus",
        "",
        "need high quality",
    ],
)
def test_no_metric(text: str) -> None:
    assert named_in(text) == []
