"""Answers from what a search has found: in the words of a model, or by the passages themselves."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable

from citations import AnswerEvent, AnswerKind, Dialect, Reference
from citations.markers import AnswerSoFar

from ...languages import Sentence, say
from ...retrieval import Found
from ..model_writer import ModelWriter
from ..step import report_reading
from .generation import Generation
from .result_events import list_events, name_unquotable


async def answer_found(
    question: str,
    found: Found,
    writer: ModelWriter | None,
    given: tuple[Reference, ...],
    suggest: Callable[[], Awaitable[tuple[str, ...]]] | None = None,
) -> AsyncGenerator[AnswerEvent, None]:
    """Answer a question from what was ``found``.

    A ``writer`` gets the references ``given``, of which the first are those that would be shown. Where it
    writes nothing, or there is none, the passages are shown. ``suggest`` returns questions to ask where the
    documents say nothing. Closing the generator ends the request to the model. Raises :class:`SourceError`
    where the model fails in the middle of its answer.
    """
    notice = ""
    if writer and given:
        report_reading(len(given))
        so_far, has_begun = AnswerSoFar(Dialect.NUMBERED), False
        writing = Generation(writer, given, found, so_far)
        async with contextlib.aclosing(writing.answer(question)) as events:
            async for event in events:
                has_begun = True
                yield event
        if has_begun:
            for other in name_unquotable(found, len(given), so_far):
                yield other
            return
        answers = found.kind is AnswerKind.ANSWERED
        notice = say(Sentence.MODEL_FAILED_SO_QUOTED if answers else Sentence.MODEL_FAILED)
    suggestions = await suggest() if suggest and found.kind is AnswerKind.NOTHING else ()
    for event in await asyncio.to_thread(list_events, found, suggestions, notice):
        yield event
