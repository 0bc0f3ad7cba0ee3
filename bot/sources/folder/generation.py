"""This module streams an answer that a model writes over numbered passages."""

from __future__ import annotations

import contextlib
import re
from collections.abc import AsyncGenerator, Callable, Iterator
from typing import Final

from citations import (
    Answer,
    AnswerEvent,
    AnswerKind,
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
from citations.model import KindKnown
from citations.readers import text_of

from ...messages import Sentence, say
from ..errors import CutLater, SourceError
from ..open_ai import NO_ANSWER, OpenAIWriter
from ..replies import nearest

_NO_ANSWER: Final = re.compile(rf"{NO_ANSWER}\.?")
"""The sentinel, and a full stop that a model may add; the sentence for people has its own."""
_SPELLED: Final = re.compile(r"(?<![^\W_])no[\s_\\-]{0,2}answer(?![^\W_])", re.IGNORECASE)
"""The sentinel as some models spell it, such as ``No answer``, in a text that cites nothing."""
_WORD: Final = re.compile(r"\w")


async def generate(
    writer: OpenAIWriter,
    question: str,
    references: tuple[Reference, ...],
    write_nearest: Callable[[Sentence], str],
) -> AsyncGenerator[AnswerEvent, None]:
    """Stream the model's answer: its origin and references first, then its text, then its kind.

    ``write_nearest`` writes the nearest passages below a sentence. They replace the model's text where it
    writes that the passages do not answer, and follow a text that cites none. Raises
    :class:`SourceError` where the model fails, also in the middle of the answer.
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
    text = text_of(pieces)
    cites = _cites(text, references)
    if cites or not _SPELLED.search(text):
        endings = _end_text(shown_text, write_nearest, cites=cites, is_cut=cut.error is not None)
    else:
        endings = _replace_text(shown_text, write_nearest(Sentence.NOT_SURE))
    for ending in endings:
        yield ending
    cut.raise_if_cut()


def _end_text(
    shown_text: _SentinelFilter, write_nearest: Callable[[Sentence], str], *, cites: bool, is_cut: bool
) -> Iterator[AnswerEvent]:
    """Yield the events after what was shown: the rest, and the nearest passages if the text cites none.

    A model's "I don't know" in words of any language is such a text.
    """
    if shown := shown_text.close():
        yield TextDelta(shown)
    if not cites and shown_text.has_shown:
        if is_cut:
            yield TextCut()
        yield TextDelta(f"\n\n{write_nearest(Sentence.MODEL_CITED_NOTHING)}")
    if not is_cut:
        # No reader can check an answer that cites nothing.
        yield KindKnown(AnswerKind.ANSWERED if cites else AnswerKind.UNSURE)


def _replace_text(shown_text: _SentinelFilter, text: str) -> Iterator[AnswerEvent]:
    """Yield the events that show ``text`` instead of what the model wrote."""
    yield nearest()
    yield KindKnown(AnswerKind.UNSURE)
    yield TextReplaced(text) if shown_text.has_shown else TextDelta(text)


class _SentinelFilter:
    """Holds back the sentinel :data:`NO_ANSWER` in a model's text, and all that stands behind it."""

    def __init__(self) -> None:
        self.has_shown = False
        """Whether a part of the text was shown."""
        self._held = ""

    def feed(self, delta: str) -> str:
        """Return the text that these characters add."""
        self._held += delta
        if NO_ANSWER in self._held:
            return ""
        beginnings = (self._held[-length:] for length in range(min(len(NO_ANSWER), len(self._held)), 0, -1))
        shown = self._held.removesuffix(next(filter(NO_ANSWER.startswith, beginnings), ""))
        # What models put around the sentinel, such as quotes, is not shown before a word is.
        if not self.has_shown and not _WORD.search(shown):
            return ""
        self._held = self._held[len(shown) :]
        self.has_shown = self.has_shown or bool(shown)
        return shown

    def close(self) -> str:
        """Return the text that the end of the answer adds, with a sentence instead of the sentinel."""
        held, self._held = self._held, ""
        self.has_shown = self.has_shown or bool(held)
        return _NO_ANSWER.sub(say(Sentence.NOTHING_FOUND), held)


def _describe_origin(writer: OpenAIWriter) -> Origin:
    return Origin(slogan=say(Sentence.WRITTEN_BY, model=writer.model), generated=True)


def _cites(text: str, references: tuple[Reference, ...]) -> bool:
    return bool(cite(Answer(text=text, references=references, dialect=Dialect.NUMBERED)).citations)
