"""Answers from a LlamaIndex engine of any kind."""

from __future__ import annotations

import asyncio
import contextlib
import functools
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import replace
from typing import Final, Generic, TypeVar

from citations import (
    AnswerEvent,
    AnswerKind,
    Dialect,
    LabelRanking,
    ReferencesFound,
)
from citations.markers import AnswerSoFar
from citations.model import KindKnown

from ...languages import Sentence, say, wording
from ...resilience.steps import run_step, weigh
from .. import EarlierTurn, SelectiveSource
from ..errors import CutLater
from ..folder.result_events import reply_to_smalltalk
from ..found_passages import answer_from
from ..model_writer import ModelWriter
from ..permission import NotForAsker, Permission, describe_for_policy, hold_back, require_visible
from ..provider import Provider
from ..question_completion import CompleteQuestion, QuestionCompleter
from ..reply import TrimmedEvents
from ..sentences import Notice, explain_search
from .engine import EngineItem, LlamaIndexEngine, Node
from .failure import translate_errors
from .reply import EngineReply, describe_node

_T = TypeVar("_T")
_FAREWELL: Final = 5.0
"""Seconds that an engine has to end after it is cancelled. The bot does not wait longer."""


class Ahead(Generic[_T]):
    """The items that the engine gave and that were not taken yet."""

    def __init__(self) -> None:
        self._come: asyncio.Queue[_T | Exception | None] = asyncio.Queue()

    async def take(self) -> _T | None:
        """The next item; None at the end. Raises what the engine raised, after all items before that."""
        come = await self._come.get()
        if come is None:
            self._come.put_nowait(None)
        if isinstance(come, Exception):
            raise come
        return come

    async def read(self, items: AsyncGenerator[_T, None]) -> None:
        """Read all of ``items``."""
        try:
            async with contextlib.aclosing(items):
                async for item in items:
                    self._come.put_nowait(item)
        except Exception as error:  # noqa: BLE001 - `take` raises it
            self._come.put_nowait(error)
        else:
            self._come.put_nowait(None)


@contextlib.asynccontextmanager
async def ahead(items: AsyncGenerator[_T, None]) -> AsyncIterator[Ahead[_T]]:
    """Read ``items`` while this block runs.

    LlamaIndex nests generators. Closing the outermost between two items leaves the inner ones to the
    garbage collector, and their connection open. Cancelling a task that waits for the next item closes
    them all.
    """
    reader = Ahead[_T]()
    task = asyncio.create_task(reader.read(items))
    try:
        yield reader
    finally:
        task.cancel()
        await asyncio.wait({task}, timeout=_FAREWELL)


