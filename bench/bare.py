"""The script a practitioner writes without MLZero: read, fit, predict. `overhead.py` runs and times it.

With `--measured` it does what a run does: a fifth of the rows is kept aside, the fit on the others is measured on them, and
a second fit on all rows makes the predictions.
"""

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
    parser.add_argument("--measured", action="store_true")
    given = parser.parse_args()

    def fitted(rows: pd.DataFrame, name: str) -> TabularPredictor:
        predictor = TabularPredictor(given.target, path=f"{given.model_dir}/{name}", eval_metric=given.metric)
        predictor.fit(
            rows,
            time_limit=given.time_limit,
            hyperparameters=json.loads(given.models),
            dynamic_stacking=False,
            verbosity=0,
        )
        return predictor

    train, test = pd.read_csv(given.train), pd.read_csv(given.test)
    if given.measured:
        aside = train.sample(frac=0.2, random_state=0)
        print(fitted(train.drop(aside.index), "measured").evaluate(aside))
    test.assign(**{given.target: fitted(train, "final").predict(test)}).to_csv(given.out, index=False)


if __name__ == "__main__":
    main()
