"""Streams an answer that a model writes over numbered passages."""

from __future__ import annotations

import contextlib
import re
from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass, replace
from typing import Final

from citations import (
    AnswerEvent,
    AnswerKind,
    Dialect,
    Origin,
    OriginKnown,
    Reference,
    ReferencesFound,
    SpanFound,
    TextCut,
    TextDelta,
    TextReplaced,
    cite,
)
from citations.markers import AnswerSoFar
from citations.model import DialectKnown, KindKnown
from citations.readers import answer_of

from ...languages import Sentence, say
from ...retrieval import Found
from ...telemetry.log import logger
from ..errors import CutLater, SourceError, SourceTimedOut, SourceUnavailable
from ..model_writer import NO_ANSWER, ModelWriter, WrittenEvent
from ..sentences import explain_no_answer, note_quoted
from .result_events import write_nearest_passages

_NO_ANSWER: Final = re.compile(rf"{NO_ANSWER}\.?")
"""The sentinel, and a full stop that a model may add; the sentence for people has its own."""
_SPELLED: Final = re.compile(r"(?<![^\W_])no[\s_\\-]{0,2}answer(?![^\W_])", re.IGNORECASE)
"""The sentinel as some models spell it, such as ``No answer``, in a text that cites nothing."""
_UNKNOWN: Final = "unknown-reference"
"""The code of the problem that a marker names no source."""
_WORD: Final = re.compile(r"\w")
_NAMED: Final = 3
"""The most sources that are named where neither the search nor the model finds an answer."""

log = logger(__name__)


@dataclass(frozen=True, slots=True)
class Generation:
    """An answer that ``writer`` writes over ``references``, which describe the passages of ``found``.

    The nearest passages replace the model's text where it writes that they do not answer, and follow a text
    that cites none. ``so_far`` notes all events.
    """

    writer: ModelWriter
    references: tuple[Reference, ...]
    found: Found
    so_far: AnswerSoFar

    async def answer(self, question: str) -> AsyncGenerator[AnswerEvent, None]:
        """Stream the model's answer: its origin and references first, then its text, then its kind.

        Yields nothing, with a line in the log, where the model writes nothing. Raises :class:`SourceError`
        where it fails in the middle of the answer.
        """
        pieces: list[AnswerEvent] = []
        shown = _SentinelFilter()
        with CutLater() as cut:
            try:
                async with contextlib.aclosing(
                    self.writer.write(question, self.references, self.found.kind)
                ) as events:
                    async for event in events:
                        if not pieces:
                            yield self._note(OriginKnown(_describe_origin(self.writer)))
                            # The model receives nothing else, so the references are complete.
                            yield self._note(ReferencesFound(self.references, complete=True))
                        pieces.append(event)
                        if isinstance(event, TextReplaced):
                            shown = _SentinelFilter()
                        for filtered in shown.feed(event):
                            yield self._note(filtered)
            except SourceError as error:
                if not pieces:
                    log.warning("the model did not answer", reason=str(error))
                    return
                broke = isinstance(error, SourceUnavailable | SourceTimedOut)
                for rest in self._end_broken(shown) if broke else shown.close():
                    yield self._note(rest)
                raise
        dialect = next((one.dialect for one in pieces if isinstance(one, DialectKnown)), Dialect.NUMBERED)
        answer = replace(answer_of(pieces), references=self.references, dialect=dialect)
        cited = cite(answer)
        cites = bool(cited.citations)
        if cites or not _SPELLED.search(answer.text):
            invents = any(problem.code == _UNKNOWN for problem in cited.problems)
            endings = self._end_text(shown, cites=cites, invents=invents, is_cut=cut.error is not None)
        else:
            endings = self._replace_text(shown)
        for ending in endings:
            yield self._note(ending)
        cut.raise_if_cut()

    def _note(self, event: AnswerEvent) -> AnswerEvent:
        self.so_far.note(event)
        return event

    def _end_text(
        self, shown: _SentinelFilter, *, cites: bool, invents: bool, is_cut: bool
    ) -> Iterator[AnswerEvent]:
        """Yield the events after what was shown: the rest, and the nearest passages if the text cites none.

        A model's "I don't know" in words of any language is such a text. One that ``invents`` a source
        beside true ones is not left without a word.
        """
        yield from shown.close()
        if not cites and shown.has_shown:
            if is_cut:
                yield TextCut()
            yield from self.so_far.marked_events(f"\n\n{self._nearest(Sentence.MODEL_CITED_NOTHING)}")
        elif invents and not is_cut:
            yield TextDelta(f"\n\n{say(Sentence.MODEL_CITED_UNKNOWN)}")
        if not is_cut:
            # No reader can check an answer that cites nothing, or what is not there.
            yield KindKnown(AnswerKind.ANSWERED if cites and not invents else AnswerKind.UNSURE)

    def _end_broken(self, shown: _SentinelFilter) -> Iterator[AnswerEvent]:
        """Yield the events after a text that broke off: its rest, and the nearest passages below it."""
        yield from shown.close()
        if shown.has_shown:
            yield TextCut()
            yield from self.so_far.marked_events(f"\n\n{self._nearest()}")

    def _nearest(self, lead: Sentence = Sentence.NEAREST) -> str:
        return write_nearest_passages(self.found, self.found.find_shown(), self.references, lead)

    def _replace_text(self, shown: _SentinelFilter) -> Iterator[AnswerEvent]:
        """Yield the events that show the nearest passages instead of what the model wrote.

        Where the search, too, thinks that the documents do not answer, they say so.
        """
        nothing = self.found.kind is AnswerKind.NOTHING
        yield note_quoted()
        yield KindKnown(AnswerKind.NOTHING if nothing else AnswerKind.UNSURE)
        if shown.has_shown:
            yield TextReplaced("")
        if nothing:
            text = explain_no_answer(
                self.found.result.unknown,
                self.references[:_NAMED],
                has_unread=self.found.result.scope.has_unread,
            )
        else:
            text = self._nearest()
        yield from self.so_far.marked_events(text)


