"""Errors, read: what happened in plain words, and a signature that is the same in the next run."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from mlzero.iterative_coding.contract import STAGES, Diagnosis, Failure

SMALLER = "A smaller attempt comes next."
NEXT = "The next idea is tried."
LOG_TAIL = 6_000  # characters of the log that are looked at


@dataclass(frozen=True)
class Rule:
    """A pattern over message, trace and log, and what it means. `{0}` is the pattern's first group."""

    pattern: str
    cause: str
    fix: str
    remedy: str | None = None


UNKNOWN_OPTION = (
    "The code used an option, {0}, that the installed library does not know.",
    "It is left out.",
    "drop_option:{0}",
)
MISSING_COLUMN = ("The code asked for a column, {0}, that is not there.", NEXT, "columns")
RULES = (
    # What the library says about calls.
    Rule(r"unexpected keyword argument '(\w+)'", *UNKNOWN_OPTION),
    Rule(r"(?:[Uu]nknown|[Ii]nvalid|[Uu]nexpected|[Uu]nrecognized) (?:\w+ )?(?:hyperparameter|argument|option|parameter)s?(?: passed)?\W+(\w+)", *UNKNOWN_OPTION),
    Rule(r"Unknown (?:model type|preset)\w*[^\w\n]+(\w+)|Invalid preset\w*[^\w\n]+(\w+)", "The code asked for {0}, which the installed library does not have.", SMALLER, "less"),
    Rule(r"No module named '([\w.]+)'|ImportError: [^\n]*`?import (\w+)`? failed", "The code needs the package {0}, which is not installed.", SMALLER, "other_library"),
    # Outside the code.
    Rule(r"pretrained weights \S+ could not be fetched: ([^\n]+?)\.?$", "The pretrained weights could not be fetched ({0}).", "The attempts that need none go on.", "no_download"),
    Rule(
        r"LocalEntryNotFoundError|couldn't connect to 'https?://|OfflineModeIsEnabled|ConnectionError|Max retries exceeded"
        r"|Name or service not known|Temporary failure in name resolution|Network is unreachable",
        "A download was needed, and generated code has no network.", "Models that need no download are tried.", "no_download",
    ),
    Rule(r"No space left on device|Disk quota exceeded", "The disk is full.", SMALLER, "less"),
    Rule(r"Too many open files|Resource temporarily unavailable|can't start new thread", "The program asked for more processes or files than it may have.", SMALLER, "less"),
    Rule(r"bad_alloc|Unable to allocate|[Cc]annot allocate memory|[Nn]ot enough memory to|out of memory", "The memory was not enough.", SMALLER, "less"),
    # The data.
    Rule(r"No models were trained successfully|no fit models|NoValidFeatures|No valid features", "None of the models could be trained on these columns in the time there was.", SMALLER, "less"),
    Rule(
        r"least populated class|[Oo]nly (?:one|1) (?:class|unique)|single class|contains? (?:only )?(?:one|1) class|at least 2 classes"
        r"|number of classes (?:has to be|must be) greater|Only one class present",
        "Some class has too few rows to learn from.", SMALLER, "less",
    ),
    Rule(r"[Ll]abel column[^\n]*(?:NaN|nan|inf)|Input y contains (?:NaN|infinity)", "The target has gaps or infinite values where a value was needed.", NEXT, "target"),
    Rule(r"previously unseen labels?:?\W+([^\]\n'\"]{1,60})", "A label, {0}, occurs that was not there in training.", NEXT, "labels"),
    Rule(r"columns are missing.*\['([^']+)'", *MISSING_COLUMN),
    Rule(r"KeyError: [\"'\[]*([^'\"\]\n]{1,80})", *MISSING_COLUMN),
    Rule(r"(?:[Cc]ould not convert string to (?:float|int)|invalid literal for int\(\) with base \d+): '([^'\n]{0,60})", "A cell that reads '{0}' was taken for a number.", NEXT, "types"),
    Rule(r"time data ['\"]([^'\"\n]{1,40})['\"] does(?:n't| not) match|Unknown (?:datetime )?string format[^\n]*: ([^\n]{1,40})", "A cell that reads '{0}' was taken for a date of another form.", NEXT, "types"),
    Rule(r"codec can't decode byte|UnicodeDecodeError", "A file is written in another encoding than it seemed at first.", NEXT, "encoding"),
    Rule(r"FileNotFoundError[^\n]*?'([^'\n]+)'", "The code looked for a file, {0}, that is not there.", NEXT, "files"),
    Rule(r"[Dd]o not support special JSON characters|feature_names? (?:must|may) not contain", "A column name holds signs that a library cannot take.", SMALLER, "names"),
    Rule(r"Input (?:X )?contains NaN|contains? (?:NaN|infinity|inf)\b|value too large for dtype", "Gaps or infinite numbers reached a step that cannot take them.", SMALLER, "finite"),
    Rule(r"TimeLimitExceeded|[Tt]ime limit (?:exceeded|of)", "The time was too short for the models chosen.", SMALLER, "less"),
)  # fmt: skip
KINDS = {
    "memory": ("The memory was not enough", SMALLER, "less"),
    "timeout": ("The time was not enough", SMALLER, "less"),
    "disk": ("It wrote more to the disk than is allowed", SMALLER, "less"),
    "killed": ("The program crashed or was ended from outside", SMALLER, "less"),
    "stopped": ("It was stopped on request", "Nothing more is tried.", None),
}


