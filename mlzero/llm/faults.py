"""What goes wrong with a model, in plain words."""

from __future__ import annotations

from mlzero.errors import MLZeroError
from mlzero.llm.connection import PROVIDERS, Connection

FAMILIES = {  # names of error classes
    "long": {"ModelContextWindowExceededError"},
    "auth": {"ModelAuthenticationError", "AuthenticationError", "PermissionDeniedError", "NoCredentialsError",
             "PartialCredentialsError", "TokenRetrievalError", "SSOTokenLoadError", "UnauthorizedSSOTokenError"},
    "missing": {"ModelNotFoundError", "NotFoundError"},
    "quota": {"ModelQuotaExceededError"},
    "throttled": {"ModelRateLimitError", "RateLimitError"},
    "busy": {"ModelUnavailableError", "ModelServerError", "InternalServerError"},
    "slow": {"ModelTimeoutError", "ModelRequestTimeout", "APITimeoutError", "ReadTimeoutError", "ConnectTimeoutError", "TimeoutError"},
    "unreachable": {"ModelConnectionError", "APIConnectionError", "EndpointConnectionError", "ConnectionClosedError", "ConnectionError"},
}  # fmt: skip
STATUS = {401: "auth", 403: "auth", 404: "missing", 408: "slow", 429: "throttled", 413: "long"}


class ModelFailed(MLZeroError):
    """A model gave no usable answer; the work goes on without it.

    Parameters
    ----------
    cause, fix
        One sentence each.
    lasting
        Whether asking again is pointless: the key, the name of the model, the caps of the run.
    """

    def __init__(self, cause: str, fix: str = "", *, lasting: bool = False) -> None:
        self.cause, self.fix, self.lasting = cause, fix, lasting
        super().__init__(f"{cause} {fix}".strip())


def explain(error: BaseException, connection: Connection) -> tuple[str, str]:
    """Cause and what to do, from any error of a client library."""
    who = PROVIDERS[connection.provider] if connection.provider != "openai" else connection.address or "OpenAI"
    kind, text = _kind(error), str(error)
    code = getattr(error, "status_code", None) or _aws_status(error)
    shown = f" ({code})" if code else ""
    sentences = {
        "auth": (f"{who} refused the credentials{shown}.", f"Check the key, and that it may use the model {connection.model}."),
        "missing": (f"{who} has no model called {connection.model}{shown}.", "Choose one from the list of models in Settings."),
        "throttled": (f"{who} asks to slow down{shown}.", "Wait a while, or use another model or account."),
        "quota": (f"The account at {who} has no quota or credit left{shown}.", "Look at the billing page of the provider."),
        "long": (f"The question was too long for {connection.model}.", "Use a model with a larger context."),
        "busy": (f"{who} has trouble of its own{shown}.", "Try again later."),
        "slow": (f"{who} did not answer within {connection.timeout:.0f} seconds.", "Allow more time, or use a faster model."),
        "unreachable": (f"{who} cannot be reached{_at(connection)}.", "Check the address, and that the server runs."),
        "refused": (f"{who} did not accept the question{shown}: {_first(text)}", "Check that the model can hold a conversation."),
    }  # fmt: skip
    if kind is None:
        return (
            f"{who} did not answer properly: {_first(text) or type(error).__name__}",
            "Check the settings of the language model.",
        )
    return sentences[kind]


def repeatable(error: BaseException) -> bool:
    """Whether the same question may be answered a moment later."""
    return _kind(error) in ("throttled", "busy", "unreachable")


def lasting(error: BaseException) -> bool:
    """Whether no question at all will be answered."""
    return _kind(error) in ("auth", "missing", "quota")


def _kind(error: BaseException) -> str | None:
    """The family of an error, by the names of its classes: three client libraries and pydantic-ai over them."""
    names = [cls.__name__ for cls in type(error).__mro__]
    for kind, known in FAMILIES.items():
        if any(name in known for name in names):
            return kind
    status = getattr(error, "status_code", None) or _aws_status(error)
    if isinstance(status, int):
        return STATUS.get(status) or ("busy" if status >= 500 else "refused")
    return None


def _aws_status(error: BaseException) -> int | None:
    response = getattr(error, "response", None)
    status = response.get("ResponseMetadata", {}).get("HTTPStatusCode") if isinstance(response, dict) else None
    return status if isinstance(status, int) else None


def _at(connection: Connection) -> str:
    return f" at {connection.address}" if connection.address and connection.provider != "openai" else ""


def _first(text: str) -> str:
    return " ".join(text.split())[:200]
