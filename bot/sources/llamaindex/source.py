"""Answers from a LlamaIndex engine that the user wrote."""

from __future__ import annotations

import asyncio
import contextlib
import functools
from collections.abc import AsyncGenerator
from typing import Final

from citations import (
    AnswerEvent,
    Dialect,
    LabelRanking,
    Reference,
    ReferencesFound,
    TextDelta,
)
from citations.markers import AnswerSoFar

from ...config.env import SettingsError
from ...config.llamaindex import LlamaIndexOptions
from ...messages import Sentence, say, wording
from ...telemetry.log import logger
from ..errors import CutLater, SourceError
from ..extract import split_by_extract_right
from ..folder.generation import generate
from ..open_ai import OpenAIWriter
from ..provider import Provider
from ..replies import list_unquotable, quoted, show_nearest
from .engine import EngineItem, LlamaIndexEngine
from .failure import failure, translate_errors
from .load import make
from .passages import pair_nearest, quote_passages
from .read_ahead import Ahead, ahead
from .reply import EngineReply

log = logger(__name__)

_GIVEN: Final = 10
"""The number of a retriever's passages that a model gets."""


class LlamaIndexSource:
    """Asks the engine that ``found`` is or makes; see :func:`~.load.make`.

    ``writer`` writes the answer from what a retriever finds; without it, passages are quoted. What
    ``ranking`` labels as encrypted is only named. ``deadline`` and ``patience`` are the timeouts of its
    :class:`Provider`, in seconds.
    """

    title: Final = "LlamaIndex"

    def __init__(  # noqa: PLR0913 - each is a setting of its own
        self,
        found: object,
        options: LlamaIndexOptions,
        *,
        writer: OpenAIWriter | None = None,
        ranking: LabelRanking | None = None,
        deadline: float = 180.0,
        patience: float = 60.0,
    ) -> None:
        self.provider = Provider(name="llamaindex", deadline=deadline, patience=patience)
        self._make = functools.partial(make, found, options)
        self._making: asyncio.Task[LlamaIndexEngine] | None = None
        self._made: LlamaIndexEngine | None = None
        self._writer = writer
        self._ranking = ranking

    async def open(self) -> None:
        """Make the engine, however long that takes. If it fails, each question retries it.

        Raises :class:`SettingsError` if a retry can't give an engine either.
        """
        try:
            await self._engine()
        except SettingsError:
            raise
        except Exception as error:  # noqa: BLE001 - each question retries it
            self.provider.note_failure(failure(error, begun=False))

    async def close(self) -> None:
        """Close the writer's connections. An engine of LlamaIndex has no method to close it."""
        if self._making:
            self._making.cancel()
        if self._writer:
            await self._writer.close()

    async def suggestions(self) -> tuple[str, ...]:
        """No suggestions, because an engine doesn't list what it can answer."""
        return ()

    async def facts(self) -> dict[str, str | int]:
        """Whether the engine answers, its class, and whether the model answers."""
        facts = self.provider.facts()
        if self._made:
            facts["engine"] = self._made.name
        return facts | self._writer.facts() if self._writer else facts

    async def try_model(self) -> None:
        """Try whether the writer's model answers, if there is one; its facts and the log say so."""
        if self._writer:
            await self._writer.try_once()

    async def answer(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        """Stream the engine's answer, or an answer from the passages that a retriever finds.

        Closing the generator cancels the request. Raises a :class:`SourceError` or
        :class:`AnswerFormatError`, after the events that came before it.
        """
        so_far = AnswerSoFar(Dialect.NUMBERED)
        with CutLater() as cut:
            async with contextlib.aclosing(self._ask(question)) as events:
                async for event in events:
                    so_far.note(event)
                    if not self._retrieves:
                        yield event
        if self._retrieves:
            readable, sealed = split_by_extract_right(so_far.references, self._ranking)
            if readable or not sealed:
                async with contextlib.aclosing(self._write(question, readable)) as events:
                    async for event in events:
                        yield event
            if sealed:
                yield ReferencesFound(sealed, complete=True)
                yield TextDelta("\n\n" * bool(readable) + list_unquotable(sealed, after=bool(readable)))
        elif sources := so_far.uncited_sources():
            yield TextDelta(so_far.list_sources(say(Sentence.THE_ENGINE), sources, wording=wording()))
        cut.raise_if_cut()

    @property
    def _retrieves(self) -> bool:
        return self._made is not None and self._made.retrieves

    async def _ask(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        """The events of the engine's answer; of a retriever, only those of the references."""
        async with self.provider.exchange() as exchange, contextlib.AsyncExitStack() as stack:
            begin = functools.partial(self._begin, question, stack)
            engine, first, others = await exchange.open(lambda: translate_errors(begin()))
            reply = EngineReply(finds_first=engine.finds_first)
            for item in first:
                for event in reply.feed(item):
                    yield event
            while (following := await exchange.next(translate_errors(others.take(), begun=True))) is not None:
                for event in reply.feed(following):
                    yield event
            if not engine.retrieves:
                for event in reply.close():
                    yield event

    async def _begin(
        self, question: str, stack: contextlib.AsyncExitStack
    ) -> tuple[LlamaIndexEngine, list[EngineItem], Ahead[EngineItem]]:
        """The engine, its items up to the first text, and the reader of the others.

        An engine asks its model before the first text, so an error of the model can still be retried.
        """
        engine = await self._engine()
        items = await stack.enter_async_context(ahead(engine.ask(question)))
        first: list[EngineItem] = []
        while (item := await items.take()) is not None:
            first.append(item)
            if isinstance(item, str) and item:
                break
        return engine, first, items

    async def _engine(self) -> LlamaIndexEngine:
        """The engine, which is made once for all questions. If that failed, it is retried here."""
        if self._making is None or (self._making.done() and self._making.exception()):
            self._making = asyncio.create_task(self._make())
        # A cancelled question must not cancel the task, because other questions wait for it.
        self._made = await asyncio.shield(self._making)
        return self._made

    async def _write(
        self, question: str, references: tuple[Reference, ...]
    ) -> AsyncGenerator[AnswerEvent, None]:
        """What the model writes from the passages, or quoted sentences if it writes nothing."""
        if not references:
            yield quoted()
            yield TextDelta(say(Sentence.NOTHING_FOUND))
            return
        notice, started = "", False
        if self._writer:
            try:
                writing = generate(
                    self._writer,
                    question,
                    references[:_GIVEN],
                    lambda: show_nearest(pair_nearest(question, references)),
                )
                async with contextlib.aclosing(writing) as events:
                    async for event in events:
                        started = True
                        yield event
            except SourceError as error:
                if started:
                    raise
                log.warning("the model did not answer", reason=str(error))
                notice = say(Sentence.MODEL_FAILED) + "\n\n"
        if not started:
            yield quoted()
            yield ReferencesFound(references, complete=True)
            yield TextDelta(notice + quote_passages(question, references))