def diagnose(failure: Failure, log_tail: str) -> Diagnosis:
    """The likely cause and what is tried next, by rules.

    Parameters
    ----------
    log_tail
        The end of what the attempt printed; looked at when message and trace say nothing, for libraries
        print why a model failed and raise only that none is left.
    """
    signature, stage = signature_of(failure), STAGES[failure.stage]
    if failure.kind in KINDS:
        cause, fix, remedy = KINDS[failure.kind]
        return Diagnosis(signature, f"{cause} while {stage}.", fix, remedy)
    if failure.kind in ("contract", "checks"):
        return Diagnosis(signature, f"The result was not what was agreed: {failure.message}", SMALLER, "contract")
    for text in (failure.message, failure.trace):
        if found := _ruled(text, signature):
            return _with_reason(found, log_tail)
    found = _ruled(log_tail[-LOG_TAIL:], signature)
    return found or Diagnosis(signature, f"The code broke while {stage}: {_first_line(failure.message)}", SMALLER)


def signature_of(failure: Failure) -> str:
    """The same for the same fault in another run: kind, exception, place in the solution, message without values."""
    places = re.findall(r'File "[^"\n]*solution\.py", line \d+, in (\w+)', failure.trace)
    message = re.sub(r"'[^']*'|\"[^\"]*\"|`[^`]*`|\d+(?:\.\d+)?", "*", _first_line(failure.message))
    if option := re.search(r"unexpected keyword argument '(\w+)'", failure.message):
        message += option.group(1)  # another option is another fault
    parts = (failure.stage, failure.kind, failure.exception, places[-1] if places else "", message[:200])
    return f"{failure.kind}:{failure.exception or failure.stage}:{hashlib.sha256('|'.join(parts).encode()).hexdigest()[:12]}"


def _ruled(text: str, signature: str) -> Diagnosis | None:
    """The first rule that fits."""
    for rule in RULES:
        if found := re.search(rule.pattern, text):
            subject = next((group for group in found.groups() if group), "")
            return Diagnosis(
                signature, rule.cause.format(subject), rule.fix, rule.remedy.format(subject) if rule.remedy else None
            )
    return None


def _with_reason(found: Diagnosis, log_tail: str) -> Diagnosis:
    """When no model was left: why the models failed, as far as the log says."""
    if not found.cause.startswith("None of the models"):
        return found
    raised = re.findall(r"^\s*(?:\w+\.)*(\w*(?:Error|Exception)): ([^\n]{1,200})", log_tail[-LOG_TAIL:], re.M)
    inner = [(name, text) for name, text in raised if "trained" not in text and "fit models" not in text]
    if not inner:
        return found
    reason = _ruled(": ".join(inner[0]), found.signature)
    if reason:
        return Diagnosis(
            found.signature, f"None of the models could be trained. {reason.cause}", reason.fix, reason.remedy
        )
    return Diagnosis(found.signature, f"None of the models could be trained: {inner[0][1]}", found.fix, found.remedy)


def _first_line(text: str) -> str:
    return text.strip().splitlines()[0][:300] if text.strip() else ""
