"""Answers from Perplexity's models, which search the web: the settings and the source."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from citations import Dialect
from citations.readers import FORMATS

from ..config.env import read_url
from .open_ai import CHAT_PATH, chat_request
from .provider import ProviderClient, ProviderResponse
from .searching_source import SearchingSource

BASE_URL: Final = "https://api.perplexity.ai"
MODEL: Final = "sonar"


@dataclass(frozen=True, slots=True, kw_only=True)
class PerplexityOptions:
    """The settings of the source: the API key, the model and the base URL."""

    api_key: str = field(repr=False)
    model: str = MODEL
    base_url: str = BASE_URL


def read_options(given: Mapping[str, str], faults: list[str]) -> PerplexityOptions:
    """Read the ``PERPLEXITY_`` variables of ``given``, and append a line to ``faults`` for each error."""
    if "PERPLEXITY_API_KEY" not in given:
        faults.append("ANSWER_SOURCE=perplexity needs PERPLEXITY_API_KEY")
    return PerplexityOptions(
        api_key=given.get("PERPLEXITY_API_KEY", ""),
        model=given.get("PERPLEXITY_MODEL", MODEL),
        base_url=read_url("PERPLEXITY_BASE_URL", given, faults, example=BASE_URL) or BASE_URL,
    )


class PerplexitySource(SearchingSource):
    """Asks the model of ``options``."""

    _client: ProviderClient

    def __init__(self, options: PerplexityOptions) -> None:
        client = ProviderClient(options.base_url, options.api_key)
        super().__init__("perplexity", client, FORMATS["perplexity"], dialect=Dialect.NUMBERED)
        self._model = options.model

    def _describe(self) -> dict[str, str | int]:
        return {"model": self._model}

    async def _request(self, question: str, stack: contextlib.AsyncExitStack) -> ProviderResponse:
        return await self._client.request("POST", CHAT_PATH, stack, chat_request(self._model, question))
