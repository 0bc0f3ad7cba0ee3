"""This module streams an answer that a model writes over numbered passages."""

from __future__ import annotations

import contextlib
import re
from collections.abc import AsyncGenerator
from typing import Final

from citations import (
    Answer,
    AnswerEvent,
    Dialect,
    Origin,
    OriginKnown,
    Reference,
    ReferencesFound,
    TextCut,
    TextDelta,
    TextReplaced,
    cite,
)
from citations.readers import text_of

from ...messages import Sentence, say
from ..errors import CutLater, SourceError
from ..open_ai import NO_ANSWER, OpenAIWriter
from ..replies import list_references

_NO_ANSWER: Final = re.compile(rf"{NO_ANSWER}(?:\.|(?=[^.]))")
"""The sentinel, and a full stop that a model may add; the sentence for people has its own."""


async def generate(
    writer: OpenAIWriter, question: str, references: tuple[Reference, ...]
) -> AsyncGenerator[AnswerEvent, None]:
    """Stream the model's answer: its origin and references first, then its text.

    Raises :class:`SourceError` where the model fails, also in the middle of the answer.
    """
    pieces: list[AnswerEvent] = []
    shown_text = _SentinelFilter()
    with CutLater() as cut:
        try:
            async with contextlib.aclosing(writer.write(question, references)) as events:
                async for event in events:
                    if not pieces:
                        yield OriginKnown(_describe_origin(writer))
                        # The model receives nothing else, so the references are complete.
                        yield ReferencesFound(references, complete=True)
                    pieces.append(event)
                    if isinstance(event, TextReplaced):
                        shown_text = _SentinelFilter()
                        yield TextReplaced(shown_text.feed(event.text))
                    elif shown := shown_text.feed(event.text):
                        yield TextDelta(shown)
        except SourceError:
            if shown := shown_text.close():
                yield TextDelta(shown)
            raise
    if shown := shown_text.close():
        yield TextDelta(shown)
    text = text_of(pieces)
    if text and not _is_nothing(text) and not _cites(text, references):
        if cut.error:
            yield TextCut()
        yield TextDelta(f"\n\n{say(Sentence.MODEL_WAS_GIVEN)}\n\n{list_references(references)}")
    cut.raise_if_cut()


class _SentinelFilter:
    """Replaces the sentinel :data:`NO_ANSWER` in a model's text by a sentence for the person."""

    def __init__(self) -> None:
        self._held = ""
        """The end of the text so far, if it may be the beginning of the sentinel."""

    def feed(self, delta: str) -> str:
        """Return the text that these characters add."""
        text = _NO_ANSWER.sub(say(Sentence.NOTHING_FOUND), self._held + delta)
        beginnings = (text[-length:] for length in range(min(len(NO_ANSWER), len(text)), 0, -1))
        self._held = next(filter(NO_ANSWER.startswith, beginnings), "")
        return text.removesuffix(self._held)

    def close(self) -> str:
        """Return the text that the end of the answer adds."""
        held, self._held = self._held, ""
        return held.replace(NO_ANSWER, say(Sentence.NOTHING_FOUND))


def _describe_origin(writer: OpenAIWriter) -> Origin:
    return Origin(slogan=say(Sentence.WRITTEN_BY, model=writer.model), generated=True)


def _is_nothing(text: str) -> bool:
    """Return whether the text is only the sentinel, which models put in quotes or in bold."""
    return text.strip(' *"“”`.') == NO_ANSWER


def _cites(text: str, references: tuple[Reference, ...]) -> bool:
    return bool(cite(Answer(text=text, references=references, dialect=Dialect.NUMBERED)).citations)
