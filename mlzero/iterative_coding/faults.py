"""Errors, read: what happened in plain words, and a signature that is the same in the next run."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from mlzero.iterative_coding.contract import Diagnosis, Failure

SMALLER = "A smaller attempt comes next."
NEXT = "The next idea is tried."


@dataclass(frozen=True)
class Rule:
    """A pattern over message, trace and log, and what it means. `{0}` is the pattern's first group."""

    pattern: str
    cause: str
    fix: str
    remedy: str | None = None


RULES = (
    Rule(r"unexpected keyword argument '(\w+)'", "The code used an option, {0}, that the installed library does not know.", "It is left out.", "drop_option"),
    Rule(r"(?:Unknown|Invalid|Unexpected).{0,40}(?:hyperparameter|argument|option|parameter)\W+(\w+)", "The code used an option, {0}, that the installed library does not know.", "It is left out.", "drop_option"),
    Rule(r"No module named '([\w.]+)'", "The code needs the package {0}, which is not installed.", "A way without it is tried.", "other_library"),
    Rule(r"LocalEntryNotFoundError|couldn't connect to 'https://|Hub|ConnectionError|Name or service not known|Temporary failure in name resolution", "A download was needed, and generated code has no network.", "A model that needs no download is tried.", "no_download"),
    Rule(r"Trainer has no fit models|No models were trained successfully", "None of the models could be trained in the time there was.", SMALLER, "less"),
    Rule(r"least populated class|only (?:one|1) (?:class|unique)|single class|contains? 1 class", "One of the classes has too few rows to learn from.", SMALLER, "less"),
    Rule(r"(?:KeyError|not in index|columns are missing).*?\[?'([^']+)'", "The code asked for a column, {0}, that is not there.", NEXT, "columns"),
    Rule(r"could not convert string to (?:float|int).*?'([^']{1,60})'", "A cell that reads '{0}' was taken for a number.", NEXT, "types"),
    Rule(r"No space left on device", "The disk is full.", SMALLER, "less"),
)  # fmt: skip
KINDS = {
    "memory": ("The memory was not enough.", SMALLER, "less"),
    "timeout": ("It did not end in the time it had.", SMALLER, "less"),
    "disk": ("It wrote more to the disk than is allowed.", SMALLER, "less"),
    "killed": ("The program was ended from outside or crashed.", SMALLER, "less"),
    "stopped": ("It was stopped on request.", "Nothing more is tried.", None),
}


def diagnose(failure: Failure, log_tail: str) -> Diagnosis:
    """The likely cause and what is tried next, by rules.

    Parameters
    ----------
    log_tail
        The end of what the attempt printed; looked at when message and trace say nothing.
    """
    signature = signature_of(failure)
    if failure.kind in KINDS:
        cause, fix, remedy = KINDS[failure.kind]
        return Diagnosis(signature, f"{cause} ({STAGES.get(failure.stage, failure.stage)})", fix, remedy)
    if failure.kind in ("contract", "checks"):
        return Diagnosis(signature, f"The result was not what was agreed: {failure.message}", NEXT, "contract")
    for text in (f"{failure.exception}: {failure.message}", failure.trace, log_tail[-4000:]):
        for rule in RULES:
            found = re.search(rule.pattern, text, re.S)
            if found:
                return Diagnosis(signature, rule.cause.format(*found.groups()), rule.fix, rule.remedy)
    return Diagnosis(signature, f"The code broke while {STAGES.get(failure.stage, failure.stage)}: {_first_line(failure.message)}", SMALLER)


STAGES = {
    "load": "reading the data", "fit": "training", "predict_holdout": "predicting the rows kept aside",
    "predict_test": "predicting the new rows", "score": "measuring", "judge": "checking the result",
}  # fmt: skip


def signature_of(failure: Failure) -> str:
    """The same for the same fault in another run: kind, exception, place in the solution, message without values."""
    places = re.findall(r'File "solution\.py", line \d+, in (\w+)', failure.trace)
    message = re.sub(r"'[^']*'|\"[^\"]*\"|\d+(?:\.\d+)?", "*", _first_line(failure.message))
    parts = (failure.stage, failure.kind, failure.exception, places[-1] if places else "", message[:200])
    return f"{failure.kind}:{failure.exception or failure.stage}:{hashlib.sha256('|'.join(parts).encode()).hexdigest()[:12]}"


def _first_line(text: str) -> str:
    return text.strip().splitlines()[0][:300] if text.strip() else ""
