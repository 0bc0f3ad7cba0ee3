"""Answers from a model that searches by itself, asked for one JSON or event stream for each question."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Mapping
from typing import Any

from citations import AnswerEvent, Dialect
from citations.markers import AnswerSoFar
from citations.readers import ProviderFormat

from .provider import Provider, ProviderClient
from .reply import EPILOGUE, list_uncited_sources, read_reply


class SearchingSource:
    """Asks ``model`` at ``path`` through ``client``, and reads its responses by ``form``.

    ``title`` names it above a list of sources. ``dialect`` is that of its markers, if it writes any.
    """

    def __init__(  # noqa: PLR0913 - each is a part of its own
        self,
        provider: Provider,
        client: ProviderClient,
        form: ProviderFormat,
        *,
        title: str,
        model: str,
        path: str,
        dialect: Dialect | None = None,
    ) -> None:
        self.provider = provider
        self.title = title
        self._client = client
        self._form = form
        self._model = model
        self._path = path
        self._dialect = dialect

    async def open(self) -> None:
        """Send no request, because each request costs money."""

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def suggestions(self) -> tuple[str, ...]:
        """No suggestions: what the model will find is not known."""
        return ()

    async def facts(self) -> dict[str, str | int]:
        """Which source it is, whether it answers, and which model is asked."""
        return self.provider.facts() | {"model": self._model}

    async def answer(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        """Stream the model's answer, and a list of what it found if it cites none of that.

        Closing the generator cancels the request. Raises a :class:`SourceError`,
        :class:`AnswerFormatError` or :class:`EventStreamError`, after the events that came before it.
        """
        answer = list_uncited_sources(self._ask(question), AnswerSoFar(self._dialect), self.title)
        async with contextlib.aclosing(answer) as events:
            async for event in events:
                yield event

    def _body(self, question: str) -> Mapping[str, Any]:
        """The request for an answer to a question: a chat completion."""
        messages = [{"role": "user", "content": question}]
        return {"model": self._model, "messages": messages, "stream": True}

    async def _ask(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        body = self._body(question)
        async with self.provider.exchange() as exchange:
            response = await exchange.open(lambda: self._client.request("POST", self._path, body))
            answer = read_reply(response, exchange, self._form.read, self._form.stream, epilogue=EPILOGUE)
            with contextlib.closing(response):
                async with contextlib.aclosing(answer) as events:
                    async for event in events:
                        yield event
