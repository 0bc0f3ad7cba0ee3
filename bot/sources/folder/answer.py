"""Answers from what a search has found: in the words of a model, or by the passages themselves."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Final

from citations import AnswerEvent, AnswerKind, Dialect, Reference
from citations.markers import AnswerSoFar

from ...languages import Sentence, say
from ...retrieval import Found
from ..model_writer import ModelWriter
from ..step import report_reading, report_waiting
from .generation import Generation
from .result_events import compose_reply, name_unquotable

_WAIT: Final = 8.0
"""Seconds without a word of the model after which a person is told that it is waited for."""


async def answer_found(  # noqa: PLR0913 - the last two are optional, given by name
    question: str,
    found: Found,
    writer: ModelWriter | None,
    given: tuple[Reference, ...],
    suggest: Callable[[], Awaitable[tuple[str, ...]]] | None = None,
    *,
    tells_owner: bool = False,
) -> AsyncGenerator[AnswerEvent, None]:
    """Answer a question from what was ``found``.

    A ``writer`` gets the references ``given``, of which the first are those that would be shown. Where it
    writes nothing, or there is none, the passages are shown. ``suggest`` returns questions to ask where the
    documents say nothing. ``tells_owner`` says that the person runs the bot, and is told why a model fails.
    Closing the generator ends the request to the model. Raises :class:`SourceError`
    where the model fails in the middle of its answer.
    """
    notice = ""
    if writer and given:
        report_reading(len(given))
        so_far, has_begun = AnswerSoFar(Dialect.NUMBERED), False
        writing = Generation(writer, given, found, so_far)
        slow = asyncio.get_running_loop().call_later(_WAIT, report_waiting)
        try:
            async with contextlib.aclosing(writing.answer(question)) as events:
                async for event in events:
                    has_begun = True
                    slow.cancel()
                    yield event
        finally:
            slow.cancel()
        if has_begun:
            for other in name_unquotable(found, len(given), so_far):
                yield other
            return
        answers = found.kind is AnswerKind.ANSWERED
        notice = say(Sentence.MODEL_FAILED_SO_QUOTED if answers else Sentence.MODEL_FAILED)
        notice = (tells_owner and writer.explain_problem()) or notice
    suggestions = await suggest() if suggest and found.kind is AnswerKind.NOTHING else ()
    for event in await asyncio.to_thread(compose_reply, found, suggestions, notice):
        yield event
