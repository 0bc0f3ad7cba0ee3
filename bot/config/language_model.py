"""The settings of the language model that writes answers: the ``OPENAI_`` variables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from .env import read_url

OPENAI: Final = "https://api.openai.com/v1"


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageModel:
    """An OpenAI-compatible model that writes the answers. Without one, answers are extracts."""

    model: str
    base_url: str = OPENAI
    api_key: str = field(default="", repr=False)


def read_language_model(given: Mapping[str, str], faults: list[str]) -> LanguageModel | None:
    """Read the ``OPENAI_`` variables of ``given``, and add their faults to ``faults``.

    ``OPENAI_API_KEY`` is often set for other tools. Alone, it must not send questions to OpenAI.
    """
    model, key = given.get("OPENAI_MODEL", ""), given.get("OPENAI_API_KEY", "")
    if not model:
        if "OPENAI_BASE_URL" in given and "OPENAI_EMBEDDING_MODEL" not in given:
            faults.append("OPENAI_BASE_URL is set, but OPENAI_MODEL is not: name the model that answers")
        return None
    if "OPENAI_BASE_URL" not in given and not key:
        faults.append("OPENAI_MODEL needs OPENAI_API_KEY, or OPENAI_BASE_URL for a server without keys")
    base_url = read_url("OPENAI_BASE_URL", given, faults, example=OPENAI)
    return LanguageModel(model=model, base_url=base_url or OPENAI, api_key=key)


def explain_unused_key(given: Mapping[str, str]) -> str | None:
    """Return what is missing where only ``OPENAI_API_KEY`` is set; None where the settings are complete."""
    if not given.get("OPENAI_API_KEY", "").strip() or given.get("OPENAI_MODEL", "").strip():
        return None
    return "OPENAI_API_KEY is set, but OPENAI_MODEL is not: answers are quotes until it names a model"
