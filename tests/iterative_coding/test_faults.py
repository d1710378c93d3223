"""Errors as libraries raise them, and what is read from them."""

import re

import pytest

from mlzero.iterative_coding.contract import Failure
from mlzero.iterative_coding.faults import diagnose, signature_of


def raised(exception, message, trace="", stage="fit", kind="exception"):
    return Failure(stage, kind, f"{exception}: {message}", exception=exception, trace=trace)


@pytest.mark.parametrize(
    ("failure", "words", "remedy"),
    [
        (raised("TypeError", "TabularPredictor.fit() got an unexpected keyword argument 'num_bags'"), "num_bags", "drop_option:num_bags"),
        (raised("ValueError", "Unknown argument passed: `bag_sets`"), "bag_sets", "drop_option:bag_sets"),
        (raised("ModuleNotFoundError", "No module named 'mmcv.ops'"), "mmcv.ops", "other_library"),
        (raised("OSError", "We couldn't connect to 'https://huggingface.co' to load the files"), "download", "no_download"),
        (raised("LocalEntryNotFoundError", "An error happened while trying to locate the file on the Hub"), "download", "no_download"),
        (raised("OSError", "[Errno 28] No space left on device: '/x/model.pkl'"), "disk", "less"),
        (raised("RuntimeError", "No models were trained successfully during fit()."), "None of the models", "less"),
        (raised("ValueError", "Trainer has no fit models that can predict."), "None of the models", "less"),
        (raised("ValueError", "The least populated class in y has only 1 member, which is too few."), "class", "less"),
        (raised("KeyError", "\"['age'] not in index\""), "age", "columns"),
        (raised("KeyError", "\"1 required columns are missing from the provided dataset. 1 missing columns: ['tenure months'] | 3\""), "tenure months", "columns"),
        (raised("KeyError", "'price'"), "price", "columns"),
        (raised("ValueError", "could not convert string to float: '1.049,00 DM'"), "1.049,00 DM", "types"),
        (raised("ValueError", "invalid literal for int() with base 10: 'n/a'"), "n/a", "types"),
        (raised("ValueError", "time data '31/12/2020' does not match format '%m/%d/%Y'"), "31/12/2020", "types"),
        (raised("UnicodeDecodeError", "'utf-8' codec can't decode byte 0xe4 in position 3"), "encoding", "encoding"),
        (raised("FileNotFoundError", "[Errno 2] No such file or directory: 'extra.csv'"), "extra.csv", "files"),
        (raised("LightGBMError", "Do not support special JSON characters in feature name."), "column name", "names"),
        (raised("ValueError", "Input X contains NaN."), "Gaps", "finite"),
        (raised("ValueError", "Input y contains NaN."), "target", "target"),
        (raised("numpy._ArrayMemoryError", "Unable to allocate 40.0 GiB for an array", kind="exception"), "memory", "less"),
        (Failure("fit", "memory", "The system ended the program."), "memory was not enough while training", "less"),
        (Failure("predict_test", "timeout", "It was not done after 30 seconds."), "time was not enough while predicting", "less"),
        (Failure("fit", "disk", "The program wrote a file that is larger than allowed."), "disk", "less"),
        (Failure("fit", "killed", "The program crashed (SIGSEGV)."), "crashed", "less"),
        (Failure("fit", "stopped", "Stopped on request."), "stopped", None),
        (Failure("predict_test", "contract", "3 test rows have no prediction."), "3 test rows", "contract"),
        (Failure("judge", "checks", "The score is far worse than a naive guess."), "naive", "contract"),
        (raised("ZeroDivisionError", "division by zero"), "division by zero", None),
    ],
    ids=lambda value: value.message[:40] if isinstance(value, Failure) else None,
)  # fmt: skip
def test_the_cause_is_read_in_plain_words(failure, words, remedy):
    found = diagnose(failure, "")
    assert words in found.cause
    assert found.remedy == remedy
    assert found.fix.endswith(".") and "Traceback" not in found.cause


def test_the_log_tells_why_no_model_was_left():
    log = """Fitting model: LightGBM ...
	Warning: Exception caused LightGBM to fail during training (ImportError)... Skipping this model.
		`import lightgbm` failed
ImportError: No module named 'lightgbm'
RuntimeError: No models were trained successfully during fit()."""
    found = diagnose(raised("RuntimeError", "No models were trained successfully during fit()."), log)
    assert (
        found.cause
        == "None of the models could be trained. The code needs the package lightgbm, which is not installed."
    )


def test_the_log_is_read_when_the_message_says_nothing():
    found = diagnose(raised("RuntimeError", "see above"), "OSError: [Errno 28] No space left on device")
    assert found.cause == "The disk is full."


TRACE = 'Traceback:\n  File "solution.py", line {line}, in {place}\n    x\nValueError: y'


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (raised("ValueError", "row 17 of 'b.csv' is odd", TRACE.format(line=99, place="fit")), True),
        (raised("ValueError", "row 3 of 'a.csv' is odd", TRACE.format(line=12, place="inputs")), False),
        (raised("KeyError", "row 3 of 'a.csv' is odd", TRACE.format(line=12, place="fit")), False),
        (raised("ValueError", "row 3 of 'a.csv' is odd", TRACE.format(line=12, place="fit"), stage="load"), False),
    ],
    ids=["other values and line", "other place", "other exception", "other stage"],
)
def test_the_signature_keeps_the_fault_and_drops_the_values(other, same):
    one = raised("ValueError", "row 3 of 'a.csv' is odd", TRACE.format(line=12, place="fit"))
    assert (signature_of(one) == signature_of(other)) is same
    assert re.fullmatch(r"exception:\w+:[0-9a-f]{12}", signature_of(one))


def test_two_unknown_options_are_two_faults():
    first, second = (
        raised("TypeError", f"fit() got an unexpected keyword argument '{name}'") for name in ("a_b", "c_d")
    )
    assert signature_of(first) != signature_of(second)
