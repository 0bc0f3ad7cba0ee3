"""Answers from a provider that searches by itself, asked for one JSON or event stream for each question."""

from __future__ import annotations

import contextlib
from abc import abstractmethod
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping

from citations import AnswerEvent, Dialect
from citations.markers import AnswerSoFar
from citations.readers import ProviderFormat

from . import AnswerSource
from .provider import Provider, ProviderClient, ProviderResponse
from .reply import EPILOGUE, ask_provider, list_uncited_sources


class SearchingSource(AnswerSource):
    """Asks a provider through ``client``, and reads its responses by ``form``, which names it above a list.

    ``name`` is that of its :class:`Provider`. ``dialect`` is that of its markers, if it writes any.
    ``epilogue`` is that of :func:`~.reply.read_reply`.
    """

    def __init__(
        self,
        name: str,
        client: ProviderClient,
        form: ProviderFormat,
        *,
        dialect: Dialect | None = None,
        epilogue: float | None = EPILOGUE,
    ) -> None:
        self.provider = Provider(name=name, patience=60.0)
        self._client = client
        self._form = form
        self._dialect = dialect
        self._epilogue = epilogue

    @property
    def title(self) -> str:
        """The provider's name."""
        return self._form.title

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def facts(self) -> dict[str, str | int]:
        """Which source it is, whether it answers, and what is asked."""
        return self.provider.facts() | self._describe()

    def answer(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        """Stream the provider's answer, and a list of what it found if it cites none of that.

        Closing the generator cancels the request. Raises a :class:`SourceError`,
        :class:`AnswerFormatError` or :class:`EventStreamError`, after the events that came before it.
        """
        return self._answer(question, AnswerSoFar(self._dialect))

    @abstractmethod
    def _describe(self) -> dict[str, str | int]:
        """What is asked, such as the name of the model."""

    @abstractmethod
    async def _request(self, question: str, stack: contextlib.AsyncExitStack) -> ProviderResponse:
        """The response to a question, once its status is known; ``stack`` closes it."""

    def _answer(
        self,
        question: str,
        so_far: AnswerSoFar,
        names: Callable[[Collection[str]], Awaitable[Mapping[str, str]]] | None = None,
    ) -> AsyncGenerator[AnswerEvent, None]:
        """The events of an answer, which ``so_far`` notes; ``names`` looks up names for the list."""
        form = self._form
        return list_uncited_sources(self._ask(question), so_far, form.title, names, searched=form.searches)

    def _ask(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        """The events of the provider's own answer."""
        return ask_provider(
            self.provider,
            lambda stack: self._request(question, stack),
            self._form,
            epilogue=self._epilogue,
        )
