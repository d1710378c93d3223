"""Language models behind one seam: choose one (`resolve`), ask it (`model.LanguageModel`), keep its key (`connection`)."""

from __future__ import annotations

import os

from mlzero.errors import UserError
from mlzero.llm.connection import PROVIDERS, Connection, key_of, saved

VARIABLE = "MLZERO_LLM"  # what `auto` means on this machine where nobody chose in Settings: none or PROVIDER:MODEL
CREDENTIALS = {
    "openai": "Enter a key in Settings, or set OPENAI_API_KEY; a local server needs only OPENAI_BASE_URL.",
    "anthropic": "Enter a key in Settings, or set ANTHROPIC_API_KEY.",
}


def resolve(choice: str, owner: str = "") -> Connection | None:
    """The connection a run uses; None: the recipes work alone.

    Parameters
    ----------
    choice
        `auto` (what the owner chose in Settings, else `$MLZERO_LLM`, else none), `none` or `PROVIDER:MODEL`.
    owner
        Whose settings and keys count.

    Raises
    ------
    UserError
        When a model is asked for that cannot be used: unknown provider, no model named, no key.
    """
    if choice == "none":
        return None
    if choice == "auto":
        found = saved(owner)
        default = os.environ.get(VARIABLE, "none")
        if found is not None or default in ("none", "auto", ""):
            return found
        choice = default
    provider, _, model = choice.partition(":")
    if provider not in PROVIDERS or not model:
        raise UserError(
            f"The language model {choice} cannot be used: it is not written as PROVIDER:MODEL.",
            f"Providers are {', '.join(PROVIDERS)}; or use --llm none.",
        )
    mine = saved(owner)
    chosen = mine if mine is not None and mine.provider == provider else Connection(provider=provider)  # type: ignore[arg-type]
    chosen = chosen.model_copy(update={"model": model})
    if provider in CREDENTIALS and not key_of(chosen, owner) and not (provider == "openai" and chosen.address):
        raise UserError(f"The language model {choice} cannot be used: there is no key for it.", CREDENTIALS[provider])
    return chosen
