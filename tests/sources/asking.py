"""How tests ask a source, and what they see of its answer."""

from __future__ import annotations

import asyncio

from bot.languages import say
from bot.sources import AnswerSource
from bot.sources.errors import SourceError
from bot.sources.permission import EVERYTHING, Permission
from citations import (
    AnswerFormatError,
    EventStreamError,
    LabelRanking,
    Rendering,
    RenderingStream,
    TextDelta,
    channel,
)

from .faults import SOON


async def ask(
    source: AnswerSource,
    question: str = "What?",
    channel_id: str = "webchat",
    permission: Permission = EVERYTHING,
) -> Rendering:
    """The answer as a channel gets it."""
    stream = RenderingStream(channel(channel_id))
    async with asyncio.timeout(SOON):
        async for event in source.answer_for(question, permission):
            stream.feed(event)
    return stream.close()


async def ask_once(source: AnswerSource, question: str = "What?", channel_id: str = "webchat") -> Rendering:
    """The same of a source that is closed then."""
    try:
        return await ask(source, question, channel_id)
    finally:
        await source.close()


async def ask_until_cut(
    source: AnswerSource, question: str = "What?", ranking: LabelRanking | None = None
) -> tuple[str, type[SourceError] | None]:
    """What Web Chat gets of an answer that breaks off, and why it does."""
    stream = RenderingStream(channel("webchat"), ranking=ranking)
    try:
        async with asyncio.timeout(SOON):
            async for event in source.answer(question):
                stream.feed(event)
    except SourceError as error:
        return stream.interrupt(say(error.suffix)).text, type(error)
    finally:
        await source.close()
    return stream.close().text, None


async def collect_text(source: AnswerSource, question: str = "What?") -> tuple[str, Exception | None]:
    """The text of an answer, and how it failed if it did."""
    said: list[str] = []
    try:
        async with asyncio.timeout(SOON):
            async for event in source.answer(question):
                if isinstance(event, TextDelta):
                    said.append(event.text)  # noqa: PERF401 - a comprehension would lose them
    except (SourceError, AnswerFormatError, EventStreamError) as error:
        return "".join(said), error
    return "".join(said), None
