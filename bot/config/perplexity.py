"""What the environment says about Perplexity: the key, the model, and where it is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from .env import web_url

BASE_URL: Final = "https://api.perplexity.ai"
MODEL: Final = "sonar"


@dataclass(frozen=True, slots=True, kw_only=True)
class PerplexityOptions:
    """Which model of Perplexity's is asked, with which key."""

    api_key: str = field(repr=False)
    model: str = MODEL
    base_url: str = BASE_URL


def read_options(given: Mapping[str, str], faults: list[str]) -> PerplexityOptions:
    """Read the ``PERPLEXITY_`` variables of ``given``; what is wrong with them is added to ``faults``."""
    if "PERPLEXITY_API_KEY" not in given:
        faults.append("ANSWER_SOURCE=perplexity needs PERPLEXITY_API_KEY")
    return PerplexityOptions(
        api_key=given.get("PERPLEXITY_API_KEY", ""),
        model=given.get("PERPLEXITY_MODEL", MODEL),
        base_url=web_url("PERPLEXITY_BASE_URL", given, faults, example=BASE_URL) or BASE_URL,
    )
