"""An answer that a model writes over numbered passages, while it is being written."""

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
"""The word, and the full stop that a model may put behind it; the sentence for people has one."""


async def generate(
    writer: OpenAIWriter, question: str, references: tuple[Reference, ...]
) -> AsyncGenerator[AnswerEvent, None]:
    """The model's answer: who wrote it and from what first, then its text as it comes.

    Raises :class:`SourceError` where there can be no more of it, or nothing at all.
    """
    said: list[AnswerEvent] = []
    spoken = _SpokenText()
    with CutLater() as cut:
        try:
            async with contextlib.aclosing(writer.write(question, references)) as events:
                async for event in events:
                    if not said:
                        yield OriginKnown(_origin(writer))
                        # The model is given nothing else.
                        yield ReferencesFound(references, complete=True)
                    said.append(event)
                    if isinstance(event, TextReplaced):
                        spoken = _SpokenText()
                        yield TextReplaced(spoken.feed(event.text))
                    elif shown := spoken.feed(event.text):
                        yield TextDelta(shown)
        except SourceError:
            if shown := spoken.close():
                yield TextDelta(shown)
            raise
    if shown := spoken.close():
        yield TextDelta(shown)
    text = text_of(said)
    if text and not _says_nothing(text) and not _cites(text, references):
        if cut.error:
            yield TextCut()
        yield TextDelta(f"\n\n{say(Sentence.MODEL_WAS_GIVEN)}\n\n{list_references(references)}")
    cut.raise_if_cut()


class _SpokenText:
    """A model's text with a sentence for the person in the place of :data:`NO_ANSWER`."""

    def __init__(self) -> None:
        self._held = ""
        """The end of the text, as long as it may be the beginning of the word."""

    def feed(self, delta: str) -> str:
        """What these characters add to the text that is shown."""
        text = _NO_ANSWER.sub(say(Sentence.NOTHING_FOUND), self._held + delta)
        beginnings = (text[-length:] for length in range(min(len(NO_ANSWER), len(text)), 0, -1))
        self._held = next(filter(NO_ANSWER.startswith, beginnings), "")
        return text.removesuffix(self._held)

    def close(self) -> str:
        """What the end of the text adds to it."""
        held, self._held = self._held, ""
        return held.replace(NO_ANSWER, say(Sentence.NOTHING_FOUND))


def _origin(writer: OpenAIWriter) -> Origin:
    return Origin(slogan=say(Sentence.WRITTEN_BY, model=writer.model), generated=True)


def _says_nothing(text: str) -> bool:
    """Whether there is no more than the word; models set it in quotes, or in bold."""
    return text.strip(' *"“”`.') == NO_ANSWER


def _cites(text: str, references: tuple[Reference, ...]) -> bool:
    return bool(cite(Answer(text=text, references=references, dialect=Dialect.NUMBERED)).citations)
