"""The settings of the language model that writes answers: the ``OPENAI_`` or ``ANTHROPIC_`` variables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from .env import read_url

OPENAI: Final = "https://api.openai.com/v1"
BASE_URLS: Final[Mapping[str, str]] = {"openai": OPENAI, "anthropic": "https://api.anthropic.com"}
"""Where the APIs are that a model may have. The names of their variables begin with these names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageModel:
    """A model that writes the answers. Without one, answers are extracts."""

    model: str
    base_url: str = OPENAI
    api_key: str = field(default="", repr=False)
    api: str = "openai"
    """A key of :data:`BASE_URLS`."""


def read_language_model(given: Mapping[str, str], faults: list[str]) -> LanguageModel | None:
    """Read the variables of the model that writes answers, and add their faults to ``faults``.

    ``OPENAI_MODEL`` goes before ``ANTHROPIC_MODEL``, which is often set for other tools.
    """
    return read_model_of("openai", given, faults) or read_model_of("anthropic", given, faults)


def read_model_of(api: str, given: Mapping[str, str], faults: list[str]) -> LanguageModel | None:
    """Read the variables of one API, and add their faults to ``faults``; None if they name no model.

    A key is often set for other tools. Alone, it must not send questions to its provider.
    """
    prefix = api.upper()
    model, key = given.get(f"{prefix}_MODEL", ""), given.get(f"{prefix}_API_KEY", "")
    if not model:
        if api == "openai" and "OPENAI_BASE_URL" in given and "OPENAI_EMBEDDING_MODEL" not in given:
            faults.append("OPENAI_BASE_URL is set, but OPENAI_MODEL is not: name the model that answers")
        return None
    if f"{prefix}_BASE_URL" not in given and not key:
        faults.append(
            f"{prefix}_MODEL needs {prefix}_API_KEY, or {prefix}_BASE_URL for a server without keys"
        )
    base_url = read_url(f"{prefix}_BASE_URL", given, faults, example=BASE_URLS[api]) or BASE_URLS[api]
    if api == "anthropic":
        # Its library adds "/v1" itself.
        base_url = base_url.removesuffix("/v1")
    return LanguageModel(model=model, base_url=base_url, api_key=key, api=api)


def describe_variables(api: str, model: str) -> dict[str, str]:
    """The fields of the sentences that say what is wrong with a model, and which variable to look at."""
    return {"model": model, "api": api, "prefix": api.upper(), "example": BASE_URLS[api]}


def explain_unused(given: Mapping[str, str]) -> str | None:
    """Return why a variable of a model has no effect, in one sentence; None where each has its effect."""
    named = {name for name, value in given.items() if value.strip()}
    if "OPENAI_MODEL" in named:
        unused = "ANTHROPIC_MODEL" in named
        return "ANTHROPIC_MODEL is not used, because OPENAI_MODEL is set, too" if unused else None
    if "ANTHROPIC_MODEL" in named:
        return None
    for prefix in ("OPENAI", "ANTHROPIC"):
        if f"{prefix}_API_KEY" in named:
            missing = f"{prefix}_MODEL"
            return f"{prefix}_API_KEY is set, but {missing} is not: answers are quotes until it names a model"
    return None