class EngineSource(SelectiveSource):
    """Asks ``engine``, with the timeouts of ``provider``.

    ``writer`` writes the answer from what a retriever finds; without it, passages are quoted. What
    ``ranking`` labels as encrypted is only named.
    """

    title: Final = "LlamaIndex"

    def __init__(
        self,
        engine: LlamaIndexEngine,
        provider: Provider,
        *,
        writer: ModelWriter | None = None,
        ranking: LabelRanking | None = None,
    ) -> None:
        self._engine = engine
        self._provider = provider
        self._writer = writer
        self._ranking = ranking
        self._completer = QuestionCompleter(writer)

    async def facts_for(self, permission: Permission) -> dict[str, str | int]:  # noqa: ARG002
        """Whether the engine answers, its class, and whether the model answers."""
        facts = self._provider.facts() | {"engine": self._engine.name}
        return facts | self._writer.facts() if self._writer else facts

    async def answer_for(
        self, question: str, permission: Permission, earlier: tuple[EarlierTurn, ...] = ()
    ) -> AsyncGenerator[AnswerEvent, None]:
        """Answer from the passages that ``permission`` lets a person see, after the person's earlier turns.

        An answer to a question that an earlier one completes says how it was understood. If the engine
        can't do without the other passages, its answer is held back until it is whole. Closing the
        generator cancels the request. Raises a :class:`SourceError` or :class:`AnswerFormatError`, after
        the events that came before it, and :class:`NotForAsker` before any.
        """
        # A query engine and a workflow have words of their own for it.
        if self._engine.retrieves and (smalltalk := reply_to_smalltalk(question)):
            for event in smalltalk:
                yield event
            return
        # Earlier answers are no help here: the bot doesn't know the labels that their sources have now.
        complete = await self._completer.complete(question, earlier, lambda _: False)
        answer = self._answer(complete, permission)
        if permission.is_limited and not self._engine.filters:
            answer = hold_back(answer)
        notice = Notice(explain_search(question, complete.text))
        async with contextlib.aclosing(answer) as events:
            async for event in events:
                yield notice.put_above(event)

    async def _answer(
        self, question: CompleteQuestion, permission: Permission
    ) -> AsyncGenerator[AnswerEvent, None]:
        """Stream the engine's answer, or an answer from the passages that a retriever finds."""
        so_far = AnswerSoFar(Dialect.NUMBERED)
        with CutLater() as cut:
            async with contextlib.aclosing(self._ask(question.text, permission)) as events:
                async for event in events:
                    so_far.note(event)
                    if not self._engine.retrieves:
                        yield event
        if self._engine.retrieves:
            answer = answer_from(question, so_far.references, self._writer, self._ranking)
            async with contextlib.aclosing(answer) as events:
                async for event in events:
                    yield event
        elif sources := await run_step(so_far.uncited_sources, weigh(so_far.text, so_far.references)):
            # No reader can check an answer that cites nothing.
            yield KindKnown(AnswerKind.UNSURE)
            for event in so_far.list_events(say(Sentence.THE_ENGINE), sources, wording=wording()):
                yield event
        cut.raise_if_cut()

    async def _ask(self, question: str, permission: Permission) -> AsyncGenerator[AnswerEvent, None]:
        """The events of the engine's answer; of a retriever, only those of the references."""
        async with self._provider.exchange() as exchange:
            begin = functools.partial(self._begin, question, permission, exchange.stack)
            first, others = await exchange.open(lambda: translate_errors(begin()))
            reply = EngineReply(finds_first=self._engine.finds_first, fields=permission.metadata or {})
            trimmed = TrimmedEvents()
            for item in first:
                for event in trimmed.feed(reply.feed(item)):
                    yield self._check(event, permission)
            while (following := await exchange.next(translate_errors(others.take(), begun=True))) is not None:
                for event in trimmed.feed(reply.feed(following)):
                    yield self._check(event, permission)
            if not self._engine.retrieves:
                for event in trimmed.feed(reply.close()):
                    yield event
            if permission.is_limited and not (self._engine.filters or reply.has_sources or reply.is_empty):
                raise NotForAsker("the engine does not say what it answered from")
            if not self._engine.retrieves:
                for event in trimmed.close():
                    yield event

    def _check(self, event: AnswerEvent, permission: Permission) -> AnswerEvent:
        """The event, with what may be extracted. Raises :class:`NotForAsker` for a source of others."""
        if not isinstance(event, ReferencesFound):
            return event
        described = [describe_for_policy(one, self._ranking) for one in event.references]
        require_visible(described, permission)
        extracts = [self._ranking is not None and permission.may_extract(one) for one in described]
        references = tuple(
            replace(one, extract=extract) for one, extract in zip(event.references, extracts, strict=True)
        )
        return replace(event, references=references)

    async def _begin(
        self, question: str, permission: Permission, stack: contextlib.AsyncExitStack
    ) -> tuple[list[EngineItem], Ahead[EngineItem]]:
        """The engine's items up to the first text, and the reader of the others.

        An engine asks its model before the first text, so an error of the model can still be retried.
        """
        fields = permission.metadata or {}

        def allows(node: Node) -> bool:
            return permission.may_see(describe_for_policy(describe_node(node, fields), self._ranking))

        asked = self._engine.ask(question, allows if permission.is_limited else None)
        items = await stack.enter_async_context(ahead(asked))
        first: list[EngineItem] = []
        while (item := await items.take()) is not None:
            first.append(item)
            if isinstance(item, str) and item:
                break
        return first, items
