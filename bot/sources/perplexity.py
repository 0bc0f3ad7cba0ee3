"""Answers from Perplexity's models, which search the web."""

from __future__ import annotations

import contextlib

from citations import Dialect
from citations.readers import FORMATS

from ..config.answer_sources import PerplexityOptions
from .open_ai import CHAT_PATH, chat_request
from .provider import ProviderClient, ProviderResponse
from .searching_source import SearchingSource


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
