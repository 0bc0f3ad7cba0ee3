"""Answers from a LlamaIndex engine of the user's own."""

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
from ..replies import list_unquotable, quoted
from .engine import LlamaIndexEngine, Told
from .failure import failure, translate_errors
from .load import make
from .passages import quote_passages
from .read_ahead import Ahead, ahead
from .reply import EngineReply

log = logger(__name__)

_GIVEN: Final = 10
"""Passages of a retriever that a model is given."""


class LlamaIndexSource:
    """Asks the engine that ``found`` is or makes; see :func:`~.load.make`.

    What a retriever finds is put into words by ``writer``, or quoted where there is none; what
    ``ranking`` labels as encrypted is only named. ``deadline``
    and ``patience`` are those of its :class:`Provider`.
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
        """Make the engine, however long that takes; where that fails, each question tries it again.

        Raises :class:`SettingsError` where it will never be an engine.
        """
        try:
            await self._engine()
        except SettingsError:
            raise
        except Exception as error:  # noqa: BLE001 - what it asks may answer later
            self.provider.note_failure(failure(error, begun=False))

    async def close(self) -> None:
        """Close the writer's connections; an engine of LlamaIndex's can't be closed."""
        if self._making:
            self._making.cancel()
        if self._writer:
            await self._writer.close()

    async def suggestions(self) -> tuple[str, ...]:
        """None: an engine doesn't say what it can be asked."""
        return ()

    async def facts(self) -> dict[str, str | int]:
        """Whether it answers, which kind of engine it is, and how the model is."""
        facts = self.provider.facts()
        if self._made:
            facts["engine"] = self._made.name
        if self._writer:
            model = self._writer.provider.facts()
            facts |= {"model": model["source"], "model answers": model["answers"]}
        return facts

    async def answer(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        """What the engine says, or what is said of the passages that it finds.

        Close the generator to hang up. Raises a :class:`SourceError` or :class:`AnswerFormatError`,
        behind what came until then.
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
        """What the engine says; of a retriever what it finds."""
        async with self.provider.exchange() as exchange, contextlib.AsyncExitStack() as stack:
            begin = functools.partial(self._begin, question, stack)
            engine, first, others = await exchange.open(lambda: translate_errors(begin()))
            reply = EngineReply(finds_first=engine.finds_first)
            for told in first:
                for event in reply.tell(told):
                    yield event
            while (following := await exchange.next(translate_errors(others.take(), begun=True))) is not None:
                for event in reply.tell(following):
                    yield event
            if not engine.retrieves:
                for event in reply.close():
                    yield event

    async def _begin(
        self, question: str, stack: contextlib.AsyncExitStack
    ) -> tuple[LlamaIndexEngine, list[Told], Ahead[Told]]:
        """What the engine tells up to its first words, for which it asks its model, and the rest."""
        engine = await self._engine()
        telling = await stack.enter_async_context(ahead(engine.ask(question)))
        first: list[Told] = []
        while (told := await telling.take()) is not None:
            first.append(told)
            if isinstance(told, str) and told:
                break
        return engine, first, telling

    async def _engine(self) -> LlamaIndexEngine:
        """The engine, made once for all questions; where that failed, it is tried again."""
        if self._making is None or (self._making.done() and self._making.exception()):
            self._making = asyncio.create_task(self._make())
        # Who asks may go; what others wait for goes on.
        self._made = await asyncio.shield(self._making)
        return self._made

    async def _write(
        self, question: str, references: tuple[Reference, ...]
    ) -> AsyncGenerator[AnswerEvent, None]:
        """What the model writes over the passages, or their sentences if it writes nothing."""
        if not references:
            yield quoted()
            yield TextDelta(say(Sentence.NOTHING_FOUND))
            return
        notice, begun = "", False
        if self._writer:
            try:
                writing = generate(self._writer, question, references[:_GIVEN])
                async with contextlib.aclosing(writing) as events:
                    async for event in events:
                        begun = True
                        yield event
            except SourceError as error:
                if begun:
                    raise
                log.warning("the model did not answer", reason=str(error))
                notice = say(Sentence.MODEL_FAILED) + "\n\n"
        if not begun:
            yield quoted()
            yield ReferencesFound(references, complete=True)
            yield TextDelta(notice + quote_passages(question, references))
