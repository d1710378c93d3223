"""The script a practitioner writes without MLZero: read, fit, predict. `overhead.py` runs and times it."""

from __future__ import annotations

import argparse
import json

import pandas as pd
from autogluon.tabular import TabularPredictor


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("train", "test", "target", "metric", "models", "model_dir", "out"):
        parser.add_argument(name)
    parser.add_argument("time_limit", type=float)
    given = parser.parse_args()
    train, test = pd.read_csv(given.train), pd.read_csv(given.test)
    predictor = TabularPredictor(given.target, path=given.model_dir, eval_metric=given.metric)
    predictor.fit(
        train,
        time_limit=given.time_limit,
        hyperparameters=json.loads(given.models),
        dynamic_stacking=False,
        verbosity=0,
    )
    test.assign(**{given.target: predictor.predict(test)}).to_csv(given.out, index=False)


if __name__ == "__main__":
    main()
