import numpy as np
import pandas as pd

from mlzero.iterative_coding.importance import importance, shuffled
from mlzero.perception.scan import profile
from mlzero.perception.understand import infer_task


def upload(folder):
    dice = np.random.default_rng(1)
    table = pd.DataFrame({"size": dice.normal(50, 9, 300).round(2), "noise": dice.normal(0, 1, 300).round(2)})
    table["rooms"] = dice.integers(1, 9, 300)
    table["price"] = (3 * table["size"] + 7 * table["rooms"]).round(2)
    table.to_csv(folder / "flats.csv", index=False)
    return infer_task(profile(folder), folder, "Predict the price"), table


def test_a_column_that_decides_matters_and_noise_does_not(tmp_path):
    task, table = upload(tmp_path)
    rows, truth = table[["size", "noise", "rooms"]], table[["price"]]
    asked = shuffled(rows, task)
    assert asked.columns == ["size", "noise", "rooms"] and len(asked.rows) == 3 * len(rows)

    def predict(rows):
        return pd.DataFrame({"price": 3 * rows["size"] + 7 * rows["rooms"]})

    found = importance(asked, task, truth, predict(rows), predict(asked.rows))
    assert [entry["column"] for entry in found] == ["size", "rooms", "noise"]
    assert found[1]["loss"] > 5 and abs(found[2]["loss"]) < 1e-9


def test_a_shuffled_column_keeps_its_values_and_the_others_their_place(tmp_path):
    task, table = upload(tmp_path)
    asked = shuffled(table[["size", "noise"]], task)
    first, used = asked.rows.iloc[: len(asked.positions)], table.iloc[asked.positions]
    assert sorted(first["size"]) == sorted(used["size"]) and list(first["size"]) != list(used["size"])
    assert list(first["noise"]) == list(used["noise"])


def test_one_column_is_not_compared(tmp_path):
    task, table = upload(tmp_path)
    assert shuffled(table[["size"]], task) is None