class _SentinelFilter:
    """Holds back the sentinel :data:`NO_ANSWER` in a model's text, what follows, and its spans."""

    def __init__(self) -> None:
        self.has_shown = False
        """Whether a part of the text was shown."""
        self._held = ""
        self._length = 0
        """Characters that were shown."""
        self._spans: list[SpanFound] = []

    def feed(self, event: WrittenEvent) -> Iterator[AnswerEvent]:
        """Yield the events that the next event lets out."""
        match event:
            case DialectKnown():
                yield event
            case TextReplaced(text):
                yield TextReplaced(self._show(text))
            case TextDelta(text):
                if added := self._show(text):
                    yield TextDelta(added)
            case SpanFound():
                self._spans.append(event)
        yield from self._ready_spans()

    def close(self) -> Iterator[AnswerEvent]:
        """Yield the rest at the end of the answer, with a sentence instead of the sentinel."""
        held, self._held = self._held, ""
        start, self._length = self._length, self._length + len(held)
        self.has_shown = self.has_shown or bool(held)
        if held:
            yield TextDelta(_name_nothing(held))
        for span in self._spans:
            first, last = (
                offset if offset < start else start + len(_name_nothing(held[: offset - start]))
                for offset in (span.start, span.end)
            )
            yield replace(span, start=first, end=last)

    def _show(self, delta: str) -> str:
        """The text that these characters add."""
        self._held += delta
        if NO_ANSWER in self._held:
            return ""
        beginnings = (self._held[-length:] for length in range(min(len(NO_ANSWER), len(self._held)), 0, -1))
        shown = self._held.removesuffix(next(filter(NO_ANSWER.startswith, beginnings), ""))
        # What models put around the sentinel, such as quotes, is not shown before a word is.
        if not self.has_shown and not _WORD.search(shown):
            return ""
        self._held = self._held[len(shown) :]
        self._length += len(shown)
        self.has_shown = self.has_shown or bool(shown)
        return shown

    def _ready_spans(self) -> Iterator[SpanFound]:
        """Yield the spans whose words are shown."""
        waiting, self._spans = self._spans, []
        for span in waiting:
            if span.end <= self._length:
                yield span
            else:
                self._spans.append(span)


def _name_nothing(text: str) -> str:
    return _NO_ANSWER.sub(say(Sentence.NOTHING_FOUND), text)


def _describe_origin(writer: ModelWriter) -> Origin:
    return Origin(slogan=say(Sentence.WRITTEN_BY, model=writer.model), generated=True)
