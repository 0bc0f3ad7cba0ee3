"""Answers from Perplexity's models, which search the web: the settings and the source."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from typing import Final

from citations import AnswerEvent, Dialect
from citations.markers import AnswerSoFar
from citations.readers import PerplexityStream, read_perplexity

from ..config.env import read_url
from .provider import Provider, ProviderClient, explain_unknown_model
from .reply import EPILOGUE, list_uncited_sources, read_reply

_PATH: Final = "/chat/completions"
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


class PerplexitySource:
    """Asks the model of ``options``.

    ``deadline`` and ``patience`` are the timeouts of its :class:`Provider`, in seconds.
    """

    title: Final = "Perplexity"

    def __init__(
        self, options: PerplexityOptions, *, deadline: float = 180.0, patience: float = 60.0
    ) -> None:
        self.provider = Provider(name="perplexity", deadline=deadline, patience=patience)
        self._model = options.model
        self._client = ProviderClient(
            options.base_url, options.api_key, explain=explain_unknown_model('"invalid_model"')
        )

    async def open(self) -> None:
        """Send no request, because each request to Perplexity costs money."""

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def suggestions(self) -> tuple[str, ...]:
        """No suggestions, because the web answers questions about anything."""
        return ()

    async def facts(self) -> dict[str, str | int]:
        """Which source it is, whether it answers, and which model is asked."""
        return self.provider.facts() | {"model": self._model}

    async def answer(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        """Stream the model's answer, and a list of the pages that it found if it cites none.

        Closing the generator cancels the request. Raises a :class:`SourceError`,
        :class:`AnswerFormatError` or :class:`EventStreamError`, after the events that came before it.
        """
        so_far = AnswerSoFar(Dialect.NUMBERED)
        answer = list_uncited_sources(self._ask(question), so_far, "Perplexity")
        async with contextlib.aclosing(answer) as events:
            async for event in events:
                yield event

    async def _ask(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        messages = [{"role": "user", "content": question}]
        body = {"model": self._model, "messages": messages, "stream": True}
        async with self.provider.exchange() as exchange:
            response = await exchange.open(lambda: self._client.request("POST", _PATH, body))
            answer = read_reply(response, exchange, read_perplexity, PerplexityStream, epilogue=EPILOGUE)
            with contextlib.closing(response):
                async with contextlib.aclosing(answer) as events:
                    async for event in events:
                        yield event
